/* SPDX-License-Identifier: BSD-2-Clause */
/* Writing and reading findings. What is read may come from anybody. */
#include "campaign/found.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "run/store.h"
#include "json/json.h"

#define VERSION 1
#define SENT_MAX 65536u /* packets in a file */
#define VARIANTS_MAX 64u

/* ---- writing ---- */

static void sum_up(char *out, size_t cap, const gw_found_context *c, const gw_shots *shots,
                   const gw_shot *shot)
{
    const gw_message m = gw_shots_message(shot, gw_shots_data(shots, shot), shot->len);
    gw_text text = gw_text_over(out, cap);
    c->suite->format->summary(&m, c->dialect, &text);
}

static void write_shot(gw_json *j, const gw_found_context *c, const gw_shots *shots,
                       const gw_shot *shot)
{
    char summary[128];
    sum_up(summary, sizeof(summary), c, shots, shot);
    const gw_rule *breaks = gw_found_breaks(c, shots, shot);
    const gw_field *changes = shot->mutated ? gw_found_changes(c, shots, shot) : NULL;
    gw_json_open(j, NULL, '{');
    gw_json_str(j, "link", c->target->links[shot->link].name);
    gw_json_uint(j, "line", shot->line);
    gw_json_bool(j, "anew", shot->anew);
    gw_json_bool(j, "joined", shot->joined);
    gw_json_uint(j, "part", shot->part);
    gw_json_uint(j, "part_arg", shot->part_arg);
    if (shot->answer)
        gw_json_str(j, "fate", gw_fate_name(shot->fate));
    gw_json_str(j, "kind", gw_found_kind(c, shots, shot));
    gw_json_str(j, "summary", summary);
    gw_json_str(j, "breaks", breaks != NULL ? breaks->id : NULL);
    gw_json_str(j, "changes", changes != NULL ? changes->name : NULL);
    gw_json_hex(j, "bytes", gw_shots_data(shots, shot), shot->len);
    if (shot->mutated)
        gw_json_hex(j, "was", gw_shots_was(shots, shot), shot->was_len);
    else
        gw_json_null(j, "was");
    gw_json_close(j, '}');
}

/* |known| are those that were seen before; NULL: this is the first. */
static void write_variants(gw_json *j, const gw_found_context *c, const gw_catch *found,
                           const json_t *known)
{
    char what[GW_FOUND_VARIANT];
    size_t i;
    const json_t *one;
    gw_json_open(j, "variants", '[');
    json_array_foreach(known, i, one)
    {
        const char *text = json_string_value(json_object_get(one, "what"));
        json_int_t times = json_integer_value(json_object_get(one, "times"));
        gw_json_open(j, NULL, '{');
        gw_json_str(j, "what", text != NULL ? text : "");
        gw_json_uint(j, "times", times > 0 ? (uint64_t)times : 0);
        gw_json_close(j, '}');
    }
    if (json_array_size(known) == 0) {
        gw_json_open(j, NULL, '{');
        gw_json_str(j, "what", gw_found_variant(what, sizeof(what), c, found));
        gw_json_uint(j, "times", 1);
        gw_json_close(j, '}');
    }
    gw_json_close(j, ']');
}

/* Numbers of 64 bits: not every reader of JSON keeps them. */
static void write_number(gw_json *j, const char *key, uint64_t number)
{
    char text[24];
    (void)snprintf(text, sizeof(text), "0x%016" PRIx64, number);
    gw_json_str(j, key, text);
}

static void write_altered(gw_json *j, const gw_altered *how)
{
    gw_json_open(j, "answers", '{');
    gw_json_str(j, "story", how->story != NULL ? how->story->id : NULL);
    write_number(j, "random", how->random);
    write_number(j, "seed", how->seed);
    gw_json_uint(j, "shift", how->shift);
    write_number(j, "mask", how->mask);
    write_number(j, "lost", how->lost);
    gw_json_open(j, "back", '[');
    for (unsigned i = 0; i < GW_ALTERED_MOST; i++) {
        if (how->back[i] == 0)
            continue;
        gw_json_open(j, NULL, '{');
        gw_json_uint(j, "answer", i);
        write_number(j, "runs", how->back[i]);
        gw_json_close(j, '}');
    }
    gw_json_close(j, ']');
    gw_json_close(j, '}');
}

static void write_json(FILE *file, const char *name, const gw_found_context *c,
                       const gw_catch *found, const json_t *variants)
{
    gw_json j;
    const gw_anomaly *anomaly = &found->anomaly;
    gw_json_init(&j, file);
    gw_json_open(&j, NULL, '{');
    gw_json_uint(&j, "version", VERSION);
    gw_json_str(&j, "name", name);
    gw_json_str(&j, "role", c->suite->role);
    gw_json_str(&j, "symptom", gw_symptom_name(anomaly->symptom));
    gw_json_str(&j, "rule", anomaly->rule != NULL ? anomaly->rule->id : NULL);
    gw_json_str(&j, "case", anomaly->by != NULL ? anomaly->by->id : NULL);
    gw_json_str(&j, "text", anomaly->text);
    gw_json_uint(&j, "shown", found->shown);
    gw_json_uint(&j, "tries", found->tries);
    gw_json_uint(&j, "packets", found->packets);
    gw_json_str(&j, "board", c->call);
    write_variants(&j, c, found, variants);
    if (found->answers)
        write_altered(&j, &found->how);
    gw_json_open(&j, "sent", '[');
    for (size_t i = 0; i < found->shots.num; i++)
        write_shot(&j, c, &found->shots, &found->shots.list[i]);
    gw_json_close(&j, ']');
    gw_json_close(&j, '}');
    gw_json_end(&j);
}

static bool write_capture(const char *folder, const gw_catch *found, char *why, size_t why_cap)
{
    FILE *file = gw_store_open(folder, GW_FOUND_CAPTURE, why, why_cap);
    if (file == NULL)
        return false;
    gw_evidence_file *out = gw_evidence_create(file);
    bool ok = out != NULL &&
              (found->said.num_packets == 0 ||
               gw_evidence_append(out, &found->said, "what was sent, and answered")) &&
              (found->seen.num_packets == 0 ||
               gw_evidence_append(out, &found->seen, found->anomaly.text));
    ok = gw_evidence_close(out) && ok;
    return gw_store_close(file, GW_FOUND_CAPTURE, why, why_cap) && ok;
}

static bool folder_of(char *out, size_t cap, const char *dir, const char *name)
{
    return snprintf(out, cap, "%s/" GW_FOUND_FOLDER "/%s/", dir, name) < (int)cap;
}

/* What a finding's file holds; NULL: there is none that can be read. */
static json_t *load_root(const char *dir, const char *name)
{
    char path[PATH_MAX];
    if (snprintf(path, sizeof(path), "%s/" GW_FOUND_FOLDER "/%s/" GW_FOUND_FILE, dir, name) >=
        (int)sizeof(path))
        return NULL;
    return json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
}

static bool store_files(const char *folder, const char *name, const gw_found_context *context,
                        const gw_catch *found, const json_t *variants, char *why, size_t why_cap)
{
    bool any = found->said.num_packets + found->seen.num_packets > 0;
    if (any && !write_capture(folder, found, why, why_cap))
        return false;
    FILE *file = gw_store_open(folder, GW_FOUND_FILE, why, why_cap);
    if (file == NULL)
        return false;
    write_json(file, name, context, found, variants);
    return gw_store_close(file, GW_FOUND_FILE, why, why_cap);
}

bool gw_found_store(const char *dir, const char *name, const gw_found_context *context,
                    const gw_catch *found, char *why, size_t why_cap)
{
    char folder[PATH_MAX];
    if (!folder_of(folder, sizeof(folder), dir, name)) {
        (void)snprintf(why, why_cap, "path too long: %.60s...", dir);
        return false;
    }
    if (!gw_store_folders(folder, why, why_cap))
        return false;
    json_t *before = load_root(dir, name);
    const json_t *variants = json_object_get(before, "variants");
    gw_store_remove(folder, GW_FOUND_CAPTURE);
    gw_store_remove(folder, GW_FOUND_FILE);
    bool ok = store_files(folder, name, context, found, variants, why, why_cap);
    json_decref(before);
    return ok;
}

/* Counts |what| among |variants|; those that are too many have no line of their own. */
static void note_variant(json_t *variants, const char *what)
{
    size_t i;
    json_t *one;
    json_array_foreach(variants, i, one)
    {
        const char *text = json_string_value(json_object_get(one, "what"));
        bool rest = json_array_size(variants) >= VARIANTS_MAX && i + 1 == VARIANTS_MAX;
        if (!rest && (text == NULL || strcmp(text, what) != 0))
            continue;
        json_int_t times = json_integer_value(json_object_get(one, "times"));
        if (rest && (text == NULL || strcmp(text, what) != 0))
            (void)json_object_set_new(one, "what", json_string("others"));
        (void)json_object_set_new(one, "times", json_integer(times + 1));
        return;
    }
    (void)json_array_append_new(variants, json_pack("{s:s,s:i}", "what", what, "times", 1));
}

bool gw_found_again(const char *dir, const char *name, const gw_found_context *context,
                    const gw_catch *found, char *why, size_t why_cap)
{
    char folder[PATH_MAX];
    char what[GW_FOUND_VARIANT];
    json_t *root = load_root(dir, name);
    json_t *variants = json_object_get(root, "variants");
    if (!json_is_array(variants) || !folder_of(folder, sizeof(folder), dir, name)) {
        json_decref(root);
        return true; /* of somebody else's making: it is left alone */
    }
    note_variant(variants, gw_found_variant(what, sizeof(what), context, found));
    FILE *file = gw_store_open(folder, GW_FOUND_FILE, why, why_cap);
    bool ok = file != NULL && json_dumpf(root, file, JSON_COMPACT) == 0;
    if (file != NULL)
        ok = gw_store_close(file, GW_FOUND_FILE, why, why_cap) && ok;
    json_decref(root);
    return ok;
}

bool gw_found_is_there(const char *dir, const char *name)
{
    char folder[PATH_MAX];
    return folder_of(folder, sizeof(folder), dir, name) && gw_store_has(folder, GW_FOUND_FILE);
}

/* ---- reading ---- */

static bool bad(char *why, size_t why_cap, const char *path, const char *what)
{
    (void)snprintf(why, why_cap, "%s: %s", path, what);
    return false;
}

static int digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The number of bytes; SIZE_MAX when |text| is none. */
static size_t read_hex(uint8_t *out, size_t cap, const char *text)
{
    size_t len = strlen(text);
    if (len % 2 != 0 || len / 2 > cap)
        return SIZE_MAX;
    for (size_t i = 0; i < len / 2; i++) {
        int high = digit(text[2 * i]);
        int low = digit(text[2 * i + 1]);
        if (high < 0 || low < 0)
            return SIZE_MAX;
        out[i] = (uint8_t)(high << 4 | low);
    }
    return len / 2;
}

static bool find_link(const gw_target *target, const char *name, uint8_t *link)
{
    for (unsigned i = 0; i < target->num_links; i++) {
        *link = (uint8_t)i;
        if (target->links[i].present && strcmp(target->links[i].name, name) == 0)
            return true;
    }
    return false;
}

static bool read_shot(gw_shots *shots, const gw_target *target, const json_t *one,
                      const char **what)
{
    uint8_t now[GW_SHOT_MAX];
    uint8_t was[GW_SHOT_MAX];
    const char *link = json_string_value(json_object_get(one, "link"));
    const char *bytes = json_string_value(json_object_get(one, "bytes"));
    const char *before = json_string_value(json_object_get(one, "was"));
    json_int_t line = json_integer_value(json_object_get(one, "line"));
    json_int_t part = json_integer_value(json_object_get(one, "part"));
    json_int_t part_arg = json_integer_value(json_object_get(one, "part_arg"));
    const char *fate = json_string_value(json_object_get(one, "fate"));
    gw_shot like = {.line = (uint8_t)line,
                    .part = (uint8_t)part,
                    .part_arg = (uint32_t)part_arg,
                    .answer = fate != NULL,
                    .fate = fate != NULL ? (uint8_t)gw_fate_by_name(fate) : 0,
                    .anew = json_is_true(json_object_get(one, "anew")),
                    .joined = json_is_true(json_object_get(one, "joined"))};
    *what = "a packet of it lacks its link or its bytes, or they are no hex digits";
    size_t len = bytes != NULL ? read_hex(now, sizeof(now), bytes) : SIZE_MAX;
    size_t was_len = before != NULL ? read_hex(was, sizeof(was), before) : 0;
    if (link == NULL || len == SIZE_MAX || was_len == SIZE_MAX || line < 0 ||
        line >= (json_int_t)GW_SHOT_LINES || part < 0 || part > UINT8_MAX || part_arg < 0 ||
        part_arg > (json_int_t)UINT32_MAX || like.fate == GW_NUM_FATES)
        return false;
    *what = "a packet of it goes over a link that this board has no URL for";
    if (!find_link(target, link, &like.link))
        return false;
    *what = "it is too long";
    return gw_shots_add(shots, &like, now, (uint32_t)len, before != NULL ? was : NULL,
                        (uint32_t)was_len);
}

static bool read_number(const json_t *one, const char *key, uint64_t *out)
{
    char *end = NULL;
    const char *text = json_string_value(json_object_get(one, key));
    if (text == NULL || strncmp(text, "0x", 2) != 0 || strlen(text) != 18)
        return false;
    *out = strtoull(text + 2, &end, 16);
    return *end == '\0';
}

static bool read_back(gw_altered *how, const json_t *list)
{
    size_t i;
    const json_t *one;
    json_array_foreach(list, i, one)
    {
        json_int_t answer = json_integer_value(json_object_get(one, "answer"));
        if (answer < 0 || answer >= (json_int_t)GW_ALTERED_MOST ||
            !read_number(one, "runs", &how->back[answer]))
            return false;
    }
    return true;
}

static bool read_altered(gw_catch *out, const gw_suite *suite, const json_t *one)
{
    gw_altered *how = &out->how;
    const char *story = json_string_value(json_object_get(one, "story"));
    how->story = story != NULL ? gw_suite_case(suite, story) : NULL;
    json_int_t shift = json_integer_value(json_object_get(one, "shift"));
    out->answers = true;
    how->shift = (uint32_t)shift;
    return shift >= 0 && shift < (json_int_t)GW_ALTERED_MOST && suite->calls_us &&
           (story == NULL) == (how->story == NULL) && read_number(one, "random", &how->random) &&
           read_number(one, "seed", &how->seed) && read_number(one, "mask", &how->mask) &&
           read_number(one, "lost", &how->lost) && read_back(how, json_object_get(one, "back"));
}

static bool read_anomaly(gw_anomaly *anomaly, const gw_suite *suite, const json_t *root,
                         const char **what)
{
    const char *symptom = json_string_value(json_object_get(root, "symptom"));
    const char *rule = json_string_value(json_object_get(root, "rule"));
    const char *by = json_string_value(json_object_get(root, "case"));
    const char *text = json_string_value(json_object_get(root, "text"));
    *what = "it names no symptom, or a rule or case that a board of this role does not have";
    anomaly->symptom = symptom != NULL ? gw_symptom_by_name(symptom) : GW_SYMPTOM_NONE;
    anomaly->rule = rule != NULL ? gw_format_rule(suite->format, rule) : NULL;
    anomaly->by = by != NULL ? gw_suite_case(suite, by) : NULL;
    (void)snprintf(anomaly->text, sizeof(anomaly->text), "%s", text != NULL ? text : "");
    return anomaly->symptom != GW_SYMPTOM_NONE && (rule == NULL) == (anomaly->rule == NULL) &&
           (by == NULL) == (anomaly->by == NULL);
}

static bool read_root(gw_catch *out, const gw_found_context *c, const json_t *root,
                      const char **what)
{
    json_int_t shown = json_integer_value(json_object_get(root, "shown"));
    json_int_t tries = json_integer_value(json_object_get(root, "tries"));
    const char *role = json_string_value(json_object_get(root, "role"));
    const json_t *sent = json_object_get(root, "sent");
    bool by_itself = json_is_string(json_object_get(root, "case"));
    *what = "is no finding of this version of goldwire";
    if (json_integer_value(json_object_get(root, "version")) != VERSION || role == NULL ||
        !json_is_array(sent) || (json_array_size(sent) == 0 && !by_itself) ||
        json_array_size(sent) > SENT_MAX)
        return false;
    *what = "is a finding on a board of another role";
    if (strcmp(role, c->suite->role) != 0 || !read_anomaly(&out->anomaly, c->suite, root, what))
        return false;
    for (size_t i = 0; i < json_array_size(sent); i++)
        if (!read_shot(&out->shots, c->target, json_array_get(sent, i), what))
            return false;
    const json_t *answers = json_object_get(root, "answers");
    *what = "what it says of altered answers makes no sense";
    if (answers != NULL && !read_altered(out, c->suite, answers))
        return false;
    *what = "it shows more often than it was tried";
    if (shown < 0 || tries < shown || tries > INT32_MAX)
        return false;
    out->shown = (unsigned)shown;
    out->tries = (unsigned)tries;
    out->packets = (uint64_t)json_integer_value(json_object_get(root, "packets"));
    return true;
}

bool gw_found_read(gw_catch *out, const gw_found_context *context, const json_t *root,
                   const char *path, char *why, size_t why_cap)
{
    const char *what = "";
    *out = (gw_catch){0};
    if (read_root(out, context, root, &what))
        return true;
    gw_catch_free(out);
    return bad(why, why_cap, path, what);
}

bool gw_found_load(gw_catch *out, const gw_found_context *context, const char *path, char *why,
                   size_t why_cap)
{
    json_error_t error;
    *out = (gw_catch){0};
    json_t *root = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    if (root == NULL) {
        (void)snprintf(why, why_cap, "%s: line %d: %s", path, error.line, error.text);
        return false;
    }
    bool ok = gw_found_read(out, context, root, path, why, why_cap);
    json_decref(root);
    return ok;
}
