# SPDX-License-Identifier: MIT
# cmake --install: the library with its headers and package, the program, the examples (where the program finds them:
# share/moraine/examples beside its own folder), the documentation and the licence.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/moraine)
install(TARGETS moraine_library EXPORT moraine-targets)
install(DIRECTORY include/moraine DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
install(EXPORT moraine-targets NAMESPACE moraine:: DESTINATION ${package_folder})
get_target_property(library_type moraine_library TYPE)
configure_package_config_file(cmake/moraine-config.cmake.in ${PROJECT_BINARY_DIR}/moraine-config.cmake
  INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/moraine-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/moraine-config.cmake ${PROJECT_BINARY_DIR}/moraine-config-version.cmake
  DESTINATION ${package_folder})

if(MORAINE_PROGRAM)
  install(TARGETS moraine)
  install(DIRECTORY examples/ DESTINATION ${CMAKE_INSTALL_DATADIR}/moraine/examples)
endif()
install(FILES LICENSE README.md CHANGELOG.md CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md" PATTERN "*.png")
