/* SPDX-License-Identifier: BSD-2-Clause */
/* The software IMS buffer in memory: what its cases cannot see. Exposures longer than the ring
 * through a bad network, images, full tables, setups, and packets of other makers' adapters. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "boards/mem.h"
#include "formats/ims/buf/board.h"
#include "goldwire/checksum.h"
#include "goldwire/writer.h"
#include "harness/temporary_testing.h"

#define MS INT64_C(1000000)

/* A Worker at a desk beside the buffer. */
typedef struct desk {
    gw_peer_config config;
    gw_mem *mem;
    gw_ims_buf *buf;
    gw_transport *t;
    uint32_t psn;
    uint32_t lid, qpn, data_qpn;
    gw_ims_status res; /* DATA_RES */
    gw_ims_packet p;   /* the last one received */
    uint8_t bytes[GW_IB_PACKET_MAX];
} desk;

static void sit_down(desk *d, const gw_ims_buf_setup *setup, const char *dialect,
                     const gw_impairment *what)
{
    char why[256] = "";
    *d = (desk){.lid = 0x11, .qpn = 0x412, .data_qpn = 0x812};
    d->config.setup = setup;
    d->config.dialect = gw_dialect_by_name(&gw_ims, dialect);
    d->mem = gw_mem_start(&gw_ims_buf_board, &d->config, why, sizeof(why));
    if (d->mem == NULL)
        fail_msg("%s", why);
    d->buf = gw_mem_state(d->mem);
    d->t = gw_mem_connect(d->mem, 0, false, why, sizeof(why));
    assert_non_null(d->t);
    if (what != NULL) /* as of frames: what is damaged reaches the board, which has the ICRC */
        d->t = gw_impair_transport(d->t, what, true, why, sizeof(why));
    assert_non_null(d->t);
}

static void stand_up(desk *d)
{
    gw_transport_close(d->t);
    gw_mem_stop(d->mem);
}

static void put(desk *d, const gw_ims_draft *draft)
{
    uint8_t bytes[GW_IB_PACKET_MAX];
    size_t len = gw_ims_build_datagram(bytes, sizeof(bytes), draft, d->config.dialect, &d->t->local,
                                       &d->t->remote);
    assert_true(len > 0 && d->t->ops->send(d->t, bytes, len));
}

/* The next undamaged packet. */
static bool next(desk *d, int64_t wait_ns)
{
    size_t len;
    int64_t deadline = d->t->ops->now(d->t) + wait_ns;
    while (d->t->ops->recv(d->t, d->bytes, sizeof(d->bytes), &len, deadline, NULL, NULL) ==
           GW_RECV_DATA) {
        if (gw_ib_judge_udp(NULL, &d->t->remote, &d->t->local, d->bytes, len, false) != GW_IB_RIGHT)
            continue;
        gw_message m = gw_message_of(d->bytes, len - GW_IB_ICRC);
        (void)gw_ims_decode(&d->p, &m, d->config.dialect);
        return true;
    }
    return false;
}

static void say(desk *d, uint8_t method, uint32_t key)
{
    gw_ims_status s = {.method = method, .lid = d->lid, .qpn = d->qpn, .key = key};
    gw_ims_draft draft = gw_ims_draft_status(d->buf->setup.status_qpn, d->qpn,
                                             d->buf->setup.status_qkey, d->psn++, &s);
    put(d, &draft);
}

/* Asks until the answer comes: the network may be bad. */
static void ask(desk *d, uint8_t method, uint32_t key)
{
    for (unsigned i = 0; i < 100; i++) {
        say(d, method, key);
        while (next(d, MS)) {
            if (d->p.kind == GW_IMS_IS_STATUS && d->p.status.method == (method | GW_IMS_RESPONSE))
                return;
        }
    }
    fail_msg("method %u is not answered", method);
}

static void open_channel(desk *d)
{
    ask(d, GW_IMS_STAT_REQ, 0x1234);
    ask(d, GW_IMS_DATA_REQ, d->data_qpn);
    d->res = d->p.status;
}

/* One frame of |len| bytes in packets of |packet|. */
static void write_frame(desk *d, uint64_t va, const uint8_t *data, uint32_t len, uint32_t packet)
{
    gw_ib_reth reth = {.va = va, .rkey = d->res.rkey, .length = len};
    for (uint32_t at = 0; at < len; at += packet) {
        uint32_t n = len - at < packet ? len - at : packet;
        gw_ims_draft draft =
            gw_ims_draft_write(d->buf->channels[0].qpn, d->psn, &reth, at, data + at, n);
        d->psn = (d->psn + 1) & GW_IB_NUMBER_MASK;
        put(d, &draft);
    }
}

static bool is_ack(const desk *d, uint64_t va)
{
    return d->p.kind == GW_IMS_IS_ACK && d->p.bth.dest_qp == d->data_qpn &&
           d->p.ack.type == GW_IMS_TYPE_ACK && d->p.ack.va == va;
}

static void fill(uint8_t *data, size_t len, uint32_t seed)
{
    for (size_t i = 0; i < len; i += 4) {
        seed = seed * 1664525 + 1013904223;
        gw_store_be(data + i, seed, 4);
    }
}

/* Sends |total| bytes in frames of |frame|, |window| outstanding, until all are acknowledged. */
static void stream(desk *d, const uint8_t *data, uint32_t total, uint32_t frame, uint32_t packet,
                   uint32_t window)
{
    static bool done[4096];
    uint32_t num = total / frame, first = 0;

    assert_true(num <= GW_ARRAY_LEN(done));
    memset(done, 0, sizeof(done));
    for (unsigned tries = 0; first < num; tries++) {
        if (tries == 4096)
            fail_msg("no progress");
        for (uint32_t i = first; i < num && i < first + window; i++) {
            if (!done[i])
                write_frame(d, d->res.va + (uint64_t)i * frame, data + (size_t)i * frame, frame,
                            packet);
        }
        while (next(d, MS)) {
            for (uint32_t i = first; i < num && i < first + window; i++)
                done[i] = done[i] || is_ack(d, d->res.va + (uint64_t)i * frame);
        }
        while (first < num && done[first])
            first++;
    }
}

/* Four rings' worth of data through a network that does everything that networks do. */
static void streams_through_a_bad_network(void **state)
{
    static const gw_impairment bad = {.loss = GW_IMPAIR_SCALE / 10,
                                      .reorder = GW_IMPAIR_SCALE / 20,
                                      .duplicate = GW_IMPAIR_SCALE / 20,
                                      .corrupt = GW_IMPAIR_SCALE / 20,
                                      .seed = 11};
    enum { TOTAL = 1 << 20 };
    gw_ims_buf_setup setup = gw_ims_buf_usual;
    uint8_t *data = malloc(TOTAL);
    desk d;
    (void)state;
    assert_non_null(data);
    fill(data, TOTAL, 5);
    setup.ring = 1 << 18;
    setup.frame = 4096;
    for (uint32_t packet = 1024; packet <= 4096; packet *= 4) {
        sit_down(&d, &setup, "strict", &bad);
        open_channel(&d);
        stream(&d, data, TOTAL, 4096, packet, 32);
        const gw_ims_buf_channel *c = &d.buf->channels[0];
        assert_int_equal(c->delivered, setup.va + TOTAL);
        assert_int_equal(c->read, c->delivered);
        assert_int_equal(c->crc, gw_crc32c(NULL, 0, data, TOTAL));
        assert_true(d.buf->dropped > 0); /* what was damaged */
        stand_up(&d);
    }
    free(data);
}

/* A lost packet makes a frame of many come again; the rest is not disturbed. */
static void streams_large_frames(void **state)
{
    static const gw_impairment bad = {.loss = GW_IMPAIR_SCALE / 500, .seed = 3};
    enum { TOTAL = 1 << 20, FRAME = 1 << 17 };
    uint8_t *data = malloc(TOTAL);
    gw_ims_buf_setup setup = gw_ims_buf_usual;
    desk d;
    (void)state;
    assert_non_null(data);
    fill(data, TOTAL, 9);
    setup.ring = UINT64_C(3) * FRAME;
    setup.frame = FRAME;
    sit_down(&d, &setup, "strict", &bad);
    open_channel(&d);
    stream(&d, data, TOTAL, FRAME, 1024, 2);
    assert_int_equal(d.buf->channels[0].crc, gw_crc32c(NULL, 0, data, TOTAL));
    assert_true(d.buf->channels[0].nacks > 0);
    stand_up(&d);
    free(data);
}

/* Images straddle frames; each is judged once, when it is whole. */
static void judges_images(void **state)
{
    (void)state;
    for (uint8_t bits = 4; bits <= 6; bits += 2) {
        enum { NUM = 8, FRAME = 4096 };
        uint32_t size = bits == 4 ? GW_IMS_IMAGE_4BIT : GW_IMS_IMAGE_6BIT;
        uint32_t total = (NUM * size + FRAME - 1) / FRAME * FRAME;
        uint8_t *data = calloc(1, total);
        gw_ims_buf_setup setup = gw_ims_buf_usual;
        desk d;
        assert_non_null(data);
        setup.ring = 1 << 17;
        setup.frame = FRAME;
        setup.image_bits = bits;
        for (unsigned i = 0; i < NUM; i++) {
            uint8_t *image = data + (size_t)i * size;
            for (unsigned c = 0; c < GW_IMS_IMAGE_SIDE; c++)
                image[GW_IMS_IMAGE_HEADER + 100 * c] = (uint8_t)(c + i);
            gw_ims_image_seal(NULL, &gw_ims_image_default, image, size,
                              setup.va + (uint64_t)i * size);
        }
        data[2 * size + 100] ^= 1; /* the third one's CRC does not fit */
        gw_ims_image_seal(NULL, &gw_ims_image_default, data + (size_t)5 * size, size,
                          0); /* its VA */
        sit_down(&d, &setup, "strict", NULL);
        open_channel(&d);
        stream(&d, data, total, FRAME, 2048, 8);
        assert_int_equal(d.buf->channels[0].images, NUM - 2);
        assert_int_equal(d.buf->channels[0].bad_images, 2);
        stand_up(&d);
        free(data);
    }
}

/* What lies in the ring cannot be overwritten by an old frame that comes late. */
static void late_frames_do_no_harm(void **state)
{
    uint8_t old[256], new[256];
    gw_ims_buf_setup setup = gw_ims_buf_usual;
    desk d;
    (void)state;
    fill(old, sizeof(old), 1);
    fill(new, sizeof(new), 2);
    sit_down(&d, &setup, "strict", NULL);
    open_channel(&d);
    gw_ims_buf_channel *c = &d.buf->channels[0];
    gw_ims_buf_set_read(d.buf, c, setup.va + setup.ring);
    c->expose = false;
    write_frame(&d, setup.va + setup.ring, new, sizeof(new), 256);
    assert_true(next(&d, MS) && is_ack(&d, setup.va + setup.ring));
    write_frame(&d, setup.va, old, sizeof(old), 256);
    assert_true(next(&d, MS) && is_ack(&d, setup.va));
    assert_memory_equal(c->ring, new, sizeof(new));
    assert_int_equal(c->delivered, setup.va + setup.ring + sizeof(new));
    stand_up(&d);

    sit_down(&d, &setup, "nack-below", NULL);
    open_channel(&d);
    gw_ims_buf_set_read(d.buf, &d.buf->channels[0], setup.va + 64);
    write_frame(&d, setup.va, old, sizeof(old), 256);
    assert_true(next(&d, MS));
    assert_int_equal(d.p.ack.events, GW_IMS_OUTSIDE_WINDOW);
    stand_up(&d);
}

/* A hole is not exposed; once it is filled all behind it is. */
static void exposes_without_holes(void **state)
{
    uint8_t data[64] = {0};
    desk d;
    (void)state;
    sit_down(&d, NULL, "strict", NULL);
    open_channel(&d);
    const gw_ims_buf_channel *c = &d.buf->channels[0];
    write_frame(&d, d.res.va + 128, data, 64, 64);
    write_frame(&d, d.res.va + 64, data, 64, 64);
    assert_int_equal(c->delivered, d.res.va);
    write_frame(&d, d.res.va, data, 64, 64);
    assert_int_equal(c->delivered, d.res.va + 192);
    assert_int_equal(c->read, d.res.va + 192);
    stand_up(&d);
}

static uint32_t events_of(desk *d)
{
    assert_true(next(d, MS));
    assert_int_equal(d->p.kind, GW_IMS_IS_ACK);
    return d->p.ack.events;
}

#define RING_UNITS UINT64_C(150) /* the last word of bits is begun only */

/* What a ring holds, unit by unit. */
typedef struct plain_ring {
    uint64_t read, delivered; /* bytes behind the first address */
    bool came[RING_UNITS];
} plain_ring;

static void deliver_plainly(plain_ring *r, uint64_t at, uint64_t len)
{
    uint64_t end = at + len, limit = r->read + RING_UNITS * GW_IMS_ALIGN;
    for (; at < end && at < limit; at += GW_IMS_ALIGN) {
        if (at >= r->delivered)
            r->came[at / GW_IMS_ALIGN % RING_UNITS] = true;
    }
    while (r->delivered < limit && r->came[r->delivered / GW_IMS_ALIGN % RING_UNITS]) {
        r->came[r->delivered / GW_IMS_ALIGN % RING_UNITS] = false;
        r->delivered += GW_IMS_ALIGN;
    }
}

static void read_plainly(plain_ring *r, uint64_t at)
{
    r->read = at;
    for (; r->delivered < at; r->delivered += GW_IMS_ALIGN)
        r->came[r->delivered / GW_IMS_ALIGN % RING_UNITS] = false;
}

/* Frames in any order, again, over the ring's end, and from addresses that a mutant takes. */
static void keeps_account_of_every_unit(void **state)
{
    const uint64_t before = UINT64_C(20) * GW_IMS_ALIGN; /* what is delivered */
    gw_ims_buf_setup setup = gw_ims_buf_usual;
    plain_ring plain = {0};
    uint32_t seed = 1;
    desk d;
    (void)state;
    setup.ring = RING_UNITS * GW_IMS_ALIGN;
    setup.frame = 64 * GW_IMS_ALIGN;
    setup.expose = false;
    sit_down(&d, &setup, "strict", NULL);
    open_channel(&d);
    gw_ims_buf_channel *c = &d.buf->channels[0];
    for (unsigned i = 0; i < 20000; i++) {
        uint8_t dice[16];
        seed = seed * 1664525 + 1013904223;
        fill(dice, sizeof(dice), seed);
        uint64_t at = plain.delivered + (uint64_t)(dice[0] % 180) * GW_IMS_ALIGN;
        at -= at > before ? before : at;
        at = dice[4] % 3 == 0 ? plain.delivered : at + (dice[4] % 16 == 1 ? 32 : 0);
        uint32_t len = dice[8] % 140u * GW_IMS_ALIGN;
        gw_ims_buf_deliver(d.buf, c, setup.va + at, len);
        deliver_plainly(&plain, at, len);
        if (dice[12] % 4 == 0) {
            uint64_t ahead = dice[12] % 64 == 0 ? 2 * setup.ring + GW_IMS_ALIGN : 0;
            gw_ims_buf_set_read(d.buf, c, setup.va + plain.delivered + ahead);
            read_plainly(&plain, plain.delivered + ahead);
        }
        assert_int_equal(c->delivered, setup.va + plain.delivered);
        for (size_t k = 0; k < RING_UNITS; k++)
            assert_int_equal(c->came[k / 64] >> k % 64 & 1, plain.came[k]);
    }
    stand_up(&d);
}

static void packet(desk *d, uint8_t opcode, uint32_t psn, uint32_t length, uint32_t len)
{
    static const uint8_t data[4096];
    gw_ims_draft draft = {.bth = {.opcode = opcode, .dest_qp = d->buf->channels[0].qpn, .psn = psn},
                          .reth = {.va = d->res.va, .rkey = d->res.rkey, .length = length},
                          .payload = data,
                          .payload_len = len};
    put(d, &draft);
}

/* The receiver of the reference, packet by packet. */
static void follows_packets(void **state)
{
    gw_ims_buf_setup setup = gw_ims_buf_usual;
    desk d;
    (void)state;
    sit_down(&d, &setup, "strict", NULL);
    open_channel(&d);
    /* A first packet while a frame is not finished: with the gap that a lost packet leaves, and
     * without one. */
    packet(&d, GW_IB_UC_WRITE_FIRST, 10, 192, 64);
    packet(&d, GW_IB_UC_WRITE_FIRST, 13, 192, 64);
    assert_int_equal(events_of(&d), GW_IMS_OUT_OF_SEQUENCE | GW_IMS_FRAME_LENGTH);
    packet(&d, GW_IB_UC_WRITE_ONLY, 14, 64, 64);
    assert_int_equal(events_of(&d), GW_IMS_FRAME_LENGTH);
    assert_int_equal(events_of(&d), 0);
    /* A packet that comes twice is out of sequence, and too much. */
    packet(&d, GW_IB_UC_WRITE_FIRST, 15, 128, 64);
    packet(&d, GW_IB_UC_WRITE_MIDDLE, 16, 0, 64);
    packet(&d, GW_IB_UC_WRITE_MIDDLE, 16, 0, 64);
    packet(&d, GW_IB_UC_WRITE_LAST, 17, 0, 64);
    assert_int_equal(events_of(&d), GW_IMS_OUT_OF_SEQUENCE | GW_IMS_FRAME_LENGTH);
    /* No start of frame, behind a gap; ended by the next frame when its last packet is lost. */
    packet(&d, GW_IB_UC_WRITE_LAST, 20, 0, 64);
    assert_int_equal(events_of(&d), GW_IMS_NO_START | GW_IMS_OUT_OF_SEQUENCE);
    packet(&d, GW_IB_UC_WRITE_MIDDLE, 21, 0, 64);
    packet(&d, GW_IB_UC_WRITE_ONLY, 22, 64, 64);
    assert_int_equal(events_of(&d), GW_IMS_NO_START);
    assert_int_equal(d.p.ack.va, 0);
    assert_int_equal(events_of(&d), 0);
    /* Empty and long packets; other operations are nobody's. */
    packet(&d, GW_IB_UC_WRITE_ONLY, 23, 0, 0);
    assert_int_equal(events_of(&d), GW_IMS_PACKET_LENGTH);
    uint32_t dropped = d.buf->dropped;
    packet(&d, GW_IB_UC_WRITE_ONLY_IMM, 24, 64, 64);
    packet(&d, GW_IB_UC_SEND_ONLY, 24, 64, 16);
    packet(&d, GW_IB_RC, 24, 64, 64);
    assert_int_equal(d.buf->dropped, dropped + 3);
    assert_false(next(&d, MS));
    stand_up(&d);

    setup.gap_at_first = true;
    sit_down(&d, &setup, "strict", NULL);
    open_channel(&d);
    packet(&d, GW_IB_UC_WRITE_ONLY, 1, 64, 64);
    assert_int_equal(events_of(&d), 0);
    packet(&d, GW_IB_UC_WRITE_ONLY, 3, 64, 64);
    assert_int_equal(events_of(&d), GW_IMS_OUT_OF_SEQUENCE);
    stand_up(&d);
}

/* More Workers than places, more channels than queue pairs: the first ones go on. */
static void full_tables_refuse(void **state)
{
    desk d;
    (void)state;
    sit_down(&d, NULL, "strict", NULL);
    for (uint32_t i = 0; i < GW_IMS_BUF_WORKERS; i++) {
        d.qpn = 0x1000 + i;
        ask(&d, GW_IMS_STAT_REQ, 1);
    }
    d.qpn = 0x2000;
    say(&d, GW_IMS_STAT_REQ, 1);
    assert_false(next(&d, MS));
    for (uint32_t i = 0; i < GW_IMS_BUF_CHANNELS; i++) {
        d.qpn = 0x1000 + i;
        ask(&d, GW_IMS_DATA_REQ, 0x800 + i);
        assert_int_equal(d.p.status.key, GW_IMS_BUF_DATA_QPN + i);
    }
    d.qpn = 0x1000 + GW_IMS_BUF_CHANNELS;
    say(&d, GW_IMS_DATA_REQ, 0x900);
    assert_false(next(&d, MS));
    /* A place that became free is taken. */
    d.qpn = 0x1001;
    ask(&d, GW_IMS_STAT_TERM, 0);
    d.qpn = 0x1000 + GW_IMS_BUF_CHANNELS;
    ask(&d, GW_IMS_DATA_REQ, 0x900);
    assert_int_equal(d.p.status.key, GW_IMS_BUF_DATA_QPN + 1);
    d.qpn = 0x2000;
    ask(&d, GW_IMS_STAT_REQ, 1);
    stand_up(&d);
}

/* A new channel has a new key: what an old one still sends is refused. */
static void old_keys_are_invalid(void **state)
{
    uint8_t data[64] = {0};
    desk d;
    (void)state;
    sit_down(&d, NULL, "strict", NULL);
    open_channel(&d);
    gw_ims_status before = d.res;
    ask(&d, GW_IMS_DATA_REQ, d.data_qpn);
    assert_int_equal(d.p.status.rkey, before.rkey);
    ask(&d, GW_IMS_DATA_TERM, 0);
    ask(&d, GW_IMS_DATA_REQ, d.data_qpn);
    assert_int_not_equal(d.p.status.rkey, before.rkey);
    write_frame(&d, before.va, data, 64, 64);
    assert_int_equal(events_of(&d), GW_IMS_INVALID_RKEY);
    stand_up(&d);
}

/* A STAT_REQ from an adapter of somebody else's: sent with an IP identification that sockets do not
 * show. */
static size_t foreign_request(const desk *d, uint8_t bytes[GW_IB_PACKET_MAX])
{
    uint8_t all[28] = {0x45, [6] = 0x40, [9] = 17};
    gw_ims_status s = {.lid = 0x11, .qpn = 0x412, .key = 1};
    gw_ims_draft draft = gw_ims_draft_status(GW_IMS_BUF_QPN, 0x412, GW_IMS_BUF_QKEY, 0, &s);
    size_t len =
        gw_ims_build_datagram(bytes, GW_IB_PACKET_MAX, &draft, NULL, &d->t->local, &d->t->remote);
    /* The headers that the ICRC covers. */
    gw_store_be(all + 2, 28 + len, 2);
    gw_store_be(all + 4, 0xabcd, 2);
    memcpy(all + 12, d->t->local.ip, 4);
    memcpy(all + 16, d->t->remote.ip, 4);
    gw_store_be(all + 20, d->t->local.port, 2);
    gw_store_be(all + 22, d->t->remote.port, 2);
    gw_store_be(all + 24, 8 + len, 2);
    uint32_t icrc = gw_ib_icrc_roce(NULL, all, 28, bytes, len - GW_IB_ICRC);
    gw_store_le(bytes + len - GW_IB_ICRC, icrc, GW_IB_ICRC);
    return len;
}

static void other_identifications_are_taken(void **state)
{
    uint8_t bytes[GW_IB_PACKET_MAX];
    desk d;
    (void)state;
    sit_down(&d, NULL, "strict", NULL);
    size_t len = foreign_request(&d, bytes);
    assert_true(d.t->ops->send(d.t, bytes, len));
    assert_true(next(&d, MS));
    assert_int_equal(d.p.status.method, GW_IMS_STAT_RES);
    /* Damage is still found ... */
    bytes[20] ^= 4;
    assert_true(d.t->ops->send(d.t, bytes, len));
    assert_false(next(&d, MS));
    assert_int_equal(d.buf->dropped, 1);
    /* ... and whoever draws lots draws 0 too, at times. */
    bytes[20] ^= 4;
    for (unsigned i = 0; i < 2 * GW_IMS_REMOTE_EXACT; i++)
        ask(&d, GW_IMS_STAT_REQ, 1);
    assert_true(d.t->ops->send(d.t, bytes, len));
    assert_true(next(&d, MS));
    stand_up(&d);
}

static void identification_0_is_a_habit(void **state)
{
    uint8_t bytes[GW_IB_PACKET_MAX];
    desk d;
    (void)state;
    for (unsigned times = GW_IMS_REMOTE_EXACT - 1; times <= GW_IMS_REMOTE_EXACT; times++) {
        sit_down(&d, NULL, "strict", NULL);
        size_t len = foreign_request(&d, bytes);
        for (unsigned i = 0; i < times; i++)
            ask(&d, GW_IMS_STAT_REQ, 1);
        assert_true(d.t->ops->send(d.t, bytes, len));
        assert_int_equal(next(&d, MS), times < GW_IMS_REMOTE_EXACT);
        stand_up(&d);
    }
}

static void tells_the_workers_queue_pair(void **state)
{
    desk d;
    (void)state;
    sit_down(&d, NULL, "qpnd-echo", NULL);
    open_channel(&d);
    assert_int_equal(d.res.key, d.data_qpn);
    stand_up(&d);
}

/* ---- setups ---- */

static void *open_text(const char *text, char *why, size_t why_cap)
{
    gw_temporary file;
    assert_true(gw_temporary_file(&file, text));
    void *setup = gw_ims_buf_open_setup(file.path, why, why_cap);
    unlink(file.path);
    return setup;
}

static void reads_setups(void **state)
{
    char why[256] = "";
    (void)state;
    gw_ims_buf_setup *s = open_text("ring: 0x8000000\nframe: 33554432\nchannels: 2\n"
                                    "expose: false\nimage_bits: 6\nstatus_qpn: 0x22\n",
                                    why, sizeof(why));
    if (s == NULL) {
        fail_msg("%s", why);
        return;
    }
    assert_int_equal(s->ring, 0x8000000);
    assert_int_equal(s->frame, GW_IMS_FRAME_TYPICAL);
    assert_int_equal(s->channels, 2);
    assert_int_equal(s->image_bits, 6);
    assert_int_equal(s->status_qpn, 0x22);
    assert_int_equal(s->status_qkey, GW_IMS_BUF_QKEY);
    assert_false(s->expose);
    gw_ims_buf_close_setup(s);
}

static void the_usual_setup_is_written_out(void **state)
{
    char why[256] = "";
    (void)state;
    gw_ims_buf_setup *s = gw_ims_buf_open_setup(
        GW_SOURCE_DIR "/conformance/formats/ims/buf/board.yaml", why, sizeof(why));
    if (s == NULL)
        fail_msg("%s", why);
    assert_memory_equal(s, &gw_ims_buf_usual, sizeof(*s));
    gw_ims_buf_close_setup(s);
}

static void refuses_setups(void **state)
{
    static const struct {
        const char *text, *why;
    } wrong[] = {
        {"rink: 4096\n", "did you mean 'ring'?"},
        {"ring: 100000\n", "multiples of 64"},
        {"ring: 0x10000\nframe: 0x10000\n", "two frames"},
        {"channels: 0\n", "one channel"},
        {"channels: 17\n", "17"},
        {"ring: 0x20000000\nchannels: 4\n", "fit 0x70000000 bytes"},
        {"status_qpn: 1\n", "queue pair 0x1 is taken"},
        {"status_qpn: 0x81\n", "queue pair 0x81 is taken"},
        {"image_bits: 5\n", "5"},
        {"image_bits: 6\nring: 0x10000\nframe: 64\n", "a frame and an image"},
        {"va: 32\n", "multiples of 64"},
    };
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(wrong); i++) {
        char why[256] = "";
        void *setup = open_text(wrong[i].text, why, sizeof(why));
        if (setup != NULL || strstr(why, wrong[i].why) == NULL)
            fail_msg("%s: '%s'", wrong[i].text, why);
    }
    char why[256] = "";
    assert_null(gw_ims_buf_open_setup("no such file", why, sizeof(why)));
    assert_non_null(strstr(why, "no such file"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_through_a_bad_network),
        cmocka_unit_test(streams_large_frames),
        cmocka_unit_test(judges_images),
        cmocka_unit_test(late_frames_do_no_harm),
        cmocka_unit_test(exposes_without_holes),
        cmocka_unit_test(keeps_account_of_every_unit),
        cmocka_unit_test(follows_packets),
        cmocka_unit_test(full_tables_refuse),
        cmocka_unit_test(old_keys_are_invalid),
        cmocka_unit_test(other_identifications_are_taken),
        cmocka_unit_test(identification_0_is_a_habit),
        cmocka_unit_test(tells_the_workers_queue_pair),
        cmocka_unit_test(reads_setups),
        cmocka_unit_test(the_usual_setup_is_written_out),
        cmocka_unit_test(refuses_setups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
