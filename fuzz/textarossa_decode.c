/* SPDX-License-Identifier: BSD-2-Clause */
/* TEXTAROSSA: decode and round trip of datagrams, link runs and credits. Input: one byte (dialect,
 * part, what the capture cut), then the message.
 *
 * Oracles: every bit in exactly one leaf; the leaves give the message back; errors lie inside; the
 * struct decoder says what the walk says; a header goes back to the same word; findings name a
 * rule, a field and a byte inside. */
#include "crash/layout.h"
#include "fuzz.h"
#include "goldwire/textarossa.h"
#include "worth/worth.h"

struct judge {
    gw_verdict_sink sink;
    const gw_message *message;
};

static void on_finding(gw_verdict_sink *sink, const gw_finding *f)
{
    const gw_message *m = ((const struct judge *)sink)->message;

    gw_fuzz_check(f->rule != NULL && f->text[0] != '\0', "a finding without rule or text");
    gw_fuzz_check(f->offset <= m->len, "a finding outside the message");
}

static void agree(const gw_message *m, const gw_dialect *dialect, const gw_error *walked)
{
    gw_tx_packet p;
    gw_error error = gw_tx_decode(&p, m, dialect);

    gw_fuzz_check(error.kind == walked->kind && error.offset == walked->offset &&
                      error.field == walked->field,
                  "decoder and walk disagree");
    if (!p.has_header)
        return;
    gw_tx_word word = gw_tx_pack(&p.header, GW_TX_PORT);
    gw_tx_header again = gw_tx_unpack(word, GW_TX_PORT);
    gw_tx_word twice = gw_tx_pack(&again, GW_TX_PORT);
    gw_fuzz_check(word.lo == twice.lo && word.hi == twice.hi, "a header changes on the way");
    gw_fuzz_check(p.payload_len <= m->cap_len, "more payload than bytes");
    uint8_t *copy = gw_fuzz_lend(NULL, p.payload_len);
    gw_fuzz_check(gw_tx_copy_payload(&p, copy, p.payload_len) == p.payload_len,
                  "the payload cannot be copied whole");
    gw_fuzz_take_back(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2 || size > 20000)
        return 0;
    const gw_dialect *dialect = gw_fuzz_dialect(&gw_textarossa, data[0]);
    uint8_t *bytes = gw_fuzz_lend(data + 2, size - 2);
    gw_message m =
        gw_fuzz_message(&gw_fuzz_layouts[GW_FUZZ_textarossa_decode], data, 0, bytes, size - 2);

    gw_error error = gw_textarossa.walk(&m, dialect, NULL);
    gw_fuzz_parsed(error.kind == GW_OK);
    if (m.part <= GW_TX_PART_LINK)
        agree(&m, dialect, &error);
    struct judge judge = {{.finding = on_finding}, &m};
    gw_textarossa.check(&m, dialect, &judge.sink);
    if (gw_fuzz_worth())
        gw_fuzz_tell(&gw_textarossa, &m, dialect, &error);
    gw_fuzz_take_back(bytes);
    return 0;
}
