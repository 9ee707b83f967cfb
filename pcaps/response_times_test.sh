#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# The response time that decode tells of an answer is what lies between it and its request in the capture.
# Arguments: the command, the folder with the golden traces.
set -euo pipefail
goldwire=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

answers=0
for trace in "$2"/*/*.pcapng "$2"/*/*.pcap; do
    [[ -f $trace ]] || continue
    # Some are cut off, which is told and does not matter here.
    "$goldwire" decode --json "$trace" >"$work/json" 2>"$work/err" || true
    awk -v trace="${trace##*/}" '
        function text(line, name,    at) {
            at = index(line, "\"" name "\":")
            if (at == 0) return ""
            line = substr(line, at + length(name) + 3)
            sub(/^"/, "", line)
            match(line, /^[0-9.]*/)
            return substr(line, 1, RLENGTH)
        }
        function generated(name,    at) {
            at = index($0, "." name "\",\"value\":")
            return at == 0 ? "" : text(substr($0, at), "value")
        }
        { frame = text($0, "frame"); split(text($0, "time"), now, ".")
          if (!(frame in seconds)) { seconds[frame] = now[1]; rest[frame] = now[2] }
          request = generated("response_to")
          if (request == "" || !(request in seconds)) next
          split(generated("response_time"), told, ".")
          due = (now[1] - seconds[request]) * 1000000000 + now[2] - rest[request]
          if (told[1] * 1000000000 + told[2] != due) {
              print trace ": frame " frame " answers " request " after " due " ns, and not " told[1] "." told[2] " s"
              bad = 1
          }
          n++ }
        END { print n + 0 >"/dev/stderr"; exit bad }' "$work/json" 2>"$work/count" || failed=1
    answers=$((answers + $(cat "$work/count")))
done
((answers > 100)) || {
    echo "only $answers answers were looked at" >&2
    exit 1
}
echo "$answers answers"
exit "${failed:-0}"
