/* SPDX-License-Identifier: BSD-2-Clause */
/* Square roots, for shares that are reckoned with. */
#ifndef GOLDWIRE_MEASURE_ROOT_H
#define GOLDWIRE_MEASURE_ROOT_H

/* gw_root returns the square root of |x|, and 0 of what has none; by Newton's method, so that no
 * library is needed. */
static inline double gw_root(double x)
{
    double r = x > 1 ? x : 1;
    for (unsigned i = 0; i < 40; i++)
        r = (r + x / r) / 2;
    return x > 0 ? r : 0;
}

#endif
