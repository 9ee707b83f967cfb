/* SPDX-License-Identifier: BSD-2-Clause */
/* Times as text. */
#include "inspect/stamp.h"

#define NS_PER_S 1000000000u

static void remember(gw_stamp_second *second, uint64_t value)
{
    gw_text t = gw_text_over(second->text, sizeof second->text);

    gw_text_dec(&t, value);
    gw_text_str(&t, ".");
    second->value = value;
    second->len = t.len;
}

void gw_stamp_add(gw_text *t, int64_t ns, gw_stamp_second *second)
{
    /* The magnitude as unsigned: the most negative number has none as signed. */
    uint64_t size = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;

    if (ns < 0)
        gw_text_str(t, "-");
    if (second->len == 0 || second->value != size / NS_PER_S)
        remember(second, size / NS_PER_S);
    gw_text_put(t, second->text, second->len);
    gw_text_digits(t, (uint32_t)(size % NS_PER_S), 9);
}

const char *gw_stamp_text(char out[GW_STAMP_MAX], int64_t ns)
{
    gw_text t = gw_text_over(out, GW_STAMP_MAX);
    gw_stamp_second second = {.len = 0};

    gw_stamp_add(&t, ns, &second);
    return out;
}

bool gw_stamp_parse(int64_t *out, const char *text)
{
    bool negative = *text == '-';
    uint64_t seconds = 0, fraction = 0, unit = NS_PER_S;

    if (negative)
        text++;
    if (*text < '0' || *text > '9')
        return false;
    for (; *text >= '0' && *text <= '9'; text++) {
        seconds = seconds * 10 + (uint64_t)(*text - '0');
        if (seconds > INT64_MAX / NS_PER_S)
            return false;
    }
    if (*text == '.') {
        for (text++; *text >= '0' && *text <= '9' && unit > 1; text++) {
            unit /= 10;
            fraction += (uint64_t)(*text - '0') * unit;
        }
    }
    if (*text != '\0')
        return false;
    uint64_t size = seconds * NS_PER_S + fraction;
    if (size > (uint64_t)INT64_MAX + (negative ? 1 : 0))
        return false;
    *out = negative ? (int64_t)(0 - size) : (int64_t)size;
    return true;
}
