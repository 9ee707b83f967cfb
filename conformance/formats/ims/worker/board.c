/* SPDX-License-Identifier: BSD-2-Clause */
/* The software IMS Worker: a RoCEv2 endpoint, and the board. */
#include "formats/ims/worker/board.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "harness/checksum.h"

/* What a frame's first packet has besides its payload. */
#define WRITE_HEADERS ((size_t)GW_IB_BTH + GW_IB_RETH + GW_IB_ICRC)

void gw_ims_worker_fail(gw_ims_worker_state *w, const char *what)
{
    if (w->failed == NULL)
        w->failed = what;
}

void gw_ims_worker_transmit(gw_ims_worker_state *w, const gw_ims_draft *draft, uint8_t flaw)
{
    size_t len = gw_ims_remote_build(&w->remote, w->packet, sizeof(w->packet), draft, w->dialect);
    w->packet[len - 1] ^= flaw;
    w->out->send(w->out, 0, 0, w->packet, len);
}

void gw_ims_worker_send(gw_ims_worker_state *w, gw_ims_draft *draft)
{
    if (w->mutant == NULL || gw_ims_worker_filter_out(w, draft))
        gw_ims_worker_transmit(w, draft, 0);
}

/* ---- the endpoint ---- */

bool gw_ims_worker_is_answer(const gw_ims_worker_state *w, const gw_ims_packet *p)
{
    return p->has_body && p->kind == GW_IMS_IS_STATUS && p->has_deth &&
           p->bth.dest_qp == w->setup->qpn && p->deth.qkey == w->setup->qkey &&
           p->payload_sent == GW_IMS_STATUS;
}

bool gw_ims_worker_is_response(const gw_ims_worker_state *w, const gw_ims_packet *p)
{
    return p->has_body && p->kind == GW_IMS_IS_ACK && !p->has_imm &&
           p->bth.dest_qp == w->setup->qpnd && p->payload_sent == GW_IMS_ACK &&
           w->phase == WORKER_STREAMING;
}

void gw_ims_worker_take(gw_ims_worker_state *w, const gw_ims_packet *p)
{
    if (gw_ims_worker_is_answer(w, p))
        gw_ims_worker_take_status(w, &p->status);
    else if (gw_ims_worker_is_response(w, p))
        gw_ims_worker_take_response(w, &p->ack);
}

/* RoCEv2's source port says nothing: whoever has the buffer's address is the buffer. */
static bool is_buffer(const gw_ims_worker_state *w, const gw_endpoint *there)
{
    return there != NULL && there->family == w->remote.there.family &&
           memcmp(there->ip, w->remote.there.ip, sizeof(there->ip)) == 0;
}

/* An adapter drops what is damaged without a word. */
static void on_bytes(gw_ims_worker_state *w, const gw_peer_event *event)
{
    gw_ims_packet p;
    if (!is_buffer(w, event->there))
        return;
    if (!gw_ims_remote_take(&w->remote, &p, event, w->dialect))
        w->damaged++;
    else if (w->mutant != NULL)
        gw_ims_worker_filter_in(w, &p);
    else
        gw_ims_worker_take(w, &p);
}

static void hurry(gw_ims_worker_state *w, const gw_peer_config *config)
{
    w->own = *w->setup;
    w->own.response_ns = gw_peer_wait(config, w->own.response_ns);
    w->own.wait_ns = gw_peer_wait(config, w->own.wait_ns);
    w->own.status_ns = gw_peer_wait(config, w->own.status_ns);
    w->setup = &w->own;
}

static bool worker_init(void *state, const gw_peer_config *config, char *why, size_t why_cap)
{
    (void)why;
    (void)why_cap;
    gw_ims_worker_state *w = state;
    memset(w, 0, sizeof(*w));
    w->setup = config->setup != NULL ? config->setup : &gw_ims_worker_default;
    w->dialect = config->dialect;
    w->mutant = config->mutant;
    w->status_deadline = GW_PEER_NEVER;
    w->psn = w->setup->psn;
    if (config->hurry > 1)
        hurry(w, config);
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

/* An adapter's packets have the largest of its few sizes that the path carries. */
static void use_path(gw_ims_worker_state *w, size_t carries)
{
    uint32_t size = GW_IMS_PACKET_MAX;
    while (size > GW_IMS_ALIGN && size + WRITE_HEADERS > carries)
        size /= 2;
    if (size >= w->setup->packet)
        return;
    w->own = *w->setup;
    w->own.packet = size;
    w->setup = &w->own;
}

static void on_open(gw_ims_worker_state *w, const gw_peer_event *event)
{
    gw_ims_remote_open(&w->remote, event);
    if (event->adapter != NULL)
        use_adapter(w, event->adapter);
    else if (event->carries != 0)
        use_path(w, event->carries);
    w->policy = gw_ims_worker_policy_of(w->setup, w->mutant);
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

/* What arrived has to have this checksum. */
static uint32_t checksum(gw_ims_worker_state *w)
{
    uint8_t piece[GW_IMS_PACKET_MAX];
    uint32_t crc = 0;
    for (uint64_t at = 0; at < w->setup->size; at += sizeof(piece)) {
        uint64_t left = w->setup->size - at;
        size_t len = left < sizeof(piece) ? (size_t)left : sizeof(piece);
        gw_ims_worker_read(w, at, piece, len);
        crc = gw_crc32c(&gw_fast_env, crc, piece, len);
    }
    return crc;
}

static bool worker_report(void *state, char *text, size_t cap)
{
    gw_ims_worker_state *w = state;
    bool all = w->phase == WORKER_DONE && w->delivered == w->num_frames;
    int len = snprintf(text, cap,
                       "%" PRIu64 " of %" PRIu64 " frames of %" PRIu32 " bytes delivered, %" PRIu64
                       " refused, %" PRIu64 " sent again",
                       w->delivered, w->num_frames, w->setup->frame, w->refused, w->resent);
    if (all && len >= 0 && (size_t)len < cap)
        len += snprintf(text + len, cap - (size_t)len, "; %" PRIu64 " bytes, CRC-32C 0x%08" PRIx32,
                        w->setup->size, checksum(w));
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

/* What it declares, and where it may be written to. */
static const gw_board_file file = {
    .role = "ims-worker",
    .dialect = "strict",
    .make = "goldwire software board",
    .serial = "none",
    .firmware = "as built",
    .claims = {.images = GW_CLAIM_YES, .response_timeout_ms = 500, .response_us = 200000},
};

const gw_board gw_ims_worker_board = {
    .role = "ims-worker",
    .blurb = "Registers with a buffer and streams frames into it",
    .links = links,
    .datagram_links = 1,
    .same_port_links = 1,
    .roce_links = 1,
    .mutants = gw_ims_worker_mutants,
    .num_mutants = GW_IMS_NUM_WORKER_MUTANTS,
    .file = &file,
    .format = &gw_ims,
    .calls_us = true,
    .waits = true,
    .size = sizeof(gw_ims_worker_state),
    .init = worker_init,
    .step = worker_step,
    .done = worker_done,
    .report = worker_report,
    .fini = worker_fini,
    .open_setup = worker_open_setup,
    .close_setup = worker_close_setup,
};
