/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whole captures through the Wireshark plugin: conversations, TCP and IP put together, runs of
 * links, and all passes. Input: one byte (which formats the flows have, how it is looked at), then
 * pieces (fuzz.h), a message each, or a frame as it is (crash/sequences.h).
 *
 * Oracles: Wireshark calls nothing a dissector bug; a frame shows the same however often and in
 * whatever order frames are looked at once all are known; frames that are named are of the input;
 * who is told where its response is, is told there as its request, and as often. */
#include "crash/sequences.h"
#include "goldwire/checksum.h"
#include "goldwire/ib.h"
#include "goldwire/ims.h"
#include "goldwire/net.h"
#include "goldwire/random.h"
#include "goldwire/writer.h"
#include "harness/capture.h"
#include "wireshark/engine.h"

#include "compat.h"

enum {
    FRAMES_MAX = 48,
    LINKS_MAX = 512,
    OPEN_FOR = 4096, /* inputs, which are one capture: opening one takes as long as hundreds */
    PAYLOAD_MAX = 1400,
    IP = 14, /* where the IP header begins, and how long it is */
    IP_HEADER = 20,
};

/* What is said of a frame in another: the response of |of| is in |in|, or it is its request. */
typedef struct related {
    uint32_t of;
    uint32_t in;
    bool answered;
    bool matched; /* with one that is not, by check_links */
} related;

typedef struct look {
    uint64_t digest; /* of all items that are ours */
    uint32_t number; /* of the frame */
} look;

static gw_engine_frame frames[FRAMES_MAX];
static uint64_t shown[FRAMES_MAX];
static unsigned num_frames;
static unsigned most_frames; /* of this input */
static related links[LINKS_MAX];
static unsigned num_links;
static int64_t time_ns;
static uint32_t num_runs;     /* so far; addresses and interfaces are those of one only */
static guint32 frames_before; /* of them */
static epan_t *session;
static epan_dissect_t *quiet;              /* nobody looks: no tree */
static epan_dissect_t *loud;               /* every item is made */
static uint32_t seq[GW_CAPTURED_FLOWS][2]; /* of TCP, by direction */
static uint16_t identification;            /* of IP packets */

/* ---- what is shown ---- */

static void mix(look *l, uint32_t value)
{
    l->digest = (l->digest ^ value) * UINT64_C(0x100000001b3);
}

static const char *label_of(field_info *fi, char *out)
{
    if (fi->rep != NULL)
        return fi->rep->representation;
    gw_ws_fill_label(fi, out);
    return out;
}

static void note_link(const look *l, const field_info *fi, const char *label)
{
    const char *key = strrchr(fi->hfinfo->abbrev, '.');
    const char *value = strrchr(label, ' ');
    unsigned long frame = value != NULL ? strtoul(value, NULL, 10) : 0;

    /* What is passed on is known by its content, whenever that came: in an input before, perhaps.
     */
    bool passed_on =
        key != NULL && (strcmp(key, ".forwards") == 0 || strcmp(key, ".forwarded_in") == 0);
    gw_fuzz_check((frame > frames_before || (passed_on && frame > 0)) &&
                      frame <= frames_before + num_frames,
                  "a frame of another conversation is named");
    bool in = key != NULL && strcmp(key, ".response_in") == 0;
    bool to =
        key != NULL && (strcmp(key, ".response_to") == 0 || strcmp(key, ".stale_response_to") == 0);
    if ((in || to) && num_links < LINKS_MAX)
        links[num_links++] = in ? (related){.of = l->number, .in = (uint32_t)frame}
                                : (related){(uint32_t)frame, l->number, true, false};
}

static void take_in(proto_node *node, gpointer data)
{
    char room[ITEM_LABEL_LENGTH] = "";
    look *l = data;
    field_info *fi = PNODE_FINFO(node);

    if (fi != NULL) {
        const char *label = label_of(fi, room);
        mix(l, (uint32_t)fi->hfinfo->id);
        mix(l, (uint32_t)fi->start);
        mix(l, (uint32_t)fi->length);
        mix(l, fi->flags);
        for (const char *p = label; *p != '\0'; p++)
            mix(l, (uint8_t)*p);
        if (fi->hfinfo->type == FT_FRAMENUM)
            note_link(l, fi, label);
    }
    proto_tree_children_foreach(node, take_in, data);
}

/* What is not ours is not judged. */
static void take_ours(proto_node *node, gpointer data)
{
    const field_info *fi = PNODE_FINFO(node);

    for (size_t i = 0; fi != NULL && i < gw_num_formats; i++) {
        if (strcmp(fi->hfinfo->abbrev, gw_formats[i]->name) == 0)
            take_in(node, data);
    }
}

static uint64_t show(epan_dissect_t *edt, gw_engine_frame *frame)
{
    look l = {.number = frame->fd.num};

    gw_engine_dissect(edt, frame);
    if (edt->tree != NULL)
        proto_tree_children_foreach(edt->tree, take_ours, &l);
    epan_dissect_reset(edt);
    return l.digest;
}

/* ---- frames ---- */

/* Admits what lies in the next frame, as |piece| says. */
static void admit(const gw_captured *piece, size_t len, int encap, size_t cut)
{
    gw_engine_frame *f = &frames[num_frames];

    if (num_frames == most_frames)
        return;
    f->len = len;
    f->cap_len = len - cut;
    time_ns += piece->later ? INT64_C(3000000000) : 1000;
    num_frames++;
    gw_engine_admit(f, frames_before + num_frames, encap,
                    num_runs * GW_CAPTURED_FLOWS + piece->flow, time_ns);
}

static uint8_t *room(void)
{
    static uint8_t none[GW_ENGINE_FRAME_MAX];

    return num_frames < most_frames ? frames[num_frames].bytes : none;
}

/* Who talks: two flows of an input have one host of ours, all one board. */
static void ends_of(const gw_captured *piece, gw_endpoint ends[2])
{
    const gw_format *format = piece->format;
    gw_endpoint ours = {.port = (uint16_t)(40000 + piece->flow), .family = GW_FAMILY_IPV4};
    gw_endpoint board = {.port = 50000, .family = GW_FAMILY_IPV4};

    if (format->num_udp_ports > 0)
        board.port = format->udp_ports[piece->flow % format->num_udp_ports];
    gw_store_be(ours.ip, (UINT32_C(10) << 24) + 2 * num_runs + piece->flow / 2, 4);
    gw_store_be(board.ip, (UINT32_C(20) << 24) + num_runs, 4);
    ends[piece->reply] = ours;
    ends[!piece->reply] = board;
}

/* Admits the |len| bytes from |at| on of what the IP packet in |whole| carries. */
static void admit_fragment(const gw_captured *piece, const uint8_t *whole, size_t at, size_t len,
                           bool more)
{
    uint8_t *frame = room(), *ip = frame + IP;

    memcpy(frame, whole, IP + IP_HEADER);
    memcpy(frame + IP + IP_HEADER, whole + IP + IP_HEADER + at, len);
    gw_store_be(ip + 2, IP_HEADER + len, 2);
    gw_store_be(ip + 4, identification, 2);
    gw_store_be(ip + 6, (more ? 0x2000u : 0) | at / 8, 2);
    gw_store_be(ip + 10, 0, 2);
    gw_store_be(ip + 10, gw_inet_fold(gw_inet_sum(0, ip, IP_HEADER)), 2);
    admit(piece, IP + IP_HEADER + len, WTAP_ENCAP_ETHERNET, 0);
}

static void take_datagram(const gw_captured *piece, const uint8_t *data, size_t len)
{
    uint8_t packet[PAYLOAD_MAX + GW_IB_ICRC], whole[GW_ENGINE_FRAME_MAX];
    gw_endpoint ends[2];

    ends_of(piece, ends);
    if (piece->format == &gw_ims) {
        len = gw_ib_close_udp(packet, sizeof packet, data, len, &ends[0], &ends[1], 0);
        data = packet;
    }
    len = gw_frame_udp_styled(whole, sizeof whole, &ends[0], &ends[1], data, len,
                              piece->format->ip_style);
    gw_fuzz_check(len > 0, "a payload does not fit its frame");
    size_t payload = len - IP - IP_HEADER, first = payload / 2 & ~(size_t)7;
    identification++;
    if (piece->broken) { /* the later fragment comes first */
        admit_fragment(piece, whole, first, payload - first, false);
        admit_fragment(piece, whole, 0, first, true);
        return;
    }
    memcpy(room(), whole, len);
    admit(piece, len, WTAP_ENCAP_ETHERNET, 0);
}

static void take_segment(const gw_captured *piece, const uint8_t *data, size_t len)
{
    uint32_t *own = &seq[piece->flow][piece->reply], other = seq[piece->flow][!piece->reply];
    gw_endpoint ends[2];

    ends_of(piece, ends);
    if (piece->broken)
        *own += 7; /* lost */
    len = gw_frame_tcp(room(), GW_ENGINE_FRAME_MAX, &ends[0], &ends[1], *own, other, GW_TCP_ACK,
                       data, len);
    gw_fuzz_check(len > 0, "a payload does not fit its frame");
    admit(piece, len, WTAP_ENCAP_ETHERNET, 0);
}

/* Captures of links have a header before what was on the link. */
static size_t write_header(const gw_captured *piece, uint8_t *frame)
{
    const gw_message m = {.link_type = piece->link->link_type,
                          .part = piece->link->part,
                          .interface = piece->flow,
                          .dir = piece->reply ? GW_DIR_OUT : GW_DIR_IN};

    return piece->link->wrap(&m, frame, GW_ENGINE_FRAME_MAX - PAYLOAD_MAX);
}

static void take_bytes(const gw_captured *piece, const uint8_t *data, size_t len)
{
    bool wrapped = piece->link != NULL && piece->link->wrap != NULL;
    size_t head = wrapped ? write_header(piece, room()) : 0;
    int encap = WTAP_ENCAP_ETHERNET;

    if (piece->link != NULL && piece->link->link_type >= GW_LINK_USER0)
        encap = WTAP_ENCAP_USER0 + (piece->link->link_type - GW_LINK_USER0);
    else if (piece->link != NULL)
        encap = WTAP_ENCAP_INFINIBAND;
    if (len > 0)
        memcpy(room() + head, data, len);
    admit(piece, head + len, encap, piece->broken ? len / 2 : 0);
}

static void take(const gw_captured *piece, gw_cursor bytes)
{
    size_t len = gw_cursor_left(&bytes);

    if (len > PAYLOAD_MAX)
        len = PAYLOAD_MAX;
    for (unsigned i = 0; i <= piece->repeated; i++) {
        if (piece->transport == GW_OVER_UDP)
            take_datagram(piece, bytes.p, len);
        else if (piece->transport == GW_OVER_TCP)
            take_segment(piece, bytes.p, len);
        else
            take_bytes(piece, bytes.p, len);
    }
    if (piece->transport == GW_OVER_TCP)
        seq[piece->flow][piece->reply] += (uint32_t)len;
}

/* Makes frames of an input, from the first one on. */
static void make_frames(uint8_t head, gw_cursor c)
{
    gw_cursor bytes;
    uint8_t choice;

    num_frames = 0;
    most_frames = gw_fuzz_most(FRAMES_MAX);
    identification = 0;
    time_ns += INT64_C(100000000000); /* whoever waited in the input before has given up */
    for (unsigned flow = 0; flow < GW_CAPTURED_FLOWS; flow++) {
        seq[flow][0] = 1000;
        seq[flow][1] = UINT32_MAX - 40; /* wraps */
    }
    while (num_frames < most_frames && gw_fuzz_piece(&c, &choice, &bytes)) {
        gw_captured piece = gw_captured_of(head, choice);
        take(&piece, bytes);
    }
}

/* ---- passes ---- */

/* Each that is told where its response is needs one of its own that is told there. */
static bool is_answered(const related *asked)
{
    for (unsigned i = 0; i < num_links; i++) {
        related *l = &links[i];
        if (!l->answered || l->matched || l->of != asked->of || l->in != asked->in)
            continue;
        l->matched = true;
        return true;
    }
    return false;
}

static void check_links(void)
{
    for (unsigned i = 0; num_links < LINKS_MAX && i < num_links; i++)
        gw_fuzz_check(links[i].answered || is_answered(&links[i]),
                      "a response does not know its request");
}

/* Looks at the frames in an order of chance. */
static void look_around(uint64_t seed)
{
    gw_random random = {seed};

    for (unsigned i = 0; i < 2 * num_frames; i++) {
        unsigned at = gw_random_below(&random, num_frames);
        gw_fuzz_check(show(loud, &frames[at]) == shown[at], "a later look shows something else");
    }
}

static void open_capture(void)
{
    if (session != NULL) {
        epan_dissect_free(quiet);
        epan_dissect_free(loud);
        epan_free(session);
    } else {
        gw_engine_start();
    }
    session = gw_engine_open(frames, &num_frames);
    quiet = epan_dissect_new(session, FALSE, FALSE);
    loud = epan_dissect_new(session, TRUE, TRUE);
    gw_fuzz_check(quiet != NULL && loud != NULL, "nothing can be dissected");
    num_runs = 1;
    frames_before = 0;
    time_ns = INT64_C(1700000000000000000);
}

/* Whether Wireshark puts TCP's segments together for the plugin, as users may turn off. */
static void put_together(bool wanted)
{
    static bool is_now = true; /* by default */
    char setting[64], *why = NULL;

    if (wanted == is_now)
        return;
    (void)snprintf(setting, sizeof setting, "tcp.desegment_tcp_streams:%s",
                   wanted ? "TRUE" : "FALSE");
    gw_fuzz_check(prefs_set_pref(setting, &why) == PREFS_SET_OK, "no such preference");
    is_now = wanted;
}

static void run(uint8_t head, gw_cursor in)
{
    epan_dissect_t *first;

    if (num_runs++ % OPEN_FOR == 0)
        open_capture();
    put_together((head & 0x20) == 0);
    first = (head & 0x10) != 0 ? loud : quiet;
    make_frames(head, in);
    for (unsigned i = 0; i < num_frames; i++) {
        (void)show(first, &frames[i]);
        frames[i].fd.visited = 1;
    }
    num_links = 0;
    for (unsigned i = 0; i < num_frames; i++)
        shown[i] = show(loud, &frames[i]);
    check_links();
    look_around(head);
    for (unsigned i = 0; i < num_frames; i++)
        gw_engine_release(&frames[i]);
    frames_before += num_frames;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gw_cursor in = gw_cursor_over(data, size);
    uint8_t head;

    if (size > 32768 || !gw_cursor_u8(&in, &head))
        return 0;
    run(head, in);
    gw_fuzz_read(num_links > 0);
    return 0;
}
