/* SPDX-License-Identifier: BSD-2-Clause */
/* Judging beats: the walk shows each for what a receiver takes it, and this looks whether it is
 * one. Each rule is reported once a message: what follows a first fault is its echo. */
#include "core/check.h"
#include "textarossa/check.h"

_Static_assert(TX_NUM_RULES <= 64, "one bit a rule");

typedef struct beats {
    gw_sink sink;
    const gw_tx_checking *c;
    bool in_run;     /* not between packets */
    bool started;    /* START was seen */
    bool magic;      /* a MAGIC was seen */
    bool bad_credit; /* the credit at hand is none */
    uint64_t told;   /* rules, as bits */
} beats;

static void tell(beats *b, enum gw_tx_rule_place rule, int field, uint32_t offset, const char *text,
                 const uint64_t *numbers)
{
    uint64_t bit = UINT64_C(1) << rule;

    if ((b->told & bit) != 0)
        return;
    b->told |= bit;
    gw_tx_report(&b->c->judge, rule, field, offset, text, numbers);
}

static void on_magic(beats *b, uint32_t offset)
{
    if (offset % b->c->p.word_bytes != 0)
        return; /* the other slice of a wide beat */
    if (!b->in_run)
        tell(b, TX_L1, GW_TX_F_MAGIC, offset, "MAGIC between packets, and no packet", NULL);
    else if (b->magic && !b->started)
        tell(b, TX_L1, GW_TX_F_START, offset, "MAGIC follows MAGIC; START is expected", NULL);
    b->magic = true;
}

static void on_credit(beats *b, uint32_t offset)
{
    b->bad_credit = false;
    if (b->in_run && !b->started)
        tell(b, TX_L1, GW_TX_F_START, offset, "a credit follows MAGIC; START is expected", NULL);
}

/* The bits of a credit that are always zero. */
static void on_unused(beats *b, uint64_t value, uint32_t offset)
{
    if (value == 0)
        return;
    b->bad_credit = true;
    if (b->in_run && b->started)
        tell(b, TX_L3, GW_TX_F_CREDIT_UNUSED, offset,
             "the beat after MAGIC is no credit: %x above its counts; a payload word may equal "
             "MAGIC",
             GW_NUMBERS(value));
    else
        tell(b, TX_L4, GW_TX_F_CREDIT_UNUSED, offset,
             "%x above the counts of a credit; 0 is expected", GW_NUMBERS(value));
}

static void on_credit_status(beats *b, uint64_t status, uint32_t offset)
{
    if (b->bad_credit || status == GW_TX_EDAC_CLEAN || status == GW_TX_EDAC_OFF)
        return;
    const uint8_t *at = gw_check_bytes(b->c->message, offset, GW_TX_WORD);
    if (at == NULL)
        return;
    gw_tx_word word = gw_tx_load(at, GW_TX_WORD, GW_TX_ORDER_A);
    tell(b, TX_L6, GW_TX_F_CREDIT_EDAC, offset + GW_TX_WORD - 1,
         "the check byte of a credit is %x; %x is expected",
         GW_NUMBERS(GET(word, CREDIT_EDAC), GET(gw_tx_protect(word), CREDIT_EDAC)));
}

static void on_payload(beats *b, const gw_item *item)
{
    unsigned beat = b->c->p.word_bytes;

    for (uint32_t at = 0; at + beat <= item->bits / 8; at += beat) {
        gw_tx_word word = gw_tx_load(item->bytes + at, GW_TX_WORD, GW_TX_ORDER_A);
        if (gw_tx_is_magic(word))
            tell(b, TX_E15, GW_TX_F_PAYLOAD, item->offset + at, "a word of payload equals MAGIC",
                 NULL);
    }
}

/* A word that equals MAGIC makes its receiver swallow the next one, and so end a packet with the
 * credit that follows it. */
static void on_footer(beats *b, uint32_t offset)
{
    gw_tx_word word = b->c->p.footer;
    bool is_protected = gw_tx_protect(word).hi == word.hi;

    if (b->c->message->origin == 0 && b->c->p.num_credits > 0 && word.lo != 0 &&
        gw_tx_may_be_credit(word) && (is_protected || word.hi == 0))
        tell(b, TX_E15, GW_TX_F_FOOTER, offset,
             "the footer is a credit: a word of payload or the footer itself may equal MAGIC",
             NULL);
}

static void on_item(gw_sink *sink, const gw_item *item)
{
    beats *b = (beats *)sink;
    const gw_field *f = item->field;

    if (f == gw_tx_field(GW_TX_F_MAGIC))
        on_magic(b, item->offset);
    else if (f == gw_tx_field(GW_TX_F_START))
        b->started = true;
    else if (f == gw_tx_field(GW_TX_F_CREDIT_VC0_HEADER))
        on_credit(b, item->offset);
    else if (f == gw_tx_field(GW_TX_F_CREDIT_UNUSED) ||
             f == gw_tx_field(GW_TX_F_CREDIT_UNUSED_HIGH))
        on_unused(b, item->value, item->offset);
    else if (f == gw_tx_field(GW_TX_F_CREDIT_STATUS))
        on_credit_status(b, item->value, item->offset);
    else if (f == gw_tx_field(GW_TX_F_PAYLOAD))
        on_payload(b, item);
    else if (f == gw_tx_field(GW_TX_F_FOOTER))
        on_footer(b, item->offset);
}

static void check_end(const gw_tx_checking *c)
{
    if (c->error.capture_cut || c->error.kind == GW_OK)
        return;
    if (!c->p.has_header)
        gw_report(&c->judge, &gw_tx_rules[TX_L1], c->error.field, c->error.offset,
                  "no packet begins here: MAGIC, START and a header are expected", NULL);
    else if (c->error.kind == GW_TRUNCATED)
        gw_tx_report_header(c, TX_E2, GW_TX_F_PACKET_SIZE,
                            "the packet ends before its footer; packet_size is %d",
                            GW_NUMBERS(c->p.header.packet_size));
    else
        gw_report(&c->judge, &gw_tx_rules[TX_E2], c->error.field, c->error.offset,
                  "%d bytes follow the footer without MAGIC and START",
                  GW_NUMBERS(c->message->len - c->error.offset));
}

static void check_edac(const gw_tx_checking *c)
{
    const gw_tx_edac *e = &c->p.edac;

    if (e->status == GW_TX_EDAC_CORRECTED)
        gw_tx_report_header(c, TX_L6, GW_TX_F_EDAC,
                            "check byte %x, %x is expected: bit %d of the header was flipped",
                            GW_NUMBERS(c->p.header.edac, e->expected, e->bit));
    else if (e->status == GW_TX_EDAC_FATAL)
        gw_tx_report_header(c, TX_L6, GW_TX_F_EDAC,
                            "check byte %x, %x is expected: more than one bit was flipped",
                            GW_NUMBERS(c->p.header.edac, e->expected));
}

void gw_tx_check_link(const gw_tx_checking *c)
{
    beats b = {.sink = {.item = on_item}, .c = c, .in_run = c->message->part == GW_TX_PART_LINK};

    (void)gw_tx_walk(c->message, c->judge.dialect, &b.sink);
    if (!b.in_run)
        return;
    check_end(c);
    if (!c->p.has_header)
        return;
    check_edac(c);
    if (c->d->rtl && gw_tx_header_only(&c->p.header))
        gw_tx_report_header(c, TX_E14, GW_TX_F_PACKET_TYPE,
                            "a header-only packet on a link: the published transmitter does not "
                            "end it",
                            NULL);
}
