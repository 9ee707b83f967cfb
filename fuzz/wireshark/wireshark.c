/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The Wireshark plugin inside Wireshark's own engine, without a capture file and without tshark.
 * Input: pieces (fuzz.h), each a UDP payload, a TCP segment or a frame of a private link type: the
 * choice says which side sent it, over what, what of it the capture cut or lost, and whether
 * somebody looks at it as it comes.
 *
 * Oracles: Wireshark calls nothing a dissector bug (it aborts when it does), with every tree item
 * made, in the first pass and in later ones in which all frames are known; whoever looks twice sees
 * as many items as before. */
#include "goldwire/net.h"
#include "harness/capture.h"
#include "wireshark/engine.h"

enum { FRAMES_MAX = 32, PORT = 60368 };

static gw_engine_frame frames[FRAMES_MAX];
static unsigned items_of[FRAMES_MAX];
static unsigned num_frames;
static epan_dissect_t *quiet; /* nobody looks: no tree */
static epan_dissect_t *loud;  /* every item is made */

/* One capture for all inputs: opening one takes longer than most. */
static void start_engine(void)
{
    gw_engine_start();
    epan_t *session = gw_engine_open(frames, &num_frames);
    quiet = epan_dissect_new(session, FALSE, FALSE);
    loud = epan_dissect_new(session, TRUE, TRUE);
    gw_fuzz_check(quiet != NULL && loud != NULL, "Wireshark's engine does not start");
}

static void count(proto_node *node, gpointer data)
{
    ++*(unsigned *)data;
    proto_tree_children_foreach(node, count, data);
}

static unsigned dissect(epan_dissect_t *edt, gw_engine_frame *k)
{
    unsigned items = 0;

    gw_engine_dissect(edt, k);
    if (edt == loud)
        proto_tree_children_foreach(edt->tree, count, &items);
    epan_dissect_reset(edt);
    return items;
}

/* Puts |len| bytes of EtherBone's ports into |k|. */
static void wrap(gw_engine_frame *k, uint32_t input, uint8_t choice, const uint8_t *data,
                 size_t len, uint32_t *seq)
{
    const bool reply = (choice & 1) != 0;
    gw_endpoint ends[2] = {
        {{10, (uint8_t)(input >> 16), (uint8_t)(input >> 8), (uint8_t)input},
         40000,
         GW_FAMILY_IPV4,
         0},
        {{127, 0, 0, 1}, PORT, GW_FAMILY_IPV4, 0},
    };

    if (choice & 8)
        seq[reply] += 7; /* lost */
    if (choice & 2) {
        k->len = gw_frame_tcp(k->bytes, sizeof k->bytes, &ends[reply], &ends[!reply], seq[reply],
                              seq[!reply], GW_TCP_ACK, data, len);
        seq[reply] += (uint32_t)len;
    } else {
        k->len = gw_frame_udp(k->bytes, sizeof k->bytes, &ends[reply], &ends[!reply], data, len);
    }
}

/* Makes a frame of |piece|. Every input has addresses and an interface of its own, so that no
 * conversation of an earlier one goes on. */
static void take(uint32_t input, uint8_t choice, gw_cursor piece, uint32_t *seq)
{
    static guint32 number;
    gw_engine_frame *k = &frames[num_frames];
    const bool bare = (choice & 64) != 0; /* APElink, or OP2P */
    size_t len = gw_cursor_left(&piece);

    if (len > 1400)
        len = 1400;
    if (bare && len > 0)
        memcpy(k->bytes, piece.p, len);
    k->len = len;
    if (!bare)
        wrap(k, input, choice, piece.p, len, seq);
    gw_fuzz_check(k->len > 0 || bare, "a payload does not fit its frame");
    k->cap_len = k->len;
    if ((choice & 4) && len > 0)
        k->cap_len -= len / 2; /* the capture cut it */
    int encap = WTAP_ENCAP_ETHERNET;
    if (bare)
        encap = choice & 1 ? WTAP_ENCAP_USER0 : WTAP_ENCAP_USER6;
    int64_t seconds = 1700000000 + (int64_t)num_frames * (choice & 16 ? 3 : 0);
    gw_engine_admit(k, ++number, encap, input, seconds * 1000000000 + (int64_t)num_frames * 1000);
    num_frames++;
    (void)dissect(choice & 32 ? loud : quiet, k);
    k->fd.visited = 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint32_t inputs;
    gw_cursor c = gw_cursor_over(data, size), piece;
    uint32_t seq[2] = {1000, 5000};
    uint8_t choice;

    if (size > 32768)
        return 0;
    if (loud == NULL)
        start_engine();
    inputs++;
    num_frames = 0;
    while (num_frames < FRAMES_MAX && gw_fuzz_piece(&c, &choice, &piece))
        take(inputs, choice, piece, seq);
    gw_fuzz_read(num_frames > 0);
    for (unsigned i = num_frames; i-- > 0;) /* as clicks do: any frame, once all are known */
        items_of[i] = dissect(loud, &frames[i]);
    for (unsigned i = 0; i < num_frames; i++) {
        gw_fuzz_check(dissect(loud, &frames[i]) == items_of[i],
                      "a second look shows something else");
        gw_engine_release(&frames[i]);
    }
    return 0;
}
