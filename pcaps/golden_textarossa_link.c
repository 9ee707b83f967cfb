/* SPDX-License-Identifier: BSD-2-Clause */
/* TEXTAROSSA: APElink streams, written beat by beat or built, with flipped bits, and on both sides
 * of a router. */
#include "golden_textarossa.h"

#define FRAME_MAX 8192

#define MAGIC "aaaa5555 aaaaffff aaaa5555 aaaaffff "
#define START "bbbb6666 bbbbffff bbbb6666 bbbbffff "
#define CREDIT "40400001 01000000 00000000 0000004d "
#define HEADER "00002000 00001040 3fffbe3e 00000000 "
#define DATA "00010203 04050607 08090a0b 0c0d0e0f "
#define ONES "ffffffff ffffffff ffffffff ffffffff "
#define HEADER_ONLY "b0002000 40800080 00002ab0 983e0000 "

/* One frame of beats, from one side. */
static void beats(golden_tx *t, const char *hex, const char *comment)
{
    uint8_t frame[FRAME_MAX] = {1, 0, GW_TX_WORD, 0};
    size_t len = 4 + golden_hex(frame + 4, sizeof frame - 4, hex);

    golden_wait(&t->g, GOLDEN_MS);
    golden_frame(&t->g, frame, len, len, golden_time(&t->g), GW_DIR_IN, comment);
}

void golden_tx_link(golden_tx *t)
{
    beats(t, CREDIT CREDIT CREDIT, "an idle link sends credits");
    beats(t, MAGIC START HEADER DATA ONES CREDIT, "a packet of 16 bytes");
    beats(t, MAGIC START HEADER MAGIC CREDIT DATA ONES CREDIT, "a credit stuffed before its data");
    beats(t, MAGIC START HEADER, "a packet that ends ...");
    beats(t, DATA ONES CREDIT, "... in the next frame");
    beats(t, MAGIC START "10002000 00800000 00000000 00000049 " CREDIT, "a header alone");
}

void golden_tx_link_broken(golden_tx *t)
{
    beats(t, CREDIT MAGIC CREDIT START HEADER DATA ONES CREDIT,
          "a credit between MAGIC and START breaks TX-L1");
    beats(t, MAGIC START HEADER DATA ONES, "a packet, and right behind it ...");
    beats(t, MAGIC START HEADER DATA ONES CREDIT, "... the next breaks TX-L2");
    beats(t, MAGIC START HEADER MAGIC DATA DATA ONES CREDIT,
          "data where a credit is due breaks TX-L3");
    beats(t, CREDIT DATA CREDIT, "data between packets breaks TX-L4");
    beats(t, MAGIC START "00000000 00000140 3fffbe3e 00000018 " DATA ONES CREDIT,
          "a flipped bit in the header breaks TX-L6");
    beats(t, MAGIC START HEADER MAGIC MAGIC CREDIT ONES CREDIT, "MAGIC as payload breaks TX-E15");
    beats(t, MAGIC START HEADER DATA, "the end is missing breaks TX-E2");
}

void golden_tx_link_rtl(golden_tx *t)
{
    beats(t, CREDIT MAGIC START HEADER_ONLY MAGIC CREDIT HEADER CREDIT,
          "the published transmitter sends on behind a header alone breaks TX-E14");
}

/* ---- flipped bits ---- */

/* One frame of |num| messages' bytes: a credit, then a run of |d| of which |flips| (ended by 128)
 * are flipped in the header, then a credit. */
static void flipped(golden_tx *t, const gw_tx_draft *d, const uint8_t *flips, const char *comment)
{
    enum { HEADER_AT = 3 * GW_TX_WORD };
    uint8_t frame[FRAME_MAX] = {1, 0, GW_TX_WORD, 0};
    const gw_tx_credit credit = {.vc = {{0x40, 0x40}, {0x40, 0x40}}};
    gw_tx_word word = gw_tx_protect(gw_tx_credit_pack(&credit));
    uint8_t *at = frame + 4;

    gw_tx_store(at, GW_TX_WORD, GW_TX_ORDER_A, word);
    size_t len = gw_tx_build_run(at + GW_TX_WORD, FRAME_MAX / 2, d, t->dialect);
    if (len == 0)
        golden_die(comment);
    for (; *flips < 128; flips++)
        at[HEADER_AT + *flips / 8] ^= (uint8_t)(1u << *flips % 8);
    gw_tx_store(at + GW_TX_WORD + len, GW_TX_WORD, GW_TX_ORDER_A, word);
    len += 4 + 2 * GW_TX_WORD;
    golden_wait(&t->g, GOLDEN_MS);
    golden_frame(&t->g, frame, len, len, golden_time(&t->g), GW_DIR_IN, comment);
}

#define BITS(...) ((const uint8_t[]){__VA_ARGS__, 128})

void golden_tx_link_edac(golden_tx *t)
{
    gw_tx_draft d = golden_tx_draft(false, 16);

    d.edac = true;
    d.header.dest_x = 1;
    flipped(t, &d, BITS(128), "a header with its check byte");
    flipped(t, &d, BITS(21), "bit 21, of dest_x, flipped: corrected; breaks TX-L6");
    flipped(t, &d, BITS(52), "a bit of packet_size: the corrected one frames; breaks TX-L6");
    flipped(t, &d, BITS(0), "a bit of virt_chan breaks TX-L6");
    flipped(t, &d, BITS(124), "a check bit: the data are whole; breaks TX-L6");
    flipped(t, &d, BITS(120), "the parity bit: the data are whole; breaks TX-L6");
    flipped(t, &d, BITS(21, 100), "two bits: fatal; breaks TX-L6");
    flipped(t, &d, BITS(21, 25),
            "two bits that the published decoder takes for none; breaks TX-L6");
    flipped(t, &d, BITS(27, 122), "a bit and a check bit: fatal; breaks TX-L6");
    d = golden_tx_draft(false, 0);
    d.edac = true;
    flipped(t, &d, BITS(128), "the same link is clean again");
}

/* ---- a router ---- */

enum { X_MINUS, X_PLUS, PORT_0 };

/* |d| as it comes in from the link X-, or goes out on X+. */
static void pass(golden_tx *t, gw_tx_draft *d, unsigned interface, uint8_t virt_chan,
                 const char *comment)
{
    uint8_t frame[FRAME_MAX] = {1, interface == X_PLUS ? 1 : 0, GW_TX_WORD, 0};

    d->header.virt_chan = virt_chan;
    size_t len = gw_tx_build_run(frame + 4, sizeof frame - 4, d, t->dialect);
    if (len == 0)
        golden_die(comment);
    len += 4 + golden_hex(frame + 4 + len, sizeof frame - 4 - len, CREDIT);
    t->g.interface = interface;
    golden_wait(&t->g, GOLDEN_MS);
    golden_frame(&t->g, frame, len, len, golden_time(&t->g),
                 interface == X_PLUS ? GW_DIR_OUT : GW_DIR_IN, comment);
}

/* |d| as local port 0 delivers it: a datagram, cleared or bounced. */
static void deliver(golden_tx *t, gw_tx_draft *d, bool bounced, const char *comment)
{
    uint8_t bytes[FRAME_MAX], frame[FRAME_MAX];

    d->header.virt_chan = 0;
    d->header.out_of_lattice = bounced;
    d->edac = false;
    size_t len = gw_tx_build(bytes, sizeof bytes, d, t->dialect);
    len = gw_frame_udp_styled(frame, sizeof frame, &golden_tx_near, &golden_tx_far, bytes, len,
                              gw_textarossa.ip_style);
    if (len == 0)
        golden_die(comment);
    t->g.interface = PORT_0;
    t->g.link_type = GW_LINK_ETHERNET;
    golden_wait(&t->g, GOLDEN_MS);
    golden_frame(&t->g, frame, len, len, golden_time(&t->g), GW_DIR_OUT, comment);
    t->g.link_type = GOLDEN_TX_LINK;
}

/* The router of node 1 in a ring of four, captured on both links and on its port 0; then that of
 * node 0, over the wrap-around. */
void golden_tx_link_torus(golden_tx *t)
{
    gw_tx_draft d = golden_tx_draft(false, 20);

    if (gw_pcapng_interface(t->g.w, GOLDEN_TX_LINK, "x+", "the link to the next node") != X_PLUS ||
        gw_pcapng_interface(t->g.w, GW_LINK_ETHERNET, "port0", "what local port 0 delivers") !=
            PORT_0)
        golden_die("interfaces");
    d.edac = true;
    d.header.dest_x = 2;
    pass(t, &d, X_MINUS, GW_TX_VC0, "from node 0 to node 2, here at node 1: two hops, VC0 ...");
    pass(t, &d, X_PLUS, GW_TX_LAST_VC0,
         "... and onward: virt_chan says last hop, the check byte is new, all else is the same");
    d.header.dest_x = 1;
    pass(t, &d, X_MINUS, GW_TX_LAST_VC0, "from node 0 to node 1 ...");
    deliver(t, &d, false, "... delivered: virt_chan cleared, no check byte");
    d = golden_tx_draft(false, 20);
    d.edac = true;
    d.header.dest_x = 9;
    pass(t, &d, X_MINUS, GW_TX_VC0, "to node 9, which a ring of four has not ...");
    deliver(t, &d, true, "... bounced to port 0, which out_of_lattice says: a router may");
    d = golden_tx_draft(false, 20);
    d.edac = true;
    d.header.dest_x = 1;
    pass(t, &d, X_MINUS, GW_TX_LAST_VC1,
         "at node 0, from node 3 to node 1 across the dateline ...");
    pass(t, &d, X_PLUS, GW_TX_LAST_VC0, "... and onward: VC0 once the dateline is behind");
}
