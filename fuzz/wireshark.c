/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The Wireshark plugin inside Wireshark's own engine, without a capture file and without tshark.
 * Input: pieces (fuzz.h), each a UDP payload, a TCP segment or a frame of a private link type: the
 * choice says which side sent it, over what, what of it the capture cut or lost, and whether
 * somebody looks at it as it comes.
 *
 * Oracles: Wireshark calls nothing a dissector bug (it aborts when it does), with every tree item
 * made, in the first pass and in later ones in which all frames are known; whoever looks twice sees
 * as many items as before. */
#include <epan/epan.h>
#include <epan/epan_dissect.h>
#include <epan/frame_data.h>
#include <epan/proto.h>
#include <epan/timestamp.h>
#include <epan/tvbuff.h>
#include <wiretap/wtap.h>
#include <wsutil/filesystem.h>
#include <wsutil/privileges.h>
#include <wsutil/wslog.h>

#include "fuzz.h"
#include "goldwire/net.h"
#include "harness/capture.h"

enum { FRAMES_MAX = 32, FRAME_MAX = 2048, PORT = 60368 };

void plugin_register(void);
int __lsan_is_turned_off(void);

/* What Wireshark keeps until its end looks like leaks, and looking takes longer than the rest. */
int __lsan_is_turned_off(void)
{
    return 1;
}

struct kept {
    frame_data fd;
    wtap_rec rec;
    uint8_t bytes[FRAME_MAX];
    size_t len;
    unsigned items;
};

static struct kept frames[FRAMES_MAX];
static unsigned num_frames;
static epan_t *session;
static epan_dissect_t *quiet; /* nobody looks: no tree */
static epan_dissect_t *loud;  /* every item is made */

static const nstime_t *time_of(struct packet_provider_data *prov, guint32 number)
{
    static const nstime_t earlier = {.secs = 1700000000}; /* a frame of an input before */

    (void)prov;
    for (unsigned i = 0; i < num_frames; i++) {
        if (frames[i].fd.num == number)
            return &frames[i].fd.abs_ts;
    }
    return &earlier;
}

static void start_engine(void)
{
    static const struct packet_provider_funcs funcs = {.get_frame_ts = time_of};
    static char name[] = "fuzz_wireshark";

    /* Plain malloc for Wireshark's pools, so that AddressSanitizer sees one byte too far. */
    gw_fuzz_check(setenv("WIRESHARK_ABORT_ON_DISSECTOR_BUG", "1", 1) == 0 &&
                      setenv("WIRESHARK_DEBUG_WMEM_OVERRIDE", "simple", 1) == 0,
                  "no environment");
    ws_log_init(name, NULL);
    init_process_policies();
    free(configuration_init(name, NULL));
    wtap_init(FALSE);
    plugin_register();
    gw_fuzz_check(epan_init(NULL, NULL, FALSE), "Wireshark's engine does not start");
    (void)epan_load_settings();
    timestamp_set_type(TS_RELATIVE);
    session = epan_new(NULL, &funcs);
    quiet = epan_dissect_new(session, FALSE, FALSE);
    loud = epan_dissect_new(session, TRUE, TRUE);
    gw_fuzz_check(quiet != NULL && loud != NULL, "Wireshark's engine does not start");
}

static void count(proto_node *node, gpointer data)
{
    ++*(unsigned *)data;
    proto_tree_children_foreach(node, count, data);
}

static unsigned dissect(epan_dissect_t *edt, struct kept *k)
{
    unsigned items = 0;

    epan_dissect_run(
        edt, WTAP_FILE_TYPE_SUBTYPE_UNKNOWN, &k->rec,
        tvb_new_real_data(k->bytes, (guint)k->len, (gint)k->rec.rec_header.packet_header.len),
        &k->fd, NULL);
    if (edt == loud)
        proto_tree_children_foreach(edt->tree, count, &items);
    epan_dissect_reset(edt);
    return items;
}

/* Puts |len| bytes of EtherBone's ports into |k|. */
static void wrap(struct kept *k, uint32_t input, uint8_t choice, const uint8_t *data, size_t len,
                 uint32_t *seq)
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
    struct kept *k = &frames[num_frames];
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
    wtap_rec_init(&k->rec);
    k->rec.rec_type = REC_TYPE_PACKET;
    k->rec.presence_flags = WTAP_HAS_TS | WTAP_HAS_CAP_LEN | WTAP_HAS_INTERFACE_ID;
    k->rec.ts.secs = 1700000000 + (time_t)num_frames * (choice & 16 ? 3 : 0);
    k->rec.ts.nsecs = (int)num_frames * 1000;
    k->rec.rec_header.packet_header.len = (guint32)k->len;
    if ((choice & 4) && len > 0)
        k->len -= len / 2; /* the capture cut it */
    k->rec.rec_header.packet_header.caplen = (guint32)k->len;
    k->rec.rec_header.packet_header.interface_id = input;
    k->rec.rec_header.packet_header.pkt_encap = WTAP_ENCAP_ETHERNET;
    if (bare)
        k->rec.rec_header.packet_header.pkt_encap =
            choice & 1 ? WTAP_ENCAP_USER0 : WTAP_ENCAP_USER6;
    frame_data_init(&k->fd, ++number, &k->rec, 0, 0);
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
    if (session == NULL)
        start_engine();
    inputs++;
    num_frames = 0;
    while (num_frames < FRAMES_MAX && gw_fuzz_piece(&c, &choice, &piece))
        take(inputs, choice, piece, seq);
    gw_fuzz_read(num_frames > 0);
    for (unsigned i = num_frames; i-- > 0;) /* as clicks do: any frame, once all are known */
        frames[i].items = dissect(loud, &frames[i]);
    for (unsigned i = 0; i < num_frames; i++) {
        gw_fuzz_check(dissect(loud, &frames[i]) == frames[i].items,
                      "a second look shows something else");
        frame_data_destroy(&frames[i].fd);
        wtap_rec_cleanup(&frames[i].rec);
    }
    return 0;
}
