#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# The README's goldwire commands work as they are printed, and the board file of the documents is one.
set -euo pipefail
command=$1
source_dir=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
complain() {
    echo "$*" >&2
    status=1
}

ln -s "$source_dir/pcaps" "$work/pcaps"
sed -n '/^```yaml$/,/^```$/p' "$source_dir/docs/board-file.md" | grep -v '^```' >"$work/my-board.yaml"
mkdir "$work/bin"
ln -s "$(readlink -f "$command")" "$work/bin/goldwire"
export PATH=$work/bin:$PATH
cd "$work"
num_lines=0
while IFS= read -r line; do
    num_lines=$((num_lines + 1))
    bash -c "$line" >stdout 2>stderr || {
        cat stderr
        complain "README: '$line' ends with an error"
    }
# Only the reader of the README has the board of the last lines, the night's capture, and the interface, which goes on until
# Ctrl-C.
done < <(sed -n 's/^    \(goldwire .*\)/\1/p' "$source_dir/README.md" | grep -vE 'my-board.yaml --(out|case)|night|--live')
# The example jobs are YAML, certify, and fuzz targets that exist.
for job in "$source_dir"/docs/ci/*.yml; do
    grep -q 'goldwire certify board.yaml --hooks --out evidence' "$job" || complain "$job certifies no board"
    grep -q 'goldwire doctor board.yaml --hooks' "$job" || complain "$job does not examine the board as it is certified"
    for target in $(sed -nE 's/.*(target|TARGET): \[(.*)\].*/\2/p' "$job" | tr -d ','); do
        [[ -e $source_dir/fuzz/$target.c ]] || complain "$job fuzzes $target, which is no target"
    done
done
((num_lines >= 7)) || complain "README: only $num_lines goldwire commands found"
[[ -s evidence/report.html && -s again.pcapng ]] || complain "README: the commands left no evidence"
exit $status
