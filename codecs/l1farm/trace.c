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

/* Takes the next clock if its flag is |high|. */
static bool next(gw_cursor *clocks, bool high, const uint8_t **clock)
{
    gw_cursor behind = *clocks;

    if (!gw_cursor_bytes(&behind, clock, GW_L1_CLOCK) || (GET(*clock, CLOCK_FLAG) != 0) != high)
        return false;
    *clocks = behind;
    return true;
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
    if (out->len <= sizeof out->symbols - 2)
        memcpy(out->symbols + out->len, clock + GW_L1_BYTE_OF_CLOCK_SYMBOL, 2);
    out->len += 2;
}

bool gw_l1_trace_read(gw_l1_traced *out, gw_cursor *clocks)
{
    gw_cursor c = *clocks;
    const uint8_t *clock;

    out->len = out->high = out->idles = 0;
    out->first = gw_cursor_offset(&c) == 0;
    while (next(&c, false, &clock))
        out->idles++;
    if (gw_cursor_left(&c) < GW_L1_CLOCK)
        return false;
    out->offset = gw_cursor_offset(&c);
    while (next(&c, true, &clock)) {
        keep(out, clock);
        out->high++;
    }
    bool echo = out->high == ECHO_HIGH;
    unsigned tail = echo ? ECHO_TAIL : SEND_TAIL;
    out->kind = echo                             ? GW_L1_SCI_IS_ECHO
                : is_send(out->high + SEND_TAIL) ? GW_L1_SCI_SEND
                                                 : GW_L1_SCI_UNKNOWN;
    for (; tail > 0 && next(&c, false, &clock); tail--)
        keep(out, clock);
    out->whole = tail == 0;
    *clocks = c;
    return true;
}

bool gw_l1_trace_next(gw_l1_traced *out, const uint8_t *data, size_t len, size_t *at)
{
    gw_cursor clocks = gw_cursor_over(data, len);

    if (!gw_cursor_skip(&clocks, *at) || !gw_l1_trace_read(out, &clocks))
        return false;
    *at = gw_cursor_offset(&clocks);
    return true;
}
