/* SPDX-License-Identifier: BSD-2-Clause */
/* Whose queue pairs: InfiniBand carries much besides IMS, and nothing in a packet says which it is.
 * A status packet whose words agree with the datagram that it came in introduces both queue pairs
 * of its channel, and what it tells of a data channel introduces those of that one (ims 3.1). */
#include <string.h>

#include "core/hash.h"
#include "ims/internal.h"

enum {
    SETS = 128,
    WAYS = 8,
    FIRST_QP = 2, /* below are the subnet's and the general management */
};

#define ANY_QP UINT32_MAX
#define LID_MAX 0xffffu

/* A queue pair, by the address it lies at; ANY_QP: a Worker or a buffer that tells it to nobody. */
typedef struct known {
    gw_endpoint at;   /* without port and queue pair */
    uint64_t touched; /* 0: unused */
    uint32_t qp;
} known;

typedef struct acquaintances {
    uint64_t clock; /* counts packets */
    known sets[SETS][WAYS];
} acquaintances;

static void introduce_init(void *state)
{
    memset(state, 0, sizeof(acquaintances));
}

/* ---- the table ---- */

static known *set_of(acquaintances *a, const gw_endpoint *at, uint32_t qp)
{
    return a->sets[gw_hash_fold(gw_hash_endpoint(at) + qp * GW_HASH_4) % SETS];
}

static bool knows(acquaintances *a, const gw_endpoint *at, uint32_t qp)
{
    known *set = set_of(a, at, qp);

    for (size_t i = 0; i < WAYS; i++) {
        if (set[i].touched != 0 && set[i].qp == qp && gw_endpoint_equal(&set[i].at, at)) {
            set[i].touched = a->clock;
            return true;
        }
    }
    return false;
}

static void introduce(acquaintances *a, const gw_endpoint *at, uint32_t qp)
{
    known *set = set_of(a, at, qp);
    known *oldest = &set[0];

    if (knows(a, at, qp))
        return;
    for (size_t i = 1; i < WAYS; i++) {
        if (set[i].touched < oldest->touched)
            oldest = &set[i];
    }
    *oldest = (known){.at = *at, .touched = a->clock, .qp = qp};
}

/* ---- what introduces ---- */

static bool is_qp(uint32_t qp)
{
    return qp >= FIRST_QP && qp <= GW_IB_NUMBER_MASK;
}

/* Fields that are wider than what they hold have zeros above it, and the queue pair in the body is
 * the one that asks, or that is answered. */
static bool introduces(const gw_ims_packet *p)
{
    const gw_ims_status *s = &p->status;
    bool response = (s->method & GW_IMS_RESPONSE) != 0;

    if (!p->has_body || p->payload_sent != GW_IMS_STATUS || s->method >= GW_IMS_NUM_METHODS ||
        s->reserved != 0 || s->lid > LID_MAX || !is_qp(s->qpn))
        return false;
    if ((s->method | GW_IMS_RESPONSE) == GW_IMS_DATA_RES && !is_qp(s->key))
        return false;
    if (response)
        return s->qpn == p->bth.dest_qp;
    return p->has_deth && s->qpn == p->deth.src_qp;
}

/* A buffer that repeats the Worker's queue pair keeps its own to itself. */
static void introduce_channel(acquaintances *a, const gw_ims_packet *p, const gw_endpoint *src,
                              const gw_endpoint *dst)
{
    const gw_ims_status *s = &p->status;

    if (s->method == GW_IMS_DATA_RES && knows(a, dst, s->key)) {
        introduce(a, src, ANY_QP);
        introduce(a, dst, ANY_QP);
    }
    if ((s->method | GW_IMS_RESPONSE) == GW_IMS_DATA_RES)
        introduce(a, src, s->key);
}

/* ---- packets ---- */

/* RoCEv2's source port says nothing, and a LID's queue pair is looked up by itself. */
static gw_endpoint address_of(const gw_endpoint *end)
{
    gw_endpoint address = *end;

    if (end->family == GW_FAMILY_LID)
        return gw_ib_lid_endpoint(gw_ib_endpoint_lid(end));
    address.port = 0;
    return address;
}

static bool introduce_meet(void *state, const gw_message *message, const gw_dialect *dialect)
{
    acquaintances *a = state;
    gw_endpoint src = address_of(&message->src);
    gw_endpoint dst = address_of(&message->dst);
    gw_ims_packet p;

    a->clock++;
    (void)gw_ims_decode(&p, message, dialect);
    if (!p.has_bth || p.bth.version != 0)
        return false;
    bool ours = knows(a, &dst, p.bth.dest_qp);
    ours = (p.has_deth && knows(a, &src, p.deth.src_qp)) || ours;
    ours = ours || (p.kind == GW_IMS_IS_DATA && knows(a, &src, ANY_QP) && knows(a, &dst, ANY_QP));
    if (p.kind != GW_IMS_IS_STATUS || !introduces(&p))
        return ours;
    introduce(a, &dst, p.bth.dest_qp);
    if (p.has_deth)
        introduce(a, &src, p.deth.src_qp);
    introduce_channel(a, &p, &src, &dst);
    return true;
}

const gw_introduction_ops gw_ims_introductions = {
    .size = sizeof(acquaintances),
    .init = introduce_init,
    .meet = introduce_meet,
};
