/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tap of a format. */
#include "stats/account.h"

#include <string.h>

#include <epan/proto_data.h>
#include <epan/tap.h>
#include <epan/wmem_scopes.h>

#define PAIR_KEY 3 /* of what is kept with a packet of a protocol */

struct gw_ws_tap {
    const gw_format *format;
    int number;
    wmem_map_t *requests; /* by id; file scope */
};

typedef struct request {
    uint64_t id;
    gw_ws_asked asked;
} request;

gw_ws_tap *gw_ws_tap_register(const gw_format *format)
{
    gw_ws_tap *tap = wmem_new0(wmem_epan_scope(), gw_ws_tap);

    tap->format = format;
    tap->number = register_tap(format->name);
    tap->requests = wmem_map_new_autoreset(wmem_epan_scope(), wmem_file_scope(), wmem_int64_hash,
                                           g_int64_equal);
    return tap;
}

bool gw_ws_tap_open(const gw_ws_tap *tap)
{
    return have_tap_listener(tap->number);
}

static void keep_first(void *ctx, const gw_memory_access *access)
{
    gw_ws_asked *asked = (gw_ws_asked *)ctx;

    if (asked->has_address)
        return;
    asked->address = access->first;
    asked->has_address = true;
    asked->on_bus = access->kind != GW_ACCESS_CONFIG;
}

static void keep(gw_ws_tap *tap, uint64_t id, const gw_ws_asked *asked)
{
    request *kept;

    if (wmem_map_contains(tap->requests, &id))
        return;
    kept = wmem_new(wmem_file_scope(), request);
    kept->id = id;
    kept->asked = *asked;
    wmem_map_insert(tap->requests, &kept->id, kept);
}

gw_ws_account *gw_ws_tap_begin(gw_ws_tap *tap, packet_info *pinfo, const gw_message *message,
                               const gw_dialect *dialect, uint64_t id)
{
    gw_ws_account *account = wmem_new0(pinfo->pool, gw_ws_account);
    gw_ws_asked asked = {0};

    account->format = tap->format;
    account->message = (const gw_message *)wmem_memdup(pinfo->pool, message, sizeof *message);
    account->dialect = dialect;
    account->transaction = gw_format_transaction(tap->format, dialect, message, keep_first, &asked);
    asked.kind = account->transaction.kind;
    keep(tap, id, &asked);
    return account;
}

const gw_ws_asked *gw_ws_tap_asked(const gw_ws_tap *tap, uint64_t id)
{
    const request *kept = (const request *)wmem_map_lookup(tap->requests, &id);

    return kept != NULL ? &kept->asked : NULL;
}

/* Names are learnt as the capture is read, so a request may get one when it is looked at again. */
void gw_ws_tap_name(gw_ws_tap *tap, uint64_t id, const char *name)
{
    request *kept = (request *)wmem_map_lookup(tap->requests, &id);

    if (kept == NULL || (kept->asked.name != NULL && strcmp(kept->asked.name, name) == 0))
        return;
    kept->asked.name = wmem_strdup(wmem_file_scope(), name);
}

void gw_ws_tap_fault(gw_ws_account *account, packet_info *pinfo, const gw_rule *rule, bool waived)
{
    gw_ws_fault *fault = wmem_new(pinfo->pool, gw_ws_fault);

    *fault = (gw_ws_fault){.next = account->faults, .rule = rule, .waived = waived};
    account->faults = fault;
}

void gw_ws_tap_meet(gw_ws_account *account, packet_info *pinfo, const gw_ws_meeting *meeting)
{
    gw_ws_meeting *copy = wmem_new(pinfo->pool, gw_ws_meeting);

    *copy = *meeting;
    copy->next = account->meetings;
    account->meetings = copy;
}

void gw_ws_tap_tell(const gw_ws_tap *tap, packet_info *pinfo, const gw_ws_account *account)
{
    tap_queue_packet(tap->number, pinfo, account);
}

void gw_ws_pair_keep(packet_info *pinfo, int proto, const gw_ws_pair *pair)
{
    p_add_proto_data(pinfo->pool, pinfo, proto, PAIR_KEY, (void *)pair);
}

const gw_ws_pair *gw_ws_pair_of(packet_info *pinfo, int proto)
{
    return (const gw_ws_pair *)p_get_proto_data(pinfo->pool, pinfo, proto, PAIR_KEY);
}
