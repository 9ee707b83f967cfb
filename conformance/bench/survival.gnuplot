# SPDX-License-Identifier: BSD-2-Clause
# Survival of mutants: the share of those that had a campaign, and were not found yet, over time, from what
# ./run bench-fuzz mutants leaves. gnuplot -c survival.gnuplot RESULTS.tsv OUT.svg SECONDS
set terminal svg size 800,500 background 'white'
set output ARG2
set xlabel 'seconds'
set ylabel 'not found'
set logscale x
set xrange [0.01:ARG3]
set yrange [0:1]
set grid
unset key
curve = "awk -F'\\t' '$3 == \"found\" { print $6 } $3 == \"found\" || $3 == \"missed\" { n++ } ".\
        "END { print n > \"/dev/stderr\" }'"
n = real(system(curve." '".ARG1."' 2>&1 >/dev/null"))
plot '< (echo 0.01; '.curve." '".ARG1."' 2>/dev/null) | sort -g" using 1:((n - $0) / n) with steps lw 2
