/* SPDX-License-Identifier: BSD-2-Clause */
/* Counting allocations that failed. Nothing here may allocate. */
#include "harness/memory.h"

#include <stdatomic.h>
#include <unistd.h>

static atomic_uint refusals;
static atomic_int needed; /* exit code; 0: a refusal is survived */

void gw_memory_refused(void)
{
    static const char text[] = "goldwire: out of memory\n";
    int exit_code = atomic_load(&needed);
    atomic_fetch_add(&refusals, 1);
    if (exit_code == 0)
        return;
    (void)!write(STDERR_FILENO, text, sizeof(text) - 1);
    _exit(exit_code);
}

unsigned gw_memory_refusals(void)
{
    return atomic_load(&refusals);
}

void gw_memory_need(int exit_code)
{
    atomic_store(&needed, exit_code);
}
