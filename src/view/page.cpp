// SPDX-License-Identifier: MIT
#include <string_view>

#include "view/show.hpp"

// The files of the page, as they were bundled when the program was built (files.S).
extern "C" {
extern const char moraine_page_html[], moraine_page_html_end[];
extern const char moraine_page_css[], moraine_page_css_end[];
extern const char moraine_page_js[], moraine_page_js_end[];
}

namespace moraine::view {

Server::Handler page_of(Show& show) {
  return [&show](const Request& request) -> Response {
    const auto file = [](const char* type, const char* begin, const char* end) {
      return Response{200, type, std::string(begin, end)};
    };
    if (request.path.starts_with("/api/")) return show.answer(request);
    if (request.method != "GET") return {405, "text/plain; charset=utf-8", "only GET\n"};
    if (request.path == "/") return file("text/html; charset=utf-8", moraine_page_html, moraine_page_html_end);
    if (request.path == "/page.css") return file("text/css; charset=utf-8", moraine_page_css, moraine_page_css_end);
    if (request.path == "/page.js") return file("text/javascript; charset=utf-8", moraine_page_js, moraine_page_js_end);
    return {404, "text/plain; charset=utf-8", "there is no such file\n"};
  };
}

}  // namespace moraine::view
