/* SPDX-License-Identifier: BSD-2-Clause */
/* For tests: what a message asks of its receiver, in one line. */
#ifndef CORE_TESTING_TRANSACTIONS_H
#define CORE_TESTING_TRANSACTIONS_H

#include <string.h>

#include "core/testing/hex.h"
#include "goldwire/format.h"

enum { GW_TRANSACTION_LINE = 160 };

/* gw_transaction_sample is a message, and what it asks. */
typedef struct gw_transaction_sample {
    const char *hex;
    const char *asks;
    uint8_t part;
    uint8_t transport;
} gw_transaction_sample;

static inline void gw_transaction_access(void *ctx, const gw_memory_access *access)
{
    static const char *const kinds[] = {", read ", ", write ", ", config "};
    gw_text *t = (gw_text *)ctx;

    gw_text_str(t, kinds[access->kind]);
    gw_text_hex(t, access->first, 1);
    gw_text_str(t, "-");
    gw_text_hex(t, access->last, 1);
}

/* gw_transaction_describe puts what |sample| asks into |line|: kind, what holds of it, addresses.
 */
static inline void gw_transaction_describe(char line[GW_TRANSACTION_LINE], const gw_format *format,
                                           const gw_dialect *dialect,
                                           const gw_transaction_sample *sample)
{
    char places[GW_TRANSACTION_LINE];
    uint8_t bytes[512];
    gw_text at = gw_text_over(places, sizeof places);
    gw_text t = gw_text_over(line, GW_TRANSACTION_LINE);
    gw_message m = gw_message_of(bytes, gw_hex_bytes(bytes, sizeof bytes, sample->hex));
    m.part = sample->part;
    m.transport = sample->transport;
    gw_transaction asked = gw_format_transaction(format, dialect, &m, gw_transaction_access, &at);
    gw_transaction unheard = gw_format_transaction(format, dialect, &m, NULL, NULL);

    gw_text_str(&t, asked.kind);
    gw_text_str(&t, asked.asks ? " asks" : "");
    gw_text_str(&t, asked.opens ? " opens" : "");
    gw_text_str(&t, asked.changes ? " changes" : "");
    gw_text_str(&t, asked.unsolicited ? " unsolicited" : "");
    gw_text_str(&t, asked.opaque ? " opaque" : "");
    gw_text_str(&t, asked.stoppable ? " stoppable" : "");
    gw_text_str(&t, asked.flow == GW_FLOW_STOP ? " stop" : asked.flow == GW_FLOW_GO ? " go" : "");
    gw_text_str(&t, places);
    if (strcmp(asked.kind, unheard.kind) != 0)
        gw_text_str(&t, ", and differs where nobody hears of addresses");
}

#endif
