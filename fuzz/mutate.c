/* SPDX-License-Identifier: BSD-2-Clause */
/* Mutation itself: whatever the message. Input: one byte of format, one of dialect, one of part and
 * transport, one of aim and check bytes, two that the random numbers begin with, two of how much
 * may be written (big-endian), then the message.
 *
 * Oracles: no byte is written beyond what may be; the message stays as it was; the same state gives
 * the same bytes; a legal mutation is whole and has no finding, one that breaks a rule has its
 * finding, and alone when it says so; check bytes that are to be right are; a trimmed message is
 * shorter. */
#include "goldwire/mutate.h"
#include "fuzz.h"
#include "goldwire/mend.h"

enum { HEAD = 8, OUT_MAX = 4096, GUARD = 16, TRIES = 8 };

typedef struct judged {
    gw_verdict_sink sink;
    const gw_rule *rule;
    bool broken;
    bool others;
} judged;

static void on_finding(gw_verdict_sink *sink, const gw_finding *f)
{
    judged *j = (judged *)sink;

    if (f->rule == j->rule)
        j->broken = true;
    else
        j->others = true;
}

static judged judge(const gw_mutate_plan *plan, const gw_message *m)
{
    judged j = {.sink = {.finding = on_finding}, .rule = plan->rule};

    plan->format->check(m, plan->dialect, &j.sink);
    return j;
}

static void check_aim(const gw_mutate_plan *plan, const gw_mutation *did, const gw_message *m)
{
    gw_check_leaf stale[GW_MEND_MAX];

    if (!did->met)
        return;
    judged j = judge(plan, m);
    if (plan->aim == GW_MUTATE_LEGALLY)
        gw_fuzz_check(!j.others && plan->format->walk(m, plan->dialect, NULL).kind == GW_OK,
                      "a legal mutation breaks a rule, or off");
    if (plan->aim == GW_MUTATE_TO_BREAK)
        gw_fuzz_check(j.broken && (!did->alone || !j.others), "another rule is broken than asked");
    if (plan->derived == GW_DERIVED_MENDED || plan->aim == GW_MUTATE_LEGALLY)
        gw_fuzz_check(gw_mend_find(stale, plan->format, m, plan->dialect) == 0,
                      "check bytes are wrong");
}

/* Mutates |m| into the first |cap| bytes of |out|, the rest of which is a guard. */
static gw_mutation run(const gw_mutate_plan *plan, uint64_t seed, const gw_message *m, uint8_t *out,
                       size_t cap)
{
    gw_random random = {seed};

    memset(out, 0xa5, OUT_MAX + GUARD);
    gw_mutation did = gw_mutate(plan, &random, m, out, cap);
    gw_fuzz_check(did.len <= cap, "more is written than may be");
    for (size_t i = cap; i < cap + GUARD; i++)
        gw_fuzz_check(out[i] == 0xa5, "a byte is written beyond the end");
    return did;
}

static void trim(const gw_mutate_plan *plan, const gw_message *m, uint8_t *out)
{
    for (uint32_t piece = 0; piece < 16; piece++) {
        size_t len = gw_mutate_trim(plan->format, plan->dialect, m, piece, out, OUT_MAX);
        if (len == 0)
            return;
        gw_fuzz_check(len < m->cap_len, "a trimmed message is no shorter");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t out[OUT_MAX + GUARD], again[OUT_MAX + GUARD];

    if (size < HEAD || size > 1024)
        return 0;
    const gw_format *format = gw_formats[data[0] % gw_num_formats];
    gw_mutate_plan plan = {.format = format,
                           .dialect = gw_fuzz_dialect(format, data[1]),
                           .tries = TRIES,
                           .aim = data[3] % 3,
                           .derived = data[3] >> 2 & 3};
    size_t cap = gw_load_be16(data + 6) % (OUT_MAX + 1);
    uint8_t *bytes = gw_fuzz_copy(data + HEAD, size - HEAD);
    gw_message m = gw_message_of(size > HEAD ? bytes : NULL, size - HEAD);
    m.part = data[2] & 7;
    m.transport = (data[2] >> 3 & 3) % 3;
    m.part_arg = 0x44;
    m.side = (data[2] >> 5 & 3) % 3;
    if (plan.aim == GW_MUTATE_TO_BREAK)
        plan.rule = &format->rules[data[4] % format->num_rules];

    gw_mutation did = run(&plan, gw_load_be16(data + 4), &m, out, cap);
    gw_fuzz_read(did.met);
    gw_mutation same = run(&plan, gw_load_be16(data + 4), &m, again, cap);
    gw_fuzz_check(did.len == same.len && did.done == same.done &&
                      memcmp(out, again, sizeof out) == 0,
                  "the same state gives other bytes");
    gw_fuzz_check(size == HEAD || memcmp(bytes, data + HEAD, size - HEAD) == 0,
                  "the message is changed where it stands");
    gw_message now = gw_mutated(&m, out, did.len);
    check_aim(&plan, &did, &now);
    trim(&plan, &m, again);
    free(bytes);
    return 0;
}
