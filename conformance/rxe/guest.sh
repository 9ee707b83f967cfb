#!/bin/busybox sh
# SPDX-License-Identifier: BSD-2-Clause
# Runs as the first process of a virtual machine, with busybox's shell: sets Soft-RoCE up, lets a
# Worker stream through it into a software buffer, and tells the result over the serial console.
#
#     network namespace of the kernel          namespace "buffer"
#     ims-worker, ib://rxe0 (libibverbs)       ims-buf, roce:// (a UDP socket)
#     rxe0 on wire0, 10.0.0.1  ------veth------  wire1, 10.0.0.2
#     rxe2 on wire2, 10.0.1.1  ------veth------  rxe3 on wire3, 10.0.1.2   (perftest, both ends here)
#
# rdma_rxe serves the first namespace only, and has UDP port 4791 there.
# This shell takes its own ip and tc, whatever the path says: so these are called by their paths.
/bin/busybox --install -s /bin
export PATH=/usr/sbin:/usr/bin:/sbin:/bin

mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
mount -t tmpfs tmp /tmp
mkdir -p /run/netns /out

finish() {
    echo "GUEST END $1"
    sync
    umount /out
    poweroff -f
}

# try WHAT COMMAND... runs a step of setting up; when it fails nothing else can be said.
try() {
    what=$1
    shift
    "$@" || {
        echo "GUEST FAIL set-up: $what"
        finish 2
    }
}

failures=0
buffer=

while read -r module; do
    try "module $module" insmod "/lib/modules/$module"
done </lib/modules/order
try 'shared folder' mount -t 9p -o trans=virtio,version=9p2000.L,msize=262144 out /out

# Packets of 4096 bytes and their headers have to fit the wire.
try wire /usr/bin/ip link add wire0 mtu 4500 type veth peer name wire1 mtu 4500
try namespace /usr/bin/ip netns add buffer
try wire1 /usr/bin/ip link set wire1 netns buffer
try lo /usr/bin/ip link set lo up
try wire0 /usr/bin/ip addr add 10.0.0.1/24 dev wire0
try wire0 /usr/bin/ip link set wire0 up
try wire1 /usr/bin/ip -n buffer addr add 10.0.0.2/24 dev wire1
try wire1 /usr/bin/ip -n buffer link set wire1 up
# Soft-RoCE sends faster than a software buffer takes, and nothing on the way holds it back: so the
# wire gets the speed of a slow machine, and the buffer room for what is late.
try room sh -c 'echo 16777216 >/proc/sys/net/core/rmem_max'
try speed /usr/bin/tc qdisc add dev wire0 root tbf rate 40mbit burst 64k limit 64m
try rxe0 rdma link add rxe0 type rxe netdev wire0
# Two adapters in one namespace, for a program that talks to itself: what goes to an address of our
# own has to cross the wire all the same, and be taken.
try wire2 /usr/bin/ip link add wire2 mtu 4500 type veth peer name wire3 mtu 4500
for n in 2 3; do
    try "wire$n" /usr/bin/ip addr add "10.0.1.$((n - 1))/24" dev "wire$n"
    for knob in accept_local=1 rp_filter=0 arp_ignore=1; do
        echo "${knob#*=}" >"/proc/sys/net/ipv4/conf/wire$n/${knob%=*}"
    done
    try "wire$n up" /usr/bin/ip link set "wire$n" up
    try "rxe$n" rdma link add "rxe$n" type rxe netdev "wire$n"
done
echo 0 >/proc/sys/net/ipv4/conf/all/rp_filter
echo "GUEST UP $(cut -d ' ' -f 1 /proc/uptime) s"

# serve [OPTION...] starts a buffer in place of the last one, and waits until it is there.
serve() {
    [ -z "$buffer" ] || kill "$buffer"
    /usr/bin/ip netns exec buffer goldwire peer ims-buf --listen ib=roce://10.0.0.2 \
        --listen regs=udp://10.0.0.2:60368 "$@" >/tmp/buffer.log 2>&1 &
    buffer=$!
    until_there 'the buffer' grep -q ready /tmp/buffer.log
}

# until_there WHAT COMMAND... waits until the command succeeds, ten seconds at most.
until_there() {
    what=$1 tries=0
    shift
    until "$@"; do
        tries=$((tries + 1))
        [ "$tries" -lt 100 ] || {
            cat /tmp/*.log
            echo "GUEST FAIL set-up: $what did not come"
            finish 2
        }
        sleep 0.1
    done
}

now() { cut -d ' ' -f 1 /proc/uptime; }

# told NAME CODE START LOG TEXT tells of one test.
told() {
    seconds=$(echo "$(now) $3" | awk '{ printf "%.1f", $1 - $2 }')
    if [ "$2" = 0 ]; then
        echo "GUEST PASS $1 in $seconds s: $5"
    else
        failures=$((failures + 1))
        cat "$4"
        echo "GUEST FAIL $1: exit code $2"
    fi
}

# stream NAME lets a Worker stream what its file says, and tells of what then lies in the buffer: how
# many bytes (the lower half of an address), and the CRC-32C of them all.
stream() {
    start=$(now)
    goldwire peer ims-worker --map "/etc/goldwire/$1.yaml" --to 'ib://rxe0?to=10.0.0.2' >/tmp/worker.log 2>&1
    code=$?
    told "$1" "$code" "$start" /tmp/worker.log "$(tail -n 1 /tmp/worker.log)"
    memory=$(goldwire regs ims-buf --dut udp://10.0.0.2:60368 --base 0x80 0x20 0x30 | awk '{ printf " %s", $NF }')
    echo "GUEST MEMORY $1$memory"
}

# What goes over the wire is kept of the first test only.
serve --map /etc/goldwire/buffer.yaml
tcpdump -i wire0 -s 0 -B 65536 -Z root --immediate-mode -w /tmp/guest.pcap udp port 4791 2>/tmp/tcpdump.log &
capture=$!
until_there 'the capture' grep -q listening /tmp/tcpdump.log
stream images
kill -INT "$capture"
wait "$capture"
cp /tmp/guest.pcap /out/
stream frames
stream large

serve
start=$(now)
goldwire certify --out /tmp/evidence /etc/goldwire/board.yaml >/tmp/certify.log 2>&1
told certify $? "$start" /tmp/certify.log "$(grep '^[0-9]* cases:' /tmp/certify.log)"
cp -r /tmp/evidence /out/

# What was recorded of the adapter, and what of a Worker over plain sockets, said to a fresh buffer by
# the adapter of now.
start=$(now)
code=0
told=
for trace in /tmp/guest.pcap /etc/goldwire/ims-images.pcapng; do
    serve
    goldwire replay "$trace" --board-file /etc/goldwire/board.yaml >/tmp/replay.log 2>&1 || code=$?
    cat /tmp/replay.log >>/tmp/replays.log
    told="$told$(grep -o '[0-9]* sent, [0-9]* came, [0-9]* as recorded' /tmp/replay.log); "
done
told replay "$code" "$start" /tmp/replays.log "$told"

# perftest_into FILE COMMAND... lets a server and, 10.0.1.2 being its address, a client of perftest talk
# over wire2, both by the same command.
perftest_into() {
    file=$1
    shift
    tcpdump -i wire2 -s 0 -B 65536 -Z root --immediate-mode -w "$file" udp port 4791 2>/tmp/tcpdump2.log &
    capture=$!
    until_there 'the capture' grep -q listening /tmp/tcpdump2.log
    "$@" -d rxe3 >/tmp/server.log 2>&1 &
    server=$!
    sleep 1
    timeout 30 "$@" -d rxe2 10.0.1.2 >/tmp/client.log 2>&1
    client=$?
    kill "$server" 2>/dev/null
    kill -INT "$capture"
    wait "$capture"
    return "$client"
}

# An independent program's traffic, none of it IMS: no rule of ours is broken by it.
start=$(now)
code=0
perftest_into /tmp/perftest-ud.pcap ib_send_bw -F -c UD -n 64 -s 1024 -x 1 || code=1
perftest_into /tmp/perftest-uc.pcap ib_write_bw -F -c UC -n 20 -s 65536 -x 1 || code=1
cp /tmp/perftest-*.pcap /out/
cat /tmp/server.log /tmp/client.log >/tmp/perftest.log
told perftest "$code" "$start" /tmp/perftest.log "$(ls -l /tmp/perftest-ud.pcap /tmp/perftest-uc.pcap | awk '{ printf "%s bytes ", $5 }')"

kill "$buffer"
finish "$failures"
