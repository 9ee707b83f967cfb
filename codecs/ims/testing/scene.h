/* SPDX-License-Identifier: BSD-2-Clause */
/* For tests: a Worker and a buffer that talk, packet by packet, and what the session says of it. */
#ifndef IMS_TESTING_SCENE_H
#define IMS_TESTING_SCENE_H

#include <string.h>

#include "goldwire/text.h"
#include "ims/session.h"

enum {
    SCENE_LID = 0x21,
    SCENE_QPN = 0x312,     /* the Worker's status queue pair */
    SCENE_DATA_QP = 0x313, /* ... and that of its data channel */
    SCENE_SERVICE_QP = 2,  /* the buffer's */
    SCENE_BUFFER_QP = 0x90,
    SCENE_GIVE_UP_NS = 5000000,
    SCENE_STEP_NS = 1000,
};

#define SCENE_QKEY 0x33333333u        /* the Worker's */
#define SCENE_SERVICE_KEY 0x0b0b0b0bu /* the buffer's */
#define SCENE_VA UINT64_C(0x2000000000)
#define SCENE_RKEY 0xcafe0002u

/* gw_ims_scene is a conversation. What is said next is changed by setting its members. */
typedef struct gw_ims_scene {
    gw_verdict_sink sink;
    const gw_dialect *dialect;
    uint64_t frame; /* number of the last packet */
    int64_t now_ns;
    gw_endpoint worker;
    gw_endpoint buffer;
    gw_ims_status status; /* as the next status packet has it, but for method and key */
    uint32_t dest_qp;     /* where the next answer goes */
    uint32_t dest_key;    /* likewise */
    uint32_t service_key; /* with which the next request goes */
    uint32_t rkey;        /* of the next frame */
    uint32_t psn[2];      /* of the Worker's data, of the buffer's responses */
    size_t packet_len;    /* of the next frame's packets */
    const gw_ib *ib;      /* around the next packet */
    char rules[512];      /* "W11@5 " a finding: rule, and the frame that it is about */
    char relations[512];  /* "6 answers 5; " */
    uint64_t memory[1 << 17];
} gw_ims_scene;

static inline void gw_ims_scene_finding(gw_verdict_sink *sink, const gw_finding *f)
{
    gw_ims_scene *s = (gw_ims_scene *)sink;
    gw_text t = {s->rules, sizeof s->rules, strlen(s->rules), false};

    gw_text_str(&t, f->rule->id + strlen("IMS-"));
    gw_text_str(&t, "@");
    gw_text_dec(&t, f->frame);
    gw_text_str(&t, " ");
}

static inline void gw_ims_scene_relation(gw_verdict_sink *sink, const gw_relation *r)
{
    static const char *const kinds[] = {" answers ",     " repeats ",    " stale ",
                                        " unsolicited ", " unanswered ", " untracked "};
    gw_ims_scene *s = (gw_ims_scene *)sink;
    gw_text t = {s->relations, sizeof s->relations, strlen(s->relations), false};

    gw_text_dec(&t, r->response);
    gw_text_str(&t, kinds[r->kind]);
    gw_text_dec(&t, r->request);
    gw_text_str(&t, r->ambiguous ? "?; " : "; ");
}

/* gw_ims_scene_start begins anew in |dialect|, with |size| bytes for the session. Nothing gets
 * lost: each answer that is missing is told. */
static inline bool gw_ims_scene_start(gw_ims_scene *s, const char *dialect, size_t size)
{
    memset(s, 0, sizeof *s);
    s->sink.finding = gw_ims_scene_finding;
    s->sink.relation = gw_ims_scene_relation;
    s->dialect = gw_dialect_by_name(&gw_ims, dialect);
    s->worker = gw_ib_lid_endpoint(SCENE_LID);
    s->buffer = gw_ib_lid_endpoint(7);
    s->status = (gw_ims_status){.major = 1, .minor = 1, .lid = SCENE_LID, .qpn = SCENE_QPN};
    s->dest_qp = SCENE_QPN;
    s->dest_key = SCENE_QKEY;
    s->service_key = SCENE_SERVICE_KEY;
    s->rkey = SCENE_RKEY;
    s->packet_len = 64;
    if (!gw_ims_session.init(s->memory, size, SCENE_GIVE_UP_NS))
        return false;
    ((gw_ims_sessions *)s->memory)->silent = 1;
    return true;
}

/* gw_ims_scene_send feeds one packet from |src| to |dst|. */
static inline void gw_ims_scene_send(gw_ims_scene *s, const gw_ims_draft *draft,
                                     const gw_endpoint *src, const gw_endpoint *dst)
{
    uint8_t bytes[GW_IB_PACKET_MAX];
    gw_message m = gw_message_of(bytes, gw_ims_build(bytes, sizeof bytes, draft, s->dialect));

    s->now_ns += SCENE_STEP_NS;
    m.frame = ++s->frame;
    m.time_ns = s->now_ns;
    m.src = *src;
    m.dst = *dst;
    m.ib = s->ib;
    gw_ims_session.feed(s->memory, &m, s->dialect, &s->sink);
}

/* gw_ims_scene_ask sends a request of the Worker. */
static inline void gw_ims_scene_ask(gw_ims_scene *s, uint8_t method)
{
    gw_ims_status status = s->status;

    status.method = method;
    status.key = (method & GW_IMS_DATA) != 0 ? SCENE_DATA_QP : SCENE_QKEY;
    gw_ims_draft d = gw_ims_draft_status(SCENE_SERVICE_QP, status.qpn, s->service_key, 0, &status);
    gw_ims_scene_send(s, &d, &s->worker, &s->buffer);
}

/* gw_ims_scene_tell sends |status| to the Worker. */
static inline void gw_ims_scene_tell(gw_ims_scene *s, const gw_ims_status *status)
{
    gw_ims_draft d = gw_ims_draft_status(s->dest_qp, SCENE_SERVICE_QP, s->dest_key, 0, status);

    gw_ims_scene_send(s, &d, &s->buffer, &s->worker);
}

/* gw_ims_scene_grant sends a DATA_RES: write to |qp|, at SCENE_VA + |at|, with |rkey|. */
static inline void gw_ims_scene_grant(gw_ims_scene *s, uint32_t qp, uint64_t at, uint32_t rkey)
{
    gw_ims_status status = s->status;

    status.method = GW_IMS_DATA_RES;
    status.key = qp;
    status.va = SCENE_VA + at;
    status.rkey = rkey;
    gw_ims_scene_tell(s, &status);
}

/* gw_ims_scene_answer sends an answer of the buffer. */
static inline void gw_ims_scene_answer(gw_ims_scene *s, uint8_t method)
{
    gw_ims_status status = s->status;

    status.method = method;
    if (method == GW_IMS_DATA_RES)
        gw_ims_scene_grant(s, SCENE_BUFFER_QP, 0, SCENE_RKEY);
    else
        gw_ims_scene_tell(s, &status);
}

/* gw_ims_scene_exchange asks and is answered. */
static inline void gw_ims_scene_exchange(gw_ims_scene *s, uint8_t method)
{
    gw_ims_scene_ask(s, method);
    gw_ims_scene_answer(s, method | GW_IMS_RESPONSE);
}

/* gw_ims_scene_set_up registers the Worker and opens its data channel: packets 1 to 4. */
static inline void gw_ims_scene_set_up(gw_ims_scene *s)
{
    gw_ims_scene_exchange(s, GW_IMS_STAT_REQ);
    gw_ims_scene_exchange(s, GW_IMS_DATA_REQ);
}

/* gw_ims_scene_piece sends |len| bytes of a frame of |length| bytes at SCENE_VA + |at|, from its
 * byte |offset| on. */
static inline void gw_ims_scene_piece(gw_ims_scene *s, uint64_t at, uint32_t length,
                                      uint32_t offset, const uint8_t *data, size_t len)
{
    gw_ib_reth reth = {.va = SCENE_VA + at, .rkey = s->rkey, .length = length};
    gw_ims_draft d = gw_ims_draft_write(SCENE_BUFFER_QP, s->psn[0]++, &reth, offset, data, len);

    gw_ims_scene_send(s, &d, &s->worker, &s->buffer);
}

/* gw_ims_scene_write sends a whole frame. */
static inline void gw_ims_scene_write(gw_ims_scene *s, uint64_t at, uint32_t length)
{
    static const uint8_t zeros[GW_IMS_PACKET_MAX];

    for (uint32_t offset = 0; offset < length; offset += (uint32_t)s->packet_len) {
        size_t left = length - offset;
        gw_ims_scene_piece(s, at, length, offset, zeros,
                           left < s->packet_len ? left : s->packet_len);
    }
}

/* gw_ims_scene_respond sends an ACK (|events| 0) or a NACK for the frame at |va|. */
static inline void gw_ims_scene_respond(gw_ims_scene *s, uint32_t events, uint64_t va)
{
    gw_ims_ack ack = {
        .type = events != 0 ? GW_IMS_TYPE_NACK : GW_IMS_TYPE_ACK, .events = events, .va = va};
    gw_ims_draft d = gw_ims_draft_ack(SCENE_DATA_QP, s->psn[1]++, &ack);

    gw_ims_scene_send(s, &d, &s->buffer, &s->worker);
}

/* gw_ims_scene_ack acknowledges the frame at SCENE_VA + |at|. */
static inline void gw_ims_scene_ack(gw_ims_scene *s, uint64_t at)
{
    gw_ims_scene_respond(s, 0, SCENE_VA + at);
}

static inline void gw_ims_scene_end(gw_ims_scene *s)
{
    gw_ims_session.end(s->memory, &s->sink);
}

#endif
