/* SPDX-License-Identifier: BSD-2-Clause */
/* Quotes for a shell. */
#include "evidence/quote.h"

#include <string.h>

void gw_quote(gw_text *text, const char *option, const char *value)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=,+@%[]";
    if (value == NULL)
        return;
    gw_text_str(text, text->len > 0 ? " " : "");
    gw_text_str(text, option);
    if (value[0] != '\0' && value[strspn(value, plain)] == '\0') {
        gw_text_str(text, value);
        return;
    }
    gw_text_str(text, "'");
    for (; *value != '\0'; value++) {
        const char one[2] = {*value, '\0'};
        gw_text_str(text, *value == '\'' ? "'\\''" : one);
    }
    gw_text_str(text, "'");
}
