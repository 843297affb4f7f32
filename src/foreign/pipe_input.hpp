// SPDX-License-Identifier: MIT
// The input file of the pipe program of Sun (1996, appendix E): blocks of numbers in centimetres, grams and seconds,
// read by fixed places. Only what stands in the file; what it means for a scene is pipe_scene's business.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace moraine::foreign {

struct PipeDisk {
  double radius = 0, x = 0, y = 0, vx = 0, vy = 0;
  int line = 0;
};

struct PipeCircle {
  double radius = 0, x = 0, y = 0;
  int line = 0;
};

struct PipeInput {
  std::string file;
  // PARA
  double begin = 0, end = 0;          // X0, XEND
  double interval = 0;                // XIN, of output
  double least_step = 0;              // DH
  double stream_x = 0, stream_y = 0;  // VX, VY
  double thickness = 0;               // TH
  double most_force = 0;              // FMAX
  double restitution = 0;             // E
  double friction = 0;                // U
  double tolerance = 0;               // TOL
  int para_line = 0;
  // RAND
  bool random = false;                                // IG
  std::int64_t seed = 0;                              // ISEED
  double radius_width = 0, x_width = 0, y_width = 0;  // RI, XI, YI
  int rand_line = 0;                                  // 0: there is none
  std::vector<PipeDisk> disks;                        // DISK: of one batch
  std::vector<PipeCircle> circles;                    // ROOT: walls
};

// Throws base::InputError with every mistake: line, what was found, what is needed.
PipeInput read_pipe_input(const std::filesystem::path& path);
PipeInput read_pipe_text(std::string_view text, const std::string& file);

}  // namespace moraine::foreign
