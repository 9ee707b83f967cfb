/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes the corpora's seeds from captures: `seeds CORPUS CAPTURE...` writes, below the folder
 * CORPUS,
 *
 *   etherbone_decode/NAME-FRAME-PART-NUMBER  one message each
 *   etherbone_session/NAME                   the conversation of a capture
 *   etherbone_slave/NAME                     what the clients of a capture sent
 *   etherbone_stream/NAME-CONNECTION         what was said over a TCP connection
 *   capture/NAME                             the file itself, when it is small
 *   net/NAME                                 its frames, when they are Ethernet
 *   encode/there-and-back-NAME-PART          the first frame's message
 *
 * of any format
 *
 *   wireshark_capture/NAME  its messages, in the flows that they came in, and NAME-cut, in which
 *                           those of streams and runs of links come in two pieces each
 *   boards/NAME-ROLE        what was said to a board that may have had that role
 *   traces/NAME-ROLE        the same, when it is short, by way of JSON or not
 *
 * and of IMS streaming
 *
 *   ims_decode/NAME-FRAME   one packet of each kind that no capture before had
 *   ims_session/NAME        the conversation of a capture
 *
 * and of OP2P, where a capture says which way each message went,
 *
 *   op2p_core/NAME   what came to the port
 *
 * A capture whose name holds that of a dialect is read, and its seeds are marked, in that dialect.
 * Files are written only when they are new: a corpus keeps what it has. */
#include <errno.h>
#include <libgen.h>
#include <sys/stat.h>

#include "boards/peer.h"
#include "crash/sequences.h"
#include "fuzz.h"
#include "goldwire/etherbone.h"
#include "goldwire/ims.h"
#include "goldwire/l1farm.h"
#include "goldwire/net.h"
#include "goldwire/op2p.h"
#include "goldwire/writer.h"
#include "harness/capture.h"
#include "inspect/pipeline.h"

enum {
    SEED_MAX = 32768,
    BOARDS_MAX = 16,
    CAPTURED_MAX = 3072, /* how a capture begins will do: the mutator puts them together */
    REPLAYED_MAX = 1024,
};

/* A client of a board that may be a stream. */
struct caller {
    size_t last; /* its last piece; 0: it has none */
    uint32_t stream;
};

struct maker {
    const char *corpus;
    char name[128];
    uint8_t dialect;     /* index in the format's dialects */
    uint32_t connection; /* the one that |stream| is about */
    unsigned number;     /* of the message in its frame */
    uint64_t frame;
    uint8_t session_bytes[SEED_MAX], slave_bytes[SEED_MAX], stream_bytes[SEED_MAX];
    uint8_t net_bytes[SEED_MAX], core_bytes[SEED_MAX];
    uint8_t captured_bytes[CAPTURED_MAX], cut_bytes[CAPTURED_MAX];
    gw_writer session, slave, stream, net, core, captured, cut;
    uint8_t said_bytes[BOARDS_MAX][CAPTURED_MAX];
    gw_writer said[BOARDS_MAX]; /* to each of gw_boards */
    struct caller callers[BOARDS_MAX][2];
    gw_endpoint ends[GW_CAPTURED_FLOWS]; /* who called, in each flow */
    bool is_cut;                         /* something of |cut| is */
    unsigned failures;
    int64_t last_ns;     /* when the last packet came */
    int64_t captured_ns; /* when the last message did */
    bool is_wrapped;     /* its frames have another link type inside */
    bool is_ims;         /* the capture holds IMS streaming */
    uint8_t kinds[256];  /* of its packets that were saved: opcode, method, type and size, hashed */
};

static void save(struct maker *m, const char *target, const char *name, const uint8_t *data,
                 size_t len)
{
    char path[1024];

    snprintf(path, sizeof path, "%s/%s", m->corpus, target);
    (void)mkdir(path, 0777);
    snprintf(path, sizeof path, "%s/%s/%s", m->corpus, target, name);
    FILE *f = fopen(path, "wbx");
    if (f == NULL && errno == EEXIST)
        return;
    if (f == NULL || fwrite(data, 1, len, f) != len || fclose(f) != 0) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        m->failures++;
    }
}

/* One piece of a sequence (fuzz.h). */
static void piece(gw_writer *w, uint8_t choice, const uint8_t *data, size_t len)
{
    if (w->cap - w->len < len + 3)
        return;
    gw_write_be(w, choice, 1);
    gw_write_be(w, len, 2);
    gw_write_bytes(w, data, len);
}

static gw_writer start(const struct maker *m, uint8_t *bytes)
{
    gw_writer w = gw_writer_over(bytes, SEED_MAX);
    gw_write_be(&w, m->dialect, 1);
    return w;
}

/* Saves what was said over the connection so far and turns to the next one. */
static void end_connection(struct maker *m)
{
    char name[192];

    snprintf(name, sizeof name, "%s-%u", m->name, m->connection);
    if (m->stream.len > 1)
        save(m, "etherbone_stream", name, m->stream.buf, m->stream.len);
    m->stream = start(m, m->stream_bytes);
}

/* Whether no packet like this was saved before. */
static bool is_new_kind(struct maker *m, const gw_message *msg, const gw_dialect *dialect)
{
    gw_ims_packet p;
    gw_error error = gw_ims_decode(&p, msg, dialect);
    unsigned kind =
        error.kind * 7u + p.bth.opcode * 31u + (unsigned)p.kind * 3u + p.payload_sent % 97u;

    if (p.has_body && p.kind == GW_IMS_IS_STATUS)
        kind += p.status.method * 11u;
    if (p.has_body && p.kind == GW_IMS_IS_ACK)
        kind += p.ack.type * 13u + p.ack.events * 17u;
    kind = (kind + m->dialect * 101u) % sizeof m->kinds;
    bool is_new = m->kinds[kind] == 0;
    m->kinds[kind] = 1;
    return is_new;
}

/* ims_session: bit 0 says that the buffer talks, whose endpoint is the same in all traces; bit 1 a
 * wrong ICRC; bits 2 and 3 which Worker; bit 7 that a long time passed. */
static void found_ims(struct maker *m, const gw_found *f)
{
    const gw_message *msg = f->message;
    uint8_t one[4096] = {(uint8_t)(m->dialect | (msg->frame % 3) << 5)};
    char name[192];

    m->is_ims = true;
    if (msg->cap_len >= 512 || msg->cap_len < msg->len)
        return;
    memcpy(one + 1, msg->data, msg->cap_len);
    snprintf(name, sizeof name, "%s-%llu", m->name, (unsigned long long)msg->frame);
    if (is_new_kind(m, msg, f->dialect))
        save(m, "ims_decode", name, one, msg->cap_len + 1);
    bool from_buffer = msg->dir == GW_DIR_OUT;
    const gw_endpoint *worker = from_buffer ? &msg->dst : &msg->src;
    uint8_t choice =
        (uint8_t)((from_buffer ? 1 : 0) | (msg->ib->icrc_verdict == GW_IB_WRONG ? 2 : 0) |
                  (worker->ip[3] & 3) << 2 | (msg->ib->lrh != NULL ? 0x10 : 0));
    if (m->last_ns != 0 && msg->time_ns - m->last_ns > 1000000000)
        choice |= 0x80;
    m->last_ns = msg->time_ns;
    piece(&m->session, choice, msg->data, msg->cap_len);
}

static void found_etherbone(struct maker *m, const gw_found *f)
{
    const gw_message *msg = f->message;
    uint8_t one[4096] = {(uint8_t)(msg->part << 2 | m->dialect)};
    char name[192];

    if (msg->cap_len >= sizeof one)
        return;
    m->number = msg->frame == m->frame ? m->number + 1 : 0;
    m->frame = msg->frame;
    memcpy(one + 1, msg->data, msg->cap_len);
    snprintf(name, sizeof name, "%s-%llu-%u-%u", m->name, (unsigned long long)msg->frame, msg->part,
             m->number);
    save(m, "etherbone_decode", name, one, msg->cap_len + 1);
    if (msg->frame == 1) { /* the mutator finds the others: describing takes its time */
        snprintf(name, sizeof name, "there-and-back-%s-%u", m->name, msg->part);
        one[0] = (uint8_t)(1 | msg->part << 3);
        save(m, "encode", name, one, msg->cap_len + 1);
    }

    /* etherbone_session: bits 0 and 1..4 say who talks; a client on 40000, the slave on 60368 */
    bool from_slave = gw_eb_role_of(msg, f->dialect) == GW_EB_RESPONSE ||
                      gw_eb_role_of(msg, f->dialect) == GW_EB_PROBE_RESPONSE || f->tcp_dir == 1;
    uint8_t choice = from_slave ? 1 | 0 << 1 | 1 << 3 : 0 | 1 << 1 | 0 << 3;
    piece(&m->session, msg->part == GW_EB_PACKET ? choice : choice | 0x20, msg->data, msg->cap_len);
    if (!from_slave)
        piece(&m->slave, msg->transport == GW_OVER_TCP ? 4 : 0, msg->data, msg->cap_len);
    if (msg->transport != GW_OVER_TCP)
        return;
    if (msg->stream != m->connection)
        end_connection(m);
    m->connection = msg->stream;
    piece(&m->stream, f->tcp_dir, msg->data, msg->cap_len);
}

static void found_op2p(struct maker *m, const gw_found *f)
{
    const gw_message *msg = f->message;
    uint8_t bytes[2048];
    gw_op2p_packet p;

    (void)gw_op2p_decode(&p, msg);
    if (msg->part != GW_OP2P_EVENT || !p.has_shim || (p.shim.flags & GW_OP2P_FLAG_OUT) != 0 ||
        msg->cap_len > sizeof bytes)
        return;
    p.shim.version = 1;
    gw_op2p_put_tunnel(bytes, &p.shim);
    memcpy(bytes + GW_OP2P_SHIM, msg->data + GW_OP2P_SHIM, msg->cap_len - GW_OP2P_SHIM);
    piece(&m->core, 0, bytes, msg->cap_len);
}

/* Which flow |m| is of, and whether it is a reply there. More flows than there are share one. */
static uint8_t flow_of(struct maker *m, const gw_message *msg, bool *reply)
{
    for (unsigned i = 0; i < GW_CAPTURED_FLOWS; i++) {
        gw_endpoint *caller = &m->ends[i];
        if (caller->family == GW_FAMILY_NONE)
            *caller = msg->src;
        *reply = gw_endpoint_equal(caller, &msg->dst);
        if (*reply || gw_endpoint_equal(caller, &msg->src))
            return (uint8_t)i;
    }
    return msg->src.port % GW_CAPTURED_FLOWS;
}

/* What |f| was captured from; one that nobody knows is taken for the format's first. */
static const gw_link *link_of(const gw_found *f)
{
    const gw_link *link = gw_format_link(f->format, f->message->link_type);
    return link != NULL || f->format->num_links == 0 ? link : f->format->links;
}

/* A connection ends behind the last piece before its client's next one, which begins at |at|. */
static void hang_up(struct caller *c, uint32_t stream, uint8_t *pieces, size_t at)
{
    if (c->last != 0 && c->stream != stream)
        pieces[c->last] |= GW_SAID_ENDS;
    *c = (struct caller){.last = at, .stream = stream};
}

/* What boards in memory are sent of OP2P and the farm is their tunnel's. */
static void said(struct maker *m, const gw_found *f, uint8_t flow, bool reply, bool later)
{
    const gw_message *msg = f->message;
    const bool bare = msg->transport == GW_OVER_NOTHING;
    const bool tcp = msg->transport == GW_OVER_TCP;
    const gw_said how = {.delay_ns = later ? INT64_C(1500000000) : 0,
                         .link = (bare ? msg->interface : flow) & 1,
                         .client = tcp ? msg->stream & 1 : 0};
    uint8_t bytes[CAPTURED_MAX] = {'O', '2', 1};
    size_t head = bare && f->format == &gw_op2p ? GW_OP2P_SHIM : 0;

    if ((bare && f->format == &gw_l1farm) || msg->cap_len > sizeof bytes - head)
        return;
    memcpy(bytes + head, msg->data, msg->cap_len);
    for (size_t i = 0; i < gw_num_boards && i < BOARDS_MAX; i++) {
        gw_writer *w = &m->said[i];
        if (gw_boards[i]->format != f->format || gw_boards[i]->calls_us != reply)
            continue;
        if (w->len == 0)
            gw_write_be(w, i << 8 | (tcp ? 0x80 : 0), 2);
        gw_store_be(bytes + GW_OP2P_SHIM - 2, w->len, head > 0 ? 2 : 0);
        size_t at = w->len;
        piece(w, gw_said_choice(&how), bytes, head + msg->cap_len);
        if (tcp && w->len > at)
            hang_up(&m->callers[i][how.client], msg->stream, w->buf, at);
    }
}

/* traces.c has one more byte of choice, and another use for the second. */
static void save_replayed(struct maker *m, const char *name, const gw_writer *said)
{
    uint8_t bytes[REPLAYED_MAX + 1];

    if (said->len > REPLAYED_MAX)
        return;
    memcpy(bytes + 1, said->buf, said->len);
    bytes[0] = bytes[1];
    bytes[1] = (uint8_t)(bytes[2] | (said->len % 2 != 0 ? 0x40 : 0));
    bytes[2] = 0;
    save(m, "traces", name, bytes, said->len + 1);
}

static void save_said(struct maker *m)
{
    char name[192];

    for (size_t i = 0; i < gw_num_boards && i < BOARDS_MAX; i++) {
        snprintf(name, sizeof name, "%s-%s", m->name, gw_boards[i]->role);
        if (m->said[i].len == 0)
            continue;
        save(m, "boards", name, m->said[i].buf, m->said[i].len);
        save_replayed(m, name, &m->said[i]);
    }
}

/* Of what is no datagram the first |head| bytes come before the others. */
static void cut(struct maker *m, uint8_t choice, const gw_found *f, uint32_t head)
{
    const gw_message *msg = f->message;

    if (msg->transport == GW_OVER_UDP || f->format->stream == NULL)
        head = 0;
    if (head > 0)
        piece(&m->cut, choice, msg->data, head);
    m->is_cut |= head > 0;
    piece(&m->cut, choice, msg->data + head, msg->cap_len - head);
}

static void captured(struct maker *m, const gw_found *f)
{
    const gw_message *msg = f->message;
    const bool later = m->captured_ns != 0 && msg->time_ns - m->captured_ns > 1000000000;
    gw_captured how = {.format = f->format, .reply = msg->dir == GW_DIR_OUT, .later = later};

    if (m->captured.len == 0) {
        gw_write_be(&m->captured, gw_pipeline_place(f->format), 1);
        gw_write_be(&m->cut, gw_pipeline_place(f->format), 1);
    }
    /* A packet of InfiniBand goes over UDP. */
    if (msg->transport == GW_OVER_NOTHING && f->format != &gw_ims) {
        how.link = link_of(f);
    } else {
        how.flow = flow_of(m, msg, &how.reply);
        how.transport = msg->transport == GW_OVER_TCP ? GW_OVER_TCP : GW_OVER_UDP;
    }
    m->captured_ns = msg->time_ns;
    piece(&m->captured, gw_captured_choice(&how), msg->data, msg->cap_len);
    cut(m, gw_captured_choice(&how), f, msg->cap_len / 2);
    said(m, f, how.flow, how.reply, later);
}

static void found(void *ctx, const gw_found *f)
{
    static const struct {
        const gw_format *format;
        void (*found)(struct maker *m, const gw_found *f);
    } makers[] = {{&gw_etherbone, found_etherbone}, {&gw_ims, found_ims}, {&gw_op2p, found_op2p}};

    captured(ctx, f);
    for (size_t i = 0; i < GW_ARRAY_LEN(makers); i++) {
        if (makers[i].format == f->format)
            makers[i].found(ctx, f);
    }
}

static void copy_file(struct maker *m, const char *path)
{
    static uint8_t bytes[SEED_MAX];
    FILE *f = fopen(path, "rb");
    if (f == NULL)
        return;
    size_t len = fread(bytes, 1, sizeof bytes, f);
    if (len < sizeof bytes)
        save(m, "capture", m->name, bytes, len);
    fclose(f);
}

/* The dialect whose name the capture's name holds; the longest, where one holds another. */
static void choose_dialect(struct maker *m, gw_selection *selection)
{
    const gw_format *format = strncmp(m->name, "ims-", 4) == 0 ? &gw_ims : &gw_etherbone;
    const char *best = "";
    char why[256];

    gw_selection_init(selection);
    m->dialect = 0;
    for (size_t i = 0; i < format->num_dialects; i++) {
        const char *name = format->dialects[i].name;
        if (strstr(m->name, name) == NULL || strlen(name) < strlen(best))
            continue;
        best = name;
        m->dialect = (uint8_t)i;
    }
    if (m->dialect != 0)
        gw_fuzz_check(gw_selection_dialect(selection, best, why, sizeof why), why);
}

static int make(struct maker *m, const char *path)
{
    static gw_selection selection;
    char why[256], copy[1024];
    gw_frame frame;

    snprintf(copy, sizeof copy, "%s", path);
    snprintf(m->name, sizeof m->name, "%s", basename(copy));
    if (strrchr(m->name, '.') != NULL)
        *strrchr(m->name, '.') = '\0';
    choose_dialect(m, &selection);
    m->session = start(m, m->session_bytes);
    m->slave = start(m, m->slave_bytes);
    m->stream = start(m, m->stream_bytes);
    m->connection = 0;
    m->frame = 0;
    m->is_ims = false;
    m->last_ns = 0;
    m->net = gw_writer_over(m->net_bytes, sizeof m->net_bytes);
    m->core = gw_writer_over(m->core_bytes, sizeof m->core_bytes);
    m->captured = gw_writer_over(m->captured_bytes, sizeof m->captured_bytes);
    m->cut = gw_writer_over(m->cut_bytes, sizeof m->cut_bytes);
    m->is_cut = false;
    for (unsigned i = 0; i < BOARDS_MAX; i++)
        m->said[i] = gw_writer_over(m->said_bytes[i], CAPTURED_MAX);
    m->captured_ns = 0;
    memset(m->callers, 0, sizeof m->callers);
    memset(m->ends, 0, sizeof m->ends);

    gw_capture *capture = gw_capture_open(path, why, sizeof why);
    if (capture == NULL) {
        fprintf(stderr, "%s\n", why);
        return 2;
    }
    gw_pipeline *p = gw_pipeline_new(&selection, found, NULL, m);
    gw_fuzz_check(p != NULL, "out of memory");
    while (gw_capture_next(capture, &frame) == GW_CAPTURE_FRAME) {
        gw_pipeline_frame(p, &frame);
        m->is_wrapped = frame.link_type == GW_LINK_ERF || frame.link_type == GW_LINK_EXPORTED_PDU;
        if (frame.link_type == GW_LINK_ETHERNET)
            piece(&m->net, 0, frame.data, frame.cap_len);
    }
    gw_pipeline_end(p);
    gw_pipeline_free(p);
    gw_capture_close(capture);
    save_said(m);
    if (m->captured.len > 0)
        save(m, "wireshark_capture", m->name, m->captured.buf, m->captured.len);
    if (m->is_cut) {
        snprintf(copy, sizeof copy, "%.100s-cut", m->name);
        save(m, "wireshark_capture", copy, m->cut.buf, m->cut.len);
    }
    if (m->is_ims) {
        save(m, "ims_session", m->name, m->session.buf, m->session.len);
        if (m->is_wrapped)
            copy_file(m, path);
        return m->failures > 0 ? 2 : 0;
    }
    if (m->session.len > 1)
        save(m, "etherbone_session", m->name, m->session.buf, m->session.len);
    if (m->slave.len > 1)
        save(m, "etherbone_slave", m->name, m->slave.buf, m->slave.len);
    if (m->stream.len > 1)
        save(m, "etherbone_stream", m->name, m->stream.buf, m->stream.len);
    if (m->core.len > 0) {
        save(m, "op2p_core", m->name, m->core.buf, m->core.len);
        return m->failures > 0 ? 2 : 0;
    }
    if (m->net.len > 0)
        save(m, "net", m->name, m->net.buf, m->net.len);
    copy_file(m, path);
    return m->failures > 0 ? 2 : 0;
}

int main(int argc, char **argv)
{
    static struct maker m;
    int bad = 0;

    if (argc < 3) {
        fprintf(stderr, "usage: seeds CORPUS CAPTURE...\n");
        return 2;
    }
    m.corpus = argv[1];
    for (int i = 2; i < argc; i++)
        bad |= make(&m, argv[i]);
    return bad;
}
