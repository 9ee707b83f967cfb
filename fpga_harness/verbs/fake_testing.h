/* SPDX-License-Identifier: BSD-2-Clause */
/* An adapter for tests, behind the functions of libibverbs: one port, one GID, and whatever it is
 * told to do wrong. It counts what it has been asked for and not given back. */
#ifndef HARNESS_VERBS_FAKE_TESTING_H
#define HARNESS_VERBS_FAKE_TESTING_H

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "verbs.h"

enum {
    FAKE_QUEUES = 2,
    FAKE_SLOTS = 1024,
    FAKE_DONE = 2048,
    FAKE_BYTES = 65536,
};

typedef struct fake_channel {
    struct ibv_comp_channel channel; /* first */
    int other_end;
    struct ibv_cq *cq;
} fake_channel;

typedef struct fake_cq {
    struct ibv_cq cq; /* first */
    struct ibv_wc done[FAKE_DONE];
    size_t first, num;
    bool armed;
} fake_cq;

typedef struct fake_qp {
    struct ibv_qp qp; /* first */
    struct ibv_recv_wr slots[FAKE_SLOTS];
    struct ibv_sge pieces[FAKE_SLOTS];
    size_t first, num;
    struct ibv_qp_attr attr; /* each part as it was last set */
    unsigned resets;
} fake_qp;

static struct {
    struct ibv_context context;
    struct ibv_device device;
    struct ibv_device *list[2];
    fake_qp queues[FAKE_QUEUES];
    unsigned num_queues;
    int held; /* things asked for and not given back */
    /* what was sent last */
    struct ibv_send_wr sent;
    uint8_t bytes[FAKE_BYTES];
    size_t num_bytes;
    unsigned num_sent;
    uint64_t waiting[FAKE_DONE]; /* requests that are not done yet */
    size_t num_waiting;
    /* orders */
    bool none;     /* no adapter at all */
    bool inactive; /* port */
    bool native;   /* an InfiniBand link, not Ethernet */
    bool slow;     /* sends only when told to ... */
    bool lazy;     /* ... or when somebody wants to wait for it */
    int no_ah;     /* errno of create_ah */
    bool no_memory;
} fake;

static struct ibv_device **fake_get_device_list(int *num)
{
    *num = fake.none ? 0 : 1;
    fake.held++;
    fake.list[0] = fake.none ? NULL : &fake.device;
    return fake.list;
}

static void fake_free_device_list(struct ibv_device **list)
{
    (void)list;
    fake.held--;
}

static const char *fake_get_device_name(struct ibv_device *device)
{
    (void)device;
    return "fake0";
}

/* ---- completions ---- */

static void fake_complete(struct ibv_cq *cq, const struct ibv_wc *wc)
{
    fake_cq *f = (fake_cq *)cq;
    f->done[(f->first + f->num++) % FAKE_DONE] = *wc;
    if (f->armed)
        (void)!write(((fake_channel *)cq->channel)->other_end, "", 1);
    f->armed = false;
}

static int fake_poll_cq(struct ibv_cq *cq, int num, struct ibv_wc *wc)
{
    fake_cq *f = (fake_cq *)cq;
    (void)num;
    if (f->num == 0)
        return 0;
    *wc = f->done[f->first];
    f->first = (f->first + 1) % FAKE_DONE;
    f->num--;
    return 1;
}

static void fake_done(enum ibv_wc_status status)
{
    struct ibv_wc wc = {.wr_id = fake.waiting[0], .status = status};
    struct ibv_cq *cq = fake.queues[0].qp.send_cq;
    memmove(fake.waiting, fake.waiting + 1, --fake.num_waiting * sizeof(fake.waiting[0]));
    fake_complete(cq, &wc);
}

static int fake_req_notify_cq(struct ibv_cq *cq, int solicited)
{
    (void)solicited;
    ((fake_cq *)cq)->armed = true;
    if (fake.lazy && cq == fake.queues[0].qp.send_cq && fake.num_waiting > 0)
        fake_done(IBV_WC_SUCCESS);
    return 0;
}

static struct ibv_comp_channel *fake_create_comp_channel(struct ibv_context *context)
{
    fake_channel *c = calloc(1, sizeof(*c));
    int ends[2];
    (void)context;
    if (c == NULL || pipe(ends) != 0)
        abort();
    c->channel.fd = ends[0];
    c->other_end = ends[1];
    fake.held++;
    return &c->channel;
}

static int fake_destroy_comp_channel(struct ibv_comp_channel *channel)
{
    close(channel->fd);
    close(((fake_channel *)channel)->other_end);
    free(channel);
    fake.held--;
    return 0;
}

static struct ibv_cq *fake_create_cq(struct ibv_context *context, int num, void *ours,
                                     struct ibv_comp_channel *channel, int vector)
{
    fake_cq *f = calloc(1, sizeof(*f));
    (void)num;
    (void)ours;
    (void)vector;
    if (f == NULL)
        abort();
    f->cq.context = context;
    f->cq.channel = channel;
    ((fake_channel *)channel)->cq = &f->cq;
    fake.held++;
    return &f->cq;
}

static int fake_destroy_cq(struct ibv_cq *cq)
{
    free(cq);
    fake.held--;
    return 0;
}

static int fake_get_cq_event(struct ibv_comp_channel *channel, struct ibv_cq **cq, void **ours)
{
    char byte;
    *cq = ((fake_channel *)channel)->cq;
    *ours = NULL;
    return read(channel->fd, &byte, 1) == 1 ? 0 : -1;
}

static void fake_ack_cq_events(struct ibv_cq *cq, unsigned num)
{
    (void)cq;
    (void)num;
}

/* ---- queue pairs ---- */

static struct ibv_qp *fake_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *attr)
{
    fake_qp *f = &fake.queues[fake.num_queues];
    memset(f, 0, sizeof(*f));
    f->qp.context = pd->context;
    f->qp.qp_num = 0x100 + fake.num_queues++;
    f->qp.qp_type = attr->qp_type;
    f->qp.send_cq = attr->send_cq;
    f->qp.recv_cq = attr->recv_cq;
    fake.held++;
    return &f->qp;
}

static int fake_destroy_qp(struct ibv_qp *qp)
{
    (void)qp;
    fake.held--;
    return 0;
}

static int fake_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask)
{
    fake_qp *f = (fake_qp *)qp;
    f->attr.qp_state = attr->qp_state;
    if (attr->qp_state == IBV_QPS_RESET) {
        f->num = 0;
        f->resets++;
    }
    if ((mask & IBV_QP_SQ_PSN) != 0)
        f->attr.sq_psn = attr->sq_psn;
    if ((mask & IBV_QP_DEST_QPN) != 0)
        f->attr.dest_qp_num = attr->dest_qp_num;
    if ((mask & IBV_QP_PATH_MTU) != 0)
        f->attr.path_mtu = attr->path_mtu;
    if ((mask & IBV_QP_QKEY) != 0)
        f->attr.qkey = attr->qkey;
    if ((mask & IBV_QP_AV) != 0)
        f->attr.ah_attr = attr->ah_attr;
    return 0;
}

static int fake_post_recv(struct ibv_qp *qp, struct ibv_recv_wr *request, struct ibv_recv_wr **bad)
{
    fake_qp *f = (fake_qp *)qp;
    size_t at = (f->first + f->num) % FAKE_SLOTS;
    *bad = request;
    if (f->num == FAKE_SLOTS || f->attr.qp_state == IBV_QPS_RESET)
        return EINVAL;
    f->slots[at] = *request;
    f->pieces[at] = request->sg_list[0];
    f->num++;
    return 0;
}

static int fake_post_send(struct ibv_qp *qp, struct ibv_send_wr *request, struct ibv_send_wr **bad)
{
    const struct ibv_sge *piece = request->sg_list;
    *bad = request;
    if (((fake_qp *)qp)->attr.qp_state != IBV_QPS_RTS || piece->length > FAKE_BYTES)
        return EINVAL;
    fake.sent = *request;
    fake.num_bytes = piece->length;
    memcpy(fake.bytes, (const void *)(uintptr_t)piece->addr, piece->length);
    fake.num_sent++;
    fake.waiting[fake.num_waiting++] = request->wr_id;
    if (!fake.slow)
        fake_done(IBV_WC_SUCCESS);
    return 0;
}

/* A message comes for queue pair |index|, with |before| bytes of headers as adapters have them. */
static bool fake_deliver(unsigned index, const void *bytes, size_t len, struct ibv_wc wc)
{
    fake_qp *f = &fake.queues[index];
    if (f->num == 0)
        return false;
    wc.wr_id = f->slots[f->first].wr_id;
    wc.byte_len = (uint32_t)len;
    memcpy((void *)(uintptr_t)f->pieces[f->first].addr, bytes, len);
    f->first = (f->first + 1) % FAKE_SLOTS;
    f->num--;
    fake_complete(f->qp.recv_cq, &wc);
    return true;
}

/* ---- the rest ---- */

static struct ibv_context *fake_open_device(struct ibv_device *device)
{
    (void)device;
    fake.context.ops.poll_cq = fake_poll_cq;
    fake.context.ops.req_notify_cq = fake_req_notify_cq;
    fake.context.ops.post_send = fake_post_send;
    fake.context.ops.post_recv = fake_post_recv;
    fake.held++;
    return &fake.context;
}

static int fake_close_device(struct ibv_context *context)
{
    (void)context;
    fake.held--;
    return 0;
}

static int fake_query_port(struct ibv_context *context, uint8_t port,
                           struct _compat_ibv_port_attr *out)
{
    struct ibv_port_attr *attr = (void *)out;
    (void)context;
    if (port != 1)
        return EINVAL;
    attr->state = fake.inactive ? IBV_PORT_DOWN : IBV_PORT_ACTIVE;
    attr->active_mtu = IBV_MTU_1024;
    attr->lid = fake.native ? 0x42 : 0;
    attr->link_layer = fake.native ? IBV_LINK_LAYER_INFINIBAND : IBV_LINK_LAYER_ETHERNET;
    return 0;
}

/* fe80::1, then 10.0.0.1 for RoCE version 1 and version 2, and fd00::1. */
static int fake_query_gid_ex(struct ibv_context *context, uint32_t port, uint32_t index,
                             struct ibv_gid_entry *entry, uint32_t flags, size_t size)
{
    static const struct ibv_gid_entry entries[] = {
        {.gid.raw = {0xfe, 0x80, [15] = 1}, .gid_type = IBV_GID_TYPE_ROCE_V2},
        {.gid.raw = {[10] = 0xff, 0xff, 10, 0, 0, 1}, .gid_type = IBV_GID_TYPE_ROCE_V1},
        {.gid.raw = {[10] = 0xff, 0xff, 10, 0, 0, 1}, .gid_type = IBV_GID_TYPE_ROCE_V2},
        {.gid.raw = {0xfd, [15] = 1}, .gid_type = IBV_GID_TYPE_ROCE_V2},
    };
    (void)context;
    (void)port;
    (void)flags;
    if (index >= sizeof(entries) / sizeof(entries[0]))
        return ENODATA;
    memcpy(entry, &entries[index], size);
    return 0;
}

static struct ibv_pd *fake_alloc_pd(struct ibv_context *context)
{
    static struct ibv_pd pd;
    pd.context = context;
    fake.held++;
    return &pd;
}

static int fake_dealloc_pd(struct ibv_pd *pd)
{
    (void)pd;
    fake.held--;
    return 0;
}

static struct ibv_mr *fake_reg_mr(struct ibv_pd *pd, void *address, size_t len, int access)
{
    static struct ibv_mr mr;
    (void)pd;
    (void)address;
    (void)len;
    (void)access;
    errno = ENOMEM;
    if (fake.no_memory)
        return NULL;
    fake.held++;
    return &mr;
}

static int fake_dereg_mr(struct ibv_mr *mr)
{
    (void)mr;
    fake.held--;
    return 0;
}

static struct ibv_ah *fake_create_ah(struct ibv_pd *pd, struct ibv_ah_attr *attr)
{
    static struct ibv_ah ah;
    (void)pd;
    (void)attr;
    errno = fake.no_ah;
    if (fake.no_ah != 0)
        return NULL;
    fake.held++;
    return &ah;
}

static int fake_destroy_ah(struct ibv_ah *ah)
{
    (void)ah;
    fake.held--;
    return 0;
}

static const char *fake_wc_status_str(enum ibv_wc_status status)
{
    return status == IBV_WC_SUCCESS ? "success" : "it went wrong";
}

static const gw_verbs fake_verbs = {
#define GW_VERB(name) .name = fake_##name,
    GW_VERBS(GW_VERB)
#undef GW_VERB
        .query_gid_ex = fake_query_gid_ex,
};

#endif
