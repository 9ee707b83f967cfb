/* SPDX-License-Identifier: BSD-2-Clause */
/* Answers are paired as the format pairs them, where it travels in datagrams, and otherwise by
 * there being nothing else that could have been answered. */
#include "campaign/answers.h"

#include <stdlib.h>
#include <string.h>

#include "evidence/packet_message.h"

#define LINES 64u /* connections of one batch that are told apart */
#define STATE_BYTES ((size_t)64 << 10)

/* What is outstanding on a connection. */
typedef struct waiting {
    uint16_t line;
    bool used;
    unsigned num;
    unsigned last; /* number of the last packet, and ... */
    int64_t at_ns; /* ... when that was sent */
} waiting;

struct gw_answers {
    const gw_format *format;
    const gw_dialect *dialect;
    void *state; /* of the format's session; NULL: it has none */
    size_t state_size;
    uint8_t answered[GW_EVIDENCE_MAX_PACKETS / 8 + 1];
};

gw_answers *gw_answers_new(const gw_format *format, const gw_dialect *dialect)
{
    gw_answers *a = calloc(1, sizeof(*a));
    if (a == NULL)
        return NULL;
    a->format = format;
    a->dialect = dialect;
    if (format->session == NULL)
        return a;
    a->state_size =
        format->session->min_size > STATE_BYTES ? format->session->min_size : STATE_BYTES;
    a->state = malloc(a->state_size);
    if (a->state != NULL)
        return a;
    free(a);
    return NULL;
}

void gw_answers_free(gw_answers *a)
{
    if (a == NULL)
        return;
    free(a->state);
    free(a);
}

static void settle(gw_answers *a, uint64_t number)
{
    if (number <= GW_EVIDENCE_MAX_PACKETS)
        a->answered[number / 8] |= (uint8_t)(1u << number % 8);
}

bool gw_answers_has(const gw_answers *a, unsigned number)
{
    return number <= GW_EVIDENCE_MAX_PACKETS && (a->answered[number / 8] >> number % 8 & 1) != 0;
}

/* ---- by what is outstanding ---- */

static waiting *waiting_on(waiting lines[LINES], uint16_t line)
{
    waiting *w = &lines[line % LINES];
    if (!w->used || w->line != line)
        *w = (waiting){.line = line, .used = true};
    return w;
}

static void read_line(gw_answers *a, waiting lines[LINES], const gw_evidence_packet *p,
                      unsigned number, int64_t lag_ns)
{
    waiting *w = waiting_on(lines, p->line);
    if (p->kind == GW_EVIDENCE_OPEN || p->kind == GW_EVIDENCE_CLOSE)
        w->num = 0;
    if (p->kind != GW_EVIDENCE_BYTES || p->regs)
        return;
    if (p->dir == GW_DIR_OUT) {
        bool late = p->time_ns - w->at_ns > lag_ns;
        w->num = late ? 1 : w->num + 1;
        w->last = number;
        w->at_ns = p->time_ns;
    } else {
        if (w->num == 1)
            settle(a, w->last);
        w->num -= w->num > 0;
    }
}

/* ---- by the format's session ---- */

typedef struct listener {
    gw_verdict_sink sink;
    gw_answers *a;
} listener;

static void on_finding(gw_verdict_sink *sink, const gw_finding *finding)
{
    (void)sink;
    (void)finding;
}

static void on_relation(gw_verdict_sink *sink, const gw_relation *relation)
{
    const listener *l = (listener *)sink;
    if (relation->kind == GW_ANSWERS && !relation->ambiguous)
        settle(l->a, relation->request);
}

static void feed(gw_answers *a, const gw_evidence *evidence, const gw_evidence_packet *p,
                 unsigned number)
{
    gw_message m;
    listener l = {.sink = {.finding = on_finding, .relation = on_relation}, .a = a};
    if (!p->regs && !p->stream && gw_evidence_message(&m, evidence, number, a->format))
        a->format->session->feed(a->state, &m, a->dialect, &l.sink);
}

void gw_answers_read(gw_answers *a, const gw_evidence *evidence, int64_t lag_ns)
{
    waiting lines[LINES] = {{0}};
    bool pairs = a->state != NULL && a->format->session->init(a->state, a->state_size, lag_ns);
    memset(a->answered, 0, sizeof(a->answered));
    for (unsigned n = 1; n <= evidence->num_packets; n++) {
        const gw_evidence_packet *p = gw_evidence_get(evidence, n);
        read_line(a, lines, p, n, lag_ns);
        if (pairs)
            feed(a, evidence, p, n);
    }
}
