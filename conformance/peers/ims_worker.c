/* SPDX-License-Identifier: BSD-2-Clause */
/* The software IMS Worker: a RoCEv2 endpoint, and its status channel. */
#include "ims_worker.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void gw_ims_worker_fail(gw_ims_worker_state *w, const char *what)
{
    if (w->failed == NULL)
        w->failed = what;
}

void gw_ims_worker_send(gw_ims_worker_state *w, const gw_ims_draft *draft, uint8_t flaw)
{
    size_t len = gw_ims_way_build(&w->way, w->packet, sizeof(w->packet), draft, w->dialect);
    w->packet[len - 1] ^= flaw;
    w->out->send(w->out, 0, 0, w->packet, len);
}

static void finish(gw_ims_worker_state *w)
{
    w->phase = WORKER_DONE;
    w->status_deadline = GW_PEER_NEVER;
}

/* ---- requests ---- */

static void send_request(gw_ims_worker_state *w, uint8_t method)
{
    const gw_ims_worker_setup *s = w->setup;
    uint16_t revision = gw_ims_worker_revision(w);
    gw_ims_status status = {
        .method = method,
        .major = (uint8_t)(revision >> 8),
        .minor = (uint8_t)revision,
        .lid = s->lid,
        .qpn = s->qpn,
    };
    if (method == GW_IMS_STAT_REQ)
        status.key = s->qkey;
    if (method == GW_IMS_DATA_REQ && !gw_ims_worker_faulty(w, WORKER_FAULT_NO_QPND))
        status.key = s->qpnd;
    if (gw_ims_worker_faulty(w, WORKER_FAULT_OTHER_QPN))
        status.qpn ^= 1;
    if (gw_ims_worker_faulty(w, WORKER_FAULT_METHOD) && method == GW_IMS_DATA_TERM)
        status.method = GW_IMS_DATA_TERM + GW_IMS_NUM_METHODS;
    gw_ims_draft draft =
        gw_ims_draft_status(s->buffer_qpn, s->qpn, s->buffer_qkey, w->status_psn, &status);
    uint8_t longer[GW_IMS_STATUS + 4] = {0};
    if (gw_ims_worker_faulty(w, WORKER_FAULT_LONG_STATUS)) {
        gw_ims_put_status(longer, &status, GW_IMS_LE);
        draft.raw = true;
        draft.payload = longer;
        draft.payload_len = sizeof(longer);
    }
    w->status_psn = (w->status_psn + 1) & GW_IB_NUMBER_MASK;
    gw_ims_worker_send(w, &draft, 0);
}

static uint8_t phase_of(uint8_t method)
{
    switch (method) {
    case GW_IMS_STAT_REQ:
        return WORKER_REGISTERING;
    case GW_IMS_DATA_REQ:
        return WORKER_OPENING;
    case GW_IMS_DATA_TERM:
        return WORKER_CLOSING;
    default:
        return WORKER_DEREGISTERING;
    }
}

static uint8_t request_of(uint8_t phase)
{
    switch (phase) {
    case WORKER_REGISTERING:
        return GW_IMS_STAT_REQ;
    case WORKER_OPENING:
        return GW_IMS_DATA_REQ;
    case WORKER_CLOSING:
        return GW_IMS_DATA_TERM;
    default:
        return GW_IMS_STAT_TERM;
    }
}

void gw_ims_worker_ask(gw_ims_worker_state *w, uint8_t method)
{
    bool term = method == GW_IMS_DATA_TERM || method == GW_IMS_STAT_TERM;
    if (term && gw_ims_worker_faulty(w, WORKER_FAULT_LEAVES)) {
        finish(w);
        return;
    }
    w->phase = phase_of(method);
    w->status_tries = 1;
    w->status_deadline = w->now + w->setup->status_ns;
    send_request(w, method);
    if (method == GW_IMS_STAT_REQ && gw_ims_worker_faulty(w, WORKER_FAULT_HASTY))
        send_request(w, GW_IMS_DATA_REQ);
    if (method == GW_IMS_DATA_REQ && gw_ims_worker_faulty(w, WORKER_FAULT_EARLY)) {
        w->buffer_qpnd = w->setup->buffer_qpnd;
        gw_ims_worker_write_anyway(w);
    }
}

/* The buffer forgets a Worker as it sends STAT_DOWN: when that is lost, nothing answers any more.
 * So silence after STAT_TERM is as good as an answer. */
static void give_up_asking(gw_ims_worker_state *w)
{
    switch (w->phase) {
    case WORKER_REGISTERING:
        gw_ims_worker_fail(w, "no answer to STAT_REQ");
        finish(w);
        return;
    case WORKER_OPENING:
        gw_ims_worker_fail(w, "no answer to DATA_REQ");
        gw_ims_worker_ask(w, GW_IMS_STAT_TERM);
        return;
    case WORKER_CLOSING:
        gw_ims_worker_ask(w, GW_IMS_STAT_TERM);
        return;
    default:
        finish(w);
        return;
    }
}

void gw_ims_worker_status_late(gw_ims_worker_state *w)
{
    if (w->status_tries >= w->setup->status_tries) {
        give_up_asking(w);
        return;
    }
    w->status_tries++;
    w->status_deadline = w->now + w->setup->status_ns;
    send_request(w, request_of(w->phase));
}

/* ---- answers ---- */

static bool suits(const gw_ims_worker_state *w, const gw_ims_status *status)
{
    return status->major == gw_ims_worker_revision(w) >> 8 ||
           gw_ims_worker_faulty(w, WORKER_FAULT_ANY_VERSION);
}

/* The fault of a Worker that wants fields to be 0 which may be anything. */
static bool displeases(const gw_ims_worker_state *w, const gw_ims_status *status)
{
    return gw_ims_worker_faulty(w, WORKER_FAULT_PICKY) && status->method != GW_IMS_DATA_RES &&
           (status->key != 0 || status->va != 0 || status->rkey != 0);
}

static void take_stat_res(gw_ims_worker_state *w, const gw_ims_status *status)
{
    if (w->phase != WORKER_REGISTERING)
        return;
    w->phase = WORKER_REGISTERED;
    w->old_version = status->major == 0;
    if (!w->old_version && !suits(w, status)) {
        gw_ims_worker_fail(w, "the buffer's version is unknown");
        gw_ims_worker_ask(w, GW_IMS_STAT_TERM);
        return;
    }
    gw_ims_worker_ask(w, GW_IMS_DATA_REQ);
}

/* A second DATA_RES that tells something else: what is written by now lies at the wrong place. */
static void compare_data_res(gw_ims_worker_state *w, const gw_ims_status *status)
{
    if (status->va != w->base || status->rkey != w->rkey)
        gw_ims_worker_fail(w, "the buffer told another address or key later");
}

static void take_data_res(gw_ims_worker_state *w, const gw_ims_status *status)
{
    bool echo = gw_ims_dialect_of(w->dialect)->qpnd_echo;
    if (w->phase == WORKER_STREAMING)
        compare_data_res(w, status);
    if (w->phase != WORKER_OPENING)
        return;
    w->base = status->va;
    w->rkey = status->rkey;
    w->buffer_qpnd = echo ? w->setup->buffer_qpnd : status->key;
    w->phase = WORKER_STREAMING;
    w->status_deadline = GW_PEER_NEVER;
    if (w->old_version && !suits(w, status))
        gw_ims_worker_fail(w, "the buffer's version is unknown");
    else if (status->va % GW_IMS_ALIGN != 0 || status->va > UINT64_MAX - w->setup->size)
        gw_ims_worker_fail(w, "frames cannot begin where the buffer says");
    else if (w->buffer_qpnd <= 1 || w->buffer_qpnd > GW_IB_NUMBER_MASK)
        gw_ims_worker_fail(w, "the buffer tells no queue pair for data");
    if (w->failed == NULL)
        gw_ims_worker_stream(w);
    else
        gw_ims_worker_ask(w, GW_IMS_DATA_TERM);
}

static void take_data_down(gw_ims_worker_state *w)
{
    switch (w->phase) {
    case WORKER_OPENING:
        gw_ims_worker_fail(w, "the buffer refuses a data channel");
        break;
    case WORKER_STREAMING:
        gw_ims_worker_fail(w, "the buffer closed the data channel");
        gw_ims_worker_abort(w);
        break;
    case WORKER_CLOSING:
        break;
    default:
        return;
    }
    gw_ims_worker_ask(w, GW_IMS_STAT_TERM);
}

static void take_stat_down(gw_ims_worker_state *w)
{
    if (w->phase == WORKER_REGISTERING)
        gw_ims_worker_fail(w, "the buffer refuses us");
    else if (w->phase != WORKER_CLOSING && w->phase != WORKER_DEREGISTERING)
        gw_ims_worker_fail(w, "the buffer took us off its list");
    gw_ims_worker_abort(w);
    finish(w);
}

void gw_ims_worker_take_status(gw_ims_worker_state *w, const gw_ims_status *status)
{
    uint32_t qpn = gw_ims_worker_faulty(w, WORKER_FAULT_OTHER_QPN) ? status->qpn ^ 1 : status->qpn;
    if (status->lid != w->setup->lid || qpn != w->setup->qpn || displeases(w, status))
        return;
    switch (status->method) {
    case GW_IMS_STAT_RES:
        take_stat_res(w, status);
        return;
    case GW_IMS_DATA_RES:
        take_data_res(w, status);
        return;
    case GW_IMS_DATA_DOWN:
        take_data_down(w);
        return;
    case GW_IMS_STAT_DOWN:
        take_stat_down(w);
        return;
    default:
        return; /* what only a Worker may say */
    }
}

/* ---- the endpoint ---- */

static void take_packet(gw_ims_worker_state *w, const gw_ims_packet *p)
{
    const gw_ims_worker_setup *s = w->setup;
    if (!p->has_body)
        return;
    if (p->kind == GW_IMS_IS_STATUS && p->has_deth && p->bth.dest_qp == s->qpn &&
        p->deth.qkey == s->qkey && p->payload_sent == GW_IMS_STATUS)
        gw_ims_worker_take_status(w, &p->status);
    else if (p->kind == GW_IMS_IS_ACK && !p->has_imm && p->bth.dest_qp == s->qpnd &&
             p->payload_sent == GW_IMS_ACK && w->phase == WORKER_STREAMING)
        gw_ims_worker_take_response(w, &p->ack);
}

/* RoCEv2's source port says nothing: whoever has the buffer's address is the buffer. */
static bool is_buffer(const gw_ims_worker_state *w, const gw_endpoint *there)
{
    return there != NULL && there->family == w->way.there.family &&
           memcmp(there->ip, w->way.there.ip, sizeof(there->ip)) == 0;
}

/* An adapter drops what is damaged without a word. */
static void on_bytes(gw_ims_worker_state *w, const gw_peer_event *event)
{
    gw_ims_packet p;
    if (!is_buffer(w, event->there))
        return;
    if (gw_ims_way_take(&w->way, &p, event, w->dialect))
        take_packet(w, &p);
    else
        w->damaged++;
}

static bool worker_init(void *state, const gw_peer_config *config, char *why, size_t why_cap)
{
    (void)why;
    (void)why_cap;
    gw_ims_worker_state *w = state;
    memset(w, 0, sizeof(*w));
    w->setup = config->setup != NULL ? config->setup : &gw_ims_worker_default;
    w->dialect = config->dialect;
    w->faults = config->mutant != NULL ? config->mutant->faults : 0;
    w->status_deadline = GW_PEER_NEVER;
    w->psn = w->setup->psn;
    w->num_frames = (w->setup->size + w->setup->frame - 1) / w->setup->frame;
    return true;
}

/* An adapter chooses its queue pairs' numbers itself, and has the LID of its port, if any. */
static void use_adapter(gw_ims_worker_state *w, const gw_adapter *adapter)
{
    w->own = *w->setup;
    w->own.qpn = adapter->qpn;
    w->own.qkey = adapter->qkey;
    w->own.qpnd = adapter->qpnd;
    if (adapter->lid != 0)
        w->own.lid = adapter->lid;
    w->setup = &w->own;
}

static void on_open(gw_ims_worker_state *w, const gw_peer_event *event)
{
    gw_ims_way_open(&w->way, event);
    if (event->adapter != NULL)
        use_adapter(w, event->adapter);
    gw_ims_worker_ask(w, GW_IMS_STAT_REQ);
}

static int64_t worker_step(void *state, const gw_peer_event *event, int64_t now_ns,
                           gw_peer_out *out)
{
    gw_ims_worker_state *w = state;
    w->out = out;
    w->now = now_ns;
    if (w->phase == WORKER_DONE)
        return GW_PEER_NEVER;
    if (event->kind == GW_PEER_OPEN && w->phase == WORKER_IDLE && event->here != NULL)
        on_open(w, event);
    else if (event->kind == GW_PEER_BYTES && w->phase != WORKER_IDLE)
        on_bytes(w, event);
    else if (event->kind == GW_PEER_TIMER && now_ns >= w->status_deadline)
        gw_ims_worker_status_late(w);
    if (w->phase == WORKER_STREAMING)
        gw_ims_worker_pump(w);
    if (w->phase == WORKER_STREAMING)
        return gw_ims_worker_frames_due(w);
    return w->status_deadline;
}

static bool worker_done(const void *state)
{
    return ((const gw_ims_worker_state *)state)->phase == WORKER_DONE;
}

static bool worker_report(const void *state, char *text, size_t cap)
{
    const gw_ims_worker_state *w = state;
    bool all = w->phase == WORKER_DONE && w->delivered == w->num_frames;
    int len = snprintf(text, cap,
                       "%" PRIu64 " of %" PRIu64 " frames of %" PRIu32 " bytes delivered, %" PRIu64
                       " refused, %" PRIu64 " sent again",
                       w->delivered, w->num_frames, w->setup->frame, w->refused, w->resent);
    if (w->damaged > 0 && len >= 0 && (size_t)len < cap)
        len += snprintf(text + len, cap - (size_t)len, "; %" PRIu64 " damaged datagrams dropped",
                        w->damaged);
    if (w->failed != NULL && len >= 0 && (size_t)len < cap)
        (void)snprintf(text + len, cap - (size_t)len, "; failed: %s", w->failed);
    return all && w->failed == NULL;
}

static void worker_fini(void *state)
{
    (void)state;
}

static void *worker_open_setup(const char *path, char *why, size_t why_cap)
{
    return gw_ims_worker_setup_open(path, why, why_cap);
}

static void worker_close_setup(void *setup)
{
    gw_ims_worker_setup_close(setup);
}

static const char *const links[] = {"ib", NULL};

const gw_board gw_ims_worker_board = {
    .role = "ims-worker",
    .blurb = "Registers with a buffer and streams frames into it",
    .links = links,
    .datagram_links = 1,
    .same_port_links = 1,
    .roce_links = 1,
    .mutants = gw_ims_worker_mutants,
    .num_mutants = GW_IMS_NUM_WORKER_MUTANTS,
    .format = &gw_ims,
    .calls_us = true,
    .size = sizeof(gw_ims_worker_state),
    .init = worker_init,
    .step = worker_step,
    .done = worker_done,
    .report = worker_report,
    .fini = worker_fini,
    .open_setup = worker_open_setup,
    .close_setup = worker_close_setup,
};
