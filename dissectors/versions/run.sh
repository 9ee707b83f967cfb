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

# shellcheck source=../../cmake/suite/suite.sh
source "$here/../../cmake/suite/suite.sh"
suite_open "$suite" "$root" "${packages[@]}"

# ---- build and test ----

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
as_user ctest --test-dir build -R '^((codecs|harness|fpga_harness|wireshark)\.|names$)' --output-on-failure --parallel "$(nproc)" \
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
