#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# judge.sh FOLDER LCOV [TABLE]: adds up what LCOV says of the files below FOLDER, by the folders in it, and holds it to
# TABLE, which is FOLDER/coverage.txt unless told: folder, least percentage of lines, of branches. Fails with the names of
# what is below it, and of the files there that miss most; and with those of folders that have no line in the table, or no
# file.
set -euo pipefail
awk -v top="$1/" -v table="${3-$1/coverage.txt}" '
function percent(hit, all) { return all == 0 ? 100 : int(1000 * hit / all) / 10 }
function complain(text) { complaints = complaints text "\n" }
function judge(folder, what, got, least) {
    if (got >= least)
        return
    complain(sprintf("codecs/%s: %.1f%% of its %s are tested, %s%% are the least; most is missing in%s", folder, got,
                     what, least, worst(folder, what)))
}
# The three files of |folder| with most lines or branches that no test reaches.
function worst(folder, what, left, file, best, names, n) {
    split("", left)
    for (file in folder_of)
        if (folder_of[file] == folder)
            left[file] = what == "lines" ? lines[file] - lines_hit[file] : branches[file] - branches_hit[file]
    for (n = 0; n < 3; n++) {
        best = ""
        for (file in left)
            if (left[file] > 0 && (best == "" || left[file] > left[best] || (left[file] == left[best] && file < best)))
                best = file
        if (best == "")
            break
        names = names " " best " (" left[best] ")"
        delete left[best]
    }
    return names
}
BEGIN {
    while ((getline line <table) > 0) {
        if (line ~ /^#/ || split(line, word) == 0)
            continue
        order[++num] = word[1]
        least_lines[word[1]] = word[2]
        least_branches[word[1]] = word[3]
    }
    if (num == 0)
        complain(table " asks for nothing")
}
/^SF:/ {
    file = substr($0, 4)
    while (sub(/\/[^\/.][^\/]*\/\.\.\//, "/", file))
        ;
    if (index(file, top) != 1) {
        file = ""
        next
    }
    file = substr(file, length(top) + 1)
    folder_of[file] = folder = substr(file, 1, index(file, "/") - 1)
}
file == "" { next }
# Not LF and LH: these count a comment in a function as a line that nothing reaches.
/^DA:/ {
    lines[file]++
    all_lines[folder]++
    if ($0 !~ /,0$/) {
        lines_hit[file]++
        all_lines_hit[folder]++
    }
}
/^BRF:/ { branches[file] += substr($0, 5); all_branches[folder] += substr($0, 5) }
/^BRH:/ { branches_hit[file] += substr($0, 5); all_branches_hit[folder] += substr($0, 5) }
END {
    printf "%-12s %8s %8s %8s %10s %8s %8s\n", "codecs/", "lines", "tested", "least", "branches", "tested", "least"
    for (i = 1; i <= num; i++) {
        folder = order[i]
        if (!(folder in all_lines)) {
            complain("codecs/" folder ": no file of it was tested")
            continue
        }
        of_lines = percent(all_lines_hit[folder], all_lines[folder])
        of_branches = percent(all_branches_hit[folder], all_branches[folder])
        printf "%-12s %8d %7.1f%% %7s%% %10d %7.1f%% %7s%%\n", folder, all_lines[folder], of_lines,
            least_lines[folder], all_branches[folder], of_branches, least_branches[folder]
        judge(folder, "lines", of_lines, least_lines[folder])
        judge(folder, "branches", of_branches, least_branches[folder])
        sum_lines += all_lines[folder]
        sum_lines_hit += all_lines_hit[folder]
        sum_branches += all_branches[folder]
        sum_branches_hit += all_branches_hit[folder]
    }
    for (folder in all_lines)
        if (!(folder in least_lines))
            complain("codecs/" folder ": " table " does not say how much of it is to be tested")
    printf "%-12s %8d %7.1f%% %8s %10d %7.1f%%\n", "all", sum_lines, percent(sum_lines_hit, sum_lines), "",
        sum_branches, percent(sum_branches_hit, sum_branches)
    printf "%s", complaints >"/dev/stderr"
    exit complaints != ""
}' "$2"
