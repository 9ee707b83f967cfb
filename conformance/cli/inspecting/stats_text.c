/* SPDX-License-Identifier: BSD-2-Clause */
/* Statistics as tables for people. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/inspecting/stats_show.h"
#include "goldwire/registers.h"
#include "inspect/stats/order.h"

#define NAME_WIDTH 46
#define BAR_WIDTH 40

static const gw_stats_row *sorted[GW_STATS_ROWS + 1];

static void print_title(const gw_format *format, const char *title, const char *columns)
{
    char name[GW_STATS_NAME];

    snprintf(name, sizeof name, "%s: %s", format->title, title);
    printf("\n%-*s%s\n", NAME_WIDTH, name, columns);
}

/* A heading of its own before the first row below it. */
static void print_heading(const gw_stats_row *row, const gw_stats_row *before)
{
    if (row->key.heading != NULL && (before == NULL || before->key.heading == NULL ||
                                     strcmp(before->key.heading, row->key.heading) != 0))
        printf("  %s\n", row->key.heading);
}

static void print_name(const gw_stats_row *row)
{
    char name[GW_STATS_NAME];

    printf("%s%-*s", row->key.heading != NULL ? "    " : "  ",
           NAME_WIDTH - (row->key.heading != NULL ? 4 : 2), gw_stats_name(name, row));
}

static void print_count(const gw_format *format, const gw_stats_row *row)
{
    const gw_rule *rule =
        row->key.table == GW_STATS_FINDINGS ? gw_format_rule(format, row->key.name) : NULL;

    print_name(row);
    printf(" %12" PRIu64, row->count);
    if (row->measured)
        printf("  mean %.2f, %" PRId64 " to %" PRId64, (double)row->sum / (double)row->count,
               row->least, row->most);
    if (rule != NULL)
        printf("  %s", rule->text);
    putchar('\n');
}

static void print_counts(const gw_format *format, const gw_stats_rows *rows, gw_stats_table table,
                         const char *title)
{
    const size_t num = gw_stats_order(rows, table, sorted);

    if (num > 0)
        print_title(format, title, "        count");
    for (size_t i = 0; i < num; i++) {
        print_heading(sorted[i], i > 0 ? sorted[i - 1] : NULL);
        print_count(format, sorted[i]);
    }
}

/* What the document calls the register at an address. */
static const char *register_name(const gw_format *format, const gw_stats_row *row)
{
    const gw_register *r = row->key.table == GW_STATS_BY_ADDRESS && format->registers != NULL &&
                                   row->key.name == NULL && row->key.number <= UINT32_MAX
                               ? gw_register_at(format->registers, (uint32_t)row->key.number)
                               : NULL;

    return r != NULL ? r->name : "";
}

static void print_times(const gw_format *format, const gw_stats_rows *rows, gw_stats_table table,
                        const char *title)
{
    const size_t num = gw_stats_order(rows, table, sorted);

    if (num > 0)
        print_title(format, title, "        calls     least us      mean us      most us");
    for (size_t i = 0; i < num; i++) {
        const gw_stats_row *row = sorted[i];
        print_name(row);
        printf(" %12" PRIu64 " %12.3f %12.3f %12.3f  %s\n", row->count, (double)row->least / 1e3,
               (double)row->sum / (double)row->count / 1e3, (double)row->most / 1e3,
               register_name(format, row));
    }
}

/* The largest count below the heading of |rows|[0]. */
static uint64_t largest(const gw_stats_row *const *rows, size_t num)
{
    uint64_t most = 1;

    for (size_t i = 0; i < num && rows[i]->key.heading == rows[0]->key.heading; i++)
        most = rows[i]->count > most ? rows[i]->count : most;
    return most;
}

static void print_histogram(const gw_format *format, const gw_stats_rows *rows)
{
    const size_t num = gw_stats_order(rows, GW_STATS_HISTOGRAM, sorted);
    uint64_t most = 1;

    if (num > 0)
        print_title(format, "response times, how many below", "        count");
    for (size_t i = 0; i < num; i++) {
        const gw_stats_row *row = sorted[i];
        if (i == 0 || row->key.heading != sorted[i - 1]->key.heading)
            most = largest(sorted + i, num - i);
        print_heading(row, i > 0 ? sorted[i - 1] : NULL);
        printf("    %*.3f us %12" PRIu64 "  %.*s\n", NAME_WIDTH - 7,
               (double)(UINT64_C(2) << row->key.number) / 1e3, row->count,
               (int)(row->count * BAR_WIDTH / most), "########################################");
    }
}

static void print_ends(const gw_format *format, const gw_stats_rows *rows, gw_stats_table table,
                       const char *title, const char *columns)
{
    const size_t num = gw_stats_order(rows, table, sorted);

    if (num > 0)
        print_title(format, title, columns);
    for (size_t i = 0; i < num; i++) {
        const gw_stats_row *row = sorted[i];
        print_name(row);
        printf(" %12" PRIu64 " %12" PRIu64 " %12" PRIu64 " %12" PRIu64 "\n", row->count, row->bytes,
               row->back, row->back_bytes);
    }
}

void gw_stats_text(const gw_format *format, const gw_stats_rows *rows)
{
    print_counts(format, rows, GW_STATS_MESSAGES, "messages by kind");
    print_counts(format, rows, GW_STATS_FIELDS, "values of fields");
    print_times(format, rows, GW_STATS_BY_KIND, "response times by kind of request");
    print_times(format, rows, GW_STATS_BY_ADDRESS, "response times by first address");
    print_times(format, rows, GW_STATS_BY_REGISTER, "response times by register");
    print_times(format, rows, GW_STATS_BY_BOARD, "response times by who answered");
    print_histogram(format, rows);
    print_counts(format, rows, GW_STATS_REQUESTS, "requests");
    print_counts(format, rows, GW_STATS_ANSWERS, "answers");
    print_counts(format, rows, GW_STATS_FINDINGS, "findings");
    print_counts(format, rows, GW_STATS_STOPPED, "decoding stopped");
    print_ends(format, rows, GW_STATS_CONVERSATIONS, "conversations (decode --follow N)",
               "  messages ->     bytes ->  messages <-     bytes <-");
    print_ends(format, rows, GW_STATS_ENDS, "endpoints",
               "         sent        bytes     received        bytes");
}
