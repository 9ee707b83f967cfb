/* SPDX-License-Identifier: BSD-2-Clause */
/* For tests of the software IMS Worker: a small buffer that answers as each test wants, in memory
 * and under virtual time. To be included after cmocka.h. */
#ifndef GOLDWIRE_FORMATS_IMS_WORKER_BOARD_TESTING_H
#define GOLDWIRE_FORMATS_IMS_WORKER_BOARD_TESTING_H

#include <stdlib.h>
#include <string.h>

#include "boards/mem.h"
#include "formats/ims/worker/board.h"

#define MS INT64_C(1000000)
#define SECOND (1000 * MS)
#define BASE UINT64_C(0x1000000000)
#define RKEY 0xcafe0001u
#define QPND 0x87u
#define ROOM (1u << 20)

/* A buffer and the Worker that it belongs to. */
typedef struct pair {
    gw_ims_worker_setup setup;
    gw_peer_config config;
    gw_mem *mem;
    gw_transport *t;
    gw_ims_packet p; /* the last one, in |bytes| */
    uint8_t bytes[GW_IB_PACKET_MAX];
    uint64_t va; /* of the frame whose packets come */
    uint32_t at; /* where its next packet goes */
    uint8_t memory[ROOM];
} pair;

/* Small frames of the pattern: four packets each. */
static const gw_ims_worker_setup small = {
    .lid = 0x11,
    .qpn = 0x412,
    .qkey = 0x11111111,
    .qpnd = 0x413,
    .psn = 0xfffffe, /* wraps soon */
    .buffer_qpn = 0x10,
    .buffer_qkey = 0x1d51d5,
    .buffer_qpnd = 0x99,
    .content = GW_IMS_PATTERN,
    .file = -1,
    .size = 8 * 1024 - 128, /* the last frame and its last packet are shorter */
    .frame = 1024,
    .packet = 256,
    .outstanding = 3,
    .burst = 5,
    .gap_ns = MS / 100,
    .response_ns = 50 * MS,
    .wait_ns = 10 * MS,
    .status_ns = 100 * MS,
    .tries = 4,
    .status_tries = 3,
};

static inline pair *begin_over(const gw_ims_worker_setup *setup, const char *dialect,
                               const gw_impairment *path)
{
    char why[256] = "";
    const gw_board *board;
    pair *b = calloc(1, sizeof(*b));
    assert_non_null(b);
    b->setup = *setup;
    if (!gw_peer_find("ims-worker", NULL, dialect, &board, &b->config, why, sizeof(why)))
        fail_msg("%s", why);
    b->config.setup = &b->setup;
    b->mem = gw_mem_start(board, &b->config, why, sizeof(why));
    assert_non_null(b->mem);
    gw_mem_impair(b->mem, path, 0, NULL);
    b->t = gw_mem_connect(b->mem, 0, false, why, sizeof(why));
    assert_non_null(b->t);
    return b;
}

static inline pair *begin(const gw_ims_worker_setup *setup, const char *dialect)
{
    return begin_over(setup, dialect, &(gw_impairment){0});
}

static inline gw_ims_worker_state *worker(const pair *b)
{
    return gw_mem_state(b->mem);
}

static inline bool content(const pair *b)
{
    char text[256];
    return gw_ims_worker_board.report(worker(b), text, sizeof(text));
}

static inline void end(pair *b)
{
    gw_transport_close(b->t);
    gw_mem_stop(b->mem);
    free(b);
}

/* ---- the buffer's side ---- */

/* The Worker's next packet within |ns|; false when none comes. */
static inline bool hear_within(pair *b, int64_t ns)
{
    size_t len;
    if (b->t->ops->recv(b->t, b->bytes, sizeof(b->bytes), &len, b->t->ops->now(b->t) + ns, NULL,
                        NULL) != GW_RECV_DATA)
        return false;
    assert_true(len > GW_IB_BTH + GW_IB_ICRC);
    assert_int_equal(gw_ib_judge_udp(NULL, &b->t->remote, &b->t->local, b->bytes, len, false),
                     GW_IB_RIGHT);
    gw_message message = gw_message_of(b->bytes, len - GW_IB_ICRC);
    assert_int_equal(gw_ims_decode(&b->p, &message, b->config.dialect).kind, GW_OK);
    return true;
}

static inline void say(pair *b, const gw_ims_draft *draft)
{
    uint8_t packet[GW_IB_PACKET_MAX];
    size_t len = gw_ims_build_datagram(packet, sizeof(packet), draft, b->config.dialect,
                                       &b->t->local, &b->t->remote);
    assert_true(b->t->ops->send(b->t, packet, len));
}

static inline gw_ims_status status_of(uint8_t method)
{
    gw_ims_status status = {
        .method = method, .major = 1, .minor = 1, .lid = small.lid, .qpn = small.qpn};
    if (method == GW_IMS_DATA_RES) {
        status.key = QPND;
        status.va = BASE;
        status.rkey = RKEY;
    }
    return status;
}

static inline void say_status(pair *b, const gw_ims_status *status)
{
    gw_ims_draft draft = gw_ims_draft_status(small.qpn, small.buffer_qpn, small.qkey, 0, status);
    say(b, &draft);
}

static inline void answer(pair *b, uint8_t method)
{
    gw_ims_status status = status_of(method);
    say_status(b, &status);
}

static inline void respond(pair *b, uint64_t va, uint32_t events)
{
    gw_ims_ack ack = {.type = events != 0, .events = events, .va = va};
    gw_ims_draft draft = gw_ims_draft_ack(small.qpnd, 0, &ack);
    say(b, &draft);
}

static inline void expect_request(pair *b, uint8_t method)
{
    assert_true(hear_within(b, 10 * SECOND));
    assert_int_equal(b->p.kind, GW_IMS_IS_STATUS);
    assert_int_equal(b->p.status.method, method);
    assert_int_equal(b->p.status.lid, small.lid);
    assert_int_equal(b->p.status.qpn, small.qpn);
    assert_int_equal(b->p.bth.dest_qp, small.buffer_qpn);
    assert_int_equal(b->p.deth.qkey, small.buffer_qkey);
}

static inline void open_channel(pair *b)
{
    expect_request(b, GW_IMS_STAT_REQ);
    assert_int_equal(b->p.status.key, small.qkey);
    answer(b, GW_IMS_STAT_RES);
    expect_request(b, GW_IMS_DATA_REQ);
    assert_int_equal(b->p.status.key, small.qpnd);
    answer(b, GW_IMS_DATA_RES);
}

/* Takes packets until one is a request. */
static inline void skip_data(pair *b)
{
    unsigned packets = 0;
    do {
        assert_true(hear_within(b, 10 * SECOND));
        assert_uint_in_range(++packets, 1, 64);
    } while (b->p.kind == GW_IMS_IS_DATA);
}

static inline void close_channel(pair *b)
{
    skip_data(b);
    assert_int_equal(b->p.status.method, GW_IMS_DATA_TERM);
    answer(b, GW_IMS_DATA_DOWN);
    expect_request(b, GW_IMS_STAT_TERM);
    answer(b, GW_IMS_STAT_DOWN);
    assert_true(gw_mem_done(b->mem));
}

/* Puts the packet where it belongs. True when it was a frame's last. */
static inline bool store(pair *b)
{
    assert_int_equal(b->p.kind, GW_IMS_IS_DATA);
    if (b->p.first) {
        assert_int_equal(b->p.reth.rkey, RKEY);
        b->va = b->p.reth.va;
        b->at = 0;
    }
    assert_uint_in_range(b->va, BASE, BASE + ROOM - 1);
    uint64_t place = b->va - BASE + b->at;
    assert_true(place + b->p.payload_sent <= ROOM);
    memcpy(b->memory + place, b->p.payload, b->p.payload_sent);
    b->at += b->p.payload_sent;
    return b->p.last;
}

/* Takes packets to the end of the next frame and returns where that lies. */
static inline uint64_t take_frame(pair *b)
{
    do
        assert_true(hear_within(b, 10 * SECOND));
    while (!store(b));
    return b->va;
}

/* Takes the frames that were on their way to the one at |va|. */
static inline void take_up_to(pair *b, uint64_t va)
{
    unsigned frames = 0;
    while (take_frame(b) != va)
        assert_uint_in_range(++frames, 1, small.outstanding);
}

static inline uint64_t frame_at(unsigned number)
{
    return BASE + number * (uint64_t)small.frame;
}

static inline void acknowledge_the_rest(pair *b, unsigned from)
{
    for (unsigned i = from; i < 8; i++) {
        assert_int_equal(take_frame(b), frame_at(i));
        respond(b, frame_at(i), 0);
    }
}

#endif
