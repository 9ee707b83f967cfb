/* SPDX-License-Identifier: BSD-2-Clause */
/* The Level-1 farm: decode and round trip of every carriage. Input: two bytes (dialect; part, and
 * what the capture cut), then the message.
 *
 * Oracles: every bit in exactly one leaf; the leaves give the message back; errors lie inside; the
 * struct decoder says what the walk says, and its data lie in the message; a header, a result and a
 * descriptor go back to the same bytes; a tag that is corrected is a word of the code with one bit
 * wrong; a traced packet lies in its trace. */
#include "crash/layout.h"
#include "fuzz.h"
#include "goldwire/l1farm.h"
#include "worth/worth.h"

struct judge {
    gw_verdict_sink sink;
    const gw_message *message;
};

static void on_finding(gw_verdict_sink *sink, const gw_finding *f)
{
    const gw_message *m = ((const struct judge *)sink)->message;

    gw_fuzz_check(f->rule != NULL && f->field != NULL && f->text[0] != '\0',
                  "a finding without rule, field or text");
    gw_fuzz_check(f->offset <= m->len, "a finding outside the message");
}

static void check_tag(const gw_l1_unit *u, const gw_l1_profile *profile)
{
    const gw_l1_tag *tag = &u->u.tag;
    uint32_t word = gw_l1_tag_encode(tag->dest, (gw_l1_code)profile->code);
    uint32_t flip = tag->bit == GW_L1_NO_BIT ? 0 : UINT32_C(1) << tag->bit;

    if (tag->status == GW_L1_TAG_FATAL)
        return;
    gw_fuzz_check((tag->status == GW_L1_TAG_CLEAN) == (flip == 0), "a tag corrected without a bit");
    gw_fuzz_check((u->word ^ flip) == word, "a tag that is not its word");
}

static void check_trace(const gw_l1_unit *u)
{
    gw_l1_traced p;
    size_t at = 0, before = 0;

    while (gw_l1_trace_next(&p, u->data, u->data_len, &at)) {
        gw_fuzz_check(at > before && at <= u->data_len, "a trace that does not go on");
        gw_fuzz_check(p.high > 0 && p.offset >= before && p.offset < at,
                      "a packet outside its trace");
        gw_fuzz_check((size_t)p.len / 2 * GW_L1_CLOCK == at - p.offset, "a packet of other clocks");
        before = at;
    }
}

/* A send packet that is whole, and right, is built again as it came. */
static void check_send(const gw_l1_sci *sci, const gw_l1_profile *profile)
{
    if (sci->kind != GW_L1_SCI_SEND || !sci->has_crc || sci->extended ||
        sci->crc != sci->crc_expected)
        return;
    uint8_t *again = gw_fuzz_lend(NULL, sci->len);
    gw_fuzz_check(gw_l1_build_send(again, sci->len, sci, profile) == sci->len &&
                      memcmp(again, sci->data - GW_L1_SCI_HEADER, sci->len) == 0,
                  "a packet changes on the way");
    gw_fuzz_take_back(again);
}

static void check_image(const gw_l1_unit *u, const gw_l1_profile *profile)
{
    uint8_t again[GW_L1_DESCRIPTOR];

    if (u->has == GW_L1_HAS_RESULT) {
        gw_l1_put_result(again, &u->u.result);
        gw_fuzz_check(memcmp(again, u->data, GW_L1_RESULT) == 0, "a result changes on the way");
    }
    for (uint32_t at = 0; u->has == GW_L1_HAS_DESCRIPTORS && at + sizeof again <= u->data_len;
         at += sizeof again) {
        gw_l1_descriptor d = gw_l1_get_descriptor(u->data + at, profile);
        gw_l1_put_descriptor(again, &d, profile);
        gw_fuzz_check(memcmp(again, u->data + at, sizeof again) == 0,
                      "a descriptor changes on the way");
    }
}

static void agree(const gw_message *m, const gw_dialect *dialect, const gw_error *walked)
{
    uint8_t shim[GW_L1_SHIM];
    gw_l1_unit u;
    gw_error error = gw_l1_decode(&u, m, dialect);
    const gw_l1_profile *profile = gw_l1_profile_of(dialect);

    gw_fuzz_check(error.kind == walked->kind && error.offset == walked->offset &&
                      error.field == walked->field,
                  "decoder and walk disagree");
    gw_fuzz_check(u.data_offset + u.data_len <= m->cap_len &&
                      (u.data_len == 0 || u.data == m->data + u.data_offset),
                  "data outside the message");
    if (u.has_shim) {
        gw_l1_put_shim(shim, &u.shim);
        gw_fuzz_check(memcmp(shim, m->data, sizeof shim) == 0, "a header changes on the way");
    }
    if (u.has == GW_L1_HAS_SCI && u.u.sci.data_len > 0)
        gw_fuzz_check(u.u.sci.data >= m->data &&
                          u.u.sci.data + u.u.sci.data_len <= m->data + m->cap_len,
                      "SCI data outside the message");
    if (u.has == GW_L1_HAS_SCI)
        check_send(&u.u.sci, profile);
    if (u.has == GW_L1_HAS_TAG)
        check_tag(&u, profile);
    if (u.has == GW_L1_HAS_TRACE)
        check_trace(&u);
    check_image(&u, profile);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2 || size > 4096)
        return 0;
    const gw_dialect *dialect = gw_fuzz_dialect(&gw_l1farm, data[0]);
    uint8_t *bytes = gw_fuzz_lend(data + 2, size - 2);
    gw_message m =
        gw_fuzz_message(&gw_fuzz_layouts[GW_FUZZ_l1farm_decode], data, 0, bytes, size - 2);
    m.frame = 1;

    gw_error error = gw_l1farm.walk(&m, dialect, NULL);
    gw_fuzz_parsed(error.kind == GW_OK);
    agree(&m, dialect, &error);
    struct judge judge = {{.finding = on_finding}, &m};
    gw_l1farm.check(&m, dialect, &judge.sink);
    if (gw_fuzz_worth())
        gw_fuzz_tell(&gw_l1farm, &m, dialect, &error);
    gw_fuzz_take_back(bytes);
    return 0;
}
