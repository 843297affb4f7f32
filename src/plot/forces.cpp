// SPDX-License-Identifier: MIT
// The force network: a rectangle along each contact from centre to centre (or from centre to wall), as wide as the
// normal force is large, over faint bodies.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "plot/frame_bodies.hpp"
#include "plot/scene_figures.hpp"
#include "plot/scene_parts.hpp"

namespace moraine::plot {

namespace {

// A piece of a contact: two for a contact over a periodic boundary, one from either side.
struct Piece {
  Triple from, to;
  double force = 0;  // normal, pushing > 0
};

struct Network {
  std::vector<Piece> pieces;
  std::size_t contacts = 0;
  double strongest = 0, largest_push = 0, largest_pull = 0;
};

void add_contact(Network& net, const Frame& frame, std::size_t c) {
  const auto a = index_of(frame, frame.contact_a[c]);
  const Triple& n = frame.contact_normal[c];
  if (!a || !finite(frame.position[*a]) || !finite(n) || !finite(frame.contact_force[c])) return;
  const double force = -dot(frame.contact_force[c], n);  // the force is that on a, the normal points away from it
  const Triple from = frame.position[*a];
  double length = frame.radius[*a] - frame.contact_overlap[c];
  if (frame.contact_b[c] >= 0) {
    const auto b = index_of(frame, frame.contact_b[c]);
    if (!b) return;
    length += frame.radius[*b];
    const Triple to = from + length * n, centre = frame.position[*b];
    if (norm(to - centre) > 0.5 * length) {  // b is the image in the next period
      net.pieces.push_back({from, from + 0.5 * length * n, force});
      net.pieces.push_back({centre, centre - 0.5 * length * n, force});
    } else {
      net.pieces.push_back({from, centre, force});
    }
  } else {
    net.pieces.push_back({from, from + length * n, force});
  }
  ++net.contacts;
  net.strongest = std::max(net.strongest, std::fabs(force));
  net.largest_push = std::max(net.largest_push, force);
  net.largest_pull = std::max(net.largest_pull, -force);
}

Network network_of(const Frame& frame, const Camera& camera) {
  Network net;
  for (std::size_t c = 0; c < frame.contact_a.size(); ++c) add_contact(net, frame, c);
  if (frame.dimension == 3) {
    std::stable_sort(net.pieces.begin(), net.pieces.end(), [&](const Piece& p, const Piece& q) {
      return camera.depth(p.from + p.to) < camera.depth(q.from + q.to);
    });
  } else {  // the strong ones on top
    std::stable_sort(net.pieces.begin(), net.pieces.end(),
                     [](const Piece& p, const Piece& q) { return std::fabs(p.force) < std::fabs(q.force); });
  }
  return net;
}

// The width of the strongest contact: somewhat less than a body.
double widest_bar(const Frame& frame, const View& view) {
  double sum = 0;
  for (const double r : frame.radius) sum += r;
  const double mean = frame.radius.empty() ? 0 : sum / static_cast<double>(frame.radius.size());
  return std::clamp((frame.dimension == 2 ? 1.3 : 0.8) * mean * view.scale, 3.0, 22.0);
}

void describe(SceneSheet& sheet, const Network& net, double widest) {
  if (net.contacts == 0 || net.strongest == 0) {
    sheet.caption = "No contact carries a force in this frame.";
    return;
  }
  for (const double share : {1.0, 0.25}) {
    sheet.key.push_back({KeyEntry::Kind::kBar,
                         quantity_text(share * net.strongest, "N"),
                         net.largest_pull > net.largest_push ? kPull : kPush,
                         std::max(26.0, 2 * widest),
                         share * widest,
                         {}});
  }
  sheet.caption = fmt::format(
      "A rectangle along {}, from centre to centre or to the wall; its width is proportional to the normal force, the "
      "widest is the largest: {}.",
      net.contacts == 1 ? "the one contact" : fmt::format("each of the {} contacts", net.contacts),
      quantity_text(net.strongest, "N"));
  if (net.largest_pull > 1e-9 * net.strongest) {  // less is rounding
    sheet.caption += fmt::format(" Red pushes (up to {}), blue pulls (up to {}).", quantity_text(net.largest_push, "N"),
                                 quantity_text(net.largest_pull, "N"));
  }
}

void draw_network(Canvas& canvas, const View& view, const Network& net, double widest, bool deep) {
  double farthest = 0, nearest = 0;
  if (deep && !net.pieces.empty()) {
    farthest = view.camera.depth(net.pieces.front().from);
    nearest = view.camera.depth(net.pieces.back().from);
  }
  for (const Piece& p : net.pieces) {
    const double width = std::max(widest * std::fabs(p.force) / net.strongest, 0.12);
    Colour colour = p.force < 0 ? kPull : kPush;
    if (deep && nearest > farthest) {  // far ones are paler, for depth
      const double share = (nearest - view.camera.depth(0.5 * (p.from + p.to))) / (nearest - farthest);
      colour = mixed(colour, kPaper, 0.7 * std::clamp(share, 0.0, 1.0));
    }
    canvas.bar(view.place(p.from), view.place(p.to), width, colour);
  }
}

SceneSheet sheet_of(const Subject& subject, const View& view) {
  const Frame& frame = *subject.frame;
  const double widest = widest_bar(frame, view);
  const Network net = network_of(frame, view.camera);
  SceneSheet sheet;
  sheet.kind = "Force network";
  describe(sheet, net, widest);
  sheet.note = net.strongest > 0 ? "largest " + quantity_text(net.strongest, "N") : "no forces";
  sheet.shared_caption =
      "A rectangle along each contact, from centre to centre or to the wall; its width is proportional to the normal "
      "force, the widest is the largest of its frame. Red pushes, blue pulls.";
  sheet.bodies = [subject](Canvas& canvas, const View& v) {
    draw_pale_bodies(canvas, v, *subject.frame, Look::kBreath);
  };
  sheet.over = [net, widest, deep = frame.dimension == 3](Canvas& canvas, const View& v) {
    if (net.strongest > 0) draw_network(canvas, v, net, widest, deep);
  };
  return sheet;
}

}  // namespace

Picture force_figure(const Subject& subject) {
  const View view = scene_view(subject, 0);
  return scene_picture(subject, view, sheet_of(subject, view));
}

Picture force_frames(const std::vector<Subject>& subjects) { return frames_picture(subjects, 0, sheet_of); }

}  // namespace moraine::plot
