/* SPDX-License-Identifier: BSD-2-Clause */
/* What a measured figure is to be, behind it, and whether it is missed. */
#ifndef GOLDWIRE_BENCH_AIM_H
#define GOLDWIRE_BENCH_AIM_H

#include <stdio.h>

/* gw_aim_at_most and gw_aim_at_least end a line with what is aimed at for |figure|; 0: nothing. */
static inline void gw_aim_at_most(double figure, double aim)
{
    if (aim > 0)
        printf("  aim at most %g%s", aim, figure > aim ? ": missed" : "");
    putchar('\n');
}

static inline void gw_aim_at_least(double figure, double aim)
{
    if (aim > 0)
        printf("  aim at least %g%s", aim, figure < aim ? ": missed" : "");
    putchar('\n');
}

#endif
