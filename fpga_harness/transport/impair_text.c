/* SPDX-License-Identifier: BSD-2-Clause */
/* Impairments in words, as a URL says them. */
#include <inttypes.h>
#include <stdio.h>

#include "goldwire/text.h"
#include "harness/impair.h"

static void add_name(gw_text *text, const char *name)
{
    gw_text_str(text, text->len > 0 ? "&" : "");
    gw_text_str(text, name);
    gw_text_str(text, "=");
}

/* Appends |value| thousand-millionths; of its nine decimals the last zeros are left out. */
static void add_decimal(gw_text *text, int64_t value)
{
    char digits[40];
    size_t len = (size_t)snprintf(digits, sizeof(digits), "%" PRId64 ".%09" PRId64,
                                  value / GW_IMPAIR_SCALE, value % GW_IMPAIR_SCALE);
    while (digits[len - 1] == '0')
        len--;
    digits[digits[len - 1] == '.' ? len - 1 : len] = '\0';
    gw_text_str(text, digits);
}

static void add_share(gw_text *text, const char *name, uint32_t share)
{
    if (share == 0)
        return;
    add_name(text, name);
    add_decimal(text, share);
}

/* Appends |ns| in the unit that it is at least one of. */
static void add_duration(gw_text *text, int64_t ns)
{
    static const struct {
        int64_t ns;
        const char *name;
    } units[] = {{1000000000, "s"}, {1000000, "ms"}, {1000, "us"}, {1, "ns"}};
    size_t i = 0;
    while (units[i].ns > 1 && ns < units[i].ns)
        i++;
    int64_t rest = ns % units[i].ns * (GW_IMPAIR_SCALE / units[i].ns);
    add_decimal(text, ns / units[i].ns * GW_IMPAIR_SCALE + rest);
    gw_text_str(text, units[i].name);
}

static void add_time(gw_text *text, const char *name, int64_t ns)
{
    if (ns <= 0)
        return;
    add_name(text, name);
    add_duration(text, ns);
}

const char *gw_impair_text(const gw_impairment *what, char *out, size_t cap)
{
    gw_text text = gw_text_over(out, cap);
    add_share(&text, "loss", what->loss);
    add_share(&text, "reorder", what->reorder);
    add_share(&text, "duplicate", what->duplicate);
    add_share(&text, "corrupt", what->corrupt);
    add_time(&text, "rtt", 2 * what->delay_ns);
    add_time(&text, "jitter", what->jitter_ns);
    if (what->outage_ns > 0) {
        add_name(&text, "outage");
        add_duration(&text, what->outage_from_ns > 0 ? what->outage_from_ns : 0);
        gw_text_str(&text, "+");
        add_duration(&text, what->outage_ns);
    }
    if (what->mtu != 0) {
        add_name(&text, "mtu");
        gw_text_dec(&text, what->mtu);
    }
    return out;
}
