// SPDX-License-Identifier: MIT
// One page for the browser that shows all pictures of a run and its numbers: a single file that needs no other.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace moraine::plot {

class IndexPage {
 public:
  // Pictures of one section stand together; sections in the order of their first picture. Of very many pictures the
  // page holds the first, and names the others.
  // `name`: of the file, without its ending; `caption`: what the picture shows.
  void add(const std::string& section, const std::string& name, const std::string& caption, const std::string& png);
  bool takes_more() const { return held_ < kMostPictures; }
  void add_film(const std::string& file) { film_ = file; }

  // `summary`: the run's summary.json; without such a file the run still goes on.
  std::string html(const std::string& title, const std::filesystem::path& summary) const;

 private:
  static constexpr std::size_t kMostPictures = 60;
  struct Figure {
    std::string name, caption, png;
  };
  struct Section {
    std::string title;
    std::vector<Figure> figures;
  };
  std::vector<Section> sections_;
  std::string film_;
  std::size_t held_ = 0;
};

}  // namespace moraine::plot
