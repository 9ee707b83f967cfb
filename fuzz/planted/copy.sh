# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Sourced by what plants faults: copies of the source tree.

# shellcheck source=cmake/lint/files.sh
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../../cmake/lint/files.sh"

# copy_tree SOURCE NEW [PATCH...] makes NEW a copy of SOURCE with these patches in it.
copy_tree() {
    local fault
    rm -rf "$2"
    mkdir "$2"
    (cd "$1" && own_files . | xargs -0 cp --parents -t "$2")
    for fault in "${@:3}"; do
        patch -d "$2" -p1 -F0 -N -s -r - --no-backup-if-mismatch <"$fault" >&2 || {
            echo "$fault does not fit any more: the code it was made for has changed" >&2
            exit 1
        }
    done
}

# keep_ages NEW TREE makes TREE what NEW is, and takes NEW away. What has not changed keeps its age, so that it is not built
# again.
keep_ages() {
    local new tree file
    new=$(readlink -f "$1") tree=$(readlink -f "$2")
    if [[ ! -d $tree ]]; then
        mv "$new" "$tree"
        return
    fi
    { diff -rqN "$tree" "$new" || (($? == 1)); } |
        sed -n "s,^Files .* and $new/\\(.*\\) differ$,\\1,p" | while IFS= read -r file; do
        if [[ -e $new/$file ]]; then
            mkdir -p "$(dirname "$tree/$file")"
            cp "$new/$file" "$tree/$file"
        else
            rm -f "$tree/$file"
        fi
    done
    rm -rf "$new"
}
