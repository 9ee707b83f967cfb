/* SPDX-License-Identifier: BSD-2-Clause */
/* Statistics as JSON: times in nanoseconds. */
#include <stdio.h>

#include "cli/inspecting/stats_show.h"
#include "goldwire/text.h"
#include "inspect/stats/order.h"

static const gw_stats_row *sorted[GW_STATS_ROWS + 1];

static void write_signed(gw_json *j, const char *key, int64_t value)
{
    char text[32];

    if (value >= 0) {
        gw_json_uint(j, key, (uint64_t)value);
        return;
    }
    snprintf(text, sizeof text, "%lld", (long long)value); /* a clock that went back */
    gw_json_str(j, key, text);
}

static void write_end(gw_json *j, const char *key, const gw_endpoint *end)
{
    char text[GW_STATS_NAME];
    gw_text t = gw_text_over(text, sizeof text);

    gw_text_endpoint(&t, end);
    gw_json_str(j, key, text);
}

static void write_times(gw_json *j, const gw_stats_row *row)
{
    write_signed(j, "least", row->least);
    write_signed(j, "most", row->most);
    write_signed(j, "sum", row->sum);
}

static void write_row(gw_json *j, const gw_stats_row *row)
{
    char name[GW_STATS_NAME];

    gw_json_open(j, NULL, '{');
    if (row->key.heading != NULL)
        gw_json_str(j, "heading", row->key.heading);
    if (row->key.table == GW_STATS_HISTOGRAM)
        gw_json_uint(j, "below", UINT64_C(2) << row->key.number);
    else
        gw_json_str(j, "name", gw_stats_name(name, row));
    gw_json_uint(j, "count", row->count);
    if (row->measured)
        write_times(j, row);
    gw_json_close(j, '}');
}

static void write_conversation(gw_json *j, const gw_stats_key *key)
{
    gw_json_uint(j, "number", key->number);
    if (key->a.family == GW_FAMILY_NONE && key->b.family == GW_FAMILY_NONE) {
        gw_json_uint(j, "interface", key->interface);
        return;
    }
    write_end(j, "a", &key->a);
    write_end(j, "b", &key->b);
}

static void write_talk(gw_json *j, const gw_stats_row *row)
{
    const bool both = row->key.table == GW_STATS_CONVERSATIONS;

    gw_json_open(j, NULL, '{');
    if (row->key.name != NULL)
        gw_json_str(j, "name", row->key.name);
    else if (both)
        write_conversation(j, &row->key);
    else
        write_end(j, "end", &row->key.a);
    gw_json_uint(j, both ? "messages_from_a" : "messages_sent", row->count);
    gw_json_uint(j, both ? "bytes_from_a" : "bytes_sent", row->bytes);
    gw_json_uint(j, both ? "messages_from_b" : "messages_received", row->back);
    gw_json_uint(j, both ? "bytes_from_b" : "bytes_received", row->back_bytes);
    gw_json_close(j, '}');
}

void gw_stats_json(gw_json *json, const gw_format *format, const gw_stats_rows *rows)
{
    static const char *const keys[GW_STATS_TABLES] = {
        [GW_STATS_MESSAGES] = "messages",
        [GW_STATS_FIELDS] = "fields",
        [GW_STATS_BY_KIND] = "response_times_by_kind",
        [GW_STATS_BY_ADDRESS] = "response_times_by_address",
        [GW_STATS_BY_REGISTER] = "response_times_by_register",
        [GW_STATS_BY_BOARD] = "response_times_by_board",
        [GW_STATS_HISTOGRAM] = "response_time_histogram",
        [GW_STATS_REQUESTS] = "requests",
        [GW_STATS_ANSWERS] = "answers",
        [GW_STATS_FINDINGS] = "findings",
        [GW_STATS_STOPPED] = "decoding_stopped",
        [GW_STATS_CONVERSATIONS] = "conversations",
        [GW_STATS_ENDS] = "endpoints",
    };

    gw_json_str(json, "proto", format->name);
    for (unsigned table = 0; table < GW_STATS_TABLES; table++) {
        const size_t num = gw_stats_order(rows, (gw_stats_table)table, sorted);
        gw_json_open(json, keys[table], '[');
        for (size_t i = 0; i < num; i++) {
            if (table == GW_STATS_CONVERSATIONS || table == GW_STATS_ENDS)
                write_talk(json, sorted[i]);
            else
                write_row(json, sorted[i]);
        }
        gw_json_close(json, ']');
    }
}
