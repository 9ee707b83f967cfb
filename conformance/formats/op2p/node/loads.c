/* SPDX-License-Identifier: BSD-2-Clause */
/* OP2P node: how fast its memory is read, written and copied over the link, and what the datasheet
 * says of the link. */
#include "formats/op2p/node/suite.h"
#include "goldwire/cursor.h"
#include "speed/load.h"

#define WORDS_MAX (GW_OP2P_PAYLOAD_MAX / 4)

/* A request is told by where its data land: the answer to one that was given up lands elsewhere. */
typedef struct loading {
    uint32_t size, address;
    uint32_t words[WORDS_MAX];
    struct {
        bool away;
        uint32_t landing;
        uint32_t last; /* double word that was written */
    } slots[GW_LOAD_DEPTH_MAX];
} loading;

static void prepare_size(gw_ctx *ctx, loading *l, uint32_t size)
{
    uint16_t largest = gw_opc_largest(ctx);
    if (size > largest)
        gw_case_na(ctx, "a packet of this board has at most %u bytes of payload", largest);
    l->size = size;
}

/* What a node is pinged with, its memory from 0 on, can be read without a ram area as well. */
static void prepare_read(gw_ctx *ctx, void *state, uint32_t size)
{
    loading *l = state;
    char why[64];
    prepare_size(ctx, l, size);
    l->address = gw_opc_has(ctx, "ram", why, sizeof(why)) ? gw_opc_ram(ctx, size) : 0;
}

static void prepare_write(gw_ctx *ctx, void *state, uint32_t size)
{
    loading *l = state;
    prepare_size(ctx, l, size);
    l->address = gw_opc_ram(ctx, size);
    for (uint32_t i = 0; i < size / 4; i++)
        l->words[i] = gw_opc_word(ctx);
}

static void prepare_copy(gw_ctx *ctx, void *state, uint32_t size)
{
    loading *l = state;
    (void)gw_case_link(ctx, GW_REGS_LINK);
    prepare_size(ctx, l, size);
    l->address = gw_opc_ram(ctx, size);
}

/* The published core loses the second of two frames that come together. */
static void one_alone(gw_ctx *ctx, const loading *l)
{
    for (unsigned i = 0; gw_opc_reference(ctx) && i < GW_LOAD_DEPTH_MAX; i++)
        if (l->slots[i].away)
            gw_case_na(ctx, "the reference core loses frames that are sent together");
}

static gw_op2p_header begin_request(gw_ctx *ctx, loading *l, unsigned slot, uint8_t type,
                                    uint32_t address, uint32_t size)
{
    l->slots[slot].away = false;
    one_alone(ctx, l);
    gw_op2p_header h = gw_opc_header(ctx, type, address, (uint16_t)size);
    l->slots[slot].away = true;
    l->slots[slot].landing = h.src_addr;
    return h;
}

static unsigned send_read(gw_ctx *ctx, void *state, unsigned slot)
{
    loading *l = state;
    gw_op2p_header q = begin_request(ctx, l, slot, GW_OP2P_READ, l->address, l->size);
    return gw_opc_send(ctx, &q, NULL, 0, 0);
}

/* The last double word is another one each time, so that it tells which write it is of. */
static unsigned send_write(gw_ctx *ctx, void *state, unsigned slot)
{
    loading *l = state;
    uint32_t num = l->size / 4;
    gw_op2p_header q = begin_request(ctx, l, slot, GW_OP2P_READ, l->address + 4 * (num - 1), 4);
    l->slots[slot].last = ++l->words[num - 1];
    gw_op2p_header h = gw_opc_header(ctx, GW_OP2P_WRITE, l->address, (uint16_t)l->size);
    unsigned number = gw_opc_send(ctx, &h, l->words, num, 0);
    (void)gw_opc_send(ctx, &q, NULL, 0, 0);
    return number;
}

static unsigned send_copy(gw_ctx *ctx, void *state, unsigned slot)
{
    loading *l = state;
    gw_op2p_header h = begin_request(ctx, l, slot, GW_OP2P_WRITE, 0, l->size);
    unsigned before = gw_case_num_seen(ctx);
    gw_opc_command(ctx, false, l->address, h.src_addr, GW_OPC_US, l->size);
    return before + 1;
}

/* The request whose data |got| brings. */
static bool find(const loading *l, const gw_opc_got *got, uint8_t type, unsigned *slot)
{
    const gw_op2p_header *h = &got->p.header;
    for (unsigned i = 0; h->type == type && i < GW_LOAD_DEPTH_MAX; i++) {
        if (!l->slots[i].away || l->slots[i].landing != h->dst_addr)
            continue;
        *slot = i;
        return true;
    }
    return false;
}

static void check_data(gw_ctx *ctx, const gw_opc_got *got, uint32_t size)
{
    if (got->p.header.status != GW_OP2P_SUCCESS)
        gw_case_inconc(ctx, "a completion has the status %u", got->p.header.status);
    if (got->p.payload_len != size)
        gw_case_inconc(ctx, "%u bytes came where %u are due", (unsigned)got->p.payload_len,
                       (unsigned)size);
}

/* A write that got lost leaves what was there before. */
static bool is_written(gw_ctx *ctx, const loading *l, unsigned slot, const gw_opc_got *got)
{
    if (gw_load_be32(got->p.payload) == l->slots[slot].last)
        return true;
    if (!gw_case_loses(ctx))
        gw_case_inconc(ctx, "the memory does not keep what is written to it");
    return false;
}

/* |written|: the data are what was written, and must be. */
static unsigned await_data(gw_ctx *ctx, loading *l, uint8_t type, bool written, int64_t timeout_ns,
                           unsigned *slot)
{
    gw_connection *conn = gw_case_connection(ctx);
    int64_t deadline = gw_case_now(conn) + timeout_ns;
    gw_opc_got got;
    while (gw_opc_next(ctx, &got, deadline - gw_case_now(conn))) {
        if (!find(l, &got, type, slot))
            continue;
        check_data(ctx, &got, written ? 4 : l->size);
        if (written && !is_written(ctx, l, *slot, &got))
            continue;
        l->slots[*slot].away = false;
        return got.number;
    }
    return 0;
}

static unsigned await_read(gw_ctx *ctx, void *state, int64_t timeout_ns, unsigned *slot)
{
    return await_data(ctx, state, GW_OP2P_COMPLETION, false, timeout_ns, slot);
}

static unsigned await_write(gw_ctx *ctx, void *state, int64_t timeout_ns, unsigned *slot)
{
    return await_data(ctx, state, GW_OP2P_COMPLETION, true, timeout_ns, slot);
}

static unsigned await_copy(gw_ctx *ctx, void *state, int64_t timeout_ns, unsigned *slot)
{
    return await_data(ctx, state, GW_OP2P_WRITE, false, timeout_ns, slot);
}

/* The host was told of every write, until its queue was full. */
static void finish_write(gw_ctx *ctx, void *state)
{
    (void)state;
    if (gw_case_has_link(ctx, GW_REGS_LINK))
        gw_opc_forget(ctx, GW_OP2P_ARRIVEDWRITE_ADDRESS);
}

static const uint32_t sizes[] = {4, 8, 16, 32, 64, 128, 256, 512, 1000, GW_OP2P_PAYLOAD_MAX};

static const gw_load loads[] = {
    {.id = "read",
     .title = "A read request of goldwire, until its completion has come with the data",
     .item = "read",
     .per = "reads",
     .sizes = sizes,
     .num_sizes = GW_ARRAY_LEN(sizes),
     .back = true,
     .depth = GW_LOAD_DEPTH_MAX,
     .state_size = sizeof(loading),
     .prepare = prepare_read,
     .send = send_read,
     .await = await_read},
    {.id = "write",
     .title = "A write of goldwire, which nobody acknowledges, and a read of its last double word "
              "behind it, until that has come",
     .item = "written",
     .per = "writes",
     .sizes = sizes,
     .num_sizes = GW_ARRAY_LEN(sizes),
     .depth = GW_LOAD_DEPTH_MAX,
     .state_size = sizeof(loading),
     .prepare = prepare_write,
     .send = send_write,
     .await = await_write,
     .finish = finish_write},
    {.id = "copy",
     .title = "A write of the board's memory to goldwire, from the packet that gives the command "
              "to its registers until the data have come",
     .item = "copied",
     .per = "copies",
     .sizes = sizes,
     .num_sizes = GW_ARRAY_LEN(sizes),
     .back = true,
     .depth = GW_LOAD_DEPTH_MAX,
     .state_size = sizeof(loading),
     .prepare = prepare_copy,
     .send = send_copy,
     .await = await_copy},
};

static const gw_printed printed[] = {
    {.quantity = GW_QUANTITY_BITS_S,
     .value = 6000000000,
     .what = "2 lanes in both directions together, symbols of 8B/10B included",
     .where = "datasheet, Electrical Interface"},
    {.quantity = GW_QUANTITY_BITS_S,
     .value = 1500000000,
     .what = "line rate of one pair, of which a direction has 2; the logic has 32 bits at 75 MHz",
     .where = "datasheet, Electrical Interface, Limitations",
     .aside = true},
    {.quantity = GW_QUANTITY_PERMILLE,
     .value = 100,
     .what = "least of the bandwidth of the parallel bus that is real without bursts: about 10 to "
             "50 %, a new transaction every 3 to 10 clock cycles",
     .where = "datasheet, Limitations",
     .aside = true},
    {.quantity = GW_QUANTITY_PERMILLE,
     .value = 600,
     .what = "least of it that bursts would give: 60 to 80 %",
     .where = "datasheet, Limitations",
     .aside = true},
    {.quantity = GW_QUANTITY_BYTES_S,
     .value = 1000000000,
     .what = "expected of a 3U VPX port at 10.3 Gbit/s, each direction, 32 bits at 250 MHz",
     .where = "datasheet, Limitations",
     .aside = true},
    {.quantity = GW_QUANTITY_BYTES_S,
     .value = 4000000000,
     .what = "expected of a 6U VPX port at 10.3 Gbit/s, each direction, 128 bits at 250 MHz",
     .where = "datasheet, Limitations",
     .aside = true},
    {.quantity = GW_QUANTITY_PERMILLE,
     .value = 20,
     .what = "of the bandwidth that clock correction takes, at the most: about 1 to 2 %",
     .where = "datasheet, Clocking architecture",
     .aside = true},
    {.quantity = GW_QUANTITY_BYTES,
     .value = GW_OP2P_PAYLOAD_MAX,
     .what = "most payload of a packet, so that each such piece wants a command of its own",
     .where = "datasheet, Description",
     .aside = true},
};

/* SCP and ECP are two bytes each; what the tunnel adds is not on the link. */
static const gw_beneath aurora = {
    .what = "Aurora frames, SCP and ECP included, idles and clock correction not,",
    .datagram = 4 - GW_OP2P_SHIM};

const gw_loads gw_op_loads = {
    .loads = loads,
    .num_loads = GW_ARRAY_LEN(loads),
    .document = "I. Nagy, \"OP2P Interface IP Core Datasheet\" (Open Peer to Peer, Wishbone to "
                "Aurora bridge), opencores.org, 2011",
    .printed = printed,
    .num_printed = GW_ARRAY_LEN(printed),
    .silent = "The datasheet measures nothing: it prints what the lanes carry and what its author "
              "expects of other devices. It prints no latency, and nothing by size.",
    .beneath = &aurora,
};
