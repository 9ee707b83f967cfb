# SPDX-License-Identifier: BSD-2-Clause
# Warnings, sanitizers and the one way to add a unit test.

add_library(goldwire_flags INTERFACE)
target_compile_options(goldwire_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes
                       -Wmissing-prototypes -Wvla -Wwrite-strings)
if(GW_WERROR)
  target_compile_options(goldwire_flags INTERFACE -Werror)
endif()
if(GW_SANITIZE)
  # Locals that are read before they are written hold a pattern here, so that a test sees it every time.
  add_compile_options(-fsanitize=${GW_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer
                      -ftrivial-auto-var-init=pattern)
  add_link_options(-fsanitize=${GW_SANITIZE})
endif()

if(GW_COVERAGE)
  add_compile_options(-fprofile-instr-generate -fcoverage-mapping)
  add_link_options(-fprofile-instr-generate)
endif()

# goldwire_told_apart(SOURCES...) has coverage know these by their folders too: clang counts static functions of one
# name, in files of one name, as one.
function(goldwire_told_apart)
  if(GW_COVERAGE)
    foreach(source ${ARGN})
      file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${source})
      set_property(SOURCE ${source} APPEND PROPERTY COMPILE_OPTIONS -Xclang -main-file-name -Xclang ${name})
    endforeach()
  endif()
endfunction()

# goldwire_unwatched(SOURCES...) keeps libFuzzer from noting what these compare: values of tables, of boards' own state and
# of the targets themselves, which teach it nothing about the input and cost it up to half of its time.
function(goldwire_unwatched)
  if(GW_FUZZ_ENGINE STREQUAL "libfuzzer")
    set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS -fno-sanitize-coverage=trace-cmp)
  endif()
endfunction()

# goldwire_unguided(SOURCES...) keeps libFuzzer from counting the edges of these as well: of what writes texts, and of
# what oracles use alone, which says nothing about an input that the rest does not, and costs it for every one.
function(goldwire_unguided)
  if(GW_FUZZ_ENGINE STREQUAL "libfuzzer")
    set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS
      -fno-sanitize-coverage=trace-cmp,inline-8bit-counters,pc-table,indirect-calls,stack-depth)
  endif()
endfunction()

# goldwire_test(NAME SOURCES... LIBS... [INCLUDES...]) adds a cmocka test called NAME.
function(goldwire_test name)
  cmake_parse_arguments(arg "" "" "SOURCES;LIBS;INCLUDES" ${ARGN})
  if(NOT BUILD_TESTING)
    return()
  endif()
  if(NOT TARGET PkgConfig::CMOCKA)
    find_package(PkgConfig REQUIRED)
    pkg_check_modules(CMOCKA REQUIRED IMPORTED_TARGET GLOBAL cmocka)
    # cmocka 2 gave it this name and warns of the former one, which is all that cmocka 1 knows.
    if(CMOCKA_VERSION VERSION_LESS 2)
      target_compile_definitions(PkgConfig::CMOCKA INTERFACE assert_uint_in_range=assert_in_range)
    endif()
  endif()
  add_executable(test_${name} ${arg_SOURCES})
  target_link_libraries(test_${name} PRIVATE ${arg_LIBS} PkgConfig::CMOCKA goldwire_flags)
  target_include_directories(test_${name} PRIVATE ${arg_INCLUDES})
  target_compile_definitions(test_${name} PRIVATE _GNU_SOURCE GW_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  add_test(NAME ${name} COMMAND test_${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT 300)
endfunction()
