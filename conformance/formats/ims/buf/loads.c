/* SPDX-License-Identifier: BSD-2-Clause */
/* IMS buffer: how fast it takes frames, acknowledges and refuses them, and what the specification
 * says of times. It prints no speed. */
#include <inttypes.h>

#include "formats/ims/buf/suite.h"
#include "speed/load.h"

#define ASKERS GW_IMB_WORKERS

typedef struct loading {
    gw_imb_worker *w;
    uint32_t size;
    uint32_t packet; /* bytes of payload, at most */
    unsigned opened; /* times */
    gw_imb_frame frame;
    bool broken;    /* it was, and has not been sent again */
    unsigned asked; /* status requests */
    gw_imb_worker *askers[ASKERS];
} loading;

static void only_in_datagrams(gw_ctx *ctx)
{
    if (gw_case_transport(gw_case_connection(ctx))->adapter != NULL)
        gw_case_na(ctx, "through an InfiniBand adapter nothing is measured yet");
}

/* ---- requests on the status channel ---- */

/* A request has no number: Workers take turns, so that what answers one that was given up is told
 * by whom it is for. */
static void prepare_status(gw_ctx *ctx, void *state, uint32_t size)
{
    loading *l = state;
    (void)size;
    only_in_datagrams(ctx);
    for (unsigned i = 0; i < ASKERS; i++) {
        l->askers[i] = gw_imb_one(ctx, i);
        gw_imb_register(ctx, l->askers[i]);
    }
}

static unsigned send_status(gw_ctx *ctx, void *state, unsigned slot)
{
    loading *l = state;
    (void)slot;
    return gw_imb_send_request(ctx, l->askers[++l->asked % ASKERS], GW_IMS_STAT_REQ);
}

static unsigned await_status(gw_ctx *ctx, void *state, int64_t timeout_ns, unsigned *slot)
{
    const loading *l = state;
    const gw_imb_worker *w = l->askers[l->asked % ASKERS];
    gw_connection *conn = gw_case_connection(ctx);
    int64_t deadline = gw_case_now(conn) + timeout_ns;
    gw_imb_got got;
    *slot = 0;
    while (gw_imb_next_to(ctx, w->qpn, &got, deadline - gw_case_now(conn)))
        if (got.p.kind == GW_IMS_IS_STATUS && got.p.has_body &&
            got.p.status.method == GW_IMS_STAT_RES)
            return got.number;
    return 0;
}

/* ---- frames ---- */

/* The largest packet of an InfiniBand path that the way to the board carries. */
static uint32_t packet_of(gw_ctx *ctx)
{
    enum { AROUND = GW_IB_BTH + GW_IB_RETH + GW_IB_ICRC };
    size_t room = gw_case_transport(gw_case_connection(ctx))->carries;
    uint32_t packet = GW_IMS_PACKET_MAX;
    while (room != 0 && packet > 256 && packet + AROUND > room)
        packet /= 2;
    return packet;
}

/* A channel begins anew with a queue pair of its own, which tells late responses apart. */
static void open_channel(gw_ctx *ctx, loading *l)
{
    l->w = gw_imb_one(ctx, 0);
    l->w->data_qpn += l->opened++ % 64;
    gw_imb_open(ctx, l->w);
}

static void prepare_frame(gw_ctx *ctx, void *state, uint32_t size)
{
    loading *l = state;
    only_in_datagrams(ctx);
    l->size = size;
    l->packet = packet_of(ctx);
    open_channel(ctx, l);
    l->frame = gw_imb_frame_of(ctx, l->w, size, l->packet);
    l->w->next = l->w->va;
}

static void prepare_parts(gw_ctx *ctx, void *state, uint32_t size)
{
    prepare_frame(ctx, state, size);
    loading *l = state;
    if (l->packet > size / 4)
        l->packet = size / 4;
}

/* Addresses only rise while a channel is open. One that has come to the end of the ring's area
 * begins anew. */
static void ready_frame(gw_ctx *ctx, void *state)
{
    loading *l = state;
    const gw_area *area = gw_board_area(gw_case_board(ctx), GW_AREA_RAM, 64, GW_IMS_ALIGN);
    if (area == NULL || l->w->next + l->size <= area->address + area->size)
        return;
    gw_imb_got got;
    (void)gw_imb_send_request(ctx, l->w, GW_IMS_DATA_TERM);
    (void)gw_imb_answer(ctx, l->w, GW_IMS_DATA_DOWN, &got);
    open_channel(ctx, l);
}

static unsigned send_frame(gw_ctx *ctx, void *state, unsigned slot)
{
    loading *l = state;
    (void)slot;
    l->frame = gw_imb_frame_of(ctx, l->w, l->size, l->packet);
    return gw_imb_write(ctx, l->w, &l->frame);
}

/* The second packet is left out. */
static unsigned send_broken(gw_ctx *ctx, void *state, unsigned slot)
{
    loading *l = state;
    (void)slot;
    l->frame = gw_imb_frame_of(ctx, l->w, l->size, l->packet);
    l->frame.skip = 1 << 1;
    l->broken = true;
    return gw_imb_write(ctx, l->w, &l->frame);
}

/* The response to the last frame that was sent; 0 when none comes until |deadline|. */
static unsigned await_response(gw_ctx *ctx, const loading *l, int64_t deadline, uint32_t *type,
                               uint32_t *events)
{
    gw_connection *conn = gw_case_connection(ctx);
    gw_imb_got got;
    while (gw_imb_response(ctx, l->w, &got, deadline - gw_case_now(conn))) {
        if (got.p.kind != GW_IMS_IS_ACK || !got.p.has_body || got.p.ack.va != l->frame.reth.va)
            continue;
        *type = got.p.ack.type;
        *events = got.p.ack.events;
        return got.number;
    }
    return 0;
}

static int64_t deadline_of(gw_ctx *ctx, int64_t timeout_ns)
{
    return gw_case_now(gw_case_connection(ctx)) + timeout_ns;
}

/* A packet that gets lost on the way, be it in a socket's buffer, is a NACK as well: such a frame
 * is counted with what is lost. */
static unsigned await_type(gw_ctx *ctx, const loading *l, int64_t deadline, uint32_t want)
{
    uint32_t type = 0;
    uint32_t events = 0;
    unsigned number = await_response(ctx, l, deadline, &type, &events);
    if (number == 0 || type == want)
        return number;
    if (gw_case_loses(ctx) || (type == GW_IMS_TYPE_NACK && (events & GW_IMS_OUT_OF_SEQUENCE) != 0))
        return 0;
    if (want == GW_IMS_TYPE_ACK && type == GW_IMS_TYPE_NACK)
        gw_case_inconc(ctx, "a good frame was refused: events 0x%03" PRIx32, events);
    gw_case_inconc(ctx, "a frame was answered by type %" PRIu32 ", where %" PRIu32 " is due", type,
                   want);
}

static unsigned await_ack(gw_ctx *ctx, void *state, int64_t timeout_ns, unsigned *slot)
{
    *slot = 0;
    return await_type(ctx, state, deadline_of(ctx, timeout_ns), GW_IMS_TYPE_ACK);
}

static unsigned await_nack(gw_ctx *ctx, void *state, int64_t timeout_ns, unsigned *slot)
{
    *slot = 0;
    return await_type(ctx, state, deadline_of(ctx, timeout_ns), GW_IMS_TYPE_NACK);
}

/* As a Worker goes on: what was refused is sent again, at the same address. */
static unsigned mend(gw_ctx *ctx, loading *l, int64_t deadline)
{
    l->frame.skip = 0;
    l->broken = false;
    (void)gw_imb_write(ctx, l->w, &l->frame);
    return await_type(ctx, l, deadline, GW_IMS_TYPE_ACK);
}

static void ready_broken(gw_ctx *ctx, void *state)
{
    loading *l = state;
    if (l->broken)
        gw_imb_drain(ctx);
    if (l->broken)
        (void)mend(ctx, l, deadline_of(ctx, gw_case_reply_ns(ctx)));
    ready_frame(ctx, state);
}

static unsigned await_mended(gw_ctx *ctx, void *state, int64_t timeout_ns, unsigned *slot)
{
    loading *l = state;
    int64_t deadline = deadline_of(ctx, timeout_ns);
    *slot = 0;
    if (await_type(ctx, l, deadline, GW_IMS_TYPE_NACK) == 0)
        return 0;
    return mend(ctx, l, deadline);
}

static const uint32_t status_sizes[] = {GW_IMS_STATUS};
static const uint32_t sizes[] = {64,        256,       1024,       4096,
                                 16 * 1024, 64 * 1024, 256 * 1024, 1024 * 1024};
static const uint32_t parted[] = {1024, 4096, 16 * 1024, 64 * 1024, 256 * 1024, 1024 * 1024};

#define FRAMES(sizes_, ready_)                                                                     \
    .item = "written", .per = "frames", .sizes = sizes_, .num_sizes = GW_ARRAY_LEN(sizes_),        \
    .depth = 1, .state_size = sizeof(loading), .ready = ready_

static const gw_load loads[] = {
    {.id = "status",
     .title = "A STAT_REQ of a Worker that is registered, until its STAT_RES has come",
     .item = "asked",
     .per = "requests",
     .sizes = status_sizes,
     .num_sizes = GW_ARRAY_LEN(status_sizes),
     .depth = 1,
     .state_size = sizeof(loading),
     .prepare = prepare_status,
     .send = send_status,
     .await = await_status},
    {.id = "frame",
     .title = "A frame, from its first RDMA write packet until its ACK has come; goldwire makes "
              "each packet as it sends it",
     FRAMES(sizes, ready_frame),
     .prepare = prepare_frame,
     .send = send_frame,
     .await = await_ack},
    {.id = "ack",
     .title = "A frame, from its last RDMA write packet until its ACK has come",
     FRAMES(sizes, ready_frame),
     .from_last = true,
     .prepare = prepare_frame,
     .send = send_frame,
     .await = await_ack},
    {.id = "nack",
     .title = "A frame in four packets or more of which the second gets lost, from its last packet "
              "until its NACK has come",
     FRAMES(parted, ready_broken),
     .from_last = true,
     .left_out = true,
     .prepare = prepare_parts,
     .send = send_broken,
     .await = await_nack},
    {.id = "again",
     .title =
         "The same frame, from its first packet until its NACK has come, it was sent again, and "
         "its ACK has come",
     FRAMES(parted, ready_broken),
     .prepare = prepare_parts,
     .send = send_broken,
     .await = await_mended},
};

static const gw_printed printed[] = {
    {.quantity = GW_QUANTITY_NS,
     .value = INT64_C(20) * GW_SECOND,
     .what = "default time after which a Worker takes frame or response for lost and sends again",
     .where = "ims 3.2.3, RDMA write response",
     .aside = true},
    {.quantity = GW_QUANTITY_BYTES,
     .value = UINT64_C(32) * 1024 * 1024,
     .what = "typical frame",
     .where = "ims 3.2.2, Data Reception",
     .aside = true},
    {.quantity = GW_QUANTITY_BYTES,
     .value = GW_IMS_PACKET_MAX,
     .what = "most payload of a packet; the least is 64, in steps of 64",
     .where = "ims 3.2.1, Data Transfer",
     .aside = true},
};

const gw_loads gw_ims_buf_loads = {
    .loads = loads,
    .num_loads = GW_ARRAY_LEN(loads),
    .document =
        "\"Streaming Protocol Specification\" (Digital Design), version 2.2, 20 September 2019",
    .printed = printed,
    .num_printed = GW_ARRAY_LEN(printed),
    .silent = "The specification prints no speed: no bandwidth, no frames a second, and no time "
              "until an ACK or NACK.",
};
