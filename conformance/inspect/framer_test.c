/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of putting messages into frames: what the reading side finds again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "goldwire/etherbone.h"
#include "goldwire/net.h"
#include "harness/temporary_testing.h"
#include "inspect/framer.h"
#include "inspect/pipeline.h"

#define MESSAGES_MAX 512

typedef struct kept_message {
    gw_message message;
    uint32_t lost_before;
    uint8_t tcp_dir;
    bool start_missing;
    uint8_t data[128];
} kept_message;

typedef struct desk {
    gw_temporary place; /* of the file */
    FILE *file;
    gw_pcapng_writer *writer;
    gw_framer *framer;
    gw_assembled assembled;
    gw_selection selection;
    size_t num_messages;
    size_t num_notes;
    char note[256]; /* the last one */
    kept_message messages[MESSAGES_MAX];
} desk;

static const uint8_t header[] = {0x4e, 0x6f, 0x10, 0x44};
static const uint8_t record[] = {0x08, 0x0f, 0x01, 0x00, 0x00, 0x00,
                                 0x10, 0x00, 0xca, 0xfe, 0x00, 0x01};
static const gw_endpoint client = {{10, 0, 0, 1}, 50000, GW_FAMILY_IPV4, 0};
static const gw_endpoint server = {{10, 0, 0, 2}, 60368, GW_FAMILY_IPV4, 0};

static int open_desk(void **state)
{
    desk *d = calloc(1, sizeof *d);

    if (d == NULL)
        return -1;
    *state = d;
    int fd = gw_temporary_open(&d->place);
    d->file = fd >= 0 ? fdopen(fd, "wb") : NULL;
    if (d->file == NULL)
        return -1;
    d->writer = gw_pcapng_create(d->file, NULL);
    if (d->writer == NULL)
        return -1;
    d->framer = gw_framer_new(d->writer);
    gw_selection_init(&d->selection);
    return d->framer != NULL ? 0 : -1;
}

static int close_desk(void **state)
{
    desk *d = *state;

    gw_framer_free(d->framer);
    (void)unlink(d->place.path);
    free(d);
    return 0;
}

/* Prepares a message of |len| bytes from |src| to |dst|, stamped 1000 ns after the last. */
static gw_assembled *prepare(desk *d, unsigned transport, const gw_endpoint *src,
                             const gw_endpoint *dst, const void *data, size_t len)
{
    gw_assembled *a = &d->assembled;
    int64_t now = a->message.time_ns + 1000;

    memset(a, 0, offsetof(gw_assembled, cover));
    memcpy(a->bytes, data, len);
    a->format = &gw_etherbone;
    a->message.data = a->bytes;
    a->message.len = (uint32_t)len;
    a->message.cap_len = (uint32_t)len;
    a->message.time_ns = now;
    a->message.transport = (uint8_t)transport;
    a->message.src = *src;
    a->message.dst = *dst;
    return a;
}

static void add(desk *d, gw_assembled *a)
{
    char why[256] = "the file fails";

    if (gw_framer_add(d->framer, a, why, sizeof why) != GW_FRAMER_OK)
        fail_msg("%s", why);
}

static void add_tcp(desk *d, uint32_t stream, bool from_client, const void *data, size_t len)
{
    gw_assembled *a = prepare(d, GW_OVER_TCP, from_client ? &client : &server,
                              from_client ? &server : &client, data, len);
    a->has_stream = true;
    a->message.stream = stream;
    a->tcp_dir = from_client ? 0 : 1;
    add(d, a);
}

static void on_found(void *ctx, const gw_found *found)
{
    desk *d = ctx;

    assert_true(d->num_messages < MESSAGES_MAX);
    assert_true(found->message->cap_len <= sizeof d->messages[0].data);
    kept_message *k = &d->messages[d->num_messages++];
    k->message = *found->message;
    k->lost_before = found->lost_before;
    k->tcp_dir = found->tcp_dir;
    k->start_missing = found->start_missing;
    if (found->message->cap_len > 0)
        memcpy(k->data, found->message->data, found->message->cap_len);
}

static void on_note(void *ctx, uint64_t frame, const char *text)
{
    desk *d = ctx;

    (void)frame;
    d->num_notes++;
    snprintf(d->note, sizeof d->note, "%s", text);
}

/* Ends the writing and reads everything back. */
static void read_back(desk *d)
{
    char why[256];
    gw_frame frame;
    gw_capture_status status;

    assert_int_equal(gw_framer_end(d->framer), GW_FRAMER_OK);
    assert_true(gw_pcapng_close(d->writer));
    assert_int_equal(fclose(d->file), 0);
    gw_pipeline *pipeline = gw_pipeline_new(&d->selection, on_found, on_note, d);
    gw_capture *capture = gw_capture_open(d->place.path, why, sizeof why);
    assert_non_null(pipeline);
    if (capture == NULL)
        fail_msg("%s", why);
    while ((status = gw_capture_next(capture, &frame)) == GW_CAPTURE_FRAME)
        gw_pipeline_frame(pipeline, &frame);
    assert_int_equal(status, GW_CAPTURE_END);
    gw_pipeline_end(pipeline);
    gw_pipeline_free(pipeline);
    gw_capture_close(capture);
}

static void assert_message(const desk *d, size_t i, const void *data, size_t len)
{
    assert_true(i < d->num_messages);
    assert_int_equal(d->messages[i].message.cap_len, len);
    assert_memory_equal(d->messages[i].data, data, len);
}

/* ---- UDP ---- */

static void keeps_everything_of_a_datagram(void **state)
{
    const gw_endpoint a = {{0xfe, 0x80, [15] = 1}, 50000, GW_FAMILY_IPV6, 0};
    const gw_endpoint b = {{0xfe, 0x80, [15] = 2}, 60368, GW_FAMILY_IPV6, 0};
    desk *d = *state;
    gw_assembled *m = prepare(d, GW_OVER_UDP, &a, &b, "Nonsense", 8);

    m->message.time_ns = 1350000000000620546;
    m->message.dir = GW_DIR_OUT;
    m->message.num_vlans = 2;
    m->message.vlans[0] = 7;
    m->message.vlans[1] = 4095;
    m->message.len = 20;
    add(d, m);
    read_back(d);

    assert_int_equal(d->num_messages, 1);
    assert_message(d, 0, "Nonsense", 8);
    const gw_message *got = &d->messages[0].message;
    assert_int_equal(got->len, 20);
    assert_int_equal(got->time_ns, 1350000000000620546);
    assert_int_equal(got->dir, GW_DIR_OUT);
    assert_int_equal(got->num_vlans, 2);
    assert_int_equal(got->vlans[0], 7);
    assert_int_equal(got->vlans[1], 4095);
    assert_true(gw_endpoint_equal(&got->src, &a));
    assert_true(gw_endpoint_equal(&got->dst, &b));
}

static void sends_from_loopback_by_default(void **state)
{
    const gw_endpoint nobody = {{0}, 0, GW_FAMILY_NONE, 0};
    desk *d = *state;

    add(d, prepare(d, GW_OVER_UDP, &nobody, &nobody, "", 0));
    add(d, prepare(d, GW_OVER_TCP, &nobody, &nobody, header, sizeof header));
    read_back(d);
    assert_int_equal(d->num_messages, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(d->messages[i].message.src.ip[0], 127);
        assert_int_equal(d->messages[i].message.dst.port, 60368);
    }
}

static void refuses_what_fits_no_packet(void **state)
{
    const gw_endpoint v6 = {{0xfe, 0x80}, 60368, GW_FAMILY_IPV6, 0};
    desk *d = *state;
    char why[256];

    gw_assembled *a = prepare(d, GW_OVER_UDP, &client, &v6, "", 0);
    assert_int_equal(gw_framer_add(d->framer, a, why, sizeof why), GW_FRAMER_REFUSED);
    assert_non_null(strstr(why, "both be IPv4 or both IPv6"));
    for (unsigned transport = GW_OVER_UDP; transport <= GW_OVER_TCP; transport++) {
        a = prepare(d, transport, &client, &server, "", 0);
        a->message.len = a->message.cap_len = GW_ASSEMBLE_BYTES;
        assert_int_equal(gw_framer_add(d->framer, a, why, sizeof why), GW_FRAMER_REFUSED);
        assert_non_null(strstr(why, "65535 bytes are more"));
    }
    read_back(d);
    assert_int_equal(d->num_messages, 0);
}

/* ---- TCP ---- */

static void gives_streams_back(void **state)
{
    static const uint8_t probe[] = {0x4e, 0x6f, 0x11, 0xff, 1, 2, 3, 4};
    static const uint8_t answer[] = {0x4e, 0x6f, 0x16, 0x44, 1, 2, 3, 4};
    desk *d = *state;

    add_tcp(d, 3, true, probe, sizeof probe);
    add_tcp(d, 3, false, answer, sizeof answer);
    add_tcp(d, 3, true, record, sizeof record);
    add_tcp(d, 3, false, record, sizeof record);
    /* The same two ends again, as another stream, and cut off in the middle of a record. */
    add_tcp(d, 4, true, header, sizeof header);
    add_tcp(d, 4, true, record, 7);
    read_back(d);

    assert_int_equal(d->num_messages, 6);
    assert_message(d, 0, probe, sizeof probe);
    assert_message(d, 1, answer, sizeof answer);
    assert_message(d, 2, record, sizeof record);
    assert_message(d, 3, record, sizeof record);
    assert_message(d, 4, header, sizeof header);
    assert_message(d, 5, record, 7);
    assert_int_equal(d->messages[1].tcp_dir, 1);
    assert_int_equal(d->messages[3].message.part, GW_EB_RECORD);
    assert_int_equal(d->messages[5].message.part, GW_EB_RECORD);
    assert_int_not_equal(d->messages[3].message.stream, d->messages[4].message.stream);
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(d->messages[i].message.time_ns, (i + 1) * 1000);
    assert_int_equal(d->num_notes, 0);
}

static void gives_large_gaps_back(void **state)
{
    desk *d = *state;

    add_tcp(d, 0, true, header, sizeof header);
    gw_assembled *a = prepare(d, GW_OVER_TCP, &client, &server, record, sizeof record);
    a->has_stream = true;
    a->lost_before = UINT32_MAX;
    add(d, a);
    read_back(d);
    assert_int_equal(d->num_messages, 2);
    assert_message(d, 1, record, sizeof record);
    assert_int_equal(d->messages[1].lost_before, UINT32_MAX);
}

static void gives_gaps_back(void **state)
{
    desk *d = *state;
    gw_assembled *a;

    add_tcp(d, 0, true, header, sizeof header);
    a = prepare(d, GW_OVER_TCP, &client, &server, record, 6);
    a->has_stream = true;
    a->message.len = sizeof record;
    add(d, a);
    a = prepare(d, GW_OVER_TCP, &client, &server, record, sizeof record);
    a->has_stream = true;
    a->lost_before = 100;
    add(d, a);
    read_back(d);

    assert_int_equal(d->num_messages, 3);
    assert_message(d, 1, record, 6);
    assert_int_equal(d->messages[1].message.len, sizeof record);
    assert_message(d, 2, record, sizeof record);
    assert_int_equal(d->messages[2].message.part, GW_EB_LOST);
    assert_int_equal(d->messages[2].lost_before, 100);
    assert_non_null(strstr(d->note, "100 bytes"));
}

static void gives_a_cut_at_the_end_back(void **state)
{
    desk *d = *state;
    gw_assembled *a;

    add_tcp(d, 0, true, header, sizeof header);
    a = prepare(d, GW_OVER_TCP, &client, &server, record, 6);
    a->has_stream = true;
    a->message.len = sizeof record;
    add(d, a);
    read_back(d);
    assert_int_equal(d->num_messages, 2);
    assert_message(d, 1, record, 6);
    assert_int_equal(d->messages[1].message.len, sizeof record);
}

static void gives_headless_streams_back(void **state)
{
    desk *d = *state;
    gw_assembled *a = prepare(d, GW_OVER_TCP, &server, &client, record, sizeof record);

    a->start_missing = true;
    add(d, a);
    read_back(d);
    assert_int_equal(d->num_messages, 1);
    assert_message(d, 0, record, sizeof record);
    assert_true(d->messages[0].start_missing);
}

static void keeps_who_opened(void **state)
{
    desk *d = *state;

    /* A server that speaks first: the client still is the one that opened. */
    add_tcp(d, 0, false, header, sizeof header);
    add_tcp(d, 0, true, header, sizeof header);
    read_back(d);
    assert_int_equal(d->num_messages, 2);
    assert_int_equal(d->messages[0].tcp_dir, 1);
    assert_int_equal(d->messages[1].tcp_dir, 0);
}

static void makes_room_for_more_streams(void **state)
{
    desk *d = *state;
    gw_endpoint from = client;

    for (unsigned i = 0; i < 2 * GW_FRAMER_CONNECTIONS; i++) {
        from.port = (uint16_t)(20000 + i);
        gw_assembled *a = prepare(d, GW_OVER_TCP, &from, &server, header, sizeof header);
        a->has_stream = true;
        a->message.stream = i;
        add(d, a);
    }
    read_back(d);
    assert_int_equal(d->num_messages, 2 * GW_FRAMER_CONNECTIONS);
    assert_int_equal(d->num_notes, 0);
}

int main(void)
{
#define DESK(test) cmocka_unit_test_setup_teardown(test, open_desk, close_desk)
    const struct CMUnitTest tests[] = {
        DESK(keeps_everything_of_a_datagram),
        DESK(sends_from_loopback_by_default),
        DESK(refuses_what_fits_no_packet),
        DESK(gives_streams_back),
        DESK(gives_gaps_back),
        DESK(gives_large_gaps_back),
        DESK(gives_a_cut_at_the_end_back),
        DESK(gives_headless_streams_back),
        DESK(keeps_who_opened),
        DESK(makes_room_for_more_streams),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
