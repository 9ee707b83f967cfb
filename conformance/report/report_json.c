/* SPDX-License-Identifier: BSD-2-Clause */
/* run.json: everything that the other reports say, for programs. docs/run.schema.json describes it.
 */
#include <inttypes.h>
#include <string.h>

#include "report/forms.h"
#include "report/report.h"
#include "report/signals.h"

/* Numbers of more than 53 bits do not survive every reader, so 64-bit values are text. */
static json_t *hex_number(uint64_t value)
{
    return json_sprintf("0x%" PRIx64, value);
}

static json_t *seconds(int64_t ns)
{
    return json_real((double)ns / (double)GW_SECOND);
}

static json_t *rule_object(const gw_format *format, const char *id)
{
    const gw_rule *rule = gw_format_rule(format, id);
    if (rule == NULL)
        return json_pack("{s:s}", "id", id);
    return json_pack("{s:s,s:s,s:s,s:s}", "id", rule->id, "level",
                     gw_level_name((gw_level)rule->level), "clause",
                     gw_clause_of(format, rule->clause).text, "text", rule->text);
}

static json_t *excerpt_object(const gw_excerpt *e)
{
    gw_excerpt whole = *e;
    char hex[2 * GW_RESULT_BYTES + 1];
    if (e->len == 0)
        return json_null();
    whole.len = whole.kept; /* digits only: the length is told beside them */
    return json_pack("{s:s,s:i,s:o}", "bytes", gw_report_hex(&whole, hex, sizeof(hex)), "len",
                     (int)e->len, "summary", gw_form_text_or_null(e->what));
}

static json_t *difference_object(const gw_format *format, const gw_result *r)
{
    if (r->rule == NULL)
        return json_null();
    return json_pack(
        "{s:s,s:s,s:o,s:i,s:i,s:o,s:o}", "rule", r->rule->id, "clause",
        gw_clause_of(format, r->field != NULL ? r->field->clause : r->rule->clause).text, "field",
        r->field != NULL ? gw_form_text(r->field->name) : json_null(), "offset", (int)r->offset,
        "packet", (int)r->packet, "expected",
        r->field != NULL ? hex_number(r->expected) : json_null(), "got",
        r->field != NULL ? hex_number(r->got) : json_null());
}

static json_t *notes_array(const char *notes)
{
    json_t *list = json_array();
    while (*notes != '\0') {
        char line[sizeof(((gw_result *)NULL)->notes)];
        size_t len = strcspn(notes, "\n");
        (void)snprintf(line, sizeof(line), "%.*s", (int)len, notes);
        json_array_append_new(list, gw_form_text(line));
        notes += len + (notes[len] == '\n');
    }
    return list;
}

static json_t *waiver_object(const gw_waiver *w, bool expired)
{
    if (w == NULL)
        return json_null();
    return json_pack("{s:o,s:o,s:o,s:o,s:o,s:s,s:b}", "owner", gw_form_text(w->owner), "ticket",
                     gw_form_text(w->ticket), "reason", gw_form_text(w->reason), "text",
                     gw_form_text(w->text), "firmware", gw_form_text_or_null(w->firmware),
                     "expires", w->expires, "expired", expired);
}

static json_t *claim_value(const gw_claim_field *field, uint32_t value)
{
    if (value == 0)
        return json_null();
    if (field->kind == GW_CLAIM_FLAG)
        return json_boolean(value == GW_CLAIM_YES);
    if (field->kind != GW_CLAIM_WIDTHS)
        return json_integer(value);
    json_t *widths = json_array();
    for (unsigned bits = 8; bits <= 64; bits *= 2)
        if ((value & (bits / 8)) != 0)
            json_array_append_new(widths, json_integer(bits));
    return widths;
}

static json_t *claims_array(const gw_run *run)
{
    json_t *list = json_array();
    for (size_t i = 0; i < run->num_claims; i++) {
        const gw_claim_check *c = &run->claims[i];
        json_array_append_new(list, json_pack("{s:s,s:o,s:o,s:o,s:s}", "claim", c->field->name,
                                              "claimed", claim_value(c->field, c->claimed), "shown",
                                              claim_value(c->field, c->shown), "used",
                                              claim_value(c->field, c->used), "verdict",
                                              gw_claim_verdict_name((gw_claim_verdict)c->verdict)));
    }
    return list;
}

static json_t *trace_object(const gw_report *report, const gw_result *r)
{
    for (size_t i = 0; i < report->num_traces; i++) {
        const gw_kept_trace *t = &report->traces[i];
        if (t->one == r->which)
            return json_pack("{s:s,s:s}", "path", t->path, "sha256", t->sha256);
    }
    return json_null();
}

static json_t *when_object(const gw_target *target, int64_t at_ns)
{
    gw_sim_wave wave;
    json_t *object = json_pack("{s:I,s:I}", "ns", (json_int_t)at_ns, "cycle",
                               (json_int_t)gw_target_cycle(target, at_ns));
    if (target->sim != NULL && gw_sim_wave_at(target->sim, at_ns, &wave))
        json_object_set_new(
            object, "waves",
            json_pack("{s:o,s:I}", "path", gw_form_text(wave.path), "ns", (json_int_t)wave.at_ns));
    return object;
}

static json_t *case_object(const gw_report *report, const gw_result *r)
{
    const gw_format *format = report->setup->suite->format;
    json_t *rules = json_array();
    for (const char *const *id = r->which->rules; *id != NULL; id++)
        json_array_append_new(rules, rule_object(format, *id));
    json_t *object = json_pack(
        "{s:s,s:s,s:o,s:s,s:o,s:o,s:o,s:o,s:o,s:i,s:i,s:b,s:o,s:o,s:i,s:o,s:o,s:o}", "id",
        r->which->id, "title", r->which->title, "rules", rules, "verdict",
        gw_verdict_name(r->verdict), "text", gw_form_text(r->text), "difference",
        difference_object(format, r), "sent", excerpt_object(&r->sent), "received",
        excerpt_object(&r->received), "notes", notes_array(r->notes), "attempts", (int)r->attempts,
        "failures", (int)r->failures, "repeated", r->repeated, "recovery",
        gw_form_text_or_null(r->recovery), "waiver", waiver_object(r->waiver, r->waiver_expired),
        "packets", (int)r->num_packets, "trace", trace_object(report, r), "evidence",
        gw_form_text_or_null(r->evidence), "duration_s", seconds(r->duration_ns));
    json_object_set_new(object, "start_s", seconds(r->start_ns));
    if (r->view != NULL)
        json_object_set_new(object, "signals", gw_signals_json(r->view, report->setup->target));
    if (r->at_ns > 0)
        json_object_set_new(object, "when", when_object(report->setup->target, r->at_ns));
    return object;
}

static json_t *board_object(const gw_report *report)
{
    const gw_board_file *board = report->setup->board;
    const gw_dialect *dialect = report->setup->dialect;
    return json_pack("{s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:s,s:o}", "url", gw_form_text(report->where),
                     "file", gw_form_text_or_null(report->board_path), "make",
                     gw_form_text_or_null(board->make), "serial",
                     gw_form_text_or_null(board->serial), "firmware",
                     gw_form_text_or_null(board->firmware), "firmware_sha256",
                     gw_form_text_or_null(board->firmware_sha256), "bitstream_sha256",
                     gw_form_text_or_null(board->bitstream_sha256), "dialect",
                     dialect != NULL ? dialect->name : "strict", "found",
                     gw_form_text_or_null(report->run->identity));
}

static json_t *counts_object(const gw_counts *counts)
{
    json_t *object = json_object();
    for (unsigned v = 0; v < GW_NUM_VERDICTS; v++)
        json_object_set_new(object, gw_verdict_name((gw_verdict)v), json_integer(counts->of[v]));
    return object;
}

static json_t *histogram(const gw_timing *t)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < GW_TIMING_BUCKETS; i++) {
        if (t->buckets[i] > 0)
            json_array_append_new(list, json_pack("{s:I,s:I}", "to_ns",
                                                  (json_int_t)gw_timing_bucket_end(i), "answers",
                                                  (json_int_t)t->buckets[i]));
    }
    return list;
}

static json_t *timings_array(const gw_timings *timings)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < timings->num; i++) {
        const gw_timing *t = &timings->kinds[i];
        json_array_append_new(list, json_pack("{s:o,s:I,s:I,s:I,s:I,s:I,s:o}", "request",
                                              gw_form_text(t->kind), "answers", (json_int_t)t->num,
                                              "min_ns", (json_int_t)t->min_ns, "p50_ns",
                                              (json_int_t)gw_timing_percentile(t, 50), "p99_ns",
                                              (json_int_t)gw_timing_percentile(t, 99), "max_ns",
                                              (json_int_t)t->max_ns, "histogram", histogram(t)));
    }
    return list;
}

/* Each round trip that was kept, null where nothing came back. */
static json_t *samples_array(const gw_path_stats *path)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < path->num_samples; i++) {
        const gw_path_sample *s = &path->samples[i];
        bool lost = s->rtt_ns == GW_PATH_LOST;
        json_array_append_new(list,
                              json_pack("{s:I,s:o}", "at_ns", (json_int_t)s->at_ns, "rtt_ns",
                                        lost ? json_null() : json_integer((json_int_t)s->rtt_ns)));
    }
    return list;
}

static json_t *path_object(const gw_path_stats *path)
{
    const gw_timing *t = &path->rtt;
    return json_pack(
        "{s:i,s:i,s:i,s:i,s:i,s:i,s:i,s:i,s:i,s:I,s:{s:i,s:I,s:I,s:I,s:I},s:o}", "probes",
        (int)path->probes, "lost", (int)path->lost, "pairs", (int)path->pairs, "overtaken",
        (int)path->overtaken, "repeated", (int)path->repeated, "irregular", (int)path->irregular,
        "asked_again", (int)path->asked_again, "damaged", (int)path->damaged, "outages",
        (int)path->outages, "longest_outage_ns", (json_int_t)path->longest_outage_ns, "round_trip",
        "answers", (int)t->num, "min_ns", (json_int_t)t->min_ns, "p50_ns",
        (json_int_t)gw_timing_percentile(t, 50), "p99_ns", (json_int_t)gw_timing_percentile(t, 99),
        "max_ns", (json_int_t)t->max_ns, "samples", samples_array(path));
}

static json_t *spent_object(const gw_run *run)
{
    const gw_spent *s = &run->spent;
    int64_t rest_ns = run->duration_ns - s->answers_ns - s->silence_ns - s->pauses_ns;
    return json_pack("{s:o,s:o,s:o,s:o}", "answers_s", seconds(s->answers_ns), "silence_s",
                     seconds(s->silence_ns), "pauses_s", seconds(s->pauses_ns), "rest_s",
                     seconds(rest_ns > 0 ? rest_ns : 0));
}

static json_t *run_object(const gw_report *report)
{
    const gw_run *run = report->run;
    const gw_run_setup *setup = report->setup;
    char started[32];
    json_t *cases = json_array();
    for (size_t i = 0; i < run->num_results; i++)
        json_array_append_new(cases, case_object(report, &run->results[i]));
    return json_pack("{s:s,s:{s:s,s:s},s:s,s:o,s:I,s:s,s:s,s:o,s:o,s:o,s:s,s:s,s:i,s:b,s:o,s:o}",
                     "schema", GW_REPORT_SCHEMA, "tool", "name", "goldwire", "version", GW_VERSION,
                     "started", gw_report_time(run->started_ns, started, sizeof(started)),
                     "duration_s", seconds(run->duration_ns), "seed", (json_int_t)setup->seed,
                     "role", setup->suite->role, "format", setup->suite->format->name, "board",
                     board_object(report), "claims", claims_array(run), "selfproof",
                     report->proof != NULL ? gw_selfproof_json(report->proof) : json_null(),
                     "preflight", run->preflight, "outcome", gw_report_headline(report),
                     "exit_code", report->exit_code, "strict", report->strict, "counts",
                     counts_object(&run->counts), "cases", cases);
}

/* In virtual time no clock of this machine's counts: the same run gives the same bytes anywhere. */
static json_t *host_object(const gw_host *host)
{
    if (host->system[0] == '\0')
        return json_null();
    return json_pack("{s:o,s:o,s:o}", "system", gw_form_text(host->system), "clock",
                     gw_form_text_or_null(host->clock), "interface",
                     gw_form_text_or_null(host->interface));
}

static json_t *untried_array(const gw_run *run)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < run->counts.untried; i++)
        json_array_append_new(list, json_pack("{s:s,s:i}", "claim", run->untried[i].what, "cases",
                                              (int)run->untried[i].num_cases));
    return list;
}

json_t *gw_report_json(const gw_report *report)
{
    json_t *object = run_object(report);
    json_object_set_new(object, "call", gw_form_text(report->call));
    json_object_set_new(object, "signed_by", gw_form_text_or_null(report->signer));
    json_object_set_new(object, "operator", gw_form_text_or_null(report->operator_name));
    json_object_set_new(object, "host", host_object(&report->run->host));
    json_object_set_new(object, "interrupted", json_boolean(report->run->interrupted));
    json_object_set_new(object, "untried", untried_array(report->run));
    json_object_set_new(object, "virtual_time", json_boolean(report->virtual_time));
    json_object_set_new(object, "floor_ns", json_integer(report->run->floor_ns));
    json_object_set_new(object, "spent", spent_object(report->run));
    json_object_set_new(object, "pace", json_string(report->setup->spin ? "spin" : "sleep"));
    json_object_set_new(object, "timings", timings_array(&report->run->timings));
    json_object_set_new(object, "path", path_object(&report->run->path));
    return object;
}
