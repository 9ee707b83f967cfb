/* SPDX-License-Identifier: BSD-2-Clause */
/* Impairments of one direction: loss, flipped bits, duplicates, changed places, time. */
#include "harness/impair.h"

#include <stdlib.h>
#include <string.h>

#include "harness/vlan.h"

#define IPV4_UDP_HEADERS 28
#define IPV6_UDP_HEADERS 48
#define ETHERNET_HEADER 14
#define TCP_HEADERS 40
#define USUAL_MTU 1500

/* As TCP does it: the first time for a segment that is not acknowledged and for a connection that
 * is not answered (RFC 6298, with the floor that hosts have), and how often all in all. */
#define RETRANSMIT_NS INT64_C(200000000)
#define REDIAL_NS INT64_C(1000000000)
#define RETRANSMIT_MAX_NS INT64_C(120000000000)
#define RETRANSMITS 15
#define REDIALS 6

/* SplitMix64: every seed is as good as another. */
static uint64_t next_random(uint64_t *random)
{
    uint64_t z = *random += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static bool happens(gw_impair *impair, uint32_t share)
{
    return next_random(&impair->random) % GW_IMPAIR_SCALE < share;
}

/* What befalls one datagram. */
typedef struct fate {
    bool lost;
    bool corrupted;
    bool twice;
    bool late;
    uint64_t where; /* the bit is that flips */
    int64_t takes_ns;
    int64_t again_takes_ns; /* the second of two */
} fate;

static int64_t time_under_way(gw_impair *impair)
{
    const gw_impairment *what = &impair->what;
    uint64_t random = next_random(&impair->spread);
    if (what->jitter_ns <= 0)
        return what->delay_ns;
    int64_t takes =
        what->delay_ns - what->jitter_ns + (int64_t)(random % ((uint64_t)what->jitter_ns * 2 + 1));
    return takes > 0 ? takes : 0;
}

/* All dice are thrown for every datagram: what one share is does not change the others' luck. */
static fate throw_dice(gw_impair *impair)
{
    fate f = {.lost = happens(impair, impair->what.loss)};
    f.corrupted = happens(impair, impair->what.corrupt);
    f.twice = happens(impair, impair->what.duplicate);
    f.late = happens(impair, impair->what.reorder);
    f.where = next_random(&impair->random);
    f.takes_ns = time_under_way(impair);
    f.again_takes_ns = time_under_way(impair);
    return f;
}

static bool is_down(const gw_impair *impair, int64_t now)
{
    int64_t at = now - impair->begun_ns - impair->what.outage_from_ns;
    return at >= 0 && at < impair->what.outage_ns;
}

bool gw_impairs(const gw_impairment *what)
{
    return (what->loss | what->reorder | what->duplicate | what->corrupt | what->mtu) != 0 ||
           what->delay_ns != 0 || what->jitter_ns != 0 || what->outage_ns != 0;
}

size_t gw_impair_carries(const gw_impairment *what, gw_impair_kind kind)
{
    size_t mtu = what->mtu;
    size_t headers = kind == GW_IMPAIR_UDP4   ? IPV4_UDP_HEADERS
                     : kind == GW_IMPAIR_UDP6 ? IPV6_UDP_HEADERS
                                              : 0;
    if (mtu == 0)
        return 0;
    if (kind == GW_IMPAIR_FRAMES)
        return mtu + ETHERNET_HEADER;
    return mtu > headers ? mtu - headers : 1;
}

static void worsen(uint32_t *to, uint32_t share)
{
    if (*to < share)
        *to = share;
}

static void lengthen(int64_t *to, int64_t ns)
{
    if (*to < ns)
        *to = ns;
}

void gw_impair_add(gw_impairment *to, const gw_impairment *what)
{
    worsen(&to->loss, what->loss);
    worsen(&to->reorder, what->reorder);
    worsen(&to->duplicate, what->duplicate);
    worsen(&to->corrupt, what->corrupt);
    lengthen(&to->delay_ns, what->delay_ns);
    lengthen(&to->jitter_ns, what->jitter_ns);
    if (what->mtu != 0 && (to->mtu == 0 || what->mtu < to->mtu))
        to->mtu = what->mtu;
    if (what->outage_ns > to->outage_ns) {
        to->outage_from_ns = what->outage_from_ns;
        to->outage_ns = what->outage_ns;
    }
}

gw_impairment gw_impair_again(const gw_impairment *what, unsigned nth, int64_t ns)
{
    gw_impairment again = *what;
    uint64_t random = what->seed ^ (uint64_t)nth << 32;
    if (nth > 0)
        again.seed = next_random(&random);
    again.outage_from_ns -= ns;
    return again;
}

void gw_impair_init(gw_impair *impair, const gw_impairment *what, unsigned number,
                    gw_impair_pass_fn pass, void *arg)
{
    memset(impair, 0, sizeof(*impair));
    impair->what = *what;
    impair->random = what->seed;
    for (unsigned i = 0; i <= number; i++)
        impair->random = next_random(&impair->random);
    impair->spread = ~impair->random;
    impair->pass = pass;
    impair->arg = arg;
}

void gw_impair_go_on(gw_impair *impair, const gw_impair *before)
{
    impair->random = before->random;
    impair->spread = before->spread;
}

/* ---- the queue ---- */

static size_t size_of(size_t len)
{
    return sizeof(gw_impair_item) + len;
}

/* Puts |item| behind all that are not due after it. */
static void insert(gw_impair *impair, gw_impair_item *item)
{
    gw_impair_item **at = &impair->first;
    if (impair->last != NULL && impair->last->due <= item->due)
        at = &impair->last->next;
    while (*at != NULL && (*at)->due <= item->due)
        at = &(*at)->next;
    item->next = *at;
    *at = item;
    if (item->next == NULL)
        impair->last = item;
}

static void take_out(gw_impair *impair, gw_impair_item *item)
{
    gw_impair_item **at = &impair->first;
    gw_impair_item *before = NULL;
    while (*at != item) {
        before = *at;
        at = &(*at)->next;
    }
    *at = item->next;
    if (impair->last == item)
        impair->last = before;
}

static gw_impair_item *add(gw_impair *impair, int64_t due, const void *note, size_t note_len,
                           const uint8_t *data, size_t len)
{
    gw_impair_item *item =
        size_of(len) > GW_IMPAIR_ROOM - impair->used ? NULL : malloc(size_of(len));
    if (item == NULL)
        return NULL;
    memset(item->note, 0, sizeof(item->note));
    if (note_len > 0)
        memcpy(item->note, note, note_len);
    if (len > 0)
        memcpy(item->bytes, data, len);
    item->len = len;
    item->due = due;
    impair->used += size_of(len);
    insert(impair, item);
    return item;
}

int64_t gw_impair_next(const gw_impair *impair)
{
    return impair->first != NULL ? impair->first->due : GW_IMPAIR_NEVER;
}

gw_impair_item *gw_impair_pop(gw_impair *impair, int64_t now)
{
    gw_impair_item *item = impair->first;
    if (item == NULL || item->due > now)
        return NULL;
    take_out(impair, item);
    impair->used -= size_of(item->len);
    if (impair->late == item)
        impair->late = NULL;
    return item;
}

void gw_impair_run(gw_impair *impair, int64_t now)
{
    gw_impair_item *item;
    while (impair->pass != NULL && (item = gw_impair_pop(impair, now)) != NULL) {
        impair->pass(impair->arg, item->note, item->bytes, item->len);
        free(item);
    }
}

void gw_impair_flush(gw_impair *impair)
{
    gw_impair_run(impair, GW_IMPAIR_NEVER);
}

void gw_impair_end(gw_impair *impair)
{
    gw_impair_item *item;
    while ((item = gw_impair_pop(impair, GW_IMPAIR_NEVER)) != NULL)
        free(item);
}

/* ---- datagrams ---- */

/* The one that was to change places goes right behind the one that is due at |due|. */
static void let_late_follow(gw_impair *impair, int64_t due)
{
    gw_impair_item *late = impair->late;
    take_out(impair, late);
    late->due = due;
    insert(impair, late);
    impair->late = NULL;
}

static void put_on_way(gw_impair *impair, const fate *f, int64_t now, const void *note,
                       size_t note_len, const uint8_t *data, size_t len)
{
    bool waits = f->late && impair->late == NULL;
    int64_t due = now + f->takes_ns;
    gw_impair_item *item =
        add(impair, waits ? due + GW_IMPAIR_QUIET_NS : due, note, note_len, data, len);
    if (item == NULL)
        return;
    if (f->corrupted && len > 0)
        item->bytes[f->where / 8 % len] ^= (uint8_t)(1u << f->where % 8);
    if (f->twice)
        (void)add(impair, now + f->again_takes_ns, note, note_len, item->bytes, len);
    if (waits)
        impair->late = item;
    else if (impair->late != NULL)
        let_late_follow(impair, due);
}

void gw_impair_put(gw_impair *impair, int64_t now, const void *note, size_t note_len,
                   const uint8_t *data, size_t len)
{
    fate f = throw_dice(impair);
    bool checked = impair->kind == GW_IMPAIR_UDP4 || impair->kind == GW_IMPAIR_UDP6;
    size_t most = gw_impair_carries(&impair->what, impair->kind);
    size_t counted = impair->kind == GW_IMPAIR_FRAMES ? gw_vlan_counted(data, len) : len;
    if (f.lost || (f.corrupted && checked) || is_down(impair, now) ||
        (most != 0 && counted > most) || len > GW_IMPAIR_MAX || note_len > GW_IMPAIR_NOTE)
        return;
    bool plain = !f.corrupted && !f.twice && !f.late && f.takes_ns == 0;
    if (plain && impair->first == NULL && impair->pass != NULL) {
        impair->pass(impair->arg, note, data, len);
        return;
    }
    put_on_way(impair, &f, now, note, note_len, data, len);
    gw_impair_run(impair, now);
}

bool gw_impair_put_at(gw_impair *impair, int64_t due, const void *note, size_t note_len,
                      const uint8_t *data, size_t len)
{
    return add(impair, due, note, note_len, data, len) != NULL;
}

/* ---- streams ---- */

static int64_t doubled(int64_t wait)
{
    return wait * 2 < RETRANSMIT_MAX_NS ? wait * 2 : RETRANSMIT_MAX_NS;
}

/* When a segment that is first sent at |now| arrives. */
static int64_t arrival_of(gw_impair *impair, int64_t now)
{
    int64_t wait = RETRANSMIT_NS + 2 * impair->what.delay_ns;
    for (unsigned i = 0; i < RETRANSMITS; i++) {
        fate f = throw_dice(impair);
        if (!f.lost && !f.corrupted && !is_down(impair, now))
            return now + f.takes_ns;
        now += wait;
        wait = doubled(wait);
    }
    return GW_IMPAIR_NEVER;
}

bool gw_impair_put_stream(gw_impair *impair, int64_t now, const void *note, size_t note_len,
                          const uint8_t *data, size_t len, int64_t *behind)
{
    size_t mtu = impair->what.mtu != 0 ? impair->what.mtu : USUAL_MTU;
    size_t most = mtu > TCP_HEADERS ? mtu - TCP_HEADERS : 1;
    do { /* without bytes it is the end of the stream */
        size_t part = len < most ? len : most;
        int64_t due = *behind == GW_IMPAIR_NEVER ? *behind : arrival_of(impair, now);
        if (due < *behind)
            due = *behind;
        *behind = due;
        if (due == GW_IMPAIR_NEVER || add(impair, due, note, note_len, data, part) == NULL) {
            *behind = GW_IMPAIR_NEVER;
            return false;
        }
        data = part > 0 ? data + part : data;
        len -= part;
    } while (len > 0);
    return true;
}

int64_t gw_impair_handshake(gw_impair *there, gw_impair *back, int64_t now)
{
    int64_t begin = now;
    int64_t wait = REDIAL_NS;
    for (unsigned i = 0; i < REDIALS; i++) {
        fate out = throw_dice(there);
        fate in = throw_dice(back);
        int64_t answered = now + out.takes_ns;
        if (!out.lost && !out.corrupted && !is_down(there, now) && !in.lost && !in.corrupted &&
            !is_down(back, answered))
            return answered + in.takes_ns - begin;
        now += wait;
        wait = doubled(wait);
    }
    return GW_IMPAIR_NEVER;
}
