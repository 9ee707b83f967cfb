# SPDX-License-Identifier: BSD-2-Clause
# How the processor time of a packet grows, from what scale.sh leaves. gnuplot -c scale.gnuplot RESULTS.tsv OUT.svg
set terminal svg size 1000,700 background 'white' font ',11'
set output ARG2
set multiplot layout 2,2
set logscale x
set format x '10^{%T}'
set yrange [0:*]
set ylabel 'ns a packet'
set grid
set key outside right
kinds = "etherbone etherbone-tcp textarossa op2p ims ims-status l1farm l1farm-sci"
points(row, kind) = "< awk -F'\\t' '$1 == \"".row."\" && $2 == \"".kind."\" { print $3, $7 }' '".ARG1."' | sort -g"
set xlabel 'bytes of the capture'
plot for [i=1:words(kinds)] points("length", word(kinds, i)) using 1:2 with linespoints lc i pt 7 ps 0.4 title word(kinds, i)
set xlabel 'endpoints'
# without the second, so that each keeps its colour
kinds = "etherbone textarossa op2p ims ims-status l1farm l1farm-sci"
plot for [i=1:words(kinds)] points("endpoints", word(kinds, i)) using 1:2 with linespoints lc i + (i > 1) pt 7 ps 0.4 title word(kinds, i)
set xlabel 'requests under way'
plot for [i=1:words(kinds)] points("requests", word(kinds, i)) using 1:2 with linespoints lc i + (i > 1) pt 7 ps 0.4 title word(kinds, i)
set xlabel 'TCP connections'
plot points("connections", "etherbone-tcp") using 1:2 with linespoints pt 7 ps 0.4 title "one after the other", \
     points("open", "etherbone-tcp") using 1:2 with linespoints pt 7 ps 0.4 title "at a time"
unset multiplot
