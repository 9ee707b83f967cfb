/* SPDX-License-Identifier: BSD-2-Clause */
/* What an IMS packet asks of its receiver. */
#include "core/access.h"
#include "ims/internal.h"

gw_transaction gw_ims_transaction(const gw_message *message, const gw_dialect *dialect,
                                  const gw_access_sink *accesses)
{
    gw_ims_packet p = {0};
    gw_transaction t = {.kind = "packet", .changes = true};

    t.opaque = gw_ims_decode(&p, message, dialect).kind != GW_OK && !p.has_bth;
    if (p.kind == GW_IMS_IS_STATUS && p.has_body) {
        const char *name =
            gw_field_value_name(gw_ims_field(GW_IMS_F_STATUS_METHOD), p.status.method);
        t.kind = name != NULL ? name : "status packet";
        t.opens = p.status.method == GW_IMS_STAT_REQ;
        t.asks = name != NULL && (p.status.method & GW_IMS_RESPONSE) == 0;
    } else if (p.kind == GW_IMS_IS_ACK) {
        t.kind = "response";
    } else if (p.kind == GW_IMS_IS_DATA) {
        t.kind = "frame";
        t.asks = p.last;
    }
    /* The packets behind the first one go where that one said, and no farther than it is long; what
     * is longer than it says is the buffer's to refuse. */
    if (p.has_reth)
        gw_report_access(accesses, GW_ACCESS_WRITE, p.reth.va,
                         p.reth.length > p.payload_sent ? p.reth.length : p.payload_sent);
    return t;
}
