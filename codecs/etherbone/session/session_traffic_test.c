/* SPDX-License-Identifier: BSD-2-Clause */
/* Captures of masters that use ports and return addresses again, and of slaves that do everything
 * right, with datagrams lost, repeated and out of order before the tap, behind it and in it. Nobody
 * may be accused; a slave with a fault is found all the same where the capture proves it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "etherbone/testing/conversation.h"
#include "goldwire/format.h"

enum {
    EXCHANGES = 400,
    MAX_FRAMES = 16 * EXCHANGES,
    MAX_LEN = 160,
    MAX_OPS = 3,
};

/* How a master chooses where its results go. */
enum choice {
    ONE_ADDRESS = 0, /* always the same */
    COUNTING,        /* through the return area, from its beginning for each process */
    RETRIES,         /* as before, and a repeated request has the same address */
    ON_THE_BUS,      /* a small counter, no config space */
    NUM_CHOICES,
};

/* How often things happen, of 1000. */
struct path {
    unsigned lost_before, lost_behind, untapped, twice, swapped;
};

struct scene {
    enum choice choice;
    bool one_port;    /* both ends use the service port */
    bool both_ask;    /* and each is a slave too */
    bool zero_filled; /* replies have zeros for writes */
    bool pipelined;
    struct path path;
    uint8_t fault; /* flipped in the flags of every reply record */
};

struct frame {
    int64_t time_ns;
    gw_endpoint from, to;
    uint8_t bytes[MAX_LEN];
    uint32_t len;
};

static struct frame capture_[MAX_FRAMES];
static unsigned num_frames_;

/* xorshift64*: the same numbers every time */
static uint64_t seed_;

static uint32_t below(uint32_t limit)
{
    seed_ ^= seed_ >> 12;
    seed_ ^= seed_ << 25;
    seed_ ^= seed_ >> 27;
    return (uint32_t)((seed_ * 0x2545f4914f6cdd1d) >> 32) % limit;
}

static bool happens(unsigned of_1000)
{
    return below(1000) < of_1000;
}

/* The tap sees a datagram, mostly. */
static void tap(const struct scene *scene, const struct frame *frame)
{
    unsigned copies = happens(scene->path.untapped) ? 0 : 1;
    copies += copies > 0 && happens(scene->path.twice);
    for (unsigned i = 0; i < copies; i++) {
        assert_true(num_frames_ < MAX_FRAMES);
        capture_[num_frames_] = *frame;
        capture_[num_frames_++].time_ns +=
            (int64_t)i * 1000 + (happens(scene->path.swapped) ? 3 * MS : 0);
    }
}

/* What one side asks: up to three records that read, some of them with writes. */
struct asking {
    gw_eb_operation ops[MAX_OPS];
    unsigned num;
};

static struct asking any_request(uint64_t base, bool config)
{
    struct asking a = {.num = 1 + below(MAX_OPS)};
    for (unsigned i = 0; i < a.num; i++) {
        uint8_t flags = (uint8_t)(config ? GW_EB_BCA : 0);
        flags |= below(2) == 0 ? GW_EB_RFF : 0;
        flags |= i + 1 == a.num ? GW_EB_CYC : 0;
        a.ops[i] = exchange_read(base, (uint8_t)(1 + below(3)), flags);
        a.ops[i].byte_enable = below(4) == 0 ? 0x03 : 0x0f;
        if (below(3) == 0) {
            a.ops[i].num_writes = (uint8_t)(1 + below(2));
            a.ops[i].writes = exchange_write(0, 1, 0).writes;
            a.ops[i].write_base = 0x100;
        }
    }
    return a;
}

/* What a slave that does everything right makes of it. */
static uint32_t answer_to(const struct scene *scene, const struct asking *asked, uint8_t *out)
{
    gw_eb_operation ops[MAX_OPS * 4];
    unsigned num = 0;
    for (unsigned i = 0; i < asked->num; i++) {
        const gw_eb_operation *op = &asked->ops[i];
        uint8_t flags =
            (uint8_t)((op->flags & GW_EB_CYC) | ((op->flags & GW_EB_BCA) != 0 ? GW_EB_WCA : 0) |
                      ((op->flags & GW_EB_RFF) != 0 ? GW_EB_WFF : 0));
        if (scene->zero_filled && op->num_writes > 0)
            for (unsigned k = 0; k < op->num_writes + 1u; k++)
                ops[num++] = exchange_empty(0);
        ops[num] = exchange_write(op->return_base, op->num_reads, flags ^ scene->fault);
        ops[num++].byte_enable = op->byte_enable;
    }
    return (uint32_t)exchange_packet(out, MAX_LEN, 0x44, NULL, ops, num, true);
}

/* One exchange: a request, repeated until its reply comes or the patience is over. */
static int64_t ask_until_answered(const struct scene *scene, gw_endpoint from, gw_endpoint to,
                                  uint64_t base, int64_t now)
{
    struct asking asked = any_request(base, scene->choice != ON_THE_BUS);
    for (unsigned tries = 0; tries < 3; tries++) {
        struct frame ask = {.time_ns = now, .from = from, .to = to};
        ask.len =
            (uint32_t)exchange_packet(ask.bytes, MAX_LEN, 0x44, NULL, asked.ops, asked.num, false);
        bool lost = happens(scene->path.lost_before);
        if (!lost)
            tap(scene, &ask);
        lost = lost || happens(scene->path.lost_behind);
        unsigned copies = lost ? 0 : 1 + happens(scene->path.twice);
        bool heard = false;
        for (unsigned i = 0; i < copies; i++) {
            struct frame reply = {.time_ns = now + MS + (int64_t)i * 1000, .from = to, .to = from};
            reply.len = answer_to(scene, &asked, reply.bytes);
            if (happens(scene->path.lost_behind))
                continue;
            tap(scene, &reply);
            heard = heard || !happens(scene->path.lost_before);
        }
        if (heard)
            return now + (scene->pipelined ? MS / 4 : 2 * MS);
        now += 100 * MS;
        if (scene->choice == COUNTING)
            for (unsigned i = 0; i < asked.num; i++)
                asked.ops[i].return_base += 0x1000;
    }
    return now;
}

static uint64_t next_base(const struct scene *scene, unsigned i)
{
    switch (scene->choice) {
    case COUNTING:
    case RETRIES:
        return 0x8000 + 2 * (i % 40);
    case ON_THE_BUS:
        return i % 40;
    default:
        return 0x8000;
    }
}

/* Processes of one host come and go, each with one of a few ports. */
static void make_capture(const struct scene *scene)
{
    int64_t now = 0;
    num_frames_ = 0;
    for (unsigned i = 0; i < EXCHANGES; i++) {
        unsigned process = i / 40;
        gw_endpoint a = exchange_end(
            CLIENT, scene->one_port ? SERVICE_PORT : (uint16_t)(CLIENT_PORT + process % 3));
        bool turned = scene->both_ask && below(2) == 0;
        uint64_t base = next_base(scene, i % 40);
        now = turned ? ask_until_answered(scene, server(), a, base, now)
                     : ask_until_answered(scene, a, server(), base, now);
    }
}

static int by_time(const void *a, const void *b)
{
    const struct frame *x = a, *y = b;
    return x->time_ns < y->time_ns ? -1 : x->time_ns > y->time_ns;
}

static void judge(void)
{
    qsort(capture_, num_frames_, sizeof capture_[0], by_time);
    exchange_start();
    for (unsigned i = 0; i < num_frames_; i++) {
        const struct frame *frame = &capture_[i];
        exchange.time_ns = frame->time_ns;
        gw_message m = exchange_message(frame->bytes, frame->len, frame->from, frame->to);
        exchange_feed(m);
    }
    exchange_stop();
}

static void play(struct scene scene, uint64_t seed)
{
    seed_ = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    make_capture(&scene);
    judge();
}

/* Every kind of master and of network, so many seeds each. */
static void for_each_scene(const struct path *path, unsigned seeds)
{
    for (unsigned kind = 0; kind < 16 * NUM_CHOICES; kind++) {
        struct scene scene = {
            .choice = (enum choice)(kind / 16),
            .one_port = (kind & 1) != 0,
            .both_ask = (kind & 2) != 0,
            .zero_filled = (kind & 4) != 0,
            .pipelined = (kind & 8) != 0,
            .path = *path,
        };
        for (unsigned seed = 1; seed <= seeds; seed++) {
            play(scene, seed);
            if (exchange.log.num_findings > 0)
                fail_msg("scene %u, seed %u: %s, %s", kind, seed, exchange.log.findings[0].rule->id,
                         exchange.log.findings[0].text);
        }
    }
}

static void test_a_good_network_pairs_everything(void **state)
{
    (void)state;
    for (unsigned choice = 0; choice < NUM_CHOICES; choice++) {
        play((struct scene){.choice = (enum choice)choice}, 1);
        assert_int_equal(exchange.log.num_findings, 0);
        assert_int_equal(exchange.log.by_kind[GW_ANSWERS], exchange.log.num_relations);
        assert_true(exchange.log.num_relations >= EXCHANGES);
    }
    for_each_scene(&(struct path){0}, 1);
}

static void test_a_capture_that_lacks_packets_accuses_nobody(void **state)
{
    (void)state;
    for_each_scene(&(struct path){.untapped = 10}, 8);
    for_each_scene(&(struct path){.untapped = 50}, 8);
    for_each_scene(&(struct path){.untapped = 200}, 8);
}

static void test_a_network_that_loses_accuses_nobody(void **state)
{
    (void)state;
    for_each_scene(&(struct path){.lost_before = 5, .lost_behind = 5}, 8);
    for_each_scene(&(struct path){.lost_before = 100, .lost_behind = 100}, 8);
}

static void test_repetition_accuses_nobody(void **state)
{
    (void)state;
    for_each_scene(&(struct path){.twice = 10}, 8);
    for_each_scene(&(struct path){.twice = 100}, 8);
}

static void test_order_accuses_nobody(void **state)
{
    (void)state;
    for_each_scene(&(struct path){.swapped = 10}, 8);
    for_each_scene(&(struct path){.swapped = 200}, 8);
}

static void test_all_at_once_accuses_nobody(void **state)
{
    (void)state;
    for_each_scene(&(struct path){30, 30, 30, 30, 30}, 8);
}

/* A reply that goes missing leaves its own request without one, not those that come later. */
static void test_a_lost_reply_shifts_no_pair(void **state)
{
    (void)state;
    exchange_start();
    for (unsigned i = 0; i < 20; i++) {
        uint64_t asked = ask(0x8000, 1);
        if (i != 5) {
            uint64_t given = reply(0x8000, 1);
            assert_int_equal(exchange.log.last.kind, GW_ANSWERS);
            assert_int_equal(exchange.log.last.request, asked);
            assert_int_equal(exchange.log.last.response, given);
        }
        exchange_wait(20);
    }
    exchange_stop();
    assert_int_equal(exchange.log.by_kind[GW_ANSWERS], 19);
    assert_int_equal(exchange.log.by_kind[GW_UNANSWERED], 1);
    assert_int_equal(exchange.log.num_findings, 0);
}

/* Programs of one host run after each other, each from a port of its own: the end of one and the
 * beginning of the next are lost. */
static void test_programs_follow_each_other(void **state)
{
    (void)state;
    exchange_start();
    for (uint16_t i = 0; i < 12; i++) {
        gw_endpoint program = exchange_end(CLIENT, (uint16_t)(CLIENT_PORT + i));
        if (i % 2 == 1)
            exchange_ask(program, server(), 0x8000, 1); /* its reply is lost */
        else
            exchange_reply(server(), program, 0x8000, 1); /* its request is */
    }
    exchange_stop();
    assert_string_equal(exchange.log.rules,
                        "S44"); /* nothing but that was ever seen of this board ... */
    exchange_start();
    ask(0x8000, 1);
    reply(0x8000, 1); /* ... and here it is seen to answer where it should */
    for (uint16_t i = 1; i < 12; i++) {
        gw_endpoint program = exchange_end(CLIENT, (uint16_t)(CLIENT_PORT + i));
        if (i % 2 == 1)
            exchange_ask(program, server(), 0x8000, 1);
        else
            exchange_reply(server(), program, 0x8000, 1);
    }
    exchange_stop();
    assert_string_equal(exchange.log.rules, "");
}

/* A slave that always gets a flag wrong is found, over a good network by every reply, over a bad
 * one as soon as it is no accident. */
static void test_a_faulty_slave_is_found_all_the_same(void **state)
{
    (void)state;
    for (unsigned choice = 0; choice < NUM_CHOICES; choice++) {
        struct scene scene = {.choice = (enum choice)choice, .fault = GW_EB_CYC};
        play(scene, 1);
        assert_int_equal(exchange.log.num_findings, exchange.log.by_kind[GW_ANSWERS]);
        scene.path = (struct path){50, 50, 50, 50, 50};
        play(scene, 1);
        assert_true(exchange.log.num_findings > EXCHANGES / 4);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_good_network_pairs_everything),
        cmocka_unit_test(test_a_capture_that_lacks_packets_accuses_nobody),
        cmocka_unit_test(test_a_network_that_loses_accuses_nobody),
        cmocka_unit_test(test_repetition_accuses_nobody),
        cmocka_unit_test(test_order_accuses_nobody),
        cmocka_unit_test(test_all_at_once_accuses_nobody),
        cmocka_unit_test(test_a_lost_reply_shifts_no_pair),
        cmocka_unit_test(test_programs_follow_each_other),
        cmocka_unit_test(test_a_faulty_slave_is_found_all_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
