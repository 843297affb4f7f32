# SPDX-License-Identifier: MIT
# The page of `moraine view`: TypeScript (viewer/) and three.js, bundled by esbuild into files that the program holds.
find_program(ESBUILD esbuild REQUIRED)
find_file(THREE_JS three.module.js PATHS /usr/share/javascript/three /usr/share/nodejs/three/build NO_DEFAULT_PATH REQUIRED)

set(page ${PROJECT_BINARY_DIR}/page)
set(sources ${PROJECT_SOURCE_DIR}/viewer)
file(GLOB scripts CONFIGURE_DEPENDS ${sources}/*.ts)
add_custom_command(OUTPUT ${page}/page.js
  COMMAND ${ESBUILD} ${sources}/main.ts --bundle --format=esm --minify --target=es2020 --log-level=warning
    --alias:three=${THREE_JS} --outfile=${page}/page.js
  DEPENDS ${scripts} ${THREE_JS} VERBATIM COMMENT "Bundling the page")

set(asm ${page}/files.S)
configure_file(${PROJECT_SOURCE_DIR}/src/view/files.S.in ${asm} @ONLY)
set_source_files_properties(${asm} PROPERTIES
  OBJECT_DEPENDS "${page}/page.js;${sources}/page.html;${sources}/page.css")
add_library(moraine_page OBJECT ${asm})
target_sources(moraine_view PRIVATE $<TARGET_OBJECTS:moraine_page>)
