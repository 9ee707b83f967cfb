/* SPDX-License-Identifier: BSD-2-Clause */
/* A format's functions of one message, each an entry of its own, over any message of up to
 * PROOF_BYTES bytes. The bytes end where their object ends, so that one read too far leaves it. */
#include "proof/proof.h"

#define FORMAT PROOF_NAME(gw_, PROOF_FORMAT)
extern const gw_format FORMAT;

static uint8_t room[PROOF_BYTES];

static gw_endpoint any_endpoint(void)
{
    gw_endpoint end = {0};

    Frama_C_make_unknown((char *)&end, sizeof end);
    return end;
}

/* A message over the last |len| bytes of |room|; over none, and NULL, where that is -1. */
static gw_message any_message(int len)
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
    m.part = any_u8();
    m.part_arg = any_u32();
    m.interface = any_u32();
    m.link_type = any_u16();
    return m;
}

static const gw_dialect *any_dialect(void)
{
    size_t n = (size_t)Frama_C_interval(0, (int)FORMAT.num_dialects);

    return n == 0 ? NULL : &FORMAT.dialects[n - 1];
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

void proof_walk(void)
{
    int len = Frama_C_interval(PROOF_LEAST, PROOF_BYTES);
    //@ split len;
    gw_message m = any_message(len);
    gw_sink sink = {on_item, on_open, on_close};

    (void)FORMAT.walk(&m, any_dialect(), &sink);
}

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

void proof_check(void)
{
    int len = Frama_C_interval(PROOF_LEAST, PROOF_BYTES);
    //@ split len;
    gw_message m = any_message(len);
    gw_verdict_sink sink = {on_finding, on_relation};

    FORMAT.check(&m, any_dialect(), &sink);
}

static void on_access(void *ctx, const gw_memory_access *access)
{
    (void)ctx;
    seen = access->first;
}

void proof_transaction(void)
{
    int len = Frama_C_interval(PROOF_LEAST, PROOF_BYTES);
    //@ split len;
    gw_message m = any_message(len);
    gw_access_sink sink = {on_access, NULL};

    (void)FORMAT.transaction(&m, any_dialect(), &sink);
}

void proof_summary(void)
{
    char line[200];
    int len = Frama_C_interval(PROOF_LEAST, PROOF_BYTES);
    //@ split len;
    gw_message m = any_message(len);
    gw_text text = gw_text_over(line, sizeof line);

    FORMAT.summary(&m, any_dialect(), &text);
}

void proof_claims(void)
{
    int len = Frama_C_interval(PROOF_LEAST, PROOF_BYTES);
    //@ split len;
    gw_message m = any_message(len);
    gw_portion portion;

    seen = FORMAT.claims(&m);
    if (FORMAT.portion == NULL || !FORMAT.portion(&m, any_dialect(), &portion))
        return;
    if (portion.len > 0)
        seen = portion.data[0] + portion.data[portion.len - 1];
}
