# SPDX-License-Identifier: BSD-2-Clause
# What the tests that drive the command share. Sourced with the command's path in $1.
goldwire=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0
escape=$(printf '\033')

# The first three numbers of loopback addresses that no other test of this machine uses meanwhile.
net=127.$(($$ / 250 % 250 + 1)).$(($$ % 250))

fail() {
    echo "FAIL: $*" >&2
    failures=$((failures + 1))
}

# expect CODE COMMAND...: runs it, output in out and err, and compares the exit code.
expect() {
    local want=$1 got
    shift
    "$@" >out 2>err
    got=$?
    # What is inconclusive, as over sockets it may be on a busy machine, is tried again: what is so each time fails.
    for _ in 1 2 3 4; do
        if [ "$got" != 3 ] || [ "$want" = 3 ]; then break; fi
        "$@" >out 2>err
        got=$?
    done
    if [ "$got" != "$want" ]; then
        fail "exit $got, $want expected: $*"
        grep -m 5 -A 1 -E '^  (FAIL|WARN|INCONC|ERROR) ' out >&2
        head -5 err >&2
    fi
}

# start_peer FILE ARGUMENT...: starts `goldwire peer`, which writes its URLs into FILE, and waits until it serves. Its
# process is in $peer.
start_peer() {
    local file=$1
    shift
    : >"$file"
    "$goldwire" peer "$@" >"$file" 2>"$file.err" &
    peer=$!
    for _ in $(seq 600); do
        grep -q '^ready$' "$file" && return
        kill -0 "$peer" 2>>"$file.err" || break
        sleep 0.05
    done
    fail "no peer serves: $* ($(cat "$file.err"))"
}

# url_of FILE [LINK]: where that peer serves its link, or its first one.
url_of() {
    awk -v link="${2-}" '$1 == "listening" && (link == "" || $3 == link) { print $2; exit }' "$1"
}

# has FILE TEXT: the file has a line with the text. lacks is the contrary.
has() {
    grep -qF -- "$2" "$1" || { fail "$1 lacks '$2'"; head -5 "$1" >&2; }
}
lacks() {
    ! grep -qF -- "$2" "$1" || fail "$1 has '$2'"
}

# lines FILE NUMBER: the file has that many lines.
lines() {
    local n
    n=$(wc -l <"$1")
    [ "$n" = "$2" ] || fail "$1 has $n lines, $2 expected"
}

# same FILE FILE
same() {
    cmp "$1" "$2" >&2 || fail "$1 and $2 differ"
}

# payloads FILE: the payload of every object of `decode --json`, a line each.
payloads() {
    sed 's/.*"payload":"\([0-9a-f]*\)".*/\1/' "$1"
}

# message PAYLOAD [MORE]: one object for `goldwire encode`; MORE are further members with a comma.
message() {
    printf '{"proto":"etherbone","payload":"%s"%s}\n' "$1" "${2:-}"
}

# unhex HEX: its bytes.
unhex() {
    printf '%b' "$(sed 's/../\\x&/g' <<<"$1")"
}

# capture TYPE HEX...: a pcap of link type TYPE with a frame each, which says nothing of what it holds.
capture() {
    local hex
    unhex "d4c3b2a1020004000000000000000000ffff0000$(printf '%02x000000' "$1")"
    shift
    for hex; do
        unhex "0000000000000000$(printf '%02x000000%02x000000' $((${#hex} / 2)) $((${#hex} / 2)))$hex"
    done
}

# datagram FROM_PORT TO_PORT HEX [back]: an IP packet with it, for `capture 101`, from 10.0.0.1 to 10.0.0.2 or back.
datagram() {
    local len=$((${#3} / 2)) ends=0a0000010a000002
    [ -z "${4:-}" ] || ends=0a0000020a000001
    printf '4500%04x0000000040110000%s%04x%04x%04x0000%s' $((len + 28)) $ends "$1" "$2" $((len + 8)) "$3"
}

# tcp STREAM FROM PAYLOAD [MORE]: one message of a TCP stream, FROM is client or server.
tcp() {
    local ends='"src":"10.0.0.1:50000","dst":"10.0.0.2:60368","carrier":{"tcp_dir":0}'
    [ "$2" = client ] || ends='"src":"10.0.0.2:60368","dst":"10.0.0.1:50000","carrier":{"tcp_dir":1}'
    message "$3" ",\"transport\":\"tcp\",\"stream\":$1,$ends${4:-}"
}

# harmless DIRECTORY: what goldwire printed and wrote does nothing to whoever looks at it.
harmless() {
    lacks out "$escape"
    lacks err "$escape"
    for file in report.html run.json junit.xml report.tap report.sarif; do
        [ -s "$1/$file" ] || fail "$1/$file is missing"
        ! grep -qF "$escape" "$1/$file" || fail "$1/$file holds a command for the terminal"
    done
    ! grep -qiE '<(img|script src|iframe)' "$1/report.html" || fail "$1/report.html holds somebody's markup"
    xmllint --noout "$1/junit.xml" || fail "$1/junit.xml is no XML"
}

finish() {
    [ "$failures" = 0 ] || { echo "$failures failures" >&2; exit 1; }
    exit 0
}
