/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tap of a format. */
#include "stats/account.h"

#include <string.h>

#include <epan/proto_data.h>
#include <epan/tap.h>
#include <epan/wmem_scopes.h>

#define PAIR_KEY 3 /* of what is kept with a packet of a protocol */

/* What messages asked for, in the order of packets; file scope. They come in that order, but for
 * one that is looked at alone. */
typedef struct requests requests;
struct requests {
    requests *next;    /* of the list of all */
    wmem_array_t *all; /* NULL until the capture's first message */
};

struct gw_ws_tap {
    const gw_format *format;
    int number;
    requests requests;
};

typedef struct request {
    uint64_t id;
    gw_ws_asked asked;
} request;

static requests *lists;

static void capture_closed(void)
{
    for (requests *r = lists; r != NULL; r = r->next)
        r->all = NULL;
}

gw_ws_tap *gw_ws_tap_register(const gw_format *format)
{
    gw_ws_tap *tap = wmem_new0(wmem_epan_scope(), gw_ws_tap);

    tap->format = format;
    tap->number = register_tap(format->name);
    if (lists == NULL)
        register_cleanup_routine(capture_closed);
    tap->requests.next = lists;
    lists = &tap->requests;
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

/* The order of packets: the frame's number, then which message of the frame. */
static uint64_t order_of(uint64_t id)
{
    return id << 32 | id >> 32;
}

/* Where the request |id| is, or would be. */
static unsigned place_of(const requests *r, uint64_t id)
{
    unsigned low = 0, high = wmem_array_get_count(r->all);
    const request *all = (const request *)wmem_array_get_raw(r->all);

    if (high > 0 && order_of(all[high - 1].id) < order_of(id))
        return high;
    while (low < high) {
        unsigned middle = low + (high - low) / 2;
        if (order_of(all[middle].id) < order_of(id))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_at(const requests *r, unsigned place, uint64_t id)
{
    return place < wmem_array_get_count(r->all) &&
           ((const request *)wmem_array_index(r->all, place))->id == id;
}

static void keep(requests *r, uint64_t id, const gw_ws_asked *asked)
{
    const request kept = {.id = id, .asked = *asked};

    if (r->all == NULL)
        r->all = wmem_array_new(wmem_file_scope(), sizeof kept);
    const unsigned place = place_of(r, id);
    if (is_at(r, place, id))
        return;
    wmem_array_append_one(r->all, kept);
    request *all = (request *)wmem_array_get_raw(r->all);
    memmove(&all[place + 1], &all[place], (wmem_array_get_count(r->all) - 1 - place) * sizeof kept);
    all[place] = kept;
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
    keep(&tap->requests, id, &asked);
    return account;
}

/* Lives until the next message is kept; NULL: it has not been seen. */
static request *request_of(const gw_ws_tap *tap, uint64_t id)
{
    const requests *r = &tap->requests;
    const unsigned place = r->all != NULL ? place_of(r, id) : 0;

    return r->all != NULL && is_at(r, place, id) ? (request *)wmem_array_index(r->all, place)
                                                 : NULL;
}

const gw_ws_asked *gw_ws_tap_asked(const gw_ws_tap *tap, packet_info *pinfo, uint64_t id)
{
    const request *kept = request_of(tap, id);

    if (kept == NULL)
        return NULL;
    return (const gw_ws_asked *)wmem_memdup(pinfo->pool, &kept->asked, sizeof kept->asked);
}

/* Names are learnt as the capture is read, so a request may get one when it is looked at again. */
void gw_ws_tap_name(gw_ws_tap *tap, uint64_t id, const char *name)
{
    request *kept = request_of(tap, id);

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
