/* SPDX-License-Identifier: BSD-2-Clause */
/* Masters that do not wait as long as their path takes: they ask again while the answer is on its
 * way, and take whichever answer comes first, as they may. None of them is blamed for that. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "formats/etherbone/master/suite.h"
#include "formats/stand_testing.h"

#define TRIES 16
#define REQUESTS 6

/* How an eager master goes about it. */
typedef struct habit {
    int64_t patience_ns;
    uint32_t id;        /* of its first probe, ... */
    uint32_t step;      /* ... and by how much that of the next one differs */
    bool any_id;        /* it takes any id: its fault */
    bool over_and_over; /* where it would end it begins anew */
} habit;

typedef struct eager {
    const habit *habit;
    gw_peer_out *out;
    unsigned num_probes; /* of this conversation */
    uint32_t first_id;
    uint32_t next_id;
    unsigned task; /* that it works on, from 0 */
    unsigned tries;
    bool stream;
    bool working;
    bool done;
    int64_t deadline;
} eager;

static bool eager_init(void *state, const gw_peer_config *config, char *why, size_t why_cap)
{
    const habit *h = config->setup;
    (void)why;
    (void)why_cap;
    *(eager *)state = (eager){.habit = h, .next_id = h->id, .deadline = GW_PEER_NEVER};
    return true;
}

static void eager_probe(eager *m)
{
    uint8_t probe[8];
    if (m->num_probes == 0)
        m->first_id = m->next_id;
    m->num_probes++;
    gw_eb_build_probe(probe, false, 0x44, m->next_id);
    m->next_id += m->habit->step;
    m->out->send(m->out, 0, 0, probe, sizeof(probe));
}

/* Each task has a return address, the same for each try. */
static uint64_t return_address(const eager *m)
{
    return 0x8000 + 0x100 * (uint64_t)m->task;
}

static void eager_ask(eager *m)
{
    uint8_t packet[64];
    const uint64_t reads[2] = {0x100 + 8 * (uint64_t)m->task, 0x104 + 8 * (uint64_t)m->task};
    gw_eb_builder b;
    gw_eb_operation op = {.flags = GW_EB_BCA | GW_EB_RFF | GW_EB_CYC,
                          .byte_enable = 0x0f,
                          .reads = reads,
                          .num_reads = 2,
                          .return_base = return_address(m)};
    m->tries++;
    assert_true(m->stream ? gw_eb_build_records(&b, packet, sizeof(packet), 0x44, NULL)
                          : gw_eb_build_packet(&b, packet, sizeof(packet), 0x44, NULL));
    assert_true(gw_eb_build_record(&b, &op));
    m->out->send(m->out, 0, 0, packet, gw_eb_build_end(&b, false));
}

static void eager_go_on(eager *m)
{
    m->tries = 0;
    if (m->task < REQUESTS) {
        eager_ask(m);
        return;
    }
    m->done = !m->habit->over_and_over;
    m->working = false;
    m->num_probes = m->task = 0;
    if (!m->done)
        eager_probe(m);
    else if (m->stream)
        m->out->close(m->out, 0, 0);
}

/* Whether |id| is that of any probe of this conversation. */
static bool is_own(const eager *m, uint32_t id)
{
    bool own = m->habit->any_id;
    for (unsigned i = 0; i < m->num_probes; i++)
        own = own || m->first_id + i * m->habit->step == id;
    return own;
}

/* Whether |packet| brings both words to where the task wants them. */
static bool answers(const eager *m, const gw_message *packet)
{
    gw_eb_reader r;
    gw_eb_record record;
    bool found = false;
    if (!gw_eb_open(&r, packet, NULL))
        return false;
    while (gw_eb_next(&r, &record))
        found = found || (record.wcount == 2 && record.write_base == return_address(m) &&
                          (record.flags & (GW_EB_WCA | GW_EB_WFF)) == (GW_EB_WCA | GW_EB_WFF));
    return found;
}

static void eager_hear(eager *m, const gw_peer_event *event)
{
    gw_message packet = gw_message_of(event->data, event->len);
    bool probe = event->len == 8 && gw_load_be16(event->data) == GW_EB_MAGIC &&
                 (event->data[2] & GW_EB_PR) != 0;
    if (m->stream && m->working) {
        packet.transport = GW_OVER_TCP;
        packet.part = GW_EB_RECORD;
        packet.part_arg = 0x44;
    }
    if (!m->working && probe && is_own(m, gw_load_be32(event->data + 4))) {
        m->working = true;
        eager_go_on(m);
    } else if (m->working && !probe && answers(m, &packet)) {
        m->task++;
        eager_go_on(m);
    } else {
        return; /* it goes on waiting */
    }
    m->deadline = GW_PEER_NEVER;
}

static void eager_ask_again(eager *m)
{
    if (!m->working && m->num_probes < TRIES)
        eager_probe(m);
    else if (m->working && m->tries < TRIES)
        eager_ask(m);
    else
        m->done = true;
}

static int64_t eager_step(void *state, const gw_peer_event *event, int64_t now_ns, gw_peer_out *out)
{
    eager *m = state;
    m->out = out;
    if (event->conn != 0 || m->done)
        return GW_PEER_NEVER;
    bool due = event->kind == GW_PEER_TIMER && now_ns >= m->deadline;
    if (event->kind == GW_PEER_OPEN) {
        m->stream = event->stream;
        eager_probe(m);
        m->deadline = GW_PEER_NEVER;
    } else if (event->kind == GW_PEER_BYTES) {
        eager_hear(m, event);
    } else if (due) {
        eager_ask_again(m);
        m->deadline = GW_PEER_NEVER;
    }
    if (m->done)
        return GW_PEER_NEVER;
    if (m->deadline == GW_PEER_NEVER && !m->stream)
        m->deadline = now_ns + m->habit->patience_ns;
    return m->deadline;
}

static bool eager_done(const void *state)
{
    return ((const eager *)state)->done;
}

static void eager_fini(void *state)
{
    (void)state;
}

static const char *const links[] = {"bus", NULL};
static const gw_board eager_board = {.role = "etherbone-master",
                                     .links = links,
                                     .format = &gw_etherbone,
                                     .calls_us = true,
                                     .size = sizeof(eager),
                                     .init = eager_init,
                                     .step = eager_step,
                                     .done = eager_done,
                                     .fini = eager_fini};

static void judge(stand *s, const habit *how, int64_t trip_ns)
{
    /* Each of its requests is one record, and a cycle. */
    gw_board_file file = *gw_builtin_board("etherbone-master");
    file.claims.long_cycles = GW_CLAIM_NO;
    *s = (stand){.target = {.fresh = !how->over_and_over, .near = trip_ns == 0},
                 .board = &eager_board,
                 .config = {.setup = (void *)how},
                 .path = {.delay_ns = trip_ns / 2},
                 .file = &file};
    stand_judge(s, &gw_eb_m_suite, false);
    s->file = NULL;
}

typedef struct style {
    uint32_t id;
    uint32_t step;
} style;

/* Ids that count up or down, the same one for each probe, and such as look random. */
static const style styles[] = {{2, 1}, {3, UINT32_MAX}, {7, 0}, {0x12345678, 0x9e3779b9}};

static void expect_no_blame(const stand *s, const char *what)
{
    for (size_t i = 0; i < s->run.num_results; i++) {
        const gw_result *r = &s->run.results[i];
        if (r->verdict == GW_FAIL || r->verdict == GW_WARN || r->verdict == GW_ERROR)
            fail_msg("%s: %s %s: %s", what, gw_verdict_name(r->verdict), r->which->id, r->text);
    }
}

static void judge_all(unsigned trip_ms, unsigned patience_ms)
{
    for (unsigned n = 0; n < 2 * GW_ARRAY_LEN(styles); n++) {
        const style *ids = &styles[n / 2];
        bool over_and_over = n % 2 != 0;
        habit how = {.patience_ns = patience_ms * GW_MS,
                     .id = ids->id,
                     .step = ids->step,
                     .over_and_over = over_and_over};
        char what[128];
        stand s;
        (void)snprintf(what, sizeof(what), "%u ms there and back, asks again after %u, ids %u%s",
                       trip_ms, patience_ms, n / 2, over_and_over ? ", over and over" : "");
        judge(&s, &how, trip_ms * GW_MS);
        expect_no_blame(&s, what);
        if (trip_ms == 0)
            stand_expect(&s, "eb-m/probe-id", GW_PASS, "");
        stand_leave(&s);
    }
}

static void test_asking_again_is_no_fault(void **state)
{
    static const unsigned trips_ms[] = {0, 1, 20, 100, 150, 250, 400, 500, 700, 900, 1100, 2000};
    static const unsigned patiences_ms[] = {100, 200, 300, 500, 1000};
    (void)state;
    for (unsigned i = 0; i < GW_ARRAY_LEN(trips_ms); i++)
        for (unsigned k = 0; k < GW_ARRAY_LEN(patiences_ms); k++)
            judge_all(trips_ms[i], patiences_ms[k]);
}

/* Whoever takes any id is found out over the same paths, unless nobody can know. */
static void test_taking_any_id_is_one(void **state)
{
    static const unsigned trips_ms[] = {0, 20, 100, 250, 500, 900, 2000};
    (void)state;
    for (unsigned i = 0; i < GW_ARRAY_LEN(trips_ms); i++) {
        habit how = {.patience_ns = 200 * GW_MS, .id = 2, .step = 1, .any_id = true};
        bool known = trips_ms[i] < 1000;
        stand s;
        judge(&s, &how, trips_ms[i] * GW_MS);
        stand_expect(&s, "eb-m/probe-id", known ? GW_FAIL : GW_INCONC,
                     known ? "another id: the master went on at once" : "later than is waited");
        stand_leave(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_asking_again_is_no_fault),
        cmocka_unit_test(test_taking_any_id_is_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
