# SPDX-License-Identifier: MIT
# moraine::moraine, the library that other programs link: all rooms but the program's in one file, with the public
# headers. Static, or shared with BUILD_SHARED_LIBS.

add_library(moraine_library)
foreach(room base math shape world find touch soft hard measure inflow flow sim io scene api)
  get_target_property(type moraine_${room} TYPE)
  if(NOT type STREQUAL "INTERFACE_LIBRARY")
    target_sources(moraine_library PRIVATE $<TARGET_OBJECTS:moraine_${room}>)
  endif()
endforeach()
add_library(moraine::moraine ALIAS moraine_library)
set_target_properties(moraine_library PROPERTIES OUTPUT_NAME moraine EXPORT_NAME moraine LINKER_LANGUAGE CXX
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
target_compile_features(moraine_library INTERFACE cxx_std_20)
target_include_directories(moraine_library INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)
# What the objects need to be linked; moraine-config.cmake finds the same. HDF5, AMD and SUNDIALS by targets of our own,
# since what was found are paths of this machine.
add_library(moraine_hdf5 INTERFACE)
target_link_libraries(moraine_hdf5 INTERFACE ${HDF5_C_LIBRARIES})
add_library(moraine_solvers INTERFACE)
target_link_libraries(moraine_solvers INTERFACE ${AMD_LIBRARY} ${SUNDIALS_LIBRARIES})
target_link_libraries(moraine_library PRIVATE fmt::fmt Threads::Threads tomlplusplus::tomlplusplus ZLIB::ZLIB assimp::assimp
  $<BUILD_INTERFACE:moraine_hdf5> $<INSTALL_INTERFACE:moraine::hdf5>
  $<BUILD_INTERFACE:moraine_solvers> $<INSTALL_INTERFACE:moraine::solvers>)
if(MORAINE_SANITIZE)
  target_link_options(moraine_library PUBLIC -fsanitize=${MORAINE_SANITIZE})
endif()
