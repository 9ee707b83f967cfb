/* SPDX-License-Identifier: BSD-2-Clause */
#include "groups.h"

#include <signal.h>
#include <stddef.h>

#define MAX_GROUPS 8

static volatile pid_t groups[MAX_GROUPS];

void gw_groups_replace(pid_t from, pid_t to)
{
    for (size_t i = 0; i < MAX_GROUPS; i++) {
        if (groups[i] != from)
            continue;
        groups[i] = to;
        return;
    }
}

void gw_groups_kill(void)
{
    for (size_t i = 0; i < MAX_GROUPS; i++)
        if (groups[i] > 0)
            (void)kill(-groups[i], SIGKILL);
}
