/* SPDX-License-Identifier: BSD-2-Clause */
/* OP2P: decode and round trip. Input: one byte (dialect, carriage, what the capture cut), then the
 * message.
 *
 * Oracles: every bit in exactly one leaf; the leaves give the message back; errors lie inside; the
 * struct decoder says what the walk says; a header goes back to the same bytes; what is carried by
 * a byte enable lies in its double word. */
#include "crash/layout.h"
#include "fuzz.h"
#include "goldwire/op2p.h"
#include "worth/worth.h"

static void on_finding(gw_verdict_sink *sink, const gw_finding *f)
{
    const gw_message *m = *(const gw_message **)(sink + 1);

    gw_fuzz_check(f->rule != NULL && f->field != NULL && f->text[0] != '\0',
                  "a finding without rule, field or text");
    gw_fuzz_check(f->offset <= m->len, "a finding outside the message");
}

static void agree(const gw_message *m, const gw_error *walked)
{
    gw_op2p_packet p;
    uint8_t header[GW_OP2P_HEADER], shim[GW_OP2P_SHIM];
    gw_error error = gw_op2p_decode(&p, m);
    uint32_t start = p.has_shim ? GW_OP2P_SHIM : 0;

    gw_fuzz_check(error.kind == walked->kind && error.offset == walked->offset &&
                      error.field == walked->field,
                  "decoder and walk disagree");
    if (p.has_shim) {
        if (m->part == GW_OP2P_EVENT)
            gw_op2p_put_event(shim, &p.shim);
        else
            gw_op2p_put_tunnel(shim, &p.shim);
        gw_fuzz_check(memcmp(shim, m->data, sizeof shim) == 0, "a shim does not go back");
    }
    if (!p.has_header)
        return;
    gw_op2p_put(header, &p.header);
    gw_fuzz_check(memcmp(header, m->data + start, sizeof header) == 0,
                  "a header does not go back to its bytes");
    gw_fuzz_check(p.payload + p.payload_len == m->data + m->cap_len, "the payload ends elsewhere");
    gw_fuzz_check(p.payload_len <= p.payload_sent, "more was captured than sent");
    gw_fuzz_check(gw_op2p_first_byte(p.header.fbe) < 4, "a first byte outside its double word");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1 || size > 4096)
        return 0;
    const gw_dialect *dialect = gw_fuzz_dialect(&gw_op2p, data[0]);
    uint8_t *bytes = gw_fuzz_lend(data + 1, size - 1);
    gw_message m = gw_fuzz_message(&gw_fuzz_layouts[GW_FUZZ_op2p_decode], data, 0, bytes, size - 1);

    gw_error error = gw_op2p.walk(&m, dialect, NULL);
    gw_fuzz_parsed(error.kind == GW_OK);
    agree(&m, &error);
    struct {
        gw_verdict_sink sink;
        const gw_message *message;
    } judge = {{.finding = on_finding}, &m};
    gw_op2p.check(&m, dialect, &judge.sink);
    if (gw_fuzz_worth())
        gw_fuzz_tell(&gw_op2p, &m, dialect, &error);
    gw_fuzz_take_back(bytes);
    return 0;
}
