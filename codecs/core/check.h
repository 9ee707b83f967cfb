/* SPDX-License-Identifier: BSD-2-Clause */
/* Judging fields by what their lines in the table say: the legal value, and the rule that another
 * one breaks. What depends on more than the field is the format's own business. */
#ifndef CORE_CHECK_H
#define CORE_CHECK_H

#include "core/report.h"
#include "goldwire/cursor.h"

/* gw_check_bytes returns the |len| bytes of |message| from byte |offset| on; NULL when not all of
 * them were captured. */
static inline const uint8_t *gw_check_bytes(const gw_message *message, uint32_t offset,
                                            uint32_t len)
{
    gw_cursor c = gw_cursor_over(message->data, message->cap_len);
    const uint8_t *p;

    return gw_cursor_skip(&c, offset) && gw_cursor_bytes(&c, &p, len) ? p : NULL;
}

/* gw_check_group reports each field of the flat |group|, whose bytes are at |at| and begin at byte
 * |start| of the message, that holds what breaks its rule. True when none does. */
bool gw_check_group(const gw_judge *judge, const gw_group *group, const uint8_t *at,
                    uint32_t start);

/* gw_check_value reports |field|, which has a rule, at byte |offset| when |value| breaks it. */
bool gw_check_value(const gw_judge *judge, const gw_field *field, uint64_t value, uint32_t offset);

/* gw_check_report reports that |value| of |field| at byte |offset| breaks |rule|: for a field whose
 * rule depends on who sends it. */
void gw_check_report(const gw_judge *judge, const gw_rule *rule, const gw_field *field,
                     uint64_t value, uint32_t offset);

#endif
