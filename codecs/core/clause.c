/* SPDX-License-Identifier: BSD-2-Clause */
/* The clauses of the tables, for people: where in the published document they stand. */
#include <string.h>

#include "goldwire/format.h"

/* The line that " 820" or " 780-791" begins with; 0 when there is none. */
static unsigned line_in(const char *text, size_t len)
{
    unsigned line = 0;

    for (size_t i = 1; i < len && text[i] >= '0' && text[i] <= '9'; i++)
        line = line * 10 + (unsigned)(text[i] - '0');
    return line;
}

/* The heading of |reference|: the one of the longest source, and of its last line before. */
static const gw_heading *heading_of(const gw_format *format, const char *reference, size_t len)
{
    const gw_heading *best = NULL;
    size_t longest = 0;

    for (const gw_heading *h = format->headings; h != NULL && h->source != NULL; h++) {
        size_t n = strlen(h->source);
        bool fits = n <= len && memcmp(reference, h->source, n) == 0 &&
                    (n == len || reference[n] == ' ') && h->line <= line_in(reference + n, len - n);
        if (fits && n >= longest) {
            best = h;
            longest = n;
        }
    }
    return best;
}

static void put(gw_text *t, const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        char letter[] = {text[i], '\0'};
        gw_text_str(t, letter);
    }
}

bool gw_clause_next(const gw_format *format, const char **source, gw_clause_place *out)
{
    const char *at = *source;
    gw_text t = gw_text_over(out->clause.text, sizeof(out->clause.text));

    out->heading = NULL;
    if (at == NULL || *at == '\0')
        return false;
    size_t len = strcspn(at, ",");
    const gw_heading *h = out->heading = heading_of(format, at, len);
    const size_t known = h != NULL ? strlen(h->source) : 0;
    if (h != NULL)
        gw_text_str(&t, h->text);
    if (h != NULL && h->line == 0 && known < len)
        gw_text_str(&t, ",");
    if (h == NULL || h->line == 0)
        put(&t, at + known, len - known);
    do {
        at += len + strspn(at + len, ", ");
        len = strcspn(at, ",");
    } while (*at != '\0' && h != NULL && h->line > 0 && heading_of(format, at, len) == h);
    *source = at;
    return true;
}

gw_clause gw_clause_of(const gw_format *format, const char *source)
{
    gw_clause clause;
    gw_text t = gw_text_over(clause.text, sizeof(clause.text));
    gw_clause_place place;

    for (bool first = true; gw_clause_next(format, &source, &place); first = false) {
        gw_text_str(&t, first ? "" : "; ");
        gw_text_str(&t, place.clause.text);
    }
    return clause;
}
