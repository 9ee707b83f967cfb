# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Bash completion for goldwire. Verbs, options, roles and mutants are asked of the command itself, so
# that they cannot differ from it.

# _goldwire_words COMMAND ARGS... PATTERN: the words of its output that match, each once.
_goldwire_words() {
    local pattern=${*: -1}
    "${@:1:$#-1}" 2>/dev/null | grep -oE -- "$pattern" | sort -u
}

# _goldwire_known COMMAND OPTION: the values that decode's OPTION takes, as its complaint about a wrong one lists them:
# "(known: A B)", or by format, "(known of A: B C; of D: E)".
_goldwire_known() {
    "$1" decode "$2" '?' 2>&1 </dev/null | sed -n 's/.*(known\(.*\)).*/;\1/p' | sed 's/;[^:]*://g'
}

# _goldwire_verbs COMMAND: what it can do.
_goldwire_verbs() {
    "$1" --help 2>/dev/null | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p'
}

# _goldwire_roles COMMAND: the boards that it has cases for.
_goldwire_roles() {
    "$1" peer --list 2>/dev/null | awk 'NF { print $1 }' | sort -u
}

# _goldwire_cores COMMAND: the example cores.
_goldwire_cores() {
    "$1" sim --list 2>/dev/null | awk '/^[a-z]/ { print $1 }'
}

_goldwire() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[0]} words
    COMPREPLY=()
    # --option=value comes as three words.
    if [[ $cur == = ]]; then
        cur=
    elif [[ $prev == = ]]; then
        prev=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    if ((COMP_CWORD == 1)); then
        words="$(_goldwire_verbs "$command") --help --version"
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
        return
    fi

    local verb=${COMP_WORDS[1]}
    case $prev in
    --proto) words=$(_goldwire_known "$command" --proto) ;;
    --role | --init) words=$(_goldwire_roles "$command") ;;
    --mutant) words=$(_goldwire_words "$command" peer --list 'm-[a-z0-9-]+') ;;
    --case) words=$("$command" catalog list 2>/dev/null | awk '$1 ~ "/" { print $1 }') ;;
    --dialect) words=$(_goldwire_known "$command" --dialect) ;;
    --extcap-interface) words=$("$command" extcap 2>/dev/null | awk '{ print $1 }') ;;
    --live) words=$(ls /sys/class/net 2>/dev/null) ;;
    --color) words=$(_goldwire_known "$command" --color) ;;
    *)
        if [[ $cur == -* ]]; then
            words=$(_goldwire_words "$command" "$verb" --help '--[a-z][a-z-]*')
        elif [[ $verb == peer ]]; then
            words=$(_goldwire_roles "$command")
        elif [[ $verb == regs ]] && ((COMP_CWORD > 2)); then
            words=$("$command" regs "${COMP_WORDS[2]}" 2>/dev/null | awk '{ print $2 }')
        elif [[ $verb == selftest || $verb == regs ]]; then
            words=$(_goldwire_roles "$command")
        elif [[ $verb == catalog ]] && ((COMP_CWORD == 2)); then
            words='list show check pages'
        elif [[ $verb == catalog && $prev == show ]]; then
            words=$("$command" catalog list 2>/dev/null | awk '/^  / { print $1 }')
        elif [[ $verb == sim && $prev != --cores ]]; then
            words=$(_goldwire_cores "$command")
        elif [[ $verb == help ]]; then
            words=$(_goldwire_verbs "$command")
        fi
        ;;
    esac
    if [[ -n ${words-} ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
    else
        mapfile -t COMPREPLY < <(compgen -f -- "$cur")
    fi
}
complete -o filenames -F _goldwire goldwire
