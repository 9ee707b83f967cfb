/* SPDX-License-Identifier: BSD-2-Clause */
/* Level-1 farm cases: what a readout unit is sent, and what is made of what it sends. */
#include "formats/l1farm/ru/suite.h"
#include "goldwire/writer.h"

#define UNDER_WAY 65536 /* bursts, at most */
#define MANY 16         /* descriptors, of which one is likely to get lost where anything does */
#define TIMES 2         /* that these are written */

/* ---- registers ---- */

void gw_l1r_write(gw_ctx *ctx, uint16_t offset, uint32_t value)
{
    uint8_t bytes[8] = {0, GW_L1_WRITE};

    gw_store_be(bytes + 2, offset, 2);
    gw_store_be(bytes + 4, value, 4);
    gw_l1c_send(ctx, (gw_l1_shim){.kind = GW_L1_KIND_REGISTER, .length = sizeof(bytes)}, bytes);
}

static bool try_read(gw_ctx *ctx, uint16_t offset, uint32_t *value)
{
    unsigned tries = 0;
    bool came;

    do
        came = gw_l1c_register(ctx, offset, value, gw_case_reply_ns(ctx));
    while (!came && gw_case_again(ctx, &tries));
    return came;
}

uint32_t gw_l1r_read(gw_ctx *ctx, uint16_t offset)
{
    uint32_t value;

    if (!try_read(ctx, offset, &value))
        gw_case_inconc(ctx, "register 0x%03x cannot be read", offset);
    return value;
}

void gw_l1r_run_out(gw_ctx *ctx)
{
    gw_connection *out = gw_case_link(ctx, "out");
    gw_l1c_got got;

    (void)gw_l1r_read(ctx, GW_L1_DMACNTRL);
    /* Where nothing comes apart, the answer shows that the last of them is here. */
    bool apart = gw_case_near(ctx) || gw_case_spread_ns(ctx) > 0;
    int64_t deadline =
        gw_case_now(out) + gw_case_lag_ns(ctx) + (apart ? gw_case_settle_ns(ctx) : 0);
    bool more = true;
    for (unsigned i = 0; i < UNDER_WAY && more; i++)
        more = gw_l1c_next(ctx, &got, deadline - gw_case_now(out));
    if (apart)
        gw_l1c_drain(ctx);
}

void gw_l1r_describe(gw_ctx *ctx, unsigned which, uint32_t target, uint32_t bytes)
{
    const gw_l1_profile *p = gw_l1_profile_of(gw_case_dialect(ctx));
    gw_l1_descriptor d = {.target = target, .blocksize = bytes / p->unit};
    uint8_t image[GW_L1_DESCRIPTOR];

    gw_l1_put_descriptor(image, &d, p);
    gw_l1c_send(ctx,
                (gw_l1_shim){.kind = GW_L1_KIND_DESCRIPTORS,
                             .little = true,
                             .offset = which * GW_L1_DESCRIPTOR,
                             .length = GW_L1_DESCRIPTOR},
                image);
}

unsigned gw_l1r_times(gw_ctx *ctx, unsigned num)
{
    return gw_case_loses(ctx) && num >= MANY ? TIMES : 1;
}

static void program(gw_ctx *ctx, unsigned num, uint32_t bytes, uint32_t control)
{
    gw_l1r_write(ctx, GW_L1_DMACNTRL, GW_L1_DMA_CLEAR);
    for (unsigned i = 0; i < num * gw_l1r_times(ctx, num); i++)
        gw_l1r_describe(ctx, i % num, GW_L1_TARGET(GW_L1R_NODE + i % num, i % num % 2, GW_L1R_SLOT),
                        bytes);
    gw_l1r_write(ctx, GW_L1_DESCS, num - 1);
    gw_l1r_write(ctx, GW_L1_DMACNTRL, control);
}

/* Nothing acknowledges a write. Reading shows whether these arrived; how well registers are kept is
 * for the cases about them. */
static bool arrived(gw_ctx *ctx, uint16_t offset, uint32_t value)
{
    const uint32_t kept = ~(uint32_t)(GW_L1_DMA_RESERVED | GW_L1_DMA_STATUS | GW_L1_DMA_CLEAR);
    uint32_t seen = 0;

    return try_read(ctx, offset, &seen) && ((seen ^ value) & kept) == 0;
}

void gw_l1r_set_up(gw_ctx *ctx, unsigned num, uint32_t bytes, uint32_t control)
{
    unsigned tries = 0;

    ((gw_l1c_ru_state *)gw_case_state(ctx))->has_aside = false;
    do
        program(ctx, num, bytes, control);
    while ((!arrived(ctx, GW_L1_DMACNTRL, control) || !arrived(ctx, GW_L1_DESCS, num - 1)) &&
           gw_case_again(ctx, &tries));
}

/* ---- tags ---- */

static void line_at(gw_ctx *ctx, uint8_t which, uint8_t edge, uint32_t step)
{
    const uint8_t bytes[4] = {which, edge, 0, 0};

    gw_l1c_send(ctx, (gw_l1_shim){.kind = GW_L1_KIND_EDGE, .step = step, .length = sizeof(bytes)},
                bytes);
}

void gw_l1r_line(gw_ctx *ctx, uint8_t which, uint8_t edge)
{
    line_at(ctx, which, edge, 0);
}

void gw_l1r_pulse_at(gw_ctx *ctx, uint32_t step)
{
    line_at(ctx, GW_L1_TIN, 1, step);
    line_at(ctx, GW_L1_TIN, 0, step);
}

void gw_l1r_pulse(gw_ctx *ctx)
{
    gw_l1r_pulse_at(ctx, 0);
}

void gw_l1r_coded(gw_ctx *ctx, uint16_t dest, uint32_t flips, uint32_t step)
{
    const gw_l1_profile *p = gw_l1_profile_of(gw_case_dialect(ctx));
    uint8_t word[4];

    gw_store_be(word, gw_l1_tag_encode(dest, (gw_l1_code)p->code) ^ flips, 4);
    gw_l1c_send(ctx, (gw_l1_shim){.kind = GW_L1_KIND_TAG, .step = step, .length = 4}, word);
}

static void copy(gw_ctx *ctx, gw_l1c_got *to, const gw_l1c_got *from)
{
    *to = *from;
    to->message.data = to->bytes;
    (void)gw_l1_decode(&to->u, &to->message, gw_case_dialect(ctx));
}

bool gw_l1r_next(gw_ctx *ctx, gw_l1c_got *got, uint8_t kind, int64_t timeout_ns)
{
    gw_l1c_ru_state *s = gw_case_state(ctx);
    gw_connection *out = gw_case_link(ctx, "out");
    int64_t deadline = gw_case_now(out) + timeout_ns;

    if (s->has_aside && s->aside.u.shim.kind == kind) {
        copy(ctx, got, &s->aside);
        s->has_aside = false;
        return true;
    }
    while (gw_l1c_next(ctx, got, deadline - gw_case_now(out))) {
        if (got->u.has_shim && got->u.shim.kind == kind)
            return true;
        if (got->u.has_shim && gw_case_spread_ns(ctx) > 0) {
            copy(ctx, &s->aside, got);
            s->has_aside = true;
        }
    }
    return false;
}

void gw_l1r_want_burst(gw_ctx *ctx, const gw_l1c_got *got, const char *rule, unsigned which,
                       uint32_t len, uint16_t event)
{
    gw_l1c_want(ctx, got, rule, "l1farm.tunnel.dest", GW_L1R_NODE + which);
    gw_l1c_want(ctx, got, rule, "l1farm.tunnel.buffer", which % 2);
    gw_l1c_want(ctx, got, rule, "l1farm.tunnel.offset", GW_L1R_SLOT);
    gw_l1c_want(ctx, got, rule, "l1farm.tunnel.length", len);
    gw_l1c_want(ctx, got, rule, "l1farm.tunnel.event", event);
}

void gw_l1r_expect_burst(gw_ctx *ctx, gw_l1c_got *got, const char *rule, unsigned which,
                         uint32_t len, uint16_t event)
{
    gw_miss miss = {.rule = rule};

    if (!gw_l1r_next(ctx, got, GW_L1_KIND_SUBEVENT, gw_case_reply_ns(ctx)))
        gw_case_fail(ctx, &miss, "a tag was followed by no burst");
    gw_l1r_want_burst(ctx, got, rule, which, len, event);
}

unsigned gw_l1r_count(gw_ctx *ctx, unsigned most)
{
    gw_l1c_got got;
    unsigned num = 0;

    while (num < most && gw_l1r_next(ctx, &got, GW_L1_KIND_SUBEVENT, gw_case_settle_ns(ctx)))
        num++;
    return num;
}

bool gw_l1r_is_edge(const gw_l1c_got *got, uint8_t which, uint8_t edge)
{
    return got->u.has == GW_L1_HAS_EDGE && got->u.u.edge.line == which &&
           got->u.u.edge.edge == edge;
}

void gw_l1r_no_burst(gw_ctx *ctx, const char *rule, const char *after)
{
    gw_miss miss = {.rule = rule};
    gw_l1c_got got;

    if (gw_l1r_next(ctx, &got, GW_L1_KIND_SUBEVENT, gw_case_settle_ns(ctx))) {
        miss.packet = got.number;
        gw_case_fail(ctx, &miss, "a burst to node 0x%x follows %s", got.u.shim.dest, after);
    }
}
