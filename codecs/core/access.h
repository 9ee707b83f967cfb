/* SPDX-License-Identifier: BSD-2-Clause */
/* Reporting the addresses that a message touches. */
#ifndef CORE_ACCESS_H
#define CORE_ACCESS_H

#include "goldwire/transaction.h"

/* gw_report_access reports |len| bytes from |first| on; none are not reported. */
static inline void gw_report_access(const gw_access_sink *sink, gw_access_kind kind, uint64_t first,
                                    uint64_t len)
{
    uint64_t last = len - 1 > UINT64_MAX - first ? UINT64_MAX : first + len - 1;
    gw_memory_access access = {.first = first, .last = last, .kind = (uint8_t)kind};
    if (sink->fn != NULL && len > 0)
        sink->fn(sink->ctx, &access);
}

#endif
