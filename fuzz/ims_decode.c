/* SPDX-License-Identifier: BSD-2-Clause */
/* IMS streaming: decode and round trip, and what InfiniBand puts around packets. Input: one byte
 * (dialect, how the packet comes, what the capture cut), then the packet from its BTH on, or a
 * frame from its LRH on.
 *
 * So that mutation gets past the checksums they are computed here: a packet is wrapped for UDP or
 * for a native link and opened again. Oracles: it comes back as it was and its checksums are right,
 * and wrong when a bit of them is flipped; every bit in exactly one leaf; the leaves give the
 * message back; errors lie inside; the struct decoder says what the walk says; what is whole can be
 * built again; any frame opens to bytes inside it or says where it cannot. */
#include "fuzz.h"
#include "goldwire/ims.h"
#include "goldwire/net.h"
#include "worth/worth.h"

enum { BARE, UDP, NATIVE, FRAME };

static void on_finding(gw_verdict_sink *sink, const gw_finding *f)
{
    const gw_message *m = *(const gw_message **)(sink + 1);

    gw_fuzz_check(f->rule != NULL && f->text[0] != '\0', "a finding without rule or text");
    gw_fuzz_check(f->offset <= m->len, "a finding outside the message");
}

/* What was decoded whole is built again, but for its padding, where there is room for just that. */
static void rebuild(const gw_message *m, const gw_ims_packet *p, const gw_dialect *dialect)
{
    gw_ims_draft draft = {.bth = p->bth,
                          .deth = p->deth,
                          .reth = p->reth,
                          .imm = p->imm,
                          .payload = p->payload,
                          .payload_len = p->payload_len,
                          .raw = true};

    if (p->bth.pad != (4 - p->payload_len % 4) % 4)
        return;
    uint8_t *again = gw_fuzz_lend(NULL, m->len);
    gw_fuzz_check(gw_ims_build(again, m->len, &draft, dialect) == m->len &&
                      memcmp(again, m->data, m->len - p->bth.pad) == 0,
                  "a packet cannot be built again");
    gw_fuzz_check(gw_ims_build(again, m->len - 1, &draft, dialect) == 0,
                  "a packet fits where it does not");
    gw_fuzz_take_back(again);
}

static void agree(const gw_message *m, const gw_dialect *dialect, const gw_error *walked)
{
    const gw_ims_dialect *d = gw_ims_dialect_of(dialect);
    uint8_t bytes[GW_IMS_STATUS];
    gw_ims_packet p;
    gw_error error = gw_ims_decode(&p, m, dialect);

    gw_fuzz_check(error.kind == walked->kind && error.offset == walked->offset &&
                      error.field == walked->field,
                  "decoder and walk disagree");
    if (p.has_bth) {
        gw_ib_put_bth(bytes, &p.bth);
        gw_fuzz_check(memcmp(bytes, m->data, GW_IB_BTH) == 0, "a BTH does not go back");
    }
    gw_fuzz_check(p.payload_len <= p.payload_sent, "more was captured than sent");
    if (p.kind == GW_IMS_IS_STATUS && p.has_body) {
        gw_ims_order order = (gw_ims_order)d->status_order;
        if (order == GW_IMS_AUTO)
            order = gw_ims_detect_status(p.payload);
        gw_ims_put_status(bytes, &p.status, order);
        gw_fuzz_check(memcmp(bytes, p.payload, GW_IMS_STATUS) == 0,
                      "a status packet does not go back");
    }
    if (p.kind == GW_IMS_IS_ACK && p.has_body) {
        gw_ims_order order = (gw_ims_order)d->ack_order;
        if (order == GW_IMS_AUTO)
            order = gw_ims_detect_ack(p.payload);
        gw_ims_put_ack(bytes, &p.ack, order);
        gw_fuzz_check(memcmp(bytes, p.payload, GW_IMS_ACK) == 0, "a response does not go back");
    }
    if (error.kind == GW_OK && m->cap_len == m->len)
        rebuild(m, &p, dialect);
}

static void judge(const gw_message *m, const gw_dialect *dialect)
{
    gw_error error = gw_ims.walk(m, dialect, NULL);
    struct {
        gw_verdict_sink sink;
        const gw_message *message;
    } judge = {{.finding = on_finding}, m};

    gw_fuzz_parsed(error.kind == GW_OK);
    agree(m, dialect, &error);
    gw_ims.check(m, dialect, &judge.sink);
    if (gw_fuzz_worth())
        gw_fuzz_tell(&gw_ims, m, dialect, &error);
}

/* Whether the right ICRC is called right, and one with a bit flipped is not. */
static void check_opened(const gw_ib *ib, const gw_message *m, const uint8_t *packet, size_t len,
                         bool flawed)
{
    gw_fuzz_check(ib->icrc_verdict == (flawed ? GW_IB_WRONG : GW_IB_RIGHT), "a wrong verdict");
    gw_fuzz_check(m->len == len && (len == 0 || memcmp(m->data, packet, len) == 0),
                  "another packet than was wrapped");
    gw_fuzz_check(m->ib == ib, "what stood around it is not told");
}

static void by_udp(const uint8_t *packet, size_t len, const gw_dialect *dialect, bool flawed)
{
    /* As a socket sends it: version, identification 0, DF. */
    uint8_t lower[28] = {0x45,       [6] = 0x40, [8] = 64,    [9] = 17,    [12] = 127, [15] = 1,
                         [16] = 127, [19] = 2,   [20] = 0xc0, [22] = 0x12, [23] = 0xb7};
    const gw_endpoint src = {{127, 0, 0, 1}, 0xc000, GW_FAMILY_IPV4, 0};
    const gw_endpoint dst = {{127, 0, 0, 2}, GW_ROCE_PORT, GW_FAMILY_IPV4, 0};
    uint8_t *less = gw_fuzz_lend(NULL, len + GW_IB_ICRC - 1);
    uint8_t *datagram = gw_fuzz_lend(NULL, len + GW_IB_ICRC);
    gw_ib ib;

    gw_fuzz_check(gw_ib_close_udp(less, len + GW_IB_ICRC - 1, packet, len, &src, &dst, flawed) == 0,
                  "a packet is wrapped where there is no room");
    gw_fuzz_take_back(less);
    size_t total = gw_ib_close_udp(datagram, len + GW_IB_ICRC, packet, len, &src, &dst, flawed);
    gw_fuzz_check(total == len + GW_IB_ICRC, "a packet cannot be wrapped");
    gw_fuzz_check(gw_ib_judge_udp(NULL, &src, &dst, datagram, total, true) ==
                      (flawed ? GW_IB_WRONG : GW_IB_RIGHT),
                  "a socket judges otherwise");
    lower[2] = (uint8_t)((28 + total) >> 8);
    lower[3] = (uint8_t)(28 + total);
    lower[24] = (uint8_t)((8 + total) >> 8);
    lower[25] = (uint8_t)(8 + total);
    gw_message m = gw_message_of(datagram, total);
    m.transport = GW_OVER_UDP;
    m.lower = lower;
    m.lower_len = sizeof lower;
    gw_fuzz_check(gw_ib_open_udp(&ib, &m), "a datagram does not open");
    check_opened(&ib, &m, packet, len, flawed);
    judge(&m, dialect);
    gw_fuzz_take_back(datagram);
}

/* A whole frame of which the capture kept all but |missing| bytes: of a checksum that is not all
 * there nothing is read, and nothing said. */
static void cut_short(const uint8_t *frame, size_t total, size_t missing)
{
    uint8_t *kept = gw_fuzz_lend(frame, total - missing);
    gw_message m = gw_message_of(kept, total - missing);
    uint32_t offset;
    gw_ib ib;

    m.len = (uint32_t)total;
    const char *fault = gw_ib_open_native(&ib, &m, &offset);
    gw_fuzz_check(fault != NULL || ib.vcrc_verdict == GW_IB_NOT_JUDGED, "judges half a VCRC");
    gw_fuzz_check(fault != NULL || missing <= GW_IB_VCRC || ib.icrc_verdict == GW_IB_NOT_JUDGED,
                  "judges half an ICRC");
    gw_fuzz_take_back(kept);
}

static void by_native(const uint8_t *packet, size_t len, const gw_dialect *dialect, bool flawed)
{
    static const uint8_t grh[GW_IB_GRH] = {0x60, [6] = 0x1b};
    uint8_t lrh[GW_IB_LRH];
    uint8_t *frame = gw_fuzz_lend(NULL, len + 64);
    bool global = len % 8 >= 4;
    size_t missing = 1 + len % 7;
    uint32_t offset;
    gw_ib ib;

    len -= len % 4; /* the LRH counts words */
    gw_ib_put_lrh(lrh, 1, 1, 2, 3, len, global);
    size_t total =
        gw_ib_close_native(frame, len + 64, lrh, global ? grh : NULL, packet, len, flawed, 0);
    gw_fuzz_check(total == len + (global ? 54 : 14), "a packet cannot be wrapped");
    gw_message m = gw_message_of(frame, total);
    gw_fuzz_check(gw_ib_open_native(&ib, &m, &offset) == NULL, "a frame does not open");
    check_opened(&ib, &m, packet, len, flawed);
    gw_fuzz_check(ib.vcrc_verdict == GW_IB_RIGHT, "a wrong VCRC");
    judge(&m, dialect);
    cut_short(frame, total, missing);
    gw_fuzz_take_back(frame);
}

/* A frame as it is: whatever it says of itself, and whatever is around it. */
static void by_frame(const uint8_t *data, size_t len, const gw_dialect *dialect, uint32_t cut)
{
    gw_cursor c = gw_cursor_over(data, len);
    uint32_t link_type = (cut & 1) != 0 ? GW_LINK_ERF : GW_LINK_EXPORTED_PDU;
    uint32_t sent = (uint32_t)len, offset = 0;
    const char *fault = NULL;
    gw_ib ib;

    gw_net_status status = gw_net_unwrap(&link_type, &c, &sent, &fault, &offset);
    gw_fuzz_check(status != GW_NET_OK || (c.p >= data && c.end <= data + len && c.p <= c.end),
                  "what is inside lies outside");
    gw_fuzz_check(status != GW_NET_TRUNCATED || (fault != NULL && offset <= len),
                  "a fault without a place");
    gw_message m = gw_message_of(data, len);
    m.len += cut;
    fault = gw_ib_open_native(&ib, &m, &offset);
    if (fault != NULL) {
        gw_fuzz_check(m.data == data && m.cap_len == len && offset <= m.len,
                      "a frame that does not open is changed, or has its fault outside");
        return;
    }
    gw_fuzz_check(m.data >= data && m.data + m.cap_len <= data + len && m.cap_len <= m.len,
                  "the packet lies outside its frame");
    judge(&m, dialect);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1 || size > 4096)
        return 0;
    const gw_dialect *dialect = gw_fuzz_dialect(&gw_ims, data[0] & 15);
    bool odd = (data[0] & 16) != 0;
    unsigned how = data[0] >> 5 & 3;
    uint8_t *bytes = gw_fuzz_lend(data + 1, size - 1);
    gw_message m = gw_message_of(bytes, size - 1);

    switch (how) {
    case UDP:
        by_udp(bytes, size - 1, dialect, odd);
        break;
    case NATIVE:
        by_native(bytes, size - 1, dialect, odd);
        break;
    case FRAME:
        by_frame(bytes, size - 1, dialect, data[0] >> 4);
        break;
    default:
        m.len += odd ? 1 + data[0] % 64 : 0;
        judge(&m, dialect);
        break;
    }
    gw_fuzz_take_back(bytes);
    return 0;
}
