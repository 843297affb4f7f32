// SPDX-License-Identifier: MIT
// Pictures as bytes: PNG, SVG, PDF, and plain pixels for films.
#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>
#include <zlib.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <stdexcept>

#include "base/error.hpp"
#include "plot/canvas.hpp"

namespace moraine::plot {

namespace {

struct Free {
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
  void operator()(cairo_t* context) const { cairo_destroy(context); }
};
using Surface = std::unique_ptr<cairo_surface_t, Free>;
using Context = std::unique_ptr<cairo_t, Free>;

cairo_status_t append(void* closure, const unsigned char* data, unsigned length) {
  // An exception must not fly through cairo's C code.
  try {
    static_cast<std::string*>(closure)->append(reinterpret_cast<const char*>(data), length);
  } catch (...) {
    return CAIRO_STATUS_NO_MEMORY;
  }
  return CAIRO_STATUS_SUCCESS;
}

void check(cairo_status_t status) {
  if (status == CAIRO_STATUS_SUCCESS) return;
  if (status == CAIRO_STATUS_NO_MEMORY) {
    throw base::RunError("the memory does not hold the picture",
                         "close other programs, or draw fewer frames (--frames)");
  }
  throw std::logic_error(std::string("drawing with cairo: ") + cairo_status_to_string(status));
}

void draw_on(cairo_surface_t* surface, double scale, bool vector, const Picture& picture) {
  check(cairo_surface_status(surface));
  const Context context(cairo_create(surface));
  cairo_scale(context.get(), scale, scale);
  Canvas canvas(context.get(), vector);
  cairo_set_source_rgb(context.get(), 1, 1, 1);
  cairo_paint(context.get());
  picture.draw(canvas);
  check(cairo_status(context.get()));
}

Surface image_of(const Picture& picture, double dots_per_inch) {
  const auto [width, height] = pixel_size(picture, dots_per_inch);
  Surface surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height));
  draw_on(surface.get(), dots_per_inch / 72, false, picture);
  cairo_surface_flush(surface.get());
  return surface;
}

void put_number(std::string& out, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<char>((value >> shift) & 255u));
}

// The PNG chunk that tells programs how large to show it; cairo does not write one. It goes after the header, which is
// 8 + 25 bytes long.
void add_resolution(std::string& png, double dots_per_inch) {
  constexpr std::size_t kHeader = 33;
  const auto per_metre = static_cast<std::uint32_t>(std::lround(dots_per_inch / 0.0254));
  std::string body = "pHYs";
  put_number(body, per_metre);
  put_number(body, per_metre);
  body.push_back(1);
  std::string chunk;
  put_number(chunk, static_cast<std::uint32_t>(body.size() - 4));
  chunk += body;
  put_number(chunk, static_cast<std::uint32_t>(
                        ::crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()))));
  png.insert(kHeader, chunk);
}

}  // namespace

std::array<int, 2> pixel_size(const Picture& picture, double dots_per_inch) {
  const auto even = [dots_per_inch](double points) {
    return 2 * static_cast<int>(std::ceil(points * dots_per_inch / 72 / 2 - 1e-6));
  };
  return {even(picture.width), even(picture.height)};
}

std::string png_of(const Picture& picture, double dots_per_inch) {
  const Surface surface = image_of(picture, dots_per_inch);
  std::string bytes;
  check(cairo_surface_write_to_png_stream(surface.get(), append, &bytes));
  add_resolution(bytes, dots_per_inch);
  return bytes;
}

namespace {

// `create`: how cairo makes a surface of lines that it writes as bytes.
template <typename Create>
std::string vector_of(const Picture& picture, const Create& create) {
  std::string bytes;
  {
    const Surface surface(create(append, &bytes, picture.width, picture.height));
    draw_on(surface.get(), 1, true, picture);
    cairo_surface_finish(surface.get());
    check(cairo_surface_status(surface.get()));
  }
  return bytes;
}

}  // namespace

std::string svg_of(const Picture& picture) { return vector_of(picture, cairo_svg_surface_create_for_stream); }
std::string pdf_of(const Picture& picture) { return vector_of(picture, cairo_pdf_surface_create_for_stream); }

Pixels pixels_of(const Picture& picture) {
  const Surface surface = image_of(picture, kDotsPerInch);
  Pixels pixels;
  pixels.width = cairo_image_surface_get_width(surface.get());
  pixels.height = cairo_image_surface_get_height(surface.get());
  const unsigned char* data = cairo_image_surface_get_data(surface.get());
  const auto stride = static_cast<std::size_t>(cairo_image_surface_get_stride(surface.get()));
  const std::size_t row = 4 * static_cast<std::size_t>(pixels.width);
  for (std::size_t y = 0; y < static_cast<std::size_t>(pixels.height); ++y) {
    pixels.bgra.insert(pixels.bgra.end(), data + y * stride, data + y * stride + row);
  }
  return pixels;
}

}  // namespace moraine::plot
