#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# usage: run.sh GOLDWIRE WORK_FOLDER
# The ib:// transport for real: boots Debian's own kernel in QEMU, where Soft-RoCE (rdma_rxe) is an
# adapter that needs no hardware, and lets GOLDWIRE stream through it (guest.sh). Neither this
# machine's kernel nor its network takes part, and nothing is installed.
#
# Exit status: 0 all well, 1 something failed, 77 skipped, with a line that says why.
set -euo pipefail
goldwire=$1 work=$2
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
export PATH=$PATH:/usr/sbin:/sbin
tests=(images frames large certify replay perftest)
boot_seconds=90 # until the guest's script runs; a small part of that is usual
kvm_seconds=30  # likewise by KVM, which within another virtual machine may be there and do nothing
guest_seconds=480

skip() {
    echo "SKIPPED: $*"
    exit 77
}

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

for tool in qemu-system-x86_64 busybox cpio depmod modprobe ip rdma tc tcpdump ib_send_bw ib_write_bw apt-get \
    dpkg-deb; do
    command -v "$tool" >/dev/null || skip "there is no $tool; './run install-deps rxe' brings it"
done
[[ $(dpkg --print-architecture) == amd64 ]] || skip "the virtual machine is an amd64 one"
mkdir -p "$work"
work=$(readlink -f "$work")

# ---- the kernel ----

# The cloud kernel would be smaller, but lacks rdma_rxe.
kernel_package() {
    apt-cache depends --important linux-image-amd64 2>/dev/null | sed -n 's/^ *Depends: \(linux-image-[0-9].*\)/\1/p' |
        head -n 1
}

fetch() {
    local package
    package=$(kernel_package)
    [[ -n $package ]] || return 1
    (cd "$work" && apt-get download "$package" 2>&1)
}

update_lists() {
    if [[ $(id -u) == 0 ]]; then
        apt-get update
    else
        sudo -n apt-get update
    fi
}

# What the guest may load; the whole package is eight times that.
unpack() {
    local kinds=(drivers/infiniband drivers/virtio drivers/net/veth.ko fs/9p fs/fscache fs/netfs net crypto lib
        arch/x86/crypto)
    rm -rf "$work/kernel"
    mkdir "$work/kernel"
    dpkg-deb --fsys-tarfile "$1" | tar -x -C "$work/kernel" --wildcards './boot/vmlinuz-*' \
        './lib/modules/*/modules.*' "${kinds[@]/#/./lib/modules/*/kernel/}"
}

packages=("$work"/linux-image-*.deb)
if [[ ! -e ${packages[0]} ]]; then
    fetch >"$work/fetch.log" || { update_lists && fetch; } >>"$work/fetch.log" 2>&1 ||
        skip "the kernel package cannot be had: $(tail -n 1 "$work/fetch.log")"
    packages=("$work"/linux-image-*.deb)
fi
[[ -e $work/kernel/unpacked ]] || { unpack "${packages[0]}" && touch "$work/kernel/unpacked"; }
bash "$here/initramfs.sh" "$goldwire" "$work/kernel" "$work/initramfs.cpio"

# ---- what has to arrive ----

servers=()
trap '((${#servers[@]} == 0)) || kill "${servers[@]}" 2>/dev/null || true' EXIT

# expect NAME lets the same Worker stream over plain sockets of this machine, gently, and puts what the
# buffer holds then into $memory, as the guest tells it.
expect() {
    local way=$work/expect.$1 tries=0 ib regs
    sed 's/^frame:.*/frame: 4096/; s/^outstanding:.*/outstanding: 16/' "$here/goldwire/$1.yaml" >"$way.yaml"
    : >"$way.urls"
    "$goldwire" peer ims-buf --map "$here/goldwire/buffer.yaml" --listen ib=roce://127.0.0.1:0 \
        --listen regs=udp://127.0.0.1:0 >"$way.urls" &
    servers=($!)
    until grep -q ready "$way.urls"; do
        ((tries++ < 100)) || fail "the buffer did not start on this machine"
        sleep 0.05
    done
    ib=$(sed -n 's/^listening \(.*\) ib$/\1/p' "$way.urls")
    regs=$(sed -n 's/^listening \(.*\) regs$/\1/p' "$way.urls")
    "$goldwire" peer ims-worker --map "$way.yaml" --to "$ib?local=127.0.0.2:0" >"$way.log" ||
        fail "over sockets: $(tail -n 1 "$way.log")"
    memory=$("$goldwire" regs ims-buf --dut "$regs" --base 0x80 0x20 0x30 | awk '{ printf " %s", $NF }')
    kill "${servers[@]}"
    wait "${servers[@]}" || true
    servers=()
}

# ---- the virtual machine ----

# guest ACCELERATOR runs it, its console into console.log and its files into out/.
guest() {
    rm -rf "$work/out"
    mkdir "$work/out"
    : >"$work/console.log"
    timeout --kill-after=5 "$guest_seconds" qemu-system-x86_64 -accel "$1" -cpu max -smp 4 -m 1024 -nodefaults \
        -no-user-config -display none -no-reboot -serial stdio -kernel "$work"/kernel/boot/vmlinuz-* \
        -initrd "$work/initramfs.cpio" -append 'console=ttyS0 quiet panic=-1' \
        -virtfs "local,path=$work/out,mount_tag=out,security_model=none" </dev/null >>"$work/console.log" 2>&1 &
    local qemu=$! waited=0 patience=$boot_seconds
    [[ $1 != kvm ]] || patience=$kvm_seconds
    until grep -q '^GUEST' "$work/console.log"; do
        if ! kill -0 "$qemu" 2>/dev/null || ((waited++ == patience)); then
            kill "$qemu" 2>/dev/null || true
            wait "$qemu" || true
            return 1
        fi
        sleep 1
    done
    wait "$qemu" || true
}

# Where KVM does not do, after all, the machine is emulated.
accelerators=("tcg,thread=multi")
[[ ! -w /dev/kvm ]] || accelerators=(kvm "${accelerators[@]}")
for accelerator in "${accelerators[@]}"; do
    ! guest "$accelerator" || break
done
sed -n 's/\r$//; s/^GUEST //p' "$work/console.log"

# ---- the result ----

grep -q '^GUEST UP' "$work/console.log" || fail "the guest did not come up; console: $work/console.log"
! grep -q '^GUEST FAIL' "$work/console.log" || fail "in the guest; console: $work/console.log"
for test in "${tests[@]}"; do
    grep -q "^GUEST PASS $test " "$work/console.log" || fail "the guest does not tell of $test; console: $work/console.log"
    [[ $test == certify || $test == replay || $test == perftest ]] && continue
    expect "$test"
    tr -d '\r' <"$work/console.log" | grep -qxF "GUEST MEMORY $test$memory" ||
        fail "$test: through the adapter another content arrived than over sockets ($memory)"
done
# What an adapter cannot send does not apply; that is less than half.
[[ $(grep '^GUEST PASS certify' "$work/console.log") =~ ([0-9]+)' cases: '([0-9]+)' PASS' ]] &&
    ((2 * BASH_REMATCH[2] > BASH_REMATCH[1])) || fail "too few cases apply; console: $work/console.log"
grep -q '^GUEST END 0' "$work/console.log" || fail "the guest did not end well; console: $work/console.log"
"$goldwire" check "$work/out/guest.pcap" || fail "what went over the wire breaks rules"
for capture in perftest-ud perftest-uc; do
    code=0
    "$goldwire" check "$work/out/$capture.pcap" || code=$?
    # All of it is somebody else's: nothing is checked, and nothing found.
    [[ $code == 6 ]] || fail "perftest's traffic is taken for ours: $capture.pcap, exit code $code"
done
echo "PASS through $accelerator; the capture is $work/out/guest.pcap"
