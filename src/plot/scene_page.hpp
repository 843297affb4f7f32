// SPDX-License-Identifier: MIT
// The page of a scene's picture: heading and key above, the piece of space with its axes in the middle, the caption
// below. What is drawn in the space is handed in.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "plot/page.hpp"
#include "plot/survey.hpp"

namespace moraine::plot {

enum class ColourBy { kAuto, kMaterial, kSpeed };

// From where a 3D scene is seen; 2D scenes have one view.
struct ViewFrom {
  std::string name;     // "top", or "30/20": degrees of Camera::from
  std::string caption;  // "seen from above"
  Camera camera;
};
// The views that a text such as "corner,top,30/20" names. Throws base::InputError that says which there are.
std::vector<ViewFrom> choose_views(const std::string& text);
inline constexpr const char* kUsualView = "corner";

// One frame to be drawn, and what it shares with the others.
struct Subject {
  std::shared_ptr<const Frame> frame;
  std::shared_ptr<const Survey> survey;
  std::string title;
  std::int64_t index = 0, count = 1;  // of the frame, of all frames
  ColourBy colour = ColourBy::kAuto;
  ViewFrom from;
};

// Where things will stand; `room`: extra space around the scene, as a share of its size, for arrows that stick out.
View scene_view(const Subject& subject, double room);

struct SceneSheet {
  std::string kind;  // "Configuration"
  std::vector<KeyEntry> key;
  std::string caption;
  std::string note;            // what differs from frame to frame, beside the time where frames stand side by side
  std::string shared_caption;  // for those; empty: key and caption are the same for all frames
  std::optional<ColourBar> bar;
  std::function<void(Canvas&, const View&)> bodies;  // may become an image in a vector output
  std::function<void(Canvas&, const View&)> over;    // always lines
};

Picture scene_picture(const Subject& subject, View view, SceneSheet sheet);

// Frames side by side, in as many columns as make them largest. They share the survey; `make` gives what is drawn of
// one.
using MakeSheet = std::function<SceneSheet(const Subject&, const View&)>;
Picture frames_picture(const std::vector<Subject>& subjects, double room, const MakeSheet& make);

}  // namespace moraine::plot
