#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# usage: initramfs.sh GOLDWIRE KERNEL_ROOT OUT
# Packs what the virtual machine runs: this machine's busybox, network tools and libraries, the
# GOLDWIRE command, and modules of the unpacked kernel package below KERNEL_ROOT.
set -euo pipefail
goldwire=$(readlink -f "$1") kernel=$2 out=$3
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
version=$(basename "$kernel"/lib/modules/*)
root=$out.d
export PATH=$PATH:/usr/sbin:/sbin

rm -rf "$root"
mkdir -p "$root"/{dev,etc/libibverbs.d,out,proc,run,sys,tmp,usr/{bin,sbin,lib/modules,lib64}}
ln -s usr/bin usr/sbin usr/lib usr/lib64 "$root"

# add FILE [AS] copies a program or library and every library it needs.
add() {
    local file=$1 library
    install -D "$file" "$root${2:-$file}"
    # A static one has none.
    while read -r library; do
        [[ -e $root$library ]] || install -D "$library" "$root$library"
    done < <(ldd "$file" 2>/dev/null | grep -o '/[^ ]*' || true)
}

add "$(command -v busybox)" /bin/busybox
add "$goldwire" /usr/bin/goldwire
for tool in ip rdma tc tcpdump ib_send_bw ib_write_bw; do
    add "$(command -v "$tool")" "/usr/bin/$tool"
done

# libibverbs is loaded by name, and it loads its providers by name.
libraries=$(dirname "$(ldconfig -p | sed -n 's/.*libibverbs\.so\.1 .* => //p' | head -n 1)")
add "$libraries/libibverbs.so.1"
for provider in "$libraries"/libibverbs/librxe-rdmav*.so; do
    add "$provider"
done
cp /etc/libibverbs.d/rxe.driver "$root/etc/libibverbs.d/"
echo 'root:x:0:0:root:/:/bin/sh' >"$root/etc/passwd"

# Modules in the order in which they are needed; a name each, without compression.
depmod -b "$kernel" "$version"
for module in virtio_pci 9pnet_virtio 9p veth sch_tbf crc32_generic rdma_rxe; do
    modprobe -d "$kernel" -S "$version" --show-depends "$module" | sed -n 's/^insmod //p'
done | awk '!seen[$1]++ { print $1 }' | while read -r path; do
    case $path in
    *.xz) xz -dc "$path" >"$root/lib/modules/$(basename "$path" .xz)" ;;
    *) cp "$path" "$root/lib/modules/" ;;
    esac
    basename "$path" .xz
done >"$root/lib/modules/order"

cp -r "$here/goldwire" "$root/etc/"
cp "$here/../../pcaps/ims/ims-images.pcapng" "$root/etc/goldwire/"
install -m 755 "$here/guest.sh" "$root/init"
(cd "$root" && find . -print0 | cpio --quiet --null -o -H newc) >"$out"
