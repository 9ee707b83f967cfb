/* SPDX-License-Identifier: BSD-2-Clause */
/* Comparing fields of a reply by their names, with the format's own walk. */
#include <inttypes.h>
#include <string.h>

#include "run/case.h"
#include "run/ctx.h"

/* A walk that looks for one field, or for the first leaf that should be zero and is not. */
typedef struct finder {
    gw_sink sink;
    const char *name; /* NULL: any reserved or padding leaf that is not zero */
    unsigned at;
    unsigned index;
    unsigned depth;
    unsigned containers; /* opened so far */
    bool found;
    gw_item item;
} finder;

static void on_open(gw_sink *sink, const gw_group *group, uint32_t index, uint32_t offset)
{
    finder *f = (finder *)sink;
    (void)group;
    (void)index;
    (void)offset;
    f->depth++;
    f->containers++;
}

static void on_close(gw_sink *sink, const gw_group *group, uint32_t end)
{
    finder *f = (finder *)sink;
    (void)group;
    (void)end;
    f->depth--;
}

static bool is_zero(const gw_item *item)
{
    if (item->field->type != GW_BYTES)
        return item->value == 0;
    for (uint32_t i = 0; i < item->bits / 8; i++)
        if (item->bytes[i] != 0)
            return false;
    return true;
}

static bool matches(const finder *f, const gw_item *item)
{
    if (item->field->view)
        return false;
    if (f->name == NULL)
        return (item->field->use == GW_RESERVED || item->field->use == GW_PADDING) &&
               !is_zero(item);
    bool inside = f->depth > 0;
    return strcmp(item->field->name, f->name) == 0 && item->index == f->index &&
           (!inside || f->containers == f->at + 1);
}

static void on_item(gw_sink *sink, const gw_item *item)
{
    finder *f = (finder *)sink;
    if (f->found || !matches(f, item))
        return;
    f->found = true;
    f->item = *item;
}

static finder find(gw_ctx *ctx, const gw_message *message, const char *name, unsigned at,
                   unsigned index)
{
    finder f = {.sink = {.item = on_item, .open = on_open, .close = on_close},
                .name = name,
                .at = at,
                .index = index};
    (void)ctx->suite->format->walk(message, ctx->setup->dialect, &f.sink);
    return f;
}

void gw_case_expect(gw_ctx *ctx, const gw_message *message, unsigned number, const gw_want *want)
{
    finder f = find(ctx, message, want->field, want->at, want->index);
    const gw_field *field = gw_format_field(ctx->suite->format, want->field);
    gw_miss miss = {.rule = want->rule,
                    .field = field,
                    .packet = number,
                    .offset = message->len,
                    .expected = want->value,
                    .proven = true};
    if (!f.found) {
        gw_case_mark(ctx, number, "%s: %s is missing", want->rule, want->field);
        gw_case_fail(ctx, &miss, "%s is missing from a reply of %" PRIu32 " bytes", want->field,
                     message->len);
    }
    uint64_t mask = want->mask == 0 ? UINT64_MAX : want->mask;
    if (((f.item.value ^ want->value) & mask) == 0)
        return;
    miss.field = f.item.field;
    miss.offset = f.item.offset;
    miss.got = f.item.value;
    gw_case_mark(ctx, number, "%s: %s is 0x%" PRIx64 ", expected 0x%" PRIx64, want->rule,
                 want->field, f.item.value, want->value);
    gw_case_fail(ctx, &miss,
                 "%s at byte %" PRIu32 ": expected 0x%" PRIx64 ", got 0x%" PRIx64 " (%s)",
                 want->field, f.item.offset, want->value, f.item.value,
                 gw_clause_of(ctx->suite->format, f.item.field->clause).text);
}

void gw_case_expect_clear(gw_ctx *ctx, const gw_message *message, unsigned number, const char *rule)
{
    finder f = find(ctx, message, NULL, 0, 0);
    if (!f.found)
        return;
    gw_miss miss = {.rule = rule,
                    .field = f.item.field,
                    .packet = number,
                    .offset = f.item.offset,
                    .got = f.item.value,
                    .proven = true};
    gw_case_mark(ctx, number, "%s: %s is not zero", rule, f.item.field->name);
    gw_case_fail(ctx, &miss, "%s at byte %" PRIu32 " is 0x%" PRIx64 ", zero expected (%s)",
                 f.item.field->name, f.item.offset, f.item.value,
                 gw_clause_of(ctx->suite->format, f.item.field->clause).text);
}
