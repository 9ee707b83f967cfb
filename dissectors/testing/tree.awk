# SPDX-License-Identifier: GPL-2.0-or-later
# usage: awk -v title=TITLE -f tree.awk TSHARK-OUTPUT
# The tree that tshark calls TITLE: "heading|item|count", and of means "heading|item|count|mean|least|most". What it prints in
# hexadecimal comes in decimal.
function decimal(text,    i, n) {
    if (text !~ /^0x[0-9a-f]+$/)
        return text
    for (i = 3; i <= length(text); i++)
        n = 16 * n + index("0123456789abcdef", substr(text, i, 1)) - 1
    return n
}

# Each version puts its own stroke between a menu and what it leads to.
/:$/ { gsub(/ *\/+ */, "/"); wanted = $0 == title ":"; next }
!wanted || /^(=|-|Topic|$)/ { next }
{
    named = $0 ~ /^ /
    sub(/^ */, "")
    split($0, column, /  +/)
    if (!named)
        heading = column[1]
    else
        print heading "|" decimal(column[1]) "|" column[2] (column[3] ~ /\.[0-9][0-9]$/ ? "|" column[3] "|" column[4] "|" column[5] : "")
}
