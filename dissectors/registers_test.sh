#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Register names: from a csr.csv and a YAML map by a preference, and from the SDB table that somebody reads in the capture.
. "$(dirname "$0")/testing/lib.sh"

capture a.pcap <<'LINES'
udp 1.000 10.0.0.1:40000 10.0.0.2:60368 4e6f1044280f0002000080000000100000001104
udp 1.001 10.0.0.2:60368 10.0.0.1:40000 4e6f14440a0f020000008000cafe0001cafe0002
udp 1.002 10.0.0.1:40000 10.0.0.2:60368 4e6f1444080f0200000010040000000100000002
udp 1.003 10.0.0.1:40000 10.0.0.2:60368 4e6f14440a0f0200000011040000000100000002
udp 1.004 10.0.0.1:40000 10.0.0.2:60368 4e6f10446c0f010100001000000000010000800000001000
udp 1.005 10.0.0.1:40000 10.0.0.2:60368 4e6f1044280f00010000800000002000
LINES
cat >"$work/csr.csv" <<'LINES'
#--------------------------------------------------------------------------------
csr_base,ctrl,0x00001000,,
csr_register,ctrl_reset,0x00001000,1,rw
csr_register,ctrl_scratch,0x00001004,2,rw
memory_region,csr,0x00001000,0x1000,io
LINES
printf 'leds: 0x1000\nlow: 0x0-0xffff\n' >"$work/map.yaml"
echo 'leds: where' >"$work/bad.yaml"
chmod a+r "$work"/*
csv=(-o "etherbone.registers:$work/csr.csv")
info() { ts -r "$work/a.pcap" -Y "frame.number == $1" -T fields -e _ws.col.Info "${@:2}"; }

is "no file, no names" "Read 2 @ 0x1000..." "$(info 1)"
is "names of what is read" "Read 2 @ 0x1000... [ctrl_reset, csr]" "$(info 1 "${csv[@]}")"
is "an answer writes to the other side's addresses" "Reply 2 @ 0x8000 FIFO" "$(info 2 "${csv[@]}")"
is "a name of what is written" "Write 2 @ 0x1004 [ctrl_scratch]" "$(info 3 "${csv[@]}")"
is "behind the first byte" "Write 2 @ 0x1104 FIFO [csr+0x104]" "$(info 4 "${csv[@]}")"
is "the config space has no registers of the bus" "Write 1 @ config 0x1000, Read 1 @ config 0x1000" "$(info 5 "${csv[@]}")"
is "nothing lies there" "Read 1 @ 0x2000" "$(info 6 "${csv[@]}")"
is "filters" "1 3 4" "$(frames etherbone.register -r "$work/a.pcap" "${csv[@]}")"
is "filters: one register" 1 "$(frames 'etherbone.register == "ctrl_reset"' -r "$work/a.pcap" "${csv[@]}")"
tree=$(ts -r "$work/a.pcap" -V "${csv[@]}")
has "tree: what is read" "Read address [1]: 0x00001104 (csr+0x104)" "$tree"
has "tree: words one after the other" "Write value [1]: 0x00000002 (ctrl_scratch+0x4)" "$tree"
has "tree: words into a FIFO" "Write value [1]: 0x00000002 (csr+0x104)" "$tree"
lacks "tree: config space" ctrl_reset "$(ts -r "$work/a.pcap" -Y frame.number==5 -V "${csv[@]}")"
is "YAML" "Read 2 @ 0x1000... [leds, low]" "$(info 1 -o "etherbone.registers:$work/map.yaml")"
has "another file is refused" "$work/bad.yaml: line 1 is neither one of a csr.csv nor NAME: ADDRESS" \
    "$(info 1 -o "etherbone.registers:$work/bad.yaml" 2>&1)"
is "and the capture is shown" "Read 2 @ 0x1000..." "$(info 1 -o "etherbone.registers:$work/bad.yaml" 2>/dev/null)"
has "no file" "$work/none: No such file or directory" "$(info 1 -o "etherbone.registers:$work/none" 2>&1)"

# slowest ARGS... prints the table of response times by register: name, calls, seconds.
slowest() {
    ts -q -z etherbone,srt "$@" | awk '$1 == "Index" { wanted = $2 == "Register"; next } /^(Filter|=)/ { wanted = 0 }
        wanted && NF > 5 { print $2, $3, $5 }'
}
is "response times: no file, no names" "" "$(slowest -r "$work/a.pcap")"
is "response times by register" "ctrl_reset 1 0.001000" "$(slowest -r "$work/a.pcap" "${csv[@]}")"

# SDB, read by a client: interconnect, ram, fifo; in the first pass nothing is known of it when frame 1 is shown.
cp "$(dirname "$0")/../pcaps/etherbone/config-space.pcapng" "$work/sdb" && chmod a+r "$work/sdb"
is "SDB: the device, once its record was read" 1 "$(frames 'etherbone.register == "ram"' -2 -r "$work/sdb")"
is "SDB: not before" "" "$(frames 'etherbone.register' -r "$work/sdb")"
has "SDB: in the tree" "Read address [0]: 0x00000000 (ram)" "$(ts -2 -r "$work/sdb" -Y frame.number==1 -V)"

# Two reads that one answer may be for, and no answer: nothing is learned. Both records name a device at 0x1000.
words=$(printf '%08x' 0x5344422d 0x00020100 0 0 0 0xffffffff 0 0 0 0 0 0 0 0 0 0 \
    0 0xf 0 0x1000 0 0x1fff 0 0 1 1 1 0x75617274 0x20202020 0x20202020 0x20202020 0x20202001)
# ask BASE: what reads these words there.
ask() {
    printf '10.0.0.1:40000 10.0.0.2:60368 4e6f1044280f002000008000'
    for ((i = 0; i < 32; i++)); do printf '%08x' $(($1 + 4 * i)); done
}
answer="10.0.0.2:60368 10.0.0.1:40000 4e6f14440a0f200000008000$words"
after="udp 1.8 10.0.0.1:40000 10.0.0.2:60368 4e6f1044280f0001000080020000100c
udp 1.9 10.0.0.1:40000 10.0.0.3:60368 4e6f1044280f0001000080020000100c"
printf '%s\n' "udp 1.0 $(ask 0x50000)" "udp 1.1 $answer" "$after" | capture one
printf '%s\n' "udp 1.0 $(ask 0x50000)" "udp 1.1 $(ask 0x60000)" "udp 1.2 $answer" "$after" | capture two
printf '%s\n' "udp 1.1 $answer" "$after" | capture none
is "SDB: of that board alone" 3 "$(frames 'etherbone.register == "uart"' -r "$work/one")"
is "SDB: the column" "Read 1 @ 0x100c [uart+0xc]" "$(ts -r "$work/one" -Y frame.number==3 -T fields -e _ws.col.Info)"
# A write to the config space and a read of the bus, in one record; and what is read behind the first byte, by the board's own names.
printf '%s\n' "udp 1.0 $(ask 0x50000)" "udp 1.1 $answer" \
    "udp 1.2 10.0.0.1:40000 10.0.0.2:60368 4e6f1044280f0001000080020000100c" \
    "udp 1.205 10.0.0.2:60368 10.0.0.1:40000 4e6f14440a0f02000000800200000001" \
    "udp 1.21 10.0.0.2:60368 10.0.0.1:40000 4e6f14440a0f01000000800200000001" \
    "udp 1.3 10.0.0.1:40000 10.0.0.2:60368 4e6f10442c0f010100001000000000010000800400001000" \
    "udp 1.31 10.0.0.2:60368 10.0.0.1:40000 4e6f14440a0f01000000800400000001" | capture times
is "SDB: response times" "uart+0xc 1 0.010000" "$(slowest -r "$work/times")"
is "SDB: response times, in the second pass" "uart+0xc 1 0.010000" "$(slowest -2 -r "$work/times")"
is "SDB: an answer to either of two" "" "$(frames etherbone.register -2 -r "$work/two")"
is "SDB: an answer to nothing" "" "$(frames etherbone.register -2 -r "$work/none")"
finish
