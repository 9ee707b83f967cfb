#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# The committed traces are what the program makes, byte for byte, and small; the README lists exactly these files. After a change that is meant: golden_traces pcaps
set -euo pipefail
program=$1 source=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

for folder in "$source"/*/; do
    mkdir "$dir/$(basename "$folder")"
done
"$program" "$dir"
for folder in "$dir"/*/; do
    diff -r --brief --exclude='*.findings.txt' "$folder" "$source/$(basename "$folder")" >&2 ||
        { echo "the committed traces are not what golden_traces makes" >&2; exit 1; }
done
diff <(cd "$dir" && ls -- */*.pcapng | sed 's,.*/,,' | LC_ALL=C sort) <(grep -oE '^\| `[a-z0-9-]+\.pcapng`' "$source/README.md" | tr -d '|` ' | LC_ALL=C sort) >&2 ||
    { echo "README.md does not list exactly the traces there are" >&2; exit 1; }
large=$(find "$dir" -name '*.pcapng' -size +64k)
[[ -z $large ]] || { echo "larger than 64 KiB: $large" >&2; exit 1; }
