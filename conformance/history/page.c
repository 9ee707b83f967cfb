/* SPDX-License-Identifier: BSD-2-Clause */
/* A history as a page: clauses down, boards and their firmware across. */
#include <ctype.h>
#include <string.h>

#include "evidence/clean.h"
#include "history/history.h"
#include "history/relative.h"
#include "report/html.h"

static const char looks[] =
    "table.matrix th,table.matrix td{padding:.25rem .6rem .25rem 0}"
    "table.matrix td a{display:block;text-decoration:none}"
    "table.matrix td a:focus,table.matrix td a:hover{text-decoration:underline}"
    "table.matrix thead th{vertical-align:bottom;font-weight:400;color:var(--fg)}"
    "table.matrix .worse{box-shadow:inset .25rem 0 var(--fail);padding-left:.5rem}"
    "table.matrix .better{box-shadow:inset .25rem 0 var(--pass);padding-left:.5rem}\n";

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

static void put_verdict(FILE *file, const char *verdict)
{
    fputs("<span class=\"v ", file);
    gw_put_markup(file, verdict);
    fputs("\">", file);
    gw_put_markup(file, verdict);
    fputs("</span>", file);
}

static void put_head(FILE *file, const json_t *runs, const char *below)
{
    size_t i;
    const json_t *run;
    fputs("<thead><tr><th>Clause</th>", file);
    json_array_foreach(runs, i, run)
    {
        fputs("<th>", file);
        put_link(file, gw_past_text(run, "dir"), below, "");
        fputs("<strong>", file);
        gw_put_markup(file, gw_past_text(run, "outcome"));
        fputs("</strong></a>", file);
        put_part(file, run, "make", "");
        put_part(file, run, "serial", "serial ");
        put_part(file, run, "firmware", "firmware ");
        put_part(file, run, "started", "");
        fputs("</th>", file);
    }
    fputs("</tr></thead>\n", file);
}

static void put_row(FILE *file, const json_t *row, const json_t *runs, const char *below)
{
    size_t i;
    const json_t *cell;
    const json_t *cells = json_object_get(row, "cells");
    fputs("<tr><td>", file);
    gw_put_markup(file, gw_past_text(row, "clause"));
    fputs("</td>", file);
    json_array_foreach(cells, i, cell)
    {
        fprintf(file, "<td class=\"%s\">", gw_change_name(gw_history_change(runs, cells, i)));
        if (json_is_object(cell)) {
            put_link(file, gw_past_text(json_array_get(runs, i), "dir"), below,
                     gw_past_text(cell, "rule"));
            put_verdict(file, gw_past_text(cell, "verdict"));
            fputs("</a>", file);
        }
        fputs("</td>", file);
    }
    fputs("</tr>\n", file);
}

static void put_role(FILE *file, const json_t *role, const char *below)
{
    size_t i;
    const json_t *row;
    const json_t *runs = json_object_get(role, "runs");
    fputs("<h2>", file);
    gw_put_markup(file, gw_past_text(role, "role"));
    fputs("</h2>\n<div class=\"scroll\"><table class=\"matrix\">", file);
    put_head(file, runs, below);
    fputs("<tbody>\n", file);
    json_array_foreach(json_object_get(role, "clauses"), i, row) put_row(file, row, runs, below);
    fputs("</tbody></table></div>\n", file);
}

void gw_history_page(FILE *file, const json_t *history, const char *below)
{
    size_t i;
    const json_t *role;
    gw_html_open(file, "History", "boards, firmware, clauses", looks, NULL);
    fputs(
        "<h1>What the boards did</h1>\n<p class=\"dim\">For each clause the gravest verdict of "
        "the cases that speak of it, a link to that run&#8217;s report; nothing where none did. "
        "Runs of one board stand in the order in which they were made: a bar at a verdict&#8217;s "
        "left says that it is worse (red), or better (green), than the one before.</p>\n",
        file);
    json_array_foreach(json_object_get(history, "roles"), i, role) put_role(file, role, below);
    gw_html_close(file, NULL);
}
