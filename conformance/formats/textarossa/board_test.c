/* SPDX-License-Identifier: BSD-2-Clause */
/* The software TEXTAROSSA boards in memory: every header that the published router was seen to
 * route goes through the switch, and the node sends payloads back in every dialect. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

#include "boards/mem_testing.h"
#include "formats/textarossa/board.h"
#include "goldwire/cursor.h"

enum { LINK, NODE };
enum { PORT0, PORT1, PORT2, PORT3, NOWHERE, PLUS, MINUS, NUM_EXITS };

typedef struct route {
    uint16_t from, me, lattice, x, y, z, intra, virt_chan, size, marked, exit, out_chan, words;
} route;

static const route routes[] = {
#define ROUTE(...) {__VA_ARGS__},
#include "../../../codecs/textarossa/testing/routes.def"
};

/* The switch's links, by exit. */
static const uint8_t link_of[NUM_EXITS] = {
    [PORT0] = 2, [PORT1] = 3, [PORT2] = 4, [PORT3] = 5, [PLUS] = 0, [MINUS] = 1};

typedef struct desk {
    gw_peer_config config;
    gw_mem *mem;
    gw_tx_board *board;
    gw_transport *lines[NUM_EXITS];
} desk;

static void send(gw_transport *t, const uint8_t *data, size_t len)
{
    assert_true(t->ops->send(t, data, len));
}

/* What comes within a millisecond, at most |cap| bytes. */
static size_t recv_all(gw_transport *t, uint8_t *buf, size_t cap)
{
    size_t have = 0, len;
    int64_t stamp, deadline = t->ops->now(t) + 1000000;
    gw_endpoint from;

    while (have < cap &&
           t->ops->recv(t, buf + have, cap - have, &len, deadline, &stamp, &from) == GW_RECV_DATA)
        have += len;
    return have;
}

static void send_credit(gw_transport *t)
{
    gw_tx_credit credit = {.vc = {{0x40, 0x40}, {0x40, 0x40}}};
    uint8_t beat[GW_TX_WORD];

    gw_tx_store(beat, sizeof(beat), GW_TX_ORDER_A, gw_tx_credit_pack(&credit));
    send(t, beat, sizeof(beat));
}

static void open_switch(desk *d, const char *dialect)
{
    uint8_t idle[64];
    char why[256] = "";

    *d = (desk){.config = {.dialect = gw_dialect_by_name(&gw_textarossa, dialect)}};
    d->mem = gw_mem_start(&gw_tx_switch_board, &d->config, why, sizeof(why));
    assert_non_null(d->mem);
    d->board = gw_mem_state(d->mem);
    for (unsigned i = 0; i < NUM_EXITS; i++) {
        if (i == NOWHERE)
            continue;
        d->lines[i] = gw_mem_connect(d->mem, link_of[i], i >= PLUS, why, sizeof(why));
        assert_non_null(d->lines[i]);
    }
    (void)gw_tx_write_register(d->board, GW_TX_LINK_0_CONFIG_1, GW_TX_USUAL_THRESHOLDS);
    (void)gw_tx_write_register(d->board, GW_TX_LINK_0_CONFIG_2, GW_TX_USUAL_CYCLES);
    for (unsigned i = PLUS; i <= MINUS; i++) {
        send_credit(d->lines[i]);
        (void)recv_all(d->lines[i], idle, sizeof(idle));
    }
}

static void close_switch(desk *d)
{
    for (unsigned i = 0; i < NUM_EXITS; i++)
        gw_transport_close(d->lines[i]);
    gw_mem_stop(d->mem);
}

/* Decodes what came out at |exit|; false when nothing did. */
static bool came_out(desk *d, unsigned exit, uint8_t *buf, size_t cap, gw_tx_packet *p)
{
    size_t len = recv_all(d->lines[exit], buf, cap);
    gw_message message = gw_message_of(buf, len);

    if (len <= GW_TX_WORD) /* nothing, or a credit */
        return false;
    if (exit >= PLUS) {
        message.part = GW_TX_PART_LINK;
        message.len = message.cap_len = (uint32_t)(len - GW_TX_WORD); /* a credit ends it */
    }
    assert_int_equal(gw_tx_decode(p, &message, d->config.dialect).kind, GW_OK);
    return true;
}

static void pass(const route *r, const char *dialect)
{
    uint8_t payload[4096], bytes[8192];
    gw_tx_packet p;
    desk d;
    gw_tx_draft draft = {.header = {.virt_chan = (uint8_t)r->virt_chan,
                                    .dest_x = (uint8_t)r->x,
                                    .dest_y = (uint8_t)r->y,
                                    .dest_z = (uint8_t)r->z,
                                    .intra_dest = (uint8_t)r->intra,
                                    .out_of_lattice = (uint8_t)r->marked,
                                    .num_of_hops = r->marked ? 7 : 0,
                                    .dest_addr = 0xfafbfcfd},
                         .payload = payload,
                         .payload_len = r->size,
                         .footer = {r->me, ~UINT64_C(0)}};

    if (r->size > GW_TX_PAYLOAD_MAX)
        return; /* more than a link or a port ever grants */
    memset(payload, 0x5a, sizeof(payload));
    open_switch(&d, dialect);
    (void)gw_tx_write_register(d.board, GW_TX_COORDME_REG, r->me);
    (void)gw_tx_write_register(d.board, GW_TX_LATTICESIZE_REG, r->lattice);
    size_t len = r->from == LINK ? gw_tx_build_run(bytes, sizeof(bytes), &draft, NULL)
                                 : gw_tx_build(bytes, sizeof(bytes), &draft, NULL);
    send(d.lines[r->from == LINK ? MINUS : PORT1], bytes, len);
    for (unsigned exit = 0; exit < NUM_EXITS; exit++) {
        if (exit == NOWHERE)
            continue;
        bool came = came_out(&d, exit, bytes, sizeof(bytes), &p);
        assert_int_equal(came, exit == r->exit);
        if (!came)
            continue;
        assert_int_equal(p.header.virt_chan, r->out_chan);
        assert_int_equal(p.header.num_of_hops, draft.header.num_of_hops);
        assert_int_equal(p.payload_len, r->size);
        assert_true(p.footer.lo == draft.footer.lo && p.footer.hi == draft.footer.hi);
    }
    close_switch(&d);
}

static void switch_routes_as_published(void **state)
{
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(routes); i++) {
        pass(&routes[i], "strict");
        pass(&routes[i], "rtl");
    }
}

/* ---- the node, on its Ethernet port ---- */

static void echo(const char *dialect, size_t size)
{
    gw_peer_config config = {.dialect = gw_dialect_by_name(&gw_textarossa, dialect)};
    uint8_t payload[1440], bytes[2048], back[1440];
    char why[256] = "";
    gw_tx_packet p;

    assert_non_null(config.dialect);
    for (size_t i = 0; i < sizeof(payload); i++)
        payload[i] = (uint8_t)(i * 7 + size);
    gw_transport *t = mem_open(&gw_tx_node_board, &config, false, why, sizeof(why));
    assert_non_null(t);
    gw_tx_draft draft = {
        .header = {.virt_chan = GW_TX_LAST_VC0,
                   .proc_id = 5,
                   .dest_addr = (uint64_t)t->remote.port << 32 | gw_load_be32(t->remote.ip)},
        .payload = payload,
        .payload_len = size,
        .footer = gw_tx_footer_word(GW_TX_FOOTER_HAPECOM, GW_TX_PORT)};
    size_t len = gw_tx_build(bytes, sizeof(bytes), &draft, config.dialect);
    send(t, bytes, len);
    len = recv_all(t, bytes, sizeof(bytes));
    assert_int_equal(t->local.port, t->remote.port);
    gw_message message = gw_message_of(bytes, len);
    message.transport = GW_OVER_UDP;
    message.src = t->remote;
    message.dst = t->local;
    assert_int_equal(gw_tx_decode(&p, &message, config.dialect).kind, GW_OK);
    assert_int_equal(p.header.proc_id, 5);
    assert_int_equal(p.header.dest_addr, (uint64_t)t->local.port << 32 | gw_load_be32(t->local.ip));
    assert_int_equal(gw_tx_copy_payload(&p, back, sizeof(back)), size);
    assert_memory_equal(back, payload, size);
    gw_transport_close(t);
}

static void node_sends_back(void **state)
{
    static const char *const dialects[] = {"strict", "order-b", "order-c", "detect",
                                           "wide",   "rtl",     "gu"};
    static const size_t sizes[] = {0, 1, 15, 16, 17, 33, 1376};

    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(dialects); i++) {
        for (size_t k = 0; k < GW_ARRAY_LEN(sizes); k++)
            echo(dialects[i], sizes[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(switch_routes_as_published),
        cmocka_unit_test(node_sends_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
