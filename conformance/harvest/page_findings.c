/* SPDX-License-Identifier: BSD-2-Clause */
/* Findings on the page, with the packets that bring them about. */
#include <inttypes.h>
#include <stdio.h>

#include "evidence/clean.h"
#include "harvest/harvest.h"
#include "harvest/page.h"
#include "harvest/words.h"
#include "report/html.h"

#define PACKETS_SHOWN 16u
#define CARDS_SHOWN 200u

static unsigned digit(char c)
{
    return c >= '0' && c <= '9'   ? (unsigned)(c - '0')
           : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10)
                                  : 0;
}

static unsigned byte_at(const char *hex, size_t i)
{
    return digit(hex[2 * i]) << 4 | digit(hex[2 * i + 1]);
}

static gw_excerpt excerpt_of(const json_t *packet)
{
    gw_excerpt e = {0};
    const char *hex = gw_word(packet, "bytes");
    e.len = (uint32_t)(strlen(hex) / 2);
    e.kept = e.len < GW_RESULT_BYTES ? e.len : GW_RESULT_BYTES;
    for (uint32_t i = 0; i < e.kept; i++)
        e.bytes[i] = (uint8_t)byte_at(hex, i);
    return e;
}

/* The bytes from the first to the last that are not what they were. */
static void find_change(const json_t *packet, uint32_t *first, uint32_t *num)
{
    const char *now = gw_word(packet, "bytes");
    const char *was = gw_word(packet, "was");
    size_t len = strlen(now) / 2;
    size_t was_len = strlen(was) / 2;
    size_t end = len;
    *first = *num = 0;
    if (!json_is_string(json_object_get(packet, "was")))
        return;
    while (*first < len && *first < was_len && byte_at(now, *first) == byte_at(was, *first))
        (*first)++;
    while (len == was_len && end > *first && byte_at(now, end - 1) == byte_at(was, end - 1))
        end--;
    *num = (uint32_t)(end - *first);
}

static void put_what(FILE *file, const json_t *packet)
{
    gw_put_markup(file, gw_word(packet, "kind"));
    if (gw_word(packet, "summary")[0] != '\0') {
        fputs(": ", file);
        gw_put_markup(file, gw_word(packet, "summary"));
    }
    if (gw_word(packet, "breaks")[0] != '\0') {
        fputs("; breaks ", file);
        gw_put_markup(file, gw_word(packet, "breaks"));
    }
    if (gw_word(packet, "fate")[0] != '\0' && strcmp(gw_word(packet, "fate"), "sent") != 0) {
        fputs("; ", file);
        gw_put_markup(file, gw_word(packet, "fate"));
    }
    if (gw_word(packet, "changes")[0] != '\0') {
        fputs("; changed at ", file);
        gw_put_markup(file, gw_word(packet, "changes"));
    }
    if (gw_word(packet, "link")[0] != '\0') {
        fputs(" <span class=\"dim\">(link ", file);
        gw_put_markup(file, gw_word(packet, "link"));
        fputs(")</span>", file);
    }
}

static void put_packets(FILE *file, const json_t *one)
{
    size_t i;
    const json_t *packet;
    unsigned number = 0;
    const json_t *sent = json_object_get(one, "sent");
    json_array_foreach(sent, i, packet)
    {
        char term[32];
        uint32_t first;
        uint32_t num;
        bool joined = i > 0 && json_is_true(json_object_get(packet, "joined"));
        number += !joined;
        if (i >= PACKETS_SHOWN)
            continue;
        (void)snprintf(term, sizeof(term), joined ? "%u., and" : "%u.", number);
        fprintf(file, "<dt>%s</dt><dd>", term);
        put_what(file, packet);
        fputs("</dd>\n", file);
        gw_excerpt e = excerpt_of(packet);
        find_change(packet, &first, &num);
        gw_html_packet(file, "", &e, first, num);
    }
    if (json_array_size(sent) > PACKETS_SHOWN)
        fprintf(file, "<dt></dt><dd class=\"dim\">and %zu more, which the capture holds</dd>\n",
                json_array_size(sent) - PACKETS_SHOWN);
}

/* What came of different packets, or was shown by different cases, and is called the same. */
static void put_variants(FILE *file, const json_t *one)
{
    size_t i;
    const json_t *variant;
    const json_t *variants = json_object_get(one, "variants");
    if (json_array_size(variants) < 2)
        return;
    fputs("<dt>Seen as</dt>", file);
    json_array_foreach(variants, i, variant)
    {
        uint64_t times = gw_whole(variant, "times");
        fputs("<dd>", file);
        gw_put_markup(file, gw_word(variant, "what"));
        fprintf(file, " (%" PRIu64 " time%s)</dd>\n", times, times == 1 ? "" : "s");
    }
}

static void put_card(FILE *file, const json_t *one)
{
    const char *status = gw_word(one, "status");
    const char *looks_like = strcmp(status, GW_HARVEST_NOT_SEEN) == 0 ? "seen" : status;
    const char *evidence = gw_word(one, "evidence");
    fputs("<div class=\"card ", file);
    gw_put_markup(file, looks_like);
    fputs("\"><h3><code>", file);
    gw_put_markup(file, gw_word(one, "name"));
    fputs("</code> <span class=\"v ", file);
    gw_put_markup(file, looks_like);
    fputs("\">", file);
    gw_put_markup(file, status);
    fputs("</span></h3>\n<p>", file);
    gw_put_markup(file, gw_word(one, "text"));
    fputs("</p>\n<dl>\n", file);
    gw_html_term(file, "Symptom", gw_word(one, "symptom"));
    gw_html_term(file, "Rule", gw_word(one, "rule"));
    gw_html_term(file, "Case", gw_word(one, "case"));
    fprintf(file,
            "<dt>Shows</dt><dd>%" PRIu64 " of %" PRIu64 " times; first seen after %" PRIu64
            " packets</dd>\n",
            gw_whole(one, "shown"), gw_whole(one, "tries"), gw_whole(one, "packets"));
    put_variants(file, one);
    if (gw_word(one, "rerun")[0] != '\0') {
        fputs("<dt>Again</dt><dd><code>", file);
        gw_put_markup(file, gw_word(one, "rerun"));
        fputs("</code></dd>\n", file);
    }
    if (evidence[0] != '\0') {
        fputs("<dt>Capture</dt><dd><a href=\"", file);
        gw_put_markup(file, evidence);
        fputs("\">", file);
        gw_put_markup(file, evidence);
        fputs("</a></dd>\n", file);
    }
    put_packets(file, one);
    fputs("</dl></div>\n", file);
}

void gw_page_findings(FILE *file, const json_t *findings)
{
    static const char *const order[] = {GW_HARVEST_NEW, GW_HARVEST_KNOWN, GW_HARVEST_GONE,
                                        GW_HARVEST_NOT_SEEN};
    size_t i;
    const json_t *one;
    const json_t *list = json_object_get(findings, "findings");
    size_t left = CARDS_SHOWN;
    gw_html_heading(file, "findings", "Findings");
    if (json_array_size(list) == 0)
        fputs("<p>None. That nothing was found does not mean that nothing is there: see what was "
              "tried, below.</p>\n",
              file);
    for (size_t k = 0; k < GW_ARRAY_LEN(order); k++) {
        json_array_foreach(list, i, one)
        {
            if (!gw_word_is(one, "status", order[k]) || left == 0)
                continue;
            put_card(file, one);
            left--;
        }
    }
    if (json_array_size(list) > CARDS_SHOWN)
        fprintf(file, "<p class=\"dim\">findings.json has all %zu.</p>\n", json_array_size(list));
}
