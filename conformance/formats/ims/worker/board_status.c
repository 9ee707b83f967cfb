/* SPDX-License-Identifier: BSD-2-Clause */
/* The software IMS Worker's status channel: requests out, and what their answers, or the lack of
 * one, mean. */
#include "formats/ims/worker/board.h"

void gw_ims_worker_finish(gw_ims_worker_state *w)
{
    w->phase = WORKER_DONE;
    w->status_deadline = GW_PEER_NEVER;
}

/* ---- requests ---- */

void gw_ims_worker_request(gw_ims_worker_state *w, uint8_t method)
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
    if (method == GW_IMS_DATA_REQ)
        status.key = s->qpnd;
    gw_ims_draft draft =
        gw_ims_draft_status(s->buffer_qpn, s->qpn, s->buffer_qkey, w->status_psn, &status);
    w->status_psn = (w->status_psn + 1) & GW_IB_NUMBER_MASK;
    gw_ims_worker_send(w, &draft);
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
    w->phase = phase_of(method);
    w->status_tries = 1;
    w->status_deadline = w->now + w->setup->status_ns;
    gw_ims_worker_request(w, method);
}

/* The buffer forgets a Worker as it sends STAT_DOWN: when that is lost, nothing answers any more.
 * So silence after STAT_TERM is as good as an answer. */
static void give_up_asking(gw_ims_worker_state *w)
{
    switch (w->phase) {
    case WORKER_REGISTERING:
        gw_ims_worker_fail(w, "no answer to STAT_REQ");
        gw_ims_worker_finish(w);
        return;
    case WORKER_OPENING:
        gw_ims_worker_fail(w, "no answer to DATA_REQ");
        gw_ims_worker_ask(w, GW_IMS_STAT_TERM);
        return;
    case WORKER_CLOSING:
        gw_ims_worker_ask(w, GW_IMS_STAT_TERM);
        return;
    default:
        gw_ims_worker_finish(w);
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
    gw_ims_worker_request(w, request_of(w->phase));
}

/* ---- answers ---- */

static bool suits(const gw_ims_worker_state *w, const gw_ims_status *status)
{
    return status->major == gw_ims_worker_revision(w) >> 8;
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
    gw_ims_worker_finish(w);
}

void gw_ims_worker_take_status(gw_ims_worker_state *w, const gw_ims_status *status)
{
    if (status->lid != w->setup->lid || status->qpn != w->setup->qpn)
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
