#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# The man page and the command name the same verbs, and for each verb the same options; the page is
# well-formed; the bash completion offers them.
set -euo pipefail
command=$1
source_dir=$2
page=$source_dir/docs/goldwire.1
status=0
complain() {
    echo "$*" >&2
    status=1
}

# page_section VERB prints the lines of the page that describe it.
page_section() {
    awk -v verb="$1" '/^\.S[sh] / { inside = ($1 == ".Ss" && $2 == verb) } inside' "$page"
}

# page_options VERB prints the options listed there, "--json" and so on.
page_options() {
    page_section "$1" | sed -n 's/^\.It Fl -\([a-z-]*\).*/--\1/p' | sort -u
}

# help_options VERB prints the options that the command's own help lists, but for those that every verb has.
help_options() {
    "$command" "$1" --help | sed -nE 's/^ +(-[^-], +)?(--[a-z-]+).*/\2/p' | grep -vxE -- '--(help|usage)' | sort -u
}

mapfile -t verbs < <("$command" --help | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p' | sort)
((${#verbs[@]} >= 5)) || complain "'goldwire --help' lists only: ${verbs[*]}"
diff <(printf '%s\n' "${verbs[@]}") <(sed -n 's/^\.Ss \([a-z]*\)$/\1/p' "$page" | sort) ||
    complain '^ verbs: < the command, > the man page'

for verb in "${verbs[@]}"; do
    [[ -n $(help_options "$verb") ]] || complain "goldwire $verb --help lists no option"
    diff <(help_options "$verb") <(page_options "$verb") || complain "^ options of $verb: < the command, > the man page"
done

mandoc -T lint -W warning "$page" || complain '^ the man page is not well-formed'

# shellcheck source=SCRIPTDIR/completion/goldwire.bash
source "$source_dir/docs/completion/goldwire.bash"
complete_words() {
    COMP_WORDS=("$command" "$@")
    COMP_CWORD=$#
    _goldwire
    printf '%s\n' "${COMPREPLY[@]}"
}
grep -qx decode <<<"$(complete_words de)" || complain "completion of 'goldwire de' does not offer decode"
grep -qx -- --json <<<"$(complete_words decode --js)" || complain "completion of 'goldwire decode --js' does not offer --json"
for dialect in strict litex vhdl be32; do
    grep -qx "$dialect" <<<"$(complete_words decode --dialect '')" || complain "completion of --dialect lacks $dialect"
done
[ "$(complete_words certify --dialect = lite)" = litex ] || complain "completion of --dialect=lite is not litex"
grep -qx litex <<<"$(complete_words certify --dialect =)" || complain "completion of --dialect= does not offer litex"
[ "$(complete_words decode --proto op)" = op2p ] || complain "completion of 'goldwire decode --proto op' is not op2p"
grep -qx etherbone-slave <<<"$(complete_words peer ether)" || complain "completion of 'goldwire peer ether' does not offer the slave"
grep -qx op2p-node <<<"$(complete_words board --init op2)" || complain "completion of --init does not offer the OP2P node"
[ "$(complete_words sim ether)" = etherbone ] || complain "completion of 'goldwire sim ether' is not etherbone"
[ "$(complete_words help dec)" = decode ] || complain "completion of 'goldwire help dec' is not decode"
[ "$(complete_words catalog show EB-S04)" = EB-S04 ] || complain "completion of 'goldwire catalog show' does not offer a rule"
[ "$(complete_words certify --case op-e/type-1)" = op-e/type-15 ] || complain "completion of --case does not offer a case"
[ ! -e /sys/class/net/lo ] || [ "$(complete_words decode --live lo)" = lo ] || complain "completion of --live does not offer lo"
[ "$(complete_words decode --color ne)" = never ] || complain "completion of --color does not offer never"
exit $status
