/* SPDX-License-Identifier: BSD-2-Clause */
/* Reassembly of IP fragments (RFC 791 3.2, RFC 8200 4.5) under the overlap rule of RFC 5722.
 *
 * Fragments start at multiples of 8 bytes, so one bit for each 8 bytes tells what is there. */
#include "goldwire/net.h"

#define MAX_DATAGRAM 65535u
#define BUFFER_LEN 65536u
#define NUM_UNITS (BUFFER_LEN / 8)
#define LIFETIME_NS 30000000000u

typedef enum state {
    FREE = 0,
    OPEN,
    SPOILT, /* its other fragments are refused for as long as it would have lived */
} state;

typedef struct datagram {
    gw_net net; /* of the fragment at offset 0; until that comes, of the first one */
    uint64_t first_frame;
    uint64_t order; /* of arrival: the oldest has the lowest */
    uint64_t frames[GW_MESSAGE_FRAMES];
    uint64_t have[NUM_UNITS / 64];
    int64_t first_time_ns;
    uint32_t num_frames;
    uint32_t num_units;
    uint32_t end;   /* of the highest fragment */
    uint32_t total; /* 0 until the last fragment tells it */
    uint32_t cut;   /* bytes from here on were not all captured */
    uint8_t state;
} datagram;

struct gw_defrag {
    gw_defrag_fault_fn fault;
    void *ctx;
    uint8_t *buffers; /* BUFFER_LEN bytes a datagram */
    size_t num;
    uint64_t order;
    datagram datagrams[];
};

size_t gw_defrag_size(size_t num)
{
    const size_t each = sizeof(datagram) + BUFFER_LEN;
    if (num == 0 || num > (SIZE_MAX - sizeof(gw_defrag)) / each)
        return 0;
    return sizeof(gw_defrag) + num * each;
}

gw_defrag *gw_defrag_init(void *mem, size_t num, gw_defrag_fault_fn fault, void *ctx)
{
    gw_defrag *d = mem;
    if (gw_defrag_size(num) == 0)
        return NULL;
    d->fault = fault;
    d->ctx = ctx;
    d->num = num;
    d->order = 0;
    d->buffers = (uint8_t *)(d->datagrams + num);
    for (size_t i = 0; i < num; i++)
        d->datagrams[i].state = FREE;
    return d;
}

/* Datagrams of one id on several VLANs are copies of one, and each is complete in itself. IPv6
 * leaves the protocol out: only the first fragment's counts. */
static bool same_datagram(const gw_net *a, const gw_net *b)
{
    return a->fragment_id == b->fragment_id && a->ip_version == b->ip_version &&
           (a->ip_version == 6 || a->protocol == b->protocol) && a->num_vlans == b->num_vlans &&
           memcmp(&a->src, &b->src, sizeof a->src) == 0 &&
           memcmp(&a->dst, &b->dst, sizeof a->dst) == 0 &&
           memcmp(a->vlans, b->vlans, sizeof a->vlans) == 0;
}

static bool expired(const datagram *g, int64_t now_ns)
{
    return now_ns > g->first_time_ns && (uint64_t)now_ns - (uint64_t)g->first_time_ns > LIFETIME_NS;
}

static void give_up(gw_defrag *d, datagram *g, const char *why)
{
    if (g->state == OPEN && d->fault != NULL)
        d->fault(d->ctx, g->first_frame, &g->net, why);
    g->state = FREE;
}

static void keep_net(datagram *g, const gw_net *net)
{
    g->net = *net;
    g->net.payload = (gw_cursor){NULL, NULL, NULL};
}

static void start(gw_defrag *d, datagram *g, const gw_net *net, uint64_t frame, int64_t time_ns)
{
    memset(g, 0, sizeof *g);
    keep_net(g, net);
    g->state = OPEN;
    g->order = d->order++;
    g->first_frame = frame;
    g->first_time_ns = time_ns;
    g->cut = UINT32_MAX;
}

/* Finds the datagram of |net|, or makes room for it, and returns its number; on the way, gives up
 * what is too old. */
static size_t find(gw_defrag *d, const gw_net *net, uint64_t frame, int64_t time_ns)
{
    size_t found = d->num;
    size_t room = 0; /* a free one, or else the oldest */

    for (size_t i = 0; i < d->num; i++) {
        datagram *g = &d->datagrams[i];
        if (g->state != FREE && expired(g, time_ns))
            give_up(d, g, "fragments missing: not complete within 30 s of capture time");
        if (g->state != FREE && same_datagram(&g->net, net))
            found = i;
        const datagram *r = &d->datagrams[room];
        if (r->state != FREE && (g->state == FREE || g->order < r->order))
            room = i;
    }
    if (found < d->num)
        return found;
    //@ split room;
    datagram *g = &d->datagrams[room];
    if (g->state != FREE)
        give_up(d, g, "fragments missing: pushed out by newer datagrams");
    start(d, g, net, frame, time_ns);
    return room;
}

/* Notes that the 8 bytes at |at| came. False when they had come before. */
static bool mark(datagram *g, uint32_t at)
{
    uint64_t *word = &g->have[at / 8 / 64];
    const uint64_t bit = UINT64_C(1) << (at / 8 % 64);
    if ((*word & bit) != 0)
        return false;
    *word |= bit;
    g->num_units++;
    return true;
}

/* Takes |len| bytes for the unit at |at|, of which the capture may have kept fewer: copies them
 * when they are new, compares them otherwise. False when they differ. */
static bool merge_unit(datagram *g, uint8_t *buffer, uint32_t at, uint32_t len, gw_cursor *c,
                       bool *news)
{
    const uint32_t left = (uint32_t)gw_cursor_left(c);
    uint32_t captured = left < len ? left : len;
    const bool is_new = mark(g, at);
    const uint8_t *bytes;

    if (is_new)
        *news = true;
    if (is_new && captured < len && at + captured < g->cut)
        g->cut = at + captured;
    if (captured == 0 || !gw_cursor_bytes(c, &bytes, captured))
        return true;
    if (is_new) {
        memcpy(buffer + at, bytes, captured);
        return true;
    }
    const uint32_t cut = g->cut;
    if (at >= cut)
        return true;
    const uint32_t known = cut - at;
    if (captured > known)
        captured = known;
    return memcmp(buffer + at, bytes, captured) == 0;
}

/* Merges a fragment, unit by unit. False when it differs from what another one brought. */
static bool merge(datagram *g, uint8_t *buffer, const gw_net *net, bool *news)
{
    gw_cursor c = net->payload;

    for (uint32_t off = 0; off < net->payload_len; off += 8) {
        const uint32_t left = net->payload_len - off;
        if (!merge_unit(g, buffer, net->fragment_offset + off, left < 8 ? left : 8, &c, news))
            return false;
    }
    return true;
}

/* Says what is wrong with a fragment in itself, NULL when nothing is. */
static const char *misfit(const gw_net *net)
{
    if (net->payload_len > MAX_DATAGRAM || net->fragment_offset > MAX_DATAGRAM - net->payload_len)
        return "fragment offset: the datagram would exceed 65535 bytes";
    if (net->fragment_offset % 8 != 0)
        return "fragment offset: a multiple of 8 bytes expected";
    if (net->payload_len == 0)
        return "fragment length: at least 1 byte expected";
    if (net->more_fragments && net->payload_len % 8 != 0)
        return "fragment length: with more to come, a multiple of 8 bytes expected";
    return NULL;
}

/* Says what contradicts the fragments seen before, NULL when nothing does. */
static const char *contradiction(const datagram *g, const gw_net *net)
{
    const uint32_t end = net->fragment_offset + net->payload_len;
    if (g->total != 0 && end > g->total)
        return "fragment reaches past the end that the last fragment told";
    if (net->more_fragments)
        return NULL;
    if (g->total != 0 && end != g->total)
        return "two last fragments tell different lengths";
    if (end < g->end)
        return "last fragment ends before bytes that another one brought";
    return NULL;
}

static gw_defrag_result refuse(gw_net *net, const char *why)
{
    net->fault = why;
    return GW_DEFRAG_REFUSED;
}

static gw_defrag_result spoil(gw_defrag *d, datagram *g, gw_net *net, const char *why)
{
    give_up(d, g, why);
    g->state = SPOILT;
    return refuse(net, why);
}

static void complete(datagram *g, uint8_t *buffer, gw_net *net)
{
    const uint32_t cut = g->cut, total = g->total;
    const uint32_t len = cut < total ? cut : total;

    *net = g->net;
    net->more_fragments = false;
    net->fragment_offset = 0;
    //@ assert room: \valid_read(buffer + (0 .. len - 1));
    net->payload = gw_cursor_over(buffer, len);
    net->payload_len = total;
    g->state = FREE;
}

gw_defrag_result gw_defrag_add(gw_defrag *d, gw_net *net, uint64_t frame, int64_t time_ns,
                               uint64_t *frames, uint32_t *num_frames)
{
    const char *why = misfit(net);
    bool news = false;

    *num_frames = 0;
    if (why != NULL)
        return refuse(net, why);

    const size_t which = find(d, net, frame, time_ns);
    //@ split which;
    datagram *g = &d->datagrams[which];
    uint8_t *buffer = d->buffers + which * BUFFER_LEN;
    if (g->state == SPOILT)
        return refuse(net, "belongs to a datagram that was given up");
    why = contradiction(g, net);
    if (why == NULL && !merge(g, buffer, net, &news))
        why = "fragments overlap with different bytes";
    if (why != NULL)
        return spoil(d, g, net, why);

    const uint32_t end = net->fragment_offset + net->payload_len;
    if (end > g->end)
        g->end = end;
    if (!net->more_fragments)
        g->total = end;
    if (net->fragment_offset == 0)
        keep_net(g, net);
    if (news) {
        const uint32_t n = g->num_frames++;
        if (n < GW_MESSAGE_FRAMES)
            g->frames[n] = frame;
    }
    if (g->total == 0 || g->num_units < (g->total + 7) / 8)
        return GW_DEFRAG_PENDING;

    memcpy(frames, g->frames, sizeof g->frames);
    *num_frames = g->num_frames;
    complete(g, buffer, net);
    return GW_DEFRAG_COMPLETE;
}

void gw_defrag_end(gw_defrag *d)
{
    for (size_t i = 0; i < d->num; i++) {
        if (d->datagrams[i].state != FREE)
            give_up(d, &d->datagrams[i], "fragments missing at the end of the capture");
    }
}
