#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# The README's goldwire commands work as they are printed, and the board file of the documents is one.
. "$2/conformance/cli/testing.sh"
source_dir=$2

ln -s "$source_dir/pcaps" pcaps
sed -n '/^```yaml$/,/^```$/p' "$source_dir/docs/board-file.md" | grep -v '^```' >my-board.yaml
mkdir bin
ln -s "$(readlink -f "$goldwire")" bin/goldwire
export PATH=$work/bin:$PATH
num_lines=0
while IFS= read -r line; do
    num_lines=$((num_lines + 1))
    bash -c "$line" >stdout 2>stderr || {
        cat stderr
        fail "README: '$line' ends with an error"
    }
# Only the reader of the README has the board of the last lines, the night's capture, and the interface, which goes on until
# Ctrl-C.
done < <(sed -n 's/^    \(goldwire .*\)/\1/p' "$source_dir/README.md" | grep -vE 'my-board.yaml --(out|case)|night|--live')
# The example jobs are YAML, certify, and fuzz targets that exist.
for job in "$source_dir"/docs/ci/*.yml; do
    grep -q 'goldwire certify board.yaml --hooks --out evidence' "$job" || fail "$job certifies no board"
    grep -q 'goldwire doctor board.yaml --hooks' "$job" || fail "$job does not examine the board as it is certified"
    for target in $(sed -nE 's/.*(target|TARGET): \[(.*)\].*/\2/p' "$job" | tr -d ','); do
        [[ -e $source_dir/fuzz/$target.c ]] || fail "$job fuzzes $target, which is no target"
    done
done
((num_lines >= 7)) || fail "README: only $num_lines goldwire commands found"
[[ -s evidence/report.html && -s again.pcapng ]] || fail "README: the commands left no evidence"
finish
