/* SPDX-License-Identifier: BSD-2-Clause */
/* TEXTAROSSA: decode and round trip of datagrams, link runs and credits. Input: one byte (dialect)
 * and one (part, what the capture cut; of a datagram bit 2: it comes through an Ethernet port, by
 * headers that end early at times), then the message.
 *
 * Oracles: every bit in exactly one leaf; the leaves give the message back; errors lie inside; the
 * struct decoder says what the walk says; a header goes back to the same word; findings name a
 * rule, a field and a byte inside. */
#include "crash/layout.h"
#include "fuzz.h"
#include "goldwire/textarossa.h"
#include "goldwire/writer.h"
#include "net/headers.h"
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

/* Nothing of a stored word is left as it was. */
static void store(gw_tx_word word, const gw_tx_packet *p)
{
    uint8_t over_zeros[GW_TX_WIDE_WORD] = {0}, over_ones[GW_TX_WIDE_WORD];

    memset(over_ones, 0xff, sizeof over_ones);
    gw_tx_store(over_zeros, p->word_bytes, (gw_tx_order)p->order, word);
    gw_tx_store(over_ones, p->word_bytes, (gw_tx_order)p->order, word);
    gw_fuzz_check(memcmp(over_zeros, over_ones, p->word_bytes) == 0, "half a word is stored");
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
    store(word, &p);
    gw_fuzz_check(p.payload_len <= m->cap_len, "more payload than bytes");
    uint8_t *copy = gw_fuzz_lend(NULL, p.payload_len);
    gw_fuzz_check(gw_tx_copy_payload(&p, copy, p.payload_len) == p.payload_len,
                  "the payload cannot be copied whole");
    gw_fuzz_take_back(copy);
}

enum { ETHERNET = 14, LOWER = GW_IPV4_HEADER + GW_UDP_HEADER };

/* Puts what it came by around datagram |m|: to whom its header says, where that has been captured.
 * |lower| is given back by the caller. */
static void carry(gw_message *m, uint8_t **lower)
{
    static const uint8_t ethernet[ETHERNET] = {[12] = 0x08};
    uint8_t headers[LOWER] = {
        [GW_IPV4_VERSION] = 0x45, [GW_IPV4_TTL] = 64, [GW_IPV4_PROTOCOL] = 17};
    uint32_t short_by = m->cap_len % 3, total = LOWER + m->len;
    gw_tx_header h = {0};

    if (m->cap_len >= GW_TX_WORD)
        h = gw_tx_unpack(gw_tx_load(m->data, GW_TX_WORD, GW_TX_ORDER_A), GW_TX_PORT);
    m->src = (gw_endpoint){.ip = {10, 0, 0, 1}, .port = 4000, .family = GW_FAMILY_IPV4};
    m->dst = (gw_endpoint){.port = (uint16_t)(h.dest_addr >> 32), .family = GW_FAMILY_IPV4};
    gw_store_be(m->dst.ip, (uint32_t)h.dest_addr, 4);
    gw_store_be(headers + GW_IPV4_LENGTH, total, 2);
    gw_store_be(headers + GW_IPV4_HEADER + GW_UDP_LENGTH, GW_UDP_HEADER + m->len, 2);
    *lower = gw_fuzz_lend(headers, LOWER - short_by);
    m->lower = *lower;
    m->lower_len = (uint16_t)(LOWER - short_by);
    m->link = ethernet;
    m->link_len = sizeof ethernet;
    m->frame_len = ETHERNET + total;
    m->dir = GW_DIR_IN;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2 || size > 20000)
        return 0;
    const gw_dialect *dialect = gw_fuzz_dialect(&gw_textarossa, data[0]);
    uint8_t *bytes = gw_fuzz_lend(data + 2, size - 2);
    gw_message m =
        gw_fuzz_message(&gw_fuzz_layouts[GW_FUZZ_textarossa_decode], data, 0, bytes, size - 2);
    uint8_t *lower = NULL;

    if (m.part == GW_TX_PART_DATAGRAM && (data[1] & 4) != 0)
        carry(&m, &lower);
    gw_error error = gw_textarossa.walk(&m, dialect, NULL);
    gw_fuzz_parsed(error.kind == GW_OK);
    if (m.part <= GW_TX_PART_LINK)
        agree(&m, dialect, &error);
    struct judge judge = {{.finding = on_finding}, &m};
    gw_textarossa.check(&m, dialect, &judge.sink);
    if (gw_fuzz_worth())
        gw_fuzz_tell(&gw_textarossa, &m, dialect, &error);
    if (lower != NULL)
        gw_fuzz_take_back(lower);
    gw_fuzz_take_back(bytes);
    return 0;
}
