/* SPDX-License-Identifier: BSD-2-Clause */
/* Hostile frames, from every link layer to UDP and TCP, fragments and streams in small tables.
 * Input: pieces (fuzz.h), each a frame: the choice says the link type, how much the capture cut,
 * and whether the checksum of ICMPv6 is made right.
 *
 * Oracles: a payload lies in its frame and is no longer than its headers say; a fault has a text
 * and lies in the frame; what the capture cut is either not missed or called truncated, and never
 * read as something else; streams have no event after their end; datagrams are given up once. */
#include "goldwire/net.h"

#include "fuzz.h"
#include "goldwire/checksum.h"
#include "goldwire/writer.h"

enum { DATAGRAMS = 2, CONNECTIONS = 2, WINDOW = 64, ICMPV6_CHECKSUM = 2 };

static const unsigned links[] = {
    GW_LINK_ETHERNET, GW_LINK_RAW,  GW_LINK_NULL, GW_LINK_LOOP,  GW_LINK_SLL,
    GW_LINK_SLL2,     GW_LINK_IPV4, GW_LINK_IPV6, GW_LINK_USER0, 12,
};

struct watch {
    gw_defrag *defrag;
    gw_tcp *tcp;
    uint64_t frame;
    uint64_t fragments;
    uint64_t given_up;
    bool open[CONNECTIONS];
    uint32_t streams[CONNECTIONS]; /* the last one of a slot, plus one */
};

static void lost(void *ctx, uint64_t frame, const gw_net *net, const char *why)
{
    struct watch *w = ctx;

    gw_fuzz_check(frame >= 1 && frame <= w->frame, "fragments of a frame that was never seen");
    gw_fuzz_check(net->ip_version != 0 && gw_cursor_left(&net->payload) == 0,
                  "a lost datagram without addresses, or with bytes");
    gw_fuzz_check(why != NULL && why[0] != '\0', "fragments given up without a reason");
    gw_fuzz_check(++w->given_up <= w->fragments, "more datagrams given up than there were");
}

static void on_event(void *ctx, const gw_tcp_event *e)
{
    struct watch *w = ctx;
    const gw_message *s = &e->segment;

    gw_fuzz_check(e->kind <= GW_TCP_END && e->dir <= 1 && e->slot < CONNECTIONS, "an odd event");
    if (w->open[e->slot])
        gw_fuzz_check(w->streams[e->slot] == e->stream + 1,
                      "a slot is reused before its connection ended");
    else
        gw_fuzz_check(w->streams[e->slot] <= e->stream, "an event of a connection that ended");
    w->streams[e->slot] = e->stream + 1;
    w->open[e->slot] = e->kind != GW_TCP_END;
    gw_fuzz_check(s->frame >= 1 && s->frame <= w->frame && s->num_frames == 1 &&
                      s->frames[0] == s->frame,
                  "an event of a frame that was never seen");
    gw_fuzz_check((e->kind == GW_TCP_DATA) == (s->cap_len > 0) && s->len == s->cap_len,
                  "data without bytes, or bytes without data");
    gw_fuzz_check((e->kind == GW_TCP_GAP || e->kind == GW_TCP_OVERLAP) == (e->gap_len > 0),
                  "a gap without length, or a length without a gap");
    /* A fuzzer's frame is no longer than this; AddressSanitizer sees whether the bytes are there.
     */
    gw_fuzz_check(s->cap_len <= UINT16_MAX, "more bytes than any frame had");
    for (uint32_t i = 0; i < s->cap_len; i++) {
        const volatile uint8_t *p = s->data;
        (void)p[i];
    }
}

static void check_facts(const gw_net *net, gw_net_status status, const uint8_t *bytes, size_t len)
{
    const bool faulty = status == GW_NET_TRUNCATED || status == GW_NET_MALFORMED;

    gw_fuzz_check(status <= GW_NET_UNKNOWN_LINK, "an odd status");
    gw_fuzz_check((net->fault != NULL && net->fault[0] != '\0') == faulty,
                  "a fault without a text, or a text without a fault");
    gw_fuzz_check(net->fault_offset <= len, "a fault outside the frame");
    gw_fuzz_check(net->payload.p >= bytes && net->payload.p <= net->payload.end &&
                      net->payload.end <= bytes + len,
                  "a payload outside the frame");
    gw_fuzz_check(gw_cursor_left(&net->payload) <= net->payload_len,
                  "a payload longer than its headers say");
    gw_fuzz_check(net->num_vlans <= GW_MESSAGE_VLANS, "too many VLANs");
    gw_fuzz_check(status != GW_NET_OK || (net->ip_version != 0 && net->transport != 0),
                  "a transport without IP");
}

/* The same frame, of which the capture kept |kept| bytes: it must tell the same, as far as it goes.
 */
static void check_cut(const gw_net *whole, gw_net_status whole_status, unsigned link,
                      const uint8_t *data, size_t kept, uint32_t orig_len)
{
    uint8_t *bytes = gw_fuzz_lend(data, kept);
    gw_net net;
    gw_net_status status = gw_net_parse(&net, link, gw_cursor_over(bytes, kept), orig_len);

    check_facts(&net, status, bytes, kept);
    gw_fuzz_check(status == whole_status || status == GW_NET_TRUNCATED,
                  "a cut frame is read as something else");
    if (status == whole_status && status == GW_NET_OK) {
        gw_fuzz_check(
            gw_endpoint_equal(&net.src, &whole->src) && gw_endpoint_equal(&net.dst, &whole->dst) &&
                net.transport == whole->transport && net.payload_len == whole->payload_len,
            "a cut frame tells other facts");
        gw_fuzz_check(gw_cursor_offset(&net.payload) == gw_cursor_offset(&whole->payload),
                      "a cut frame has its payload elsewhere");
    }
    gw_fuzz_take_back(bytes);
}

static bool is_icmpv6(const gw_net *net, gw_net_status status)
{
    return status == GW_NET_OTHER_IP && net->ip_version == 6 &&
           net->protocol == GW_PROTOCOL_ICMPV6 &&
           gw_cursor_left(&net->payload) >= ICMPV6_CHECKSUM + 2;
}

/* Makes the checksum right of ICMPv6 in |bytes|, of which |net| tells. */
static void mend_icmpv6(uint8_t *bytes, const gw_net *net)
{
    const size_t len = gw_cursor_left(&net->payload);
    const uint8_t rest[] = {(uint8_t)(len >> 8), (uint8_t)len, 0, GW_PROTOCOL_ICMPV6};
    uint8_t *message = bytes + (net->payload.p - bytes);
    uint32_t sum = gw_inet_sum(0, net->src.ip, sizeof net->src.ip);

    gw_store_be(message + ICMPV6_CHECKSUM, 0, 2);
    sum = gw_inet_sum(sum, net->dst.ip, sizeof net->dst.ip);
    sum = gw_inet_sum(gw_inet_sum(sum, rest, sizeof rest), message, len);
    gw_store_be(message + ICMPV6_CHECKSUM, gw_inet_fold(sum), 2);
}

static void read_neighbour(const gw_net *net)
{
    gw_neighbour n;

    if (!gw_net_neighbour(&n, net))
        return;
    gw_fuzz_read(true);
    gw_fuzz_check(n.target[0] != 0xff, "a neighbour that is a group");
    gw_fuzz_check(n.told || !n.solicited, "a question that answers one");
}

static void take(struct watch *w, gw_net *net, gw_net_status status, int64_t now)
{
    uint64_t frames[GW_MESSAGE_FRAMES];
    uint32_t num_frames;

    if (status == GW_NET_FRAGMENT) {
        w->fragments++;
        gw_defrag_result result = gw_defrag_add(w->defrag, net, w->frame, now, frames, &num_frames);
        if (result == GW_DEFRAG_REFUSED)
            gw_fuzz_check(net->fault != NULL && net->fault[0] != '\0', "refused without a reason");
        if (result != GW_DEFRAG_COMPLETE)
            return;
        gw_fuzz_check(num_frames >= 1 && num_frames <= w->fragments, "a datagram of no frames");
        for (uint32_t i = 0; i < num_frames && i < GW_MESSAGE_FRAMES; i++)
            gw_fuzz_check(frames[i] >= 1 && frames[i] <= w->frame &&
                              (i == 0 || frames[i] > frames[i - 1]),
                          "a datagram of frames that were never seen, or not in order");
        const gw_cursor payload = net->payload;
        status = gw_net_parse_transport(net, payload, net->payload_len);
        check_facts(net, status, payload.base, gw_cursor_left(&payload));
    }
    gw_fuzz_read(status == GW_NET_OK);
    if (status == GW_NET_OK)
        gw_tcp_add(w->tcp, net, w->frame, now);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void *defrag_mem, *tcp_mem;
    struct watch w = {.frame = 0};
    gw_cursor c = gw_cursor_over(data, size), piece;
    int64_t now = INT64_C(1700000000) * 1000000000;
    uint8_t choice;

    if (size > 32768)
        return 0;
    if (tcp_mem == NULL) {
        defrag_mem = malloc(gw_defrag_size(DATAGRAMS));
        tcp_mem = malloc(gw_tcp_size(CONNECTIONS, WINDOW));
    }
    w.defrag = gw_defrag_init(defrag_mem, DATAGRAMS, lost, &w);
    w.tcp = gw_tcp_init(tcp_mem, CONNECTIONS, WINDOW, on_event, &w);
    gw_fuzz_check(w.defrag != NULL && w.tcp != NULL, "no tables");

    while (gw_fuzz_piece(&c, &choice, &piece)) {
        const unsigned link = links[(choice & 15) % GW_ARRAY_LEN(links)];
        size_t len = gw_cursor_left(&piece);
        uint8_t *bytes = gw_fuzz_lend(piece.p, len);
        uint32_t orig_len = (uint32_t)len + (choice & 0x10 ? 8 : 0) + (choice & 0x20 ? 70000 : 0);
        gw_net net;

        now += choice & 0x40 ? INT64_C(20000000000) : 1000;
        w.frame++;
        gw_net_status status = gw_net_parse(&net, link, gw_cursor_over(bytes, len), orig_len);
        check_facts(&net, status, bytes, len);
        if ((choice & 0x80) != 0 && is_icmpv6(&net, status))
            mend_icmpv6(bytes, &net);
        gw_fuzz_check(status > GW_NET_FRAGMENT || net.payload_len <= orig_len,
                      "a payload longer than its frame");
        check_cut(&net, status, link, bytes, len / 2, orig_len);
        check_cut(&net, status, link, bytes, len > 0 ? len - 1 : 0, orig_len);
        if (status == GW_NET_OTHER_IP)
            read_neighbour(&net);
        take(&w, &net, status, now);
        gw_fuzz_take_back(bytes); /* nobody may keep a frame's bytes */
    }
    gw_defrag_end(w.defrag);
    gw_tcp_end(w.tcp);
    for (unsigned i = 0; i < CONNECTIONS; i++)
        gw_fuzz_check(!w.open[i], "a connection that never ends");
    return 0;
}
