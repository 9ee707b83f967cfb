/* SPDX-License-Identifier: BSD-2-Clause */
/* What one message shows of its sender. */
#include "core/check.h"
#include "l1farm/internal.h"

typedef struct checker {
    gw_judge judge;
    const gw_message *message;
    const gw_l1_profile *profile;
    const gw_l1_unit *u;
} checker;

static void report(const checker *c, enum gw_l1_rule_place rule, int field, uint32_t start,
                   const char *text, const uint64_t *numbers)
{
    gw_l1_report(&c->judge, rule, field, start, text, numbers);
}

/* ---- SCI ---- */

/* True when the packet is as long as its kind is. */
static bool check_length(const checker *c, const gw_l1_sci *s, uint32_t start)
{
    uint32_t head = GW_L1_SCI_HEADER + 2 + (s->extended ? GW_L1_SCI_EXTENSION : 0);

    if (s->kind == GW_L1_SCI_IS_ECHO && s->len != GW_L1_SCI_ECHO) {
        report(c, L1_S03, GW_L1_F_ECHO_TARGET, start, "an echo of %d bytes; 8 are expected",
               GW_NUMBERS(s->len));
        return false;
    }
    if (s->kind == GW_L1_SCI_IS_SPECIAL && s->len != GW_L1_SCI_SPECIAL) {
        report(c, L1_S03, GW_L1_F_SYMBOLS, start, "a special packet of %d bytes; 16 are expected",
               GW_NUMBERS(s->len));
        return false;
    }
    if (s->kind == GW_L1_SCI_UNKNOWN) {
        report(c, L1_S01, GW_L1_F_SYMBOLS, start, "%d bytes are no packet", GW_NUMBERS(s->len));
        return false;
    }
    if (s->kind != GW_L1_SCI_SEND)
        return true;
    if (s->len < head || !gw_l1_sci_data_known(s->len - head)) {
        report(c, L1_S01, GW_L1_F_SEND_TARGET, start,
               "a send packet of %d bytes; 16 and data of 0, 16, 64, 128 or 256 are expected",
               GW_NUMBERS(s->len));
        return false;
    }
    if (!s->extended && (s->command & c->profile->extended_mask) != 0) {
        report(c, L1_S01, GW_L1_F_SEND_COMMAND, start,
               "command symbol %x announces an extended header; %d bytes have none",
               GW_NUMBERS(s->command, s->len));
        return false;
    }
    return true;
}

/* The last selected byte of readsb and writesb comes before the first (S14); whole blocks lie on
 * their own boundaries. */
static void check_block(const checker *c, const gw_l1_sci *s, uint32_t start)
{
    unsigned command = s->command & c->profile->command_mask;

    if (c->profile->layout && command < 0x20 && (command & 15) < (s->addr & 15))
        report(c, L1_S14, GW_L1_F_SEND_ADDR, start,
               "selected bytes end at %d, before the first at %d of the block",
               GW_NUMBERS(command & 15, s->addr & 15));
    else if (s->data_len >= 64 && s->addr % s->data_len != 0)
        report(c, L1_S14, GW_L1_F_SEND_ADDR, start, "%d bytes from %x on cross their block",
               GW_NUMBERS(s->data_len, s->addr));
}

static void check_sci(const checker *c, const gw_l1_sci *s, uint32_t start)
{
    bool echo = s->kind == GW_L1_SCI_IS_ECHO;

    if ((s->flags & (GW_L1_SCI_CUT | GW_L1_SCI_PATTERN)) != 0 || !check_length(c, s, start))
        return;
    if (s->kind == GW_L1_SCI_SEND && s->data_len > 128)
        report(c, L1_S02, GW_L1_F_SEND_TARGET, start,
               "%d bytes of data; the link controllers take 128", GW_NUMBERS(s->data_len));
    if (c->profile->judge_crc && s->has_crc && s->crc != s->crc_expected &&
        (s->flags & GW_L1_SCI_STOMPED) == 0)
        report(c, L1_S04, echo ? GW_L1_F_ECHO_CRC : GW_L1_F_SEND_CRC,
               echo ? start : start + s->len - 2,
               "CRC %x; %x is expected, by a polynomial that is assumed",
               GW_NUMBERS(s->crc, s->crc_expected));
    if (s->kind == GW_L1_SCI_SEND)
        check_block(c, s, start);
}

/* |last|: the trace ends with this packet. */
static void check_traced(const checker *c, const gw_l1_traced *p, bool last)
{
    gw_l1_sci s = {.kind = p->kind};

    if (p->kind == GW_L1_SCI_UNKNOWN) {
        report(c, L1_S01, GW_L1_F_CLOCK_FLAG, p->offset,
               "the flag was high for %d symbol%s, as for no packet", GW_NUMBERS(p->high));
        return;
    }
    if (!p->first && p->idles == 0)
        report(c, L1_S09, GW_L1_F_CLOCK_FLAG, p->offset,
               "no idle symbol stands between this packet and the one before", NULL);
    if (!p->whole) {
        if (!last)
            report(c, L1_S01, GW_L1_F_CLOCK_FLAG, p->offset,
                   "the flag rises again before the end of this packet", NULL);
        return;
    }
    const uint32_t len = gw_l1_traced_len(p);
    //@ assert traced: len <= sizeof(p->symbols);
    gw_l1_sci_read(&s, gw_cursor_over(p->symbols, len), p->len, c->profile);
    if (c->profile->judge_crc && s.has_crc && s.crc != s.crc_expected)
        report(c, L1_S04, GW_L1_F_CLOCK_SYMBOL, p->offset,
               "CRC %x; %x is expected, by a polynomial that is assumed",
               GW_NUMBERS(s.crc, s.crc_expected));
}

static void check_trace(const checker *c)
{
    gw_cursor clocks = gw_l1_data(c->message, c->u);
    gw_l1_traced p = {0};

    while (gw_l1_trace_read(&p, &clocks))
        check_traced(c, &p, gw_cursor_left(&clocks) < GW_L1_CLOCK);
}

/* ---- TagNet and DMA engine ---- */

static void check_tag(const checker *c)
{
    if (c->u->u.tag.status == GW_L1_TAG_CORRECTED)
        report(c, L1_G05, GW_L1_F_TAG_CODE, c->u->data_offset, "bit %d of tag word %x is wrong",
               GW_NUMBERS(c->u->u.tag.bit, c->u->word));
    else if (c->u->u.tag.status == GW_L1_TAG_FATAL)
        report(c, L1_G05, GW_L1_F_TAG_CODE, c->u->data_offset, "tag word %x is beyond correction",
               GW_NUMBERS(c->u->word));
}

static void check_register(const checker *c)
{
    const gw_l1_register *r = &c->u->u.reg;
    uint32_t start = c->u->data_offset + GW_L1_BYTES_IN_REGISTER;
    const uint8_t *value = gw_check_bytes(c->message, start, GW_L1_BYTES_IN_DMACNTRL);
    bool whole = c->u->data_len >= GW_L1_BYTES_IN_REGISTER + GW_L1_BYTES_IN_DMACNTRL;

    if (r->bar != 0 || r->op != GW_L1_WRITE || !whole || value == NULL)
        return;
    if (r->offset == GW_L1_DMACNTRL)
        (void)gw_check_group(&c->judge, gw_l1_group(GW_L1_G_DMACNTRL), value, start);
    if (r->offset == GW_L1_DESCS && r->value >= GW_L1_DESCRIPTORS)
        report(c, L1_D05, GW_L1_F_REG_VALUE, start, "DESCS %d; 63 is the most",
               GW_NUMBERS(r->value));
}

static void check_burst(const checker *c)
{
    const gw_l1_memory *m = &c->u->memory;

    if (c->u->has_memory && m->direction == 0 && m->length > GW_L1_BURST)
        report(c, L1_D06, GW_L1_F_MEMORY_LENGTH, 0, "a burst of %d bytes; 128 are the most",
               GW_NUMBERS(m->length));
}

/* ---- event data ---- */

typedef struct word {
    uint32_t upper;
    uint16_t tag_id, index;
} word;

static word word_at(const uint8_t *p)
{
    word w = {.upper = GET(p, UPPER), .tag_id = GET(p, TAG_ID), .index = GET(p, INDEX)};
    return w;
}

/* The first word that does not fit speaks for those behind it. */
static void check_words(const checker *c)
{
    const gw_l1_unit *u = c->u;
    gw_cursor words = gw_l1_data(c->message, u);
    const uint8_t *p;
    word before = {0};

    while (gw_cursor_bytes(&words, &p, GW_L1_WORD)) {
        uint32_t start = gw_cursor_offset(&words) - GW_L1_WORD;
        word w = word_at(p);
        if (start == u->data_offset)
            before = (word){.tag_id = u->has_shim ? u->shim.event : w.tag_id,
                            .index = (uint16_t)(w.index - 1)};
        if (w.upper != 0) {
            report(c, L1_E03, GW_L1_F_UPPER, start, "upper half %x of an event word; 0 is expected",
                   GW_NUMBERS(w.upper));
            return;
        }
        if (w.tag_id != before.tag_id) {
            report(c, L1_E03, GW_L1_F_TAG_ID, start, "TagID %x; %x is expected",
                   GW_NUMBERS(w.tag_id, before.tag_id));
            return;
        }
        if (w.index != (uint16_t)(before.index + 1)) {
            report(c, L1_E03, GW_L1_F_INDEX, start, "index %d follows %d",
                   GW_NUMBERS(w.index, before.index));
            return;
        }
        before = w;
    }
}

static void check_ode(const checker *c)
{
    const gw_l1_unit *u = c->u;
    uint32_t start = u->data_offset;
    uint32_t end = u->data_len - GW_L1_BYTES_IN_ODE_TRAILER;
    const uint8_t *header = gw_check_bytes(c->message, start, GW_L1_BYTES_IN_ODE_HEADER);
    const uint8_t *trailer = gw_check_bytes(c->message, start + end, GW_L1_BYTES_IN_ODE_TRAILER);

    if (u->data_len < 8 || u->data_len % 2 != 0 || header == NULL || trailer == NULL) {
        report(c, L1_E07, GW_L1_F_ODE_MARK, start,
               "an ODE block of %d bytes; 8 and two a cluster are expected",
               GW_NUMBERS(u->data_len));
        return;
    }
    uint32_t num = gw_l1_ode_clusters(u->data_len);
    uint16_t event = GET(header, ODE_EVENT), last = GET(trailer, ODE_TRAILER_EVENT);
    if (num > GW_L1_CLUSTERS)
        report(c, L1_E07, GW_L1_F_ODE_MARK, start, "%d clusters; 127 are the most",
               GW_NUMBERS(num));
    else if (GET(trailer, ODE_COUNT) != num)
        report(c, L1_E07, GW_L1_F_ODE_COUNT, start + end, "the trailer counts %d clusters of %d",
               GW_NUMBERS(GET(trailer, ODE_COUNT), num));
    if (event != last)
        report(c, L1_E07, GW_L1_F_ODE_TRAILER_EVENT, start + end,
               "event ID %x at the end; the header has %x", GW_NUMBERS(last, event));
}

static void check_ru(const checker *c, const gw_error *error)
{
    const gw_l1_unit *u = c->u;
    uint32_t start = u->data_offset;
    const uint8_t *header = gw_check_bytes(c->message, start, GW_L1_BYTES_IN_RU_HEADER);

    if (error->kind != GW_OK || u->data_len < GW_L1_BYTES_IN_RU_HEADER || header == NULL) {
        report(c, L1_E07, GW_L1_F_RU_NUMBER, start, "the links do not fill %d bytes",
               GW_NUMBERS(u->data_len));
        return;
    }
    uint16_t length = GET(header, RU_LENGTH), event = GET(header, RU_EVENT);
    if (length != u->data_len)
        report(c, L1_E07, GW_L1_F_RU_LENGTH, start, "length %d; the sub-event has %d bytes",
               GW_NUMBERS(length, u->data_len));
    if (u->has_shim && event != u->shim.event)
        report(c, L1_E07, GW_L1_F_RU_EVENT, start, "event ID %x inside, %x outside",
               GW_NUMBERS(event, u->shim.event));
}

/* ---- results ---- */

static void check_result(const checker *c)
{
    const gw_l1_result *r = &c->u->u.result;
    uint32_t start = c->u->data_offset;
    const uint8_t *result = gw_check_bytes(c->message, start, GW_L1_RESULT);

    if (r->nallok > r->ntries)
        report(c, L1_R02, GW_L1_F_NALLOK, start, "Nallok %d exceeds Ntries %d",
               GW_NUMBERS(r->nallok, r->ntries));
    if (result != NULL)
        (void)gw_check_group(&c->judge, gw_l1_group(GW_L1_G_RESULT), result, start);
}

static void check_unit(const checker *c, const gw_error *error)
{
    const gw_l1_unit *u = c->u;

    switch (u->has) {
    case GW_L1_HAS_SCI:
        check_sci(c, &u->u.sci, u->data_offset + GW_L1_SCI_RECORD);
        return;
    case GW_L1_HAS_TRACE:
        check_trace(c);
        return;
    case GW_L1_HAS_TAG:
        check_tag(c);
        return;
    case GW_L1_HAS_REGISTER:
        check_register(c);
        return;
    case GW_L1_HAS_WORDS:
        check_words(c);
        return;
    case GW_L1_HAS_RU:
        check_ru(c, error);
        return;
    case GW_L1_HAS_ODE:
        check_ode(c);
        return;
    case GW_L1_HAS_RESULT:
        check_result(c);
        return;
    default:
        return;
    }
}

void gw_l1_check(const gw_message *message, const gw_dialect *dialect, gw_verdict_sink *sink)
{
    gw_l1_unit u;
    checker c = {.judge = gw_judge_of(message, dialect, sink),
                 .message = message,
                 .profile = gw_l1_profile_of(dialect),
                 .u = &u};
    gw_error error = gw_l1_decode(&u, message, dialect);

    check_burst(&c);
    if (!error.capture_cut)
        check_unit(&c, &error);
}
