#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# usage: shares.sh BUILD SECONDS TARGET...
# Whose a target's time is, in percent, as perf samples it on inputs of up to 128 bytes: libFuzzer's own loop, which
# chooses inputs and looks through counters behind each; the calls that compiled-in coverage makes; the run-time library of
# AddressSanitizer, and libc, which memcpy and the like of all the rest end in; what mutates by the tables; the kernel;
# and the target with the library under it, the checks that sanitizers compile into it included.
set -euo pipefail
root=$(dirname "$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")")
(($# >= 3)) || {
    sed -n 's/^# usage: /usage: /p' "${BASH_SOURCE[0]}" >&2
    exit 2
}
command -v perf >/dev/null || {
    echo "needs perf (Debian: linux-perf)" >&2
    exit 2
}
bin=$(readlink -f "$1")/fuzz seconds=$2
shift 2

dir=$(mktemp -d -p /dev/shm 2>/dev/null || mktemp -d)
trap 'rm -rf "$dir"' EXIT

# address FILE SYMBOL
address() {
    nm "$1" | awk -v name="$2" '$3 == name { print $1 }'
}

# What mutates is one object, of names that the target's own library has as well: it is known by where it lies.
shares() {
    local target=$1 program=$bin/fuzz_$1 size from base
    rm -rf "$dir/corpus" && mkdir "$dir/corpus"
    [[ ! -d $root/corpus/$target ]] || cp -r "$root/corpus/$target/." "$dir/corpus/"
    perf record -q -F 1999 -o "$dir/perf.data" "$program" -seed=1 -max_total_time="$seconds" -print_funcs=0 -max_len=128 \
        -len_control=0 -artifact_prefix="$dir/" "$dir/corpus" >"$dir/log" 2>&1
    perf script -i "$dir/perf.data" -F ip,sym,symoff,dso >"$dir/samples" 2>/dev/null
    # 000055d0c8a1b2c3 LLVMFuzzerTestOneInput+0x123 (/path/fuzz_TARGET): where the program was loaded
    base=$(awk '$2 ~ /^LLVMFuzzerTestOneInput\+/ { split($2, s, "+"); print $1, s[2]; exit }' "$dir/samples")
    [[ -n $base ]] || {
        echo "$target: no samples" >&2
        return 1
    }
    base=$((16#${base% *} - ${base#* } - 16#$(address "$program" LLVMFuzzerTestOneInput)))
    from=$((base + 16#$(address "$program" gw_fuzz_mutate) - 16#$(address "$bin/mutator.o" gw_fuzz_mutate)))
    size=$(size -A "$bin/mutator.o" | awk '$1 == ".text" { print $2 }')
    awk -v target="$target" -v from="$(printf '%016x' "$from")" -v end="$(printf '%016x' $((from + size)))" '
        function owner(at, name, where) {
            if (where ~ /kernel|unknown/) return "kernel"
            if (where ~ /\/lib(c|stdc|m|gcc)/) return "libc"
            if (name ~ /^(fuzzer::|std::|LLVMFuzzer(Mutate|Custom))/) return "libFuzzer"
            if (name ~ /^__sanitizer_cov/) return "coverage"
            if (name ~ /^(__asan|__sanitizer|__interceptor|__lsan|__ubsan|__interception|operator|MemcmpInterceptor)/) return "ASan"
            if (at >= from && at < end) return "mutator"
            return "target"
        }
        NF >= 3 {
            at = sprintf("%16s", $1); gsub(/ /, "0", at)
            num[owner(at, $2, $NF)]++
            all++
        }
        END {
            printf "%-20s", target
            split("libFuzzer coverage ASan libc mutator kernel target", names, " ")
            for (i = 1; i <= 7; i++) printf " %9.1f", 100 * num[names[i]] / all
            printf "\n"
        }' "$dir/samples"
}

printf '%-20s %9s %9s %9s %9s %9s %9s %9s\n' '% of the time' libFuzzer coverage ASan libc mutator kernel target
for target in "$@"; do
    shares "$target"
done
