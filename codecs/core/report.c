/* SPDX-License-Identifier: BSD-2-Clause */
/* Turns a broken rule into a finding with a text for people. */
#include "core/report.h"

#include "goldwire/text.h"

/* |ns| as milliseconds to the microsecond: "12.345 ms" */
static void put_time(gw_text *t, uint64_t ns)
{
    uint64_t us = ns / 1000;
    char fraction[] = {'.', (char)('0' + us / 100 % 10), (char)('0' + us / 10 % 10),
                       (char)('0' + us % 10), '\0'};

    gw_text_dec(t, us / 1000);
    gw_text_str(t, fraction);
    gw_text_str(t, " ms");
}

static void put_number(gw_text *t, char how, uint64_t number)
{
    switch (how) {
    case 'd':
        gw_text_dec(t, number);
        break;
    case 't':
        put_time(t, number);
        break;
    default:
        gw_text_hex(t, number, 2);
        break;
    }
}

static void put_letter(gw_text *t, char letter)
{
    //@ split t->len;
    if (t->len + 1 >= t->cap) {
        t->cut = true;
        return;
    }
    t->buf[t->len++] = letter;
    t->buf[t->len] = '\0';
}

static void expand(gw_text *t, const char *text, const uint64_t *numbers)
{
    uint64_t last = 0;

    for (const char *p = text; *p != '\0'; p++) {
        if (*p == '%' && p[1] == 's') {
            gw_text_str(t, last == 1 ? "" : "s");
            p++;
        } else if (*p == '%') {
            last = *numbers++;
            put_number(t, *++p, last);
        } else {
            put_letter(t, *p);
        }
    }
}

void gw_report(const gw_judge *judge, const gw_rule *rule, const gw_field *field, uint32_t offset,
               const char *text, const uint64_t *numbers)
{
    char buf[200];

    gw_text t = gw_text_over(buf, sizeof buf);
    expand(&t, text, numbers);
    if (gw_dialect_knows(judge->dialect, rule, NULL, buf) != NULL)
        return;
    gw_finding finding = {
        .rule = rule,
        .field = field,
        .frame = judge->frame,
        .revealed_by = judge->revealed_by,
        .offset = offset,
        .text = buf,
    };
    judge->sink->finding(judge->sink, &finding);
}

void gw_relate(gw_verdict_sink *sink, const gw_relation *relation)
{
    if (sink->relation != NULL)
        sink->relation(sink, relation);
}
