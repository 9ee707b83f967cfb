/* SPDX-License-Identifier: BSD-2-Clause */
/* The page of a campaign: one file that loads nothing and runs nothing. */
#include "harvest/page.h"

#include <inttypes.h>

#include "evidence/clean.h"
#include "evidence/exit.h"
#include "harvest/harvest.h"
#include "harvest/words.h"
#include "report/html.h"

static const char looks[] =
    ".card.new{border-left-color:var(--fail)}.card.known{border-left-color:var(--warn)}"
    ".card.gone{border-left-color:var(--pass)}.v.new{color:var(--fail)}.v.known{color:var(--warn)}"
    ".v.gone{color:var(--pass)}.v.seen{color:var(--dim)}\n"
    "svg .rate{fill:none;stroke:var(--pass);stroke-width:1.5}svg rect.ill{fill:var(--fail)}"
    "svg rect.well{fill:var(--pass)}svg rect.outage{fill:var(--dim)}"
    "svg .found{stroke:var(--fail);stroke-width:2;fill:none}svg .odd{stroke:var(--odd);fill:none}\n"
    "table.heat td.a{--heat:var(--pass)}table.heat td.h{--heat:var(--odd)}"
    "table.key td.c{min-width:5rem!important;text-align:center}"
    ".scroll+h3,dl+h3,p+h3{margin-top:1.2rem}\n";

static const char *headline_of(const json_t *findings, const char **looks_like)
{
    const json_t *counts = json_object_get(findings, "counts");
    bool any = gw_whole(counts, "new") + gw_whole(counts, "known") > 0;
    switch (gw_whole(findings, "exit_code")) {
    case GW_EXIT_OK:
        *looks_like = "PASS";
        return gw_word_is(findings, "by", "triage") ? any ? "NOTHING NEW SHOWS" : "NOTHING SHOWS"
               : any                                ? "NOTHING NEW FOUND"
                                                    : "NOTHING FOUND";
    case GW_EXIT_FAIL:
        *looks_like = "FAIL";
        return gw_word_is(findings, "by", "triage") ? "FINDINGS SHOW" : "NEW FINDINGS";
    case GW_EXIT_INCONC:
        *looks_like = "INCONCLUSIVE";
        return "INCONCLUSIVE";
    default:
        *looks_like = "TOOL";
        return "TOOL ERROR";
    }
}

static void put_counts(FILE *file, const json_t *findings)
{
    static const struct {
        const char *key;
        const char *name;
        const char *looks_like;
    } parts[] = {{"new", "new", "new"},
                 {"known", "known", "known"},
                 {"gone", "gone", "gone"},
                 {"not_seen", "not seen this time", "seen"}};
    const json_t *counts = json_object_get(findings, "counts");
    for (size_t i = 0; i < GW_ARRAY_LEN(parts); i++) {
        uint64_t num = gw_whole(counts, parts[i].key);
        if (num > 0)
            fprintf(file, "<span class=\"n\">%" PRIu64 " <span class=\"v %s\">%s</span></span> ",
                    num, parts[i].looks_like, parts[i].name);
    }
}

static void put_banner(FILE *file, const json_t *findings, const char *headline,
                       const char *looks_like)
{
    const char *lost = gw_word(findings, "lost");
    fprintf(file, "<div class=\"banner %s\"><h1>%s</h1>\n<p>goldwire ", looks_like, headline);
    gw_put_markup(file, gw_word(findings, "by"));
    fputs(" on ", file);
    gw_put_markup(file, gw_word(findings, "role"));
    fputs(": ", file);
    gw_put_markup(file, gw_word(findings, "board"));
    fputs("</p>\n<p class=\"counts\">", file);
    put_counts(file, findings);
    fputs("</p>\n", file);
    if (lost[0] != '\0') {
        fputs("<p>It ended early: ", file);
        gw_put_markup(file, lost);
        fputs("</p>\n", file);
    }
    fputs("</div>\n<nav><a href=\"#campaign\">Campaign</a><a href=\"#findings\">Findings</a>"
          "<a href=\"#time\">Time</a><a href=\"#model\">Model</a></nav>\n",
          file);
}

static void put_number(FILE *file, const char *term, const json_t *object, const char *key,
                       const char *unit)
{
    uint64_t value = gw_whole(object, key);
    if (value > 0)
        fprintf(file, "<dt>%s</dt><dd>%" PRIu64 "%s</dd>\n", term, value, unit);
}

static void put_campaign(FILE *file, const json_t *findings)
{
    const json_t *c = json_object_get(findings, "campaign");
    gw_html_heading(file, "campaign", "The campaign");
    fputs("<dl>\n", file);
    gw_html_term(file, "Role", gw_word(findings, "role"));
    gw_html_term(file, "Format", gw_word(findings, "format"));
    gw_html_term(file, "Dialect", gw_word(findings, "dialect"));
    gw_html_term(file, "Board", gw_word(findings, "board"));
    gw_html_term(file, "Begun", gw_word(findings, "started"));
    gw_html_term(file, "Mode", gw_word(findings, "mode"));
    if (json_is_object(c)) {
        double elapsed = gw_number(c, "elapsed_s");
        uint64_t packets = gw_whole(c, "packets");
        fprintf(file, "<dt>Seed</dt><dd>%" PRIu64 "</dd>\n", gw_whole(c, "seed"));
        fputs("<dt>How long</dt><dd>", file);
        gw_html_time(file, (int64_t)(elapsed * (double)GW_SECOND));
        fprintf(file,
                "</dd>\n<dt>Packets</dt><dd>%" PRIu64 ", %.0f a second, %" PRIu64
                " of them mutated</dd>\n",
                packets, elapsed > 0 ? (double)packets / elapsed : 0, gw_whole(c, "mutated"));
        put_number(file, "Altered", c, "altered", " conversations, in which answers of ours were");
        put_number(file, "Not sent", c, "fenced",
                   ", as they would have written outside of the board file&#8217;s areas");
        put_number(
            file, "Not again", c, "unconfirmed",
            " times something looked wrong, and did not when it was tried again: no finding");
        put_number(file, "Left out", c, "excused",
                   " cases, as their failures blame no board: they fail without the packets, on "
                   "goldwire&#8217;s own board as well, or after allowed ones only");
        put_number(
            file, "Left open", c, "left_open",
            " times altered answers did what they do when they are lost, or to goldwire&#8217;s "
            "own board as well");
        put_number(file, "Recoveries", c, "recoveries", " of the board");
        put_number(file, "Outages", c, "outages", " of the path on our side");
        fprintf(file, "<dt>Model</dt><dd>%.1f %% of it was tried</dd>\n",
                gw_number(c, "model_percent"));
    }
    fputs("</dl>\n", file);
}

void gw_harvest_page(FILE *file, const json_t *findings, const json_t *model)
{
    const char *looks_like;
    const char *headline = headline_of(findings, &looks_like);
    gw_html_open(file, headline, gw_word(findings, "role"), looks, NULL);
    put_banner(file, findings, headline, looks_like);
    put_campaign(file, findings);
    gw_page_findings(file, findings);
    gw_page_time(file, findings);
    gw_page_model(file, model);
    gw_html_close(file, NULL);
}
