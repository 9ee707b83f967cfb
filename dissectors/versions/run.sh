#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# usage: run.sh SUITE SOURCE PLUGIN SERIES CACHE PACKAGE...
# The plugin in another Wireshark: that of Debian's SUITE, in a folder below CACHE that debootstrap fills and that is
# kept. SOURCE is built there, by that suite's compiler and with warnings as errors; the plugin's tests run as an
# ordinary user; and what its tshark shows of the golden traces is compared, field by field, with what PLUGIN shows in
# this machine's tshark of SERIES. Runs as root, for debootstrap and chroot; installs nothing outside of CACHE.
#
# Exit status: 0 all agree, 1 something failed or differs, 77 skipped, with a line that says why. sid moves: what is
# found there is told, and the status is 0.
set -euo pipefail
suite=$1 source_dir=$2 plugin=$3 series=$4 cache=$5
shift 5
packages=("$@")
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
root=$cache/$suite
work=$cache/$suite-fields
export PATH=$PATH:/usr/sbin:/sbin LC_ALL=C DEBIAN_FRONTEND=noninteractive
user=65534 # nobody: Wireshark does not load a private plugin for root

skip() {
    echo "SKIPPED: $*"
    exit 77
}

# fail WHAT [LOG] tells what failed, and the end of its log.
fail() {
    [[ $# -lt 2 ]] || tail -n 30 "$2"
    echo "FAILED on $suite: $1"
    [[ $suite != sid ]] || { echo "sid moves from day to day: this is told, and fails nothing"; exit 0; }
    exit 1
}

# ---- the folder ----

[[ $(id -u) == 0 ]] || skip "debootstrap and chroot need root"
for tool in debootstrap apt-get setpriv chroot unshare tshark; do
    command -v "$tool" >/dev/null || skip "there is no $tool"
done

# Where this machine takes Debian's own packages from; mirrors of updates and of others do not serve.
mirror() {
    apt-get indextargets --format '$(ORIGIN)|$(LABEL)|$(CODENAME)|$(REPO_URI)' 'Created-By: Packages' |
        awk -F'|' '$1 == "Debian" && $2 == "Debian" && $3 !~ /-/ { print $4; exit }'
}

# The keyring that this machine's apt holds that mirror to: a path of its own, or else that of Debian.
keyring() {
    local uri=${1%/} file=/usr/share/keyrings/debian-archive-keyring.gpg own
    own=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null |
        awk -v uri="$uri" 'BEGIN { RS = "" } index($0, uri) { print }' |
        sed -nE 's/^Signed-By: *(\/[^ ]+).*/\1/p; s/^deb .*signed-by=(\/[^] ]+).*/\1/p' | head -n 1)
    [[ -z $own ]] || file=$own
    [[ -s $file ]] && echo "$file"
}

# in_suite COMMAND... runs it in the folder, as root.
in_suite() {
    chroot "$root" env -i PATH="$PATH" LC_ALL=C DEBIAN_FRONTEND=noninteractive HOME=/root "$@"
}

bootstrap() {
    local from ring
    from=$(mirror)
    [[ -n $from ]] || skip "apt knows no mirror of Debian here; 'apt-get update' may help"
    ring=$(keyring "$from") || skip "apt has no keyring for $from"
    rm -rf "$root.new"
    echo "making $root from $from"
    debootstrap --variant=minbase --force-check-gpg --keyring="$ring" "$suite" "$root.new" "$from" \
        >"$cache/$suite-debootstrap.log" 2>&1 ||
        skip "debootstrap cannot make $suite: $(grep -E '^[EW]:' "$cache/$suite-debootstrap.log" | tail -n 1)"
    mv "$root.new" "$root"
}

# A mirror may be frozen at a day of its own: how old its lists are does not matter here, who signed them does.
install_packages() {
    apt-config dump 2>/dev/null | grep -E '^Acquire::https?::Proxy' >"$root/etc/apt/apt.conf.d/90machine" || true
    echo 'Acquire::Check-Valid-Until "false";' >>"$root/etc/apt/apt.conf.d/90machine"
    cp -L /etc/resolv.conf "$root/etc/resolv.conf" 2>/dev/null || true
    if in_suite apt-get update >"$cache/$suite-apt.log" 2>&1 &&
        in_suite apt-get dist-upgrade -y --no-install-recommends >>"$cache/$suite-apt.log" 2>&1 &&
        in_suite apt-get install -y --no-install-recommends "${packages[@]}" >>"$cache/$suite-apt.log" 2>&1; then
        return
    fi
    in_suite dpkg-query -W "${packages[@]}" >/dev/null 2>&1 ||
        skip "its packages cannot be had: $(grep -E '^E:' "$cache/$suite-apt.log" | tail -n 1)"
    echo "the mirror does not answer: the packages of last time are used"
}

mkdir -p "$cache"
exec 9>"$cache/$suite.lock"
flock -n 9 || skip "another run uses $root"
[[ -d $root ]] || bootstrap
install_packages

# ---- build and test ----

unshare --mount --pid --fork --mount-proc="$root/proc" true 2>/dev/null ||
    skip "no namespace with a /proc of its own can be had here"

# as_user COMMAND... runs it in the folder, as an ordinary user, where the sources lie. /proc is there as long as the
# command runs.
as_user() {
    unshare --mount --pid --fork --mount-proc="$root/proc" chroot "$root" setpriv --reuid=$user --regid=$user --clear-groups env -i PATH=/usr/bin:/bin LC_ALL=C HOME=/goldwire/home \
        bash -c 'cd /goldwire && "$@"' bash "$@"
}

rm -rf "$root/goldwire/source"
mkdir -p "$root"/goldwire/{source,build,home}
(cd "$source_dir" && find . \( -path ./build -o -path ./out -o -path ./.git \) -prune -o -type f -print0 |
    tar --null -T - -cf -) | tar -xf - -C "$root/goldwire/source"
chown -R $user:$user "$root/goldwire"

log=$cache/$suite-build.log
echo "building with $(as_user gcc -dumpfullversion | sed 's/^/gcc /'), Wireshark $(as_user pkg-config --modversion wireshark)"
as_user cmake -S source -B build -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG='-O2 -g' -DGW_WERROR=ON \
    >"$log" 2>&1 || fail "it does not configure" "$log"
as_user cmake --build build >>"$log" 2>&1 || fail "it does not build" "$log"
log=$cache/$suite-test.log
as_user ctest --test-dir build -R '^(codecs|harness|fpga_harness|wireshark)\.' --output-on-failure --parallel "$(nproc)" \
    >"$log" 2>&1 || fail "tests" "$log"
grep -E 'tests passed' "$log"
! grep -E '^ *[0-9]+/[0-9]+ Test.*wireshark\..*Skipped' "$log" || fail "the plugin's tests did not run" "$log"

# ---- the fields ----

mkdir -p "$work"
there=$(as_user pkg-config --modversion wireshark | cut -d. -f1,2)
as_user bash source/dissectors/versions/fields.sh "/goldwire/build/wireshark-plugins/$there/epan/goldwire.so" "$there" \
    /goldwire/source/pcaps >"$work/$suite" || fail "its tshark does not run"
bash "$here/fields.sh" "$plugin" "$series" "$root/goldwire/source/pcaps" >"$work/here" || fail "this machine's tshark does not run"
traces=$(cut -d' ' -f1 "$work/here" | sort -u | wc -l)
fields=$(wc -l <"$work/here")
((fields > 10000)) || fail "only $fields fields were found here"
if ! diff "$work/here" "$work/$suite" >"$work/differences"; then
    head -n 20 "$work/differences"
    fail "$(grep -c '^[<>]' "$work/differences") of $fields fields differ between Wireshark $series and $there: $work/differences"
fi
echo "Wireshark $series and $there agree in all $fields fields of $traces golden traces"
