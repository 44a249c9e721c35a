# `cmake --install`: the library, its public headers, the command, and a package for find_package.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/softwood)

install(TARGETS softwood softwood_serving EXPORT softwood-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS softwood_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY include/softwood DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(EXPORT softwood-targets NAMESPACE softwood:: DESTINATION ${package_dir})

configure_package_config_file(cmake/softwood-config.cmake.in softwood-config.cmake
  INSTALL_DESTINATION ${package_dir})
# Before 1.0 a minor version may break what it likes.
write_basic_package_version_file(softwood-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/softwood-config.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/softwood-config-version.cmake
  DESTINATION ${package_dir})
