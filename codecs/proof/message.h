/* SPDX-License-Identifier: BSD-2-Clause */
/* Any message to a format, and who is told what it holds and what is wrong with it. */
#ifndef PROOF_MESSAGE_H
#define PROOF_MESSAGE_H

#include "goldwire/ib.h"
#include "proof/proof.h"

#define FORMAT PROOF_NAME(gw_, PROOF_FORMAT)
extern const gw_format FORMAT;

enum {
    PARTS = 5,            /* as many as any format knows, or more */
    LOWER = 32,           /* bytes of an IP header with a word of options, and of UDP's */
    LOWER_LEAST = 20 + 8, /* fewer are nothing to any format, and followed all at once */
};

/* Which of them: all, and one that there is not, unless the proof is of one; -1 is whichever, all
 * at once, for a format that hardly looks at it. */
#ifndef PROOF_PART
#define PROOF_PART 0
#define PROOF_PART_LAST PARTS
#else
#define PROOF_PART_LAST PROOF_PART
#endif

/* Likewise of the dialects. */
#ifdef PROOF_AT_ONCE
#define PROOF_DIALECT (-1)
#define PROOF_DIALECT_LAST (-1)
#else
#define PROOF_DIALECT 0
#define PROOF_DIALECT_LAST ((int)FORMAT.num_dialects)
#endif

static uint8_t room[PROOF_BYTES];
static uint8_t lower[LOWER];
static uint8_t frame[1];
static uint8_t lrh[GW_IB_LRH];
static uint8_t grh[GW_IB_GRH];
static gw_ib around;

static gw_endpoint any_endpoint(void)
{
    gw_endpoint end = {0};

    Frama_C_make_unknown((char *)&end, sizeof end);
    return end;
}

/* What stood around an InfiniBand packet, or NULL. */
static const gw_ib *any_ib(void)
{
    static const gw_ib *const either[] = {NULL, &around}; /* both at once */

    Frama_C_make_unknown((char *)lrh, sizeof lrh);
    Frama_C_make_unknown((char *)grh, sizeof grh);
    Frama_C_make_unknown((char *)&around, sizeof around);
    around.lrh = any_bool() ? lrh : NULL;
    around.grh = any_bool() ? grh : NULL;
    around.icrc_verdict = (uint8_t)Frama_C_interval(0, GW_IB_WRONG);
    around.vcrc_verdict = (uint8_t)Frama_C_interval(0, GW_IB_WRONG);
    around.foreign = any_bool();
    return either[Frama_C_interval(0, 1)];
}

/* A message over the last |len| bytes of |room|; over none, and NULL, where that is -1. */
static gw_message any_message(int len, uint8_t part)
{
    gw_message m = {0};

    Frama_C_make_unknown((char *)room, sizeof room);
    m.data = len < 0 ? NULL : room + (PROOF_BYTES - len);
    m.cap_len = len < 0 ? 0 : (uint32_t)len;
    m.len = Frama_C_unsigned_int_interval(m.cap_len, UINT32_MAX);
    m.time_ns = (int64_t)any_u64();
    m.src = any_endpoint();
    m.dst = any_endpoint();
    m.frame = any_u64();
    m.origin = any_u64();
    m.stream = any_u32();
    m.transport = (uint8_t)Frama_C_interval(0, GW_OVER_TCP);
    m.dir = (uint8_t)Frama_C_interval(0, GW_DIR_OUT);
    m.side = (uint8_t)Frama_C_interval(0, GW_SIDE_CALLED);
    m.tunnel = any_bool();
    m.part = part;
    m.part_arg = any_u32();
    m.interface = any_u32();
    m.link_type = any_u16();
    m.ib = any_ib();
    return m;
}

/* The headers below |m|: any |len| bytes; or none, and NULL, where that is -1. Of a frame's own it
 * is looked whether they are there. */
static void put_below(gw_message *m, int len)
{
    if (len < 0)
        return;
    Frama_C_make_unknown((char *)lower, sizeof lower);
    m->lower = lower + (LOWER - len);
    m->lower_len = (uint16_t)len;
    m->link = any_bool() ? frame : NULL;
    m->link_len = any_u16();
    m->frame_len = any_u32();
}

/* Whether what is below a message is there. */
static bool is_carried;

/* Runs |run| over any message in any dialect. What a message is read as hangs on its part and the
 * dialect: each of these is followed by itself, unless the proof says otherwise. Its length is any
 * at once, as a cursor knows where its bytes end, unless the proof asks for each of them. */
static void over_any(void (*run)(const gw_message *message, const gw_dialect *dialect))
{
    int none = Frama_C_interval(0, PROOF_LEAST < 0);
    int len = Frama_C_interval(PROOF_LEAST < 0 ? 0 : PROOF_LEAST, PROOF_BYTES);
    int part = Frama_C_interval(PROOF_PART, PROOF_PART_LAST);
    int n = Frama_C_interval(PROOF_DIALECT, PROOF_DIALECT_LAST);
    int below = -1;

    if (is_carried)
        below = Frama_C_interval(LOWER_LEAST - 1, LOWER);
    //@ split none;
    if (none)
        len = -1;
#ifdef PROOF_EACH_LENGTH
        //@ split len;
#endif
    //@ split part;
    //@ split below;
    //@ split n;
    if (n < 0)
        n = Frama_C_interval(0, (int)FORMAT.num_dialects);
    if (part < 0)
        part = Frama_C_interval(0, UINT8_MAX);
    else if (part == PARTS)
        part = Frama_C_interval(PARTS, UINT8_MAX);
    if (below == LOWER_LEAST - 1)
        below = Frama_C_interval(0, LOWER_LEAST - 1);
    gw_message m = any_message(len, (uint8_t)part);

    put_below(&m, below);
    run(&m, n == 0 ? NULL : &FORMAT.dialects[n - 1]);
}

static volatile uint64_t seen;

static void on_item(gw_sink *sink, const gw_item *item)
{
    (void)sink;
    seen = item->value;
    if (item->bytes != NULL && item->bits >= 8)
        seen = item->bytes[0] + item->bytes[item->bits / 8 - 1];
}

static void on_open(gw_sink *sink, const gw_group *group, uint32_t index, uint32_t offset)
{
    (void)sink;
    (void)group;
    seen = index + (uint64_t)offset;
}

static void on_close(gw_sink *sink, const gw_group *group, uint32_t end)
{
    (void)sink;
    (void)group;
    seen = end;
}

static gw_sink items = {.item = on_item, .open = on_open, .close = on_close};

static void on_finding(gw_verdict_sink *sink, const gw_finding *finding)
{
    (void)sink;
    seen = finding->frame;
}

static void on_relation(gw_verdict_sink *sink, const gw_relation *relation)
{
    (void)sink;
    seen = relation->request;
}

static gw_verdict_sink verdicts = {on_finding, on_relation};

#endif
