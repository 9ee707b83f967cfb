/* SPDX-License-Identifier: BSD-2-Clause */
/* TEXTAROSSA: datagrams of the Ethernet port in each layout and byte order. No board plays here:
 * the packets are built, and broken by hand. */
#include "golden_textarossa.h"

#include <stdio.h>
#include <string.h>

#include "goldwire/writer.h"

#define FRAME_MAX 8192

const gw_endpoint golden_tx_near = {
    .ip = {192, 0, 2, 1}, .port = GW_TX_UDP_PORT, .family = GW_FAMILY_IPV4};
const gw_endpoint golden_tx_far = {
    .ip = {192, 0, 2, 2}, .port = GW_TX_UDP_PORT, .family = GW_FAMILY_IPV4};

static void open_trace(golden_tx *t, const char *folder, const char *name, uint32_t link_type,
                       const char *dialect)
{
    char path[1024];

    memset(t, 0, sizeof *t);
    t->dialect = gw_dialect_by_name(&gw_textarossa, dialect);
    t->g.now = GW_VIRTUAL_EPOCH_NS;
    t->g.link_type = link_type;
    snprintf(path, sizeof path, "%s/%s.pcapng", folder, name);
    t->g.file = fopen(path, "wb");
    t->g.w = t->g.file == NULL ? NULL : gw_pcapng_create(t->g.file, "goldwire golden_traces");
    if (t->g.w == NULL || t->dialect == NULL ||
        gw_pcapng_interface(t->g.w, link_type, "net", "packets built by hand") != 0)
        golden_die(path);
}

/* ---- datagrams ---- */

gw_tx_draft golden_tx_draft(bool back, size_t size)
{
    static uint8_t pattern[GW_TX_SIZE_MAX];
    const gw_endpoint *to = back ? &golden_tx_near : &golden_tx_far;
    gw_tx_draft d = {.payload = pattern, .payload_len = size};

    for (size_t i = 0; i < sizeof pattern; i++)
        pattern[i] = (uint8_t)(i * 7 + 1);
    d.header.virt_chan = GW_TX_LAST_VC0;
    d.header.proc_id = 3;
    d.header.dest_addr = (uint64_t)to->port << 32 | (uint32_t)to->ip[0] << 24 |
                         (uint32_t)to->ip[1] << 16 | (uint32_t)to->ip[2] << 8 | to->ip[3];
    d.footer = gw_tx_footer_word(GW_TX_FOOTER_HAPECOM, GW_TX_PORT);
    return d;
}

static void put(golden_tx *t, const uint8_t *payload, size_t len, bool back, const char *comment)
{
    uint8_t frame[FRAME_MAX];
    const gw_endpoint *src = back ? &golden_tx_far : &golden_tx_near,
                      *dst = back ? &golden_tx_near : &golden_tx_far;
    size_t frame_len =
        gw_frame_udp_styled(frame, sizeof frame, src, dst, payload, len, gw_textarossa.ip_style);

    if (frame_len == 0)
        golden_die(comment);
    golden_wait(&t->g, GOLDEN_MS);
    golden_frame(&t->g, frame, frame_len, frame_len, golden_time(&t->g),
                 back ? GW_DIR_IN : GW_DIR_OUT, comment);
}

static void put_draft(golden_tx *t, const gw_tx_draft *d, bool back, const char *comment)
{
    uint8_t bytes[FRAME_MAX];
    size_t len = gw_tx_build(bytes, sizeof bytes, d, t->dialect);

    if (len == 0)
        golden_die(comment);
    put(t, bytes, len, back, comment);
}

static void put_size(golden_tx *t, size_t size, const char *comment)
{
    gw_tx_draft d = golden_tx_draft(false, size);
    put_draft(t, &d, false, comment);
}

static void good_datagrams(golden_tx *t)
{
    gw_tx_draft d = golden_tx_draft(false, 16);

    put_size(t, 0, "no payload: header and footer");
    put_size(t, 1, "one byte, padded to a word");
    put_size(t, 17, "two words");
    put_size(t, 1408, "what fits into one datagram");
    put_draft(t, &d, false, "sixteen bytes to the far end ...");
    d.header.dest_addr = golden_tx_draft(true, 0).header.dest_addr;
    put_draft(t, &d, true, "... and the same bytes back: an echo by proc_id");
    d.header.dest_x = 1;
    d.header.intra_dest = 2;
    d.header.packet_type = GW_TX_TYPE_ETH;
    put_draft(t, &d, true, "another node's task 2, with the Ethernet mark");
    d.footer = gw_tx_footer_word(GW_TX_FOOTER_GENERATOR, GW_TX_PORT);
    put_draft(t, &d, true, "the packet generator's footer");
    d = golden_tx_draft(false, 0);
    d.header.packet_type = GW_TX_TYPE_HEADER_ONLY;
    put_draft(t, &d, false, "a header alone");
}

static void broken_headers(golden_tx *t)
{
    gw_tx_draft d = golden_tx_draft(false, 16);

    d.header.virt_chan = 2;
    put_draft(t, &d, false, "virtual channel 2 breaks TX-E5");
    d = golden_tx_draft(false, 16);
    d.header.num_of_hops = 1023;
    put_draft(t, &d, false, "a hop counter breaks TX-E6");
    d = golden_tx_draft(false, 16);
    d.header.proc_id = 128;
    put_draft(t, &d, false, "channel 128 breaks TX-E7");
    d = golden_tx_draft(false, 0);
    d.header.packet_type = GW_TX_TYPE_HEADER_ONLY;
    d.header.packet_size = 4;
    put_draft(t, &d, false, "a header alone that has a size breaks TX-E8");
    d = golden_tx_draft(false, 16);
    d.header.dest_addr ^= 1;
    put_draft(t, &d, false, "another address than the datagram's breaks TX-N2");
    d = golden_tx_draft(false, 1441);
    put_draft(t, &d, false, "a datagram of more than 1480 bytes breaks TX-N5");
    d = golden_tx_draft(false, 4097);
    put_draft(t, &d, false, "more than 4096 bytes breaks TX-E3 TX-N5");
}

static void broken_carriers(golden_tx *t)
{
    uint8_t bytes[256] = {0}, frame[512];
    gw_tx_draft d = golden_tx_draft(false, 16);
    size_t len = gw_tx_build(bytes, sizeof bytes, &d, t->dialect);

    put(t, bytes, len - 16, false, "a footer that is missing breaks TX-N1");
    put(t, bytes, 7, false, "half a header breaks TX-N1");
    size_t frame_len =
        gw_frame_udp(frame, sizeof frame, &golden_tx_near, &golden_tx_far, bytes, len);
    golden_frame(&t->g, frame, frame_len, frame_len, golden_time(&t->g), GW_DIR_OUT,
                 "TTL 64 and a UDP checksum, as a host's sockets send, breaks TX-N3");
    /* Sixteen bytes more in IP than in UDP. */
    frame_len = gw_frame_udp_styled(frame, sizeof frame, &golden_tx_near, &golden_tx_far, bytes,
                                    len + 16, gw_textarossa.ip_style);
    gw_store_be(frame + 14 + 20 + 4, 8 + len, 2);
    golden_frame(&t->g, frame, frame_len, frame_len, golden_time(&t->g), GW_DIR_OUT,
                 "an IP packet longer than its datagram breaks TX-N4");
    len = gw_tx_build(bytes, sizeof bytes, &d, gw_dialect_by_name(&gw_textarossa, "order-b"));
    put(t, bytes, len, false, "most significant byte first breaks TX-N13");
    len = gw_tx_build(bytes, sizeof bytes, &d, gw_dialect_by_name(&gw_textarossa, "hls"));
    put(t, bytes, len, false, "the kernel side's layout breaks TX-E1 TX-N2");
}

static void dialect_datagrams(golden_tx *t)
{
    put_size(t, 1, "one byte");
    put_size(t, 64, "64 bytes");
    put_size(t, 0, "no payload");
}

static void gu_datagrams(golden_tx *t)
{
    uint8_t payload[48] = {1}; /* one header is left */
    gw_tx_draft d = golden_tx_draft(false, 0);

    d.payload = payload;
    d.payload_len = sizeof payload;
    memset(payload + 16, 0x5a, 16);
    put_draft(t, &d, false, "a count word, one word of data, one header");
    payload[0] = 3;
    put_draft(t, &d, false, "more headers than words breaks TX-E13");
}

typedef struct plan {
    const char *name;
    void (*make)(golden_tx *t);
    uint32_t link_type;
    const char *dialect;
} plan;

void golden_textarossa_traces(const char *folder)
{
    static const plan plans[] = {
        {"textarossa-udp", good_datagrams, GW_LINK_ETHERNET, "strict"},
        {"textarossa-udp-headers", broken_headers, GW_LINK_ETHERNET, "strict"},
        {"textarossa-udp-carriers", broken_carriers, GW_LINK_ETHERNET, "strict"},
        {"textarossa-udp-order-b", dialect_datagrams, GW_LINK_ETHERNET, "order-b"},
        {"textarossa-udp-order-c", dialect_datagrams, GW_LINK_ETHERNET, "order-c"},
        {"textarossa-udp-hls", dialect_datagrams, GW_LINK_ETHERNET, "hls"},
        {"textarossa-udp-wide", dialect_datagrams, GW_LINK_ETHERNET, "wide"},
        {"textarossa-udp-gu", gu_datagrams, GW_LINK_ETHERNET, "gu"},
        {"textarossa-arp", golden_tx_arp, GW_LINK_ETHERNET, "strict"},
        {"textarossa-arp-broken", golden_tx_arp_broken, GW_LINK_ETHERNET, "strict"},
        {"textarossa-link", golden_tx_link, GOLDEN_TX_LINK, "strict"},
        {"textarossa-link-broken", golden_tx_link_broken, GOLDEN_TX_LINK, "strict"},
        {"textarossa-link-rtl", golden_tx_link_rtl, GOLDEN_TX_LINK, "rtl"},
        {"textarossa-link-edac", golden_tx_link_edac, GOLDEN_TX_LINK, "strict"},
        {"textarossa-link-torus", golden_tx_link_torus, GOLDEN_TX_LINK, "strict"},
    };

    for (size_t i = 0; i < GW_ARRAY_LEN(plans); i++) {
        golden_tx t;
        open_trace(&t, folder, plans[i].name, plans[i].link_type, plans[i].dialect);
        plans[i].make(&t);
        golden_close(&t.g);
    }
    golden_converse(
        folder, "textarossa-node", "textarossa-node",
        GW_LIST("tx-e/well-made", "tx-e/byte-order", "tx-e/sizes", "tx-r/reset-values"));
}
