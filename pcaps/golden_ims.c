/* SPDX-License-Identifier: BSD-2-Clause */
/* IMS streaming: what one buffer and many Workers say to each other, over RoCEv2 and as frames of a
 * native link. No board plays here: the packets are built, and broken by hand. */
#include "golden.h"

#include <stdio.h>
#include <string.h>

#include "goldwire/ims.h"
#include "goldwire/writer.h"

#define FRAME_MAX 8192
#define WORKER_KEY 0x33333333u
#define SERVICE_KEY 0x0b0b0b0bu
#define RKEY 0xcafe0002u
#define START UINT64_C(0x2000000000) /* where the first frame of each data channel begins */

#define FRAME UINT64_C(256) /* bytes of a frame: four packets */
#define PACKET ((size_t)64)

enum {
    SERVICE_QP = 2,
    BUFFER_LID = 7,
};

/* What a trace's packets travel in. */
typedef enum carriage {
    ROCE_V4 = 0,
    ROCE_V6,
    ERF,
    EXPORTED_PDU,
    USER0, /* LRH to VCRC, under a private link type */
} carriage;

typedef struct trace {
    golden g;
    const gw_dialect *dialect;
    carriage carriage;
    unsigned worker; /* who talks: its addresses and queue pairs follow from the number */
    gw_ims_status status;
    uint32_t dest_qp; /* where answers go, and with which key */
    uint32_t dest_key;
    uint32_t service_key; /* with which requests go */
    uint32_t rkey;
    uint32_t psn[2];
    uint32_t icrc_flaw;
    uint16_t vcrc_flaw;
    uint16_t slid;   /* of the Worker, when another than it says */
    int said_longer; /* bytes by which the LRH's length is too large */
    size_t cut;      /* bytes that the capture does not keep */
    bool has_grh;
    bool one_lane; /* status and data share lane and level */
} trace;

/* ---- who ---- */

static uint32_t status_qp(const trace *t)
{
    return 0x300 + 2 * t->worker;
}

static uint32_t data_qp(const trace *t)
{
    return status_qp(t) + 1;
}

static uint32_t buffer_qp(const trace *t)
{
    return 0x80 + t->worker;
}

static uint16_t worker_lid(const trace *t)
{
    return (uint16_t)(0x20 + t->worker);
}

static gw_endpoint end_of(const trace *t, bool of_worker)
{
    const bool v6 = t->carriage == ROCE_V6;
    gw_endpoint end = v6 ? golden_slave6 : golden_slave;

    end.port = GW_ROCE_PORT;
    if (of_worker)
        end.ip[v6 ? 15 : 3] = (uint8_t)(16 + t->worker);
    return end;
}

/* Another Worker, of whom nothing was heard. */
static void next_worker(trace *t)
{
    t->worker++;
    t->status = (gw_ims_status){
        .major = GW_IMS_MAJOR, .minor = GW_IMS_MINOR, .lid = worker_lid(t), .qpn = status_qp(t)};
    t->dest_qp = status_qp(t);
    t->dest_key = WORKER_KEY;
    t->service_key = SERVICE_KEY;
    t->rkey = RKEY;
    t->psn[0] = t->psn[1] = 0;
}

static void open_trace(trace *t, const char *folder, const char *name, carriage how,
                       const char *dialect)
{
    static const uint32_t link_types[] = {GW_LINK_ETHERNET, GW_LINK_ETHERNET, GW_LINK_ERF,
                                          GW_LINK_EXPORTED_PDU, GW_LINK_USER0};
    static const char reader[] = "order-auto";
    char path[1024], says[128] = "packets built by hand";

    memset(t, 0, sizeof *t);
    t->dialect = gw_dialect_by_name(&gw_ims, dialect);
    /* What nobody could know by itself is said; one trace is for a reader that finds it out. */
    if (how == USER0 || t->dialect != &gw_ims.dialects[0])
        snprintf(says, sizeof says, "goldwire: ims dialect=%s - packets built by hand",
                 strstr(name, reader) != NULL ? reader : dialect);
    t->carriage = how;
    t->g.now = GW_VIRTUAL_EPOCH_NS;
    t->g.link_type = link_types[how];
    snprintf(path, sizeof path, "%s/%s.pcapng", folder, name);
    t->g.file = fopen(path, "wb");
    t->g.w = t->g.file == NULL ? NULL : gw_pcapng_create(t->g.file, "goldwire golden_traces");
    if (t->g.w == NULL || t->dialect == NULL ||
        gw_pcapng_interface(t->g.w, t->g.link_type, "lab0", says) != 0)
        golden_die(path);
    next_worker(t);
}

/* ---- packets ---- */

static size_t put_roce(const trace *t, uint8_t *frame, const uint8_t *packet, size_t len,
                       bool from_worker)
{
    gw_endpoint src = end_of(t, from_worker), dst = end_of(t, !from_worker);
    uint8_t datagram[FRAME_MAX];

    src.port = 49152;
    size_t datagram_len =
        gw_ib_close_udp(datagram, sizeof datagram, packet, len, &src, &dst, t->icrc_flaw);
    return gw_frame_udp_styled(frame, FRAME_MAX, &src, &dst, datagram, datagram_len,
                               gw_ims.ip_style);
}

static size_t put_native(const trace *t, uint8_t *frame, const uint8_t *packet, size_t len,
                         bool from_worker)
{
    static const uint8_t grh[GW_IB_GRH] = {
        0x60, [6] = 0x1b, [7] = 1, [8] = 0xfe, [9] = 0x80, [24] = 0xfe, [25] = 0x80};
    uint16_t slid = t->slid != 0 ? t->slid : worker_lid(t);
    bool is_status = packet[0] == GW_IB_UD_SEND_ONLY;
    uint8_t lane = is_status || t->one_lane ? 0 : 1;
    uint8_t lrh[GW_IB_LRH];

    gw_ib_put_lrh(lrh, lane, lane, from_worker ? BUFFER_LID : slid, from_worker ? slid : BUFFER_LID,
                  len + (size_t)t->said_longer, t->has_grh);
    return gw_ib_close_native(frame, FRAME_MAX, lrh, t->has_grh ? grh : NULL, packet, len,
                              t->icrc_flaw, t->vcrc_flaw);
}

/* What the carriage puts before a frame. */
static size_t put_head(const trace *t, uint8_t *out, size_t len)
{
    gw_writer w = gw_writer_over(out, 64);

    if (t->carriage == ERF) {
        gw_erf_header(out, GW_ERF_INFINIBAND, golden_time(&t->g), len, t->cut);
        return GW_ERF_HEADER;
    }
    if (t->carriage != EXPORTED_PDU)
        return 0;
    gw_write_be(&w, 12, 2); /* the dissector's name */
    gw_write_be(&w, 12, 2);
    gw_write_bytes(&w, "infiniband\0", 12);
    gw_write_be(&w, 0, 4);
    return w.len;
}

/* Sends |len| bytes of a packet, BTH to pad. */
static void put_packet(trace *t, const uint8_t *packet, size_t len, bool from_worker,
                       const char *comment)
{
    uint8_t frame[FRAME_MAX], bytes[FRAME_MAX + 64];
    bool native = t->carriage >= ERF;
    size_t frame_len = native ? put_native(t, frame, packet, len, from_worker)
                              : put_roce(t, frame, packet, len, from_worker);

    if (frame_len == 0 || frame_len < t->cut)
        golden_die(comment);
    golden_wait(&t->g, GOLDEN_MS / 100);
    size_t head = put_head(t, bytes, frame_len);
    memcpy(bytes + head, frame, frame_len);
    golden_frame(&t->g, bytes, head + frame_len - t->cut, head + frame_len, golden_time(&t->g),
                 from_worker ? GW_DIR_IN : GW_DIR_OUT, comment);
}

static void put_draft(trace *t, const gw_ims_draft *draft, bool from_worker, const char *comment)
{
    uint8_t packet[GW_IB_PACKET_MAX];
    size_t len = gw_ims_build(packet, sizeof packet, draft, t->dialect);

    if (len == 0)
        golden_die(comment);
    put_packet(t, packet, len, from_worker, comment);
}

static void put_hex(trace *t, const char *hex, bool from_worker, const char *comment)
{
    uint8_t packet[512];
    size_t len = golden_hex(packet, sizeof packet, hex);

    put_packet(t, packet, len, from_worker, comment);
}

/* The same to the buffer's data channel, whatever queue pair |hex| names. */
static void put_hex_to_channel(trace *t, const char *hex, const char *comment)
{
    uint8_t packet[512];
    size_t len = golden_hex(packet, sizeof packet, hex);

    gw_store_be(packet + GW_IB_BTH - 7, buffer_qp(t), 3);
    put_packet(t, packet, len, true, comment);
}

/* ---- the status channel ---- */

static gw_ims_draft request_of(const trace *t, uint8_t method)
{
    gw_ims_status status = t->status;

    status.method = method;
    if (method == GW_IMS_STAT_REQ)
        status.key = WORKER_KEY;
    else if (method == GW_IMS_DATA_REQ)
        status.key = data_qp(t);
    return gw_ims_draft_status(SERVICE_QP, status_qp(t), t->service_key, 0, &status);
}

static gw_ims_draft answer_of(const trace *t, uint8_t method)
{
    gw_ims_status status = t->status;

    status.method = method;
    if (method == GW_IMS_DATA_RES) {
        status.key = buffer_qp(t);
        status.va = START;
        status.rkey = RKEY;
    }
    return gw_ims_draft_status(t->dest_qp, SERVICE_QP, t->dest_key, 0, &status);
}

static void ask(trace *t, uint8_t method, const char *comment)
{
    gw_ims_draft d = request_of(t, method);
    put_draft(t, &d, true, comment);
}

static void answer(trace *t, uint8_t method, const char *comment)
{
    gw_ims_draft d = answer_of(t, method);
    put_draft(t, &d, false, comment);
}

static void register_worker(trace *t)
{
    ask(t, GW_IMS_STAT_REQ, "a Worker registers with LID, queue pair and queue key ...");
    answer(t, GW_IMS_STAT_RES, "... and is told the buffer's version");
}

static void open_data(trace *t)
{
    ask(t, GW_IMS_DATA_REQ, "a data channel is asked for ...");
    answer(t, GW_IMS_DATA_RES, "... and is ready: queue pair, address and key");
}

static void set_up(trace *t)
{
    register_worker(t);
    open_data(t);
}

static void tear_down(trace *t)
{
    ask(t, GW_IMS_DATA_TERM, "the data channel ends ...");
    answer(t, GW_IMS_DATA_DOWN, "... and is down");
    ask(t, GW_IMS_STAT_TERM, "the Worker leaves ...");
    answer(t, GW_IMS_STAT_DOWN, "... and is gone");
}

/* A Worker of its own that has set its channel up. */
static void another(trace *t)
{
    next_worker(t);
    set_up(t);
}

/* ---- the data channel ---- */

/* Bytes |offset| to |offset| + |len| of the frame of |length| bytes at START + |at|. */
static void piece(trace *t, uint64_t at, uint32_t length, uint32_t offset, size_t len,
                  const char *comment)
{
    gw_ib_reth reth = {.va = START + at, .rkey = t->rkey, .length = length};
    uint8_t data[GW_IMS_PACKET_MAX];

    for (size_t i = 0; i < len; i++)
        data[i] = (uint8_t)((at + offset + i) * 5 & 0x3f);
    gw_ims_draft d = gw_ims_draft_write(buffer_qp(t), t->psn[0]++, &reth, offset, data, len);
    put_draft(t, &d, true, comment);
}

/* A frame of FRAME bytes; packet |lost| (counting from 0) does not arrive. */
static void frame_without(trace *t, uint64_t at, unsigned lost, const char *comment)
{
    for (unsigned i = 0; i < FRAME / PACKET; i++) {
        if (i == lost) {
            t->psn[0]++;
            continue;
        }
        piece(t, at, FRAME, i * PACKET, PACKET,
              i == 0 || (i == 1 && lost == 0) ? comment : "more of it");
    }
}

static void frame(trace *t, uint64_t at, const char *comment)
{
    frame_without(t, at, UINT32_MAX, comment);
}

/* A response to the frame at START + |at|: an ACK when there are no |events|. */
static void respond(trace *t, uint32_t events, uint64_t at, const char *comment)
{
    bool no_start = (events & GW_IMS_NO_START) != 0;
    gw_ims_ack ack = {.type = events != 0 ? GW_IMS_TYPE_NACK : GW_IMS_TYPE_ACK,
                      .events = events,
                      .va = no_start ? 0 : START + at};
    gw_ims_draft d = gw_ims_draft_ack(data_qp(t), t->psn[1]++, &ack);

    put_draft(t, &d, false, comment);
}

static void delivered(trace *t, uint64_t at)
{
    frame(t, at, "a frame ...");
    respond(t, 0, at, "... is acknowledged");
}

/* ---- traces: good ---- */

static void session(trace *t)
{
    set_up(t);
    for (unsigned i = 0; i < 3; i++)
        delivered(t, (uint64_t)i * FRAME);
    frame(t, 3 * FRAME, "two frames are in flight: one ...");
    frame(t, 4 * FRAME, "... and the other");
    respond(t, 0, 4 * FRAME, "the other is acknowledged first");
    respond(t, 0, 3 * FRAME, "then the one");
    frame_without(t, 5 * FRAME, 2, "a frame that loses a packet on the way ...");
    respond(t, GW_IMS_OUT_OF_SEQUENCE | GW_IMS_FRAME_LENGTH, 5 * FRAME,
            "... is refused: out of sequence, frame length ...");
    frame(t, 5 * FRAME, "... and sent again ...");
    respond(t, 0, 5 * FRAME, "... which is acknowledged");
    frame(t, 6 * FRAME, "a frame whose ACK gets lost ...");
    golden_wait(&t->g, 2000 * GOLDEN_MS);
    frame(t, 6 * FRAME, "... comes again after the time-out ...");
    respond(t, 0, 6 * FRAME, "... and is acknowledged again");
    piece(t, 7 * FRAME, 64, 0, 64, "the last frame is shorter: one packet ...");
    respond(t, 0, 7 * FRAME, "... acknowledged");
    tear_down(t);
}

static void large_packets(trace *t)
{
    set_up(t);
    for (unsigned i = 0; i < 2; i++) {
        piece(t, (uint64_t)i * 8256, 8256, 0, 4096, "a frame of 8256 bytes: 4096 ...");
        piece(t, (uint64_t)i * 8256, 8256, 4096, 4096, "... 4096 ...");
        piece(t, (uint64_t)i * 8256, 8256, 8192, 64, "... and 64");
        respond(t, 0, (uint64_t)i * 8256, "acknowledged");
    }
    ask(t, GW_IMS_STAT_TERM, "the Worker leaves without ending the data channel first ...");
    answer(t, GW_IMS_STAT_DOWN, "... which ends it as well");
}

static void refused_and_again(trace *t, uint64_t at, uint32_t events, const char *why,
                              int64_t wait_ns)
{
    frame(t, at, "a frame ...");
    respond(t, events, at, why);
    golden_wait(&t->g, wait_ns);
    frame(t, at, "it comes again ...");
    respond(t, 0, at, "... and is acknowledged");
}

static void nacks(trace *t)
{
    set_up(t);
    frame_without(t, 0, 1, "a frame that loses a packet ...");
    respond(t, GW_IMS_OUT_OF_SEQUENCE | GW_IMS_FRAME_LENGTH, 0, "out of sequence, frame length");
    frame(t, 0, "it comes again ...");
    respond(t, 0, 0, "... and is acknowledged");
    refused_and_again(t, FRAME, GW_IMS_PARITY, "parity error", 0);
    refused_and_again(t, 2 * FRAME, GW_IMS_OUTSIDE_WINDOW, "outside window: after a wait ...",
                      GW_IMS_WAIT_NS);
    refused_and_again(t, 3 * FRAME, GW_IMS_BAD_FRAME, "end of bad frame", 0);
    refused_and_again(t, 4 * FRAME, GW_IMS_BAD_FRAME | GW_IMS_BAD_PACKET,
                      "end of bad packet, and so of a bad frame", 0);
    refused_and_again(t, 5 * FRAME, GW_IMS_CORRECTABLE, "correctable ECC error", 0);
    refused_and_again(t, 6 * FRAME, GW_IMS_UNCORRECTABLE, "uncorrectable ECC error", 0);
    frame_without(t, 7 * FRAME, 0, "a frame that loses its start ...");
    respond(t, GW_IMS_NO_START, 0, "no start of frame, address 0");
    frame(t, 7 * FRAME, "it comes again ...");
    respond(t, 0, 7 * FRAME, "... and is acknowledged");
    tear_down(t);
}

/* Frames that a Worker ought not to send, and the NACKs that say so. */
static void nacks_of_faults(trace *t)
{
    set_up(t);
    delivered(t, 0);
    t->rkey ^= 1;
    frame(t, FRAME, "another key than that of DATA_RES breaks IMS-W5");
    respond(t, GW_IMS_INVALID_RKEY, FRAME, "invalid RKEY: the Worker has to stop");
    another(t);
    delivered(t, 0);
    frame(t, FRAME + 4, "a frame that begins at no multiple of 64 breaks IMS-W7 IMS-W11");
    respond(t, GW_IMS_INVALID_VA, FRAME + 4, "invalid VA: the Worker has to stop");
    another(t);
    piece(t, 0, FRAME, 0, PACKET, "a frame of 256 bytes that ends after 128 breaks IMS-W30");
    piece(t, 0, FRAME, FRAME - PACKET, PACKET, "its end");
    respond(t, GW_IMS_FRAME_LENGTH, 0, "frame length");
    frame(t, 0, "it comes again, whole ...");
    respond(t, 0, 0, "... and is acknowledged");
    piece(t, FRAME, 32, 0, 32, "a packet of 32 bytes breaks IMS-W8 IMS-W9");
    respond(t, GW_IMS_PACKET_LENGTH, FRAME, "packet length");
    frame(t, FRAME, "it comes again, filled up ...");
    respond(t, 0, FRAME, "... and is acknowledged");
    piece(t, 2 * FRAME, FRAME, PACKET, PACKET,
          "a packet of a frame that did not begin breaks IMS-W30");
    respond(t, GW_IMS_NO_START, 0, "no start of frame");
    frame(t, 2 * FRAME, "it comes again, whole ...");
    respond(t, 0, 2 * FRAME, "... and is acknowledged");
    tear_down(t);
}

static void dialect_session(trace *t)
{
    set_up(t);
    delivered(t, 0);
    refused_and_again(t, FRAME, GW_IMS_PARITY, "a NACK", 0);
    tear_down(t);
}

/* One image in a frame; what |flaw| is added to its address and flipped in a pixel. */
static void image_frame(trace *t, uint8_t flaw, const char *comment)
{
    static uint8_t image[GW_IMS_IMAGE_4BIT];
    gw_ib_reth reth = {.va = START, .rkey = RKEY, .length = sizeof image};

    set_up(t);
    for (unsigned column = 0; column < GW_IMS_IMAGE_SIDE; column += 10) {
        uint8_t *pixels = image + GW_IMS_IMAGE_HEADER + (size_t)column * GW_IMS_IMAGE_SIDE / 2;
        for (unsigned row = 0; row < GW_IMS_IMAGE_SIDE; row += 2)
            pixels[row / 2] = (uint8_t)((row & 15) | ((row + 1) & 15) << 4);
    }
    gw_ims_image_seal(NULL, &gw_ims_image_default, image, sizeof image, START + flaw);
    image[5000] ^= flaw;
    for (uint32_t offset = 0; offset < sizeof image; offset += GW_IMS_PACKET_MAX) {
        size_t left = sizeof image - offset;
        gw_ims_draft d =
            gw_ims_draft_write(buffer_qp(t), t->psn[0]++, &reth, offset, image + offset,
                               left < GW_IMS_PACKET_MAX ? left : GW_IMS_PACKET_MAX);
        put_draft(t, &d, true, offset == 0 ? comment : "more of it");
    }
    respond(t, 0, 0, "... is acknowledged");
    tear_down(t);
}

static void good_image(trace *t)
{
    image_frame(t, 0, "an image of 4 bits a pixel: CRC-32C, its address, 256 columns ...");
}

static void broken_image(trace *t)
{
    image_frame(t, 64,
                "an image that names another address, and was damaged breaks IMS-W26 IMS-W27");
}

/* What shares the port with this protocol and is none of it. */
static void foreign(trace *t)
{
    put_hex(t, "0a00ffff 00000090 80000000 0000002000000044 cafe0002 00000040", true,
            "RDMA write of the reliable service: not judged");
    put_hex(t, "6400ffff 00000001 00000005 80010000 00000001 01030181 00000000", true,
            "management datagram to queue pair 1: not judged");
    put_hex(t, "8140ffff 40000090 00000000 00000000000000000000000000000000", true,
            "congestion notification: not judged");
    register_worker(t);
}

/* What a short snap length leaves of packets. */
static void truncated(trace *t)
{
    set_up(t);
    t->cut = 40;
    piece(t, 0, FRAME, 0, PACKET, "the capture lost the last 40 bytes of this packet");
    ask(t, GW_IMS_DATA_TERM, "nor of this one, and with them the status packet");
    t->cut = 0;
    tear_down(t);
}

/* ---- traces: the status channel, broken ---- */

static void raw_status(trace *t, size_t len, const char *comment)
{
    gw_ims_draft d = request_of(t, GW_IMS_STAT_REQ);
    uint8_t bytes[64] = {0};

    gw_ims_put_status(bytes, &d.status, GW_IMS_LE);
    d.raw = true;
    d.payload = bytes;
    d.payload_len = len;
    put_draft(t, &d, true, comment);
}

static void broken_formats(trace *t)
{
    register_worker(t);
    raw_status(t, 24, "24 bytes of a status packet breaks IMS-C1");
    raw_status(t, 32, "32 bytes of a status packet breaks IMS-C1");
    ask(t, 8, "method 8 breaks IMS-C2");
    t->status.reserved = 1;
    ask(t, GW_IMS_STAT_REQ, "the reserved byte is 1 breaks IMS-C5");
    t->status.reserved = 0;
    answer(t, GW_IMS_STAT_RES, "answered all the same");
    gw_ims_draft d = request_of(t, GW_IMS_STAT_REQ);
    d.bth.opcode = GW_IB_UD_SEND_ONLY_IMM;
    put_draft(t, &d, true, "a status packet with immediate data breaks IMS-C11");
    answer(t, GW_IMS_STAT_RES, "answered all the same");
    d.bth.opcode = GW_IB_UC_SEND_ONLY;
    d.raw = true;
    d.payload = (const uint8_t[GW_IMS_STATUS]){0, 0, 1, 1};
    d.payload_len = GW_IMS_STATUS;
    put_draft(t, &d, true, "a status packet by UC SEND breaks IMS-C11");
    next_worker(t);
    t->status.lid |= 0x10000;
    ask(t, GW_IMS_STAT_REQ, "a LID of 17 bits breaks IMS-C4");
}

static void broken_requests(trace *t)
{
    ask(t, GW_IMS_STAT_REQ, "a Worker registers ...");
    ask(t, GW_IMS_DATA_REQ, "... and does not wait for the answer breaks IMS-W2");
    answer(t, GW_IMS_STAT_RES, "the answer");
    answer(t, GW_IMS_DATA_RES, "the other answer");
    next_worker(t);
    t->status.qpn++;
    ask(t, GW_IMS_STAT_REQ, "another queue pair than its own breaks IMS-W1");
    next_worker(t);
    register_worker(t);
    ask(t, GW_IMS_DATA_TERM, "no data channel was opened breaks IMS-W21");
    answer(t, GW_IMS_DATA_DOWN, "answered all the same");
    gw_ims_draft d = request_of(t, GW_IMS_DATA_REQ);
    d.status.key = 1;
    put_draft(t, &d, true, "queue pair 1 for data breaks IMS-W3");
    answer(t, GW_IMS_DATA_RES, "answered all the same");
    next_worker(t);
    register_worker(t);
    d = answer_of(t, GW_IMS_STAT_RES);
    d.bth.dest_qp = SERVICE_QP;
    put_draft(t, &d, true, "an answer to the buffer breaks IMS-C3");
}

static void broken_answers(trace *t)
{
    register_worker(t);
    next_worker(t);
    ask(t, GW_IMS_STAT_REQ, "a Worker registers ...");
    t->dest_key ^= 1;
    answer(t, GW_IMS_STAT_RES, "... and the answer has another queue key breaks IMS-B4");
    t->dest_key ^= 1;
    ask(t, GW_IMS_DATA_REQ, "a data channel is asked for ...");
    t->status.lid ^= 1;
    answer(t, GW_IMS_DATA_RES, "... and the answer names another LID breaks IMS-B5");
    next_worker(t);
    t->service_key ^= 1;
    ask(t, GW_IMS_STAT_REQ, "a datagram with a wrong queue key ...");
    answer(t, GW_IMS_STAT_RES, "... is answered breaks IMS-B2");
    t->service_key ^= 1;
    ask(t, GW_IMS_DATA_REQ, "a data channel is asked for ...");
    t->status.minor = 0;
    answer(t, GW_IMS_DATA_RES, "... and the answer has another version breaks IMS-B14");
    t->status.minor = GW_IMS_MINOR;
    ask(t, GW_IMS_STAT_TERM, "the Worker leaves ...");
    answer(t, GW_IMS_STAT_DOWN, "... and is gone");
    ask(t, GW_IMS_DATA_REQ, "asks for a data channel all the same breaks IMS-W2");
    answer(t, GW_IMS_DATA_RES, "and is answered breaks IMS-B8");
    next_worker(t);
    register_worker(t);
    ask(t, GW_IMS_DATA_REQ, "a data channel is asked for ...");
    gw_ims_draft d = answer_of(t, GW_IMS_DATA_RES);
    d.status.va += 32;
    put_draft(t, &d, false, "... and the address is no multiple of 64 breaks IMS-B10");
}

static void later_version(trace *t)
{
    t->status.major = 2;
    t->status.minor = 0;
    ask(t, GW_IMS_STAT_REQ, "a Worker registers ...");
    answer(t, GW_IMS_STAT_RES, "... with a buffer of version 2.0");
    ask(t, GW_IMS_DATA_REQ, "and goes on breaks IMS-W29");
    answer(t, GW_IMS_DATA_RES, "and is answered");
}

/* One that is missing may have got lost; of sixteen of a kind in a row nobody can say so. */
static void silence(trace *t)
{
    enum { SILENT = 16 };

    set_up(t);
    for (unsigned times = 1; times <= SILENT; times++) {
        bool last = times == SILENT;
        delivered(t, (times - 1) * FRAME);
        ask(t, GW_IMS_STAT_REQ,
            last ? "once more no answer to STAT_REQ breaks IMS-B3" : "nobody answers STAT_REQ");
        ask(t, GW_IMS_DATA_REQ,
            last ? "once more no answer to DATA_REQ breaks IMS-B9" : "nobody answers DATA_REQ");
        piece(t, times * FRAME, 64, 0, 64,
              last ? "once more no response to a frame of one packet breaks IMS-B15"
                   : "nobody responds to a frame of one packet");
        golden_wait(&t->g, 6000 * GOLDEN_MS);
    }
    for (unsigned times = 1; times <= SILENT; times++) {
        bool last = times == SILENT;
        another(t);
        ask(t, GW_IMS_DATA_TERM,
            last ? "once more no answer to DATA_TERM breaks IMS-B11" : "nobody answers DATA_TERM");
        ask(t, GW_IMS_STAT_TERM,
            last ? "once more no answer to STAT_TERM breaks IMS-B12" : "nobody answers STAT_TERM");
        golden_wait(&t->g, 6000 * GOLDEN_MS);
    }
    register_worker(t);
}

/* ---- traces: data and responses, broken ---- */

static void broken_responses(trace *t)
{
    set_up(t);
    frame(t, 0, "a frame ...");
    respond(t, 0x1000 | GW_IMS_PARITY, 0, "... and an event that does not exist breaks IMS-C8");
    frame(t, 0, "again ...");
    gw_ims_ack ack = {.type = GW_IMS_TYPE_NACK, .va = START};
    gw_ims_draft d = gw_ims_draft_ack(data_qp(t), t->psn[1]++, &ack);
    put_draft(t, &d, false, "... and a NACK without an event breaks IMS-C9");
    frame(t, 0, "again ...");
    d.ack.type = GW_IMS_TYPE_ACK;
    d.ack.events = GW_IMS_PARITY;
    put_draft(t, &d, false, "... and an ACK with one breaks IMS-C9");
    frame(t, FRAME, "a frame ...");
    d.ack = (gw_ims_ack){.type = 2, .va = START + FRAME};
    put_draft(t, &d, false, "... and a response that is neither breaks IMS-C7");
    d.raw = true;
    d.payload = (const uint8_t[20]){0};
    d.payload_len = 20;
    put_draft(t, &d, false, "a response of 20 bytes breaks IMS-C6");
    d = gw_ims_draft_ack(data_qp(t), t->psn[1]++, &ack);
    d.bth.opcode = GW_IB_UC_SEND_ONLY_IMM;
    d.ack = (gw_ims_ack){.va = START + FRAME};
    put_draft(t, &d, false, "a response with immediate data breaks IMS-C17");
    frame(t, 2 * FRAME, "a frame ...");
    d.bth.opcode = GW_IB_UC_SEND_ONLY;
    d.ack = (gw_ims_ack){.va = START + 2 * FRAME + 64};
    put_draft(t, &d, false, "... and an ACK for an address that no frame has breaks IMS-B17");
    d.ack = (gw_ims_ack){.type = GW_IMS_TYPE_NACK, .events = GW_IMS_NO_START, .va = START};
    put_draft(t, &d, false, "no start of frame, and an address breaks IMS-B17");
}

static void missed_faults(trace *t)
{
    set_up(t);
    t->rkey ^= 1;
    frame(t, 0, "another key breaks IMS-W5");
    respond(t, 0, 0, "acknowledged breaks IMS-B20");
    another(t);
    delivered(t, 0);
    frame(t, FRAME + 4, "no multiple of 64 breaks IMS-W7 IMS-W11");
    respond(t, 0, FRAME + 4, "acknowledged breaks IMS-B21");
    another(t);
    piece(t, 0, FRAME, 0, PACKET, "128 of 256 bytes breaks IMS-W30");
    piece(t, 0, FRAME, FRAME - PACKET, PACKET, "its end");
    respond(t, 0, 0, "acknowledged breaks IMS-B22");
    another(t);
    piece(t, 0, 32, 0, 32, "a packet of 32 bytes breaks IMS-W8 IMS-W9");
    respond(t, 0, 0, "acknowledged breaks IMS-B23");
    another(t);
    delivered(t, 0);
    frame(t, GW_IMS_RING + FRAME, "a frame beyond the ring breaks IMS-W11");
    respond(t, 0, GW_IMS_RING + FRAME, "acknowledged breaks IMS-B24");
    another(t);
    delivered(t, 0);
    piece(t, FRAME, FRAME, PACKET, PACKET, "a frame that did not begin breaks IMS-W30");
    respond(t, GW_IMS_FRAME_LENGTH, FRAME, "the wrong event breaks IMS-B25");
    another(t);
    frame(t, 0, "a good frame ...");
    respond(t, GW_IMS_INVALID_RKEY, 0,
            "... of which an error is told that it does not have "
            "breaks IMS-B18");
}

static void broken_frames(trace *t)
{
    set_up(t);
    tear_down(t);
    register_worker(t);
    frame(t, 0, "a frame before DATA_REQ, to the queue pair of before, breaks IMS-W4");
    another(t);
    frame(t, FRAME,
          "the first frame elsewhere than DATA_RES says: one before it may have got lost");
    respond(t, 0, FRAME, "acknowledged");
    frame(t, 3 * FRAME, "a frame that leaves a hole before it breaks IMS-W11");
    respond(t, 0, 3 * FRAME, "acknowledged");
    piece(t, 4 * FRAME, 64, 0, 64, "a shorter frame that is not the last breaks IMS-W10");
    respond(t, 0, 4 * FRAME, "acknowledged");
    frame(t, 4 * FRAME + 64, "the next one");
    respond(t, 0, 4 * FRAME + 64, "acknowledged");
    tear_down(t);
    golden_wait(&t->g, 21000 * GOLDEN_MS); /* the end may overtake what was sent before */
    frame(t, 5 * FRAME + 64, "a frame long after the end breaks IMS-W22");
    respond(t, 0, 5 * FRAME + 64, "acknowledged breaks IMS-B11");
    another(t);
    piece(t, 0, FRAME, 0, PACKET, "the frame's first packet has 64 bytes ...");
    piece(t, 0, FRAME, PACKET, 2 * PACKET, "... and its second 128 breaks IMS-W8");
    piece(t, 0, FRAME, 3 * PACKET, PACKET, "the last one");
    respond(t, 0, 0, "acknowledged");
    piece(t, FRAME, FRAME, 0, PACKET, "a frame that does not end breaks IMS-W30");
    frame(t, 2 * FRAME, "the next one");
    respond(t, 0, 2 * FRAME, "acknowledged");
    put_hex_to_channel(t, "2a00ffff 00000000 00000000 0000002000000000 cafe0002",
                       "a first packet without the whole RDMA header breaks IMS-C10");
    gw_ib_reth reth = {.va = START + 3 * FRAME, .rkey = RKEY, .length = 64};
    gw_ims_draft d =
        gw_ims_draft_write(buffer_qp(t), t->psn[0]++, &reth, 0, (const uint8_t[64]){0}, 64);
    d.bth.opcode = GW_IB_UC_WRITE_ONLY_IMM;
    put_draft(t, &d, true, "a write with immediate data breaks IMS-C10");
    put_hex_to_channel(t, "2000ffff 00000000 00000000 00112233", "SEND FIRST breaks IMS-C17");
}

static void broken_reactions(trace *t)
{
    set_up(t);
    frame(t, 0, "a frame ...");
    respond(t, GW_IMS_OUTSIDE_WINDOW, 0, "... outside the window ...");
    frame(t, 0, "... comes again at once breaks IMS-W15");
    respond(t, 0, 0, "acknowledged");
    for (uint64_t i = 1; i < 8; i++) {
        frame(t, i * FRAME, "a frame that is refused ...");
        respond(t, GW_IMS_PARITY, i * FRAME, "... with a parity error");
    }
    frame(t, 8 * FRAME, "the eighth in a row that does not come again breaks IMS-W14");
    respond(t, GW_IMS_PARITY, 8 * FRAME, "... with a parity error ...");
    golden_wait(&t->g, 6000 * GOLDEN_MS);
    tear_down(t);
    another(t);
    t->rkey ^= 1;
    frame(t, 0, "another key breaks IMS-W5");
    respond(t, GW_IMS_INVALID_RKEY, 0, "invalid RKEY: stop");
    t->rkey ^= 1;
    frame(t, 0, "the frame comes again all the same breaks IMS-W16");
    respond(t, 0, 0, "acknowledged");
}

/* ---- traces: what lies beneath, broken ---- */

static void broken_roce(trace *t)
{
    ask(t, GW_IMS_STAT_REQ, "a Worker registers ...");
    t->icrc_flaw = 1;
    answer(t, GW_IMS_STAT_RES, "... the answer is damaged, and dropped breaks IMS-C13");
    t->icrc_flaw = 0;
    answer(t, GW_IMS_STAT_RES, "... and comes again");
    open_data(t);
    delivered(t, 0);
}

static void broken_native(trace *t)
{
    t->slid = worker_lid(t) + 1;
    ask(t, GW_IMS_STAT_REQ, "another LID than its own breaks IMS-W1");
    next_worker(t);
    t->slid = 0;
    register_worker(t);
    t->icrc_flaw = 0x80000000;
    ask(t, GW_IMS_DATA_REQ, "a wrong ICRC breaks IMS-C13");
    t->icrc_flaw = 0;
    t->vcrc_flaw = 1;
    ask(t, GW_IMS_DATA_REQ, "a wrong VCRC breaks IMS-C14");
    t->vcrc_flaw = 0;
    t->has_grh = true;
    answer(t, GW_IMS_DATA_RES, "a global route header breaks IMS-C16");
    t->has_grh = false;
    frame(t, 0, "a frame ...");
    t->said_longer = 4;
    respond(t, 0, 0, "... and a response that says it is longer breaks IMS-C15");
    t->said_longer = 0;
    respond(t, 0, 0, "the right one");
    t->one_lane = true;
    frame(t, FRAME, "a frame on the lane of the status channel breaks IMS-C12");
    respond(t, 0, FRAME, "acknowledged");
}

typedef struct plan {
    const char *name;
    void (*make)(trace *t);
    carriage how;
    const char *dialect;
} plan;

void golden_ims_traces(const char *folder)
{
    static const plan plans[] = {
        {"ims-session", session, ROCE_V4, "strict"},
        {"ims-session-ipv6", session, ROCE_V6, "strict"},
        {"ims-session-erf", session, ERF, "strict"},
        {"ims-session-pdu", session, EXPORTED_PDU, "strict"},
        {"ims-session-user0", session, USER0, "strict"},
        {"ims-large-packets", large_packets, ROCE_V4, "strict"},
        {"ims-nacks", nacks, ROCE_V4, "strict"},
        {"ims-nacks-of-faults", nacks_of_faults, ROCE_V4, "strict"},
        {"ims-be32", dialect_session, ROCE_V4, "be32"},
        {"ims-status-be32", dialect_session, ROCE_V4, "status-be32"},
        {"ims-order-auto", dialect_session, ROCE_V4, "be32"},
        {"ims-v1-0", dialect_session, ROCE_V4, "v1-0"},
        {"ims-images", good_image, ROCE_V4, "images"},
        {"ims-images-broken", broken_image, ROCE_V4, "images"},
        {"ims-foreign", foreign, ROCE_V4, "strict"},
        {"ims-truncated", truncated, ROCE_V4, "strict"},
        {"ims-truncated-erf", truncated, ERF, "strict"},
        {"ims-broken-formats", broken_formats, ROCE_V4, "strict"},
        {"ims-broken-requests", broken_requests, ROCE_V4, "strict"},
        {"ims-broken-answers", broken_answers, ROCE_V4, "strict"},
        {"ims-later-version", later_version, ROCE_V4, "strict"},
        {"ims-silence", silence, ROCE_V4, "strict"},
        {"ims-broken-responses", broken_responses, ROCE_V4, "strict"},
        {"ims-missed-faults", missed_faults, ROCE_V4, "strict"},
        {"ims-broken-frames", broken_frames, ROCE_V4, "strict"},
        {"ims-broken-reactions", broken_reactions, ROCE_V4, "strict"},
        {"ims-broken-roce", broken_roce, ROCE_V4, "strict"},
        {"ims-broken-native", broken_native, ERF, "strict"},
    };

    for (size_t i = 0; i < GW_ARRAY_LEN(plans); i++) {
        trace t;
        open_trace(&t, folder, plans[i].name, plans[i].how, plans[i].dialect);
        plans[i].make(&t);
        golden_close(&t.g);
    }
}
