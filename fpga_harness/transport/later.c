/* SPDX-License-Identifier: BSD-2-Clause */
/* The list of what has to be done later. */
#include "later.h"

static gw_later *all;

void gw_later_add(gw_later *later)
{
    later->next = all;
    all = later;
}

void gw_later_remove(gw_later *later)
{
    for (gw_later **at = &all; *at != NULL; at = &(*at)->next) {
        if (*at == later) {
            *at = later->next;
            return;
        }
    }
}

int64_t gw_later_due(void)
{
    int64_t first = INT64_MAX;
    for (const gw_later *one = all; one != NULL; one = one->next) {
        int64_t due = one->due(one->arg);
        if (due < first)
            first = due;
    }
    return first;
}

void gw_later_run(int64_t now)
{
    for (gw_later *one = all; one != NULL; one = one->next)
        one->run(one->arg, now);
}
