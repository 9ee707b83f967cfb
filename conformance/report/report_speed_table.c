/* SPDX-License-Identifier: BSD-2-Clause */
/* How fast a board was seen to be, as lines of text. */
#include <inttypes.h>

#include "evidence/clean.h"
#include "harness/times.h"
#include "report/report_speed.h"

static void put_rate(FILE *file, const gw_rate *rate, uint32_t size)
{
    double requests = (double)gw_rate_requests(rate);
    double bytes = (double)gw_rate_bytes(rate, size);
    const char *prefix = gw_speed_unit(&requests);
    fprintf(file, "%6.3g %1s/s", requests, prefix);
    prefix = gw_speed_unit(&bytes);
    fprintf(file, " %6.3g %1sB/s", bytes, prefix);
}

static void put_lost(FILE *file, const gw_rate *rate)
{
    if (rate->lost > 0)
        fprintf(file, " (%u lost)", rate->lost);
}

static void put_point(FILE *file, const gw_speed_point *p)
{
    char text[24];
    fprintf(file, "  %-10s %8" PRIu32 " B ", p->load->id, p->size);
    if (p->why[0] != '\0') {
        fputs(" no number: ", file);
        gw_put_plain(file, p->why);
        fputc('\n', file);
        return;
    }
    fprintf(file, "%8s", gw_times_text(text, sizeof(text), p->response.p50_ns));
    fprintf(file, " %8s", gw_times_text(text, sizeof(text), p->response.p90_ns));
    fprintf(file, " %8s", gw_times_text(text, sizeof(text), p->response.p99_ns));
    fprintf(file, " %8s", gw_times_text(text, sizeof(text), p->response.max_ns));
    fprintf(file, " %7u ", p->response.num);
    put_rate(file, &p->one, p->size);
    put_lost(file, &p->one);
    if (p->several.num > 0) {
        fprintf(file, "  %u at a time:", p->several.depth);
        put_rate(file, &p->several, p->size);
        put_lost(file, &p->several);
    }
    if (p->floor.num > 0)
        fprintf(file, "  itself %s", gw_times_text(text, sizeof(text), p->floor.p50_ns));
    fputc('\n', file);
}

void gw_report_speed_table(FILE *file, const gw_report *report)
{
    const gw_speed *speed = report->speed;
    if (speed->why[0] != '\0') {
        fputs("not measured: ", file);
        gw_put_plain(file, speed->why);
        fputc('\n', file);
        return;
    }
    fprintf(file, "measured, for information:%s      50 %%     90 %%     99 %%     most samples\n",
            "");
    for (unsigned i = 0; i < speed->num; i++)
        put_point(file, &speed->points[i]);
}
