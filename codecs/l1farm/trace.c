/* SPDX-License-Identifier: BSD-2-Clause */
/* Packets in a trace of clocks. The flag is high from a packet's first symbol until four before its
 * end, or one before an echo's (W): so its run alone tells echoes from sends, and where they end.
 */
#include <string.h>

#include "l1farm/internal.h"

enum {
    ECHO_HIGH = 3,
    ECHO_TAIL = 1,
    SEND_TAIL = 4,
};

static bool high(const uint8_t *data, size_t at)
{
    return GET(data + at, CLOCK_FLAG) != 0;
}

/* 8, 16, 40, 72 or 136 symbols, and eight more with an extended header. */
static bool is_send(uint32_t symbols)
{
    uint32_t bytes = symbols * 2;

    return bytes >= 16 &&
           (gw_l1_sci_data_known(bytes - 16) || (bytes >= 32 && gw_l1_sci_data_known(bytes - 32)));
}

static void keep(gw_l1_traced *out, const uint8_t *clock)
{
    if (out->len + 2 <= sizeof out->symbols)
        memcpy(out->symbols + out->len, clock + GW_L1_BYTE_OF_CLOCK_SYMBOL, 2);
    out->len += 2;
}

bool gw_l1_trace_next(gw_l1_traced *out, const uint8_t *data, size_t len, size_t *at)
{
    size_t p = *at;

    out->len = out->high = out->idles = 0;
    out->first = p == 0;
    for (; p + GW_L1_CLOCK <= len && !high(data, p); p += GW_L1_CLOCK)
        out->idles++;
    if (p + GW_L1_CLOCK > len)
        return false;
    out->offset = (uint32_t)p;
    for (; p + GW_L1_CLOCK <= len && high(data, p); p += GW_L1_CLOCK) {
        keep(out, data + p);
        out->high++;
    }
    bool echo = out->high == ECHO_HIGH;
    unsigned tail = echo ? ECHO_TAIL : SEND_TAIL;
    out->kind = echo                             ? GW_L1_SCI_IS_ECHO
                : is_send(out->high + SEND_TAIL) ? GW_L1_SCI_SEND
                                                 : GW_L1_SCI_UNKNOWN;
    for (; tail > 0 && p + GW_L1_CLOCK <= len && !high(data, p); p += GW_L1_CLOCK, tail--)
        keep(out, data + p);
    out->whole = tail == 0;
    *at = p;
    return true;
}
