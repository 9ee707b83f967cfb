/* SPDX-License-Identifier: BSD-2-Clause */
/* Golden traces of EtherBone over TCP. */
#include <stdio.h>
#include <string.h>

#include "golden.h"

void golden_tcp_segment(golden_tcp *t, unsigned dir, uint8_t flags, const uint8_t *data, size_t len,
                        int64_t time, const char *comment)
{
    uint8_t frame[2048];
    uint32_t ack = (flags & GW_TCP_ACK) != 0 ? t->seq[!dir] : 0;
    size_t frame_len = gw_frame_tcp(frame, sizeof frame, &t->ends[dir], &t->ends[!dir], t->seq[dir],
                                    ack, flags, data, len);
    if (frame_len == 0)
        golden_die("a segment is too long for a frame");
    golden_frame(t->g, frame, frame_len, frame_len, time, dir == 0 ? GW_DIR_IN : GW_DIR_OUT,
                 comment);
    t->seq[dir] += (uint32_t)len + (flags & (GW_TCP_SYN | GW_TCP_FIN) ? 1 : 0);
}

void golden_tcp_connect(golden_tcp *t, golden *g, const gw_endpoint *client,
                        const gw_endpoint *slave)
{
    char why[256] = "";

    *t = (golden_tcp){.g = g, .ends = {*client, *slave}, .seq = {1000, 5000}};
    if (g->mem != NULL) {
        t->board = gw_mem_connect(g->mem, 0, true, why, sizeof why);
        if (t->board == NULL)
            golden_die(why);
    }
    golden_wait(g, GOLDEN_MS);
    golden_tcp_segment(t, 0, GOLDEN_SYN, NULL, 0, golden_time(g), "The client connects");
    golden_tcp_segment(t, 1, GOLDEN_SYN | GOLDEN_ACK, NULL, 0, golden_time(g) + 1000,
                       "The slave accepts");
    golden_tcp_segment(t, 0, GOLDEN_ACK, NULL, 0, golden_time(g) + 2000, "Connected");
}

static gw_recv_status receive(golden_tcp *t, uint8_t *bytes, size_t cap, size_t *len, int64_t *time)
{
    int64_t deadline = t->board->ops->now(t->board) + GOLDEN_MS;
    gw_recv_status status = t->board->ops->recv(t->board, bytes, cap, len, deadline, NULL, NULL);
    *time = status == GW_RECV_DATA ? golden_heard(t->g, t->board) : golden_time(t->g);
    return status;
}

void golden_tcp_ask(golden_tcp *t, const uint8_t *data, size_t len, const char *comment,
                    const char *reply)
{
    uint8_t bytes[1460];
    size_t got;
    int64_t time;

    if (t->board == NULL)
        golden_die("nobody is there to be asked");
    golden_wait(t->g, GOLDEN_MS);
    golden_tcp_segment(t, 0, GOLDEN_PSH, data, len, golden_time(t->g), comment);
    if (!t->board->ops->send(t->board, data, len))
        golden_die("a segment could not be sent");
    if (reply == NULL)
        return;
    if (receive(t, bytes, sizeof bytes, &got, &time) != GW_RECV_DATA)
        golden_die("the slave did not answer over TCP");
    golden_tcp_segment(t, 1, GOLDEN_PSH, bytes, got, time, reply);
}

static void ask_hex(golden_tcp *t, const char *hex, const char *comment, const char *reply)
{
    uint8_t bytes[1460];
    golden_tcp_ask(t, bytes, golden_hex(bytes, sizeof bytes, hex), comment, reply);
}

void golden_tcp_close(golden_tcp *t)
{
    golden_wait(t->g, GOLDEN_MS);
    golden_tcp_segment(t, 0, GOLDEN_FIN, NULL, 0, golden_time(t->g), "The client closes");
    golden_tcp_segment(t, 1, GOLDEN_FIN, NULL, 0, golden_time(t->g) + 1000,
                       "and so does the slave");
    golden_tcp_segment(t, 0, GOLDEN_ACK, NULL, 0, golden_time(t->g) + 2000, "Closed");
    gw_transport_close(t->board);
}

/* ---- a stream as it should be ---- */

/* The largest record, in two segments: 255 writes and 255 reads. */
static void largest_record(golden_tcp *t)
{
    uint64_t words[255], addrs[255];
    uint8_t bytes[GW_EB_RECORD_MAX];
    gw_eb_builder b;

    for (unsigned i = 0; i < 255; i++) {
        words[i] = 0x5eed0000 + i;
        addrs[i] = UINT64_C(4) * i;
    }
    gw_eb_operation op = {.writes = words,
                          .num_writes = 255,
                          .reads = addrs,
                          .num_reads = 255,
                          .return_base = 0x8000,
                          .flags = GW_EB_CYC | GW_EB_BCA | GW_EB_RFF,
                          .byte_enable = 0x0f};
    if (!gw_eb_build_records(&b, bytes, sizeof bytes, 0x44, NULL) || !gw_eb_build_record(&b, &op))
        golden_die("a record does not fit");
    size_t len = gw_eb_build_end(&b, false);
    golden_tcp_ask(t, bytes, 1460, "The largest record of a 32/32 stream, 2056 bytes ...", NULL);
    golden_tcp_ask(t, bytes + 1460, len - 1460, "... in two segments",
                   "EB-S46: 255 words, written before they were read");
}

static void first_connection(golden *g)
{
    static const char record[] = "a80f0101 00000100 cafe0001 00008000 00000100";
    uint8_t bytes[64];
    size_t len = golden_hex(bytes, sizeof bytes, record);
    golden_tcp t;

    golden_tcp_connect(&t, g, &golden_client, &golden_slave);
    ask_hex(&t, "4e6f1144 00000086", "EB-M21: the probe is the one header of this stream",
            "EB-S03: the response is the other direction's; 32/32 from here on");
    ask_hex(&t, record, "EB-S46: a bare record", "EB-S46: a bare record back");
    golden_tcp_ask(&t, bytes, 7, "EB-S46: seven bytes of a record ...", NULL);
    golden_tcp_ask(&t, bytes + 7, len - 7, "... and the rest",
                   "EB-S46: answered when it is complete");
    for (size_t i = 0; i < len; i++)
        golden_tcp_ask(&t, bytes + i, 1, "EB-S46: one byte a segment",
                       i + 1 == len ? "EB-S46: answered after the last one" : NULL);
    ask_hex(&t,
            "000f0100 00000100 00000007 a00f0001 00008002 00000100 00000000 a80f0001 00008004 "
            "00020000",
            "EB-S46: four records in one segment: a write, a read, none, another read",
            "EB-S46: two records back");
    largest_record(&t);
    golden_tcp_close(&t);
}

/* Over IPv6, and widths of 8 bytes after the probe. */
static void second_connection(golden *g)
{
    golden_tcp t;

    golden_tcp_connect(&t, g, &golden_client6, &golden_slave6);
    ask_hex(&t, "4e6f11ff 00000087", "Over IPv6: a probe of all widths",
            "EB-S06: the slave can do them all, so 64/64 from here on");
    ask_hex(&t, "a8ff0001 00000000 0000000000008000 0000000000020000",
            "EB-M06: a 64/64 record has a header of 8 bytes", "EB-S12: and so has its answer");
    golden_tcp_close(&t);
}

/* A header instead of a probe names the widths by itself. */
static void third_connection(golden *g)
{
    gw_endpoint client = golden_client;
    golden_tcp t;

    client.port++;
    golden_tcp_connect(&t, g, &client, &golden_slave);
    ask_hex(&t, "4e6f1012 28010001 8000 0040",
            "EB-M21: no probe; a header with one pair of widths, 8/16, and a record behind it",
            "EB-S46: the header of the other direction, and the answer");
    ask_hex(&t, "28030001 8002 0040", "Another record", "and its answer");
    golden_tcp_close(&t);
}

static void tcp(const char *folder)
{
    golden g;

    golden_open(&g, folder, "tcp");
    golden_board(&g, NULL);
    first_connection(&g);
    second_connection(&g);
    third_connection(&g);
    golden_close(&g);
}

/* ---- streams that end before their time ---- */

static void tcp_ends(const char *folder)
{
    static gw_eb_map map; /* outlives the board */
    uint8_t bytes[64];
    size_t got;
    int64_t time;
    gw_endpoint client = golden_client;
    golden_tcp t;
    golden g;

    golden_open(&g, folder, "tcp-ends");
    map = gw_eb_default_map;
    map.widths = GW_EB_32BIT << 4 | GW_EB_32BIT;
    golden_board_of(&g, &(gw_peer_config){.setup = &map});

    golden_tcp_connect(&t, &g, &client, &golden_slave);
    ask_hex(&t, "4e6f1188 00000086", "A 64/64 master probes a 32/32 slave",
            "EB-S06: there is no common width");
    if (receive(&t, bytes, sizeof bytes, &got, &time) != GW_RECV_CLOSED)
        golden_die("the slave did not close");
    golden_tcp_segment(&t, 1, GOLDEN_FIN, NULL, 0, time, "EB-S47: so the slave closes");
    golden_tcp_segment(&t, 0, GOLDEN_FIN, NULL, 0, time + 1000, "and the client too");
    gw_transport_close(t.board);

    client.port++;
    golden_tcp_connect(&t, &g, &client, &golden_slave);
    ask_hex(&t, "4e6f1144 00000087", "The next connection: 32/32", "Agreed");
    ask_hex(&t, "280f0002 00008000 00000100", "A record breaks off after 12 of 16 bytes", NULL);
    golden_tcp_close(&t);

    client.port++;
    golden_tcp_connect(&t, &g, &client, &golden_slave);
    ask_hex(&t, "4e6f1144 00000088", "And one more", "Agreed");
    ask_hex(&t, "280f00", "A record header breaks off", NULL);
    golden_wait(&g, GOLDEN_MS);
    golden_tcp_segment(&t, 0, GOLDEN_RST, NULL, 0, golden_time(&g), "The client resets");
    gw_transport_close(t.board);
    golden_close(&g);
}

/* ---- headers where none should be ---- */

static void say_hex(golden_tcp *t, unsigned dir, const char *hex, const char *comment)
{
    uint8_t bytes[256];
    size_t len = golden_hex(bytes, sizeof bytes, hex);

    golden_wait(t->g, GOLDEN_MS);
    golden_tcp_segment(t, dir, GOLDEN_PSH, bytes, len, golden_time(t->g), comment);
}

/* In an 8/8 stream the header 4e6f1011 reads as a record of 16 writes and 17 reads, 74 bytes long,
 * and 4e6f1411 as one of 20 and 17, 82 bytes: so much follows that the stream is in step again. */
static void tcp_headers(const char *folder)
{
    static const char packet[] =
        "4e6f1011 0a012000 0040" /* 32 words into a FIFO */
        "0001 0002 0003 0004 0005 0006 0007 0008 0009 000a 000b 000c 000d 000e 000f 0010"
        "0011 0012 0013 0014 0015 0016 0017 0018 0019 001a 001b 001c 001d 001e 001f 0020";
    static const char request[] =
        "28010024 8000" /* 36 reads */
        "0040 0041 0042 0043 0044 0045 0046 0047 0048 0049 004a 004b 004c 004d 004e 004f 0050 0051"
        "0052 0053 0054 0055 0056 0057 0058 0059 005a 005b 005c 005d 005e 005f 0060 0061 0062 0063";
    static const char reply[] =
        "4e6f1411 0a012400 8000"
        "0001 0002 0003 0004 0005 0006 0007 0008 0009 000a 000b 000c 000d 000e 000f 0010 0011 0012"
        "0013 0014 0015 0016 0017 0018 0019 001a 001b 001c 001d 001e 001f 0020 0021 0022 0023 0024";
    gw_endpoint client = golden_client;
    golden_tcp t;
    golden g;

    golden_open(&g, folder, "tcp-second-header");
    golden_tcp_connect(&t, &g, &client, &golden_slave);
    say_hex(&t, 0, "4e6f1111 00000086", "The probe, which is the header: 8/8");
    say_hex(&t, 1, "4e6f1611 00000086", "and its response");
    say_hex(&t, 0, packet, "A packet with a header, as for a datagram; breaks EB-M21");
    say_hex(&t, 0, "28010001 8000 0040", "Then a record as it should be");
    say_hex(&t, 1, "0a010100 8000 0001", "and its answer");
    golden_tcp_close(&t);

    client.port++;
    golden_tcp_connect(&t, &g, &client, &golden_slave);
    say_hex(&t, 0, "4e6f1111 00000087", "Another connection: the probe");
    say_hex(&t, 1, "4e6f1611 00000087", "its response");
    say_hex(&t, 0, request, "36 reads");
    say_hex(&t, 1, reply, "A slave that sends its header again; breaks EB-S46");
    golden_tcp_close(&t);
    golden_close(&g);
}

/* ---- what a network, or a capture, makes of a stream ---- */

static void tcp_disturbed(const char *folder)
{
    static const struct {
        uint8_t number; /* of the record in the stream */
        const char *says;
    } order[] = {
        {0, "The first record"},
        {2, "The third record, early: it waits"},
        {1, "The second record: both are in order now"},
        {1, "The second record again: dropped as a retransmission"},
        {4, "The fifth record; the fourth was never captured"},
        {5, "The sixth record"},
    };
    uint8_t record[12];
    golden_tcp t;
    golden g;

    golden_open(&g, folder, "tcp-disturbed");
    golden_tcp_connect(&t, &g, &golden_client, &golden_slave);
    say_hex(&t, 0, "4e6f1144 00000001", "The probe");
    say_hex(&t, 1, "4e6f1644 00000001", "The response");
    (void)golden_hex(record, sizeof record, "080f0100 00000100 00000001");
    for (size_t i = 0; i < GW_ARRAY_LEN(order); i++) {
        golden_wait(&g, GOLDEN_MS);
        t.seq[0] = 1009 + 12u * order[i].number;
        record[11] = order[i].number;
        golden_tcp_segment(&t, 0, GOLDEN_PSH, record, sizeof record, golden_time(&g),
                           order[i].says);
    }
    golden_wait(&g, GOLDEN_MS);
    golden_tcp_segment(
        &t, 1, GOLDEN_ACK, NULL, 0, golden_time(&g),
        "The slave has all six: what is missing here is lost to the capture, not to it");
    golden_close(&g);
}

/* ---- LiteX ---- */

/* litex_server: a banner, then packets with a header each. */
static void litex_server(const char *folder)
{
    uint8_t banner[] = "CommUDP:192.0.2.9:1234";
    gw_endpoint server = golden_slave;
    golden_tcp t;
    golden g;

    server.port = 1234;
    golden_open(&g, folder, "litex-server");
    golden_tcp_connect(&t, &g, &golden_client, &server);
    golden_wait(&g, GOLDEN_MS);
    golden_tcp_segment(&t, 1, GOLDEN_PSH, banner, sizeof banner - 1, golden_time(&g),
                       "litex_server says what it is connected to, without an end");
    say_hex(&t, 0, "4e6f1044 00000000 000f0100 00000100 cafe0001", "A write, in a whole packet");
    say_hex(&t, 0, "4e6f1044 00000000 000f0001 00000000 00000100", "A read, in another");
    say_hex(&t, 1, "4e6f1044 00000000 000f0100 00000000 cafe0001", "The reply: a packet too");
    say_hex(&t, 0, "4e6f1044 00000000 000f0002 00000000", "A packet in two segments ...");
    say_hex(&t, 0, "00000100 00000104", "... is one packet");
    say_hex(&t, 1, "4e6f1044 00000000 000f0200 00000000 cafe0001 00000000", "and its reply");
    golden_tcp_close(&t);
    golden_close(&g);
}

void golden_tcp_traces(const char *folder)
{
    tcp(folder);
    tcp_ends(folder);
    tcp_headers(folder);
    tcp_disturbed(folder);
    litex_server(folder);
}
