/* SPDX-License-Identifier: BSD-2-Clause */
/* findings.json: every finding as its own file tells it, and what is known of it. */
#include "harvest/harvest.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "campaign/found.h"
#include "evidence/quote.h"
#include "harvest/words.h"
#include "report/forms.h"
#include "report/report.h"

#define SECONDS(ns) ((double)(ns) / (double)GW_SECOND)
#define FINDINGS_MAX 4096u /* that are told */

/* ---- the campaign ---- */

static json_t *samples_array(const gw_history *h)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < h->num_samples; i++)
        json_array_append_new(list, json_pack("{s:f,s:I}", "at_s", SECONDS(h->samples[i].at_ns),
                                              "packets", (json_int_t)h->samples[i].packets));
    return list;
}

static json_t *events_array(const gw_history *h)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < h->num_events; i++) {
        const gw_event *e = &h->events[i];
        json_array_append_new(list, json_pack("{s:f,s:I,s:s,s:s,s:o}", "at_s", SECONDS(e->at_ns),
                                              "packets", (json_int_t)e->packets, "kind",
                                              gw_event_kind_name((gw_event_kind)e->kind), "symptom",
                                              gw_symptom_name((gw_symptom)e->symptom), "text",
                                              gw_form_text(e->text)));
    }
    return list;
}

json_t *gw_harvest_campaign(const gw_campaign_report *r, const gw_history *history, uint64_t seed)
{
    return json_pack("{s:I,s:f,s:I,s:I,s:I,s:I,s:I,s:i,s:i,s:i,s:i,s:i,s:f,s:o,s:o,s:i}", "seed",
                     (json_int_t)seed, "elapsed_s", SECONDS(r->elapsed_ns), "packets",
                     (json_int_t)r->packets, "mutated", (json_int_t)r->mutated, "fenced",
                     (json_int_t)r->fenced, "batches", (json_int_t)r->batches, "altered",
                     (json_int_t)r->altered, "unconfirmed", (int)r->unconfirmed, "excused",
                     (int)r->excused, "left_open", (int)r->left_open, "recoveries",
                     (int)r->recoveries, "outages", (int)r->outages, "model_percent", r->covered,
                     "samples", samples_array(history), "events", events_array(history),
                     "events_left_out", (int)history->left_out);
}

static json_t *load(const char *dir, const char *name)
{
    char path[PATH_MAX];
    if (snprintf(path, sizeof(path), "%s/%s", dir, name) >= (int)sizeof(path))
        return NULL;
    return json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
}

json_t *gw_harvest_earlier(const char *dir, json_t *marks)
{
    size_t i;
    json_t *one;
    json_t *old = load(dir, GW_HARVEST_FILE);
    json_t *campaign = json_incref(json_object_get(old, "campaign"));
    json_array_foreach(json_object_get(old, "findings"), i, one)
    {
        const char *name = gw_word(one, "name");
        if (name[0] != '\0')
            (void)json_object_set(marks, name, json_object_get(one, "status"));
    }
    json_decref(old);
    return campaign;
}

/* ---- the findings ---- */

static const char *status_of(const gw_harvest *h, const char *name)
{
    const char *mark = json_string_value(json_object_get(h->marks, name));
    return mark != NULL ? mark : GW_HARVEST_NOT_SEEN;
}

/* The line that brings it about again. */
static json_t *rerun_of(const gw_harvest *h, const char *name)
{
    char line[PATH_MAX + 256];
    gw_text text = gw_text_over(line, sizeof(line));
    gw_text_str(&text, "goldwire triage");
    gw_quote(&text, "", h->dir);
    gw_quote(&text, "--finding ", name);
    return gw_form_text(line);
}

/* Findings of the folder, sorted by name. */
static void add_folder(json_t *list, const gw_harvest *h)
{
    char path[PATH_MAX];
    struct dirent **names;
    (void)snprintf(path, sizeof(path), "%s/" GW_FOUND_FOLDER, h->dir);
    int num = scandir(path, &names, NULL, alphasort);
    for (int i = 0; i < num; i++) {
        const char *name = names[i]->d_name;
        char file[PATH_MAX];
        char capture[PATH_MAX];
        (void)snprintf(file, sizeof(file), GW_FOUND_FOLDER "/%s/" GW_FOUND_FILE, name);
        (void)snprintf(capture, sizeof(capture), GW_FOUND_FOLDER "/%s/" GW_FOUND_CAPTURE, name);
        json_t *one =
            name[0] != '.' && json_array_size(list) < FINDINGS_MAX ? load(h->dir, file) : NULL;
        if (json_is_object(one)) {
            json_object_set_new(one, "status", json_string(status_of(h, name)));
            json_object_set_new(one, "rerun", rerun_of(h, name));
            json_object_set_new(one, "evidence", gw_form_text(capture));
            json_array_append(list, one);
        }
        json_decref(one);
        free(names[i]);
    }
    if (num >= 0)
        free(names);
}

static bool holds(const json_t *list, const char *name)
{
    size_t i;
    const json_t *one;
    json_array_foreach(list, i, one) if (gw_word_is(one, "name", name)) return true;
    return false;
}

/* What only the baseline knows. */
static void add_baseline(json_t *list, const gw_harvest *h)
{
    size_t i;
    const json_t *one;
    json_array_foreach(json_object_get(h->baseline, "findings"), i, one)
    {
        const char *name = gw_word(one, "name");
        if (name[0] == '\0' || gw_baseline_find(h->baseline, name) == NULL || holds(list, name) ||
            json_array_size(list) >= FINDINGS_MAX)
            continue;
        json_t *copy = json_deep_copy(one);
        json_object_set_new(copy, "status", json_string(status_of(h, name)));
        json_object_set_new(copy, "rerun", json_null());
        json_object_set_new(copy, "evidence", json_null());
        json_array_append_new(list, copy);
    }
}

static int count(const json_t *list, const char *status)
{
    size_t i;
    const json_t *one;
    int num = 0;
    json_array_foreach(list, i, one) num += gw_word_is(one, "status", status);
    return num;
}

json_t *gw_harvest_json(const gw_harvest *h)
{
    const gw_found_context *c = h->context;
    char started[32];
    json_t *list = json_array();
    add_folder(list, h);
    add_baseline(list, h);
    return json_pack(
        "{s:s,s:{s:s,s:s},s:s,s:s,s:f,s:s,s:s,s:s,s:o,s:s,s:i,s:o,s:{s:i,s:i,s:i,s:i},s:O?,s:o}",
        "schema", GW_HARVEST_SCHEMA, "tool", "name", "goldwire", "version", GW_VERSION, "by", h->by,
        "started", gw_report_time(h->started_ns, started, sizeof(started)), "duration_s",
        SECONDS(h->duration_ns), "role", c->suite->role, "format", c->suite->format->name,
        "dialect", c->dialect != NULL ? c->dialect->name : "strict", "board", gw_form_text(c->call),
        "mode", h->mode, "exit_code", h->exit_code, "lost", gw_form_text(h->lost), "counts", "new",
        count(list, GW_HARVEST_NEW), "known", count(list, GW_HARVEST_KNOWN), "not_seen",
        count(list, GW_HARVEST_NOT_SEEN), "gone", count(list, GW_HARVEST_GONE), "campaign",
        h->campaign, "findings", list);
}

/* ---- a baseline ---- */

json_t *gw_baseline_load(const char *path, const char *role, char *why, size_t why_cap)
{
    json_error_t error;
    json_t *root = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    const char *what = root == NULL ? (access(path, R_OK) != 0 ? strerror(errno) : error.text)
                       : !gw_word_is(root, "schema", GW_HARVEST_SCHEMA)
                           ? "is no findings.json of this version of goldwire"
                       : !gw_word_is(root, "role", role) ? "is of a board of another role"
                                                         : NULL;
    if (what == NULL)
        return root;
    (void)snprintf(why, why_cap, "%s: %s", path, what);
    json_decref(root);
    return NULL;
}

const json_t *gw_baseline_find(const json_t *baseline, const char *name)
{
    size_t i;
    const json_t *one;
    json_array_foreach(json_object_get(baseline, "findings"), i, one)
    {
        if (gw_word_is(one, "name", name) && !gw_word_is(one, "status", GW_HARVEST_GONE))
            return one;
    }
    return NULL;
}
