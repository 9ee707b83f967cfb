# SPDX-License-Identifier: BSD-2-Clause
# Tests that judge the tree instead of the program. A missing tool stops the configuration: a check
# that is quietly skipped would count as a pass.
if(NOT GW_LINT OR NOT BUILD_TESTING)
  return()
endif()

foreach(tool clang clang-format clang-tidy shellcheck)
  string(TOUPPER "GW_${tool}" variable)
  string(REPLACE "-" "_" variable "${variable}")
  find_program(${variable} ${tool})
  if(NOT ${variable})
    message(FATAL_ERROR "GW_LINT needs ${tool}: './run install-deps test' brings it, -DGW_LINT=OFF does without")
  endif()
endforeach()

# goldwire_lint(NAME) adds cmake/lint/NAME.sh as the test lint.NAME.
function(goldwire_lint name)
  add_test(NAME lint.${name}
           COMMAND bash ${PROJECT_SOURCE_DIR}/cmake/lint/${name}.sh ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
  set_tests_properties(lint.${name} PROPERTIES LABELS lint TIMEOUT 400 SKIP_RETURN_CODE 77)
endfunction()

goldwire_lint(circles)
goldwire_lint(comments)
goldwire_lint(format)
goldwire_lint(layers)
goldwire_lint(positions)
goldwire_lint(shell)
goldwire_lint(spdx)
goldwire_lint(standalone)
goldwire_lint(tidy)

add_test(NAME lint.analyser
         COMMAND bash ${PROJECT_SOURCE_DIR}/cmake/lint/tidy.sh ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR} analyser)
add_test(NAME lint.standalone.others
         COMMAND bash ${PROJECT_SOURCE_DIR}/cmake/lint/standalone.sh ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR} others)
set_tests_properties(lint.analyser lint.standalone.others PROPERTIES LABELS slow TIMEOUT 1200)

# What the floor of coverage makes of figures, which ./run test then brings.
add_test(NAME lint.coverage COMMAND bash ${PROJECT_SOURCE_DIR}/cmake/coverage/judge_test.sh ${PROJECT_SOURCE_DIR})
set_tests_properties(lint.coverage PROPERTIES LABELS lint)

# clang-tidy takes longest and gives way to everything else, so it begins first.
set_tests_properties(lint.tidy PROPERTIES COST 10000 TIMEOUT 1200)
