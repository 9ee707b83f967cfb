#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# decode, encode and decode again: every payload of every trace comes back, broken ones too.
set -euo pipefail
goldwire=$1 source=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
# shellcheck source=pcaps/dialect.sh
. "$source/dialect.sh"
payloads() { grep -oE '"payload":"[0-9a-f]*"' | LC_ALL=C sort; }

for trace in "$source"/*/*.pcapng; do
    mapfile -t as < <(read_as "$(basename "$(dirname "$trace")")" "$(basename "$trace")")
    "$goldwire" decode --json "${as[@]}" "$trace" >"$dir/first" 2>"$dir/notes"
    "$goldwire" encode <"$dir/first" >"$dir/again.pcapng"
    "$goldwire" decode --json "${as[@]}" "$dir/again.pcapng" >"$dir/second" 2>>"$dir/notes"
    [[ -s $dir/first ]] || { echo "$trace: nothing decoded" >&2; exit 1; }
    diff <(payloads <"$dir/first") <(payloads <"$dir/second") >&2 ||
        { echo "$trace: payloads changed on the way" >&2; exit 1; }
done
