# SPDX-License-Identifier: MIT
# Compiler settings shared by every target, and moraine_module(): one static library per folder of src/.

add_library(moraine_options INTERFACE)
target_compile_options(moraine_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion)
if(PROJECT_IS_TOP_LEVEL)
  target_compile_options(moraine_options INTERFACE -Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(moraine_options INTERFACE -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds)  # false alarms in std::string (GCC bug 105651) and fmt
endif()
# The same bits with every compiler and instruction set: no fused multiply-add behind our back, and no fast-math.
target_compile_options(moraine_options INTERFACE -ffp-contract=off -fno-fast-math -fno-math-errno -fno-trapping-math)
if(MORAINE_SANITIZE)
  # What the sanitizers put in makes the optimiser see faults that are none; the other builds have warnings as errors.
  target_compile_options(moraine_options INTERFACE -fsanitize=${MORAINE_SANITIZE} -fno-omit-frame-pointer
    -fno-sanitize-recover=all -Wno-error)
  target_compile_definitions(moraine_options INTERFACE MORAINE_SANITIZED)
  target_link_options(moraine_options INTERFACE -fsanitize=${MORAINE_SANITIZE})
endif()

# moraine_precompile(TARGET OWNER): what most files include is read once, by the owner, for all that are compiled with the
# same definitions. (The clang preset goes without, so that a missing include shows.)
function(moraine_precompile target owner)
  if(target STREQUAL owner)
    target_precompile_headers(${target} PRIVATE <fmt/format.h> <algorithm> <array> <cmath> <filesystem> <functional> <map>
      <memory> <numeric> <optional> <string> <vector>)
  else()
    target_precompile_headers(${target} REUSE_FROM ${owner})
  endif()
endfunction()

# moraine_module(NAME [USES modules...] [LIBS libraries...])
# Headers of src/NAME are included as "NAME/file.hpp", through a folder that holds only this module, so that a target
# sees the headers of the modules it links and no others.
function(moraine_module name)
  cmake_parse_arguments(ARG "" "" "USES;LIBS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/rooms/${name})
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/src/${name} ${PROJECT_BINARY_DIR}/rooms/${name}/${name} SYMBOLIC)
  set(names ${name} ${ARG_USES})
  list(TRANSFORM ARG_USES PREPEND moraine_)
  if(sources)
    add_library(moraine_${name} STATIC ${sources})
    target_include_directories(moraine_${name} PUBLIC ${PROJECT_BINARY_DIR}/rooms/${name})
    target_link_libraries(moraine_${name} PUBLIC ${ARG_USES} ${ARG_LIBS} PRIVATE moraine_options)
    if("scene" IN_LIST names)  # toml++ has definitions of its own
      moraine_precompile(moraine_${name} moraine_scene)
    else()
      moraine_precompile(moraine_${name} moraine_base)
    endif()
  else()
    add_library(moraine_${name} INTERFACE)
    target_include_directories(moraine_${name} INTERFACE ${PROJECT_BINARY_DIR}/rooms/${name})
    target_link_libraries(moraine_${name} INTERFACE ${ARG_USES} ${ARG_LIBS})
  endif()
endfunction()

# moraine_public_header(NAME header): the room also sees (and shows) this one of the public headers.
function(moraine_public_header name header)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/rooms/${name}/moraine)
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/include/moraine/${header} ${PROJECT_BINARY_DIR}/rooms/${name}/moraine/${header} SYMBOLIC)
endfunction()
