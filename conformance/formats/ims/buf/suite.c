/* SPDX-License-Identifier: BSD-2-Clause */
/* The suite for an IMS buffer. */
#include <stdio.h>
#include <string.h>

#include "formats/ims/buf/board.h"
#include "formats/ims/buf/suite.h"
#include "suite/response.h"

/* Dependencies point back: what is built on stands further up. */
static const gw_case *const groups[] = {
    gw_ims_b_format,    gw_ims_b_status, gw_ims_b_channel, gw_ims_b_noise, gw_ims_b_frame,
    gw_ims_b_mid_frame, gw_ims_b_errors, gw_ims_b_window,  gw_ims_b_end,   gw_ims_b_others};

#define BELOW_UDP                                                                                  \
    "RoCEv2 has no local route header, service level or variant CRC, and an InfiniBand adapter "   \
    "makes them itself and hands up none; `goldwire check' finds it in a capture of the link."

static const gw_exception exceptions[] = {
    {"IMS-C10", GW_BOTH_WAYS,
     "A buffer sends no RDMA header that could be wrong: only Workers do."},
    {"IMS-C12", GW_BOTH_WAYS, BELOW_UDP},
    {"IMS-C14", GW_BOTH_WAYS, BELOW_UDP},
    {"IMS-C15", GW_BOTH_WAYS, BELOW_UDP},
    {"IMS-C16", GW_BOTH_WAYS, BELOW_UDP},
};

/* Waits until the board has answered everything that was said before: it answers in that order.
 * Through an adapter nobody but our one Worker can ask, so the time has to pass. */
static const gw_imb_worker fence = {.lid = 0x7e, .qpn = 0x47e, .qkey = 0x47e};
static const gw_imb_worker second_fence = {.lid = 0x7d, .qpn = 0x47d, .qkey = 0x47d};

static void settle(gw_ctx *ctx)
{
    gw_connection *conn = gw_case_connection(ctx);
    int64_t deadline = gw_case_now(conn) + gw_case_settle_ns(ctx);
    gw_imb_got got;

    if (gw_case_transport(conn)->adapter == NULL)
        (void)gw_imb_send_request(ctx, &fence, GW_IMS_STAT_REQ);
    while (gw_imb_next(ctx, &got, deadline - gw_case_now(conn))) {
        if (!got.p.has_bth || got.p.bth.dest_qp != fence.qpn)
            continue;
        (void)gw_imb_send_request(ctx, &fence,
                                  GW_IMS_STAT_TERM); /* it asks for the first time each time */
        return;
    }
}

/* Workers that are ours, or were, take their leave: of channels that they may never have had.
 * Whether any was. */
static bool take_leave(gw_ctx *ctx)
{
    gw_imb_state *s = gw_case_state(ctx);
    bool any = gw_imb_strangers_leave(ctx);

    for (unsigned i = 0; i < GW_IMB_WORKERS; i++) {
        gw_imb_worker *w = &s->workers[i];
        if (w->qpn == 0)
            continue;
        (void)gw_imb_send_request(ctx, w, GW_IMS_DATA_TERM);
        (void)gw_imb_send_request(ctx, w, GW_IMS_STAT_TERM);
        *w = (gw_imb_worker){0};
        any = true;
    }
    return any;
}

static void conclude(gw_ctx *ctx)
{
    if (take_leave(ctx))
        settle(ctx);
    gw_imb_drain(ctx);
}

static void begin(gw_ctx *ctx)
{
    ((gw_imb_state *)gw_case_state(ctx))->num_answered = 0; /* addresses come again */
    conclude(ctx);
}

/* Through an adapter nobody but our one Worker can ask. Otherwise a Worker of its own does, so that
 * those of a case stay as they are. */
static const gw_imb_worker *prober(gw_ctx *ctx)
{
    bool adapter = gw_case_transport(gw_case_connection(ctx))->adapter != NULL;

    return adapter ? gw_imb_one(ctx, 0) : &fence;
}

/* Whether |got| is for one of the Workers that the cases play. */
static bool is_theirs(gw_ctx *ctx, const gw_imb_got *got, const gw_imb_worker *but)
{
    const gw_imb_state *s = gw_case_state(ctx);

    for (unsigned i = 0; got->p.has_bth && i < GW_IMB_WORKERS; i++) {
        const gw_imb_worker *w = &s->workers[i];
        if (w->qpn != 0 && w != but &&
            (got->p.bth.dest_qp == w->qpn || got->p.bth.dest_qp == w->data_qpn))
            return true;
    }
    return false;
}

/* Whatever comes back counts: how good it is, is for the cases to say. */
static bool alive(gw_ctx *ctx, int64_t timeout_ns)
{
    gw_imb_state *s = gw_case_state(ctx);
    gw_connection *conn = gw_case_connection(ctx);
    gw_imb_got got;
    bool came;

    if (gw_case_board(ctx)->claims.status_qpn == 0)
        gw_case_inconc(ctx, "which queue pair takes requests has to be claimed: status_qpn and "
                            "status_qkey in a board file");
    gw_imb_drain(ctx);
    const gw_imb_worker *w = prober(ctx);
    (void)gw_imb_send_request(ctx, w, GW_IMS_STAT_REQ);
    int64_t deadline = gw_case_now(conn) + timeout_ns;
    do
        came = gw_imb_next(ctx, &got, deadline - gw_case_now(conn));
    while (came && is_theirs(ctx, &got, w));
    /* When its last leave got lost, it did not ask for the first time. */
    if (!came && w == &fence)
        (void)gw_imb_send_request(ctx, w, GW_IMS_STAT_TERM);
    if (!came)
        return false;
    s->heard = got.p.has_body;
    s->version = (uint16_t)(got.p.status.major << 8 | got.p.status.minor);
    if (w != &fence) {
        begin(ctx);
        return true;
    }
    (void)gw_imb_send_request(ctx, w, GW_IMS_STAT_TERM);
    while (gw_imb_next(ctx, &got, deadline - gw_case_now(conn)) && is_theirs(ctx, &got, w))
        ;
    return true;
}

/* Whatever a Worker that only looks after the board is told comes when it likes. */
static bool excused(gw_ctx *ctx, gw_connection *conn, const gw_packet *packet)
{
    gw_ib_bth bth;

    (void)ctx;
    (void)conn;
    if (packet->len < GW_IB_BTH)
        return false;
    bth = gw_ib_get_bth(packet->data);
    return bth.dest_qp == fence.qpn || bth.dest_qp == second_fence.qpn;
}

static gw_pair pair(gw_ctx *ctx, int64_t timeout_ns)
{
    gw_connection *conn = gw_case_connection(ctx);
    bool first = false, second = false;
    gw_pair pair = {0};
    gw_packet packet;

    gw_imb_drain(ctx);
    if (gw_case_transport(conn)->adapter != NULL)
        return pair;
    (void)gw_imb_send_request(ctx, &fence, GW_IMS_STAT_REQ);
    (void)gw_imb_send_request(ctx, &second_fence, GW_IMS_STAT_REQ);
    int64_t deadline = gw_case_now(conn) + timeout_ns;
    while (gw_case_recv(ctx, conn, deadline - gw_case_now(conn), &packet) == GW_RECV_DATA) {
        if (!excused(ctx, conn, &packet))
            continue;
        bool *which = gw_ib_get_bth(packet.data).dest_qp == fence.qpn ? &first : &second;
        pair.repeated += *which;
        pair.overtaken |= which == &first && !first && second;
        pair.answered += !*which;
        *which = true;
        if (pair.answered == 2 && pair.repeated == 0)
            deadline = gw_case_now(conn) + gw_case_settle_ns(ctx);
    }
    (void)gw_imb_send_request(ctx, &fence, GW_IMS_STAT_TERM);
    (void)gw_imb_send_request(ctx, &second_fence, GW_IMS_STAT_TERM);
    gw_imb_drain(ctx);
    return pair;
}

static bool has_registers(gw_ctx *ctx)
{
    const gw_board_file *board = gw_case_board(ctx);
    return gw_board_may_write(board, board->register_base, GW_IMS_BUF_REGISTERS);
}

static bool has(gw_ctx *ctx, const char *need, char *why, size_t why_cap)
{
    if (strcmp(need, "ring") == 0) {
        (void)snprintf(why, why_cap, "no ram area is declared that frames may be written to");
        return gw_board_area(gw_case_board(ctx), GW_AREA_RAM, 64, GW_IMS_ALIGN) != NULL;
    }
    if (strcmp(need, "response_us") == 0)
        return gw_response_claimed(ctx, why, why_cap);
    if (!gw_case_has_link(ctx, GW_REGS_LINK)) {
        (void)snprintf(why, why_cap, "nobody said where the board's link regs is");
        return false;
    }
    (void)snprintf(why, why_cap, "no ram area is declared that is the register block");
    return has_registers(ctx);
}

static bool accepts(const gw_dialect *dialect, bool stream, char *why, size_t why_cap)
{
    (void)stream;
    (void)snprintf(why, why_cap,
                   "before revision 1.1 the events of a NACK are not known; the cases "
                   "are for 1.1");
    return gw_ims_dialect_of(dialect)->revision >= (GW_IMS_MAJOR << 8 | GW_IMS_MINOR);
}

static void show(gw_ctx *ctx, gw_claims *shown)
{
    shown->version = ((const gw_imb_state *)gw_case_state(ctx))->version;
}

static void identify(gw_ctx *ctx, char *out, size_t cap)
{
    const gw_imb_state *s = gw_case_state(ctx);

    if (s->heard)
        (void)snprintf(out, cap, "IMS buffer of protocol version %u.%u", s->version >> 8,
                       s->version & 0xffu);
    else
        (void)snprintf(out, cap, "an IMS buffer whose answers cannot be read");
}

/* Nobody waits for an answer: a Worker may never have been registered. */
static void leave(gw_ctx *ctx)
{
    (void)take_leave(ctx);
    gw_imb_drain(ctx);
}

const gw_suite gw_ims_buf_suite = {
    .role = "ims-buf",
    .format = &gw_ims,
    .families = GW_LIST("IMS-B", "IMS-C"),
    .groups = groups,
    .num_groups = GW_ARRAY_LEN(groups),
    .exceptions = exceptions,
    .num_exceptions = GW_ARRAY_LEN(exceptions),
    .state_size = sizeof(gw_imb_state),
    .accepts = accepts,
    .begin = begin,
    .alive = alive,
    .told = gw_imb_told,
    .heard = gw_imb_heard,
    .excused = excused,
    .pair = pair,
    .has = has,
    .show = show,
    .conclude = conclude,
    .leave = leave,
    .identify = identify,
    .loads = &gw_ims_buf_loads,
};
