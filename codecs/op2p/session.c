/* SPDX-License-Identifier: BSD-2-Clause */
/* Conversations: which completion answers which read request, what is sent again, and whether a
 * port that was halted keeps still. OP2P has no transaction tag: a completion is matched by the
 * address that the request gave for its data, and by the ids. */
#include <string.h>

#include "core/hash.h"
#include "core/lookup/chains.h"
#include "core/passing.h"
#include "goldwire/checksum.h"
#include "op2p/internal.h"

#define LINKS 32                      /* conversations whose two directions are followed */
#define MANY_IN_A_ROW 8               /* retransmit requests (OP-E22) */
#define IN_FLIGHT_NS INT64_C(1000000) /* no frame is longer on its way (assumed) */

enum {
    MAX_ASKED = 8,  /* retransmit requests that wait, whose frames are told */
    MAX_RESENT = 8, /* frames that they may be for */
    DEAF_AFTER = 8, /* requests or XOFFs in a row that a tunnel does not lose, nor what is sent
                       again */
};

/* Whether a frame is one that was sent before. */
typedef enum resent {
    FIRST_TIME = 0,
    MAY_BE_RESENT,
    RESENT,
} resent;

/* One direction of a link: what its sender did last. */
typedef struct way {
    uint64_t last_frame; /* of the last packet that was no retransmit request; 0: none */
    uint32_t last_crc;
    uint32_t last_len;
    uint64_t asked[MAX_ASKED]; /* frames of retransmit requests from the other side that wait */
    int64_t asked_ns;          /* when the first of them came, or when it could be heeded */
    struct {
        uint32_t crc;
        uint32_t len;
    } sent[MAX_RESENT]; /* what they may be for: what was sent last, and what came since */
    unsigned num_asked;
    unsigned num_sent;
    unsigned num_doubted;  /* taken for what was asked for, and perhaps not that: it may yet come */
    uint64_t differs;      /* a frame that is none of these, though the first may be asked for */
    uint64_t differs_from; /* ... which is this frame */
    const gw_dialect *dialect; /* of that */
    uint32_t differs_start;    /* where it begins in its message */
    unsigned in_a_row;         /* retransmit requests it has sent */
    uint64_t halted;           /* frame of the XOFF that the other side sent; 0: it may send */
    int64_t halted_ns;         /* when that came */
    unsigned since_halt;       /* frames it has sent after it, but for those on their way */
    uint8_t ignored;           /* times in a row that something differed, and ... */
    uint8_t unheeded; /* ... XOFFs in a row that it sent on after: in a tunnel, up to DEAF_AFTER */
    bool differs_udp; /* it came through a tunnel, which may have lost the request */
    bool vague;       /* what is asked for is not known */
    bool unknown;     /* what was sent last: the link has changed it, or the capture cut it */
    bool lost;        /* what was sent last: the receiver threw it away, and never took it */
    gw_op2p_order order; /* of a tunnel's datagrams ... */
    bool recount;        /* ... which the receiver may count anew */
} way;

/* A link: two ports, or two ends of a tunnel. */
typedef struct link_state {
    gw_endpoint ends[2]; /* sorted; no family on a captured link */
    uint32_t interface;
    uint16_t port;
    bool used;
    bool late;
    uint64_t touched;
    int64_t trip_ns; /* the longest that an answer took to come; 0: none was seen */
    int64_t
        late_ns; /* when a read was forgotten last that nobody had answered, if any was: |late| */
    way ways[2];
} link_state;

/* A read request, and whether it has been answered. */
typedef struct read_state {
    gw_op2p_header request;
    uint64_t frame;
    uint64_t answer; /* 0: none yet */
    int64_t time_ns;
    uint32_t place; /* of its link in |links| */
} read_state;

typedef struct session {
    int64_t give_up_ns;
    int64_t now_ns;
    uint64_t frame;      /* of the last message */
    unsigned asking;     /* retransmit requests that wait, on all links */
    bool lossless;       /* no tunnel loses or repeats anything */
    bool copied;         /* the message may be the path's copy of one before */
    uint64_t clock;      /* counts messages */
    size_t room;         /* places in |reads|, a ring: */
    size_t first;        /* the oldest request ... */
    size_t count;        /* ... and how many there are */
    gw_chains by_answer; /* of |reads|, by what their completions say */
    link_state links[LINKS];
    gw_passing passing;
    read_state reads[];
} session;

enum { MIN_READS = 16, MOST_READS = 1 << 20 };

#define READ_BYTES (sizeof(read_state) + GW_CHAINS_BYTES)

static bool session_init(void *state, size_t cap, int64_t give_up_ns)
{
    session *s = state;

    if (cap < gw_op2p_session.min_size)
        return false;
    memset(s, 0, sizeof *s);
    s->give_up_ns = give_up_ns;
    s->room = (cap - sizeof *s) / READ_BYTES;
    if (s->room > MOST_READS)
        s->room = MOST_READS;
    gw_chains_init(&s->by_answer, s->reads + s->room, (uint32_t)s->room);
    return true;
}

static void session_lossless(void *state)
{
    session *s = state;

    s->lossless = true;
}

/* ---- links ---- */

/* The direction of |m| on its link: 0 or 1, or 2 when nobody says. */
static unsigned direction(const gw_message *m, const gw_op2p_packet *p)
{
    if (m->transport == GW_OVER_UDP)
        return memcmp(&m->src, &m->dst, sizeof m->src) <= 0 ? 0 : 1;
    if (p->has_shim)
        return p->shim.flags & GW_OP2P_FLAG_OUT;
    if (m->dir != GW_DIR_UNKNOWN)
        return m->dir == GW_DIR_OUT ? 1 : 0;
    return 2;
}

/* An end of a tunnel that talks to somebody else begins anew there, and later here. */
static void leave_others(session *s, link_state *l)
{
    for (size_t i = 0; i < LINKS; i++) {
        const link_state *other = &s->links[i];
        if (other == l || !other->used || other->touched <= l->touched)
            continue;
        for (unsigned end = 0; end < 4; end++) {
            if (!gw_endpoint_equal(&other->ends[end & 1], &l->ends[end >> 1]))
                continue;
            for (unsigned dir = 0; dir < 2; dir++) {
                l->ways[dir].halted = 0;
                l->ways[dir].in_a_row = 0;
                l->ways[dir].vague = true;
                l->ways[dir].recount = true;
            }
        }
    }
}

/* Says whether the receiver takes the datagram |sequence|. One that is late may be the first of a
 * count, where an end has talked to somebody else since; then nobody knows whether it is a copy. */
static bool is_taken(session *s, way *w, uint16_t sequence)
{
    const bool recount = w->recount;

    w->recount = false;
    s->copied = !s->lossless && gw_op2p_may_repeat(&w->order, sequence);
    if (gw_op2p_in_order(&w->order, sequence))
        return true;
    if (recount) {
        w->order = (gw_op2p_order){0};
        (void)gw_op2p_in_order(&w->order, sequence);
    }
    return recount;
}

static link_state *find_link(session *s, const gw_message *m, const gw_op2p_packet *p)
{
    bool sorted = memcmp(&m->src, &m->dst, sizeof m->src) <= 0;
    gw_endpoint low = sorted ? m->src : m->dst, high = sorted ? m->dst : m->src;
    link_state *oldest = &s->links[0];

    for (size_t i = 0; i < LINKS; i++) {
        link_state *l = &s->links[i];
        if (l->used && l->interface == m->interface && l->port == p->shim.port &&
            gw_endpoint_equal(&l->ends[0], &low) && gw_endpoint_equal(&l->ends[1], &high)) {
            if (m->transport == GW_OVER_UDP)
                leave_others(s, l);
            l->touched = s->clock;
            return l;
        }
        if (l->touched < oldest->touched)
            oldest = l;
    }
    s->asking -= oldest->ways[0].num_asked + oldest->ways[1].num_asked;
    memset(oldest, 0, sizeof *oldest);
    oldest->ends[0] = low;
    oldest->ends[1] = high;
    oldest->interface = m->interface;
    oldest->port = p->shim.port;
    oldest->used = true;
    oldest->touched = s->clock;
    return oldest;
}

/* ---- reads ---- */

static read_state *read_at(session *s, size_t age)
{
    size_t place = s->first + age;
    return &s->reads[place < s->room ? place : place - s->room];
}

/* What a completion has in common with its request: the link, and where the data go. */
static uint32_t hash_of(uint32_t place, uint32_t addr, uint16_t id)
{
    return gw_hash_fold(((uint64_t)addr << 32 | place) * GW_HASH_3 + id * GW_HASH_4);
}

/* Forgets the oldest request; when nothing answered it, |kind| says why it is forgotten. Its answer
 * may come all the same. */
static void forget_oldest(session *s, gw_verdict_sink *sink, gw_relation_kind kind)
{
    const read_state *r = read_at(s, 0);
    link_state *l = &s->links[r->place];

    if (r->answer == 0) {
        gw_relate(sink, &(gw_relation){.kind = (uint8_t)kind, .request = r->frame});
        l->late = true;
        l->late_ns = s->now_ns;
    }
    gw_chains_remove(&s->by_answer, (uint32_t)s->first); /* the first of its chain */
    s->first = s->first + 1 < s->room ? s->first + 1 : 0;
    s->count--;
}

/* Tells of what was to be sent again and was not: a frame that was on its way when it was asked
 * for, or waited to be sent, may come before. */
static void tell_differing(const session *s, way *w, gw_verdict_sink *sink)
{
    gw_judge judge = {sink, w->dialect, w->differs, s->frame};

    if (w->differs == 0 || w->vague)
        return;
    w->ignored += w->ignored < DEAF_AFTER;
    if (!w->differs_udp || w->ignored == DEAF_AFTER)
        gw_op2p_report(&judge, OP_E20, GW_OP2P_F_TYPE, w->differs_start,
                       "differs from frame %d, which was to be sent again",
                       GW_NUMBERS(w->differs_from));
}

/* Ends the waiting of retransmit requests that are older than |age_ns|. */
static void end_asking(session *s, int64_t age_ns, gw_verdict_sink *sink)
{
    for (size_t i = 0; i < LINKS; i++) {
        for (unsigned dir = 0; dir < 2; dir++) {
            way *w = &s->links[i].ways[dir];
            if (w->num_asked == 0 || w->halted != 0 || gw_span_ns(w->asked_ns, s->now_ns) <= age_ns)
                continue;
            tell_differing(s, w, sink);
            s->asking -= w->num_asked;
            w->num_asked = 0;
        }
    }
}

static void session_advance(void *state, int64_t now_ns, gw_verdict_sink *sink)
{
    session *s = state;

    s->now_ns = now_ns;
    if (s->asking > 0)
        end_asking(s, s->give_up_ns, sink);
    while (s->count > 0 && gw_span_ns(read_at(s, 0)->time_ns, now_ns) > s->give_up_ns)
        forget_oldest(s, sink, GW_UNANSWERED);
}

static void remember_read(session *s, const gw_message *m, const gw_op2p_header *h, uint32_t place,
                          gw_verdict_sink *sink)
{
    if (s->count == s->room)
        forget_oldest(s, sink, GW_UNTRACKED);
    read_state *r = read_at(s, s->count++);
    r->request = *h;
    r->frame = m->frame;
    r->answer = 0;
    r->time_ns = m->time_ns;
    r->place = place;
    gw_chains_append(&s->by_answer, (uint32_t)(r - s->reads),
                     hash_of(place, h->src_addr, h->src_id));
}

static bool answers(const read_state *r, const gw_op2p_header *h)
{
    const gw_op2p_header *q = &r->request;

    return h->dst_addr == q->src_addr && h->dst_id == q->src_id &&
           (q->dst_id == 0 || h->src_id == 0 || h->src_id == q->dst_id);
}

/* How many bytes a read gets: of a double word all, whatever it asked for (OP-E32). */
static uint16_t count_of(const gw_op2p_header *q)
{
    return q->byte_count >= 1 && q->byte_count <= 3 ? 4 : q->byte_count;
}

static bool asked_for(const gw_op2p_header *q, const gw_op2p_header *h)
{
    return q->dst_addr == h->src_addr && q->fbe == h->fbe && count_of(q) == h->byte_count;
}

/* Of requests alike that were answered only the newest is looked for. */
static void leave_newest(session *s, const read_state *older, const read_state *newer)
{
    if (older != NULL && older->request.dst_id == newer->request.dst_id)
        gw_chains_remove(&s->by_answer, (uint32_t)(older - s->reads));
}

/* Finds the request that |h| answers: the oldest that waits and asked for just that, or else the
 * oldest that waits, or else one that was answered. A node may leave a read unanswered, and who
 * reads twice for one address of its own cannot blame it for that. */
static read_state *find_read(session *s, const gw_op2p_header *h, uint32_t place, bool *ambiguous)
{
    read_state *asked = NULL, *waiting = NULL, *answered = NULL;
    uint32_t at = gw_chains_first(&s->by_answer, hash_of(place, h->dst_addr, h->dst_id));

    *ambiguous = false;
    for (; at != GW_CHAINS_NONE && (asked == NULL || !*ambiguous);
         at = gw_chains_after(&s->by_answer, at)) {
        read_state *r = &s->reads[at];
        if (r->place != place || !answers(r, h))
            continue;
        if (r->answer != 0) {
            leave_newest(s, answered, r);
            answered = r;
            continue;
        }
        *ambiguous = waiting != NULL;
        if (waiting == NULL)
            waiting = r;
        if (asked == NULL && asked_for(&r->request, h))
            asked = r;
    }
    if (asked != NULL)
        return asked;
    return waiting != NULL ? waiting : answered;
}

/* What a completion owes to its request (OP-E12). */
static void judge_completion(const gw_judge *judge, const gw_op2p_header *h,
                             const gw_op2p_header *q, uint32_t start)
{
    uint16_t count = count_of(q);

    if (h->src_id == 0)
        gw_op2p_report(judge, OP_E12, GW_OP2P_F_SRC_ID, start,
                       "the completion comes from id 0; the responder's own id is expected", NULL);
    if (h->status != 0)
        return;
    if (h->byte_count != count)
        gw_op2p_report(judge, OP_E12, GW_OP2P_F_BYTE_COUNT, start,
                       "byte count %d; the request's is %d", GW_NUMBERS(h->byte_count, count));
    if (h->fbe != q->fbe)
        gw_op2p_report(judge, OP_E12, GW_OP2P_F_FBE, start,
                       "first byte enable %x; the request's is %x", GW_NUMBERS(h->fbe, q->fbe));
    if (h->src_addr != q->dst_addr)
        gw_op2p_report(judge, OP_E12, GW_OP2P_F_SRC_ADDR, start,
                       "source address %x; the request asked for %x",
                       GW_NUMBERS(h->src_addr, q->dst_addr));
}

/* Says whether it is so short a time since |then| that an answer may have been on its way. */
static bool is_recent(const session *s, int64_t then_ns)
{
    return gw_span_ns(then_ns, s->now_ns) <= s->give_up_ns;
}

/* Says whether it may be a request that was forgotten which is answered; who is halted answers
 * behind that. */
static bool may_be_forgotten(const session *s, const link_state *l)
{
    if (!l->late)
        return false;
    for (unsigned dir = 0; dir < 2; dir++) {
        if (l->ways[dir].halted != 0 || is_recent(s, l->ways[dir].halted_ns))
            return true;
    }
    return is_recent(s, l->late_ns);
}

/* |again|: whether it was asked for again, so that it was taken before. True when it is the answer
 * that a request waited for. */
static bool take_completion(session *s, const gw_message *m, const gw_op2p_header *h, resent again,
                            uint32_t place, uint32_t start, const gw_dialect *dialect,
                            gw_verdict_sink *sink)
{
    gw_judge judge = gw_judge_of(m, dialect, sink);
    bool ambiguous;

    if (again == RESENT)
        return false;
    read_state *r = find_read(s, h, place, &ambiguous);

    /* An error may answer a packet of a reserved type, of which nothing is remembered. */
    if (r == NULL || (r->answer != 0 && h->status != 0)) {
        gw_relate(sink, &(gw_relation){.kind = GW_UNSOLICITED, .response = m->frame});
        return false;
    }
    if (again == MAY_BE_RESENT && (r->answer != 0 || !asked_for(&r->request, h)))
        return false;
    if (r->answer != 0) {
        gw_relate(sink, &(gw_relation){.kind = GW_DUPLICATE,
                                       .request = r->frame,
                                       .response = m->frame,
                                       .delta_ns = gw_span_ns(r->time_ns, m->time_ns),
                                       .earlier = r->answer});
        if (!s->copied && !may_be_forgotten(s, &s->links[place]))
            gw_op2p_report(&judge, OP_E12, GW_OP2P_F_DST_ADDR, start,
                           "the request of frame %d was answered by frame %d before",
                           GW_NUMBERS(r->frame, r->answer));
        return false;
    }
    r->answer = m->frame;
    const int64_t trip_ns = gw_span_ns(r->time_ns, m->time_ns);
    if (trip_ns > s->links[place].trip_ns)
        s->links[place].trip_ns = trip_ns;
    gw_relate(sink, &(gw_relation){.kind = GW_ANSWERS,
                                   .request = r->frame,
                                   .response = m->frame,
                                   .delta_ns = gw_span_ns(r->time_ns, m->time_ns),
                                   .ambiguous = ambiguous});
    if (!may_be_forgotten(s, &s->links[place]))
        judge_completion(&judge, h, &r->request, start);
    return true;
}

/* ---- flow control and retransmission ---- */

static void take_flow(link_state *l, unsigned dir, const gw_message *m, uint8_t code)
{
    way *other = &l->ways[!dir];

    if (other->halted != 0)
        other->asked_ns = m->time_ns; /* from now on it can be heeded */
    if (other->halted != 0 && other->since_halt <= 1)
        other->unheeded = 0;
    other->halted_ns = m->time_ns;
    other->halted = code == GW_OP2P_XOFF ? m->frame : 0;
    other->since_halt = 0;
}

/* A link that goes down, or comes up anew, forgets who was halted. */
static void take_channel(link_state *l, const gw_message *m)
{
    for (unsigned dir = 0; dir < 2; dir++) {
        l->ways[dir].halted = 0;
        l->ways[dir].in_a_row = 0;
        l->ways[dir].vague = true;
        l->ways[dir].asked_ns = m->time_ns;
    }
}

/* For how long frames come through a tunnel that were sent before an XOFF arrived. */
static int64_t flight_ns(const session *s, const link_state *l)
{
    if (l->trip_ns != 0)
        return l->trip_ns;
    return s->lossless ? IN_FLIGHT_NS : s->give_up_ns;
}

/* One frame may have been on its way when the other side said XOFF, through a tunnel many; and a
 * tunnel may have lost the XOFF, but not time and again. */
static void judge_flow(const session *s, link_state *l, unsigned dir, const gw_message *m,
                       const gw_judge *judge, uint32_t start)
{
    const bool tunnel = m->transport == GW_OVER_UDP;
    way *w = &l->ways[dir];

    if (w->halted == 0 || (tunnel && gw_span_ns(w->halted_ns, m->time_ns) <= flight_ns(s, l)))
        return;
    w->since_halt++;
    w->unheeded += tunnel && w->since_halt == 2 && w->unheeded < DEAF_AFTER;
    if (w->since_halt > 1 && (!tunnel || s->lossless || w->unheeded == DEAF_AFTER))
        gw_op2p_report(judge, OP_E25, GW_OP2P_F_TYPE, start,
                       "sent after the XOFF of frame %d, and not the first one since",
                       GW_NUMBERS(w->halted));
}

static void take_retransmit(session *s, link_state *l, unsigned dir, const gw_message *m,
                            const gw_judge *judge, uint32_t start)
{
    way *other = &l->ways[!dir];

    if (++l->ways[dir].in_a_row == MANY_IN_A_ROW + 1)
        gw_op2p_report(judge, OP_E22, GW_OP2P_F_TYPE, start,
                       "retransmit request number %d in a row; 8 are allowed",
                       GW_NUMBERS(MANY_IN_A_ROW + 1));
    if (other->last_frame == 0)
        return;
    if (other->num_asked == 0) {
        other->sent[0].crc = other->last_crc;
        other->sent[0].len = other->last_len;
        other->num_sent = 1;
        other->differs = 0;
        other->vague = other->unknown;
        other->asked_ns = m->time_ns;
    }
    unsigned num = other->num_asked++;
    if (num < MAX_ASKED)
        other->asked[num] = judge->frame;
    s->asking++;
}

/* Notes a frame that nobody asked for, while something was. */
static void note_sent(const session *s, way *w, const gw_judge *judge, uint32_t crc, uint32_t len,
                      uint32_t start, bool tunnel)
{
    if (w->differs == 0) {
        w->differs = judge->frame;
        w->differs_from = w->last_frame;
        w->differs_start = start;
        w->dialect = judge->dialect;
        w->differs_udp = tunnel && !s->lossless;
    }
    unsigned num = w->num_sent;
    if (num == MAX_RESENT) {
        w->vague = w->vague || tunnel; /* on a cable no more are on their way */
        return;
    }
    w->sent[num].crc = crc;
    w->sent[num].len = len;
    w->num_sent = num + 1;
}

/* Says whether the frame is one of those that may be asked for. */
static bool was_sent(const way *w, uint32_t crc, uint32_t len)
{
    for (unsigned i = 0; i < w->num_sent; i++) {
        if (w->sent[i].crc == crc && w->sent[i].len == len)
            return true;
    }
    return false;
}

/* Says whether the frame is what was asked for again, byte for byte. */
static resent judge_resent(session *s, way *w, const gw_judge *judge, const gw_message *m,
                           uint32_t crc, uint32_t len, uint32_t start, bool damaged)
{
    if (w->num_asked == 0) {
        if (gw_span_ns(w->asked_ns, s->now_ns) > s->give_up_ns)
            w->num_doubted = 0;
        if (w->num_doubted == 0 || !was_sent(w, crc, len))
            return FIRST_TIME;
        w->num_doubted--;
        return MAY_BE_RESENT;
    }
    if (!was_sent(w, crc, len)) {
        if (damaged)
            w->vague = true; /* it may be the one */
        else
            note_sent(s, w, judge, crc, len, start, m->transport == GW_OVER_UDP);
        return FIRST_TIME;
    }
    if (*w->asked != 0)
        gw_relate(judge->sink, &(gw_relation){.kind = GW_ANSWERS,
                                              .request = *w->asked,
                                              .response = m->frame,
                                              .delta_ns = gw_span_ns(w->asked_ns, m->time_ns)});
    w->ignored = 0;
    w->num_doubted += s->copied;
    memmove(w->asked, w->asked + 1, (MAX_ASKED - 1) * sizeof *w->asked);
    w->asked[MAX_ASKED - 1] = 0;
    w->num_asked--;
    s->asking--;
    return w->num_sent == 1 && !w->vague ? RESENT : MAY_BE_RESENT;
}

/* What the link has spoilt is thrown away by who receives it. */
static bool is_spoilt(const gw_op2p_packet *p)
{
    return p->has_shim && (p->shim.flags & GW_OP2P_FLAGS_BAD) != 0;
}

/* Says whether the packet was taken before, and sent again because the other side asked for it. */
static resent take_packet(session *s, link_state *l, unsigned dir, const gw_message *m,
                          const gw_op2p_packet *p, uint32_t start, const gw_dialect *dialect,
                          gw_verdict_sink *sink)
{
    gw_judge judge = gw_judge_of(m, dialect, sink);
    way *w = &l->ways[dir];

    judge_flow(s, l, dir, m, &judge, start);
    if (p->header.type == GW_OP2P_RETRANSMIT) {
        if (!gw_op2p_damaged(p)) /* who asks for what nobody understands gets nothing */
            take_retransmit(s, l, dir, m, &judge, start);
        return FIRST_TIME;
    }
    uint32_t len = m->cap_len - start;
    uint32_t crc = gw_crc32(NULL, 0, m->data + start, len);
    resent again = judge_resent(s, w, &judge, m, crc, len, start, gw_op2p_damaged(p));
    if (again == RESENT && w->lost)
        again = FIRST_TIME;
    w->lost = is_spoilt(p) && again != RESENT;
    w->in_a_row = 0;
    w->last_frame = m->frame;
    w->unknown = gw_op2p_damaged(p);
    w->last_crc = crc;
    w->last_len = len;
    return again;
}

/* A frame that the capture cut, or that is too short for a header: whether it is what is asked for
 * again, or will be, nobody knows. */
static resent take_unknown(way *w, const gw_message *m)
{
    w->unknown = w->vague = true;
    w->in_a_row = 0;
    w->last_frame = m->frame;
    return w->num_asked > 0 ? MAY_BE_RESENT : FIRST_TIME;
}

/* A node changes nothing in what is for another id. */
static void take_passed(session *s, const gw_message *m, const gw_op2p_packet *p,
                        gw_verdict_sink *sink)
{
    uint32_t start = p->has_shim ? GW_OP2P_SHIM : 0;
    uint8_t head[GW_OP2P_HEADER];

    if (p->header.dst_id == 0 || p->header.type == GW_OP2P_RETRANSMIT)
        return; /* for the partner alone */
    memcpy(head, m->data + start, sizeof head);
    PUT(head, SRC_ADDR, 0); /* where its host has it lie */
    const uint8_t *rest = m->data + start + sizeof head;
    uint32_t len = m->cap_len - start - (uint32_t)sizeof head;
    uint64_t content = (uint64_t)gw_crc32(NULL, 0, head, sizeof head) << 32;
    content |= gw_crc32c(NULL, 0, rest, len);
    uint64_t origin = gw_passing_take(&s->passing, m, content);
    if (origin != 0)
        gw_relate(sink,
                  &(gw_relation){.kind = GW_FORWARDED, .request = origin, .response = m->frame});
}

static void feed_packet(session *s, link_state *l, unsigned dir, const gw_message *m,
                        const gw_op2p_packet *p, bool whole, const gw_dialect *dialect,
                        gw_verdict_sink *sink)
{
    uint32_t start = p->has_shim ? GW_OP2P_SHIM : 0;
    uint32_t place = (uint32_t)(l - s->links);
    resent again = FIRST_TIME;

    if (dir < 2 && (whole || p->header.type == GW_OP2P_RETRANSMIT))
        again = take_packet(s, l, dir, m, p, start, dialect, sink);
    else if (dir < 2)
        again = take_unknown(&l->ways[dir], m);
    if (is_spoilt(p))
        return;
    if (p->header.type == GW_OP2P_READ && again != RESENT)
        remember_read(s, m, &p->header, place, sink);
    else if (p->header.type == GW_OP2P_COMPLETION &&
             take_completion(s, m, &p->header, again, place, start, dialect, sink) && dir < 2)
        l->ways[dir].num_doubted += again == MAY_BE_RESENT; /* then that is still to come */
}

static void session_feed(void *state, const gw_message *m, const gw_dialect *dialect,
                         gw_verdict_sink *sink)
{
    session *s = state;
    gw_op2p_packet p;
    gw_error error = gw_op2p_decode(&p, m);
    unsigned dir = direction(m, &p);

    s->clock++;
    s->frame = m->frame;
    session_advance(s, m->time_ns, sink);
    link_state *l = find_link(s, m, &p); /* whatever it says, it shows who talks to whom */
    s->copied = false;
    if (p.has_header && !error.capture_cut)
        take_passed(s, m, &p, sink); /* the path's copy is passed on as well */
    if (m->transport == GW_OVER_UDP && p.has_shim &&
        !is_taken(s, &l->ways[dir & 1], p.shim.sequence))
        return; /* late, or a second time: the other end did not take it */
    const bool pdu = !p.has_shim || p.shim.kind == GW_OP2P_KIND_PDU;
    if (pdu && dir < 2 && !is_spoilt(&p))
        l->ways[!dir].in_a_row = 0; /* nothing has to be asked for any more */
    if (p.has_header)
        feed_packet(s, l, dir, m, &p, !error.capture_cut, dialect, sink);
    else if (p.has_shim && p.shim.kind == GW_OP2P_KIND_CHANNEL)
        take_channel(l, m);
    else if (dir == 2)
        return;
    else if (pdu)
        (void)take_unknown(&l->ways[dir], m);
    else if (p.shim.kind == GW_OP2P_KIND_NFC)
        take_flow(l, dir, m, p.shim.code);
}

static void session_end(void *state, gw_verdict_sink *sink)
{
    session *s = state;

    end_asking(s, IN_FLIGHT_NS, sink);
    while (s->count > 0)
        forget_oldest(s, sink, GW_UNANSWERED);
}

const gw_session_ops gw_op2p_session = {
    .min_size = sizeof(session) + MIN_READS * READ_BYTES,
    .init = session_init,
    .lossless = session_lossless,
    .feed = session_feed,
    .advance = session_advance,
    .end = session_end,
};
