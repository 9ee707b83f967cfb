/* SPDX-License-Identifier: BSD-2-Clause */
/* measure.json: how fast a board was seen to be, for programs. */
#include "report/forms.h"
#include "report/report_speed.h"

#define ETHERNET "Ethernet frames with their check sequence"

const char *gw_speed_quantity(gw_quantity quantity)
{
    static const char *const names[] = {"ns",       "bytes/s", "requests/s",
                                        "permille", "bits/s",  "bytes"};
    return names[quantity];
}

static json_t *spread_object(const gw_spread *s)
{
    if (s->num == 0)
        return json_null();
    return json_pack("{s:I,s:I,s:I,s:I,s:I,s:I}", "samples", (json_int_t)s->num, "min_ns",
                     (json_int_t)s->min_ns, "p50_ns", (json_int_t)s->p50_ns, "p90_ns",
                     (json_int_t)s->p90_ns, "p99_ns", (json_int_t)s->p99_ns, "max_ns",
                     (json_int_t)s->max_ns);
}

static json_t *rate_object(const gw_rate *r, uint32_t size)
{
    if (r->num == 0)
        return json_null();
    return json_pack("{s:I,s:I,s:I,s:I,s:I,s:I}", "at_a_time", (json_int_t)r->depth, "requests",
                     (json_int_t)r->num, "lost", (json_int_t)r->lost, "time_ns",
                     (json_int_t)r->time_ns, "requests_per_s", (json_int_t)gw_rate_requests(r),
                     "bytes_per_s", (json_int_t)gw_rate_bytes(r, size));
}

static json_t *messages_object(unsigned messages, uint32_t bytes)
{
    return json_pack("{s:I,s:I}", "messages", (json_int_t)messages, "bytes", (json_int_t)bytes);
}

static json_t *point_object(const gw_speed *speed, const gw_speed_point *p)
{
    if (p->why[0] != '\0')
        return json_pack("{s:I,s:o}", "size", (json_int_t)p->size, "why",
                         gw_form_text_or_null(p->why));
    unsigned efficiency = gw_speed_efficiency(p, speed->loads->beneath, speed->stream);
    return json_pack("{s:I,s:n,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o}", "size", (json_int_t)p->size,
                     "why", "request", messages_object(p->request_messages, p->request_bytes),
                     "answer", messages_object(p->answer_messages, p->answer_bytes),
                     "efficiency_permille", efficiency > 0 ? json_integer(efficiency) : json_null(),
                     "response", spread_object(&p->response), "one", rate_object(&p->one, p->size),
                     "several", rate_object(&p->several, p->size), "several_why",
                     gw_form_text_or_null(p->several_why), "floor", spread_object(&p->floor),
                     "floor_rate", rate_object(&p->floor_rate, p->size));
}

static json_t *loads_array(const gw_speed *speed)
{
    json_t *loads = json_array();
    for (size_t i = 0; speed->num > 0 && i < speed->loads->num_loads; i++) {
        const gw_load *load = &speed->loads->loads[i];
        json_t *sizes = json_array();
        for (unsigned k = 0; k < speed->num; k++)
            if (speed->points[k].load == load)
                json_array_append_new(sizes, point_object(speed, &speed->points[k]));
        json_array_append_new(loads, json_pack("{s:s,s:s,s:s,s:I,s:o}", "id", load->id, "title",
                                               load->title, "payload_in",
                                               load->back ? "answer" : "request", "at_a_time",
                                               (json_int_t)load->depth, "sizes", sizes));
    }
    return loads;
}

static json_t *printed_array(const gw_loads *loads)
{
    json_t *array = json_array();
    for (size_t i = 0; loads != NULL && i < loads->num_printed; i++) {
        const gw_printed *p = &loads->printed[i];
        json_array_append_new(
            array, json_pack("{s:s,s:I,s:o,s:s,s:s,s:o,s:I,s:b}", "quantity",
                             gw_speed_quantity(p->quantity), "value", (json_int_t)p->value, "size",
                             p->size > 0 ? json_integer(p->size) : json_null(), "what", p->what,
                             "where", p->where, "load", gw_form_text_or_null(p->load), "times",
                             (json_int_t)(p->times > 0 ? p->times : 1), "aside", p->aside));
    }
    return array;
}

json_t *gw_report_speed_json(const gw_report *report)
{
    const gw_speed *speed = report->speed;
    const gw_suite *suite = report->setup->suite;
    uint64_t hz = report->setup->target->clock_hz;
    const gw_beneath *beneath = speed->loads != NULL ? speed->loads->beneath : NULL;
    return json_pack("{s:s,s:s,s:s,s:o,s:b,s:o,s:I,s:I,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o}", "schema",
                     GW_REPORT_SPEED_SCHEMA, "role", suite->role, "format", suite->format->name,
                     "board", gw_form_text_or_null(report->where), "simulated", speed->simulated,
                     "clock_hz", speed->simulated ? json_integer((json_int_t)hz) : json_null(),
                     "budget_ns", (json_int_t)speed->budget_ns, "took_ns",
                     (json_int_t)speed->took_ns, "why", gw_form_text_or_null(speed->why),
                     "lost_after_ns",
                     speed->patience_ns > 0 ? json_integer(speed->patience_ns) : json_null(),
                     "floor_why", gw_form_text_or_null(speed->floor_why), "payload_of",
                     gw_form_text_or_null(beneath != NULL ? beneath->what : ETHERNET), "loads",
                     loads_array(speed), "document",
                     gw_form_text_or_null(speed->loads != NULL ? speed->loads->document : NULL),
                     "printed", printed_array(speed->loads), "not_printed",
                     gw_form_text_or_null(speed->loads != NULL ? speed->loads->silent : NULL));
}
