/* SPDX-License-Identifier: BSD-2-Clause */
/* Judging fields by what their lines in the table say. */
#include "core/check.h"

#include "goldwire/text.h"

static void put_value(gw_text *t, const gw_field *field, uint64_t value)
{
    if (value == 0)
        gw_text_dec(t, value);
    else
        gw_text_value(t, field, value, 2);
}

/* "Method is 9; at most 7 is allowed" */
static void describe(gw_text *t, const gw_field *field, uint64_t value)
{
    gw_text_str(t, field->label);
    gw_text_str(t, " is ");
    put_value(t, field, value);
    switch (field->legal) {
    case GW_EXACTLY:
        gw_text_str(t, "; ");
        put_value(t, field, field->legal_value);
        gw_text_str(t, " is expected");
        break;
    case GW_ONE_BIT:
        gw_text_str(t, "; exactly one bit is expected");
        break;
    case GW_NONZERO:
        gw_text_str(t, "; any other number is allowed");
        break;
    case GW_AT_MOST:
        gw_text_str(t, "; at most ");
        put_value(t, field, field->legal_value);
        gw_text_str(t, " is allowed");
        break;
    default:
        gw_text_str(t, "; a multiple of ");
        gw_text_dec(t, field->legal_value);
        gw_text_str(t, " is expected");
        break;
    }
}

void gw_check_report(const gw_judge *judge, const gw_rule *rule, const gw_field *field,
                     uint64_t value, uint32_t offset)
{
    char buf[120];
    gw_text text = gw_text_over(buf, sizeof buf);

    describe(&text, field, value);
    gw_report(judge, rule, field, offset, buf, NULL);
}

bool gw_check_value(const gw_judge *judge, const gw_field *field, uint64_t value, uint32_t offset)
{
    if (gw_field_legal(field, value))
        return true;
    gw_check_report(judge, field->rule, field, value, offset);
    return false;
}

bool gw_check_group(const gw_judge *judge, const gw_group *group, const uint8_t *at, uint32_t start)
{
    bool legal = true;
    size_t first;

    for (const gw_field *f = group->fields; f != group->fields + group->num_fields; f++) {
        if (f->rule == NULL)
            continue;
        (void)gw_field_span(f, &first);
        if (!gw_check_value(judge, f, gw_field_get(f, at), start + (uint32_t)first))
            legal = false;
    }
    return legal;
}
