/* SPDX-License-Identifier: BSD-2-Clause */
/* The software IMS Worker against a small buffer that answers as each test wants, in memory and
 * under virtual time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "ims_worker.h"
#include "mem.h"

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

static pair *begin(const gw_ims_worker_setup *setup, const char *dialect)
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
    b->t = gw_mem_connect(b->mem, 0, false, why, sizeof(why));
    assert_non_null(b->t);
    return b;
}

static const gw_ims_worker_state *worker(const pair *b)
{
    return gw_mem_state(b->mem);
}

static bool content(const pair *b)
{
    char text[256];
    return gw_ims_worker_board.report(worker(b), text, sizeof(text));
}

static void end(pair *b)
{
    gw_transport_close(b->t);
    gw_mem_stop(b->mem);
    free(b);
}

/* ---- the buffer's side ---- */

/* The Worker's next packet within |ns|; false when none comes. */
static bool hear_within(pair *b, int64_t ns)
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

static void say(pair *b, const gw_ims_draft *draft)
{
    uint8_t packet[GW_IB_PACKET_MAX];
    size_t len = gw_ims_build_datagram(packet, sizeof(packet), draft, b->config.dialect,
                                       &b->t->local, &b->t->remote);
    assert_true(b->t->ops->send(b->t, packet, len));
}

static gw_ims_status status_of(uint8_t method)
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

static void say_status(pair *b, const gw_ims_status *status)
{
    gw_ims_draft draft = gw_ims_draft_status(small.qpn, small.buffer_qpn, small.qkey, 0, status);
    say(b, &draft);
}

static void answer(pair *b, uint8_t method)
{
    gw_ims_status status = status_of(method);
    say_status(b, &status);
}

static void respond(pair *b, uint64_t va, uint32_t events)
{
    gw_ims_ack ack = {.type = events != 0, .events = events, .va = va};
    gw_ims_draft draft = gw_ims_draft_ack(small.qpnd, 0, &ack);
    say(b, &draft);
}

static void expect_request(pair *b, uint8_t method)
{
    assert_true(hear_within(b, 10 * SECOND));
    assert_int_equal(b->p.kind, GW_IMS_IS_STATUS);
    assert_int_equal(b->p.status.method, method);
    assert_int_equal(b->p.status.lid, small.lid);
    assert_int_equal(b->p.status.qpn, small.qpn);
    assert_int_equal(b->p.bth.dest_qp, small.buffer_qpn);
    assert_int_equal(b->p.deth.qkey, small.buffer_qkey);
}

static void open_channel(pair *b)
{
    expect_request(b, GW_IMS_STAT_REQ);
    assert_int_equal(b->p.status.key, small.qkey);
    answer(b, GW_IMS_STAT_RES);
    expect_request(b, GW_IMS_DATA_REQ);
    assert_int_equal(b->p.status.key, small.qpnd);
    answer(b, GW_IMS_DATA_RES);
}

/* Takes packets until one is a request. */
static void skip_data(pair *b)
{
    unsigned packets = 0;
    do {
        assert_true(hear_within(b, 10 * SECOND));
        assert_in_range(++packets, 1, 64);
    } while (b->p.kind == GW_IMS_IS_DATA);
}

static void close_channel(pair *b)
{
    skip_data(b);
    assert_int_equal(b->p.status.method, GW_IMS_DATA_TERM);
    answer(b, GW_IMS_DATA_DOWN);
    expect_request(b, GW_IMS_STAT_TERM);
    answer(b, GW_IMS_STAT_DOWN);
    assert_true(gw_mem_done(b->mem));
}

/* Puts the packet where it belongs. True when it was a frame's last. */
static bool store(pair *b)
{
    assert_int_equal(b->p.kind, GW_IMS_IS_DATA);
    if (b->p.first) {
        assert_int_equal(b->p.reth.rkey, RKEY);
        b->va = b->p.reth.va;
        b->at = 0;
    }
    assert_in_range(b->va, BASE, BASE + ROOM - 1);
    uint64_t place = b->va - BASE + b->at;
    assert_true(place + b->p.payload_sent <= ROOM);
    memcpy(b->memory + place, b->p.payload, b->p.payload_sent);
    b->at += b->p.payload_sent;
    return b->p.last;
}

/* Takes packets to the end of the next frame and returns where that lies. */
static uint64_t take_frame(pair *b)
{
    do
        assert_true(hear_within(b, 10 * SECOND));
    while (!store(b));
    return b->va;
}

/* Takes the frames that were on their way to the one at |va|. */
static void take_up_to(pair *b, uint64_t va)
{
    unsigned frames = 0;
    while (take_frame(b) != va)
        assert_in_range(++frames, 1, small.outstanding);
}

static uint64_t frame_at(unsigned number)
{
    return BASE + number * (uint64_t)small.frame;
}

static void acknowledge_the_rest(pair *b, unsigned from)
{
    for (unsigned i = from; i < 8; i++) {
        assert_int_equal(take_frame(b), frame_at(i));
        respond(b, frame_at(i), 0);
    }
}

static void expect_pattern(const pair *b, size_t len)
{
    uint8_t *due = malloc(len);
    assert_non_null(due);
    gw_ims_pattern(0, due, len);
    assert_memory_equal(b->memory, due, len);
    free(due);
}

/* ---- streaming ---- */

static void streams_all_it_has(void **state)
{
    (void)state;
    pair *b = begin(&small, NULL);
    open_channel(b);
    acknowledge_the_rest(b, 0);
    assert_int_equal(b->p.bth.dest_qp, QPND);
    assert_int_equal(b->p.bth.psn, (small.psn + 31) & GW_IB_NUMBER_MASK);
    assert_int_equal(b->p.payload_sent, 128);
    close_channel(b);
    assert_true(content(b));
    expect_pattern(b, small.size);
    end(b);
}

static void keeps_several_frames_outstanding(void **state)
{
    (void)state;
    pair *b = begin(&small, NULL);
    open_channel(b);
    for (unsigned i = 0; i < small.outstanding; i++)
        assert_int_equal(take_frame(b), frame_at(i));
    assert_false(hear_within(b, 20 * MS));
    respond(b, frame_at(1), 0); /* in any order */
    assert_int_equal(take_frame(b), frame_at(3));
    assert_false(hear_within(b, 20 * MS));
    end(b);
}

static void needs_the_queue_pair_where_the_buffer_only_echoes(void **state)
{
    (void)state;
    pair *b = begin(&small, "qpnd-echo");
    expect_request(b, GW_IMS_STAT_REQ);
    answer(b, GW_IMS_STAT_RES);
    expect_request(b, GW_IMS_DATA_REQ);
    gw_ims_status echo = status_of(GW_IMS_DATA_RES);
    echo.key = small.qpnd;
    say_status(b, &echo);
    take_frame(b);
    assert_int_equal(b->p.bth.dest_qp, small.buffer_qpnd);
    end(b);
}

/* Every seventh packet, of either side, is lost; packets of a frame that lacks some, too. */
static void survives_losses(void **state)
{
    gw_ims_worker_setup patient = small;
    unsigned count = 0;
    unsigned frames = 0;
    bool whole = false;
    (void)state;
    patient.tries = 100;
    patient.size = UINT64_C(64) * 1024;
    pair *b = begin(&patient, NULL);
    while (hear_within(b, 10 * SECOND)) {
        if (++count % 7 == 0)
            whole = whole && b->p.kind != GW_IMS_IS_DATA;
        else if (b->p.kind == GW_IMS_IS_STATUS && ++count % 7 != 0)
            answer(b, b->p.status.method | GW_IMS_RESPONSE);
        else if (b->p.kind == GW_IMS_IS_DATA && (whole = whole || b->p.first) && store(b)) {
            frames++;
            if (++count % 7 != 0)
                respond(b, b->va, 0);
        }
    }
    assert_true(gw_mem_done(b->mem));
    assert_true(content(b));
    assert_in_range(frames, 65, 1000);
    assert_true(worker(b)->resent > 0);
    expect_pattern(b, patient.size);
    end(b);
}

/* ---- responses ---- */

static void sends_refused_frames_again(void **state)
{
    (void)state;
    pair *b = begin(&small, NULL);
    open_channel(b);
    for (unsigned bit = 0; bit < GW_IMS_NUM_EVENTS; bit++) {
        uint32_t events = 1u << bit;
        if ((events & (GW_IMS_FATAL | GW_IMS_OUTSIDE_WINDOW)) != 0)
            continue;
        end(b);
        b = begin(&small, NULL);
        open_channel(b);
        assert_int_equal(take_frame(b), frame_at(0));
        respond(b, (events & GW_IMS_NO_START) != 0 ? 0 : frame_at(0), events);
        take_up_to(b, frame_at(0));
    }
    end(b);
}

static void waits_outside_the_window(void **state)
{
    (void)state;
    pair *b = begin(&small, NULL);
    open_channel(b);
    assert_int_equal(take_frame(b), frame_at(0));
    int64_t refused = b->t->ops->now(b->t);
    respond(b, frame_at(0), GW_IMS_OUTSIDE_WINDOW | GW_IMS_OUT_OF_SEQUENCE);
    for (unsigned i = 1; i < 3; i++)
        respond(b, take_frame(b), 0);
    for (;;) {
        uint64_t va = take_frame(b);
        if (va == frame_at(0))
            break;
        respond(b, va, 0);
    }
    assert_in_range(b->t->ops->now(b->t) - refused, small.wait_ns, small.wait_ns + 3 * MS);
    end(b);
}

static void stops_when_nothing_helps(void **state)
{
    static const uint32_t events[] = {GW_IMS_INVALID_RKEY, GW_IMS_INVALID_VA,
                                      GW_IMS_INVALID_VA | GW_IMS_OUTSIDE_WINDOW};
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(events); i++) {
        pair *b = begin(&small, NULL);
        open_channel(b);
        assert_int_equal(take_frame(b), frame_at(0));
        respond(b, frame_at(0), events[i]);
        bool last = true;
        for (;;) {
            assert_true(hear_within(b, 10 * SECOND));
            if (b->p.kind != GW_IMS_IS_DATA)
                break;
            last = store(b);
            assert_true(b->va != frame_at(0));
        }
        assert_true(last); /* nothing is left half sent */
        assert_int_equal(b->p.status.method, GW_IMS_DATA_TERM);
        assert_false(content(b));
        end(b);
    }
}

static void old_acks_prove_nothing(void **state)
{
    (void)state;
    pair *b = begin(&small, NULL);
    open_channel(b);
    assert_int_equal(take_frame(b), frame_at(0));
    respond(b, frame_at(0), GW_IMS_PARITY);
    respond(b, frame_at(0), 0); /* cannot be about the frame as it will be sent */
    take_up_to(b, frame_at(0));
    respond(b, frame_at(0), 0);
    respond(b, frame_at(0), 0);
    respond(b, frame_at(1), 0);
    respond(b, frame_at(2), 0);
    respond(b, frame_at(77), 0);
    acknowledge_the_rest(b, 3);
    close_channel(b);
    assert_true(content(b));
    assert_int_equal(worker(b)->resent, 1);
    end(b);
}

/* The ACK of the first sending comes when the frame is already on its way again. */
static void a_late_ack_counts(void **state)
{
    (void)state;
    gw_ims_worker_setup one = small;
    one.outstanding = 1;
    one.burst = 1;
    one.gap_ns = MS;
    pair *b = begin(&one, NULL);
    open_channel(b);
    assert_int_equal(take_frame(b), frame_at(0));
    assert_true(hear_within(b, 10 * SECOND)); /* the first packet of the second sending */
    assert_true(b->p.first);
    respond(b, frame_at(0), 0);
    for (unsigned i = 0; i < 3; i++)
        assert_true(hear_within(b, 10 * SECOND));
    assert_true(b->p.last); /* all of it, for half a frame is an error */
    assert_int_equal(take_frame(b), frame_at(1));
    end(b);
}

/* An ACK before the last packet is nonsense. */
static void an_early_ack_does_not_count(void **state)
{
    (void)state;
    gw_ims_worker_setup one = small;
    one.outstanding = 1;
    one.burst = 1;
    one.gap_ns = MS;
    pair *b = begin(&one, NULL);
    open_channel(b);
    assert_true(hear_within(b, 10 * SECOND));
    assert_false(store(b));
    respond(b, frame_at(0), 0);
    assert_int_equal(take_frame(b), frame_at(0));
    assert_int_equal(take_frame(b), frame_at(0));
    end(b);
}

static void gives_up_and_takes_its_leave(void **state)
{
    (void)state;
    pair *b = begin(&small, NULL);
    unsigned times = 0;
    open_channel(b);
    for (;;) {
        assert_true(hear_within(b, 10 * SECOND));
        if (b->p.kind == GW_IMS_IS_STATUS)
            break;
        times += store(b) && b->va == frame_at(0);
    }
    assert_int_equal(times, small.tries);
    assert_int_equal(b->p.status.method, GW_IMS_DATA_TERM);
    answer(b, GW_IMS_DATA_DOWN);
    expect_request(b, GW_IMS_STAT_TERM);
    answer(b, GW_IMS_STAT_DOWN);
    assert_true(gw_mem_done(b->mem));
    assert_false(content(b));
    end(b);
}

/* ---- the status channel ---- */

static void repeats_requests_and_gives_up(void **state)
{
    (void)state;
    pair *b = begin(&small, NULL);
    for (unsigned i = 0; i < small.status_tries; i++)
        expect_request(b, GW_IMS_STAT_REQ);
    assert_false(hear_within(b, 10 * SECOND));
    assert_true(gw_mem_done(b->mem));
    assert_false(content(b));
    end(b);

    b = begin(&small, NULL);
    expect_request(b, GW_IMS_STAT_REQ);
    answer(b, GW_IMS_STAT_RES);
    for (unsigned i = 0; i < small.status_tries; i++)
        expect_request(b, GW_IMS_DATA_REQ);
    expect_request(b, GW_IMS_STAT_TERM);
    end(b);
}

/* Who is off the list gets no answer, so a lost STAT_DOWN must not matter. */
static void takes_silence_for_goodbye(void **state)
{
    (void)state;
    pair *b = begin(&small, NULL);
    open_channel(b);
    acknowledge_the_rest(b, 0);
    for (unsigned i = 0; i < small.status_tries; i++)
        expect_request(b, GW_IMS_DATA_TERM);
    for (unsigned i = 0; i < small.status_tries; i++)
        expect_request(b, GW_IMS_STAT_TERM);
    assert_false(hear_within(b, 10 * SECOND));
    assert_true(gw_mem_done(b->mem));
    assert_true(content(b));
    end(b);
}

static void judges_the_version(void **state)
{
    static const struct {
        uint8_t registered, opened;
        bool streams;
    } versions[] = {{1, 1, true}, {0, 1, true}, {1, 0, true}, {0, 0, false}, {2, 1, false}};
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(versions); i++) {
        gw_ims_status stat_res = status_of(GW_IMS_STAT_RES);
        gw_ims_status data_res = status_of(GW_IMS_DATA_RES);
        stat_res.major = versions[i].registered;
        data_res.major = versions[i].opened;
        pair *b = begin(&small, NULL);
        expect_request(b, GW_IMS_STAT_REQ);
        say_status(b, &stat_res);
        if (versions[i].registered > 1) {
            expect_request(b, GW_IMS_STAT_TERM);
        } else {
            expect_request(b, GW_IMS_DATA_REQ);
            say_status(b, &data_res);
            if (versions[i].streams)
                assert_int_equal(take_frame(b), frame_at(0));
            else
                expect_request(b, GW_IMS_DATA_TERM);
        }
        end(b);
    }
}

static void refuses_impossible_memory(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        gw_ims_status res = status_of(GW_IMS_DATA_RES);
        if (i == 0)
            res.va = BASE + 32;
        else if (i == 1)
            res.va = UINT64_MAX - 63;
        else
            res.key = 1;
        pair *b = begin(&small, NULL);
        expect_request(b, GW_IMS_STAT_REQ);
        answer(b, GW_IMS_STAT_RES);
        expect_request(b, GW_IMS_DATA_REQ);
        say_status(b, &res);
        close_channel(b);
        assert_false(content(b));
        end(b);
    }
}

static void obeys_a_buffer_that_hangs_up(void **state)
{
    (void)state;
    pair *b = begin(&small, NULL);
    open_channel(b);
    take_frame(b);
    answer(b, GW_IMS_DATA_DOWN);
    skip_data(b);
    assert_int_equal(b->p.status.method, GW_IMS_STAT_TERM);
    answer(b, GW_IMS_STAT_DOWN);
    assert_true(gw_mem_done(b->mem));
    assert_false(content(b));
    end(b);

    b = begin(&small, NULL);
    open_channel(b);
    take_frame(b);
    answer(b, GW_IMS_STAT_DOWN);
    assert_true(gw_mem_done(b->mem));
    assert_false(content(b));
    end(b);
}

static void ignores_what_is_not_for_it(void **state)
{
    (void)state;
    pair *b = begin(&small, NULL);
    expect_request(b, GW_IMS_STAT_REQ);
    gw_ims_status status = status_of(GW_IMS_STAT_RES);
    gw_ims_status other = status;
    other.lid ^= 1;
    say_status(b, &other);
    other = status;
    other.qpn |= 0x01000000; /* the same in 24 bits */
    say_status(b, &other);
    gw_ims_draft draft = gw_ims_draft_status(small.qpn, small.buffer_qpn, small.qkey, 0, &status);
    draft.deth.qkey ^= 1;
    say(b, &draft);
    draft = gw_ims_draft_status(small.qpn + 1, small.buffer_qpn, small.qkey, 0, &status);
    say(b, &draft);
    answer(b, GW_IMS_DATA_RES); /* too early */
    answer(b, GW_IMS_DATA_DOWN);
    answer(b, GW_IMS_DATA_REQ); /* only a Worker says that */
    uint8_t bytes[GW_IB_PACKET_MAX];
    draft = gw_ims_draft_status(small.qpn, small.buffer_qpn, small.qkey, 0, &status);
    size_t len =
        gw_ims_build_datagram(bytes, sizeof(bytes), &draft, NULL, &b->t->local, &b->t->remote);
    for (size_t cut = 0; cut < len; cut++)
        assert_true(b->t->ops->send(b->t, bytes, cut));
    bytes[len - 1] ^= 0x10;
    assert_true(b->t->ops->send(b->t, bytes, len));
    assert_int_equal(worker(b)->phase, WORKER_REGISTERING);
    answer(b, GW_IMS_STAT_RES);
    expect_request(b, GW_IMS_DATA_REQ);
    end(b);
}

static void reports_a_buffer_that_moves(void **state)
{
    (void)state;
    pair *b = begin(&small, NULL);
    open_channel(b);
    answer(b, GW_IMS_DATA_RES); /* once more the same */
    gw_ims_status moved = status_of(GW_IMS_DATA_RES);
    moved.va += 64;
    say_status(b, &moved);
    acknowledge_the_rest(b, 0);
    close_channel(b);
    assert_false(content(b));
    end(b);
}

/* ---- content ---- */

static void the_pattern_can_begin_anywhere(void **state)
{
    uint8_t all[256];
    uint8_t part[256];
    (void)state;
    gw_ims_pattern(1000, all, sizeof(all));
    for (size_t from = 0; from < 24; from++) {
        for (size_t len = 0; len < 40; len++) {
            gw_ims_pattern(1000 + from, part, len);
            assert_memory_equal(part, all + from, len);
        }
    }
}

/* Frames that are no images: these lie across frames and packets. */
static void makes_good_images(void **state)
{
    (void)state;
    for (unsigned bits = 4; bits <= 6; bits += 2) {
        size_t size = bits == 4 ? GW_IMS_IMAGE_4BIT : GW_IMS_IMAGE_6BIT;
        gw_ims_worker_setup images = small;
        images.content = bits == 4 ? GW_IMS_IMAGES_4BIT : GW_IMS_IMAGES_6BIT;
        images.size = 3 * size;
        images.frame = 64 * 100;
        pair *b = begin(&images, NULL);
        open_channel(b);
        for (uint64_t at = 0; at < images.size; at += images.frame)
            respond(b, take_frame(b), 0);
        close_channel(b);
        for (unsigned i = 0; i < 3; i++) {
            const uint8_t *image = b->memory + i * size;
            assert_true(gw_ims_image_good(&gw_ims_image_default, image, size));
            assert_int_equal(gw_ims_image_va(image, false), BASE + i * size);
            if (bits == 6)
                assert_int_equal(gw_ims_image_padding(image), 0);
        }
        end(b);
    }
}

static void write_file(const char *path, const char *text, size_t len)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, len, file), len);
    assert_int_equal(fclose(file), 0);
}

static void streams_a_file(void **state)
{
    char folder[] = "/tmp/goldwire-worker-XXXXXX";
    char path[64], setup_path[64], text[400], why[256] = "";
    char bytes[1000];
    (void)state;
    assert_non_null(mkdtemp(folder));
    (void)snprintf(path, sizeof(path), "%s/exposure", folder);
    (void)snprintf(setup_path, sizeof(setup_path), "%s/setup.yaml", folder);
    for (size_t i = 0; i < sizeof(bytes); i++)
        bytes[i] = (char)(i * 7);
    write_file(path, bytes, sizeof(bytes));
    (void)snprintf(text, sizeof(text), "file: %s\nframe: 512\npacket: 128\n", path);
    write_file(setup_path, text, strlen(text));
    gw_ims_worker_setup *setup = gw_ims_worker_setup_open(setup_path, why, sizeof(why));
    if (setup == NULL)
        fail_msg("%s", why);
    assert_int_equal(setup->size, 1024);
    pair *b = begin(setup, NULL);
    open_channel(b);
    for (unsigned i = 0; i < 2; i++)
        respond(b, take_frame(b), 0);
    close_channel(b);
    assert_true(content(b));
    assert_memory_equal(b->memory, bytes, sizeof(bytes));
    for (size_t i = sizeof(bytes); i < 1024; i++)
        assert_int_equal(b->memory[i], 0);
    end(b);

    /* Somebody makes it shorter while it is read. */
    assert_int_equal(truncate(path, 300), 0);
    b = begin(setup, NULL);
    open_channel(b);
    close_channel(b);
    assert_false(content(b));
    end(b);
    gw_ims_worker_setup_close(setup);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(unlink(setup_path), 0);
    assert_int_equal(rmdir(folder), 0);
}

/* The example in the tree says what a Worker does without one. */
static void has_its_setup_written_out(void **state)
{
    char why[256] = "";
    (void)state;
    gw_ims_worker_setup *s = gw_ims_worker_setup_open(
        GW_SOURCE_DIR "/conformance/peers/ims_worker.yaml", why, sizeof(why));
    if (s == NULL)
        fail_msg("%s", why);
    assert_memory_equal(s, &gw_ims_worker_default, sizeof(*s));
    gw_ims_worker_setup_close(s);
}

static void explains_what_is_wrong_with_a_setup(void **state)
{
    static const struct {
        const char *text;
        const char *error;
    } wrong[] = {
        {"frame: 100\n", ":1:8: frame: a multiple of 64 bytes is expected"},
        {"packet: 8192\n", ":1:9: "},
        {"outstanding: 0\n", ":1:14: at least 1 is expected"},
        {"outstanding: 257\n", ":1:14: "},
        {"lid: 0x10000\n", ":1:6: "},
        {"buffer: {qpn: 1}\n", ":1:15: at least 2 is expected"},
        {"content: file\n", "belong together"},
        {"content: pattern\nfile: /dev/null\n", "belong together"},
        {"file: /dev/null\n", "something in it"},
        {"file: /dev/null\nsize: 64\n", "leave `size' out"},
        {"file: /nowhere/at/all\n", "No such file"},
        {"frames: 64\n", "frame"},
        {"size: 0\n", "multiple of 64"},
    };
    char path[] = "/tmp/goldwire-setup-XXXXXX";
    int fd = mkstemp(path);
    (void)state;
    assert_true(fd >= 0);
    close(fd);
    for (size_t i = 0; i < GW_ARRAY_LEN(wrong); i++) {
        char why[256] = "";
        write_file(path, wrong[i].text, strlen(wrong[i].text));
        assert_null(gw_ims_worker_setup_open(path, why, sizeof(why)));
        if (strstr(why, wrong[i].error) == NULL)
            fail_msg("'%s' says '%s'", wrong[i].text, why);
    }
    assert_int_equal(unlink(path), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_all_it_has),
        cmocka_unit_test(keeps_several_frames_outstanding),
        cmocka_unit_test(needs_the_queue_pair_where_the_buffer_only_echoes),
        cmocka_unit_test(survives_losses),
        cmocka_unit_test(sends_refused_frames_again),
        cmocka_unit_test(waits_outside_the_window),
        cmocka_unit_test(stops_when_nothing_helps),
        cmocka_unit_test(old_acks_prove_nothing),
        cmocka_unit_test(a_late_ack_counts),
        cmocka_unit_test(an_early_ack_does_not_count),
        cmocka_unit_test(gives_up_and_takes_its_leave),
        cmocka_unit_test(repeats_requests_and_gives_up),
        cmocka_unit_test(takes_silence_for_goodbye),
        cmocka_unit_test(judges_the_version),
        cmocka_unit_test(refuses_impossible_memory),
        cmocka_unit_test(obeys_a_buffer_that_hangs_up),
        cmocka_unit_test(ignores_what_is_not_for_it),
        cmocka_unit_test(reports_a_buffer_that_moves),
        cmocka_unit_test(the_pattern_can_begin_anywhere),
        cmocka_unit_test(makes_good_images),
        cmocka_unit_test(streams_a_file),
        cmocka_unit_test(has_its_setup_written_out),
        cmocka_unit_test(explains_what_is_wrong_with_a_setup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
