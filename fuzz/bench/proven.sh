#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# usage: proven.sh WORK SECONDS FILE [NAME]
# The faults that are planted for provers (codecs/proof/planted), or those whose name NAME begins: does fuzzing find them
# as well? One at a time is put into a copy of the tree in WORK, and the targets that its patch names, built from that, look
# for it, one after the other, SECONDS of processor time each at the most, until one finds it. What was tried is a line of
# FILE, and is not tried again:
#   fault target outcome seconds inputs says
# Outcomes: seeds (an input of the corpus shows it), found, not (the time is over), other (it fails without the fault too).
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
root=$(dirname "$(dirname "$here")")
(($# == 3 || $# == 4)) || {
    sed -n 's/^# usage: /usage: /p' "${BASH_SOURCE[0]}" >&2
    exit 2
}
mkdir -p "$1" "$(dirname "$3")"
work=$(readlink -f "$1") seconds=$2 file=$3 only=${4:-}
touch "$file"

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
# shellcheck source=fuzz/bench/search.sh
. "$here/search.sh"
# shellcheck source=fuzz/planted/copy.sh
. "$root/fuzz/planted/copy.sh"

# compile FOLDER PATCH TARGET...: these fuzz targets, from a copy of the tree with that fault, or with none where PATCH is
# empty.
compile() {
    local tree=$work/$1/tree build=$work/$1/build
    mkdir -p "$work/$1"
    copy_tree "$root" "$tree.new" ${2:+"$2"}
    keep_ages "$tree.new" "$tree"
    shift 2
    {
        (cd "$tree" && cmake --preset fuzz-libfuzzer -B "$build") &&
            cmake --build "$build" --parallel "$(nproc)" --target fuzz_dictionaries "${@/#/fuzz_}"
    } >"$dir/log" 2>&1 || die "the targets do not build"
}

# known FAULT TARGET: the outcome of that line of FILE, or nothing.
known() {
    awk -F '\t' -v f="$1" -v t="$2" '$1 == f && $2 == t { print $3; exit }' "$file"
}

# search FAULT TARGET
search() {
    local status=0 result showed=-
    look "$work/faulty/build/fuzz" "$2" 1 "$seconds" || status=$?
    result=$(outcome "$status")
    [[ -n $result ]] || die "fuzz_$2 does not run with $1"
    [[ $result == not ]] || showed=$(says)
    if [[ $result != not ]] && fails_again "$work/sound/build/fuzz" "$2"; then
        result=other
    fi
    note "$1" "$2" "$result" "$took" "$(inputs_of_search)" "$showed"
}

mapfile -t all < <(sed -n 's/^Targets: //p' "$root"/codecs/proof/planted/*.patch | tr ' ' '\n' | sort -u)
compile sound '' "${all[@]}"
for patch in "$root/codecs/proof/planted/$only"*.patch; do
    fault=$(basename "$patch" .patch) built=
    read -ra targets < <(sed -n 's/^Targets: //p' "$patch")
    for target in "${targets[@]}"; do
        if [[ -z $(known "$fault" "$target") ]]; then
            [[ -n $built ]] || compile faulty "$patch" "${targets[@]}"
            built=yes
            search "$fault" "$target"
        fi
        [[ ! $(known "$fault" "$target") =~ ^(seeds|found)$ ]] || break
    done
done
awk -F '\t' '{ all[$1] } $3 == "seeds" || $3 == "found" { found[$1] } $3 == "seeds" { seeds[$1] }
    END { printf "%d of %d are found by fuzzing, %d of these by the corpus\n", length(found), length(all), length(seeds) }' "$file"
