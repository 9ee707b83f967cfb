/* SPDX-License-Identifier: BSD-2-Clause */
/* What a finding is called. */
#include "campaign/name.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Kinds of packets that a name tells at the most: the last ones matter most. */
#define KINDS 3

/* ---- what a packet breaks ---- */

typedef struct breaks {
    gw_verdict_sink sink;
    const gw_rule *first;
} breaks;

static void on_finding(gw_verdict_sink *sink, const gw_finding *finding)
{
    breaks *b = (breaks *)sink;
    if (b->first == NULL)
        b->first = finding->rule;
}

const gw_rule *gw_found_breaks(const gw_found_context *c, const gw_shots *shots,
                               const gw_shot *shot)
{
    breaks b = {.sink = {.finding = on_finding}};
    const gw_format *format = c->suite->format;
    gw_message m = gw_shots_message(shot, gw_shots_data(shots, shot), shot->len);
    m.side = shot->answer ? GW_SIDE_CALLED : GW_SIDE_CALLER;
    m.tunnel = c->suite->tunnels;
    format->check(&m, c->dialect, &b.sink);
    return b.first;
}

/* ---- which field it changes ---- */

typedef struct changes {
    gw_sink sink;
    const uint8_t *now;
    const uint8_t *was;
    uint32_t len; /* of the shorter one */
    const gw_field *field;
} changes;

/* Other fields may lie in the same byte: its own bits count. */
static void on_item(gw_sink *sink, const gw_item *item)
{
    changes *c = (changes *)sink;
    uint8_t mask[GW_SHOT_MAX];
    size_t bytes = gw_item_mask(item, mask, sizeof(mask));
    if (c->field != NULL || item->field->view || item->field->derived)
        return;
    for (size_t i = 0; i < bytes && item->offset + i < c->len && c->field == NULL; i++)
        if (((c->now[item->offset + i] ^ c->was[item->offset + i]) & mask[i]) != 0)
            c->field = item->field;
}

const gw_field *gw_found_changes(const gw_found_context *c, const gw_shots *shots,
                                 const gw_shot *shot)
{
    const gw_format *format = c->suite->format;
    changes ch = {.sink = {.item = on_item},
                  .now = gw_shots_data(shots, shot),
                  .was = gw_shots_was(shots, shot),
                  .len = shot->len < shot->was_len ? shot->len : shot->was_len};
    gw_message m = gw_shots_message(shot, ch.was, shot->was_len);
    (void)format->walk(&m, c->dialect, &ch.sink);
    return ch.field;
}

/* ---- */

static void pass_over(gw_sink *sink, const gw_item *item)
{
    (void)sink;
    (void)item;
}

bool gw_found_unreadable(const gw_found_context *c, const gw_message *m)
{
    gw_sink nobody = {.item = pass_over};
    return c->suite->format->walk(m, c->dialect, &nobody).kind != GW_OK;
}

const char *gw_found_kind(const gw_found_context *c, const gw_shots *shots, const gw_shot *shot)
{
    const gw_format *format = c->suite->format;
    gw_message m = gw_shots_message(shot, gw_shots_data(shots, shot), shot->len);
    const char *kind = gw_format_transaction(format, c->dialect, &m, NULL, NULL).kind;
    return kind != NULL && kind[0] != '\0' ? kind : "unknown";
}

const char *gw_found_describe(char *out, size_t cap, const gw_found_context *c,
                              const gw_shots *shots, const gw_shot *shot)
{
    gw_text text = gw_text_over(out, cap);
    const gw_rule *rule = gw_found_breaks(c, shots, shot);
    const gw_field *field = shot->mutated ? gw_found_changes(c, shots, shot) : NULL;
    gw_text_str(&text, gw_found_kind(c, shots, shot));
    gw_text_str(&text, ", ");
    gw_text_dec(&text, shot->len);
    gw_text_str(&text, shot->len == 1 ? " byte" : " bytes");
    if (rule != NULL && (shot->mutated || !shot->answer)) {
        gw_text_str(&text, ", breaks ");
        gw_text_str(&text, rule->id);
    }
    if (shot->fate != GW_FATE_SENT) {
        gw_text_str(&text, ", ");
        gw_text_str(&text, gw_fate_name(shot->fate));
    }
    if (field != NULL) {
        gw_text_str(&text, ", changed at ");
        gw_text_str(&text, field->name);
    }
    return out;
}

void gw_found_comment(gw_evidence *said, const gw_found_context *c, const gw_shots *shots,
                      size_t first, size_t num, const unsigned *sent, const gw_anomaly *anomaly)
{
    char what[200];
    char line[sizeof(what) + sizeof(anomaly->text)];
    unsigned last = 0;
    size_t packet = 0;
    for (size_t i = 0; i < num; i++) {
        const gw_shot *shot = &shots->list[first + i];
        packet += i == 0 || !shot->joined;
        if (sent[i] == 0)
            continue;
        last = sent[i];
        (void)snprintf(line, sizeof(line), "%zu.%s %s", packet, shot->joined ? " and" : "",
                       gw_found_describe(what, sizeof(what), c, shots, shot));
        gw_evidence_comment_on(said, last, line);
    }
    (void)snprintf(line, sizeof(line), "after that: %s", anomaly->text);
    if (last > 0)
        gw_evidence_comment_on(said, last, line);
}

/* Appends |text| in what a file's name and a shell take as they are. */
static void put(char out[GW_FOUND_NAME], const char *before, const char *text)
{
    size_t len = strlen(out);
    (void)snprintf(out + len, GW_FOUND_NAME - len, "%s%s", before, text);
    for (char *c = out + len; *c != '\0'; c++)
        if (!isalnum((unsigned char)*c) && strchr("._-", *c) == NULL)
            *c = '-';
}

static void put_kinds(gw_text *text, const gw_found_context *c, const gw_shots *shots)
{
    size_t first = shots->num > KINDS ? shots->num - KINDS : 0;
    for (size_t i = first; i < shots->num; i++) {
        gw_text_str(text, i == 0 ? "" : i == first ? "... " : ", ");
        gw_text_str(text, gw_found_kind(c, shots, &shots->list[i]));
    }
}

/* What sets it off: of the last packet that is wrong in some way that it cannot be read, or the
 * rule that it breaks; where none is, what is asked last, and the field that is changed. */
static void put_cause(char out[GW_FOUND_NAME], const gw_found_context *c, const gw_catch *found)
{
    const gw_shots *shots = &found->shots;
    const gw_field *field = NULL;
    for (size_t i = shots->num; i > 0; i--) {
        const gw_shot *shot = &shots->list[i - 1];
        if (shot->answer && !shot->mutated)
            continue;
        const gw_rule *rule = gw_found_breaks(c, shots, shot);
        /* Which rule such a packet breaks first is chance. */
        gw_message m = gw_shots_message(shot, gw_shots_data(shots, shot), shot->len);
        bool unreadable = gw_found_unreadable(c, &m);
        if (rule != NULL || unreadable) {
            put(out, ".", unreadable ? "unreadable" : rule->id);
            return;
        }
        if (field == NULL && shot->mutated)
            field = gw_found_changes(c, shots, shot);
    }
    put(out, ".", gw_found_kind(c, shots, &shots->list[shots->num - 1]));
    if (field != NULL)
        put(out, ".", gw_field_key(field));
    const gw_shot *last = &shots->list[shots->num - 1];
    if (last->answer && last->mutated && field == NULL)
        put(out, ".", last->len < last->was_len ? "shorter" : "longer");
    if (last->fate != GW_FATE_SENT)
        put(out, ".", gw_fate_name(last->fate));
}

void gw_found_name(char out[GW_FOUND_NAME], const gw_found_context *c, const gw_catch *found)
{
    const gw_anomaly *anomaly = &found->anomaly;
    out[0] = '\0';
    put(out, "", gw_symptom_name(anomaly->symptom));
    if (found->answers)
        put(out, ".", "answer");
    if (anomaly->rule != NULL)
        put(out, ".", anomaly->rule->id);
    else if (anomaly->by != NULL)
        put(out, ".", anomaly->by->id);
    /* An answer that is wrong is, whatever it answers, and a case that fails does, whichever of
     * many packets left the board like that. */
    if (anomaly->symptom != GW_SYMPTOM_BROKEN && anomaly->symptom != GW_SYMPTOM_WRONG &&
        found->shots.num > 0)
        put_cause(out, c, found);
}

const char *gw_found_variant(char *out, size_t cap, const gw_found_context *c,
                             const gw_catch *found)
{
    gw_text text = gw_text_over(out, cap);
    const gw_shots *shots = &found->shots;
    put_kinds(&text, c, shots);
    for (size_t i = shots->num; i > 0; i--) {
        const gw_rule *rule = gw_found_breaks(c, shots, &shots->list[i - 1]);
        if (rule == NULL)
            continue;
        gw_text_str(&text, ", breaks ");
        gw_text_str(&text, rule->id);
        break;
    }
    if (found->anomaly.by != NULL) {
        gw_text_str(&text, shots->num > 0 ? "; then " : "");
        gw_text_str(&text, found->anomaly.by->id);
    }
    return out;
}

const char *gw_found_extent(char *out, size_t cap, const gw_shots *shots)
{
    size_t num = gw_shots_packets(shots);
    bool answers = num > 0 && shots->list[0].answer;
    if (num == 0)
        (void)snprintf(out, cap, "the case alone");
    else
        (void)snprintf(out, cap, "%zu %s%s", num, answers ? "answer" : "packet",
                       num == 1 ? "" : "s");
    return out;
}
