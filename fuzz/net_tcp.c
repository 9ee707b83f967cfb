/* SPDX-License-Identifier: BSD-2-Clause */
/* TCP reassembly of streams that are known in advance: the byte at position n is n, so that each
 * byte tells where it belongs. Input: one byte (window), four of starting numbers, then segments of
 * four bytes each: who and whether the capture cut it, flags, position, length. A forged segment
 * has bit 7 of its bytes set.
 *
 * Oracles: bytes come out in order, each once, at the position that data and gaps so far add up to,
 * and from the segment they are said to come from; a gap has no byte in it that had come; bytes
 * differ only where some were forged; no event after the end, and an end for each connection. */
#include "fuzz.h"
#include "goldwire/net.h"
#include "harness/capture.h"

enum { CONNECTIONS = 3, TABLE = 2, POSITIONS = 128, SEGMENTS_MAX = 2048 };

struct segment {
    uint8_t conn, dir, first, len;
};

struct side {
    int next; /* position of the next byte out; -1: not known yet */
    uint8_t came[POSITIONS];
};

struct conn {
    struct side sides[2]; /* by who sent it, not by gw_tcp's direction */
    uint32_t streams;     /* the last one between these ports, plus one */
    bool open;
    bool forged;               /* any of its segments, ever */
    uint8_t cut[2][POSITIONS]; /* what the capture cut, ever: it may count as seen */
};

struct watch {
    struct conn conns[CONNECTIONS];
    struct segment segments[SEGMENTS_MAX + 1]; /* by frame */
    uint64_t frame;
};

/* The clients' ports count up from this one. */
#define CLIENT_PORT 40000
#define SERVER_PORT 60368

static void on_data(struct side *side, const struct segment *from, const gw_message *s)
{
    if (side->next < 0)
        side->next = s->data[0] & 0x7f;
    gw_fuzz_check(side->next >= from->first &&
                      side->next + (int)s->len <= from->first + (int)from->len,
                  "bytes that the segment did not have");
    for (uint32_t i = 0; i < s->len; i++)
        gw_fuzz_check((s->data[i] & 0x7f) == side->next + (int)i, "a byte at the wrong place");
    side->next += (int)s->len;
}

static void on_gap(struct side *side, uint32_t len)
{
    gw_fuzz_check(len > 0 && len <= POSITIONS + 1, "a gap that cannot be");
    if (side->next < 0)
        return;
    for (int i = side->next; i < side->next + (int)len && i < POSITIONS; i++)
        gw_fuzz_check(!side->came[i], "a byte that came is called a gap");
    side->next += (int)len;
}

static void on_event(void *ctx, const gw_tcp_event *e)
{
    struct watch *w = ctx;
    const gw_message *s = &e->segment;
    const bool client = s->dst.port == SERVER_PORT;
    const unsigned index = (client ? s->src.port : s->dst.port) - CLIENT_PORT;

    gw_fuzz_check(index < CONNECTIONS && s->frame >= 1 && s->frame <= w->frame,
                  "an event of nobody");
    struct conn *c = &w->conns[index];
    struct side *side = &c->sides[client ? 0 : 1];
    const struct segment *from = &w->segments[s->frame];
    if (!c->open) {
        gw_fuzz_check(c->streams <= e->stream, "an event of a connection that ended");
        memset(c->sides, 0, sizeof c->sides);
        c->sides[0].next = c->sides[1].next = -1;
        c->streams = e->stream + 1;
        c->open = true;
    }
    gw_fuzz_check(c->streams == e->stream + 1, "a connection begins before the last one ended");
    switch (e->kind) {
    case GW_TCP_DATA:
        gw_fuzz_check(from->conn == index && from->dir == (client ? 0 : 1),
                      "bytes of somebody else's segment");
        on_data(side, from, s);
        gw_fuzz_read(true);
        break;
    case GW_TCP_GAP:
        on_gap(side, e->gap_len);
        break;
    case GW_TCP_OVERLAP:
        gw_fuzz_check(c->forged && e->gap_len >= 1 && e->gap_len <= from->len,
                      "bytes are said to differ, and do not");
        break;
    default:
        c->open = false;
        break;
    }
    gw_fuzz_check(side->next <= POSITIONS + 1, "more came out than there is");
}

/* Notes what a segment brings of a connection that is surely open. A lone byte may be a keep-alive,
 * and what comes with an RST does not count. */
static void note(struct conn *c, const struct segment *g, unsigned captured, uint8_t flags)
{
    for (unsigned i = captured; i < g->len; i++)
        c->cut[g->dir][g->first + i] = 1;
    if (!c->open || g->len <= 1 || (flags & (GW_TCP_RST | GW_TCP_SYN)) != 0)
        return;
    for (unsigned i = 0; i < captured; i++)
        c->sides[g->dir].came[g->first + i] = !c->cut[g->dir][g->first + i];
}

static void segment(struct watch *w, gw_tcp *tcp, const uint8_t *isn, const uint8_t *op)
{
    const bool server = (op[0] & 1) != 0, forged = (op[0] & 8) != 0, cut = (op[0] & 16) != 0;
    const uint8_t flags = op[1] & (GW_TCP_FIN | GW_TCP_SYN | GW_TCP_RST | GW_TCP_ACK);
    struct segment g = {(uint8_t)((op[0] >> 1 & 3) % CONNECTIONS), server, op[2] & 0x7f,
                        op[3] & 0x7f};
    gw_endpoint client = {{127, 0, 0, 1}, (uint16_t)(CLIENT_PORT + g.conn), GW_FAMILY_IPV4, 0};
    gw_endpoint service = {{127, 0, 0, 1}, SERVER_PORT, GW_FAMILY_IPV4, 0};
    uint8_t bytes[POSITIONS], frame[256];
    gw_net net;

    if (g.first + g.len > POSITIONS)
        g.len = (uint8_t)(POSITIONS - g.first);
    for (unsigned i = 0; i < g.len; i++)
        bytes[i] = (uint8_t)(g.first + i) | (forged ? 0x80 : 0);
    /* Starting numbers near the wrap, so that streams cross it. */
    const uint8_t *own = &isn[(g.conn & 1) != 0 ? 2 : 0];
    const uint32_t start[2] = {0xffffff00u + own[0], 0x7fffff00u + own[1]};
    const uint32_t seq = start[server] + g.first - ((flags & GW_TCP_SYN) != 0 ? 1 : 0);
    const uint32_t ack = start[!server] + (op[0] >> 5) * 16u + (op[1] >> 5);
    size_t len = gw_frame_tcp(frame, sizeof frame, server ? &service : &client,
                              server ? &client : &service, seq, ack, flags, bytes, g.len);
    gw_fuzz_check(len > 0, "a segment does not fit its frame");

    const unsigned captured = cut ? g.len / 2u : g.len;
    w->segments[++w->frame] = g;
    w->conns[g.conn].forged |= forged;
    uint8_t *copy = gw_fuzz_lend(frame, len - g.len + captured);
    gw_net_status status = gw_net_parse(
        &net, GW_LINK_ETHERNET, gw_cursor_over(copy, len - g.len + captured), (uint32_t)len);
    gw_fuzz_check(status == GW_NET_OK && net.payload_len == g.len &&
                      gw_cursor_left(&net.payload) == captured && net.tcp_seq == seq &&
                      net.tcp_flags == flags &&
                      (captured == 0 || memcmp(net.payload.p, bytes, captured) == 0),
                  "a good segment is not read as it was written");
    note(&w->conns[g.conn], &g, captured, flags);
    gw_tcp_add(tcp, &net, w->frame, (int64_t)w->frame);
    gw_fuzz_take_back(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void *mem;
    static struct watch w;
    gw_cursor c = gw_cursor_over(data, size);
    const uint8_t *isn, *op;
    uint8_t choice;

    memset(&w, 0, sizeof w);
    if (mem == NULL)
        mem = malloc(gw_tcp_size(TABLE, 128));
    if (!gw_cursor_u8(&c, &choice) || !gw_cursor_bytes(&c, &isn, 4))
        return 0;
    gw_tcp *tcp = gw_tcp_init(mem, TABLE, choice & 1 ? 128 : 64, on_event, &w);
    gw_fuzz_check(tcp != NULL, "no table");
    while (w.frame < SEGMENTS_MAX && gw_cursor_bytes(&c, &op, 4))
        segment(&w, tcp, isn, op);
    gw_tcp_end(tcp);
    for (unsigned i = 0; i < CONNECTIONS; i++)
        gw_fuzz_check(!w.conns[i].open, "a connection that never ends");
    return 0;
}
