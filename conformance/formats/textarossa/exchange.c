/* SPDX-License-Identifier: BSD-2-Clause */
/* TEXTAROSSA cases: talking to a board in datagrams and in beats. */
#include <inttypes.h>
#include <string.h>

#include "formats/textarossa/suite.h"
#include "goldwire/checksum.h"
#include "goldwire/cursor.h"

static gw_txc_state *state_of(gw_ctx *ctx)
{
    return gw_case_state(ctx);
}

bool gw_txc_is_switch(gw_ctx *ctx)
{
    return strcmp(gw_case_board(ctx)->role, gw_tx_switch_suite.role) == 0 ||
           gw_case_has_link(ctx, "x+");
}

const char *gw_txc_net(gw_ctx *ctx)
{
    return gw_txc_is_switch(ctx) ? "x+" : "net";
}

bool gw_txc_over_link(gw_ctx *ctx, const char *link)
{
    return link[0] == 'x' || (link[0] == 'n' && gw_case_stream(ctx));
}

size_t gw_txc_longest(gw_ctx *ctx)
{
    const size_t word = gw_tx_dialect_of(gw_case_dialect(ctx))->word_bytes;
    const size_t udp_header = 8, header_and_footer = 2 * word;

    if (gw_txc_over_link(ctx, gw_txc_net(ctx)))
        return GW_TX_PAYLOAD_MAX;
    /* Less than the limit, as the document has it. */
    return (GW_TX_UDP_LIMIT - 1 - udp_header - header_and_footer) / word * word;
}

/* ---- our way out ---- */

gw_tx_draft gw_txc_draft(gw_ctx *ctx, const void *payload, size_t len)
{
    gw_tx_draft draft = {.header = {.virt_chan = GW_TX_LAST_VC0,
                                    .proc_id = (uint16_t)(1 + gw_case_random(ctx) % 126),
                                    .dest_x = gw_txc_is_switch(ctx) ? 1 : 0,
                                    .packet_size = (uint16_t)len,
                                    .dest_addr = 0xfafbfcfd},
                         .payload = payload,
                         .payload_len = len,
                         .footer = gw_tx_footer_word(GW_TX_FOOTER_HAPECOM, GW_TX_PORT),
                         .edac = state_of(ctx)->edac};
    const char *net = gw_txc_net(ctx);

    if (!gw_txc_over_link(ctx, net)) {
        const gw_endpoint *board = &gw_case_transport(gw_case_link(ctx, net))->remote;
        draft.header.dest_addr = (uint64_t)board->port << 32 | gw_load_be32(board->ip);
    }
    return draft;
}

void gw_txc_fill(gw_ctx *ctx, uint8_t *payload, size_t len)
{
    for (size_t i = 0; i < len; i++)
        payload[i] = (uint8_t)(gw_case_random(ctx) >> 24);
    for (size_t i = 0; i < len; i += GW_TX_WORD)
        payload[i] &= 0x7f;
}

static void note_sent(gw_ctx *ctx, const gw_tx_draft *draft)
{
    gw_txc_state *s = state_of(ctx);
    unsigned place = s->num_sent++ % GW_ARRAY_LEN(s->sent);

    s->sent[place].crc = gw_crc32(NULL, 0, draft->payload, draft->payload_len);
    s->sent[place].proc_id = draft->header.proc_id;
}

bool gw_txc_is_late(gw_ctx *ctx, const gw_txc_got *got)
{
    const gw_txc_state *s = state_of(ctx);
    uint8_t payload[GW_TX_PAYLOAD_MAX];
    bool before = false;
    /* The ways to a switch's ports are not the one that is measured. */
    bool may = gw_case_repeats(ctx) || gw_case_spread_ns(ctx) > 0 ||
               (gw_txc_is_switch(ctx) && !gw_case_near(ctx));

    if (!may || s->num_sent < 2)
        return false;
    size_t len = gw_tx_copy_payload(&got->p, payload, sizeof(payload));
    uint32_t crc = gw_crc32(NULL, 0, payload, len);
    unsigned last = (s->num_sent - 1) % GW_ARRAY_LEN(s->sent);
    if (s->sent[last].crc == crc && s->sent[last].proc_id == got->p.header.proc_id)
        return false;
    for (unsigned i = 0; i < GW_ARRAY_LEN(s->sent) && i < s->num_sent; i++)
        before = before || (s->sent[i].crc == crc && s->sent[i].proc_id == got->p.header.proc_id);
    return before;
}

bool gw_txc_await(gw_ctx *ctx, const char *link, gw_txc_got *got, int64_t timeout_ns)
{
    gw_connection *conn = gw_case_link(ctx, link);
    int64_t deadline = gw_case_now(conn) + timeout_ns;

    while (gw_txc_next(ctx, link, got, deadline - gw_case_now(conn))) {
        if (!gw_txc_is_late(ctx, got))
            return true;
    }
    return false;
}

unsigned gw_txc_send(gw_ctx *ctx, const char *link, const gw_tx_draft *draft)
{
    note_sent(ctx, draft);
    uint8_t bytes[GW_TX_DATAGRAM_MAX + 3 * GW_TX_WORD];
    gw_connection *conn = gw_case_link(ctx, link);
    const gw_dialect *dialect = gw_case_dialect(ctx);
    if (!gw_txc_over_link(ctx, link))
        return gw_case_send(ctx, conn, bytes, gw_tx_build(bytes, sizeof(bytes), draft, dialect));
    size_t len = gw_tx_build_run(bytes, sizeof(bytes) - GW_TX_WORD, draft, dialect);
    gw_tx_store(bytes + len, GW_TX_WORD, GW_TX_ORDER_A, state_of(ctx)->credit);
    return gw_case_send(ctx, conn, bytes, len + GW_TX_WORD);
}

unsigned gw_txc_beats(gw_ctx *ctx, const char *link, const gw_tx_word *beats, size_t num)
{
    uint8_t bytes[64 * GW_TX_WORD];
    gw_connection *conn = gw_case_link(ctx, link);
    unsigned number = 0;

    for (size_t i = 0, len = 0; i < num; i++) {
        gw_tx_store(bytes + len, GW_TX_WORD, GW_TX_ORDER_A, beats[i]);
        len += GW_TX_WORD;
        if (len < sizeof(bytes) && i + 1 < num)
            continue;
        number = gw_case_send(ctx, conn, bytes, len);
        len = 0;
    }
    return number;
}

size_t gw_txc_run(gw_ctx *ctx, const gw_tx_draft *draft, gw_tx_word *beats, size_t cap)
{
    uint8_t bytes[GW_TX_DATAGRAM_MAX + 3 * GW_TX_WORD];
    size_t len = gw_tx_build_run(bytes, sizeof(bytes), draft, gw_case_dialect(ctx));
    size_t num = len / GW_TX_WORD < cap - 1 ? len / GW_TX_WORD : cap - 1;

    for (size_t i = 0; i < num; i++)
        beats[i] = gw_tx_load(bytes + i * GW_TX_WORD, GW_TX_WORD, GW_TX_ORDER_A);
    beats[num] = state_of(ctx)->credit;
    return num + 1;
}

void gw_txc_credit(gw_ctx *ctx, const char *link, unsigned headers, unsigned data)
{
    gw_tx_credit credit = {.edac = 0};

    for (unsigned vc = 0; vc < GW_TX_NUM_VCS; vc++) {
        credit.vc[vc].header = (uint8_t)headers;
        credit.vc[vc].data = (uint16_t)data;
    }
    gw_tx_word word = gw_tx_credit_pack(&credit);
    if (state_of(ctx)->edac)
        word = gw_tx_protect(word);
    state_of(ctx)->credit = word;
    (void)gw_txc_beats(ctx, link, &word, 1);
}

/* ---- what comes in ---- */

gw_txc_way *gw_txc_way_of(gw_ctx *ctx, const char *link)
{
    return &state_of(ctx)->ways[strcmp(link, "x-") == 0];
}

/* A piece of a stream on its way into a queue. */
typedef struct taking {
    gw_txc_way *way;
    unsigned number;
} taking;

static void note_credits(gw_txc_way *way, const gw_message *m)
{
    for (uint32_t at = 0; at + GW_TX_WORD <= m->cap_len; at += GW_TX_WORD) {
        way->credit = gw_tx_load(m->data + at, GW_TX_WORD, GW_TX_ORDER_A);
        way->has_credit = true;
    }
}

static void take_message(void *ctx, const gw_message *m)
{
    const taking *t = ctx;
    gw_txc_way *way = t->way;

    if (m->part == GW_TX_PART_IDLE)
        note_credits(way, m);
    if (way->num == GW_TXC_QUEUE || way->used + m->cap_len > sizeof(way->bytes))
        return; /* a flood; the evidence has it */
    memcpy(way->bytes + way->used, m->data, m->cap_len);
    way->queue[way->num].at = way->used;
    way->queue[way->num].len = m->cap_len;
    way->queue[way->num].number = t->number;
    way->queue[way->num].part = m->part;
    way->queue[way->num].part_arg = m->part_arg;
    way->num++;
    way->used += m->cap_len;
}

/* A new connection begins with nothing. */
static void refresh(gw_ctx *ctx, gw_txc_way *way, const gw_connection *conn)
{
    _Static_assert(sizeof(way->stream) >= 4096, "room for a stream's state");
    if (way->conn == conn)
        return;
    if (gw_textarossa.stream->size > sizeof(way->stream))
        gw_case_error(ctx, "the state of a stream needs %zu bytes", gw_textarossa.stream->size);
    way->conn = conn;
    way->num = way->next = way->used = way->credits = 0;
    way->has_credit = false;
    gw_textarossa.stream->init(way->stream, gw_case_dialect(ctx));
}

/* What is left until |deadline|; 0 still takes what is there. */
static int64_t left_until(gw_connection *conn, int64_t deadline)
{
    int64_t left = deadline - gw_case_now(conn);
    return left > 0 ? left : 0;
}

/* Fills the queue of an APElink; false when nothing comes in time. */
static bool fetch(gw_ctx *ctx, const char *link, gw_txc_way *way, int64_t timeout_ns)
{
    gw_connection *conn = gw_case_link(ctx, link);
    gw_packet packet;

    if (way->next < way->num)
        return true;
    way->num = way->next = way->used = 0;
    int64_t deadline = gw_case_now(conn) + timeout_ns;
    while (way->num == 0) {
        if (gw_case_recv(ctx, conn, left_until(conn, deadline), &packet) != GW_RECV_DATA)
            return false;
        taking t = {way, packet.number};
        gw_message segment = gw_message_of(packet.data, packet.len);
        segment.transport = GW_OVER_TCP;
        gw_textarossa.stream->push(way->stream, 0, &segment, take_message, &t);
    }
    return true;
}

static void decode(gw_ctx *ctx, gw_txc_got *got)
{
    got->error = gw_tx_decode(&got->p, &got->message, gw_case_dialect(ctx));
}

static bool next_run(gw_ctx *ctx, const char *link, gw_txc_got *got, int64_t timeout_ns)
{
    gw_txc_way *way = gw_txc_way_of(ctx, link);
    gw_connection *conn = gw_case_link(ctx, link);
    int64_t deadline = gw_case_now(conn) + timeout_ns;

    while (fetch(ctx, link, way, left_until(conn, deadline))) {
        unsigned i = way->next++;
        if (way->queue[i].part != GW_TX_PART_LINK) {
            way->credits += way->queue[i].len / GW_TX_WORD;
            continue;
        }
        uint32_t len = way->queue[i].len;
        len = len < sizeof(got->bytes) ? len : sizeof(got->bytes);
        memcpy(got->bytes, way->bytes + way->queue[i].at, len);
        got->number = way->queue[i].number;
        got->credits = way->credits;
        way->credits = 0;
        got->message = gw_message_of(got->bytes, len);
        got->message.transport = GW_OVER_TCP;
        got->message.part = GW_TX_PART_LINK;
        got->message.part_arg = way->queue[i].part_arg;
        decode(ctx, got);
        return true;
    }
    return false;
}

static bool next_datagram(gw_ctx *ctx, const char *link, gw_txc_got *got, int64_t timeout_ns)
{
    gw_connection *conn = gw_case_link(ctx, link);
    gw_packet packet;

    if (gw_case_recv(ctx, conn, timeout_ns, &packet) != GW_RECV_DATA)
        return false;
    got->message = gw_case_keep(&packet, got->bytes, sizeof(got->bytes));
    got->number = packet.number;
    got->message.src = packet.from;
    got->message.dst = gw_case_transport(conn)->local;
    decode(ctx, got);
    return true;
}

bool gw_txc_next(gw_ctx *ctx, const char *link, gw_txc_got *got, int64_t timeout_ns)
{
    if (!gw_txc_over_link(ctx, link))
        return next_datagram(ctx, link, got, timeout_ns);
    refresh(ctx, gw_txc_way_of(ctx, link), gw_case_link(ctx, link));
    return next_run(ctx, link, got, timeout_ns);
}

void gw_txc_drain(gw_ctx *ctx, const char *link)
{
    static const unsigned enough = 1000;
    gw_txc_got got;

    if (!gw_txc_over_link(ctx, link)) {
        gw_case_drain(ctx, gw_case_link(ctx, link));
        return;
    }
    for (unsigned i = 0; i < enough && gw_txc_next(ctx, link, &got, 0); i++)
        ;
    gw_txc_way_of(ctx, link)->credits = 0;
}

bool gw_txc_credit_within(gw_ctx *ctx, const char *link, uint64_t low, int64_t time_ns)
{
    gw_txc_way *way = gw_txc_way_of(ctx, link);
    gw_connection *conn = gw_case_link(ctx, link);
    int64_t deadline = gw_case_now(conn) + time_ns;
    const uint64_t counts = UINT64_C(0xfffffffff);

    refresh(ctx, way, conn);
    while (!way->has_credit || (way->credit.lo & counts) != low) {
        while (way->next < way->num && way->queue[way->next].part != GW_TX_PART_LINK)
            way->next++;
        if (way->next < way->num || !fetch(ctx, link, way, left_until(conn, deadline)))
            return false;
    }
    return true;
}

bool gw_txc_fresh_credit(gw_ctx *ctx, const char *link, uint64_t low)
{
    return gw_txc_credit_within(ctx, link, low, gw_case_reply_ns(ctx));
}

size_t gw_txc_collect(gw_ctx *ctx, gw_tx_word *beats, size_t cap, unsigned *number)
{
    gw_connection *conn = gw_case_link(ctx, gw_txc_net(ctx));
    uint8_t rest[GW_TX_WORD];
    size_t num = 0, have = 0;
    gw_packet packet;
    int64_t timeout = gw_case_reply_ns(ctx);

    while (num < cap && gw_case_recv(ctx, conn, timeout, &packet) == GW_RECV_DATA) {
        *number = packet.number;
        timeout = gw_case_settle_ns(ctx);
        for (size_t i = 0; i < packet.len && num < cap; i++) {
            rest[have++] = packet.data[i];
            if (have < GW_TX_WORD)
                continue;
            beats[num++] = gw_tx_load(rest, GW_TX_WORD, GW_TX_ORDER_A);
            have = 0;
        }
    }
    gw_txc_way_of(ctx, gw_txc_net(ctx))->conn = NULL; /* what was cut so far is out of step */
    return num;
}

/* ---- registers ---- */

void gw_txc_write(gw_ctx *ctx, uint32_t offset, uint32_t value)
{
    gw_regs_write(ctx, offset, value);
}

uint32_t gw_txc_soon(gw_ctx *ctx, uint32_t offset, uint32_t mask, uint32_t value)
{
    gw_connection *conn = gw_case_link(ctx, GW_REGS_LINK);
    int64_t deadline = gw_case_now(conn) + gw_case_reply_ns(ctx);
    /* Longer each time: every look is one more thing that can get lost. */
    int64_t pause = gw_case_scaled_ns(ctx, GW_MS);
    uint32_t seen = gw_regs_read(ctx, offset);

    while ((seen & mask) != value && gw_case_now(conn) < deadline) {
        gw_case_wait(conn, pause);
        pause *= 2;
        seen = gw_regs_read(ctx, offset);
    }
    return seen;
}

void gw_txc_use_edac(gw_ctx *ctx)
{
    const char *net = gw_txc_net(ctx);

    if (gw_case_board(ctx)->claims.edac == GW_CLAIM_NO)
        gw_case_na(ctx, "the board file claims no edac");
    gw_txc_write(ctx, GW_TX_LINK_0_CONFIG_0, GW_TXC_EDAC_ALL);
    state_of(ctx)->edac = true;
    gw_txc_credit(ctx, net, 0x40, 0x40);
    gw_txc_drain(ctx, net);
}
