# SPDX-License-Identifier: GPL-2.0-or-later
# usage: awk -f tallies.awk FORMAT.tables.txt DECODED.json
# What the tree of messages has to hold below its headings, from the reviewed tables and what `goldwire decode --json`
# prints: "heading|item|count", and of means "heading|item|count|mean|least|most".
function value_of(field, value) { return ((field, value) in named) ? named[field, value] : value }

FNR == 1 { file++ }

file == 1 && /^  [a-z0-9_]+\.[a-z0-9_.]+ / && match($0, /(each|mean) "[^"]*"/) {
    field = $1
    split($0, part, / \| /)
    style[field] = substr($0, RSTART, 4)
    heading[field] = substr($0, RSTART + 6, RLENGTH - 7)
    label[field] = part[2]
    flag[field] = $0 ~ / 1 bit bool /
    next
}
file == 1 && /^  [a-z0-9_]+\./ { field = "" }
file == 1 && field != "" && /^    [0-9]+ = / {
    value = $1
    sub(/^ *[0-9]+ = /, "")
    named[field, value] = $0
}

file == 2 {
    line = $0
    while (match(line, /"name":"[a-z0-9_.]+",("path":"[^"]*",)?"value":([0-9]+|"[^"]*")/)) {
        told = substr(line, RSTART, RLENGTH)
        line = substr(line, RSTART + RLENGTH)
        split(told, quoted, "\"")
        field = quoted[4]
        value = told
        sub(/.*"value":/, "", value)
        if (value ~ /^"/)
            value = substr(value, 2, length(value) - 2)
        else
            value += 0
        if (!(field in style) || (flag[field] && value == 0))
            continue
        item = heading[field] "|" (style[field] == "mean" || flag[field] ? label[field] : value_of(field, value))
        count[item]++
        if (style[field] != "mean")
            continue
        if (value > 2147483647)
            value = 2147483647
        sum[item] += value
        if (!(item in least) || value < least[item]) least[item] = value
        if (!(item in most) || value > most[item]) most[item] = value
    }
}

END {
    for (item in count)
        print item "|" count[item] (item in sum ? sprintf("|%.2f|%d|%d", sum[item] / count[item], least[item], most[item]) : "")
}
