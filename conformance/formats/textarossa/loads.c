/* SPDX-License-Identifier: BSD-2-Clause */
/* TEXTAROSSA boards: how fast packets come back from a node's task, and through a switch, and what
 * the deliverable measured between FPGAs. */
#include <string.h>

#include "formats/textarossa/switch/suite.h"
#include "goldwire/cursor.h"
#include "goldwire/writer.h"
#include "speed/load.h"

#define TAG 8 /* bytes of payload that tell packets apart; the first one's highest bit is 0 */

/* Words of payload that are under way together, at most: half of what a FIFO of the published
 * design holds. */
#define ROOM_WORDS 256

typedef struct loading {
    const char *from, *to;
    uint32_t size;
    gw_tx_draft draft;
    uint8_t payload[GW_TX_PAYLOAD_MAX];
    uint64_t sent;                    /* packets, and the last one's tag */
    uint64_t tags[GW_LOAD_DEPTH_MAX]; /* that are under way; 0: none */
} loading;

static void prepare(gw_ctx *ctx, loading *l, uint32_t size, const char *from, const char *to)
{
    l->from = from;
    l->to = to;
    l->size = size;
    gw_txc_fill(ctx, l->payload, size);
    l->draft = gw_txc_draft(ctx, l->payload, size);
}

static void prepare_round(gw_ctx *ctx, void *state, uint32_t size)
{
    const char *net = gw_txc_net(ctx);
    if (size > gw_txc_longest(ctx))
        gw_case_na(ctx, "a packet of this board's port has at most %zu bytes of payload",
                   gw_txc_longest(ctx));
    prepare(ctx, state, size, net, net);
}

static void prepare_local(gw_ctx *ctx, void *state, uint32_t size)
{
    loading *l = state;
    prepare(ctx, l, size, "port0", "port1");
    l->draft.header.dest_x = 0;
    l->draft.header.intra_dest = 1;
    (void)gw_case_link(ctx, l->from);
    gw_txs_drain(ctx);
}

static unsigned most(uint32_t size)
{
    unsigned packets = ROOM_WORDS / ((size + GW_TX_WORD - 1) / GW_TX_WORD);
    return packets > 0 ? packets : 1;
}

static unsigned send(gw_ctx *ctx, void *state, unsigned slot)
{
    loading *l = state;
    l->tags[slot] = ++l->sent;
    gw_store_be(l->payload, l->sent, TAG);
    return gw_txc_send(ctx, l->from, &l->draft);
}

/* Whose packet it is that came back with |tag|: false when that was given up. */
static bool find(gw_ctx *ctx, const loading *l, uint64_t tag, unsigned *slot)
{
    if ((tag == 0 || tag > l->sent) && !gw_case_loses(ctx))
        gw_case_inconc(ctx, "a packet came back that nobody has sent like that");
    for (unsigned i = 0; tag != 0 && i < GW_LOAD_DEPTH_MAX; i++) {
        if (l->tags[i] != tag)
            continue;
        *slot = i;
        return true;
    }
    return false;
}

static unsigned await(gw_ctx *ctx, void *state, int64_t timeout_ns, unsigned *slot)
{
    loading *l = state;
    gw_connection *conn = gw_case_link(ctx, l->to);
    int64_t deadline = gw_case_now(conn) + timeout_ns;
    uint8_t payload[GW_TX_PAYLOAD_MAX];
    gw_txc_got got;
    while (gw_txc_next(ctx, l->to, &got, deadline - gw_case_now(conn))) {
        size_t len = gw_tx_copy_payload(&got.p, payload, sizeof(payload));
        uint64_t tag = len >= TAG ? gw_load_be(payload, TAG) : 0;
        if (!find(ctx, l, tag, slot))
            continue;
        if (len != l->size || memcmp(payload + TAG, l->payload + TAG, len - TAG) != 0)
            gw_case_inconc(ctx, "a packet came back changed: %zu bytes of %u", len,
                           (unsigned)l->size);
        l->tags[*slot] = 0;
        return got.number;
    }
    return 0;
}

/* Those of the deliverable's figures. */
static const uint32_t sizes[] = {16, 32, 64, 128, 256, 512, 1024, 2048, GW_TX_PAYLOAD_MAX};

#define SIZES .sizes = sizes, .num_sizes = GW_ARRAY_LEN(sizes), .back = true
#define WINDOW                                                                                     \
    .depth = GW_LOAD_DEPTH_MAX, .most = most,                                                      \
    .fills = "a packet of this size is all that is let be under way: half of a FIFO's 512 words"

static const gw_load node_loads[] = {
    {.id = "round",
     .title = "A packet to the task behind the node's port, until it has come back",
     .item = "sent back",
     .per = "packets",
     SIZES,
     WINDOW,
     .state_size = sizeof(loading),
     .prepare = prepare_round,
     .send = send,
     .await = await},
};

static const gw_load switch_loads[] = {
    {.id = "round",
     .title = "A packet that comes over x+ and is addressed to whom it came from, until it has "
              "left over x+",
     .item = "forwarded",
     .per = "packets",
     SIZES,
     WINDOW,
     .state_size = sizeof(loading),
     .prepare = prepare_round,
     .send = send,
     .await = await},
    {.id = "local",
     .title = "A packet that a task gives to port 0, until it has come out at port 1",
     .item = "delivered",
     .per = "packets",
     SIZES,
     WINDOW,
     .datagrams = true,
     .state_size = sizeof(loading),
     .prepare = prepare_local,
     .send = send,
     .await = await},
};

#define DOCUMENT                                                                                   \
    "TEXTAROSSA (grant agreement 956831), deliverable D2.9, \"IP for low-latency internode "       \
    "communication links, part 2\""

#define BEST "256 bits at 200 MHz, 4 lanes"

static const gw_printed node_printed[] = {
    {.quantity = GW_QUANTITY_NS,
     .size = 16,
     .value = 768,
     .what = "one way between two FPGAs, half of a round trip, 16 or 32 bytes from BRAM; " BEST,
     .where = "D2.9 section 4, table 4-1",
     .times = 2},
    {.quantity = GW_QUANTITY_NS,
     .size = 16,
     .value = 1065,
     .what = "the same from DDR, with synchronisation",
     .where = "D2.9 section 4, table 4-1",
     .times = 2},
    {.quantity = GW_QUANTITY_NS,
     .size = 16,
     .value = 858,
     .what = "one way between two FPGAs, half of a round trip, from BRAM; 150 MHz",
     .where = "D2.9 section 3.1, latency test",
     .times = 2},
    {.quantity = GW_QUANTITY_NS,
     .size = 16,
     .value = 1240,
     .what = "the same from DDR, with synchronisation",
     .where = "D2.9 section 3.1, latency test",
     .times = 2},
    {.quantity = GW_QUANTITY_BYTES_S,
     .size = 4096,
     .value = 4658000000,
     .what = "one way between two FPGAs, from BRAM; " BEST,
     .where = "D2.9 section 4, table 4-2"},
    {.quantity = GW_QUANTITY_BYTES_S,
     .size = 4096,
     .value = 3938000000,
     .what = "the same from DDR, with synchronisation",
     .where = "D2.9 section 4, table 4-2"},
    {.quantity = GW_QUANTITY_BITS_S,
     .size = 4096,
     .value = 34600000000,
     .what = "one way between two FPGAs, from BRAM; 256 bits at 150 MHz",
     .where = "D2.9 section 3.2, bandwidth test"},
    {.quantity = GW_QUANTITY_BITS_S,
     .size = 4096,
     .value = 18100000000,
     .what = "one way between two FPGAs, about, from BRAM, where it saturates; 128 bits at 150 MHz",
     .where = "D2.9 section 3.2, bandwidth test"},
    {.quantity = GW_QUANTITY_BITS_S,
     .value = 39900000000,
     .what = "raw bandwidth of a channel between FPGAs, before 64b/66b; 256 bits at 156 MHz",
     .where = "D2.9 section 4",
     .aside = true},
};

static const gw_printed switch_printed[] = {
    {.quantity = GW_QUANTITY_NS,
     .value = 600,
     .what = "what a node in between adds, about, at any size; 128 bits at 150 MHz",
     .where = "D2.9 section 3.3, multi-node test",
     .load = "round"},
    {.quantity = GW_QUANTITY_NS,
     .size = 16,
     .value = 213,
     .what = "one way between two ports of an FPGA, 16 or 32 bytes from BRAM; " BEST,
     .where = "D2.9 section 4, table 4-1",
     .load = "local"},
    {.quantity = GW_QUANTITY_NS,
     .size = 16,
     .value = 533,
     .what = "the same from DDR, with synchronisation",
     .where = "D2.9 section 4, table 4-1",
     .load = "local"},
    {.quantity = GW_QUANTITY_NS,
     .size = 16,
     .value = 267,
     .what = "one way between two ports of an FPGA, from BRAM; 150 MHz",
     .where = "D2.9 section 3.1, latency test",
     .load = "local"},
    {.quantity = GW_QUANTITY_BYTES_S,
     .size = 4096,
     .value = 5967000000,
     .what = "a port to itself, from BRAM; " BEST,
     .where = "D2.9 section 4, table 4-2",
     .load = "local"},
    {.quantity = GW_QUANTITY_BYTES_S,
     .size = 4096,
     .value = 3938000000,
     .what = "the same from DDR, with synchronisation",
     .where = "D2.9 section 4, table 4-2",
     .load = "local"},
    {.quantity = GW_QUANTITY_BITS_S,
     .size = 4096,
     .value = 35800000000,
     .what = "a port to itself, from BRAM; 256 bits at 150 MHz",
     .where = "D2.9 section 3.2, bandwidth test",
     .load = "local"},
    {.quantity = GW_QUANTITY_BYTES_S,
     .size = 4096,
     .value = 4658000000,
     .what = "one way between two FPGAs, from BRAM; " BEST,
     .where = "D2.9 section 4, table 4-2",
     .load = "round"},
    {.quantity = GW_QUANTITY_BITS_S,
     .value = 51200000000,
     .what = "raw bandwidth of a port's router; 256 bits at 200 MHz",
     .where = "D2.9 section 4",
     .aside = true},
};

/* An Ethernet port's datagrams, or the words of a link. */
static const gw_beneath node_beneath = {
    .what = "Ethernet frames, their check sequence included, or of the APElink's words,",
    .datagram = GW_BENEATH_UDP};
static const gw_beneath switch_beneath = {.what = "words of the link or port", .datagram = 0};

const gw_loads gw_tx_node_loads = {
    .loads = node_loads,
    .num_loads = GW_ARRAY_LEN(node_loads),
    .document = DOCUMENT,
    .printed = node_printed,
    .num_printed = GW_ARRAY_LEN(node_printed),
    .silent = "It measures between FPGAs, by their own clocks. What lies between these sizes is in "
              "figures alone, without numbers, and of the Ethernet port it measures nothing.",
    .beneath = &node_beneath,
};

const gw_loads gw_tx_switch_loads = {
    .loads = switch_loads,
    .num_loads = GW_ARRAY_LEN(switch_loads),
    .document = DOCUMENT,
    .printed = switch_printed,
    .num_printed = GW_ARRAY_LEN(switch_printed),
    .silent = "It measures inside and between FPGAs, by their own clocks. What lies between these "
              "sizes is in figures alone, without numbers.",
    .beneath = &switch_beneath,
};
