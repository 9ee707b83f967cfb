/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Service response times. */
#include "service.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <epan/srt_table.h>
#include <epan/tap.h>
#include <epan/wmem_scopes.h>

/* A capture may name any number of addresses; what comes after so many shares the last row. */
#define MAX_ROWS 1024
#define ROW_LEN 32

enum { BY_KIND, BY_ADDRESS, NUM_TABLES };

struct gw_ws_service {
    gw_ws_service *next; /* of the list of all */
    const gw_format *format;
    int proto;
    int tap;
};

/* What the tap carries. */
typedef struct sample {
    gw_ws_asked asked;
    nstime_t begun; /* when the request came */
} sample;

static gw_ws_service *services;

/* ---- telling ---- */

static void keep_first(void *ctx, const gw_memory_access *access)
{
    gw_ws_asked *asked = (gw_ws_asked *)ctx;

    if (!asked->has_address)
        asked->address = access->first;
    asked->has_address = true;
}

gw_ws_asked gw_ws_service_ask(const gw_format *format, const gw_dialect *dialect,
                              const gw_message *message)
{
    gw_ws_asked asked = {0};

    asked.kind = gw_format_transaction(format, dialect, message, keep_first, &asked).kind;
    return asked;
}

bool gw_ws_service_open(const gw_ws_service *service)
{
    return have_tap_listener(service->tap);
}

void gw_ws_service_tell(const gw_ws_service *service, packet_info *pinfo, const gw_ws_asked *asked,
                        int64_t delta_ns)
{
    nstime_t delta = {.secs = (time_t)(delta_ns / 1000000000),
                      .nsecs = (int)(delta_ns % 1000000000)};
    sample *s = wmem_new(pinfo->pool, sample);

    s->asked = *asked;
    nstime_delta(&s->begun, &pinfo->abs_ts, &delta);
    tap_queue_packet(service->tap, pinfo, s);
}

/* ---- tables ---- */

/* The row of |table| called |name|, made when there is none; the last one is what did not fit. */
static int row_of(srt_stat_table *table, const char *name)
{
    int n = table->num_procs;

    for (int i = 0; i < n; i++) {
        if (strcmp(table->procedures[i].procedure, name) == 0)
            return i;
    }
    if (n >= MAX_ROWS)
        return MAX_ROWS - 1;
    init_srt_table_row(table, n, n == MAX_ROWS - 1 ? "others" : name);
    return n;
}

static void add(srt_stat_table *table, const char *name, const sample *s, packet_info *pinfo)
{
    add_srt_table_data(table, row_of(table, name), &s->begun, pinfo);
}

static tap_packet_status on_sample(void *tapdata, packet_info *pinfo, epan_dissect_t *edt,
                                   const void *data, tap_flags_t flags)
{
    GArray *tables = ((srt_data_t *)tapdata)->srt_array;
    const sample *s = (const sample *)data;
    char name[ROW_LEN];
    (void)edt;
    (void)flags;

    add(g_array_index(tables, srt_stat_table *, BY_KIND), s->asked.kind, s, pinfo);
    if (s->asked.has_address) {
        (void)snprintf(name, sizeof name, "0x%08" PRIx64, s->asked.address);
        add(g_array_index(tables, srt_stat_table *, BY_ADDRESS), name, s, pinfo);
    }
    return TAP_PACKET_REDRAW;
}

static void init(struct register_srt *srt, GArray *tables)
{
    const gw_ws_service *s = services;

    while (s->proto != get_srt_proto_id(srt))
        s = s->next;
    (void)init_srt_table(
        wmem_strdup_printf(wmem_epan_scope(), "%s by kind of request", s->format->title), "Kinds",
        tables, 0, "Request", NULL, NULL);
    (void)init_srt_table(
        wmem_strdup_printf(wmem_epan_scope(), "%s by first address", s->format->title), "Addresses",
        tables, 0, "Address", NULL, NULL);
}

gw_ws_service *gw_ws_service_register(const gw_format *format, int proto)
{
    gw_ws_service *s = wmem_new0(wmem_epan_scope(), gw_ws_service);

    s->next = services;
    services = s;
    s->format = format;
    s->proto = proto;
    s->tap = register_tap(format->name);
    register_srt_table(proto, format->name, NUM_TABLES, on_sample, init, NULL);
    return s;
}
