/* SPDX-License-Identifier: BSD-2-Clause */
/* What must hold of check and session whatever they are fed, and whatever the network did. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "etherbone/testing/conversation.h"
#include "goldwire/format.h"

/* xorshift64*: the same numbers every time */
static uint64_t seed_ = 0x9e3779b97f4a7c15;

static uint32_t random_below(uint32_t limit)
{
    seed_ ^= seed_ >> 12;
    seed_ ^= seed_ << 25;
    seed_ ^= seed_ >> 27;
    return (uint32_t)((seed_ * 0x2545f4914f6cdd1d) >> 32) % limit;
}

/* ---- lost, repeated, reordered: the same pairs ---- */

enum {
    ASKED = 40,
    COPIES = 3,
    EVENTS = ASKED * (1 + COPIES),
};

struct event {
    uint32_t when;
    bool is_reply;
    unsigned request;
};

static int by_time(const void *a, const void *b)
{
    const struct event *x = a, *y = b;
    return x->when < y->when ? -1 : x->when > y->when;
}

/* Requests at any time, replies after them, some lost, some repeated. Returns how many events. */
static unsigned make_events(struct event *events)
{
    unsigned num = 0;

    for (unsigned i = 0; i < ASKED; i++) {
        uint32_t asked = random_below(1000) * 256; /* no two events at one time */
        unsigned copies = random_below(COPIES + 1);
        if (random_below(8) > 0)
            events[num++] = (struct event){asked + i, false, i};
        for (unsigned c = 0; c < copies; c++)
            events[num++] = (struct event){asked + (1 + random_below(500)) * 256 + i, true, i};
    }
    qsort(events, num, sizeof events[0], by_time);
    return num;
}

/* What each reply is, by its definition. */
struct told {
    exchange_log log; /* first: the sink */
    struct {
        uint64_t request, response, earlier;
        uint8_t kind;
        bool ambiguous;
    } by_response[EVENTS + 1];
    unsigned unanswered;
};

static struct told told_;

static void note_relation(gw_verdict_sink *sink, const gw_relation *relation)
{
    (void)sink;
    if (relation->kind == GW_UNANSWERED) {
        told_.unanswered++;
        return;
    }
    assert_uint_in_range(relation->response, 1, EVENTS);
    assert_int_equal(told_.by_response[relation->response].response, 0); /* told once */
    told_.by_response[relation->response].request = relation->request;
    told_.by_response[relation->response].response = relation->response;
    told_.by_response[relation->response].earlier = relation->earlier;
    told_.by_response[relation->response].kind = relation->kind;
    told_.by_response[relation->response].ambiguous = relation->ambiguous;
}

static void play(const struct event *events, unsigned num)
{
    uint64_t asked[ASKED] = {0}, answered[ASKED] = {0};
    unsigned unanswered = 0;

    exchange_start();
    memset(&told_, 0, sizeof told_);
    exchange.log.sink.relation = note_relation;
    for (unsigned i = 0; i < num; i++) {
        unsigned request = events[i].request;
        uint64_t base = 0x8000 + 2 * request;
        if (!events[i].is_reply) {
            asked[request] = ask(base, 1);
            continue;
        }
        uint64_t frame = reply(base, 1);
        gw_relation_kind kind = asked[request] == 0      ? GW_UNSOLICITED
                                : answered[request] == 0 ? GW_ANSWERS
                                                         : GW_DUPLICATE;
        assert_int_equal(told_.by_response[frame].kind, kind);
        assert_int_equal(told_.by_response[frame].request, asked[request]);
        assert_int_equal(told_.by_response[frame].earlier,
                         kind == GW_DUPLICATE ? answered[request] : 0);
        assert_false(told_.by_response[frame].ambiguous);
        if (kind == GW_ANSWERS)
            answered[request] = frame;
    }
    exchange_stop();
    for (unsigned i = 0; i < ASKED; i++)
        unanswered += asked[i] != 0 && answered[i] == 0;
    assert_int_equal(told_.unanswered, unanswered);
}

static void test_loss_repetition_and_order_change_no_pair(void **state)
{
    struct event events[EVENTS];

    (void)state;
    for (unsigned round = 0; round < 300; round++)
        play(events, make_events(events));
}

/* ---- anything at all ---- */

/* Something like EtherBone, or nothing like it. Returns its length. */
static size_t any_bytes(uint8_t *out, size_t cap)
{
    static const uint8_t widths[] = {0x11, 0x14, 0x44, 0x44, 0x44, 0x88, 0x48, 0xff};
    gw_eb_operation ops[6];
    size_t len = random_below((uint32_t)cap);

    if (random_below(8) == 0) {
        for (size_t i = 0; i < len; i++)
            out[i] = (uint8_t)random_below(256);
        return len;
    }
    if (random_below(8) == 0) {
        gw_eb_build_probe(out, random_below(2) == 0, widths[random_below(8)], random_below(4));
        len = 8;
    } else {
        unsigned num = random_below(6) + 1;
        for (unsigned i = 0; i < num; i++) {
            uint64_t base = random_below(3) * 0x8000 + random_below(4);
            uint8_t flags = (uint8_t)random_below(256), n = (uint8_t)(1 + random_below(3));
            ops[i] = random_below(3) == 0   ? exchange_empty(flags)
                     : random_below(2) == 0 ? exchange_read(base, n, flags)
                                            : exchange_write(base, n, flags);
        }
        len = exchange_packet(out, cap, widths[random_below(7)], NULL, ops, num,
                              random_below(2) == 0);
    }
    for (unsigned i = random_below(4); i > 0 && len > 0; i--)
        out[random_below((uint32_t)len)] ^= (uint8_t)(1u << random_below(8));
    return len;
}

static gw_endpoint any_end(void)
{
    static const uint16_t ports[] = {CLIENT_PORT, CLIENT_PORT + 1, SERVICE_PORT, 1234};
    gw_endpoint end = exchange_end((uint8_t)(1 + random_below(3)), ports[random_below(4)]);

    if (random_below(16) == 0)
        memset(end.ip, 0xff, 4);
    if (random_below(16) == 0)
        memset(&end, 0, sizeof end);
    return end;
}

static int64_t any_time(int64_t now)
{
    switch (random_below(200)) {
    case 0:
        return INT64_MIN + (int64_t)random_below(1000);
    case 1:
        return INT64_MAX - (int64_t)random_below(1000);
    case 2:
        return 0;
    default:
        return (int64_t)((uint64_t)now + random_below(20) * (uint64_t)MS - 2 * (uint64_t)MS);
    }
}

struct watch {
    gw_verdict_sink sink;
    uint64_t frame; /* at hand */
    uint32_t len;   /* of its message */
    bool alone;     /* the one-message check is at work */
    uint64_t relations;
    uint64_t digest;
};

static void watch_finding(gw_verdict_sink *sink, const gw_finding *finding)
{
    struct watch *w = (struct watch *)sink;

    assert_non_null(finding->rule);
    assert_true(strlen(finding->text) > 10);
    assert_null(strchr(finding->text, '%'));
    assert_true(strlen(finding->text) < 199); /* not cut */
    assert_true(finding->frame <= w->frame);
    assert_int_equal(finding->revealed_by, w->frame);
    if (w->alone)
        assert_true(finding->offset <= w->len);
    w->digest = w->digest * 31 + finding->frame * 7 + finding->offset;
}

static void watch_relation(gw_verdict_sink *sink, const gw_relation *relation)
{
    struct watch *w = (struct watch *)sink;

    assert_true(relation->kind <= GW_UNTRACKED);
    assert_true(relation->request <= w->frame && relation->response <= w->frame);
    assert_true(relation->delta_ns >= 0);
    assert_true(relation->request != 0 || relation->response != 0);
    w->relations++;
    w->digest = w->digest * 31 + relation->request * 3 + relation->response + relation->kind;
}

enum {
    HOSTILE_CAP = 32 * 1024,
    HOSTILE_MESSAGES = 60000,
};

/* Feeds messages that are as long as their memory, so that a sanitizer sees every step beyond. */
static uint64_t feed_anything(uint64_t seed, uint8_t *memory)
{
    struct watch w = {.sink = {watch_finding, watch_relation}};
    uint8_t bytes[600];
    int64_t now = 0;

    seed_ = seed;
    assert_true(gw_eb_session.init(memory, HOSTILE_CAP, 100 * MS));
    for (w.frame = 1; w.frame <= HOSTILE_MESSAGES; w.frame++) {
        size_t len = any_bytes(bytes, sizeof bytes);
        size_t cap_len = random_below(4) == 0 ? random_below((uint32_t)len + 1) : len;
        uint8_t *exact = malloc(cap_len + 1); /* never NULL for 0 bytes */
        assert_non_null(exact);
        uint8_t *start = exact + 1; /* ends with the allocation, and is unaligned */
        memcpy(start, bytes, cap_len);

        gw_message m = exchange_message(start, len, any_end(), any_end());
        m.cap_len = (uint32_t)cap_len;
        m.frame = w.frame;
        m.time_ns = now = any_time(now);
        m.part = (uint8_t)random_below(GW_EB_BANNER + 1);
        if (random_below(2) == 0)
            m.part = GW_EB_PACKET;
        m.part_arg = random_below(256);
        m.transport = m.part == GW_EB_PACKET && random_below(4) > 0 ? GW_OVER_UDP : GW_OVER_TCP;
        m.stream = random_below(3);
        const gw_dialect *dialect =
            random_below(2) == 0
                ? NULL
                : &gw_etherbone.dialects[random_below((uint32_t)gw_etherbone.num_dialects)];
        w.len = (uint32_t)len;
        w.alone = true;
        gw_eb_check(&m, dialect, &w.sink);
        w.alone = false;
        gw_eb_session.feed(memory, &m, dialect, &w.sink);
        free(exact);
    }
    w.frame--;
    gw_eb_session.end(memory, &w.sink);
    assert_true(w.relations > HOSTILE_MESSAGES / 20);
    assert_true(w.relations / 32 < HOSTILE_MESSAGES);
    return w.digest;
}

static void test_anything_may_come(void **state)
{
    uint64_t *memory = malloc(HOSTILE_CAP + 64);
    uint8_t *canary = (uint8_t *)memory + HOSTILE_CAP;

    (void)state;
    assert_non_null(memory);
    memset(memory, 0xa5, HOSTILE_CAP + 64);
    uint64_t first = feed_anything(1, (uint8_t *)memory);
    for (unsigned i = 0; i < 64; i++)
        assert_int_equal(canary[i], 0xa5);
    /* Nothing of what the memory held before shows. */
    assert_int_equal(feed_anything(1, (uint8_t *)memory), first);
    assert_int_not_equal(feed_anything(2, (uint8_t *)memory), first);
    free(memory);
}

/* Requests of one key without end, the worst there is for a hash. */
static void test_one_key_over_and_over(void **state)
{
    (void)state;
    exchange_start_in(SESSION_BYTES / 4); /* full before the first is given up */
    for (unsigned i = 0; i < 20000; i++)
        ask(0x8000, 1);
    for (unsigned i = 0; i < 900; i++)
        reply(0x8000, 1);
    exchange_stop();
    unsigned kept = exchange.log.by_kind[GW_ANSWERS];
    assert_uint_in_range(kept, 64, 899);
    assert_int_equal(exchange.log.by_kind[GW_UNTRACKED], 20000 - kept + 900 - kept);
    assert_int_equal(exchange.log.num_relations, 20900 - kept);
}

/* So many clients with one return address that they are not all searched: nobody is accused. */
static void test_a_crowd_with_one_key(void **state)
{
    enum { CROWD = 900 };

    (void)state;
    exchange_start();
    for (unsigned i = 0; i < CROWD; i++)
        exchange_ask(exchange_end(CLIENT, (uint16_t)(1024 + i)), server(), 0x8000, 1);
    exchange.time_ns -= CROWD * MS; /* before the first is given up */
    for (unsigned i = CROWD; i > 0; i--)
        exchange_reply(server(), exchange_end(CLIENT, (uint16_t)(1024 + i - 1)), 0x8000, 1);
    exchange_stop();
    assert_uint_in_range(exchange.log.by_kind[GW_ANSWERS], 500, CROWD - 1);
    assert_int_equal(exchange.log.by_kind[GW_UNTRACKED],
                     2 * (CROWD - exchange.log.by_kind[GW_ANSWERS]));
    assert_int_equal(exchange.log.num_findings, 0);
}

static void test_probes_of_a_crowd(void **state)
{
    enum { CROWD = 900 };

    (void)state;
    exchange_start();
    for (unsigned i = 0; i < CROWD; i++)
        probe(exchange_end(CLIENT, (uint16_t)(1024 + i)), server(), 0x44, 0x86);
    probe_response(server(), exchange_end(CLIENT, 1024), 0xff, 0x86);
    probe_response(server(), exchange_end(CLIENT, 1024 + CROWD - 1), 0xff, 0x86);
    exchange_stop();
    assert_int_equal(exchange.log.by_kind[GW_ANSWERS], 1);
    assert_int_equal(exchange.log.by_kind[GW_UNTRACKED], 1 + CROWD - 1);
    assert_int_equal(exchange.log.num_findings, 0);
}

static void test_memory_has_to_be_enough(void **state)
{
    static uint64_t memory[SESSION_BYTES / 8];

    (void)state;
    assert_true(gw_eb_session.min_size <= SESSION_BYTES);
    assert_false(gw_eb_session.init(memory, gw_eb_session.min_size - 1, MS));
    assert_false(gw_eb_session.init(memory, 0, MS));
    assert_true(gw_eb_session.init(memory, gw_eb_session.min_size, MS));
}

static void test_relations_need_no_listener(void **state)
{
    (void)state;
    exchange_start();
    exchange.log.sink.relation = NULL;
    for (unsigned i = 0; i < 8; i++) {
        for (unsigned k = 0; k < 2; k++) {
            ask(0x8000, 1);
            reply(0x8000, 1);
            reply(0x8000, 1);
        }
        ask(0x8002, 1);
        exchange_wait(GIVE_UP_MS + 1);
    }
    assert_int_equal(exchange.log.num_relations, 0);
    assert_string_equal(exchange.log.rules, "S52 S51");
}

/* Who talks to himself over a connection may say what he says again in the same frame: what he
 * repeats is taken for the answer, and goes; what it answers stays. */
static void test_an_echo_in_the_same_frame(void **state)
{
    enum { ASKED_AFTER = 64 };
    uint8_t bytes[8];

    (void)state;
    exchange_start_in(gw_eb_session.min_size);
    gw_eb_build_probe(bytes, false, 0x44, 7);
    gw_message m = exchange_message(bytes, sizeof bytes, client(), client());
    m.transport = GW_OVER_TCP;
    exchange_feed(m);
    exchange.frame--;
    exchange_feed(m);
    exchange_wait(GIVE_UP_MS + 1);
    for (unsigned i = 0; i < ASKED_AFTER; i++)
        ask(0x8000 + 4 * i, 1);
    exchange_stop();
    assert_int_equal(exchange.log.by_kind[GW_ANSWERS], 1);
    assert_int_equal(exchange.log.num_relations, 1 + ASKED_AFTER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loss_repetition_and_order_change_no_pair),
        cmocka_unit_test(test_anything_may_come),
        cmocka_unit_test(test_one_key_over_and_over),
        cmocka_unit_test(test_a_crowd_with_one_key),
        cmocka_unit_test(test_probes_of_a_crowd),
        cmocka_unit_test(test_memory_has_to_be_enough),
        cmocka_unit_test(test_relations_need_no_listener),
        cmocka_unit_test(test_an_echo_in_the_same_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
