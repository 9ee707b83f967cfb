/* SPDX-License-Identifier: BSD-2-Clause */
/* A history as a page: clauses down, boards and their firmware across. */
#include <ctype.h>
#include <string.h>

#include "evidence/clean.h"
#include "history/history.h"
#include "history/relative.h"
#include "report/html.h"

#define BLOCK 10 /* runs side by side: what paper is wide enough for */

static const char looks[] =
    "table.heat td.c{text-align:center;min-width:4.6rem}"
    "table.heat th.run{min-width:4.6rem;max-width:9rem;font-weight:400;color:var(--fg);text-align:"
    "center}@media screen{table.heat th.run time{white-space:nowrap}}table.heat "
    "th.board{max-width:none;color:var(--fg);border-bottom:2px "
    "solid var(--line)}table.heat th.field{position:sticky;left:0;background:var(--bg);z-index:1;"
    "max-width:24rem;white-space:normal;min-width:9rem}table.heat{margin-bottom:1rem}"
    "time{display:inline-block}\n"
    "@media print{table.heat td.c,table.heat th.run{min-width:0}table.heat th.field{min-width:4rem;"
    "position:static}}\n";

/* A path as a link: what means something else in one is escaped. */
static void put_path(FILE *file, const char *path)
{
    for (const char *p = path; *p != '\0'; p++) {
        unsigned char c = (unsigned char)*p;
        if (isalnum(c) || strchr("/._-~", c) != NULL)
            fputc(c, file);
        else
            fprintf(file, "%%%02X", c);
    }
}

static void put_link(FILE *file, const char *dir, const char *below, const char *rule)
{
    char path[GW_RELATIVE_MAX];
    fputs("<a href=\"", file);
    put_path(file, gw_relative(path, sizeof(path), dir, below));
    fputs("/report.html", file);
    if (rule[0] != '\0') {
        fputs("#", file);
        put_path(file, rule);
    }
    fputs("\">", file);
}

static void put_part(FILE *file, const json_t *run, const char *name, const char *before)
{
    if (gw_past_text(run, name)[0] == '\0')
        return;
    fprintf(file, "<br>%s", before);
    gw_put_markup(file, gw_past_text(run, name));
}

/* When a run began: the day above the hour, for which a column has room. */
static void put_time(FILE *file, const char *when)
{
    char day[16];
    size_t len = strcspn(when, "T");
    if (when[0] == '\0')
        return;
    if (when[len] == '\0' || len >= sizeof(day)) {
        fputs("<br>", file);
        gw_put_markup(file, when);
        return;
    }
    memcpy(day, when, len);
    day[len] = '\0';
    fputs("<br><time>", file);
    gw_put_markup(file, day);
    fputs("</time> <time>", file);
    gw_put_markup(file, when + len + 1);
    fputs("</time>", file);
}

/* The runs that stand side by side from |from| on: boards are not torn apart, as far as it goes. */
static size_t block_end(const json_t *runs, size_t from)
{
    size_t num = json_array_size(runs);
    if (num - from <= BLOCK)
        return num;
    size_t end = from + BLOCK;
    while (end > from &&
           gw_history_same_board(json_array_get(runs, end - 1), json_array_get(runs, end)))
        end--;
    return end > from ? end : from + BLOCK;
}

/* How many runs from |i| on, before |end|, are of the board of run |i|. */
static size_t of_board(const json_t *runs, size_t i, size_t end)
{
    size_t next = i + 1;
    while (next < end && gw_history_same_board(json_array_get(runs, i), json_array_get(runs, next)))
        next++;
    return next - i;
}

static void put_board(FILE *file, const json_t *run, size_t columns)
{
    const char *make = gw_past_text(run, "make");
    fprintf(file, "<th class=\"board\" colspan=\"%zu\">", columns);
    gw_put_markup(file, make[0] != '\0' ? make : "a board");
    put_part(file, run, "serial", "serial ");
    fputs("</th>", file);
}

static void put_run(FILE *file, const json_t *run, const char *below)
{
    const char *firmware = gw_past_text(run, "firmware");
    fputs("<th class=\"run\">", file);
    gw_put_markup(file, firmware[0] != '\0' ? firmware : "no firmware told");
    fputs("<br>", file);
    put_link(file, gw_past_text(run, "dir"), below, "");
    fputs("<strong>", file);
    gw_put_markup(file, gw_past_text(run, "outcome"));
    fputs("</strong></a>", file);
    put_time(file, gw_past_text(run, "started"));
    fputs("</th>", file);
}

static void put_head(FILE *file, const json_t *runs, size_t from, size_t end, const char *below)
{
    fputs("<thead><tr><th></th>", file);
    for (size_t i = from; i < end; i += of_board(runs, i, end))
        put_board(file, json_array_get(runs, i), of_board(runs, i, end));
    fputs("</tr>\n<tr><th class=\"field\">Clause</th>", file);
    for (size_t i = from; i < end; i++)
        put_run(file, json_array_get(runs, i), below);
    fputs("</tr></thead>\n", file);
}

/* What changed is told by a sign as well as by its place. */
static const char *sign_of(gw_change change)
{
    return change == GW_WORSE ? "&#9660;&nbsp;" : change == GW_BETTER ? "&#9650;&nbsp;" : "";
}

static void put_cell(FILE *file, const json_t *runs, const json_t *cells, size_t i,
                     const char *below)
{
    const json_t *cell = json_array_get(cells, i);
    gw_change change = gw_history_change(runs, cells, i);
    if (!json_is_object(cell)) {
        fputs("<td class=\"c\"></td>", file);
        return;
    }
    fputs("<td class=\"c m2 ", file);
    gw_put_markup(file, gw_past_text(cell, "verdict"));
    fprintf(file, " %s\">", gw_change_name(change));
    put_link(file, gw_past_text(json_array_get(runs, i), "dir"), below, gw_past_text(cell, "rule"));
    fputs(sign_of(change), file);
    gw_put_markup(file, gw_past_text(cell, "verdict"));
    fputs("</a></td>", file);
}

static void put_block(FILE *file, const json_t *role, size_t from, size_t end, const char *below)
{
    size_t i;
    const json_t *row;
    const json_t *runs = json_object_get(role, "runs");
    fputs("<div class=\"scroll\"><table class=\"heat\">", file);
    put_head(file, runs, from, end, below);
    fputs("<tbody>\n", file);
    json_array_foreach(json_object_get(role, "clauses"), i, row)
    {
        fputs("<tr><th class=\"field\">", file);
        gw_put_markup(file, gw_past_text(row, "clause"));
        fputs("</th>", file);
        for (size_t k = from; k < end; k++)
            put_cell(file, runs, json_object_get(row, "cells"), k, below);
        fputs("</tr>\n", file);
    }
    fputs("</tbody></table></div>\n", file);
}

static void put_role(FILE *file, size_t number, const json_t *role, const char *below)
{
    const json_t *runs = json_object_get(role, "runs");
    fprintf(file, "<h2 id=\"role-%zu\">", number);
    gw_put_markup(file, gw_past_text(role, "role"));
    fputs("</h2>\n", file);
    for (size_t from = 0; from < json_array_size(runs); from = block_end(runs, from))
        put_block(file, role, from, block_end(runs, from), below);
}

static void put_roles(FILE *file, const json_t *roles)
{
    size_t i;
    const json_t *role;
    fputs("<nav>", file);
    json_array_foreach(roles, i, role)
    {
        fprintf(file, "<a href=\"#role-%zu\">", i);
        gw_put_markup(file, gw_past_text(role, "role"));
        fputs("</a>", file);
    }
    fputs("</nav>\n", file);
}

void gw_history_page(FILE *file, const json_t *history, const char *below)
{
    size_t i;
    const json_t *role;
    const json_t *roles = json_object_get(history, "roles");
    gw_html_open(file, "History", "boards, firmware, clauses", looks, NULL);
    fputs("<h1>What the boards did</h1>\n<p class=\"dim\">For each clause the gravest verdict of "
          "the cases that speak of it, a link to that run&#8217;s report; nothing where none did. "
          "Runs of one board stand in the order in which they were made: &#9660; is worse than the "
          "one before, &#9650; better.</p>\n",
          file);
    if (json_array_size(roles) > 1)
        put_roles(file, roles);
    json_array_foreach(roles, i, role) put_role(file, i, role, below);
    gw_html_close(file, NULL);
}
