/* SPDX-License-Identifier: BSD-2-Clause */
/* Judging a master's messages by the codec's findings, without taking bytes that are out of step
 * for faults of their own. */
#include "formats/etherbone/master/scan.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void on_finding(gw_verdict_sink *sink, const gw_finding *finding)
{
    gw_eb_master_scan *s = (gw_eb_master_scan *)sink;
    const gw_evidence_packet *packet = gw_case_seen(s->ctx, (unsigned)finding->frame);
    if (packet == NULL || packet->dir != GW_DIR_IN || s->num_findings == GW_EB_MASTER_MAX_FINDINGS)
        return;
    gw_eb_master_finding *f = &s->findings[s->num_findings++];
    f->rule = finding->rule;
    f->field = finding->field;
    f->offset = finding->offset;
    (void)snprintf(f->text, sizeof(f->text), "%s", finding->text);
}

static const gw_eb_master_finding *find_breach(const gw_eb_master_scan *s, const char *rule)
{
    const gw_eb_master_finding *found = NULL;
    for (unsigned i = 0; i < s->num_findings; i++) {
        const gw_eb_master_finding *f = &s->findings[i];
        if (strcmp(f->rule->id, rule) != 0)
            continue;
        if (gw_dialect_knows(s->dialect, f->rule, NULL, f->text) == NULL)
            return f;
        found = found == NULL ? f : found;
    }
    return found;
}

static bool has_header_padding(const gw_eb_master_scan *s)
{
    for (unsigned i = 0; i < s->num_findings; i++)
        if (s->findings[i].field != NULL &&
            strcmp(s->findings[i].field->name, "etherbone.header_padding") == 0)
            return true;
    return false;
}

/* The first fault is told, but one that the dialect is not known for before those that it is. */
static void finding_text(gw_eb_master_scan *s, const gw_eb_master_finding *f, unsigned frame)
{
    if (f == NULL || (s->found && !s->known))
        return;
    bool known = gw_dialect_knows(s->dialect, f->rule, NULL, f->text) != NULL;
    if (s->found && known)
        return;
    s->found = true;
    s->known = known;
    s->worst = *f;
    s->frame = frame;
}

/* Bytes that are out of step break rules at random. A header without its padding shifts all that
 * follows, a wrong count too: then nothing else is held against the message. */
static const char *overriding(const gw_eb_master_scan *s)
{
    if (has_header_padding(s))
        return "EB-M06";
    return find_breach(s, "EB-M09") != NULL ? "EB-M09" : NULL;
}

/* In a stream nobody can say where a wrong count stands. A record with both reserved bits and
 * padding set is no record but bytes out of step, and so is an empty one with padding set. */
static bool makes_no_sense(const gw_eb_master_scan *s, const gw_message *message)
{
    bool empty = message->len >= 4 && gw_load_be32(message->data) == 0;
    return find_breach(s, "EB-M06") != NULL && (empty || find_breach(s, "EB-M01") != NULL);
}

/* The connection ended inside a record: its counts promised more than came. */
static bool ends_early(const gw_eb_master_scan *s, const gw_message *message)
{
    gw_eb_reader reader;
    gw_eb_record record;
    if (!gw_eb_open(&reader, message, s->dialect))
        return false;
    while (gw_eb_next(&reader, &record))
        continue;
    return reader.error.kind == GW_TRUNCATED;
}

static void lose(gw_eb_master_scan *s, unsigned frame, const char *why)
{
    gw_eb_master_finding f = {.rule = gw_format_rule(&gw_etherbone, "EB-M09")};
    (void)snprintf(f.text, sizeof(f.text), "%s", why);
    s->lost = true;
    s->was_lost = true;
    if (strcmp(s->rule, "EB-M09") == 0)
        finding_text(s, &f, frame);
}

/* False when the records of a stream cannot be trusted from here on. */
static bool judge_stream(gw_eb_master_scan *s, const gw_message *message)
{
    unsigned frame = (unsigned)message->frame;
    const gw_eb_master_finding *second_header = find_breach(s, "EB-M21");
    if (second_header != NULL) {
        s->lost = s->was_lost = true;
        if (strcmp(s->rule, "EB-M21") == 0)
            finding_text(s, second_header, frame);
    } else if (makes_no_sense(s, message)) {
        lose(s, frame, "the records of the stream make no sense from here on");
    } else if (ends_early(s, message)) {
        lose(s, frame, "the stream ends inside a record: its counts promise more than came");
    }
    return !s->lost;
}

static void judge_message(gw_eb_master_scan *s, const gw_message *message)
{
    const char *only = overriding(s);
    if (message->part == GW_EB_RECORD && !judge_stream(s, message))
        return;
    s->miscounted = s->miscounted || (only != NULL && strcmp(only, "EB-M09") == 0);
    if (only == NULL || strcmp(only, s->rule) == 0)
        finding_text(s, find_breach(s, s->rule), (unsigned)message->frame);
}

/* It has 64 bits at the beginning of that space, wherever a narrower port begins to read it. */
bool gw_eb_master_reads_status(const gw_eb_layout *layout, const gw_eb_record *record)
{
    return (record->flags & GW_EB_RCA) != 0 && record->rcount == 1 &&
           (gw_eb_read_addr(layout, record, 0) & UINT16_MAX) < 8;
}

static void count_record(gw_eb_master_scan *s, const gw_eb_layout *layout,
                         const gw_eb_record *record)
{
    bool config = (record->flags & GW_EB_RCA) != 0;
    if (record->rcount > 0 && config)
        s->config_reads++;
    if ((record->flags & GW_EB_WCA) == 0)
        s->unchecked += record->wcount;
    if (!config)
        s->unchecked += record->rcount;
    if (s->unchecked > s->most_unchecked)
        s->most_unchecked = s->unchecked;
    if (gw_eb_master_reads_status(layout, record)) {
        s->status_reads++;
        s->unchecked = 0;
    }
}

static void count_records(gw_eb_master_scan *s, const gw_message *message)
{
    gw_eb_reader reader;
    gw_eb_record record;
    unsigned records = 0;
    unsigned reading = 0;
    bool open = message->part == GW_EB_RECORD && s->open;
    s->requests++;
    if (overriding(s) != NULL || !gw_eb_open(&reader, message, s->dialect))
        return;
    s->decoded++;
    s->padded += reader.layout.record_header == 8;
    while (gw_eb_next(&reader, &record)) {
        s->spanning += open;
        open = (record.flags & GW_EB_CYC) == 0;
        records++;
        reading += record.rcount > 0;
        count_record(s, &reader.layout, &record);
    }
    s->open = open;
    s->reading += reading > 0;
    s->several += reading > 1;
    if (records > 0 && reading == 0) {
        s->writing_only++;
        s->with_nr += reader.has_header && (reader.header.flags & GW_EB_NR) != 0;
    }
    if (open && reader.error.kind == GW_OK && message->part == GW_EB_PACKET) {
        s->left_open++;
        if (s->open_frame == 0)
            s->open_frame = (unsigned)message->frame;
    }
}

static void on_message(void *arg, const gw_message *message)
{
    gw_eb_master_scan *s = arg;
    if (message->part == GW_EB_HEAD)
        s->lost = s->open = false; /* a new connection */
    if (s->lost)
        return;
    s->num_findings = 0;
    gw_etherbone.session->feed(s->session, message, s->dialect, &s->sink);
    if (message->dir != GW_DIR_IN)
        return;
    /* What the dialect is known for is found as well: whoever has it is WAIVED, and does not PASS.
     */
    gw_dialect plain = s->dialect != NULL ? *s->dialect : gw_etherbone.dialects[0];
    plain.known = NULL;
    gw_etherbone.check(message, &plain, &s->sink);
    judge_message(s, message);
    s->messages++;
    if (s->lost)
        return;
    bool probe = message->part != GW_EB_RECORD && message->len >= 3 &&
                 (message->data[2] & GW_EB_PF) != 0 && message->part != GW_EB_LOST;
    s->probes += probe;
    if (!probe)
        count_records(s, message);
}

static gw_eb_master_scan look(gw_ctx *ctx, const gw_eb_master_exchange *exchange, const char *rule)
{
    gw_eb_master_state *state = gw_eb_master_state_of(ctx);
    gw_eb_master_scan s = {.sink = {.finding = on_finding},
                           .ctx = ctx,
                           .dialect = gw_case_dialect(ctx),
                           .rule = rule,
                           .session = state->session};
    if (!gw_etherbone.session->init(state->session, sizeof(state->session), 60 * GW_SECOND))
        gw_case_error(ctx, "no room for a session");
    if (exchange != NULL)
        gw_eb_master_visit_messages(ctx, exchange, on_message, &s);
    else
        gw_eb_master_recall_reference(ctx, on_message, &s);
    gw_etherbone.session->end(state->session, &s.sink);
    return s;
}

gw_eb_master_scan gw_eb_master_scan_reference(gw_ctx *ctx, const char *rule)
{
    return look(ctx, NULL, rule);
}

gw_eb_master_scan gw_eb_master_scan_exchange(gw_ctx *ctx, const gw_eb_master_exchange *exchange,
                                             const char *rule)
{
    return look(ctx, exchange, rule);
}

void gw_eb_master_judge(gw_ctx *ctx, const gw_eb_master_scan *s)
{
    const gw_eb_master_finding *f = &s->worst;
    if (!s->found)
        return;
    gw_eb_master_renew_reference(ctx);
    gw_miss miss = {.rule = f->rule->id,
                    .field = f->field,
                    .packet = s->frame,
                    .offset = f->offset,
                    .proven = true};
    gw_case_mark(ctx, s->frame, "%s at byte %" PRIu32 ": %s", f->rule->id, f->offset, f->text);
    gw_case_fail(ctx, &miss, "packet %u, byte %" PRIu32 ": %s", s->frame, f->offset, f->text);
}
