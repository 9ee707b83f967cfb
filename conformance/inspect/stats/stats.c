/* SPDX-License-Identifier: BSD-2-Clause */
/* Counting what passes. */
#include "inspect/stats/stats.h"

#include <stdlib.h>
#include <string.h>

#include "goldwire/etherbone.h"
#include "goldwire/rule.h"
#include "inspect/conversations.h"
#include "inspect/sessions.h"
#include "inspect/stats/registers.h"

#define ANSWERED_MAX 64 /* requests of one answer, as decode tells them */
#define AMBIGUOUS 0x8000u

/* A message that was seen: frames hold several, so it has a number of its own, which sessions take
 * for its frame. */
typedef struct kept {
    uint64_t id; /* 0: none */
    const gw_format *format;
    const char *kind;
    uint64_t address; /* the first that it touches */
    bool has_address;
    bool of_config;      /* the address is one of the board's own settings, not of its bus */
    uint16_t as_request; /* bits of gw_relation_kind that were counted, and AMBIGUOUS */
    uint16_t as_answer;
    gw_endpoint sender;
    gw_endpoint receiver;
} kept;

struct gw_stats {
    gw_verdict_sink sink;
    gw_sessions *sessions;
    gw_stats_rows *rows[GW_PIPELINE_FORMATS]; /* taken with the first message */
    bool no_memory;
    uint64_t id;             /* of the current message, the last one's at the end */
    uint64_t origin;         /* that it passes on; 0: none */
    const gw_format *format; /* of the current message */
    size_t num_answered;
    gw_relation answered[ANSWERED_MAX]; /* that it has shown */
    gw_conversations conversations;
    gw_stats_registers *registers;
    kept memory[GW_STATS_KEPT];
};

static gw_stats_rows *rows_of(gw_stats *s, const gw_format *format)
{
    gw_stats_rows **rows = &s->rows[gw_pipeline_place(format)];

    if (*rows == NULL)
        *rows = calloc(1, sizeof **rows);
    if (*rows == NULL)
        s->no_memory = true;
    return *rows;
}

static gw_stats_row *named(gw_stats *s, const gw_format *format, gw_stats_table table,
                           const char *heading, const char *name)
{
    gw_stats_rows *rows = rows_of(s, format);
    gw_stats_key key = {.table = (uint8_t)table, .heading = heading, .name = name};

    return rows != NULL ? gw_stats_row_of(rows, &key) : NULL;
}

static void count(gw_stats *s, const gw_format *format, gw_stats_table table, const char *heading,
                  const char *name)
{
    gw_stats_row *row = named(s, format, table, heading, name);

    if (row != NULL)
        row->count++;
}

/* ---- what sessions find ---- */

static kept *recall(gw_stats *s, uint64_t id)
{
    kept *k = &s->memory[id % GW_STATS_KEPT];

    return id != 0 && k->id == id ? k : NULL;
}

/* The format that owns |rule|. */
static const gw_format *owner(const gw_stats *s, const gw_rule *rule)
{
    if (s->format != NULL && gw_format_rule(s->format, rule->id) == rule)
        return s->format;
    for (size_t i = 0; i < gw_num_formats; i++) {
        if (gw_format_rule(gw_formats[i], rule->id) == rule)
            return gw_formats[i];
    }
    return NULL;
}

static void on_finding(gw_verdict_sink *sink, const gw_finding *finding)
{
    gw_stats *s = (gw_stats *)sink;
    const gw_format *format = owner(s, finding->rule);

    if (format != NULL)
        count(s, format, GW_STATS_FINDINGS, gw_level_name((gw_level)finding->rule->level),
              finding->rule->id);
}

/* Counts a message once for each kind of relation, however many others it has that to do with. */
static void count_side(gw_stats *s, const gw_format *format, gw_stats_table table, uint16_t *seen,
                       const gw_relation *r, const char *name)
{
    const uint16_t bit = (uint16_t)(1u << r->kind);

    if (name == NULL)
        return;
    if ((*seen & bit) == 0)
        count(s, format, table, NULL, name);
    if (r->ambiguous && (*seen & AMBIGUOUS) == 0)
        count(s, format, table, NULL, "Ambiguous");
    *seen |= (uint16_t)(bit | (r->ambiguous ? AMBIGUOUS : 0));
}

/* How long after its request |answer| came. */
static void measure(gw_stats *s, const gw_relation *r, const kept *answer)
{
    const kept *asked = recall(s, r->request);
    const char *kind = asked != NULL ? asked->kind : "(no longer known)";
    gw_stats_rows *rows = rows_of(s, answer->format);
    gw_stats_key key = {.table = GW_STATS_BY_KIND, .name = kind};
    unsigned power = 0;

    if (rows == NULL)
        return;
    gw_stats_measure(gw_stats_row_of(rows, &key), r->delta_ns);
    key = (gw_stats_key){.table = GW_STATS_BY_ADDRESS};
    if (asked != NULL && asked->has_address) {
        key.number = asked->address;
        key.config = asked->of_config;
        gw_stats_measure(gw_stats_row_of(rows, &key), r->delta_ns);
        if (asked->format == &gw_etherbone && !asked->of_config)
            gw_stats_registers_measure(s->registers, &asked->receiver, asked->address, r->delta_ns);
    }
    if (answer->sender.family != GW_FAMILY_NONE) {
        key = (gw_stats_key){.table = GW_STATS_BY_BOARD, .a = answer->sender};
        gw_stats_measure(gw_stats_row_of(rows, &key), r->delta_ns);
    }
    while (power < 62 && r->delta_ns >> (power + 1) > 0)
        power++;
    key = (gw_stats_key){.table = GW_STATS_HISTOGRAM, .heading = kind, .number = power};
    gw_stats_row_of(rows, &key)->count++;
}

/* An answer of several records answers a request record by record: measured once. */
static bool first_time(gw_stats *s, const gw_relation *r)
{
    for (size_t i = 0; i < s->num_answered; i++) {
        const gw_relation *known = &s->answered[i];
        if (known->request == r->request && known->response == r->response &&
            known->ambiguous == r->ambiguous)
            return false;
    }
    if (s->num_answered == ANSWERED_MAX)
        return false;
    s->answered[s->num_answered++] = *r;
    return true;
}

static void on_relation(gw_verdict_sink *sink, const gw_relation *r)
{
    gw_stats *s = (gw_stats *)sink;
    kept *request = recall(s, r->request);
    kept *response = recall(s, r->response);

    if (r->kind >= GW_NUM_RELATIONS)
        return;
    if (request != NULL)
        count_side(s, request->format, GW_STATS_REQUESTS, &request->as_request, r,
                   gw_relation_of_request((gw_relation_kind)r->kind));
    if (response != NULL)
        count_side(s, response->format, GW_STATS_ANSWERS, &response->as_answer, r,
                   gw_relation_of_answer((gw_relation_kind)r->kind));
    if (r->kind == GW_FORWARDED && r->response == s->id)
        s->origin = r->request;
    if (r->kind == GW_ANSWERS && response != NULL && first_time(s, r))
        measure(s, r, response);
}

/* ---- what a message is ---- */

static void keep_first(void *ctx, const gw_memory_access *access)
{
    kept *k = ctx;

    if (k->has_address)
        return;
    k->address = access->first;
    k->of_config = access->kind == GW_ACCESS_CONFIG;
    k->has_address = true;
}

static void count_kind(gw_stats *s, const gw_found *found)
{
    kept *k = &s->memory[s->id % GW_STATS_KEPT];

    *k = (kept){.id = s->id,
                .format = found->format,
                .sender = found->message->src,
                .receiver = found->message->dst};
    k->kind =
        gw_format_transaction(found->format, found->dialect, found->message, keep_first, k).kind;
    count(s, found->format, GW_STATS_MESSAGES, NULL, k->kind);
}

typedef struct tally_sink {
    gw_sink base;
    gw_stats_rows *rows;
} tally_sink;

static void tally(gw_sink *sink, const gw_item *item)
{
    const gw_field *field = item->field;
    gw_stats_rows *rows = ((tally_sink *)sink)->rows;
    gw_stats_key key = {.table = GW_STATS_FIELDS, .heading = field->tally};

    if (field->tallies == GW_TALLIES_NOTHING || (field->type == GW_BOOL && item->value == 0))
        return;
    key.name = field->tallies == GW_TALLIES_MEAN || field->type == GW_BOOL
                   ? field->label
                   : gw_field_value_name(field, item->value);
    if (key.name == NULL) {
        key.field = field;
        key.number = item->value;
    }
    gw_stats_row *row = gw_stats_row_of(rows, &key);
    if (field->tallies == GW_TALLIES_MEAN)
        gw_stats_measure(row, item->value < INT64_MAX ? (int64_t)item->value : INT64_MAX);
    else
        row->count++;
}

static void count_fields(gw_stats *s, const gw_found *found)
{
    tally_sink sink = {.base = {.item = tally, .tallied = true}, .rows = rows_of(s, found->format)};

    if (sink.rows == NULL)
        return;
    gw_error error = found->format->walk(found->message, found->dialect, &sink.base);
    if (error.kind != GW_OK)
        count(s, found->format, GW_STATS_STOPPED, NULL, gw_error_stopped(&error));
}

static void count_conversation(gw_stats *s, gw_stats_rows *rows, const gw_found *found)
{
    bool forward;
    const gw_conversation c = gw_conversation_of(found, &forward);
    const gw_stats_key key = {.table = GW_STATS_CONVERSATIONS,
                              .number = gw_conversations_number(&s->conversations, found),
                              .a = c.a,
                              .b = c.b,
                              .interface = c.interface};
    gw_stats_row *row = gw_stats_row_of(rows, &key);

    *(forward ? &row->count : &row->back) += 1;
    *(forward ? &row->bytes : &row->back_bytes) += found->message->len;
}

static void count_ends(gw_stats *s, const gw_found *found)
{
    const gw_message *m = found->message;
    gw_stats_rows *rows = rows_of(s, found->format);
    gw_stats_key key = {.table = GW_STATS_ENDS, .a = m->src};

    if (rows == NULL)
        return;
    count_conversation(s, rows, found);
    if (m->src.family == GW_FAMILY_NONE || m->dst.family == GW_FAMILY_NONE)
        return;
    gw_stats_row *row = gw_stats_row_of(rows, &key);
    row->count++;
    row->bytes += m->len;
    key.a = m->dst;
    row = gw_stats_row_of(rows, &key);
    row->back++;
    row->back_bytes += m->len;
}

void gw_stats_lossless(gw_stats *s)
{
    gw_sessions_lossless(s->sessions);
}

void gw_stats_found(gw_stats *s, const gw_found *found)
{
    gw_message message = *found->message;
    gw_found numbered = *found;

    message.frame = ++s->id;
    numbered.message = &message;
    s->origin = 0;
    s->format = found->format;
    s->num_answered = 0;
    count_kind(s, &numbered);
    if (found->format == &gw_etherbone)
        gw_stats_registers_learn(s->registers, found);
    count_fields(s, &numbered);
    count_ends(s, &numbered);
    gw_sessions_feed(s->sessions, &numbered, &s->sink);
    gw_sessions_check(&numbered, s->origin, &s->sink);
}

void gw_stats_arp(gw_stats *s, const gw_message *message)
{
    gw_sessions_arp(s->sessions, message, &s->sink);
}

bool gw_stats_end(gw_stats *s)
{
    gw_stats_rows *rows = s->rows[gw_pipeline_place(&gw_etherbone)];

    gw_sessions_end(s->sessions, &s->sink);
    if (rows != NULL && !gw_stats_registers_end(s->registers, rows))
        s->no_memory = true;
    return !s->no_memory;
}

const gw_stats_rows *gw_stats_of(const gw_stats *s, const gw_format *format)
{
    return s->rows[gw_pipeline_place(format)];
}

gw_stats *gw_stats_new(gw_name_map *registers)
{
    gw_stats *s = calloc(1, sizeof *s);

    if (s == NULL)
        return NULL;
    s->sink.finding = on_finding;
    s->sink.relation = on_relation;
    s->sessions = gw_sessions_new();
    s->registers = gw_stats_registers_new(registers);
    if (s->sessions == NULL || s->registers == NULL) {
        gw_stats_free(s);
        return NULL;
    }
    return s;
}

void gw_stats_free(gw_stats *s)
{
    if (s == NULL)
        return;
    for (size_t i = 0; i < GW_PIPELINE_FORMATS; i++)
        free(s->rows[i]);
    gw_stats_registers_free(s->registers);
    gw_sessions_free(s->sessions);
    free(s);
}
