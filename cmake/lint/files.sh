# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Sourced by the lint tests: which files are ours. Works in a checkout and in an unpacked archive.

# own_files SOURCE_DIR [FIND TESTS...] prints the paths of our files below SOURCE_DIR, relative to
# it, each ended by a zero byte.
own_files() {
    local top=$1
    shift
    (cd "$top" && find . \( -path ./build -o -path ./out -o -path ./.git -o -name CMakeFiles \) -prune \
        -o -type f "$@" -printf '%P\0' | sort -z)
}
