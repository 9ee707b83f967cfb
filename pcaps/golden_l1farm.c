/* SPDX-License-Identifier: BSD-2-Clause */
/* The Level-1 farm: SCI packets, traces, tags, bursts, and the tunnel's datagrams. Packets are
 * built, and broken by hand. */
#include "golden.h"

#include <stdio.h>
#include <string.h>

#include "goldwire/l1farm.h"

/* A port of the dynamic range: the farm owns none. */
static const gw_endpoint feeder = {.ip = {192, 0, 2, 1}, .port = 50000, .family = GW_FAMILY_IPV4};
static const gw_endpoint farm = {.ip = {192, 0, 2, 2}, .port = 50000, .family = GW_FAMILY_IPV4};

enum {
    SCI = GW_LINK_USER0 + 2,
    TRACE = GW_LINK_USER0 + 3,
    TAGNET = GW_LINK_USER0 + 4,
    MEMORY = GW_LINK_USER0 + 5,
};

typedef struct trace {
    golden g;
    const gw_l1_profile *profile;
    int64_t gap; /* between frames */
} trace;

static void open_trace(trace *t, const char *folder, const char *name, uint32_t link_type,
                       const char *dialect)
{
    const gw_dialect *d = gw_dialect_by_name(&gw_l1farm, dialect);
    char path[1024];

    memset(t, 0, sizeof *t);
    t->gap = 810;
    t->g.now = GW_VIRTUAL_EPOCH_NS;
    t->g.link_type = link_type;
    t->g.client = feeder;
    t->g.slave = farm;
    snprintf(path, sizeof path, "%s/%s.pcapng", folder, name);
    t->g.file = fopen(path, "wb");
    t->g.w = t->g.file == NULL ? NULL : gw_pcapng_create(t->g.file, "goldwire golden_traces");
    if (d == NULL || t->g.w == NULL ||
        gw_pcapng_interface(t->g.w, link_type, "farm0",
                            "goldwire: l1farm - packets built by hand") != 0)
        golden_die(path);
    t->profile = gw_l1_profile_of(d);
}

/* ---- writing ---- */

static void put_cut(trace *t, const uint8_t *data, size_t cap, size_t len, const char *comment)
{
    golden_wait(&t->g, t->gap);
    golden_frame(&t->g, data, cap, len, golden_time(&t->g), GW_DIR_UNKNOWN, comment);
}

static void put(trace *t, const uint8_t *data, size_t len, const char *comment)
{
    put_cut(t, data, len, len, comment);
}

static void put_hex(trace *t, const char *hex, const char *comment)
{
    uint8_t bytes[512];

    put(t, bytes, golden_hex(bytes, sizeof bytes, hex), comment);
}

static void put_udp(trace *t, gw_l1_shim shim, const uint8_t *data, const char *comment)
{
    uint8_t datagram[1400];

    shim.version = 1;
    gw_l1_put_shim(datagram, &shim);
    if (shim.length > 0)
        memcpy(datagram + GW_L1_SHIM, data, shim.length);
    golden_wait(&t->g, t->gap);
    golden_udp(&t->g, &feeder, &farm, datagram, GW_L1_SHIM + shim.length, golden_time(&t->g),
               comment);
}

static void put_udp_hex(trace *t, gw_l1_shim shim, const char *hex, const char *comment)
{
    uint8_t bytes[512];

    shim.length = (uint16_t)golden_hex(bytes, sizeof bytes, hex);
    put_udp(t, shim, bytes, comment);
}

/* ---- SCI ---- */

static size_t build_packet(uint8_t *out, const trace *t, const gw_l1_sci *sci)
{
    memset(out, 0, GW_L1_SCI_RECORD);
    out[0] = 1;
    size_t len = gw_l1_build_send(out + GW_L1_SCI_RECORD, GW_L1_SCI_MAX, sci, t->profile);
    if (len == 0)
        golden_die("an SCI packet");
    return GW_L1_SCI_RECORD + len;
}

static void put_sci(trace *t, gw_l1_sci sci, uint32_t len, const char *comment)
{
    uint8_t data[256], bytes[GW_L1_SCI_RECORD + GW_L1_SCI_MAX];

    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)(7 * i);
    sci.data = data;
    sci.data_len = len;
    put(t, bytes, build_packet(bytes, t, &sci), comment);
}

static void put_echo(trace *t, gw_l1_sci sci, bool response, bool busy, const char *comment)
{
    uint8_t bytes[GW_L1_SCI_RECORD + GW_L1_SCI_ECHO] = {1, GW_L1_SCI_IS_ECHO};

    gw_l1_build_echo(bytes + GW_L1_SCI_RECORD, &sci, sci.target, response, busy, t->profile);
    put(t, bytes, sizeof bytes, comment);
}

/* From node 4 to node 0x10, and its answer. */
static gw_l1_sci request(uint8_t command, uint8_t tid)
{
    gw_l1_sci sci = {
        .target = 0x10, .command = command, .source = 4, .control = tid, .addr = 0x10000340};
    return sci;
}

static gw_l1_sci answer(const gw_l1_sci *to)
{
    gw_l1_sci sci = {
        .target = to->source, .command = 0x20, .source = to->target, .control = to->control & 0x3f};
    return sci;
}

static void put_transaction(trace *t, uint8_t command, uint8_t tid, uint32_t out, uint32_t back)
{
    gw_l1_sci sci = request(command, tid), reply = answer(&sci);

    put_sci(t, sci, out, "a request");
    put_echo(t, sci, false, false, "its echo: done");
    put_sci(t, reply, back, "the response");
    put_echo(t, reply, true, false, "the response's echo");
}

static void sci_packets(trace *t)
{
    gw_l1_sci sci;

    put_transaction(t, 0x1f, 31, 16, 0);
    put_transaction(t, 0x0f, 1, 0, 16);
    sci = request(0x1f, 2);
    put_sci(t, sci, 16, "a write");
    put_echo(t, sci, false, true, "its echo: busy");
    put_sci(t, sci, 16, "the same again");
    put_echo(t, sci, false, false, "done");
    sci = answer(&sci);
    put_sci(t, sci, 0, "the response");
    put_echo(t, sci, true, false, "the response's echo");
    sci = (gw_l1_sci){.target = 0x10, .command = 0x40, .source = 4, .control = 3, .addr = 0x1000};
    put_sci(t, sci, 64, "a command that is not known, 64 bytes");
    put_echo(t, sci, false, false, "its echo");
    sci.control = 4;
    put_sci(t, sci, 128, "128 bytes, as from a stream of the PCI bridge");
    put_echo(t, sci, false, false, "its echo");
    put_hex(t, "01020000 00112233445566778899aabbccddeeff", "a special packet");
    put_hex(t, "01030000 ff00ff00ff00", "a sample of idle symbols");
    put_hex(t, "01000200 0010001f 0004001f 00001000 0340 00000000000000000000000000000000 dead",
            "stomped by the node before: its CRC is wrong on purpose");
    put_hex(t, "01000400 0010001f 0004", "the device kept a part");
}

static void broken_sci(trace *t)
{
    gw_l1_sci sci = request(0x1f, 10);

    t->gap = GOLDEN_MS;
    put_hex(t, "01000000 0010001f 0004001f 00001000 0340 01020304 b2e1",
            "four bytes of data breaks L1-S01");
    put_hex(t, "01040000 0010001f 0004", "six bytes are no packet breaks L1-S01");
    put_hex(t, "01010000 0004011f 0010 82d1 0000", "an echo of five symbols breaks L1-S03");
    put_hex(t, "01020000 00112233", "a special packet of two symbols breaks L1-S03");
    put_hex(t, "01000000 0010001f 0004001e 00001000 0340 00000000000000000000000000000000 dead",
            "a wrong CRC breaks L1-S04");
    put_sci(t, (gw_l1_sci){.target = 0x10, .command = 0x40, .source = 5, .addr = 0x1000}, 256,
            "256 bytes, which the link controllers do not take breaks L1-S02");
    put_sci(t,
            (gw_l1_sci){.target = 0x10, .command = 0x40, .source = 5, .control = 1, .addr = 0x1040},
            128, "128 bytes from the middle of their block breaks L1-S14");
    put_sci(t,
            (gw_l1_sci){.target = 0x10, .command = 0x13, .source = 5, .control = 2, .addr = 0x1008},
            16, "selected bytes that end before they begin breaks L1-S14");
    put_sci(t, sci, 16, "a write");
    put_echo(t, sci, false, false, "its echo");
    put_echo(t, sci, false, false, "another echo breaks L1-S06");
    put_sci(t, sci, 0, "its transaction ID once more breaks L1-S05");
    put_echo(t, sci, false, false, "its echo");
    put_sci(t, answer(&sci), 0, "the response");
    put_echo(t, answer(&sci), true, false, "its echo");
    put_sci(t, answer(&sci), 0, "the response once more breaks L1-S07");
    sci = request(0x1f, 11);
    put_sci(t, sci, 16, "a packet");
    sci.command |= t->profile->old_mask;
    put_sci(t, sci, 16, "that came round, and was marked by the scrubber");
    put_sci(t, sci, 16, "and comes round again breaks L1-S10");
}

/* ---- a trace of clocks ---- */

static size_t clock_packet(uint8_t *out, const uint8_t *symbols, size_t len)
{
    size_t high = len == GW_L1_SCI_ECHO ? len / 2 - 1 : len / 2 - 4;

    for (size_t i = 0; i < len / 2; i++) {
        out[3 * i] = i < high;
        out[3 * i + 1] = symbols[2 * i];
        out[3 * i + 2] = symbols[2 * i + 1];
    }
    return 3 * (len / 2);
}

static size_t clock_idles(uint8_t *out, size_t num)
{
    for (size_t i = 0; i < num; i++)
        memcpy(out + 3 * i, (const uint8_t[]){0x00, 0xff, 0x00}, 3);
    return 3 * num;
}

/* A write, |between| idle symbols, its echo. */
static void put_clocks(trace *t, uint8_t tid, size_t between, const char *comment)
{
    uint8_t data[16] = {0}, packet[64], echo[GW_L1_SCI_ECHO], bytes[512];
    gw_l1_sci sci = request(0x40, tid);
    size_t len = 0;

    sci.data = data;
    sci.data_len = sizeof data;
    size_t packet_len = gw_l1_build_send(packet, sizeof packet, &sci, t->profile);
    gw_l1_build_echo(echo, &sci, sci.target, false, false, t->profile);
    len += clock_idles(bytes + len, 2);
    len += clock_packet(bytes + len, packet, packet_len);
    len += clock_idles(bytes + len, between);
    len += clock_packet(bytes + len, echo, sizeof echo);
    len += clock_idles(bytes + len, 1);
    put(t, bytes, len, comment);
}

static void clocks(trace *t)
{
    put_clocks(t, 1, 3, "idle symbols, a send packet, idle symbols, its echo");
    put_clocks(t, 2, 1, "one idle symbol is enough");
    put_clocks(t, 3, 0, "none is not breaks L1-S09");
    put_hex(t, "00ff00 010010 010040 000000 000000 000000 000000 00ff00",
            "the flag is high for two symbols breaks L1-S01");
    put_hex(t, "010004 010107 010010 000000 00ff00", "an echo with a wrong CRC breaks L1-S04");
    put_hex(t, "00ff00 00ff01 00fe02", "idle symbols alone");
}

/* ---- TagNet ---- */

static void edge(trace *t, unsigned ru, unsigned line, unsigned asserted, const char *comment)
{
    const uint8_t bytes[GW_L1_TAGNET_RECORD] = {0, (uint8_t)line, (uint8_t)asserted, 0,
                                                (uint8_t)ru};

    t->gap = 60; /* a tag is four clocks of 66 MHz */
    put(t, bytes, sizeof bytes, comment);
}

static void tag(trace *t, uint32_t word, const char *comment)
{
    const uint8_t bytes[GW_L1_TAGNET_RECORD] = {1, (uint8_t)(word >> 24), (uint8_t)(word >> 16),
                                                (uint8_t)(word >> 8), (uint8_t)word};
    put(t, bytes, sizeof bytes, comment);
}

static void tags(trace *t)
{
    gw_l1_code code = (gw_l1_code)t->profile->code;
    uint32_t word = gw_l1_tag_encode(0x1234, code);

    edge(t, 1, GW_L1_TIN, 1, "a tag comes to readout unit 1");
    edge(t, 1, GW_L1_TIN, 0, "its pulse ends");
    edge(t, 1, GW_L1_BON, 1, "the unit is busy");
    edge(t, 1, GW_L1_TON, 1, "the tag goes on");
    edge(t, 1, GW_L1_TON, 0, "its pulse ends");
    edge(t, 1, GW_L1_BON, 0, "the unit is free");
    edge(t, 2, GW_L1_TIN, 1, "a tag comes to readout unit 2");
    edge(t, 2, GW_L1_BIN, 1, "the next one is busy");
    edge(t, 2, GW_L1_TON, 1, "the tag is forwarded all the same breaks L1-G02");
    edge(t, 2, GW_L1_BIN, 0, "the next one is free");
    edge(t, 2, GW_L1_TON, 1, "a tag that never came breaks L1-G01");
    edge(t, 3, GW_L1_BON, 1, "readout unit 3 is busy");
    edge(t, 3, GW_L1_TIN, 1, "and gets a tag breaks L1-G02");
    tag(t, word, "a coded tag");
    tag(t, gw_l1_tag_encode(0, code), "destination 0");
    tag(t, gw_l1_tag_encode(0x3fff, code), "the highest destination");
    if (code == GW_L1_UNCODED)
        return;
    tag(t, word ^ 8, "one wrong bit breaks L1-G05");
    tag(t, word ^ (code == GW_L1_HAMMING_20 ? 0x6u : 0x80010u),
        code == GW_L1_HAMMING_20 ? "two wrong bits, beyond correction breaks L1-G05"
                                 : "two wrong bits, which this code may see breaks L1-G05");
}

/* ---- bursts ---- */

static void burst(trace *t, uint64_t address, unsigned length, unsigned node, unsigned direction,
                  const uint8_t *data, const char *comment)
{
    uint8_t bytes[GW_L1_MEMORY_HEADER + 512] = {0};

    for (unsigned i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(address >> 8 * (7 - i));
    bytes[10] = (uint8_t)(length >> 8);
    bytes[11] = (uint8_t)length;
    bytes[13] = (uint8_t)node;
    bytes[14] = (uint8_t)direction;
    memcpy(bytes + GW_L1_MEMORY_HEADER, data, length);
    put(t, bytes, GW_L1_MEMORY_HEADER + length, comment);
}

static void bursts(trace *t)
{
    uint8_t words[512], image[GW_L1_RESULT];
    gw_l1_result r = {.nallok = 14612013, .ntries = 14612248, .node_id = 0x104, .tag_id = 0xbeef};

    gw_l1_put_words(words, 0x1234, 0, 16);
    burst(t, 0x10000000, 128, 5, 0, words, "readout unit 1 writes sixteen event words");
    burst(t, 0x10000080, 128, 5, 0, words, "readout unit 2 beside them");
    gw_l1_put_result(image, &r);
    burst(t, 0x20000340, GW_L1_RESULT, 30, 0, image, "a result, as in the reference run");
    burst(t, 0x30000000, 6, 30, 1, words, "six bytes are neither: data");
    gw_l1_put_words(words, 0x1235, 0, 32);
    burst(t, 0x10000000, 256, 5, 0, words, "a burst of 256 bytes breaks L1-D06");
    burst(t, 0x10000000, 256, 5, 1, words, "read, it may be");
    words[8 * 3 + 7] = 1;
    burst(t, 0x10000000, 128, 5, 0, words, "an upper half that is not zero breaks L1-E03");
    gw_l1_put_words(words, 0x1236, 0, 16);
    gw_l1_put_words(words + 64, 0x1235, 8, 8);
    burst(t, 0x10000000, 128, 5, 0, words, "half of it is of the event before breaks L1-E03");
    r.nallok = r.ntries + 1;
    r.rsv = 1;
    r.status = 3;
    gw_l1_put_result(image, &r);
    burst(t, 0x20000340, GW_L1_RESULT, 31, 0, image,
          "more in order than looked at, reserved bits, a fourth status; and the counter stands "
          "breaks L1-R01 L1-R02 L1-R03 L1-R04");
}

/* ---- the tunnel ---- */

static void fragment(trace *t, unsigned ru, unsigned event, unsigned dest, unsigned buffer,
                     unsigned step, unsigned length, const char *comment)
{
    uint8_t words[512];
    gw_l1_shim s = {.kind = GW_L1_KIND_SUBEVENT,
                    .little = true,
                    .ru = (uint8_t)ru,
                    .buffer = (uint8_t)buffer,
                    .dest = (uint16_t)dest,
                    .event = (uint16_t)event,
                    .step = step,
                    .offset = ru * length,
                    .length = (uint16_t)length};

    gw_l1_put_words(words, (uint16_t)event, 0, length / GW_L1_WORD);
    put_udp(t, s, words, comment);
}

static void result(trace *t, uint8_t kind, unsigned event, unsigned node, unsigned tries,
                   unsigned step, const char *comment)
{
    uint8_t image[GW_L1_RESULT];
    gw_l1_result r = {
        .nallok = tries, .ntries = tries, .node_id = (uint16_t)node, .tag_id = (uint16_t)event};
    gw_l1_shim s = {.kind = kind,
                    .little = true,
                    .dest = (uint16_t)node,
                    .event = (uint16_t)event,
                    .step = step,
                    .offset = node * 2 * GW_L1_RESULT,
                    .length = GW_L1_RESULT};

    gw_l1_put_result(image, &r);
    put_udp(t, s, image, comment);
}

static void notice(trace *t, uint8_t kind, unsigned event, unsigned dest, unsigned step,
                   const char *comment)
{
    gw_l1_shim s = {.kind = kind, .dest = (uint16_t)dest, .event = (uint16_t)event, .step = step};
    put_udp(t, s, NULL, comment);
}

/* 3 readout units, 26 nodes, 2 buffers: event e goes to node e % 26, unit r sends in step e + r. */
static void run(trace *t)
{
    const unsigned events = 60, nodes = t->profile->nodes;

    for (unsigned step = 0; step < events + 4; step++) {
        for (unsigned ru = 0; ru < 3; ru++) {
            unsigned event = step - ru;
            if (step >= ru && event < events)
                fragment(t, ru, 0xfff0 + event, event % nodes, event / nodes % 2, step, 128,
                         ru == 0   ? "the event's first fragment"
                         : ru == 1 ? "its second, a time step later"
                                   : "its third: the event is complete");
        }
        if (step >= 3 && step - 3 < events)
            result(t, GW_L1_KIND_RESULT, 0xfff0 + step - 3, (step - 3) % nodes,
                   1 + (step - 3) / nodes, step, "the node's result");
    }
}

static void tunnel(trace *t)
{
    gw_l1_shim s = {.ru = 1, .dest = 5, .event = 0x1234, .step = 7};
    uint8_t bytes[64];

    s.kind = GW_L1_KIND_TAG;
    put_udp_hex(t, s, "00054742", "a coded tag");
    s.kind = GW_L1_KIND_EDGE;
    put_udp_hex(t, s, "00010001", "a tag line");
    s.kind = GW_L1_KIND_SCI;
    gw_l1_sci sci = request(0x40, 1);
    s.length = (uint16_t)build_packet(bytes, t, &sci);
    put_udp(t, s, bytes, "an SCI packet, as a capture has it");
    s.kind = GW_L1_KIND_REGISTER;
    put_udp_hex(t, s, "00010100 00000008", "clear the DMA engine");
    put_udp_hex(t, s, "00010300 00000033", "52 descriptors");
    put_udp_hex(t, s, "00010100 00000820", "one transfer a tag");
    put_udp_hex(t, s, "00000400", "how many tags?");
    put_udp_hex(t, s, "00020400 0000002a", "that many");
    put_udp_hex(t, s, "01010010 c2000000", "a word of the descriptors' buffer");
    put_udp_hex(t, s, "00010100 00000824", "a reserved bit of DMACNTRL breaks L1-D04");
    put_udp_hex(t, s, "00010300 00000040", "65 descriptors breaks L1-D05");
    s.kind = GW_L1_KIND_FREE;
    put_udp_hex(t, s, "", "a node released a buffer");
    s.kind = GW_L1_KIND_ENTERED;
    put_udp_hex(t, s, "", "an event entered the system");
    s.kind = GW_L1_KIND_TIMEOUT;
    put_udp_hex(t, s, "", "and was given up");
    s.kind = GW_L1_NUM_KINDS;
    put_udp_hex(t, s, "00", "a kind that is not known");
    s.kind = GW_L1_KIND_SUBEVENT;
    put_udp_hex(t, s, "0000000012340000", "event words that are no memory's image: not supported");
    s.little = true;
    s.event = 0x1235;
    s.step = 8;
    s.dest = 6;
    put_udp_hex(t, s, "0000351200000000 0100", "a word cut in the middle");
}

static void descriptors(trace *t)
{
    gw_l1_descriptor d[2] = {{.target = 0xc2000000, .blocksize = 0x20},
                             {.target = 0xc2001000, .blocksize = 0x20, .unused = {1, 2}}};
    gw_l1_shim s = {.kind = GW_L1_KIND_DESCRIPTORS, .little = true, .length = sizeof d};
    uint8_t bytes[2 * GW_L1_DESCRIPTOR];

    for (size_t i = 0; i < 2; i++) {
        d[i].blocksize = 128u / t->profile->unit;
        gw_l1_put_descriptor(bytes + i * GW_L1_DESCRIPTOR, &d[i], t->profile);
    }
    put_udp(t, s, bytes, "two descriptors of 128 bytes");
}

static void broken_farm(trace *t)
{
    fragment(t, 0, 0, 3, 0, 100, 128, "readout unit 0 sends to node 3");
    fragment(t, 1, 5000, 3, 1, 100, 128, "so does unit 1, in the same time step breaks L1-X01");
    fragment(t, 0, 10000, 4, 0, 200, 128, "a buffer");
    fragment(t, 0, 10001, 4, 0, 201, 128, "is used again at once breaks L1-X03");
    fragment(t, 0, 15000, 5, 0, 300, 128, "an event");
    fragment(t, 1, 15000, 6, 0, 301, 128, "is split between two nodes breaks L1-X06");
    fragment(t, 0, 20000, 7, 0, 400, 128, "an event");
    fragment(t, 1, 20000, 7, 0, 404, 128, "whose second fragment is late breaks L1-X07");
    fragment(t, 0, 25000, 8, 0, 500, 128, "an event");
    fragment(t, 0, 25001, 9, 0, 501, 128, "the next");
    fragment(t, 0, 25001, 9, 0, 502, 128, "which is sent twice breaks L1-X06");
    for (unsigned i = 0; i < 16; i++)
        fragment(t, 0, 30000 + i, 10 + i, 0, 600 + i, 384,
                 i < 15 ? "384 bytes in every time step"
                        : "in the long run are too much for the ringlet breaks L1-X04");
    result(t, GW_L1_KIND_RESULT, 1, 1, 10, 700, "a result");
    result(t, GW_L1_KIND_RESULT, 1, 1, 10, 701, "which is sent twice breaks L1-R01");
    result(t, GW_L1_KIND_RESULT, 27, 1, 9, 702, "the counter goes back, unless this was overtaken");
    notice(t, GW_L1_KIND_TIMEOUT, 40000, 2, 800, "an event is given up");
    result(t, GW_L1_KIND_DECISION, 40000, 2, 1, 801,
           "its result is passed on all the same breaks L1-U02");
    result(t, GW_L1_KIND_DECISION, 40001, 3, 1, 802, "an event is decided");
    result(t, GW_L1_KIND_DECISION, 40001, 3, 1, 803, "twice breaks L1-U01");
    fragment(t, 2, 100, 11, 0, 900, 128, "readout unit 2 sends an event");
    for (unsigned i = 0; i < 8; i++)
        fragment(t, 1, 101 + i, 12 + i, 0, 900 + i, 128, "unit 1 one of the next eight");
    fragment(t, 2, 109, 20, 0, 909, 128, "and the one after them; those between may come yet");
}

static void final_fragment(trace *t, unsigned ru, unsigned event, unsigned dest, unsigned step,
                           const char *comment)
{
    uint8_t bytes[64];
    gw_l1_shim s = {
        .ru = (uint8_t)ru, .dest = (uint16_t)dest, .event = (uint16_t)event, .step = step};
    char hex[64];

    snprintf(hex, sizeof hex, "%02x01%04x00100000 0004 0002 0003 87ff", ru, event);
    s.length = (uint16_t)golden_hex(bytes, sizeof bytes, hex);
    put_udp(t, s, bytes, comment);
}

static void planned(trace *t)
{
    gw_l1_shim tag_shim = {.kind = GW_L1_KIND_TAG, .ru = 2, .dest = 3};

    notice(t, GW_L1_KIND_FREE, 0, 0x1234, 0, "a node released a buffer");
    put_udp_hex(t, tag_shim, "00054742", "a tag for destination 0x1234");
    tag_shim.step = 1; /* the path repeats a datagram as it is */
    put_udp_hex(t, tag_shim, "00054742", "again, and nothing was released breaks L1-G07");
    final_fragment(t, 0, 0, 3, 0, "event 0, one link of two clusters");
    final_fragment(t, 1, 0, 3, 1, "its second fragment");
    notice(t, GW_L1_KIND_FREE, 0, 3, 2, "its buffer is released");
    final_fragment(t, 0, 1, 3, 3, "and used again");
    final_fragment(t, 1, 1, 3, 4, "by both");
    final_fragment(t, 0, 2, 3, 5, "and again, but was not released breaks L1-X03");
    final_fragment(t, 1, 2, 3, 6, "the second fragment goes where the first went");
    final_fragment(t, 0, 3, 4, 10, "node 4 is in column 4");
    final_fragment(t, 1, 5000, 4 + 19, 10,
                   "so is node 23, of the same row's other unit breaks L1-X02");
    result(t, GW_L1_KIND_DECISION, 0, 3, 1, 20, "event 0 is decided");
    notice(t, GW_L1_KIND_TIMEOUT, 1, 3, 21, "event 1 is given up");
    result(t, GW_L1_KIND_DECISION, 2, 3, 2, 22, "event 2 is decided");
    result(t, GW_L1_KIND_DECISION, 4, 4, 1, 23, "event 3 is passed over breaks L1-U01");
    notice(t, GW_L1_KIND_ENTERED, 5, 5, 30, "event 5 enters");
    result(t, GW_L1_KIND_DECISION, 5, 5, 1, 1900, "and is decided too late breaks L1-U03");
}

static void detector(trace *t)
{
    gw_l1_shim s = {.kind = GW_L1_KIND_ODE, .event = 0x1234};

    put_udp_hex(t, s, "b0021234 e0001234", "no cluster");
    put_udp_hex(t, s, "b0021234 0003 87ff e0021234", "two clusters, the second of two strips");
    put_udp_hex(t, s, "b0021234 0003 87ff e0031234", "a wrong count breaks L1-E07");
    put_udp_hex(t, s, "b0021234 0003 87ff e0021235", "another event at the end breaks L1-E07");
    s.kind = GW_L1_KIND_SUBEVENT;
    put_udp_hex(t, s, "00031234 00180000 00040001 0003 00050000 00060001 8007",
                "three links: one, no and one cluster");
    s.event++;
    s.step++;
    s.dest++;
    put_udp_hex(t, s, "00011235 00120000 00040001 0003",
                "two bytes less than it says breaks L1-E07");
    s.event++;
    s.step++;
    s.dest++;
    put_udp_hex(t, s, "00011236 000e0000 00040002 0003", "a cluster is missing breaks L1-E07");
}

static void truncated(trace *t)
{
    uint8_t bytes[GW_L1_SCI_RECORD + GW_L1_SCI_MAX], data[16] = {1, 2, 3};
    gw_l1_sci sci = request(0x1f, 1);

    sci.data = data;
    sci.data_len = sizeof data;
    size_t len = build_packet(bytes, t, &sci);
    for (size_t cap = 1; cap < len; cap += 3)
        put_cut(t, bytes, cap, len, "a write, cut by the capture");
}

typedef struct plan {
    const char *name;
    void (*make)(trace *t);
    uint32_t link_type;
    const char *dialect;
} plan;

void golden_l1farm_traces(const char *folder)
{
    static const plan plans[] = {
        {"l1farm-sci", sci_packets, SCI, "strict"},
        {"l1farm-sci-crc-ffff", sci_packets, SCI, "crc-ffff"},
        {"l1farm-sci-broken", broken_sci, SCI, "strict"},
        {"l1farm-sci-truncated", truncated, SCI, "strict"},
        {"l1farm-clocks", clocks, TRACE, "strict"},
        {"l1farm-tagnet", tags, TAGNET, "strict"},
        {"l1farm-tagnet-hamming19", tags, TAGNET, "hamming19"},
        {"l1farm-tagnet-uncoded", tags, TAGNET, "uncoded"},
        {"l1farm-memory", bursts, MEMORY, "strict"},
        {"l1farm-run", run, GW_LINK_ETHERNET, "strict"},
        {"l1farm-tunnel", tunnel, GW_LINK_ETHERNET, "strict"},
        {"l1farm-dma", descriptors, GW_LINK_ETHERNET, "strict"},
        {"l1farm-dma-desc-top-down", descriptors, GW_LINK_ETHERNET, "desc-top-down"},
        {"l1farm-dma-desc-prose", descriptors, GW_LINK_ETHERNET, "desc-prose"},
        {"l1farm-broken", broken_farm, GW_LINK_ETHERNET, "strict"},
        {"l1farm-final", planned, GW_LINK_ETHERNET, "final"},
        {"l1farm-ode", detector, GW_LINK_ETHERNET, "ode"},
    };

    for (size_t i = 0; i < GW_ARRAY_LEN(plans); i++) {
        trace t;
        open_trace(&t, folder, plans[i].name, plans[i].link_type, plans[i].dialect);
        plans[i].make(&t);
        golden_close(&t.g);
    }
    golden_l1farm_dialogues(folder);
}
