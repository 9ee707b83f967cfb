/* SPDX-License-Identifier: BSD-2-Clause */
/* Whose traffic is: a port makes nobody guilty, a conversation that is known does, and a capture
 * that says what it holds is believed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "goldwire/etherbone.h"
#include "goldwire/l1farm.h"
#include "goldwire/net.h"
#include "goldwire/op2p.h"
#include "goldwire/textarossa.h"
#include "inspect/pipeline.h"

static const gw_endpoint client = {{10, 0, 0, 1}, 50000, GW_FAMILY_IPV4, 0};
static const gw_endpoint server = {{10, 0, 0, 2}, 60368, GW_FAMILY_IPV4, 0};
static const gw_endpoint other = {{10, 0, 0, 3}, 40001, GW_FAMILY_IPV4, 0};
static const gw_endpoint nobody = {{10, 0, 0, 4}, 40002, GW_FAMILY_IPV4, 0};

/* What others send: voice, a name asked for, a call set up, a web server's answer. */
static const uint8_t rtp[] = {0x80, 0x00, 0x12, 0x34, 0,    0,    0x10, 0,    0xde,
                              0xad, 0xbe, 0xef, 0xd5, 0xd5, 0x55, 0x54, 0xd5, 0xd4};
static const uint8_t dns[] = {0x1a, 0x2b, 0x01, 0x00, 0,   1,   0,   0,   0, 0, 0, 0, 3,
                              'l',  'a',  'b',  4,    't', 'e', 's', 't', 0, 0, 1, 0, 1};
static const char sip[] = "INVITE sip:bench@lab.test SIP/2.0\r\nVia: SIP/2.0/UDP 10.0.0.1\r\n\r\n";
static const char http[] = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

/* A read, and an answer to it that breaks off. */
static const uint8_t eb_read[] = {0x4e, 0x6f, 0x10, 0x44, 0x28, 0x0f, 0x00, 0x01,
                                  0x00, 0x00, 0x80, 0x00, 0x00, 0x00, 0x10, 0x00};
static const uint8_t broken[] = {0x4e, 0x6e, 0x14, 0x44, 0x00, 0x0f};
/* A read as LiteX asks it: its cycle flag is one that the specification reserves. */
static const uint8_t litex[] = {0x4e, 0x6f, 0x10, 0x44, 0, 0, 0, 0, 0x10, 0x0f,
                                0x00, 0x01, 0,    0,    0, 0, 0, 0, 0,    0x04};
/* OP2P's tunnel: a read of 8 bytes, and XOFF; the farm's: a buffer is free. */
static const uint8_t o2[] = {'O', '2',  1,    0,    0, 0, 0, 0, 0, 0x41, 0,    0x42,
                             0,   0xc0, 0xff, 0xe0, 0, 0, 1, 0, 0, 8,    0x10, 0xf0};
static const uint8_t xoff[] = {'O', '2', 1, 1, 0, 0x0f, 0, 1};
static const uint8_t l1[] = {'L', '1', 1, 6, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};

typedef struct scene {
    gw_selection selection;
    gw_pipeline *pipeline;
    gw_announcement announced;
    uint32_t link_type;
    uint64_t frames;
    size_t num;
    const gw_format *formats[16];
    const char *dialects[16];
    size_t num_notes;
    char note[512];
} scene;

static void on_found(void *ctx, const gw_found *found)
{
    scene *s = ctx;

    assert_true(s->num < 16);
    s->formats[s->num] = found->format;
    s->dialects[s->num++] = found->dialect->name;
}

static void on_note(void *ctx, uint64_t frame, const char *text)
{
    scene *s = ctx;

    (void)frame;
    s->num_notes++;
    snprintf(s->note, sizeof s->note, "%s", text);
}

static int open_scene(void **state)
{
    scene *s = calloc(1, sizeof *s);

    if (s == NULL)
        return -1;
    gw_selection_init(&s->selection);
    s->link_type = GW_LINK_ETHERNET;
    s->pipeline = gw_pipeline_new(&s->selection, on_found, on_note, s);
    *state = s;
    return s->pipeline != NULL ? 0 : -1;
}

static int close_scene(void **state)
{
    scene *s = *state;

    gw_pipeline_free(s->pipeline);
    free(s);
    return 0;
}

static void feed(scene *s, const uint8_t *data, size_t len)
{
    gw_frame frame = {.data = data,
                      .cap_len = (uint32_t)len,
                      .len = (uint32_t)len,
                      .link_type = s->link_type,
                      .number = ++s->frames,
                      .time_ns = (int64_t)s->frames * 1000,
                      .announced = s->announced.format != NULL ? &s->announced : NULL};

    gw_pipeline_frame(s->pipeline, &frame);
}

static void udp(scene *s, const gw_endpoint *src, const gw_endpoint *dst, const void *data,
                size_t len)
{
    uint8_t frame[256];
    size_t n = gw_frame_udp(frame, sizeof frame, src, dst, data, len);

    assert_true(n > 0);
    feed(s, frame, n);
}

static void tcp(scene *s, const gw_endpoint *src, const gw_endpoint *dst, const void *data,
                size_t len)
{
    uint8_t frame[256];
    size_t n = gw_frame_tcp(frame, sizeof frame, src, dst, 100, 0, GW_TCP_SYN, NULL, 0);

    feed(s, frame, n);
    n = gw_frame_tcp(frame, sizeof frame, src, dst, 101, 0, GW_TCP_ACK, data, len);
    assert_true(n > 0);
    feed(s, frame, n);
}

static void strangers_on_our_ports_are_left_alone(void **state)
{
    scene *s = *state;
    gw_endpoint from = other, to = nobody;

    for (size_t i = 0; i < 4; i++) {
        static const uint16_t ports[] = {60368, 1234, 8183, 64098};
        from.port = ports[i];
        udp(s, &from, &nobody, rtp, sizeof rtp);
        udp(s, &nobody, &from, dns, sizeof dns);
        udp(s, &from, &nobody, sip, sizeof sip - 1);
        udp(s, &from, &nobody, "", 0);
        to.port = ports[i];
        tcp(s, &other, &to, http, sizeof http - 1);
    }
    gw_pipeline_end(s->pipeline);
    assert_int_equal(s->num, 0);
    assert_true(gw_pipeline_count(s->pipeline)->strangers >= 15);
    assert_true(s->num_notes > 0);
}

static void what_is_broken_in_a_known_conversation_is_shown(void **state)
{
    scene *s = *state;

    udp(s, &server, &client, broken, sizeof broken);
    assert_int_equal(s->num, 0);
    assert_non_null(strstr(s->note, "--proto etherbone takes it"));
    udp(s, &client, &server, eb_read, sizeof eb_read);
    udp(s, &server, &client, broken, sizeof broken);
    assert_int_equal(s->num, 2);
    udp(s, &server, &other, broken, sizeof broken);
    assert_int_equal(s->num, 2);
}

/* A packet of TEXTAROSSA to |dst|, with |footer|; its length. */
static size_t tx_packet(uint8_t out[128], const gw_endpoint *dst, gw_tx_footer footer)
{
    static const uint8_t payload[16] = {1, 2, 3};
    gw_tx_draft draft = {.header = {.virt_chan = GW_TX_LAST_VC0,
                                    .proc_id = 5,
                                    .packet_size = sizeof payload,
                                    .dest_addr = dst != NULL
                                                     ? (uint64_t)dst->port << 32 |
                                                           (uint64_t)dst->ip[0] << 24 |
                                                           (uint64_t)dst->ip[1] << 16 |
                                                           (uint64_t)dst->ip[2] << 8 | dst->ip[3]
                                                     : 0xfafbfcfd},
                         .payload = payload,
                         .payload_len = sizeof payload};

    if (footer != GW_TX_FOOTER_UNKNOWN)
        draft.footer = gw_tx_footer_word(footer, GW_TX_PORT);
    return gw_tx_build(out, 128, &draft, NULL);
}

static void a_textarossa_port_makes_nobody_guilty(void **state)
{
    scene *s = *state;
    uint8_t packet[128];
    gw_endpoint board = other, host = nobody, third = client;

    board.port = host.port = third.port = GW_TX_UDP_PORT;
    size_t len = tx_packet(packet, NULL, GW_TX_FOOTER_UNKNOWN);
    udp(s, &host, &board, packet, len); /* could be anything */
    assert_int_equal(s->num, 0);
    assert_non_null(strstr(s->note, "--proto textarossa takes it"));
    len = tx_packet(packet, &board, GW_TX_FOOTER_UNKNOWN); /* names where it goes, and breaks off */
    udp(s, &host, &board, packet, len - 16);
    udp(s, &board, &host, packet, len - 5); /* from now on all that the two say is judged */
    assert_int_equal(s->num, 2);
    assert_ptr_equal(s->formats[1], &gw_textarossa);
    len =
        tx_packet(packet, NULL, GW_TX_FOOTER_HAPECOM); /* ends in a word that others do not send */
    udp(s, &third, &host, packet, len);
    assert_int_equal(s->num, 3);
    board.port = host.port = 5000; /* elsewhere only the address is enough */
    udp(s, &host, &board, packet, len);
    assert_int_equal(s->num, 3);
    len = tx_packet(packet, &board, GW_TX_FOOTER_UNKNOWN);
    udp(s, &host, &board, packet, len - 16); /* in a packet that is whole */
    assert_int_equal(s->num, 3);
    udp(s, &host, &board, packet, len);
    udp(s, &board, &host, packet, len - 5);
    assert_int_equal(s->num, 5);
    assert_ptr_equal(s->formats[4], &gw_textarossa);
}

static void the_user_is_believed(void **state)
{
    scene *s = *state;

    s->selection.proto = &gw_etherbone;
    udp(s, &server, &client, broken, sizeof broken);
    assert_int_equal(s->num, 1);
}

static void content_finds_formats_on_any_port(void **state)
{
    scene *s = *state;
    gw_endpoint third = {{10, 0, 0, 5}, 40003, GW_FAMILY_IPV4, 0};

    udp(s, &other, &nobody, litex, sizeof litex);
    udp(s, &nobody, &other, broken, sizeof broken);
    udp(s, &third, &nobody, o2, sizeof o2);
    udp(s, &nobody, &third, xoff, sizeof xoff);
    udp(s, &nobody, &third, o2, sizeof o2 - 5);
    udp(s, &third, &other, l1, sizeof l1);
    assert_int_equal(s->num, 6);
    assert_ptr_equal(s->formats[0], &gw_etherbone);
    assert_ptr_equal(s->formats[1], &gw_etherbone);
    assert_ptr_equal(s->formats[2], &gw_op2p);
    assert_ptr_equal(s->formats[4], &gw_op2p);
    assert_ptr_equal(s->formats[5], &gw_l1farm);
}

/* Every byte of a tunnel's header that does not fit makes it nobody's. */
static void magic_alone_claims_nothing(void **state)
{
    static const struct {
        const uint8_t *bytes;
        uint8_t len;
        uint8_t at;
        uint8_t value;
    } wrong[] = {
        {o2, sizeof o2, 2, 2},        {o2, sizeof o2, 3, 4},     {o2, sizeof o2, 4, 0x40},
        {o2, sizeof o2, 22, 0x00},    {o2, sizeof o2, 22, 0x30}, {o2, sizeof o2, 23, 0xf1},
        {xoff, sizeof xoff, 3, 0},    {xoff, sizeof xoff, 3, 7}, {l1, sizeof l1, 2, 2},
        {l1, sizeof l1, 3, 13},       {l1, sizeof l1, 3, 3},     {litex, sizeof litex, 5, 1},
        {litex, sizeof litex, 11, 2},
    };
    scene *s = *state;
    uint8_t copy[64];

    for (size_t i = 0; i < GW_ARRAY_LEN(wrong); i++) {
        memcpy(copy, wrong[i].bytes, wrong[i].len);
        copy[wrong[i].at] = wrong[i].value;
        udp(s, &other, &nobody, copy, wrong[i].len);
        if (s->num != 0)
            fail_msg("%zu is taken for %s", i, s->formats[0]->name);
    }
}

/* A capture of InfiniBand on the link type that OP2P's captures use: nobody's number. */
static void private_link_types_are_anybodys(void **state)
{
    static const uint8_t native[] = {
        0xf0, 0x02, 0,   2,   0,    11,   0,    1,    0x64, 0, 0xff, 0xff, 0,   0,   4,   0x12,
        0,    0,    0,   5,   0x11, 0x11, 0x11, 0x11, 0,    0, 3,    0x13, 'a', 'a', 'a', 'a',
        'a',  'a',  'a', 'a', 'a',  'a',  'a',  'a',  1,    2, 3,    4,    5,   6};
    scene *s = *state;

    s->link_type = GW_LINK_USER0;
    for (unsigned i = 0; i < 3; i++)
        feed(s, native, sizeof native);
    assert_int_equal(s->num, 0);
    assert_non_null(strstr(s->note, "link type 147 is private"));
    assert_non_null(strstr(s->note, "--proto ims"));
    feed(s, o2 + 8, sizeof o2 - 8);
    feed(s, rtp, sizeof rtp); /* of an interface that is known, whatever comes is shown */
    assert_int_equal(s->num, 2);
    assert_ptr_equal(s->formats[1], &gw_op2p);
}

static void a_capture_says_what_it_holds(void **state)
{
    scene *s = *state;

    s->announced = (gw_announcement){.format = &gw_op2p,
                                     .dialect = gw_dialect_by_name(&gw_op2p, "vhdl"),
                                     .ports = {40001},
                                     .num_ports = 1};
    udp(s, &other, &server, rtp, sizeof rtp);
    udp(s, &server, &other, dns, sizeof dns);
    assert_int_equal(s->num, 2);
    assert_ptr_equal(s->formats[0], &gw_op2p);
    assert_string_equal(s->dialects[1], "vhdl");
    udp(s, &nobody, &client, rtp, sizeof rtp); /* another port than is said */
    assert_int_equal(s->num, 2);
    s->announced = (gw_announcement){.format = &gw_etherbone,
                                     .dialect = gw_dialect_by_name(&gw_etherbone, "gsi")};
    tcp(s, &client, &other, eb_read, sizeof eb_read);
    gw_pipeline_end(s->pipeline);
    assert_true(s->num > 2);
    assert_string_equal(s->dialects[2], "gsi");
}

static void what_the_user_says_goes_before(void **state)
{
    scene *s = *state;
    char why[256];

    s->announced =
        (gw_announcement){.format = &gw_op2p, .dialect = gw_dialect_by_name(&gw_op2p, "vhdl")};
    assert_true(gw_selection_dialect(&s->selection, "strict", why, sizeof why));
    udp(s, &other, &nobody, o2, sizeof o2);
    assert_string_equal(s->dialects[0], "strict");
}

int main(void)
{
#define SCENE(test) cmocka_unit_test_setup_teardown(test, open_scene, close_scene)
    const struct CMUnitTest tests[] = {
        SCENE(strangers_on_our_ports_are_left_alone),
        SCENE(what_is_broken_in_a_known_conversation_is_shown),
        SCENE(a_textarossa_port_makes_nobody_guilty),
        SCENE(the_user_is_believed),
        SCENE(content_finds_formats_on_any_port),
        SCENE(magic_alone_claims_nothing),
        SCENE(private_link_types_are_anybodys),
        SCENE(a_capture_says_what_it_holds),
        SCENE(what_the_user_says_goes_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
