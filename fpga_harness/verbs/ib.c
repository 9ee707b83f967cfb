/* SPDX-License-Identifier: BSD-2-Clause */
/* The ib:// transport: packets to work requests and back. What that means for packets is told in
 * transport/ib_open.h. */
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "goldwire/cursor.h"
#include "harness/socket.h"
#include "harness/stop.h"
#include "hca.h"
#include "transport/ib_open.h"
#include "transport/sockets.h"

static gw_hca *of(gw_transport *t)
{
    return (gw_hca *)t;
}

/* ---- sending ---- */

/* What |p| and |flags| say of a request, whichever queue pair it is for. */
static struct ibv_send_wr request_of(const gw_ib_sent *p)
{
    struct ibv_send_wr request = {0};
    if (p->write)
        request.opcode = p->has_imm ? IBV_WR_RDMA_WRITE_WITH_IMM : IBV_WR_RDMA_WRITE;
    else
        request.opcode = p->has_imm ? IBV_WR_SEND_WITH_IMM : IBV_WR_SEND;
    request.imm_data = htonl(p->imm);
    request.send_flags = p->bth.solicited ? IBV_SEND_SOLICITED : 0;
    return request;
}

static bool send_datagram(gw_hca *hca, const gw_ib_sent *p)
{
    gw_hca_queue *q = &hca->queues[HCA_UD];
    size_t at;
    if (p->deth.src_qp != hca->adapter.qpn) {
        (void)snprintf(hca->t.error, sizeof(hca->t.error),
                       "source queue pair 0x%06x, and ours is 0x%06x", p->deth.src_qp,
                       hca->adapter.qpn);
        return false;
    }
    if (!q->ready)
        return gw_hca_fail(hca, "the datagram queue pair has failed", 0);
    if (p->len > hca->adapter.mtu)
        return gw_hca_fail(hca, "a datagram is longer than the MTU", 0);
    if (!gw_hca_make_room(hca, HCA_UD, p->len, &at))
        return false;
    memcpy(q->out + at, p->payload, p->len);
    struct ibv_send_wr request = request_of(p);
    request.wr.ud.ah = hca->ah;
    request.wr.ud.remote_qpn = p->bth.dest_qp;
    request.wr.ud.remote_qkey = p->deth.qkey;
    return gw_hca_post(hca, HCA_UD, &request, at, p->len);
}

/* Finds room for the message that |p| begins. */
static bool begin_message(gw_hca *hca, const gw_ib_sent *p)
{
    size_t len = p->write ? hca->message.reth.length : p->len;
    if (gw_hca_make_room(hca, HCA_UC, len, &hca->message_at))
        return true;
    hca->message.open = false;
    return false;
}

/* Sends the message that |p| ends. */
static bool end_message(gw_hca *hca, const gw_ib_sent *p)
{
    const gw_ib_message *m = &hca->message;
    struct ibv_send_wr request = request_of(p);
    request.wr.rdma.remote_addr = m->reth.va;
    request.wr.rdma.rkey = m->reth.rkey;
    bool same = hca->queues[HCA_UC].ready && m->dest_qp == hca->dest_qp &&
                m->psn == hca->next_psn &&
                (m->packet == hca->packet || (p->first && p->len <= hca->packet));
    /* What a connection that is set up anew forgets is the room of older messages, not this one's.
     */
    if (!same && !gw_hca_connect(hca, m->dest_qp, m->psn, m->packet))
        return false;
    if (!gw_hca_post(hca, HCA_UC, &request, hca->message_at, m->got))
        return false;
    hca->next_psn = m->next;
    return true;
}

static bool send_connected(gw_hca *hca, const gw_ib_sent *p)
{
    uint32_t offset;
    if (!gw_ib_gather(&hca->message, p, hca->adapter.mtu, &offset, hca->t.error,
                      sizeof(hca->t.error)))
        return false;
    if (p->first && !begin_message(hca, p))
        return false;
    memcpy(hca->queues[HCA_UC].out + hca->message_at + offset, p->payload, p->len);
    return !p->last || end_message(hca, p);
}

static bool ib_send(gw_transport *t, const uint8_t *data, size_t len)
{
    gw_hca *hca = of(t);
    gw_ib_sent p;
    if (!gw_ib_read_sent(&p, data, len, &t->local, &t->remote, t->error, sizeof(t->error)))
        return false;
    return p.datagram ? send_datagram(hca, &p) : send_connected(hca, &p);
}

/* ---- receiving ---- */

/* Whether the datagram in |slot| is from the other side. Over Ethernet its first 40 bytes hold the
 * GRH, or, at their end, the IPv4 header. */
static bool is_from_there(const gw_hca *hca, const struct ibv_wc *wc, const uint8_t *slot)
{
    enum { GRH_SGID = 8, IPV4_SOURCE = 32 };
    const gw_endpoint *there = &hca->t.remote;
    if (!hca->has_grh)
        return wc->slid == hca->dlid;
    if (there->family == GW_FAMILY_IPV4)
        return memcmp(slot + IPV4_SOURCE, there->ip, 4) == 0;
    return memcmp(slot + GRH_SGID, there->ip, 16) == 0;
}

/* Reads what |wc| tells of the message in |slot|. False when it is none of ours. */
static bool read_came(const gw_hca *hca, gw_ib_came *out, gw_hca_which which,
                      const struct ibv_wc *wc, const uint8_t *slot)
{
    size_t before = which == HCA_UD ? GW_HCA_GRH : 0;
    if (wc->byte_len < before || wc->byte_len > GW_HCA_SLOT || wc->opcode != IBV_WC_RECV ||
        (which == HCA_UD && !is_from_there(hca, wc, slot)))
        return false;
    *out = (gw_ib_came){
        .datagram = which == HCA_UD,
        .has_imm = (wc->wc_flags & IBV_WC_WITH_IMM) != 0,
        .imm = (wc->wc_flags & IBV_WC_WITH_IMM) != 0 ? ntohl(wc->imm_data) : 0,
        .dest_qp = hca->queues[which].qp->qp_num,
        .src_qp = wc->src_qp,
        .qkey = hca->options.qkey,
        .psn = hca->queues[which].psn,
        .payload = slot + before,
        .len = wc->byte_len - before,
    };
    return true;
}

/* Turns a completion into a packet, and gives its slot back. GW_RECV_TIMEOUT when it is none. */
static gw_recv_status take(gw_hca *hca, const struct ibv_wc *wc, size_t *len)
{
    gw_hca_which which = gw_hca_which_of(wc->wr_id);
    gw_hca_queue *q = &hca->queues[which];
    gw_ib_came came;
    uint32_t slot;
    if (!gw_hca_slot_of(hca, wc->wr_id, &slot))
        return GW_RECV_TIMEOUT;
    if (wc->status != IBV_WC_SUCCESS) {
        /* The connection is set up anew with the next message. */
        q->ready = false;
        gw_hca_fail(hca, hca->verbs.wc_status_str(wc->status), 0);
        return which == HCA_UC ? GW_RECV_TIMEOUT : GW_RECV_ERROR;
    }
    bool ours = read_came(hca, &came, which, wc, q->slots + (size_t)slot * GW_HCA_SLOT);
    if (ours) {
        *len = gw_ib_write_came(hca->packet_in, sizeof(hca->packet_in), &came, &hca->t.local,
                                &hca->t.remote);
        q->psn = (q->psn + 1) & GW_IB_NUMBER_MASK;
    }
    if (!gw_hca_post_slot(hca, which, slot))
        return GW_RECV_ERROR;
    return ours ? GW_RECV_DATA : GW_RECV_TIMEOUT;
}

static gw_recv_status ib_recv(gw_transport *t, uint8_t *buf, size_t cap, size_t *len,
                              int64_t deadline, int64_t *stamp_ns, gw_endpoint *from)
{
    gw_hca *hca = of(t);
    gw_recv_status status = GW_RECV_TIMEOUT;
    while (status == GW_RECV_TIMEOUT) {
        struct ibv_wc wc;
        if (gw_hca_next(hca, &wc))
            status = take(hca, &wc, len);
        else if (gw_clock_ns(CLOCK_MONOTONIC) >= deadline || gw_stopped())
            return GW_RECV_TIMEOUT;
        else
            gw_hca_wait(hca, hca->came, deadline);
    }
    if (status != GW_RECV_DATA)
        return status;
    if (stamp_ns != NULL)
        *stamp_ns = gw_clock_ns(CLOCK_REALTIME);
    if (from != NULL)
        *from = t->remote;
    *len = *len < cap ? *len : cap;
    memcpy(buf, hca->packet_in, *len);
    return GW_RECV_DATA;
}

static void ib_close(gw_transport *t)
{
    gw_hca_free(of(t));
}

static const gw_transport_ops ib_ops = {
    .now = gw_sockets_now,
    .send = ib_send,
    .recv = ib_recv,
    .wait = gw_sockets_wait,
    .close = ib_close,
};

/* ---- opening ---- */

/* The way to the other side; over Ethernet its hardware address is looked for now. */
static bool find_way(gw_hca *hca, bool *unreachable, char *why, size_t why_cap)
{
    struct ibv_ah_attr attr;
    gw_hca_route(hca, &attr, hca->options.sl);
    hca->ah = hca->verbs.create_ah(hca->pd, &attr);
    if (hca->ah != NULL)
        return true;
    *unreachable = errno == ETIMEDOUT || errno == EHOSTUNREACH || errno == ENETUNREACH;
    (void)snprintf(why, why_cap, "to=%s: %s", hca->options.to, strerror(errno));
    return false;
}

gw_transport *gw_hca_open(const gw_verbs *verbs, const gw_url *url, bool *unreachable, char *why,
                          size_t why_cap)
{
    gw_hca *hca = calloc(1, sizeof(*hca));
    *unreachable = false;
    if (hca == NULL) {
        (void)snprintf(why, why_cap, "out of memory");
        return NULL;
    }
    hca->t.ops = &ib_ops;
    hca->t.adapter = &hca->adapter;
    hca->verbs = *verbs;
    hca->options = url->ib;
    if (gw_hca_find_port(hca, url, why, why_cap) && gw_hca_open_queues(hca, why, why_cap) &&
        find_way(hca, unreachable, why, why_cap))
        return &hca->t;
    gw_hca_free(hca);
    return NULL;
}

gw_transport *gw_ib_open(const gw_url *url, bool *unreachable, char *why, size_t why_cap)
{
    gw_verbs verbs;
    *unreachable = false;
    return gw_verbs_load(&verbs, why, why_cap) ? gw_hca_open(&verbs, url, unreachable, why, why_cap)
                                               : NULL;
}
