/* SPDX-License-Identifier: BSD-2-Clause */
/* Beneath a failure, folded: the messages that it is about, field by field, as `goldwire decode'
 * prints them. */
#include <inttypes.h>
#include <limits.h>
#include <string.h>

#include "evidence/clean.h"
#include "inspect/describe/describe.h"
#include "report/decoded.h"
#include "report/report_html.h"

#define FIRST_LINES 60 /* of a message ... */
#define NEAR_LINES 4   /* ... and these before and after the field that differs ... */
#define LAST_LINES 24  /* ... and so many of what is said behind the fields */
#define LINE_BYTES 1024

/* ---- a line of a terminal as markup ---- */

typedef struct paint {
    const char *terminal;
    const char *open;
    const char *close;
} paint;

static const paint paints[] = {
    {GW_DESCRIBE_RED, "<span class=\"v FAIL\">", "</span>"},
    {GW_DESCRIBE_YELLOW, "<span class=\"v WARN\">", "</span>"},
    {GW_DESCRIBE_INVERSE, "<mark>", "</mark>"},
};

static const paint *paint_at(const char *p)
{
    for (size_t i = 0; i < GW_ARRAY_LEN(paints); i++)
        if (strncmp(p, paints[i].terminal, strlen(paints[i].terminal)) == 0)
            return &paints[i];
    return NULL;
}

static void put_piece(FILE *file, const char *from, size_t len)
{
    char piece[LINE_BYTES];
    len = len < sizeof(piece) ? len : sizeof(piece) - 1;
    memcpy(piece, from, len);
    piece[len] = '\0';
    gw_put_markup(file, piece);
}

/* What a message holds is none of these: no control character of its own gets into its text. */
static void put_line(FILE *file, const char *line, size_t len)
{
    const paint *on = NULL;
    const char *end = line + len;
    const char *from = line;
    for (const char *p = line; p < end; p++) {
        const paint *next = on == NULL ? paint_at(p) : NULL;
        bool off = on != NULL && strncmp(p, GW_DESCRIBE_PLAIN, strlen(GW_DESCRIBE_PLAIN)) == 0;
        if (next == NULL && !off)
            continue;
        put_piece(file, from, (size_t)(p - from));
        fputs(off ? on->close : next->open, file);
        p += strlen(off ? GW_DESCRIBE_PLAIN : next->terminal) - 1;
        from = p + 1;
        on = off ? NULL : next;
    }
    put_piece(file, from, (size_t)(end - from));
    fputs(on != NULL ? on->close : "", file);
    fputc('\n', file);
}

/* ---- which lines ---- */

static size_t line_len(const char *line)
{
    return strcspn(line, "\n");
}

static const char *next_line(const char *line)
{
    line += line_len(line);
    return *line == '\n' ? line + 1 : line;
}

/* Fields begin with their place, further to the right. */
static bool is_remark(const char *line)
{
    line += strspn(line, " ") == 2 ? 2 : 0;
    const paint *p = paint_at(line);
    if (p != NULL)
        line += strlen(p->terminal);
    return strncmp(line, "! ", 2) == 0 || strncmp(line, "= ", 2) == 0;
}

static bool is_marked(const char *line)
{
    return strncmp(line, GW_DESCRIBE_INVERSE, strlen(GW_DESCRIBE_INVERSE)) == 0;
}

static unsigned marked_line(const char *text)
{
    unsigned number = 0;
    for (const char *line = text; *line != '\0'; line = next_line(line), number++)
        if (is_marked(line))
            return number;
    return UINT_MAX / 2;
}

static unsigned put_gap(FILE *file, unsigned left_out)
{
    if (left_out > 0)
        fprintf(file, "        ... %u line%s\n", left_out, left_out == 1 ? "" : "s");
    return 0;
}

static void put_lines(FILE *file, const char *text)
{
    unsigned marked = marked_line(text);
    unsigned left_out = 0;
    unsigned remarks = 0;
    unsigned number = 0;
    for (const char *line = text; *line != '\0'; line = next_line(line), number++) {
        bool remark = is_remark(line);
        remarks += remark;
        bool near = number + NEAR_LINES >= marked && number <= marked + NEAR_LINES;
        if (number >= FIRST_LINES && !near && (!remark || remarks > LAST_LINES)) {
            left_out++;
            continue;
        }
        left_out = put_gap(file, left_out);
        put_line(file, line, line_len(line));
    }
    put_gap(file, left_out);
}

/* ---- the messages ---- */

static const char *title_of(unsigned as, const gw_decoded *decoded, const gw_result *r)
{
    if ((as & GW_DECODED_IS_DECIDED) != 0)
        return decoded->num_decided > 1 ? "Carried by the packet that decided" : "Decided";
    if ((as & GW_DECODED_IS_ASKED) != 0)
        return r->packet == 0 ? "Sent" : "Sent before it";
    return (as & GW_DECODED_IS_BEFORE) != 0 ? "Before" : "After";
}

static void put_message(FILE *file, const gw_decoded *decoded, const gw_decoded_message *m,
                        const gw_result *r)
{
    bool decided = (m->as & GW_DECODED_IS_DECIDED) != 0;
    fprintf(file, "<h4%s>%s</h4>\n<div class=\"scroll\"><pre>", decided ? " class=\"decided\"" : "",
            title_of(m->as, decoded, r));
    if (m->text == NULL)
        fprintf(file, "frame %" PRIu64 ": out of memory\n", m->frame);
    else
        put_lines(file, m->text);
    for (const char *line = m->more_text; *line != '\0'; line = next_line(line)) {
        fputs("  ! ", file);
        put_line(file, line, line_len(line));
    }
    fputs("</pre></div>\n", file);
}

/* Why the packet that decided, |span|, is not shown, or not alone. */
static void put_doubt(FILE *file, const gw_decoded *decoded, const gw_evidence_span *span)
{
    bool connection = span->kind == GW_EVIDENCE_OPEN || span->kind == GW_EVIDENCE_CLOSE;
    if (span->doubtful) {
        fputs("More packets came than are kept, and the one that decided may be among those that "
              "are not. ",
              file);
    } else if (span->number == 0) {
        fputs("No packet decided. ", file);
    } else if (connection) {
        fprintf(file, "Packet %u, which decided, is a connection's %s: it holds no message. ",
                span->number, span->kind == GW_EVIDENCE_OPEN ? "opening" : "end");
    } else if (decoded->num_decided == 0) {
        fprintf(file, "Packet %u, which decided, holds no message that goldwire decodes. ",
                span->number);
    } else if (decoded->num_decided > 1) {
        fprintf(file,
                "Packet %u gave bytes to %" PRIu64 " messages; which of them decided is not "
                "recorded. ",
                span->number, decoded->num_decided);
        if (decoded->num_decided > GW_DECODED_DECIDED)
            fprintf(file, "The first %d are shown. ", GW_DECODED_DECIDED);
    }
}

static void put_command(FILE *file, const gw_decoded *decoded, const gw_result *r)
{
    uint64_t first = UINT64_MAX;
    uint64_t last = 0;
    for (size_t i = 0; i < decoded->num; i++) {
        const gw_decoded_message *m = &decoded->list[i];
        first = m->first < first ? m->first : first;
        last = m->frame > last ? m->frame : last;
    }
    fputs("<p class=\"dim\">", file);
    put_doubt(file, decoded, &r->decided);
    if (decoded->why[0] != '\0') {
        fputs("The file could not be read to its end: ", file);
        gw_put_markup(file, decoded->why);
        fputs(". ", file);
    }
    fputs("In the folder of this page: <code>goldwire decode ", file);
    gw_put_markup(file, r->evidence);
    if (last > first)
        fprintf(file, " --frames %" PRIu64 "-%" PRIu64, first, last);
    else if (last > 0)
        fprintf(file, " --frames %" PRIu64, last);
    fputs("</code></p>\n", file);
}

static void put_summary(FILE *file, const gw_decoded *decoded, const gw_result *r)
{
    fputs("<summary>", file);
    if (decoded->num_decided == 1)
        fprintf(file, "packet %u, which decided, and what stands around it", r->packet);
    else if (decoded->num_decided > 1)
        fprintf(file, "%" PRIu64 " messages of packet %u, which decided", decoded->num_decided,
                r->packet);
    else if (decoded->num_asked > 0)
        fputs(r->packet == 0 ? "what was sent" : "what was sent before", file);
    else
        fputs("no message that can be shown", file);
    fputs("</summary>\n", file);
}

void gw_html_messages(FILE *file, const gw_report *report, const gw_result *r, uint32_t *room)
{
    char path[PATH_MAX];
    gw_decoded decoded;
    const char *dir = report->setup->out_dir;
    if (dir == NULL || r->evidence[0] == '\0' ||
        snprintf(path, sizeof(path), "%s/%s", dir, r->evidence) >= (int)sizeof(path))
        return;
    fputs("<dt>Decoded</dt><dd>", file);
    if (*room == 0) {
        fputs("this page shows enough: <code>goldwire decode ", file);
        gw_put_markup(file, r->evidence);
        fputs("</code></dd>\n", file);
        return;
    }
    (*room)--;
    gw_decoded_read(&decoded, path, r);
    fputs("<details class=\"decoded\">", file);
    put_summary(file, &decoded, r);
    for (size_t i = 0; i < decoded.num; i++)
        put_message(file, &decoded, &decoded.list[i], r);
    put_command(file, &decoded, r);
    fputs("</details></dd>\n", file);
    gw_decoded_free(&decoded);
}
