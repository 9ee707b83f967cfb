#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# tidy.sh SOURCE BUILD [analyser | deep [PATTERN]]: clang-tidy finds nothing in any file of ours that
# the build compiles. Many files a run, as half of a short run is its start; the analyser gets one, as
# it carries state from one file to the next. It takes most of the time and looks at nothing unless
# asked to: with analyser it looks, and all else with it, at what takes strangers' bytes apart and at
# certificates, and gives a function up after a third of the states that it usually allows; with deep
# everything looks at everything, or at the files whose names PATTERN is found in, as long as it likes.
set -euo pipefail
source=$(cd "$1" && pwd)
build=$(cd "$2" && pwd)
pattern=${4:-.}
cd "$source"
mapfile -t files < <(sed -n 's/^ *"file": "\(.*\)",\{0,1\}$/\1/p' "$build/compile_commands.json" |
    grep -F "$source/" | grep -vF "$build/" | sed "s|^$source/||" | grep -E -e "$pattern" | sort -u)
((${#files[@]})) || {
    echo "$build/compile_commands.json names no file of $source${4:+ like $4}" >&2
    exit 1
}
echo "${#files[@]} files"
# tidy_those FILES-A-RUN GREP-OPTIONS PATTERN [OPTIONS...] looks at the files whose names match, or do not.
tidy_those() {
    printf '%s\0' "${files[@]}" | { grep -z "$2" "$3" || true; } |
        xargs -0 -r -n "$1" -P "$(nproc)" nice -n 19 clang-tidy --quiet -p "$build" "${@:4}"
}
# analyse looks at the files in which a stranger's byte may do harm.
analyse() {
    local shallow='_test\.c$|^(dissectors|fuzz|pcaps|docs)/'
    shallow+='|^conformance/(bench|boards|cli|device|formats|measure|replay|report|run|selftest|suite)/'
    tidy_those 1 -vE "$shallow" --extra-arg=-Xclang --extra-arg=-analyzer-config \
        --extra-arg=-Xclang --extra-arg=max-nodes=75000
}
case ${3-} in
deep) tidy_those 1 -e . ;;
analyser) analyse ;;
*) tidy_those 32 -e . '--checks=-clang-analyzer-*' ;;
esac
