/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Service response times. */
#include "stats/service.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "compat.h"

#include <epan/srt_table.h>
#include <epan/wmem_scopes.h>

#include "goldwire/etherbone.h"
#include "stats/account.h"

/* A capture may name any number of addresses, registers and boards; what comes after so many shares
 * the last row. */
#define MAX_ROWS 1024
#define ROW_LEN 32

/* The last is EtherBone's, whose addresses have names. */
enum { BY_KIND, BY_ADDRESS, BY_BOARD, BY_REGISTER, NUM_TABLES };

/* Where rows were found last, by a hash of their names: a guess, for any of the tables. */
static uint16_t guesses[MAX_ROWS];

/* The row of |table| called |name|, made when there is none; the last one is what did not fit. */
static int row_of(srt_stat_table *table, const char *name)
{
    uint16_t *guess = &guesses[g_str_hash(name) % MAX_ROWS];
    int n = table->num_procs;

    if (*guess < n && strcmp(table->procedures[*guess].procedure, name) == 0)
        return *guess;
    for (int i = 0; i < n; i++) {
        if (strcmp(table->procedures[i].procedure, name) == 0) {
            *guess = (uint16_t)i;
            return i;
        }
    }
    if (n >= MAX_ROWS)
        return MAX_ROWS - 1;
    init_srt_table_row(table, n, n == MAX_ROWS - 1 ? "others" : name);
    return n;
}

static void add(srt_stat_table *table, const char *name, const gw_ws_meeting *m, packet_info *pinfo)
{
    nstime_t delta = {.secs = (time_t)(m->delta_ns / 1000000000),
                      .nsecs = (int)(m->delta_ns % 1000000000)};
    nstime_t begun; /* when the request came */

    nstime_delta(&begun, &pinfo->abs_ts, &delta);
    add_srt_table_data(table, row_of(table, name), &begun, pinfo);
}

/* |board| is who answers; empty: nobody says. */
static void add_answer(GArray *tables, const gw_ws_meeting *m, const char *board,
                       packet_info *pinfo)
{
    char name[ROW_LEN];

    add(g_array_index(tables, srt_stat_table *, BY_KIND), m->asked->kind, m, pinfo);
    if (board[0] != '\0')
        add(g_array_index(tables, srt_stat_table *, BY_BOARD), board, m, pinfo);
    if (!m->asked->has_address)
        return;
    (void)snprintf(name, sizeof name, "%s0x%08" PRIx64, m->asked->on_bus ? "" : "config ",
                   m->asked->address);
    add(g_array_index(tables, srt_stat_table *, BY_ADDRESS), name, m, pinfo);
    if (m->asked->name != NULL)
        add(g_array_index(tables, srt_stat_table *, BY_REGISTER), m->asked->name, m, pinfo);
}

/* First answers alone are measured: a repeated or a late one says nothing of the service. */
static tap_packet_status on_account(void *tapdata, packet_info *pinfo, epan_dissect_t *edt,
                                    const void *data, tap_flags_t flags)
{
    const gw_ws_account *account = (const gw_ws_account *)data;
    tap_packet_status status = TAP_PACKET_DONT_REDRAW;
    (void)edt;
    (void)flags;

    for (const gw_ws_meeting *m = account->meetings; m != NULL; m = m->next) {
        if (m->kind != GW_ANSWERS || m->of_request || m->asked == NULL)
            continue;
        add_answer(((srt_data_t *)tapdata)->srt_array, m, account->pair->from, pinfo);
        status = TAP_PACKET_REDRAW;
    }
    return status;
}

static void init(struct register_srt *srt, GArray *tables)
{
    const gw_format *format =
        gw_format_by_name(proto_get_protocol_filter_name(get_srt_proto_id(srt)));

    (void)init_srt_table(
        wmem_strdup_printf(wmem_epan_scope(), "%s by kind of request", format->title), "Kinds",
        tables, 0, "Request", NULL, NULL);
    (void)init_srt_table(
        wmem_strdup_printf(wmem_epan_scope(), "%s by first address", format->title), "Addresses",
        tables, 0, "Address", NULL, NULL);
    (void)init_srt_table(wmem_strdup_printf(wmem_epan_scope(), "%s by who answered", format->title),
                         "Boards", tables, 0, "Board", NULL, NULL);
    if (format == &gw_etherbone)
        (void)init_srt_table(wmem_strdup_printf(wmem_epan_scope(), "%s by register", format->title),
                             "Registers", tables, 0, "Register", NULL, NULL);
}

void gw_ws_service_register(const gw_format *format, int proto)
{
    register_srt_table(proto, format->name, NUM_TABLES, on_account, init, NULL);
}
