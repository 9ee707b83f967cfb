/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The queue pairs of data channels, as the status channel tells them (ims 3.1.3). A UC packet names
 * only the queue pair that it goes to, so one is known by the address it lies at and its number. */
#include "ims_claim.h"

#include <string.h>

#include "goldwire/ib.h"

/* A queue pair of a data channel. */
typedef struct channel {
    gw_endpoint at; /* without port and queue pair */
    uint32_t qp;
} channel;

static wmem_map_t *channels; /* channel -> itself, of this capture */

static guint channel_hash(gconstpointer key)
{
    return wmem_strong_hash(key, sizeof(channel));
}

static gboolean channel_equal(gconstpointer a, gconstpointer b)
{
    return memcmp(a, b, sizeof(channel)) == 0;
}

static channel channel_of(const gw_endpoint *end, uint32_t qp)
{
    channel c;

    memset(&c, 0, sizeof(c)); /* keys are compared byte by byte */
    if (end->family == GW_FAMILY_LID) {
        c.at = gw_ib_lid_endpoint(gw_ib_endpoint_lid(end));
    } else {
        c.at = *end;
        c.at.port = 0;
    }
    c.qp = qp & GW_IB_NUMBER_MASK;
    return c;
}

static void remember(const gw_endpoint *end, uint32_t qp)
{
    channel c = channel_of(end, qp);

    if (wmem_map_lookup(channels, &c) == NULL) {
        channel *kept = wmem_memdup(wmem_file_scope(), &c, sizeof(c));
        wmem_map_insert(channels, kept, kept);
    }
}

/* Fields that are wider than what they hold have zeros above it. */
static bool is_plausible(const gw_ims_status *s)
{
    return s->method < GW_IMS_NUM_METHODS && s->reserved == 0 && s->major <= 1 &&
           s->lid <= 0xffff && s->qpn <= GW_IB_NUMBER_MASK &&
           ((s->method & GW_IMS_DATA) == 0 || (s->method | GW_IMS_RESPONSE) != GW_IMS_DATA_RES ||
            s->key <= GW_IB_NUMBER_MASK);
}

static bool is_response(const gw_ims_ack *a)
{
    return a->type <= GW_IMS_TYPE_NACK && a->events <= GW_IMS_EVENTS && a->va % GW_IMS_ALIGN == 0 &&
           (a->type == GW_IMS_TYPE_NACK) == (a->events != 0);
}

bool gw_ws_ims_claims(const gw_message *message, const gw_dialect *dialect)
{
    gw_ims_packet p;

    (void)gw_ims_decode(&p, message, dialect);
    if (!p.has_bth)
        return false;
    channel to = channel_of(&message->dst, p.bth.dest_qp);
    bool known = wmem_map_lookup(channels, &to) != NULL;
    if (p.kind == GW_IMS_IS_STATUS) {
        if (!p.has_body || !is_plausible(&p.status))
            return false;
        if ((p.status.method | GW_IMS_RESPONSE) == GW_IMS_DATA_RES)
            remember(&message->src, p.status.key);
        return true;
    }
    if (p.kind == GW_IMS_IS_ACK)
        return known || (p.has_body && is_response(&p.ack));
    return known && p.kind == GW_IMS_IS_DATA;
}

void gw_ws_ims_claims_init(void)
{
    channels =
        wmem_map_new_autoreset(wmem_epan_scope(), wmem_file_scope(), channel_hash, channel_equal);
}
