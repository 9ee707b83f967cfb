/* SPDX-License-Identifier: BSD-2-Clause */
/* A message as an indented tree for people. */
#include <inttypes.h>
#include <string.h>

#include "goldwire/text.h"
#include "inspect/describe/describe.h"
#include "inspect/path.h"
#include "inspect/sender.h"
#include "inspect/sessions.h"

#define LINE_MAX_LEN 256
#define FRAME_MAX 26   /* a frame's number, and the blanks of a line */
#define BYTES_SHOWN 24 /* of a byte string */

#define RED GW_DESCRIBE_RED
#define YELLOW GW_DESCRIBE_YELLOW
#define PLAIN GW_DESCRIBE_PLAIN

typedef struct tree_sink {
    gw_sink sink;
    FILE *out;
    unsigned depth;
    const gw_describe_looks *looks;
    gw_message_names *names; /* NULL: none */
} tree_sink;

static unsigned indent(const tree_sink *s)
{
    return 2 * (s->depth < GW_PATH_DEPTH ? s->depth : GW_PATH_DEPTH);
}

/* "..1. ...." for fields inside one byte: which bits, and what they are. Blank for all others. */
static const char *bit_picture(char out[10], const gw_item *item)
{
    const gw_field *f = item->field;

    memset(out, ' ', 9);
    out[9] = '\0';
    if (f->bits == 0 || f->bits >= 8 || f->num_bytes != 1)
        return out;
    uint64_t mask = f->mask << f->shift;
    uint64_t value = item->value << f->shift;
    for (unsigned bit = 0; bit < 8; bit++) {
        uint64_t own = mask >> (7 - bit) & 1;
        char *c = &out[bit + (bit >= 4 ? 1 : 0)];
        if (own == 0)
            *c = '.';
        else
            *c = (value >> (7 - bit) & 1) != 0 ? '1' : '0';
    }
    return out;
}

static bool printable(const uint8_t *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (bytes[i] < 0x20 || bytes[i] > 0x7e)
            return false;
    }
    return len > 0;
}

static void add_bytes(gw_text *t, const gw_item *item)
{
    size_t len = item->bits / 8;
    size_t shown = len < BYTES_SHOWN ? len : BYTES_SHOWN;

    gw_text_bytes(t, item->bytes, shown);
    if (shown < len)
        gw_text_str(t, "...");
    gw_text_str(t, " (");
    gw_text_dec(t, len);
    gw_text_str(t, len == 1 ? " byte" : " bytes");
    if (printable(item->bytes, shown)) {
        char chars[BYTES_SHOWN + 1];
        memcpy(chars, item->bytes, shown);
        chars[shown] = '\0';
        gw_text_str(t, ", \"");
        gw_text_str(t, chars);
        gw_text_str(t, shown < len ? "\"..." : "\"");
    }
    gw_text_str(t, ")");
}

static void add_value(gw_text *t, const gw_item *item)
{
    const gw_field *f = item->field;

    if (f->type == GW_BYTES) {
        add_bytes(t, item);
        return;
    }
    gw_text_value(t, f, item->value, (item->bits + 3) / 4);
    const char *name = gw_field_value_name(f, item->value);
    if (name != NULL) {
        gw_text_str(t, " (");
        gw_text_str(t, name);
        gw_text_str(t, ")");
    }
}

static void add_register(gw_text *t, gw_message_names *names, const gw_item *item)
{
    uint64_t address;
    const gw_name_map_entry *e =
        names != NULL ? gw_message_names_item(names, item, &address) : NULL;

    if (e == NULL)
        return;
    gw_text_str(t, " (");
    gw_name_put(t, e, address);
    gw_text_str(t, ")");
}

static void on_item(gw_sink *sink, const gw_item *item)
{
    tree_sink *s = (tree_sink *)sink;
    char line[LINE_MAX_LEN], bits[10];
    gw_text t = gw_text_over(line, sizeof line);
    gw_path path;

    gw_path_init(&path, "");
    gw_text_str(&t, gw_path_of(&path, item));
    gw_text_str(&t, " = ");
    add_value(&t, item);
    add_register(&t, s->names, item);
    const char *kind = "";
    if (item->field->derived)
        kind = " (derived)";
    else if (item->field->view)
        kind = " (view)";
    bool marked =
        s->looks->colours && item->field == s->looks->marked && item->offset == s->looks->marked_at;
    fprintf(s->out, "%s%6" PRIu32 "  %s  %*s%-*s  %s%s%s\n", marked ? GW_DESCRIBE_INVERSE : "",
            item->offset, bit_picture(bits, item), (int)indent(s), "", 30, line, item->field->label,
            kind, marked ? PLAIN : "");
}

static void on_open(gw_sink *sink, const gw_group *group, uint32_t index, uint32_t offset)
{
    tree_sink *s = (tree_sink *)sink;

    fprintf(s->out, "%6" PRIu32 "  %9s  %*s%s", offset, "", (int)indent(s), "", group->label);
    if (group->indexed)
        fprintf(s->out, " %" PRIu32, index);
    putc_unlocked('\n', s->out);
    s->depth++;
}

static void on_close(gw_sink *sink, const gw_group *group, uint32_t end)
{
    tree_sink *s = (tree_sink *)sink;

    (void)group;
    (void)end;
    if (s->depth > 0)
        s->depth--;
}

/* "192.0.2.1:60368 -> 192.0.2.2:1234  etherbone" */
static void write_path(gw_text *t, const gw_found *found)
{
    const gw_message *m = found->message;

    gw_text_endpoint(t, &m->src);
    gw_text_str(t, " -> ");
    gw_text_endpoint(t, &m->dst);
    for (unsigned i = 0; i < m->num_vlans && i < GW_MESSAGE_VLANS; i++) {
        gw_text_str(t, " vlan ");
        gw_text_dec(t, m->vlans[i]);
    }
    if (m->transport == GW_OVER_TCP) {
        gw_text_str(t, " tcp stream ");
        gw_text_dec(t, m->stream);
    }
    if (found->sender != GW_SENDER_UNKNOWN)
        gw_text_str(t, found->sender == GW_SENDER_GOLDWIRE ? " by goldwire" : " by the board");
    gw_text_str(t, "  ");
    gw_text_str(t, found->format->name);
    if (found->dialect != found->format->dialects) {
        gw_text_str(t, " (");
        gw_text_str(t, found->dialect->name);
        gw_text_str(t, ")");
    }
}

static uint32_t stream_of(const gw_message *m)
{
    return m->transport == GW_OVER_TCP ? m->stream : 0;
}

static bool is_path_of(const gw_describe_path *path, const gw_found *found)
{
    const gw_message *m = found->message;

    return path->dialect == found->dialect && path->transport == m->transport &&
           path->stream == stream_of(m) && path->sender == found->sender &&
           gw_endpoint_equal(&path->src, &m->src) && gw_endpoint_equal(&path->dst, &m->dst);
}

/* Writes the path in place of the one that was remembered first. */
static const gw_describe_path *remember(gw_describe_last *last, const gw_found *found)
{
    gw_describe_path *path = &last->known[last->next];
    gw_text t = gw_text_over(path->text, sizeof path->text);

    last->next = (last->next + 1) % GW_ARRAY_LEN(last->known);
    write_path(&t, found);
    path->src = found->message->src;
    path->dst = found->message->dst;
    path->dialect = found->dialect;
    path->stream = stream_of(found->message);
    path->transport = found->message->transport;
    path->sender = found->sender;
    path->len = t.len;
    return path;
}

/* Who sent it to whom, and in whose format. What lies in a VLAN is rare, and is not remembered. */
static void put_path(gw_text *t, const gw_found *found, gw_describe_last *last)
{
    const gw_describe_path *path = last->known;
    const gw_describe_path *const end = path + GW_ARRAY_LEN(last->known);

    if (found->message->num_vlans > 0) {
        write_path(t, found);
        return;
    }
    while (path != end && !is_path_of(path, found))
        path++;
    if (path == end)
        path = remember(last, found);
    gw_text_put(t, path->text, path->len);
}

/* The line is put together before it is printed: stdio costs more a call than it takes to write
 * what there is to say. Each of its two texts may be LINE_MAX_LEN long. */
_Static_assert(GW_DESCRIBE_PATH == LINE_MAX_LEN, "a path is cut where it is remembered or printed");

void gw_describe_head(FILE *out, const gw_found *found, gw_describe_last *last,
                      const gw_message_names *names)
{
    const gw_message *m = found->message;
    char line[2 * LINE_MAX_LEN + GW_STAMP_MAX + FRAME_MAX];
    gw_text head = gw_text_over(line, GW_STAMP_MAX + FRAME_MAX);

    gw_text_dec(&head, m->frame);
    gw_text_str(&head, "  ");
    gw_stamp_add(&head, m->time_ns, &last->second);
    gw_text_str(&head, "  ");
    gw_text path = gw_text_over(head.buf + head.len, LINE_MAX_LEN);
    put_path(&path, found, last);
    path.cap += 2;
    gw_text_str(&path, "  ");
    /* A summary that is nothing but how the message ends begins without a comma. */
    gw_text says = gw_text_over(path.buf + path.len, LINE_MAX_LEN);
    if (found->format->summary != NULL)
        found->format->summary(m, found->dialect, &says);
    if (names != NULL)
        gw_message_names_summary(names, m, found->dialect, &says);
    (void)fwrite_unlocked(line, 1, head.len + path.len + says.len, out);
}

static void print_error(FILE *out, const gw_error *error, const gw_message *m, bool colours)
{
    if (error->kind == GW_OK)
        return;
    fprintf(out, "  %s! %s at byte %" PRIu32, colours ? RED : "",
            gw_error_kind_name((gw_error_kind)error->kind), error->offset);
    if (error->field != NULL)
        fprintf(out, ": %s (%s)", error->field->label, error->field->name);
    if (error->capture_cut)
        fprintf(out, "; the capture kept %" PRIu32 " of %" PRIu32 " bytes", m->cap_len, m->len);
    fputs(colours ? PLAIN "\n" : "\n", out);
}

static void print_relation(FILE *out, const gw_relation *r)
{
    char time[GW_STAMP_MAX];

    switch (r->kind) {
    case GW_ANSWERS:
        fprintf(out, "  = answers frame %" PRIu64 " after %s s", r->request,
                gw_stamp_text(time, r->delta_ns));
        break;
    case GW_DUPLICATE:
        fprintf(out, "  = repeats the answer of frame %" PRIu64, r->earlier);
        break;
    case GW_STALE:
        fprintf(out, "  = answers frame %" PRIu64 ", which had been given up", r->request);
        break;
    case GW_FORWARDED:
        fprintf(out, "  = passes on what frame %" PRIu64 " brought", r->request);
        break;
    case GW_UNSOLICITED:
        fputs("  = answers nothing that was seen", out);
        break;
    default:
        fputs("  = more was outstanding than is remembered: what this answers is not known", out);
        break;
    }
    fputs(r->ambiguous ? " (ambiguous: equal requests were outstanding)\n" : "\n", out);
}

void gw_describe_finding(FILE *out, const gw_rule *rule, uint32_t offset, const char *text,
                         bool colours)
{
    const char *colour = rule->level == GW_MUST ? RED : YELLOW;

    fprintf(out, "%s! %s %s @%" PRIu32 " %s%s", colours ? colour : "", rule->id,
            gw_level_name((gw_level)rule->level), offset, text, colours ? PLAIN : "");
}

typedef struct finding_sink {
    gw_verdict_sink sink;
    FILE *out;
    bool colours;
} finding_sink;

static void print_finding(const finding_sink *s, const gw_rule *rule, uint32_t offset,
                          const char *text)
{
    fputs("  ", s->out);
    gw_describe_finding(s->out, rule, offset, text, s->colours);
    putc_unlocked('\n', s->out);
}

static void on_finding(gw_verdict_sink *sink, const gw_finding *f)
{
    print_finding((finding_sink *)sink, f->rule, f->offset, f->text);
}

void gw_describe_tree(FILE *out, const gw_found *found, gw_account *account,
                      const gw_describe_looks *looks)
{
    tree_sink fields = {
        .sink = {.item = on_item, .open = on_open, .close = on_close},
        .out = out,
        .looks = looks,
        .names = account->names,
    };
    finding_sink findings = {
        .sink = {.finding = on_finding}, .out = out, .colours = looks->colours};
    gw_describe_last last = {.next = 0};

    fputs("frame ", out);
    gw_describe_head(out, found, &last, account->names);
    putc_unlocked('\n', out);
    gw_account_walk(account, found, &fields.sink);
    print_error(out, &account->error, found->message, looks->colours);
    for (size_t i = 0; i < account->num_relations; i++)
        print_relation(out, &account->relations[i]);
    gw_sessions_check(found, gw_account_origin(account), &findings.sink);
    for (size_t i = 0; i < account->num_findings; i++) {
        const gw_kept_finding *f = &account->findings[i];
        print_finding(&findings, f->rule, f->offset, f->text);
    }
    putc_unlocked('\n', out);
}
