/* SPDX-License-Identifier: BSD-2-Clause */
/* Workers that no case plays: whoever a campaign's packets say they are. A buffer that nobody takes
 * leave of keeps their channels until it has none for others, which is no fault of its. */
#include <string.h>

#include "formats/ims/buf/suite.h"

/* Leaves that are taken of a Worker until the buffer confirms one, where the path may lose them. It
 * confirms none of a Worker that it does not know. */
#define LEAVES 8u

static gw_imb_stranger *find(gw_imb_state *s, uint32_t lid, uint32_t qpn)
{
    for (unsigned i = 0; i < s->num_strangers; i++)
        if (s->strangers[i].lid == lid && s->strangers[i].qpn == qpn)
            return &s->strangers[i];
    return NULL;
}

static void forget(gw_imb_state *s, gw_imb_stranger *one)
{
    *one = s->strangers[--s->num_strangers];
}

void gw_imb_told(gw_ctx *ctx, const gw_message *message)
{
    gw_imb_state *s = gw_case_state(ctx);
    gw_ims_packet p;

    (void)gw_ims_decode(&p, message, gw_case_dialect(ctx));
    if (p.kind != GW_IMS_IS_STATUS || !p.has_body || (p.status.method & GW_IMS_RESPONSE) != 0)
        return;
    gw_imb_stranger *known = find(s, p.status.lid, p.status.qpn);
    if (known != NULL) {
        known->leaves = 0;
        return;
    }
    if (s->num_strangers == GW_IMB_STRANGERS) {
        (void)gw_imb_strangers_leave(ctx);
        if (s->num_strangers == GW_IMB_STRANGERS)
            forget(s, &s->strangers[0]);
    }
    s->strangers[s->num_strangers++] = (gw_imb_stranger){.lid = p.status.lid, .qpn = p.status.qpn};
}

void gw_imb_heard(gw_ctx *ctx, gw_connection *conn, const gw_packet *packet)
{
    gw_imb_state *s = gw_case_state(ctx);
    gw_ims_packet p;

    (void)conn;
    if (s->num_strangers == 0 || packet->len < GW_IB_ICRC)
        return;
    gw_message m = gw_message_of(packet->data, packet->len - GW_IB_ICRC);
    m.transport = GW_OVER_UDP;
    (void)gw_ims_decode(&p, &m, gw_case_dialect(ctx));
    if (p.kind != GW_IMS_IS_STATUS || !p.has_body || p.status.method != GW_IMS_STAT_DOWN)
        return;
    gw_imb_stranger *gone = find(s, p.status.lid, p.status.qpn);
    if (gone != NULL && gone->leaves > 0)
        forget(s, gone);
}

bool gw_imb_strangers_leave(gw_ctx *ctx)
{
    gw_imb_state *s = gw_case_state(ctx);
    unsigned most = gw_case_near(ctx) ? 1 : LEAVES;
    bool any = s->num_strangers > 0;

    for (unsigned i = 0; i < s->num_strangers; i++) {
        gw_imb_stranger *one = &s->strangers[i];
        const gw_imb_worker w = {.lid = one->lid, .qpn = one->qpn};
        (void)gw_imb_send_request(ctx, &w, GW_IMS_DATA_TERM);
        (void)gw_imb_send_request(ctx, &w, GW_IMS_STAT_TERM);
        one->leaves++;
    }
    for (unsigned i = s->num_strangers; i-- > 0;)
        if (s->strangers[i].leaves >= most)
            forget(s, &s->strangers[i]);
    return any;
}
