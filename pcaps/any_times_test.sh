#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Captures may tell any times: every trace, with its frames now at one end of what 64 bits hold and now at the other, is judged and
# counted as captures are. Sanitizers see a span between two of them that does not fit.
set -euo pipefail
goldwire=$1 source=$2
command -v python3 >/dev/null || {
    echo 'skipped: no python3' >&2
    exit 77
}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
# shellcheck source=pcaps/dialect.sh
. "$source/dialect.sh"

# far FROM TO FIRST: each interface becomes two, whose clocks differ by more than 64 bits of nanoseconds; frames use one and the
# other, the first of them number FIRST (draft-ietf-opsawg-pcapng, if_tsoffset).
far() {
    python3 - "$@" <<'PYTHON'
import struct, sys

def block(kind, body):
    length = struct.pack('<I', len(body) + 12)
    return struct.pack('<I', kind) + length + body + length

def clock(seconds):
    return struct.pack('<HHB3x', 9, 1, 9) + struct.pack('<HHq', 14, 8, seconds) + struct.pack('<HH', 0, 0)

data, out, frames, at = open(sys.argv[1], 'rb').read(), b'', int(sys.argv[3]), 0
while at < len(data):
    kind, length = struct.unpack_from('<II', data, at)
    body = data[at + 8:at + length - 4]
    if kind == 1:
        out += block(1, body[:8] + clock(-(1 << 62))) + block(1, body[:8] + clock(1 << 62))
    elif kind == 6:
        interface, high, low, captured = struct.unpack_from('<IIII', body)
        end = 20 + captured + -captured % 4
        out += block(6, struct.pack('<I', interface * 2 + frames % 2) + body[4:end])
        frames += 1
    elif kind == 0x0a0d0d0a:
        out += block(kind, body)
    at += length
open(sys.argv[2], 'wb').write(out)
PYTHON
}

for trace in "$source"/*/*.pcapng; do
    mapfile -t as < <(read_as "$(basename "$(dirname "$trace")")" "$(basename "$trace")")
    for first in 0 1; do
        far "$trace" "$dir/far.pcapng" "$first"
        for verb in check stats; do
            status=0
            "$goldwire" "$verb" "${as[@]}" "$dir/far.pcapng" >"$dir/out" 2>"$dir/err" || status=$?
            ((status <= 1)) && [[ -s $dir/out ]] && ! grep -q 'runtime error\|Sanitizer' "$dir/err" || {
                cat "$dir/err" >&2
                echo "$verb of $trace: exit code $status" >&2
                exit 1
            }
        done
    done
done
