/* SPDX-License-Identifier: BSD-2-Clause */
/* Stands for core/report.c, core/text.c and strcmp where what calls them is looked at: reads all
 * that they are handed, each letter and each number that a text asks for, and makes no text of it.
 * What is of the codecs has harnesses of its own. */
#include "core/report.h"
#include "proof/proof.h"

static volatile uint64_t seen;

/* By its specification the prover would know what libc's reads, but not which names differ. */
int strcmp(const char *a, const char *b)
{
    for (; *a != '\0' && *a == *b; a++)
        b++;
    return (unsigned char)*a - (unsigned char)*b;
}

void gw_report(const gw_judge *judge, const gw_rule *rule, const gw_field *field, uint32_t offset,
               const char *text, const uint64_t *numbers)
{
    gw_finding finding = {.rule = rule,
                          .field = field,
                          .frame = judge->frame,
                          .revealed_by = judge->revealed_by,
                          .offset = offset,
                          .text = text};

    seen = (uint64_t)rule->id[0];
    for (const char *p = text; *p != '\0'; p++) {
        if (*p != '%')
            continue;
        p++;
        //@ assert known: *p == 'd' || *p == 'x' || *p == 't' || *p == 's';
        if (*p != 's')
            seen = *numbers++;
    }
    if (any_bool())
        judge->sink->finding(judge->sink, &finding);
}

void gw_relate(gw_verdict_sink *sink, const gw_relation *relation)
{
    if (sink->relation != NULL)
        sink->relation(sink, relation);
}

gw_text gw_text_over(char *buf, size_t cap)
{
    gw_text t = {buf, cap, 0, false};

    buf[0] = '\0';
    buf[cap - 1] = '\0';
    return t;
}

static void grow(gw_text *t)
{
    t->len = (size_t)Frama_C_interval(0, (int)t->cap - 1);
    t->cut = any_bool();
}

void gw_text_put(gw_text *t, const char *s, size_t len)
{
    for (size_t i = 0; i < len; i++)
        seen = (unsigned char)s[i];
    grow(t);
}

void gw_text_dec(gw_text *t, uint64_t value)
{
    seen = value;
    grow(t);
}

void gw_text_hex(gw_text *t, uint64_t value, unsigned digits)
{
    seen = value + digits;
    grow(t);
}

void gw_text_bytes(gw_text *t, const uint8_t *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++)
        seen = bytes[i];
    grow(t);
}

void gw_text_value(gw_text *t, const gw_field *field, uint64_t value, unsigned digits)
{
    seen = field->base + value + digits;
    grow(t);
}

void gw_text_endpoint(gw_text *t, const gw_endpoint *end)
{
    seen = end->family + end->ip[0] + end->ip[15] + (uint64_t)end->port;
    grow(t);
}

void gw_text_end(gw_text *t, const gw_error *error)
{
    seen = error->kind + (uint64_t)error->offset;
    grow(t);
}
