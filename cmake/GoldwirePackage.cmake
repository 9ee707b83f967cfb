# SPDX-License-Identifier: BSD-2-Clause
# What `cmake --install` and CPack put where. The plugin's own folder installs the plugin.
include(CMakePackageConfigHelpers)

# The shared library is made of the static one's objects; its symbols are those marked GW_API.
add_library(goldwire_shared SHARED $<TARGET_OBJECTS:goldwire>)
target_include_directories(goldwire_shared INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
set_target_properties(goldwire_shared PROPERTIES OUTPUT_NAME goldwire LINKER_LANGUAGE C
                      VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
if(NOT GW_SANITIZE)
  target_link_options(goldwire_shared PRIVATE -Wl,--no-undefined)
endif()

# A sanitizer, or whatever counts lines, has names of its own in it.
if(BUILD_TESTING AND GW_LINT AND NOT GW_SANITIZE AND NOT GW_COVERAGE)
  add_test(NAME codecs.symbols
           COMMAND bash ${PROJECT_SOURCE_DIR}/codecs/symbols_test.sh ${PROJECT_SOURCE_DIR}
                   $<TARGET_FILE:goldwire_shared> $<TARGET_FILE:goldwire>)
endif()

install(TARGETS goldwire goldwire_shared EXPORT goldwire
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY codecs/include/goldwire DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.h" PATTERN "*.def")

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/goldwire)
install(EXPORT goldwire FILE GoldwireTargets.cmake NAMESPACE Goldwire:: DESTINATION ${package_dir})
configure_package_config_file(cmake/GoldwireConfig.cmake.in GoldwireConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(GoldwireConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/GoldwireConfig.cmake ${PROJECT_BINARY_DIR}/GoldwireConfigVersion.cmake
        DESTINATION ${package_dir})

# goldwire.pc finds its prefix from its own place, so that a moved tree still works.
file(RELATIVE_PATH pc_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" pc_prefix "${pc_prefix}")
configure_file(cmake/goldwire.pc.in goldwire.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/goldwire.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

if(GW_TOOLS)
  install(TARGETS goldwire_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
# The documents lie to each other as they do in the source, so that their links lead somewhere.
install(FILES LICENSE LICENSES/BSD-2-Clause.txt README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md
        DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs
        FILES_MATCHING PATTERN "*.md" PATTERN "*.schema.json" PATTERN "*.png" PATTERN "*.svg" PATTERN "ci/*.yml" PATTERN "examples/*" PATTERN "examples/archive/*"
        PATTERN completion EXCLUDE)
install(FILES dissectors/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR}/dissectors)
install(DIRECTORY fpga_harness/boards DESTINATION ${CMAKE_INSTALL_DOCDIR}/fpga_harness)
# What a testbench links, and the example cores: their scripts find each other by these folders.
install(DIRECTORY fpga_harness/hdl fpga_harness/cores DESTINATION ${CMAKE_INSTALL_DOCDIR}/fpga_harness
        USE_SOURCE_PERMISSIONS PATTERN testing EXCLUDE)
install(FILES fpga_harness/sim/gw_hdl.c fpga_harness/sim/gw_hdl.h fpga_harness/sim/gw_hdl_wire.h
              fpga_harness/sim/gw_hdl_in_process.h fpga_harness/sim/gw_model.h fpga_harness/sim/gw_model.cpp fpga_harness/sim/gw_hdl_edges.h
        DESTINATION ${CMAKE_INSTALL_DOCDIR}/fpga_harness/sim)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
if(TARGET goldwire_plugin)
  install(FILES LICENSES/GPL-2.0-or-later.txt DESTINATION ${CMAKE_INSTALL_DOCDIR})
endif()

set(CPACK_PACKAGE_NAME goldwire)
set(CPACK_PACKAGE_VENDOR "the goldwire authors")
set(CPACK_PACKAGE_CONTACT "the goldwire authors <maintainers@goldwire.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "conformance tests and fuzzing for FPGA wire formats")
set(CPACK_PACKAGE_DESCRIPTION
    "goldwire tells whether a board speaks its wire format as the document says: EtherBone, TEXTAROSSA,
OP2P, IMS streaming over InfiniBand, and the LHCb Level-1 farm. It decodes and judges captures, plays
boards and their partners in software, certifies real ones with evidence and a signed certificate, and
records and replays golden traces. The package holds the command with its documents, schemas and
example board files, the codec library with its headers, and the plugin for Wireshark.")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION net)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS tshark)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS ibverbs-providers)
include(CPack)

# A sanitizer's runtime would have to be in the consumer too, so only the plain builds are installed.
if(BUILD_TESTING AND GW_TOOLS AND GW_LINT)
  foreach(name install deb)
    add_test(NAME package.${name}
             COMMAND bash ${PROJECT_SOURCE_DIR}/cmake/package/${name}_test.sh ${PROJECT_SOURCE_DIR}
                     ${PROJECT_BINARY_DIR})
    set_tests_properties(package.${name} PROPERTIES LABELS package TIMEOUT 300)
  endforeach()
endif()
