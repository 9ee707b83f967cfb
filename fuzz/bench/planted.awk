# SPDX-License-Identifier: BSD-2-Clause
# What planted.sh found, a line a fault and target: how many of the trials reached its place, met what makes it wrong,
# and found it, the medians of inputs and seconds of those that did, and what the targets of single packets did.
BEGIN { FS = "\t" }

function median(values,    n, i, k, v, sorted) {
    n = split(values, sorted, " ")
    for (i = 2; i <= n; i++) {
        v = sorted[i]
        for (k = i - 1; k > 0 && sorted[k] + 0 > v + 0; k--)
            sorted[k + 1] = sorted[k]
        sorted[k + 1] = v
    }
    return n == 0 ? "-" : n % 2 ? sorted[(n + 1) / 2] : (sorted[n / 2] + sorted[n / 2 + 1]) / 2
}

$5 == "other" {
    others++
    next
}

{
    key = $1 SUBSEP $3
    name[$1] = $2
    if ($3 ~ /_decode$/) {
        single = $3
        sub(/_decode$/, "", single)
        if ($5 == "unreached")
            next
        reached_single[$1] = reached_single[$1] " " single
        if ($5 != "not")
            found_single[$1] = found_single[$1] " " single
        if ($2 !~ /^control-/)
            next
    }
    if (!(key in trials))
        order[++num] = key
    trials[key]++
    tried[$1] = 1
    reached[key] += $8 != "-"
    met[key] += $9 != "-"
    if ($5 == "seeds" || $5 == "found") {
        found[key]++
        inputs[key] = inputs[key] " " $7
        took[key] = took[key] " " $6
        says[key] = $10
        by_seed[key] += $5 == "seeds"
        any[$1] = 1
    }
}

END {
    printf "%-34s %-18s %7s %7s %7s %7s %10s %7s  %s\n", "fault", "target", "reached", "met", "found", "by seed",
           "inputs", "s", "single-packet targets: reached; found"
    for (i = 1; i <= num; i++) {
        key = order[i]
        split(key, k, SUBSEP)
        n = trials[key]
        printf "%-34s %-18s %3d/%-3d %3d/%-3d %3d/%-3d %7d %10s %7s  %s; %s\n", name[k[1]], k[2], reached[key], n, met[key], n,
               found[key], n, by_seed[key], median(inputs[key]), median(took[key]),
               (k[1] in reached_single) ? substr(reached_single[k[1]], 2) : "none",
               (k[1] in found_single) ? substr(found_single[k[1]], 2) : "none"
    }
    for (f in tried) {
        if (name[f] ~ /^control-/)
            continue
        all++
        if (f in any)
            hit++
        if (f in found_single)
            wrong++
    }
    if (others)
        printf "%d searches ended with a find of their own, whose inputs lie beside the file: no faults of the bench\n", others
    printf "%d of %d found by the targets of sequences, %d by one of single packets\n", hit, all, wrong
}
