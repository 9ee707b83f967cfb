/* SPDX-License-Identifier: BSD-2-Clause */
/* For tests: what a message carries of something larger, in one line. */
#ifndef CORE_TESTING_PORTIONS_H
#define CORE_TESTING_PORTIONS_H

#include "core/testing/hex.h"
#include "goldwire/format.h"

enum { GW_PORTION_LINE = 200 };

/* gw_portion_sample is a message, and what it carries. */
typedef struct gw_portion_sample {
    const char *hex;
    const char *carries;
    uint8_t part;
    uint8_t transport;
    uint8_t cut; /* bytes that the capture has cut */
} gw_portion_sample;

static inline void gw_portion_number(gw_text *t, const char *name, uint64_t value)
{
    gw_text_str(t, name);
    gw_text_hex(t, value, 1);
}

/* gw_portion_describe puts what |sample| carries into |line|: its whole, how it joins it, its
 * bytes; "nothing" where it carries nothing. */
static inline void gw_portion_describe(char line[GW_PORTION_LINE], const gw_format *format,
                                       const gw_dialect *dialect, const gw_portion_sample *sample)
{
    static const char *const joints[] = {" any", " first", " behind"};
    uint8_t bytes[512];
    gw_text t = gw_text_over(line, GW_PORTION_LINE);
    gw_message m = gw_message_of(bytes, gw_hex_bytes(bytes, sizeof bytes, sample->hex));
    gw_portion p;

    m.part = sample->part;
    m.transport = sample->transport;
    m.cap_len -= sample->cut;
    if (!format->portion(&m, dialect, &p)) {
        gw_text_str(&t, "nothing");
        return;
    }
    gw_text_str(&t, p.what);
    gw_portion_number(&t, " ", p.name);
    gw_portion_number(&t, " of ", p.size);
    gw_text_str(&t, joints[p.joint]);
    gw_text_str(&t, p.last ? " last" : "");
    gw_portion_number(&t, " channel ", p.channel);
    gw_portion_number(&t, " at ", p.at);
    gw_portion_number(&t, " next ", p.next);
    if (p.placed)
        gw_portion_number(&t, " offset ", p.offset);
    gw_portion_number(&t, ", ", p.len);
    gw_portion_number(&t, " of ", p.sent);
    gw_text_str(&t, ":");
    gw_text_bytes(&t, p.data, p.len < 2 ? p.len : 2);
}

#endif
