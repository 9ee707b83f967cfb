# SPDX-License-Identifier: BSD-2-Clause
# What a format is made of. formats.def is the one list of them.

# goldwire_format(NAME) finds the codec, the tests and the fuzz targets of format NAME, which the folders then build.
# Its dissector is dissectors/packet-NAME.c, its rows above the codecs are found by formats.def.
function(goldwire_format name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/codecs/${name}/*.c)
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_test\\.c$")
  list(FILTER tests INCLUDE REGEX "_test\\.c$")
  if(NOT sources)
    message(FATAL_ERROR "formats.def names ${name}, and codecs/${name} has no sources")
  endif()
  file(GLOB targets CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/fuzz/${name}_*.c)
  foreach(target ${targets})
    get_filename_component(target ${target} NAME_WE)
    if(NOT EXISTS ${PROJECT_SOURCE_DIR}/corpus/${target})
      message(FATAL_ERROR "fuzz/${target}.c has no corpus/${target}")
    endif()
    set_property(GLOBAL APPEND PROPERTY GW_FUZZ_TARGETS ${target})
  endforeach()
  set_property(GLOBAL APPEND PROPERTY GW_FORMATS ${name})
  set_property(GLOBAL APPEND PROPERTY GW_CODEC_SOURCES ${sources})
  set_property(GLOBAL APPEND PROPERTY GW_CODEC_TESTS ${tests})
endfunction()

set(GW_FORMATS_DEF ${PROJECT_SOURCE_DIR}/codecs/include/goldwire/formats.def)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${GW_FORMATS_DEF})
file(STRINGS ${GW_FORMATS_DEF} lines REGEX "^GW_FORMAT\\([a-z0-9_]+\\)$")
foreach(line ${lines})
  string(REGEX REPLACE "^GW_FORMAT\\((.*)\\)$" "\\1" name ${line})
  goldwire_format(${name})
endforeach()
