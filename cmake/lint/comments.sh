#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Whatever a public header of the codecs offers stands below a comment that begins with a name of ours and names it.
# Several may share one: "gw_x and gw_y ...".
set -euo pipefail
cd "$1/codecs/include/goldwire"
awk '
FNR == 1 { comment = ""; inside = 0 }
/^\/\*/ { comment = ""; inside = 1 }
inside { comment = comment " " $0; inside = !/\*\// ; next }
/^#/ { next }
/GW_API|static inline/ {
    line = FNR
    offer = $0
    while (offer !~ /[;{]/ && (getline more) > 0)
        offer = offer " " more
    # A function, or a constant: the name before the first bracket, or else the last one.
    if (!match(offer, /gw_[a-z0-9_]+\(/))
        match(offer, /gw_[a-z0-9_]+(\[\])?;/)
    name = substr(offer, RSTART, RLENGTH)
    sub(/[^a-z0-9_].*/, "", name)
    num++
    if (comment !~ /^ \/\* gw_/ || comment !~ ("[^a-z0-9_]" name "[^a-z0-9_]")) {
        print FILENAME ":" line ": no comment above names " name >"/dev/stderr"
        bad = 1
    }
}
END {
    if (num < 100) {
        print "only " num " functions and constants found" >"/dev/stderr"
        bad = 1
    }
    exit bad
}' ./*.h
