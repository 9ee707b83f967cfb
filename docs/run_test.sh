#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# run_test.sh GOLDWIRE SOURCE: `./run test-rxe` skips where packages cannot be had, and nowhere else: not while another
# program holds apt's lock, and not when apt fails. A wrong call of `./run fuzz` has another exit code than a find. apt,
# dpkg and cmake are played.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$2/run" "$work/run"
mkdir "$work/bin"
status=0

complain() {
    echo "$*" >&2
    cat "$work/out" >&2
    status=1
}

# play NAME: a program of that name, with the script on standard input.
play() {
    { echo '#!/bin/bash'; cat; } >"$work/bin/$1"
    chmod +x "$work/bin/$1"
}

# expect CODE WHAT [WORD...]: how ./run test-rxe, or ./run WORD..., ends.
expect() {
    local got=0 code=$1 what=$2
    shift 2
    rm -f "$work/asked"
    env PATH="$work/bin:$PATH" bash "$work/run" "${@:-test-rxe}" >"$work/out" 2>&1 </dev/null || got=$?
    [ "$got" = "$code" ] || complain "$what: exit $got, $code expected"
}

play sudo <<<'exec "$@"'
play sleep <<<'exit 0'
# Everything is installed but what the virtual machine needs.
play dpkg-query <<'SCRIPT'
for word; do
    case $word in
    -* | busybox-static | qemu-system-x86) ;;
    *) echo "ii $word" ;;
    esac
done
SCRIPT
play apt-cache <<<'echo "  Candidate: 1.0"'

play apt-get <<'SCRIPT'
echo 'E: Failed to fetch something: a temporary failure'
exit 100
SCRIPT
expect 1 'apt fails'
grep -q SKIPPED "$work/out" && complain 'a failure of apt is told as a skip'

# The lock is held for two calls; then apt works, and there is nothing to fetch after all.
play apt-get <<SCRIPT
echo "\$*" >>"$work/asked"
[ "\$(wc -l <"$work/asked")" -gt 2 ] && { echo 'E: nothing works'; exit 100; }
echo 'E: Could not get lock /var/lib/apt/lists/lock. It is held by process 1 (apt-get)'
exit 100
SCRIPT
expect 1 'the lock is held'
[ "$(wc -l <"$work/asked")" = 3 ] || complain 'a lock that is held is not waited for'
grep -q SKIPPED "$work/out" && complain 'a lock that is held is told as a skip'

play apt-cache <<<'echo "  Candidate: (none)"'
expect 77 'no such packages'
grep -q 'SKIPPED: the packages for the virtual machine cannot be had' "$work/out" || complain 'no reason for the skip'

# misused TEXT WORD...: ./run fuzz WORD... is told to be wrong, by TEXT, before anything is built.
misused() {
    expect 2 "fuzz ${*:2}" fuzz "${@:2}"
    grep -qF -- "$1" "$work/out" || complain "fuzz ${*:2}: '$1' is not told"
}
play cmake <<'SCRIPT'
[ "$1" = --preset ] || { echo 'this is no time to build' && exit 1; }
mkdir -p build/fuzz-libfuzzer/fuzz && printf 'net\nyaml\n' >build/fuzz-libfuzzer/fuzz/targets.txt
SCRIPT
play clang <<<'exit 1'
misused "unknown mode 'nobody': pr, batch, prune or coverage" --mode nobody
misused "unknown fuzz target 'nobody'; there are: net yaml" nobody
misused "'soon' is no number of seconds" net soon
misused '--mode coverage takes as long as it takes' --mode coverage 60
misused '--base says what a change is compared with' --base main
misused "not '--modus'" --modus pr
misused '--mode wants a value' --mode
misused "too many words: more" net 60 more
exit $status
