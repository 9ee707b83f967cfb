# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# What the tests of pages with commands share: blocks of console hold commands behind "$ ", and below each how lines that it
# prints begin, in their order. Sourced; $work is a folder of the test's own, in_tree runs a script where the page is followed,
# and die LINE TEXT... says that the page is wrong there.

# write_tshark makes $work/bin/tshark. What root's is: somebody else's, since Wireshark loads nobody's plugins for root. He gets
# copies to read.
write_tshark() {
    # shellcheck disable=SC2154 # the sourcing test's
    mkdir -p "$work/bin"
    cat >"$work/bin/tshark" <<SCRIPT
#!/usr/bin/env bash
set -euo pipefail
tshark=$(command -v tshark)
[[ \$(id -u) == 0 && -n \${WIRESHARK_PLUGIN_DIR:-} ]] || exec "\$tshark" "\$@"
place=\$(mktemp -d)
trap 'rm -rf "\$place"' EXIT
cp -r "\$WIRESHARK_PLUGIN_DIR" "\$place/plugins"
arguments=()
for one; do
    name=\${one#etherbone.registers:}
    if [[ -f \$name ]]; then
        cp "\$name" "\$place/"
        one=\${one%"\$name"}\$place/\$(basename "\$name")
    fi
    arguments+=("\$one")
done
chmod -R a+rX "\$place"
mkdir -m 777 "\$place/home"
setpriv --reuid=65534 --regid=65534 --clear-groups env HOME="\$place/home" XDG_CONFIG_HOME="\$place/home" \\
    WIRESHARK_PLUGIN_DIR="\$place/plugins" "\$tshark" "\${arguments[@]}"
SCRIPT
    chmod +x "$work/bin/tshark"
}

# run_console LINE: runs the commands of $work/block, one script, and compares each one's output with what follows it. Where
# $strict is set each has to end well.
run_console() {
    local line output='' n=0 at=0
    : >"$work/script"
    while IFS= read -r line; do
        [[ $line == '$ '* ]] || continue
        n=$((n + 1))
        rm -f "$work/output.$n.code"
        printf '{ %s\n} >"%s" 2>&1 || echo $? >"%s"\n' "${line#'$ '}" "$work/output.$n" "$work/output.$n.code" >>"$work/script"
        echo "${line#'$ '}" >>"$work/commands"
    done <"$work/block"
    in_tree "$work/script"
    n=0
    while IFS= read -r line; do
        if [[ $line == '$ '* ]]; then
            n=$((n + 1)) at=0 output=$work/output.$n
            [[ -z ${strict-} || ! -e $output.code ]] || {
                cat "$output" >&2
                die "$1" "this ends with $(cat "$output.code"): ${line#'$ '}"
            }
            continue
        fi
        [[ -n $output ]] || die "$1" "no command prints this: $line"
        at=$(awk -v want="${line//\\/\\\\}" -v from="$at" 'NR > from && index($0, want) == 1 { print NR; exit }' "$output")
        [[ -n $at ]] || {
            cat "$output" >&2
            die "$1" "command $n does not print: $line"
        }
    done <"$work/block"
}
