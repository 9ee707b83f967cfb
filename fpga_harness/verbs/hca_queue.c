/* SPDX-License-Identifier: BSD-2-Clause */
/* The ib:// transport's queue pairs: made, set up, fed and waited for. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "harness/socket.h"
#include "harness/stop.h"
#include "hca.h"

/* The number of a request: which queue pair, its set-up, and the slot to receive into. */
#define ID_ERA_SHIFT 32
#define ID_UC (UINT64_C(1) << 63)
#define ID_ERA_MASK UINT32_C(0x7fffffff)

bool gw_hca_fail(gw_hca *hca, const char *what, int code)
{
    (void)snprintf(hca->t.error, sizeof(hca->t.error), "%s%s%s", what, code != 0 ? ": " : "",
                   code != 0 ? strerror(code) : "");
    return false;
}

gw_hca_which gw_hca_which_of(uint64_t id)
{
    return (id & ID_UC) != 0 ? HCA_UC : HCA_UD;
}

static uint64_t id_of(const gw_hca *hca, gw_hca_which which, uint32_t slot)
{
    uint64_t era = hca->queues[which].era & ID_ERA_MASK;
    return (which == HCA_UC ? ID_UC : 0) | era << ID_ERA_SHIFT | slot;
}

bool gw_hca_slot_of(const gw_hca *hca, uint64_t id, uint32_t *slot)
{
    *slot = (uint32_t)id;
    return id == id_of(hca, gw_hca_which_of(id), *slot) &&
           *slot < hca->queues[gw_hca_which_of(id)].num_slots;
}

/* ---- memory ---- */

/* Lays rings and slots out in one piece of registered memory. */
static bool take_memory(gw_hca *hca, char *why, size_t why_cap)
{
    gw_hca_queue *ud = &hca->queues[HCA_UD];
    gw_hca_queue *uc = &hca->queues[HCA_UC];
    ud->num_slots = GW_HCA_UD_SLOTS;
    uc->num_slots = GW_HCA_UC_SLOTS;
    ud->ring.size = GW_HCA_UD_ROOM;
    uc->ring.size = (size_t)hca->options.room;
    size_t slots = (size_t)(ud->num_slots + uc->num_slots) * GW_HCA_SLOT;
    size_t len = slots + ud->ring.size + uc->ring.size;
    void *memory = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        (void)snprintf(why, why_cap, "room=%zu: out of memory", uc->ring.size);
        return false;
    }
    hca->memory = memory;
    hca->memory_len = len;
    ud->slots = hca->memory;
    uc->slots = ud->slots + (size_t)ud->num_slots * GW_HCA_SLOT;
    ud->out = hca->memory + slots;
    uc->out = ud->out + ud->ring.size;
    hca->mr = (hca->verbs.reg_mr)(hca->pd, memory, len, IBV_ACCESS_LOCAL_WRITE);
    if (hca->mr == NULL)
        (void)snprintf(
            why, why_cap,
            "%zu bytes cannot be registered: %s; raise `ulimit -l', or ask for less with "
            "room=",
            len, strerror(errno));
    return hca->mr != NULL;
}

/* ---- queue pairs ---- */

static bool say(const char *what, char *why, size_t why_cap)
{
    (void)snprintf(why, why_cap, "%s: %s", what, strerror(errno));
    return false;
}

static struct ibv_comp_channel *open_channel(gw_hca *hca)
{
    struct ibv_comp_channel *channel = hca->verbs.create_comp_channel(hca->context);
    if (channel != NULL)
        (void)fcntl(channel->fd, F_SETFL, fcntl(channel->fd, F_GETFL) | O_NONBLOCK);
    return channel;
}

static bool open_completions(gw_hca *hca, char *why, size_t why_cap)
{
    hca->came = open_channel(hca);
    hca->gone = open_channel(hca);
    if (hca->came == NULL || hca->gone == NULL)
        return say("completion channel", why, why_cap);
    hca->came_cq =
        hca->verbs.create_cq(hca->context, GW_HCA_UD_SLOTS + GW_HCA_UC_SLOTS, NULL, hca->came, 0);
    hca->gone_cq =
        hca->verbs.create_cq(hca->context, HCA_NUM * GW_IB_RING_DEPTH, NULL, hca->gone, 0);
    if (hca->came_cq == NULL || hca->gone_cq == NULL)
        return say("completion queue", why, why_cap);
    return true;
}

static bool make_queue(gw_hca *hca, gw_hca_which which, char *why, size_t why_cap)
{
    struct ibv_qp_init_attr attr = {
        .send_cq = hca->gone_cq,
        .recv_cq = hca->came_cq,
        .cap = {.max_send_wr = GW_IB_RING_DEPTH,
                .max_recv_wr = hca->queues[which].num_slots,
                .max_send_sge = 1,
                .max_recv_sge = 1},
        .qp_type = which == HCA_UD ? IBV_QPT_UD : IBV_QPT_UC,
        .sq_sig_all = 1,
    };
    hca->queues[which].qp = hca->verbs.create_qp(hca->pd, &attr);
    return hca->queues[which].qp != NULL || say("queue pair", why, why_cap);
}

/* To INIT, with every slot in the adapter's hands. */
static bool initialise(gw_hca *hca, gw_hca_which which)
{
    gw_hca_queue *q = &hca->queues[which];
    struct ibv_qp_attr attr = {
        .qp_state = IBV_QPS_INIT,
        .port_num = hca->port,
        .qkey = hca->options.qkey,
    };
    int mask = IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT;
    mask |= which == HCA_UD ? IBV_QP_QKEY : IBV_QP_ACCESS_FLAGS;
    int code = hca->verbs.modify_qp(q->qp, &attr, mask);
    if (code != 0)
        return gw_hca_fail(hca, "queue pair to INIT", code);
    q->era++;
    q->psn = 0;
    for (uint32_t i = 0; i < q->num_slots; i++) {
        if (!gw_hca_post_slot(hca, which, i))
            return false;
    }
    return true;
}

static bool ready_datagrams(gw_hca *hca)
{
    gw_hca_queue *q = &hca->queues[HCA_UD];
    struct ibv_qp_attr receive = {.qp_state = IBV_QPS_RTR};
    struct ibv_qp_attr send = {.qp_state = IBV_QPS_RTS};
    if (!initialise(hca, HCA_UD))
        return false;
    int code = hca->verbs.modify_qp(q->qp, &receive, IBV_QP_STATE);
    if (code == 0)
        code = hca->verbs.modify_qp(q->qp, &send, IBV_QP_STATE | IBV_QP_SQ_PSN);
    q->ready = code == 0;
    return q->ready || gw_hca_fail(hca, "datagram queue pair", code);
}

bool gw_hca_open_queues(gw_hca *hca, char *why, size_t why_cap)
{
    hca->pd = hca->verbs.alloc_pd(hca->context);
    if (hca->pd == NULL)
        return say("protection domain", why, why_cap);
    if (!take_memory(hca, why, why_cap) || !open_completions(hca, why, why_cap) ||
        !make_queue(hca, HCA_UD, why, why_cap) || !make_queue(hca, HCA_UC, why, why_cap))
        return false;
    if (!ready_datagrams(hca)) {
        (void)snprintf(why, why_cap, "%s", hca->t.error);
        return false;
    }
    hca->adapter.qpn = hca->queues[HCA_UD].qp->qp_num;
    hca->adapter.qpnd = hca->queues[HCA_UC].qp->qp_num;
    hca->adapter.qkey = hca->options.qkey;
    hca->adapter.fd = hca->came->fd;
    return true;
}

/* ---- the connection ---- */

static enum ibv_mtu mtu_of(uint32_t bytes)
{
    enum ibv_mtu mtu = IBV_MTU_256;
    while (mtu < IBV_MTU_4096 && UINT32_C(128) << mtu < bytes)
        mtu++;
    return mtu;
}

static int wait_until_sent(gw_hca *hca, gw_hca_which which);

bool gw_hca_connect(gw_hca *hca, uint32_t dest_qp, uint32_t psn, uint32_t packet)
{
    gw_hca_queue *q = &hca->queues[HCA_UC];
    struct ibv_qp_attr attr = {.qp_state = IBV_QPS_RESET};
    int code = q->ready ? wait_until_sent(hca, HCA_UC) : 0;
    q->ready = false;
    if (code == 0)
        code = hca->verbs.modify_qp(q->qp, &attr, IBV_QP_STATE);
    if (code != 0)
        return gw_hca_fail(hca, "connection to RESET", code);
    while (q->ring.num > 0) /* of a broken connection */
        gw_ib_ring_release(&q->ring);
    if (!initialise(hca, HCA_UC))
        return false;
    /* The first PSN that comes is told by nobody; a message's first packet sets it anyway. */
    attr = (struct ibv_qp_attr){
        .qp_state = IBV_QPS_RTR,
        .path_mtu = mtu_of(packet),
        .dest_qp_num = dest_qp,
    };
    gw_hca_route(hca, &attr.ah_attr, hca->options.data_sl);
    code = hca->verbs.modify_qp(
        q->qp, &attr, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN);
    attr = (struct ibv_qp_attr){.qp_state = IBV_QPS_RTS, .sq_psn = psn};
    if (code == 0)
        code = hca->verbs.modify_qp(q->qp, &attr, IBV_QP_STATE | IBV_QP_SQ_PSN);
    if (code != 0)
        return gw_hca_fail(hca, "connection", code);
    hca->dest_qp = dest_qp;
    hca->next_psn = psn;
    hca->packet = packet;
    q->ready = true;
    return true;
}

/* ---- receiving ---- */

bool gw_hca_post_slot(gw_hca *hca, gw_hca_which which, uint32_t slot)
{
    const gw_hca_queue *q = &hca->queues[which];
    struct ibv_sge piece = {
        .addr = (uintptr_t)(q->slots + (size_t)slot * GW_HCA_SLOT),
        .length = GW_HCA_SLOT,
        .lkey = hca->mr->lkey,
    };
    struct ibv_recv_wr request = {
        .wr_id = id_of(hca, which, slot),
        .sg_list = &piece,
        .num_sge = 1,
    };
    struct ibv_recv_wr *bad;
    int code = ibv_post_recv(q->qp, &request, &bad);
    return code == 0 || gw_hca_fail(hca, "receive request", code);
}

void gw_hca_wait(gw_hca *hca, struct ibv_comp_channel *channel, int64_t deadline)
{
    int64_t left = deadline - gw_clock_ns(CLOCK_MONOTONIC);
    struct timespec ts = {left / 1000000000, left % 1000000000};
    struct pollfd p = {.fd = channel->fd, .events = POLLIN};
    struct ibv_cq *cq;
    void *ours;
    if (left > 0 && (gw_stopped() || ppoll(&p, 1, &ts, NULL) <= 0))
        return;
    while (hca->verbs.get_cq_event(channel, &cq, &ours) == 0)
        hca->verbs.ack_cq_events(cq, 1);
}

bool gw_hca_next(gw_hca *hca, struct ibv_wc *wc)
{
    if (ibv_poll_cq(hca->came_cq, 1, wc) > 0)
        return true;
    gw_hca_wait(hca, hca->came, 0);
    /* What comes before the request to be told is not told of: so look again. */
    return ibv_req_notify_cq(hca->came_cq, 0) == 0 && ibv_poll_cq(hca->came_cq, 1, wc) > 0;
}

/* ---- sending ---- */

/* Gives back the room of what is gone. */
static void reap(gw_hca *hca)
{
    struct ibv_wc wc;
    while (ibv_poll_cq(hca->gone_cq, 1, &wc) > 0) {
        gw_hca_which which = gw_hca_which_of(wc.wr_id);
        gw_hca_queue *q = &hca->queues[which];
        if (wc.wr_id != id_of(hca, which, 0))
            continue; /* of an earlier set-up */
        gw_ib_ring_release(&q->ring);
        if (wc.status == IBV_WC_SUCCESS)
            continue;
        gw_hca_fail(hca, hca->verbs.wc_status_str(wc.status), 0);
        q->ready = false;
    }
}

/* Waits until the adapter has sent something more, or |deadline|. */
static void wait_for_gone(gw_hca *hca, int64_t deadline)
{
    if (ibv_req_notify_cq(hca->gone_cq, 0) != 0)
        return;
    size_t before = hca->queues[HCA_UD].ring.num + hca->queues[HCA_UC].ring.num;
    reap(hca);
    if (hca->queues[HCA_UD].ring.num + hca->queues[HCA_UC].ring.num == before)
        gw_hca_wait(hca, hca->gone, deadline);
    reap(hca);
}

static int wait_until_sent(gw_hca *hca, gw_hca_which which)
{
    int64_t deadline = gw_clock_ns(CLOCK_MONOTONIC) + GW_HCA_PATIENCE_NS;
    reap(hca);
    while (hca->queues[which].ring.num > 0) {
        if (gw_clock_ns(CLOCK_MONOTONIC) >= deadline)
            return ETIMEDOUT;
        wait_for_gone(hca, deadline);
    }
    return 0;
}

bool gw_hca_make_room(gw_hca *hca, gw_hca_which which, size_t len, size_t *at)
{
    gw_ib_ring *ring = &hca->queues[which].ring;
    if (len > ring->size) {
        (void)snprintf(hca->t.error, sizeof(hca->t.error),
                       "a message of %zu bytes, and room for %zu: ask for more with room=", len,
                       ring->size);
        return false;
    }
    int64_t deadline = gw_clock_ns(CLOCK_MONOTONIC) + GW_HCA_PATIENCE_NS;
    reap(hca);
    while (!gw_ib_ring_find(ring, len, at)) {
        if (gw_clock_ns(CLOCK_MONOTONIC) >= deadline)
            return gw_hca_fail(hca, "the adapter does not send", ETIMEDOUT);
        wait_for_gone(hca, deadline);
    }
    return true;
}

bool gw_hca_post(gw_hca *hca, gw_hca_which which, struct ibv_send_wr *request, size_t at,
                 size_t len)
{
    gw_hca_queue *q = &hca->queues[which];
    struct ibv_sge piece = {
        .addr = (uintptr_t)(q->out + at),
        .length = (uint32_t)len,
        .lkey = hca->mr->lkey,
    };
    struct ibv_send_wr *bad;
    request->wr_id = id_of(hca, which, 0);
    request->sg_list = &piece;
    request->num_sge = 1;
    int code = ibv_post_send(q->qp, request, &bad);
    if (code != 0)
        return gw_hca_fail(hca, "send request", code);
    gw_ib_ring_take(&q->ring, at, len);
    return true;
}

/* ---- the end ---- */

static void free_completions(gw_hca *hca)
{
    if (hca->came_cq != NULL)
        hca->verbs.destroy_cq(hca->came_cq);
    if (hca->gone_cq != NULL)
        hca->verbs.destroy_cq(hca->gone_cq);
    if (hca->came != NULL)
        hca->verbs.destroy_comp_channel(hca->came);
    if (hca->gone != NULL)
        hca->verbs.destroy_comp_channel(hca->gone);
}

void gw_hca_free(gw_hca *hca)
{
    for (size_t i = 0; i < HCA_NUM; i++) {
        if (hca->queues[i].qp != NULL)
            hca->verbs.destroy_qp(hca->queues[i].qp);
    }
    if (hca->ah != NULL)
        hca->verbs.destroy_ah(hca->ah);
    free_completions(hca);
    if (hca->mr != NULL)
        hca->verbs.dereg_mr(hca->mr);
    if (hca->memory != NULL)
        munmap(hca->memory, hca->memory_len);
    if (hca->pd != NULL)
        hca->verbs.dealloc_pd(hca->pd);
    if (hca->context != NULL)
        hca->verbs.close_device(hca->context);
    free(hca);
}
