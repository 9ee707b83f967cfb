/* SPDX-License-Identifier: BSD-2-Clause */
/* How long a board waits for an answer before it asks again. */
#include "boards/patience.h"

/* RFC 6298 section 2: alpha is 1/8, beta 1/4, K is 4. */
#define TRIP_SHARE 8
#define SPREAD_SHARE 4
#define SPREADS 4

/* Who answers is not the path alone: it may have to look something up first, or be busy. */
#define FLOOR_SHARE 4
#define TRIPS 8

void gw_patience_add(gw_patience *p, int64_t took_ns)
{
    if (!p->measured) {
        *p = (gw_patience){.trip_ns = took_ns, .spread_ns = took_ns / 2, .measured = true};
        return;
    }
    int64_t off_ns = took_ns - p->trip_ns;
    p->spread_ns += ((off_ns < 0 ? -off_ns : off_ns) - p->spread_ns) / SPREAD_SHARE;
    p->trip_ns += off_ns / TRIP_SHARE;
}

int64_t gw_patience_ns(const gw_patience *p, int64_t usual_ns, unsigned tries)
{
    if (!p->measured)
        return usual_ns;
    int64_t least_ns = p->trip_ns + SPREADS * p->spread_ns;
    int64_t wait_ns = usual_ns / FLOOR_SHARE + TRIPS * (p->trip_ns + p->spread_ns);
    for (unsigned i = 1; i < tries && wait_ns < usual_ns; i++)
        wait_ns *= 2;
    if (wait_ns > usual_ns)
        wait_ns = usual_ns;
    return wait_ns > least_ns ? wait_ns : least_ns;
}
