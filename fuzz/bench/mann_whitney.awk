# SPDX-License-Identifier: BSD-2-Clause
# The two-sided Mann-Whitney U test, exact, with ties by mid-ranks: how likely two samples of one population differ as
# much as these or more. Reads lines "NAME VALUE" of two names; prints, with the first name first,
# "median1 median2 U p", U the number of pairs in which the first name's value is the larger one, ties half.

function median(v, n,    i, j, t) {
    for (i = 2; i <= n; i++)
        for (j = i; j > 1 && v[j - 1] > v[j]; j--) {
            t = v[j]
            v[j] = v[j - 1]
            v[j - 1] = t
        }
    return n % 2 ? v[(n + 1) / 2] : (v[n / 2] + v[n / 2 + 1]) / 2
}

{
    if (first == "")
        first = $1
    if ($1 == first)
        a[++na] = $2 + 0
    else
        b[++nb] = $2 + 0
}

END {
    if (na == 0 || nb == 0) {
        print "two samples are needed" > "/dev/stderr"
        exit 1
    }
    n = na + nb
    for (i = 1; i <= na; i++)
        all[i] = a[i]
    for (i = 1; i <= nb; i++)
        all[na + i] = b[i]
    # Twice the mid-rank, a whole number.
    for (i = 1; i <= n; i++) {
        rank[i] = 1
        for (j = 1; j <= n; j++)
            rank[i] += (all[j] < all[i]) * 2 + (all[j] == all[i])
        if (i <= na)
            seen += rank[i]
    }
    # ways[k, s]: how many choices of k values have ranks that add up to s.
    ways[0, 0] = 1
    for (i = 1; i <= n; i++) {
        top += rank[i]
        for (k = (i < na ? i : na); k >= 1; k--)
            for (s = top; s >= rank[i]; s--)
                if ((k - 1, s - rank[i]) in ways)
                    ways[k, s] += ways[k - 1, s - rank[i]]
    }
    mean = na * (n + 1)
    for (s = 0; s <= top; s++) {
        if (!((na, s) in ways))
            continue
        total += ways[na, s]
        if ((s - mean) ^ 2 >= (seen - mean) ^ 2)
            extreme += ways[na, s]
    }
    printf "%g %g %g %.4f\n", median(a, na), median(b, nb), seen / 2 - na * (na + 1) / 2, extreme / total
}
