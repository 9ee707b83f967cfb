# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Sourced by what runs in a folder that holds a Debian of its own, and belongs to root: debootstrap fills $suite_root with
# $suite_name from the mirror of this machine's apt, and keeps logs beside it. suite_open sets both. Whoever sources it has
# skip REASON, which ends the run.
suite_name='' suite_root=''

# suite_mirror prints where this machine takes Debian's own packages from; mirrors of updates and of others do not serve.
suite_mirror() {
    apt-get indextargets --format '$(ORIGIN)|$(LABEL)|$(CODENAME)|$(REPO_URI)' 'Created-By: Packages' |
        awk -F'|' '$1 == "Debian" && $2 == "Debian" && $3 !~ /-/ { print $4; exit }'
}

# suite_keyring URI prints the keyring that this machine's apt holds that mirror to: a path of its own, or else that of
# Debian.
suite_keyring() {
    local uri=${1%/} file=/usr/share/keyrings/debian-archive-keyring.gpg own
    own=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null |
        awk -v uri="$uri" 'BEGIN { RS = "" } index($0, uri) { print }' |
        sed -nE 's/^Signed-By: *(\/[^ ]+).*/\1/p; s/^deb .*signed-by=(\/[^] ]+).*/\1/p' | head -n 1)
    [[ -z $own ]] || file=$own
    [[ -s $file ]] && echo "$file"
}

# in_suite COMMAND... runs it in the folder, as root.
in_suite() {
    chroot "$suite_root" env -i PATH="$PATH" LC_ALL=C DEBIAN_FRONTEND=noninteractive HOME=/root "$@"
}

# suite_bootstrap makes the folder.
suite_bootstrap() {
    local from ring
    from=$(suite_mirror)
    [[ -n $from ]] || skip "apt knows no mirror of Debian here; 'apt-get update' may help"
    ring=$(suite_keyring "$from") || skip "apt has no keyring for $from"
    rm -rf "$suite_root.new"
    echo "making $suite_root from $from"
    debootstrap --variant=minbase --force-check-gpg --keyring="$ring" "$suite_name" "$suite_root.new" "$from" \
        >"$suite_root-debootstrap.log" 2>&1 ||
        skip "debootstrap cannot make $suite_name: $(grep -E '^[EW]:' "$suite_root-debootstrap.log" | tail -n 1)"
    mv "$suite_root.new" "$suite_root"
}

# suite_install PACKAGE... brings the folder up to date. A mirror may be frozen at a day of its own: how old its lists are
# does not matter here, who signed them does.
suite_install() {
    apt-config dump 2>/dev/null | grep -E '^Acquire::https?::Proxy' >"$suite_root/etc/apt/apt.conf.d/90machine" || true
    echo 'Acquire::Check-Valid-Until "false";' >>"$suite_root/etc/apt/apt.conf.d/90machine"
    cp -L /etc/resolv.conf "$suite_root/etc/resolv.conf" 2>/dev/null || true
    if in_suite apt-get update >"$suite_root-apt.log" 2>&1 &&
        in_suite apt-get dist-upgrade -y --no-install-recommends >>"$suite_root-apt.log" 2>&1 &&
        in_suite apt-get install -y --no-install-recommends "$@" >>"$suite_root-apt.log" 2>&1; then
        return
    fi
    in_suite dpkg-query -W "$@" >/dev/null 2>&1 ||
        skip "its packages cannot be had: $(grep -E '^E:' "$suite_root-apt.log" | tail -n 1)"
    echo "the mirror does not answer: the packages of last time are used"
}

# suite_open SUITE ROOT PACKAGE... makes the folder ROOT where there is none, and installs the packages in it; no other
# run may use it as long as this one does.
suite_open() {
    suite_name=$1 suite_root=$2
    shift 2
    mkdir -p "$(dirname "$suite_root")"
    exec 9>"$suite_root.lock"
    flock -n 9 || skip "another run uses $suite_root"
    [[ -d $suite_root ]] || suite_bootstrap
    suite_install "$@"
    unshare --mount --pid --fork --mount-proc="$suite_root/proc" true 2>/dev/null ||
        skip "no namespace with a /proc of its own can be had here"
}
