/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whose packets are, by what was said before. */
#include "ours.h"

#include <epan/proto_data.h>
#include <epan/wmem_scopes.h>

#include "announced.h"

enum {
    KEY = 1, /* of what is kept with a frame, beside its place there; streams have 0 */
    KEY_BITS = 2,
    OURS = 1,
    FOREIGN = 2,
};

/* Who is known in one format, of this capture. */
typedef struct acquaintance acquaintance;
struct acquaintance {
    acquaintance *next; /* of the list of all */
    const gw_format *format;
    void *state; /* file scope; NULL until the first packet */
};

static acquaintance *all;

static void capture_opened(void)
{
    for (acquaintance *a = all; a != NULL; a = a->next)
        a->state = NULL;
}

static void *state_of(const gw_format *format)
{
    acquaintance *a = all;

    while (a != NULL && a->format != format)
        a = a->next;
    if (a == NULL) {
        if (all == NULL)
            register_init_routine(capture_opened);
        a = wmem_new0(wmem_epan_scope(), acquaintance);
        a->format = format;
        a->next = all;
        all = a;
    }
    if (a->state == NULL) {
        a->state = wmem_alloc(wmem_file_scope(), format->introductions->size);
        format->introductions->init(a->state);
    }
    return a->state;
}

/* A frame may hold several packets: a switch sends copies of them to its controller. */
static uint32_t key_of(tvbuff_t *tvb)
{
    return (uint32_t)tvb_raw_offset(tvb) << KEY_BITS | KEY;
}

/* What was decided of a packet in the first pass, or 0. */
static int decided(const gw_ws_bridge *bridge, packet_info *pinfo, tvbuff_t *tvb)
{
    return GPOINTER_TO_INT(p_get_proto_data(wmem_file_scope(), pinfo, bridge->proto, key_of(tvb)));
}

static bool decide(const gw_ws_bridge *bridge, packet_info *pinfo, tvbuff_t *tvb, bool ours)
{
    p_add_proto_data(wmem_file_scope(), pinfo, bridge->proto, key_of(tvb),
                     GINT_TO_POINTER(ours ? OURS : FOREIGN));
    return ours;
}

static bool knows(const gw_ws_bridge *bridge, const gw_message *message)
{
    const gw_introduction_ops *ops = bridge->format->introductions;

    return ops->knows != NULL && ops->knows(state_of(bridge->format), message);
}

bool gw_ws_ours(const gw_ws_bridge *bridge, tvbuff_t *tvb, packet_info *pinfo,
                const gw_message *message, const gw_dialect *dialect)
{
    const gw_introduction_ops *ops = bridge->format->introductions;

    if (ops == NULL || gw_ws_announced_as(bridge->format, pinfo))
        return true;
    if (pinfo->flags.in_error_pkt)
        return knows(bridge, message);
    if (decided(bridge, pinfo, tvb) != 0)
        return decided(bridge, pinfo, tvb) == OURS;
    return decide(bridge, pinfo, tvb, ops->meet(state_of(bridge->format), message, dialect));
}

bool gw_ws_heard(const gw_ws_bridge *bridge, tvbuff_t *tvb, packet_info *pinfo,
                 const gw_message *message, const gw_dialect *dialect)
{
    if (pinfo->flags.in_error_pkt)
        return knows(bridge, message);
    if (decided(bridge, pinfo, tvb) != 0)
        return decided(bridge, pinfo, tvb) == OURS;
    if (bridge->format->claims(message))
        return gw_ws_ours(bridge, tvb, pinfo, message, dialect);
    return decide(bridge, pinfo, tvb, knows(bridge, message));
}
