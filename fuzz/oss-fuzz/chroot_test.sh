#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# usage: chroot_test.sh SOURCE CACHE
# build_test.sh with both sanitizers of project.yaml, in a bare Debian that debootstrap makes below CACHE, with a C
# compiler as the base image has one and the packages that the Dockerfile names, and no others. Runs as root; installs
# nothing outside of CACHE. Exit code 77, with the reason, where that cannot be had.
set -euo pipefail
source=$(cd "$1" && pwd)
here=$source/fuzz/oss-fuzz
root=$2/trixie-oss-fuzz
export PATH=$PATH:/usr/sbin:/sbin LC_ALL=C DEBIAN_FRONTEND=noninteractive

skip() {
    echo "SKIPPED: $*"
    exit 77
}
[[ $(id -u) == 0 ]] || skip "debootstrap and chroot need root"
for tool in apt-get chroot debootstrap readelf unshare unzip; do
    command -v "$tool" >/dev/null || skip "there is no $tool"
done
# packages FILE prints those that the Dockerfile FILE installs.
packages() { sed -nE '/apt-get install/,/[^\\]$/{s/.*--no-install-recommends//;s/\\$//;p}' "$1" | xargs -n 1; }
mapfile -t named < <(packages "$here/Dockerfile")
((${#named[@]} > 3)) && cmp <(packages "$here/Dockerfile") <(packages "$source/.clusterfuzzlite/Dockerfile") || {
    echo "the Dockerfiles do not name the same packages" >&2
    exit 1
}
# Trixie has a Clang nearer to the base image's than bookworm.
# shellcheck source=../../cmake/suite/suite.sh
source "$source/cmake/suite/suite.sh"
suite_open trixie "$root" clang libclang-rt-dev libc6-dev make cmake "${named[@]}"

for sanitizer in address undefined; do
    echo "build.sh with $(in_suite clang --version | head -n 1), sanitizer $sanitizer"
    SANITIZER=$sanitizer bash "$here/build_test.sh" "$source" "$root-$sanitizer" "$root"
done
