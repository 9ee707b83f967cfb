#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# add_a_format_test.sh GOLDWIRE SOURCE WORK: does in a copy of the tree, below WORK, what add-a-format.md says: makes the
# files that its blocks are, puts the lines where they belong, runs the commands, and compares what they print with what
# the page shows. Then counts what the format touches outside of its own rooms.
#
# A block belongs to the path in bold on the line above it, which ends with the path, or with ", at the end:",
# ", after `LINE`:" or ", before `LINE`:", LINE being how a line of that file begins. Blocks of sh are run, and must
# succeed; in blocks of console, lines behind "$ " are run, and print lines that begin with the others, in that order.
set -euo pipefail
source_dir=$2
work=$3
tree=$work/tree
most_files=12
most_lines=60
# What the page has to show: it does not pass by leaving something out.
owed=('ctest --preset dev' 'goldwire decode' 'goldwire check' tshark 'goldwire catalog check' 'goldwire certify'
    'goldwire selftest' 'fuzz_.*_decode' GW_UPDATE_SNAPSHOT GW_UPDATE_IDS)

for tool in clang clang-format ninja tshark; do
    command -v "$tool" >/dev/null || { echo "skipped: no $tool"; exit 77; }
done
if [[ $(id -u) == 0 ]]; then
    command -v setpriv >/dev/null || { echo 'skipped: root without setpriv'; exit 77; }
fi
# shellcheck source=cmake/lint/files.sh
. "$source_dir/cmake/lint/files.sh"
# shellcheck source=docs/console.sh
. "$source_dir/docs/console.sh"

# die LINE TEXT...: the page is wrong there.
die() {
    echo "docs/add-a-format.md:$1: ${*:2}" >&2
    exit 1
}

# ---- the copy ----

# It lies where it lay the last time, with the build that was made of it: what has not changed is not built again.
copy_tree() {
    mkdir -p "$work"
    rm -rf "$work/before"
    if [[ -d $tree ]]; then mv "$tree" "$work/before"; fi
    mkdir -p "$tree"
    (cd "$source_dir" && own_files . | xargs -0 cp -p --parents -t "$tree")
    # It is configured anew: another compiler may come first now.
    rm -rf "$work"/before/build/*/CMakeCache.txt "$work"/before/build/*/CMakeFiles/[0-9]*
    if [[ -d $work/before/build ]]; then mv "$work/before/build" "$tree/build"; fi
}

# kept FILE: it is as old as it was, when it is what it was.
kept() {
    if cmp -s "$work/before/$1" "$tree/$1"; then touch -r "$work/before/$1" "$tree/$1"; fi
}

# ---- files and lines ----

# make_file LINE PATH: the block is a new file.
make_file() {
    [[ ! -e $tree/$2 ]] || die "$1" "$2 is there already"
    mkdir -p "$(dirname "$tree/$2")"
    cp "$work/block" "$tree/$2"
    kept "$2"
}

# add_lines LINE PATH WHERE BEGINNING: the block goes before or after the one line of PATH that begins so, or at its end.
add_lines() {
    local at path=$tree/$2
    [[ -f $path ]] || die "$1" "there is no $2"
    if [[ $3 == 'at the end' ]]; then
        cat "$work/block" >>"$path"
    else
        at=$(awk -v want="${4//\\/\\\\}" 'index($0, want) == 1 { print NR }' "$path")
        [[ $at =~ ^[0-9]+$ ]] || die "$1" "not one line of $2 begins with '$4', but: ${at:-none}"
        [[ $3 == after ]] || at=$((at - 1))
        ((at > 0)) || die "$1" "nothing can go before the first line of $2"
        sed -i "${at}r $work/block" "$path"
    fi
    touched+=("$2")
}

# ---- commands ----

# in_tree SCRIPT: runs it in the copy; what it exports lasts.
in_tree() {
    (cd "$tree" && bash -c "set -a; . '$work/environment'; set +a; set -euo pipefail; . '$1'; export -p >'$work/environment'")
}

run_commands() {
    cat "$work/block" >>"$work/commands"
    in_tree "$work/block" >"$work/output" 2>&1 || {
        tail -n 60 "$work/output" >&2
        die "$1" "these commands fail"
    }
}

# ---- the page ----

# obey LINE LANGUAGE LABEL: does what one block says; LABEL is the line above it.
obey() {
    # shellcheck disable=SC2016 # these are backticks
    local new='^\*\*`([^`]+)`\*\*$'
    # shellcheck disable=SC2016
    local edit='\*\*`([^`]+)`\*\*, (at the end|(after|before) (`([^`]+)`|``(.+)``)):$'
    case $2 in
    sh) run_commands "$1" ;;
    console) run_console "$1" ;;
    *)
        if [[ $3 =~ $new ]]; then
            make_file "$1" "${BASH_REMATCH[1]}"
        elif [[ $3 =~ $edit ]]; then
            add_lines "$1" "${BASH_REMATCH[1]}" "${BASH_REMATCH[3]:-at the end}" "${BASH_REMATCH[5]}${BASH_REMATCH[6]}"
        else
            die "$1" "this block belongs to no file"
        fi
        ;;
    esac
}

follow_page() {
    local line label='' language='' number=0 began=0
    while IFS= read -r line; do
        number=$((number + 1))
        if [[ -n $language && $line == '```' ]]; then
            # What was edited is left as old as it was only when all edits are in, which is when something is run.
            [[ $language != sh && $language != console ]] || settle
            obey "$began" "$language" "$label"
            label='' language=''
        elif [[ -n $language ]]; then
            printf '%s\n' "$line" >>"$work/block"
        elif [[ $line == '```'* ]]; then
            language=${line#'```'} began=$number
            [[ -n $language ]] || die "$number" 'a block of no language'
            : >"$work/block"
        elif [[ -n $line ]]; then
            label=$line
        fi
    done <"$source_dir/docs/add-a-format.md"
    [[ -z $language ]] || die "$began" 'this block does not end'
}

touched=()
settle() {
    local file
    for file in ${touched[@]+"${touched[@]}"}; do
        kept "$file"
    done
    touched=()
}

# ---- what was touched ----

# is_own PATH: it lies in a room of the format's own.
is_own() {
    case $1 in
    codecs/"$name"/* | codecs/include/goldwire/"$name".h | conformance/formats/"$name"/* | \
        conformance/replay/formats/"$name".c | dissectors/packet-"$name".c | fuzz/"$name"_* | corpus/"$name"_* | \
        pcaps/"$name"/* | pcaps/golden_"$name"* | docs/rules/* | fpga_harness/boards/"$name"-*) true ;;
    *) false ;;
    esac
}

count_touched() {
    local file lines own=0 own_lines=0 files=0 all=0
    while IFS= read -r -d '' file; do
        ! cmp -s "$source_dir/$file" "$tree/$file" || continue
        if is_own "$file"; then
            own=$((own + 1)) own_lines=$((own_lines + $(grep -c '' "$tree/$file" || true)))
            continue
        fi
        lines=$(diff "$source_dir/$file" "$tree/$file" 2>/dev/null | grep -c '^[<>]' || true)
        [[ -e $source_dir/$file ]] || lines=$(grep -c '' "$tree/$file" || true)
        printf '%4d %s\n' "$lines" "$file"
        files=$((files + 1)) all=$((all + lines))
    done < <(own_files "$tree")
    echo "$own files and $own_lines lines of its own; outside $files files ($most_files at most), $all lines ($most_lines at most)"
    ((files <= most_files && all <= most_lines))
}

unset GW_UPDATE_SNAPSHOT GW_UPDATE_IDS GW_UPDATE_FINDINGS GW_UPDATE_REPLAYS
export CMAKE_BUILD_PARALLEL_LEVEL=${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}
copy_tree
write_tshark
echo "PATH='$work/bin:$PATH'" >"$work/environment"
: >"$work/commands"
follow_page
for word in "${owed[@]}"; do
    grep -q -- "$word" "$work/commands" || die 1 "the page does not show: $word"
done
list=codecs/include/goldwire/formats.def
name=$(grep -vxFf "$source_dir/$list" "$tree/$list" | sed -n 's/^GW_FORMAT(\(.*\))$/\1/p')
[[ -n $name ]] || die 1 'no format is added to formats.def'
count_touched
