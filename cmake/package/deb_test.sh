#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# CPack makes a Debian package that names what it depends on and carries its licence.
set -euo pipefail
build_dir=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "$*" >&2
    exit 1
}

(cd "$build_dir" && cpack -G DEB -B "$work") >"$work/log" 2>&1 || {
    cat "$work/log"
    fail 'cpack -G DEB failed'
}
debs=("$work"/goldwire_*.deb)
[[ ${#debs[@]} == 1 && -s ${debs[0]} ]] || fail "expected one package, got: ${debs[*]}"
dpkg-deb --info "${debs[0]}" >"$work/info"
dpkg-deb --contents "${debs[0]}" | awk '{ print $6 }' >"$work/contents"

# Names as of Debian 12 and later: 64-bit times renamed one library, a new interface another.
for library in libc6 'libpcap0.8(t64)?' libfyaml0 libjansson4 'libsodium(23|26)' liblz4-1 libzstd1 zlib1g; do
    grep -qE "^ Depends:.* $library " "$work/info" || fail "does not depend on $library: $(grep Depends "$work/info")"
done
for file in ./usr/bin/goldwire ./usr/share/man/man1/goldwire.1 ./usr/share/doc/goldwire/LICENSE \
    ./usr/share/bash-completion/completions/goldwire ./usr/share/doc/goldwire/docs/board-file.md \
    ./usr/share/doc/goldwire/docs/run.schema.json ./usr/share/doc/goldwire/fpga_harness/boards/ims-buf.yaml; do
    grep -qxF "$file" "$work/contents" || fail "not in the package: $file"
done
for family in EtherBone TEXTAROSSA OP2P IMS 'Level-1 farm'; do
    grep -qF "$family" "$work/info" || fail "the package's description does not name $family"
done
if grep -vE '^\./(usr/.*)?$' "$work/contents"; then
    fail 'the package puts files outside /usr'
fi
