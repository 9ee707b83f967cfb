/* SPDX-License-Identifier: BSD-2-Clause */
/* EtherBone slave: how fast it reads and writes its memory, and what the paper measured. */
#include "formats/etherbone/slave/suite.h"
#include "formats/etherbone/suite.h"
#include "speed/load.h"

#define WORDS_MAX 255 /* of a record */

typedef struct loading {
    gw_ebc_request requests[GW_LOAD_DEPTH_MAX];
    uint64_t due[GW_LOAD_DEPTH_MAX]; /* which request of the load waits in a slot; 0: none */
    uint64_t sent;
} loading;

static unsigned words_of(gw_ctx *ctx, uint32_t size)
{
    unsigned port = gw_ebc_layout(ctx).data_bytes;
    unsigned words = size / port;
    if (size % port != 0)
        gw_case_na(ctx, "a word of this board has %u bytes", port);
    if (words > WORDS_MAX || words > gw_ebc_most_words(ctx))
        gw_case_na(ctx, "a record of this board has at most %u words",
                   gw_ebc_most_words(ctx) < WORDS_MAX ? gw_ebc_most_words(ctx) : WORDS_MAX);
    return words;
}

/* One packet for each slot, so that nothing is built while time is taken. */
static void make(gw_ctx *ctx, loading *l, const gw_eb_operation *op)
{
    size_t most = gw_ebc_longest_packet(ctx);
    for (unsigned i = 0; i < GW_LOAD_DEPTH_MAX; i++) {
        gw_ebc_request *request = &l->requests[i];
        gw_ebc_make(ctx, request, op, 1);
        if (!gw_case_stream(ctx) && (request->len > most || request->reply_len > most))
            gw_case_na(ctx, "a packet of this board has at most %zu bytes", most);
    }
}

static void prepare_read(gw_ctx *ctx, void *state, uint32_t size)
{
    loading *l = state;
    char why[8];
    uint64_t addresses[WORDS_MAX];
    (void)gw_ebc_widths(ctx);
    unsigned num = words_of(ctx, size);
    gw_eb_operation op = {.reads = addresses,
                          .num_reads = (uint8_t)num,
                          .flags = GW_EB_CYC,
                          .byte_enable = gw_ebc_lanes(ctx)};
    if (gw_ebc_has(ctx, "ram", why, sizeof(why))) {
        addresses[0] = gw_ebc_ram(ctx, size);
        for (unsigned i = 1; i < num; i++)
            addresses[i] = addresses[i - 1] + gw_ebc_layout(ctx).data_bytes;
    } else {
        op.flags |= gw_ebc_harmless(ctx, &addresses[0]);
        for (unsigned i = 1; i < num; i++)
            addresses[i] = addresses[0];
    }
    make(ctx, l, &op);
}

static void prepare_write(gw_ctx *ctx, void *state, uint32_t size)
{
    loading *l = state;
    uint64_t words[WORDS_MAX];
    (void)gw_ebc_widths(ctx);
    unsigned num = words_of(ctx, size);
    uint64_t base = gw_ebc_ram(ctx, size);
    uint64_t last = base + (uint64_t)(num - 1) * gw_ebc_layout(ctx).data_bytes;
    for (unsigned i = 0; i < num; i++)
        words[i] = gw_ebc_word(ctx);
    const gw_eb_operation op = {.writes = words,
                                .num_writes = (uint8_t)num,
                                .write_base = base,
                                .reads = &last,
                                .num_reads = 1,
                                .flags = GW_EB_CYC,
                                .byte_enable = gw_ebc_lanes(ctx)};
    make(ctx, l, &op);
}

static unsigned send(gw_ctx *ctx, void *state, unsigned slot)
{
    loading *l = state;
    gw_ebc_readdress(ctx, &l->requests[slot]);
    l->due[slot] = ++l->sent;
    return gw_ebc_send(ctx, gw_case_connection(ctx), &l->requests[slot]);
}

/* A stream answers in the order in which it was asked. */
static unsigned oldest(const loading *l)
{
    unsigned slot = 0;
    for (unsigned i = 0; i < GW_LOAD_DEPTH_MAX; i++)
        if (l->due[i] != 0 && (l->due[slot] == 0 || l->due[i] < l->due[slot]))
            slot = i;
    return slot;
}

static unsigned await_stream(gw_ctx *ctx, const loading *l, int64_t timeout_ns, unsigned *slot)
{
    gw_ebc_reply reply;
    *slot = oldest(l);
    if (!gw_ebc_await(ctx, gw_case_connection(ctx), &l->requests[*slot], &reply, timeout_ns))
        return 0;
    return reply.number;
}

static unsigned await_datagram(gw_ctx *ctx, const loading *l, int64_t timeout_ns, unsigned *slot)
{
    gw_connection *conn = gw_case_connection(ctx);
    int64_t deadline = gw_case_now(conn) + timeout_ns;
    gw_packet packet;
    while (gw_ebc_next(ctx, conn, deadline - gw_case_now(conn), &packet) == GW_RECV_DATA)
        for (unsigned i = 0; i < GW_LOAD_DEPTH_MAX; i++) {
            const gw_ebc_request *request = &l->requests[i];
            if (l->due[i] == 0 || !gw_ebc_is_answer(ctx, &packet, request))
                continue;
            if (packet.len < request->reply_len)
                gw_case_inconc(ctx, "an answer has %zu bytes where %zu are due", packet.len,
                               request->reply_len);
            gw_ebc_expire_return_address(ctx, request);
            *slot = i;
            return packet.number;
        }
    return 0;
}

static unsigned await(gw_ctx *ctx, void *state, int64_t timeout_ns, unsigned *slot)
{
    loading *l = state;
    unsigned number =
        (gw_case_stream(ctx) ? await_stream : await_datagram)(ctx, l, timeout_ns, slot);
    if (number > 0)
        l->due[*slot] = 0;
    return number;
}

static const uint32_t sizes[] = {4, 8, 16, 32, 64, 128, 256, 512, 1020};

static const gw_load loads[] = {
    {.id = "read",
     .title = "A record that reads words of memory, until its answer has come",
     .item = "read",
     .per = "reads",
     .sizes = sizes,
     .num_sizes = GW_ARRAY_LEN(sizes),
     .back = true,
     .depth = GW_LOAD_DEPTH_MAX,
     .state_size = sizeof(loading),
     .prepare = prepare_read,
     .send = send,
     .await = await},
    {.id = "write",
     .title = "A record that writes words of RAM in a block and reads the last one back, until "
              "that has come",
     .item = "written",
     .per = "writes",
     .sizes = sizes,
     .num_sizes = GW_ARRAY_LEN(sizes),
     .depth = GW_LOAD_DEPTH_MAX,
     .state_size = sizeof(loading),
     .prepare = prepare_write,
     .send = send,
     .await = await},
};

static const gw_printed printed[] = {
    {.quantity = GW_QUANTITY_NS,
     .value = 1200,
     .what = "round trip of a short message, first byte sent to first byte back, over 10 m of "
             "fibre, with the packet buffers of the White Rabbit core",
     .where = "paper IX.C, Latency"},
    {.quantity = GW_QUANTITY_NS,
     .value = 550,
     .what = "the same in simulation without those buffers",
     .where = "paper IX.C, Latency"},
    {.quantity = GW_QUANTITY_PERMILLE,
     .value = 956,
     .what = "best case: block writes in a packet of 1500 bytes",
     .where = "paper IX.A, Overhead details"},
    {.quantity = GW_QUANTITY_PERMILLE,
     .value = 322,
     .what = "worst case: random access writes in a packet of 1500 bytes",
     .where = "paper IX.A, Overhead details"},
};

const gw_loads gw_eb_s_loads = {
    .loads = loads,
    .num_loads = GW_ARRAY_LEN(loads),
    .document = "M. Kreider et al., \"Open Borders for System-on-a-Chip Buses: A Wire Format for "
                "Connecting Large Physics Controls\", Phys. Rev. ST Accel. Beams 15, 082801 (2012)",
    .printed = printed,
    .num_printed = GW_ARRAY_LEN(printed),
    .silent = "The paper measures no bandwidth: it counts what headers and addresses take of a "
              "packet.",
};
