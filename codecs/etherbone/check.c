/* SPDX-License-Identifier: BSD-2-Clause */
/* Judging one message by what it shows alone.
 *
 * A clean packet costs one decode and a few comparisons: who sent it, and every text, is worked out
 * only when something looks wrong. */
#include "etherbone/check.h"

#include "core/check.h"

enum {
    MAX_PAYLOAD_IPV4 = 1472, /* of an Ethernet frame of 1500 bytes */
    MAX_PAYLOAD_IPV6 = 1452,
};

/* ---- packet header ---- */

/* The bytes end inside the packet header, and not because of the capture. */
static void judge_short(gw_eb_checking *c)
{
    const gw_eb_reader *r = &c->reader;
    uint64_t len = c->message->len;

    if (c->message->transport == GW_OVER_TCP)
        return; /* the connection ended here, or the capture did */
    if (!r->has_header)
        gw_eb_report(&c->judge, gw_eb_check_rule(c, EB_M01, EB_S10), GW_EB_F_MAGIC, 0,
                     "the message is %d byte%s long; a packet header takes 4", GW_NUMBERS(len));
    else if ((r->header.flags & (GW_EB_PF | GW_EB_PR)) == 0)
        gw_eb_report(&c->judge, gw_eb_check_rule(c, EB_M06, EB_S12), GW_EB_F_HEADER_PADDING,
                     GW_EB_BYTES_IN_HEADER,
                     "the message is %d byte%s long; a packet header takes 8 at these widths",
                     GW_NUMBERS(len));
}

static void judge_probe_response(gw_eb_checking *c)
{
    const gw_eb_header *h = &c->reader.header;

    if (h->version == 0)
        gw_eb_report(&c->judge, EB_S07, GW_EB_F_VERSION, 0,
                     "version is 0; a responder names its highest, at least 1", NULL);
    if ((h->flags & GW_EB_NR) == 0)
        gw_eb_report(&c->judge, EB_S08, GW_EB_F_NR, 0,
                     "NR is clear; a probe response carries no reads", NULL);
    if (gw_eb_addr_code(h->widths) == 0)
        gw_eb_report(&c->judge, EB_S06, GW_EB_F_ADDR_WIDTH, 0,
                     "no address width is offered; at least one bit is expected", NULL);
    if (gw_eb_port_code(h->widths) == 0)
        gw_eb_report(&c->judge, EB_S06, GW_EB_F_PORT_WIDTH, 0,
                     "no port width is offered; at least one bit is expected", NULL);
}

static void judge_probe_len(gw_eb_checking *c, bool response)
{
    uint64_t due = gw_eb_probe_len(c->judge.dialect);

    if (c->message->transport == GW_OVER_TCP)
        return;
    if (!response && c->message->len < due && due != GW_EB_PROBE_LEN) {
        gw_eb_report(&c->judge, EB_M02, GW_EB_F_PROBE_ID, GW_EB_BYTES_IN_HEADER,
                     "the probe is %d bytes long; who takes %d is dead until reset after less",
                     GW_NUMBERS(c->message->len, due));
        return;
    }
    if (c->message->len == GW_EB_PROBE_LEN)
        return;
    gw_eb_report(&c->judge, response ? EB_S05 : EB_M02,
                 c->message->len < GW_EB_PROBE_LEN ? GW_EB_F_PROBE_ID : GW_EB_F_UNDECODED,
                 c->message->len < GW_EB_PROBE_LEN ? GW_EB_BYTES_IN_HEADER : GW_EB_PROBE_LEN,
                 response ? "the probe response is %d byte%s long; exactly 8 are expected"
                          : "the probe is %d byte%s long; exactly 8 are expected",
                 GW_NUMBERS(c->message->len));
}

/* The header of a packet that is no probe, and which not all is well with. */
static void judge_plain_header(gw_eb_checking *c)
{
    const gw_eb_header *h = &c->reader.header;

    gw_eb_check_value(c, EB_M01, EB_S10, GW_EB_F_VERSION, 0, h->version);
    gw_eb_check_value(c, EB_M04, EB_S11, GW_EB_F_ADDR_WIDTH, 0, gw_eb_addr_code(h->widths));
    gw_eb_check_value(c, EB_M04, EB_S11, GW_EB_F_PORT_WIDTH, 0, gw_eb_port_code(h->widths));
    gw_eb_check_value(c, EB_M06, EB_S13, GW_EB_F_HEADER_PADDING, GW_EB_BYTES_IN_HEADER, h->tail);
}

/* False when nothing that follows the header can be trusted. */
static bool judge_header(gw_eb_checking *c, bool open)
{
    const gw_eb_header *h = &c->reader.header;

    if (GW_UNLIKELY(!open)) {
        const uint8_t *p = gw_check_bytes(c->message, 0, GW_EB_BYTES_IN_HEADER);
        if (p != NULL && !gw_eb_check_value(c, EB_M01, EB_S10, GW_EB_F_MAGIC, 0, GET(p, MAGIC)))
            return false;
    }
    if (GW_UNLIKELY(h->flags & GW_EB_HEADER_RESERVED))
        gw_eb_report(&c->judge, gw_eb_check_rule(c, EB_M01, EB_S13), GW_EB_F_RESERVED, 0,
                     "the reserved header bit is set; senders clear it", NULL);
    if (h->flags & GW_EB_PF) {
        judge_probe_len(c, false);
    } else if (h->flags & GW_EB_PR) {
        judge_probe_len(c, true);
        judge_probe_response(c);
    } else if (GW_UNLIKELY(!open || h->widths != c->reader.layout.widths || h->tail != 0)) {
        judge_plain_header(c);
    }
    return true;
}

/* ---- the message as a whole ---- */

/* Bytes are left that are not a whole record. */
static void judge_tail(gw_eb_checking *c)
{
    const gw_eb_reader *r = &c->reader;
    gw_cursor tail = gw_cursor_over(c->message->data, c->message->cap_len);
    uint32_t at = gw_cursor_offset(&r->c);
    const uint8_t *head;

    if (r->error.capture_cut || r->error.kind != GW_TRUNCATED || !r->has_layout ||
        c->message->transport == GW_OVER_TCP || !gw_cursor_skip(&tail, at))
        return;
    size_t left = gw_cursor_left(&tail);
    enum gw_eb_rule_place rule = gw_eb_check_rule(c, EB_M09, EB_S19);
    if (left < r->layout.record_header ||
        !gw_cursor_bytes(&tail, &head, GW_EB_BYTES_IN_RECORD_HEADER)) {
        gw_eb_report(&c->judge, rule, GW_EB_F_UNDECODED, at,
                     "%d byte%s behind the last record; a record header takes %d",
                     GW_NUMBERS(left, r->layout.record_header));
        return;
    }
    uint8_t wcount = (uint8_t)GET(head, WCOUNT), rcount = (uint8_t)GET(head, RCOUNT);
    gw_eb_report(&c->judge, rule, GW_EB_F_WCOUNT, at,
                 "%d write%s and %d read%s make a record of %d bytes; here are %d",
                 GW_NUMBERS(wcount, rcount, gw_eb_record_len(&r->layout, wcount, rcount), left));
}

static void judge_no_reads(gw_eb_checking *c)
{
    const gw_eb_header *h = &c->reader.header;
    bool nr = (h->flags & GW_EB_NR) != 0;

    if (nr == !c->reads || (h->flags & (GW_EB_PF | GW_EB_PR)) != 0)
        return;
    if (nr) {
        gw_eb_report(&c->judge, gw_eb_check_from_slave(c->message) ? EB_S25 : EB_M07, GW_EB_F_NR, 0,
                     "NR is set and the packet carries reads; one of them is wrong", NULL);
    } else if (c->reader.error.kind == GW_OK && gw_eb_check_is_reply(c)) {
        gw_eb_report(&c->judge, EB_S24, GW_EB_F_NR, 0,
                     "NR is clear in a reply; it carries no reads", NULL);
    }
}

/* What only a datagram has. */
static void judge_datagram(gw_eb_checking *c)
{
    const gw_message *m = c->message;
    uint32_t limit = m->src.family == GW_FAMILY_IPV6 ? MAX_PAYLOAD_IPV6 : MAX_PAYLOAD_IPV4;

    if (c->last_open && c->reader.error.kind == GW_OK && !gw_eb_check_may_be_reply(c))
        gw_eb_report(&c->judge, EB_M11, GW_EB_F_CYC, c->last_offset,
                     "CYC is clear in the datagram's last record; it ends the cycle", NULL);
    if (m->num_frames > 1 && !gw_eb_check_may_be_reply(c))
        gw_eb_report(&c->judge, EB_M20, GW_EB_F_UNDECODED, 0,
                     "%d bytes came in %d IP fragments; a packet fits the path whole",
                     GW_NUMBERS(m->len, m->num_frames));
    else if (m->len > limit && !gw_eb_check_may_be_reply(c))
        gw_eb_report(&c->judge, EB_M20, GW_EB_F_UNDECODED, limit,
                     "%d bytes of payload; a frame of 1500 bytes holds %d",
                     GW_NUMBERS(m->len, limit));
}

/* Read as a record it may well read, so that tells nothing of who sent it. */
static void judge_second_header(gw_eb_checking *c)
{
    gw_eb_report(&c->judge, gw_eb_check_from_slave(c->message) ? EB_S46 : EB_M21, GW_EB_F_UNDECODED,
                 0, "a second packet header; a stream has one, at its start", NULL);
}

static void judge(gw_eb_checking *c)
{
    const gw_message *m = c->message;
    gw_eb_reader *r = &c->reader;
    gw_eb_record record;

    if (GW_UNLIKELY(m->part == GW_EB_LOST || m->part == GW_EB_BANNER))
        return;
    bool open = gw_eb_open(r, m, c->judge.dialect);
    if (r->has_header && !judge_header(c, open))
        return;
    if (GW_UNLIKELY(!open)) {
        if (r->error.kind == GW_TRUNCATED && !r->error.capture_cut)
            judge_short(c);
        return;
    }
    if (GW_UNLIKELY(gw_eb_is_second_header(m))) {
        judge_second_header(c);
        return;
    }
    while (gw_eb_next(r, &record))
        gw_eb_check_record(c, &record);
    if (GW_UNLIKELY(r->error.kind != GW_OK))
        judge_tail(c);
    if (m->part == GW_EB_PACKET)
        judge_no_reads(c);
    if (m->part == GW_EB_PACKET && m->transport != GW_OVER_TCP)
        judge_datagram(c);
}

void gw_eb_check(const gw_message *message, const gw_dialect *dialect, gw_verdict_sink *sink)
{
    gw_eb_checking c;

    c.judge = gw_judge_of(message, dialect, sink);
    c.message = message;
    c.reply = GW_EB_NOT_ASKED;
    c.reads = c.last_open = false;
    judge(&c);
}

void gw_eb_check_reply(const gw_message *message, const gw_dialect *dialect, gw_verdict_sink *sink)
{
    gw_eb_checking c;

    if (message->side != GW_SIDE_UNKNOWN || gw_eb_check_from_slave(message))
        return;
    c.judge = gw_judge_of(message, dialect, sink);
    c.message = message;
    c.reply = GW_EB_NOT_ASKED;
    c.reads = c.last_open = false;
    bool open = gw_eb_open(&c.reader, message, dialect);
    if ((!open && !c.reader.has_header) || gw_eb_check_is_reply(&c))
        return;
    c.reply = GW_EB_IS_REPLY;
    judge(&c);
}
