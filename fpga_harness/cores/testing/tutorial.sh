#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# tutorial.sh GOLDWIRE SOURCE: does what docs/simulation.md says under "Your own core in ten minutes", word for word, and
# its picture is what comes of it. Exit status 77: there is no ghdl-llvm.
set -euo pipefail
goldwire=$1 source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
command -v ghdl-llvm >/dev/null || {
    echo "ghdl-llvm is not installed (Debian: apt install ghdl-llvm)"
    exit 77
}

fail() {
    printf 'FAIL: %s\n' "$*" >&2
    exit 1
}

# said: the lines of the tutorial that are code, for this tree and this program.
said() {
    awk '/^## Your own core/ { on = 1 } /^## Waves/ { on = 0 } on && /^       / { print substr($0, 8) }' \
        "$source/docs/simulation.md" | sed "s#/path/to/goldwire#$source#; s#^goldwire #'$goldwire' #"
}

cd "$work"
said | sed '/^#!/,$d' >prepare.sh
# shellcheck source=/dev/null
. ./prepare.sh
said | sed -n '/^#!/,/exec/p' >start.sh
chmod +x start.sh
# A simulation's name is its socket's: ours, since tests run at the same time.
said | grep -E '^(where|simulation):|^hooks:|^  start:' | sed "s#//mine#//mine-$$#" >lines
sed -i -E '/^(where|simulation|hooks):|^  start:/d' mine.yaml
cat lines >>mine.yaml
said | grep 'certify mine.yaml' >runs
[[ $(wc -l <runs) == 2 ]] || fail "the tutorial has other runs than this test knows"

bash -c "$(head -n 1 runs)" >first.txt 2>&1 || fail "the stand-in does not pass: $(cat first.txt)"
grep -q 'run: \[./start.sh, -gFAULT=12\]' "$source/docs/simulation.md" || fail "no fault is planted"
sed -i 's#\./start.sh\]#./start.sh, -gFAULT=12]#' mine.yaml
code=0
bash -c "$(tail -n 1 runs)" >second.txt 2>&1 || code=$?
[[ $code == 1 ]] || fail "exit $code, 1 expected: $(cat second.txt)"
ls waves/*.fst >/dev/null || fail "no waves were written"
grep -o '<svg xmlns.*</svg>' evidence/report.html >signals.svg || fail "the report has no drawing"
cmp signals.svg "$source/docs/images/signals.svg" || fail "docs/images/signals.svg is not what the tutorial's run draws"
