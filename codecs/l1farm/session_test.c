/* SPDX-License-Identifier: BSD-2-Clause */
/* Each rule that a conversation shows: broken once, and kept by good traffic. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "l1farm/session.h"
#include "l1farm/testing/frames.h"
#include "l1farm/testing/verdicts.h"

enum { MICROSECOND = 1000, GIVE_UP = 1000000, ROOM = 1 << 17 };

/* A conversation in progress. */
typedef struct talk {
    verdicts v;
    const gw_dialect *dialect;
    uint64_t frame;
    int64_t now;
} talk;

static uint64_t memory[ROOM];

static talk begin(const char *dialect)
{
    talk t = {.v = no_verdicts(), .dialect = gw_dialect_by_name(&gw_l1farm, dialect)};

    assert_non_null(t.dialect);
    assert_true(gw_l1_session.init(memory, sizeof memory, GIVE_UP));
    return t;
}

static void feed(talk *t, const uint8_t *bytes, size_t len, uint8_t part)
{
    gw_message m = gw_message_of(bytes, len);

    m.part = part;
    m.frame = ++t->frame;
    m.time_ns = t->now += MICROSECOND;
    gw_l1_session.feed(memory, &m, t->dialect, &t->v.sink);
}

static void say(talk *t, uint8_t part, const char *hex)
{
    uint8_t bytes[512];

    feed(t, bytes, gw_hex_bytes(bytes, sizeof bytes, hex), part);
}

#define assert_ends(t, expected)                                                                   \
    do {                                                                                           \
        gw_l1_session.end(memory, &(t)->v.sink);                                                   \
        assert_string_equal((t)->v.rules, expected);                                               \
    } while (0)

/* ---- the schedule ---- */

static void put(talk *t, gw_l1_shim shim, const uint8_t *data)
{
    uint8_t bytes[GW_L1_SHIM + 1024];

    shim.version = 1;
    shim.little = true;
    gw_l1_put_shim(bytes, &shim);
    for (size_t i = 0; i < shim.length; i++)
        bytes[GW_L1_SHIM + i] = data[i];
    feed(t, bytes, GW_L1_SHIM + shim.length, GW_L1_TUNNEL);
}

static void fragment(talk *t, uint8_t ru, uint16_t event, uint16_t dest, uint8_t buffer,
                     uint32_t step, uint16_t len)
{
    static const uint8_t zeros[1024];
    gw_l1_shim s = {
        .ru = ru, .event = event, .dest = dest, .buffer = buffer, .step = step, .length = len};

    put(t, s, zeros);
}

/* The prototype's schedule: three units, 26 nodes, two buffers; event e, unit r in step e + r. */
static void run_prototype(talk *t, unsigned first, unsigned num)
{
    for (unsigned step = first; step < first + num + 2; step++) {
        for (unsigned ru = 0; ru < 3; ru++) {
            unsigned event = step - ru;
            if (step < first + ru || event >= first + num)
                continue;
            fragment(t, (uint8_t)ru, (uint16_t)event, (uint16_t)(event % 26),
                     (uint8_t)(event / 26 % 2), step, 128);
        }
    }
}

static void the_prototypes_schedule_is_kept(void **state)
{
    talk t = begin("strict");

    (void)state;
    run_prototype(&t, 0, 200);
    assert_ends(&t, "");
}

static void order_of_arrival_does_not_count(void **state)
{
    talk t = begin("strict");

    (void)state;
    for (unsigned event = 1; event < 200; event += 2) { /* neighbours change places */
        for (unsigned e = event; e + 2 > event; e--)
            fragment(&t, 0, (uint16_t)e, (uint16_t)(e % 26), (uint8_t)(e / 26 % 2), e, 64);
    }
    assert_ends(&t, "");
}

static void two_units_at_one_node(void **state)
{
    talk t = begin("strict");

    (void)state;
    fragment(&t, 0, 10, 3, 0, 10, 128);
    fragment(&t, 1, 9, 3, 0, 10, 128);
    assert_ends(&t, "X01");
}

static void two_units_of_a_row_in_one_column(void **state)
{
    talk t = begin("final");

    (void)state;
    fragment(&t, 0, 10, 3, 0, 10, 128);
    fragment(&t, 1, 9, 3 + 19, 0, 10, 128);
    assert_ends(&t, "X02");
    t = begin("final"); /* of different rows they may */
    fragment(&t, 0, 10, 3, 0, 10, 64);
    fragment(&t, 2, 8, 3 + 19, 0, 10, 64);
    assert_ends(&t, "");
}

static void buffers_are_used_too_early(void **state)
{
    talk t = begin("strict");

    (void)state;
    fragment(&t, 0, 10, 3, 0, 10, 128);
    fragment(&t, 0, 11, 3, 1, 11, 128);
    fragment(&t, 0, 12, 3, 0, 12, 128);
    assert_ends(&t, "X03");

    t = begin("final");
    fragment(&t, 0, 9, 3, 0, 9, 128);
    fragment(&t, 0, 10, 3, 0, 10, 128); /* who knows */
    put(&t, (gw_l1_shim){.kind = GW_L1_KIND_FREE, .dest = 3, .buffer = 0, .event = 10}, NULL);
    fragment(&t, 0, 11, 3, 0, 11, 128);
    assert_string_equal(t.v.rules, "");
    fragment(&t, 0, 12, 3, 0, 12, 128);
    assert_ends(&t, "X03");
}

static void write_register(talk *t, uint8_t ru, uint16_t offset, uint8_t value)
{
    const uint8_t bytes[] = {0, GW_L1_WRITE, (uint8_t)(offset >> 8), 0, 0, 0, 0, value};

    put(t, (gw_l1_shim){.kind = GW_L1_KIND_REGISTER, .ru = ru, .length = sizeof bytes}, bytes);
}

static void describe(talk *t, uint8_t which, unsigned node)
{
    const gw_l1_profile *p = gw_l1_profile_of(t->dialect);
    gw_l1_descriptor d = {.target = GW_L1_TARGET(node, 0, 0), .blocksize = 128u / p->unit};
    uint8_t image[GW_L1_DESCRIPTOR];

    gw_l1_put_descriptor(image, &d, p);
    put(t,
        (gw_l1_shim){.kind = GW_L1_KIND_DESCRIPTORS,
                     .offset = (uint32_t)which * GW_L1_DESCRIPTOR,
                     .length = sizeof image},
        image);
}

/* Who was told to come back to a buffer is not to be blamed for that. */
static void buffers_are_used_as_ordered(void **state)
{
    static const uint16_t nodes[] = {3, 4, 3, 5};
    talk t = begin("strict");

    (void)state;
    write_register(&t, 0, GW_L1_DESCS, 2);
    for (uint16_t e = 0; e < 6; e++)
        fragment(&t, 0, e, e % 3, 0, e, 64);
    assert_string_equal(t.v.rules, "");
    fragment(&t, 0, 6, 1, 0, 6, 64); /* it left one out */
    assert_ends(&t, "X03");

    t = begin("strict"); /* a list may name a buffer twice */
    for (uint8_t i = 0; i < 4; i++)
        describe(&t, i, nodes[i]);
    write_register(&t, 0, GW_L1_DESCS, 3);
    for (uint16_t e = 0; e < 8; e++)
        fragment(&t, 0, e, nodes[e % 4], 0, e, 64);
    assert_string_equal(t.v.rules, "");
    fragment(&t, 0, 8, 5, 0, 8, 64);
    assert_ends(&t, "X03");

    t = begin("strict"); /* of another unit that says nothing */
    write_register(&t, 1, GW_L1_DESCS, 2);
    fragment(&t, 0, 0, 3, 0, 0, 128);
    fragment(&t, 0, 1, 3, 0, 1, 128);
    assert_ends(&t, "X03");

    t = begin("strict"); /* each tag names where */
    put(&t, (gw_l1_shim){.kind = GW_L1_KIND_TAG, .length = 4}, (const uint8_t[]){0, 0, 0, 0x0f});
    fragment(&t, 0, 0, 3, 0, 0, 128);
    fragment(&t, 0, 1, 3, 0, 1, 128);
    assert_ends(&t, "");
}

static void ringlets_are_overloaded(void **state)
{
    talk t = begin("strict");

    (void)state;
    for (unsigned event = 0; event < 24; event++)
        fragment(&t, 0, (uint16_t)event, (uint16_t)event, 0, event, 384);
    assert_string_equal(t.v.rules, "X04"); /* its row, once */
    t = begin("strict");
    for (unsigned event = 0; event < 26; event++)
        fragment(&t, 0, (uint16_t)event, (uint16_t)event, 0, event, 256);
    assert_ends(&t, "");
}

static void every_fragment_comes_once(void **state)
{
    talk t = begin("strict");

    (void)state;
    fragment(&t, 0, 0xffff, 3, 0, 10, 128);
    fragment(&t, 0, 0, 4, 0, 11, 128);
    fragment(&t, 0, 0, 4, 0, 12, 128);
    assert_ends(&t, "X06");

    t = begin("strict");
    fragment(&t, 0, 10, 3, 0, 10, 128);
    fragment(&t, 0, 12, 5, 0, 12, 128);
    assert_string_equal(t.v.rules, "");
    fragment(&t, 0, 11, 4, 0, 11, 128); /* late, and not missing */
    assert_ends(&t, "");

    t = begin("strict");
    fragment(&t, 0, 10, 3, 0, 10, 128);
    fragment(&t, 0, 12, 5, 0, 12, 128);
    assert_ends(&t, "X06");

    t = begin("strict");
    fragment(&t, 0, 10, 3, 0, 10, 128);
    fragment(&t, 0, 500, 5, 0, 500, 128);
    assert_string_equal(t.v.rules, "X06");

    t = begin("strict"); /* at a node the events for the others are not seen ... */
    for (uint16_t e = 0; e < 260; e += 26) {
        for (uint8_t ru = 0; ru < 3; ru++) {
            if (e != 78 || ru != 1)
                fragment(&t, ru, e, 3, e / 26 % 2, (uint32_t)e + ru, 128);
        }
    }
    assert_ends(&t, "X06"); /* ... but of that one a fragment is missing */
    assert_string_equal(t.v.text, "readout unit 1 has not sent its fragment of 1 event before");

    t = begin("strict"); /* a new run */
    fragment(&t, 0, 30000, 3, 0, 10, 128);
    fragment(&t, 0, 0, 5, 0, 500, 128);
    assert_ends(&t, "");
}

static void fragments_of_an_event_belong_together(void **state)
{
    talk t = begin("strict");

    (void)state;
    fragment(&t, 0, 10, 3, 0, 10, 128);
    fragment(&t, 1, 10, 4, 0, 11, 128);
    assert_ends(&t, "X06");
    t = begin("strict");
    fragment(&t, 0, 10, 3, 0, 10, 128);
    fragment(&t, 1, 10, 3, 0, 12, 128);
    assert_ends(&t, "X07");
}

/* ---- TagNet ---- */

#define EDGE(ru, line, edge) say(&t, GW_L1_TAGNET, "00" line edge "00" ru)

static void tags_go_through(void **state)
{
    talk t = begin("strict");

    (void)state;
    EDGE("01", "00", "01"); /* TIn */
    EDGE("01", "00", "00");
    EDGE("01", "03", "01"); /* BOn */
    EDGE("01", "03", "00");
    EDGE("01", "01", "01"); /* TOn */
    assert_ends(&t, "");
    t = begin("strict");
    EDGE("01", "01", "01"); /* its input is not in the capture */
    assert_ends(&t, "");
}

static void tags_appear_or_vanish(void **state)
{
    talk t = begin("strict");

    (void)state;
    EDGE("01", "00", "01");
    EDGE("01", "01", "01");
    EDGE("01", "01", "01");
    assert_ends(&t, "G01");
    t = begin("strict");
    EDGE("01", "00", "01");
    EDGE("01", "01", "01");
    EDGE("01", "00", "01");
    EDGE("01", "00", "01");
    assert_string_equal(t.v.rules, "");
    EDGE("01", "00", "01");
    assert_ends(&t, "G01");
    t = begin("strict"); /* what came before its first answer may be answered yet */
    for (unsigned i = 0; i < 3; i++)
        EDGE("01", "00", "01");
    for (unsigned i = 0; i < 3; i++)
        EDGE("01", "01", "01");
    assert_string_equal(t.v.rules, "");
    EDGE("01", "01", "01");
    assert_ends(&t, "G01");
    t = begin("strict"); /* its output is not in the capture */
    for (unsigned i = 0; i < 5; i++)
        EDGE("01", "00", "01");
    assert_ends(&t, "");
}

static void busy_is_not_heeded(void **state)
{
    talk t = begin("strict");

    (void)state;
    EDGE("01", "00", "01");
    EDGE("01", "02", "01"); /* the next one is busy */
    EDGE("01", "01", "01");
    assert_ends(&t, "G02");
    t = begin("strict");
    EDGE("01", "03", "01");
    EDGE("01", "00", "01");
    assert_ends(&t, "G02");
}

static void destinations_are_named_twice(void **state)
{
    talk t = begin("final");

    (void)state;
    say(&t, GW_L1_TAGNET, "0100054742");
    say(&t, GW_L1_TAGNET, "0100054742"); /* where releases are not captured */
    put(&t, (gw_l1_shim){.kind = GW_L1_KIND_FREE, .dest = 0x1234}, NULL);
    say(&t, GW_L1_TAGNET, "0100054742");
    say(&t, GW_L1_TAGNET, "010000000f");
    assert_string_equal(t.v.rules, "");
    say(&t, GW_L1_TAGNET, "0100054742");
    assert_string_equal(t.v.rules, "G07");
    put(&t, (gw_l1_shim){.kind = GW_L1_KIND_FREE, .dest = 0x1234}, NULL);
    say(&t, GW_L1_TAGNET, "0100054742");
    assert_ends(&t, "G07");
    t = begin("final"); /* each unit passes it on to the next */
    put(&t, (gw_l1_shim){.kind = GW_L1_KIND_FREE, .dest = 1}, NULL);
    for (uint8_t i = 0; i < 4; i++)
        put(&t, (gw_l1_shim){.kind = GW_L1_KIND_TAG, .ru = i % 2, .length = 4},
            (const uint8_t[]){0, 0, 0, 0x0f});
    assert_ends(&t, "G07");
    t = begin("strict"); /* the prototype's nodes do not say when they are done */
    say(&t, GW_L1_TAGNET, "0100054742");
    say(&t, GW_L1_TAGNET, "0100054742");
    assert_ends(&t, "");
}

/* ---- results and decisions ---- */

static void result(talk *t, uint16_t node, uint16_t event, uint32_t ntries)
{
    uint8_t image[GW_L1_RESULT];
    gw_l1_result r = {.nallok = ntries, .ntries = ntries, .node_id = node, .tag_id = event};

    gw_l1_put_result(image, &r);
    put(t,
        (gw_l1_shim){
            .kind = GW_L1_KIND_RESULT, .dest = node, .event = event, .length = GW_L1_RESULT},
        image);
}

static void results_come_once(void **state)
{
    talk t = begin("strict");

    (void)state;
    result(&t, 1, 10, 5);
    result(&t, 2, 11, 5);
    result(&t, 1, 36, 6);
    assert_string_equal(t.v.rules, "");
    result(&t, 1, 36, 6);
    assert_ends(&t, "R01");
}

static void counters_go_back(void **state)
{
    talk t = begin("strict");

    (void)state;
    result(&t, 1, 10, 5);
    result(&t, 1, 36, 4);
    assert_ends(&t, "R02");
}

static void decide(talk *t, uint8_t kind, uint16_t event, uint32_t step)
{
    uint8_t image[GW_L1_RESULT] = {0};
    bool decision = kind == GW_L1_KIND_DECISION;

    put(t,
        (gw_l1_shim){
            .kind = kind, .event = event, .step = step, .length = decision ? GW_L1_RESULT : 0},
        image);
}

static void decisions_come_in_order(void **state)
{
    talk t = begin("final");

    (void)state;
    for (uint16_t event = 0; event < 5; event++)
        decide(&t, GW_L1_KIND_ENTERED, event, event);
    decide(&t, GW_L1_KIND_DECISION, 0, 100);
    decide(&t, GW_L1_KIND_TIMEOUT, 1, 101);
    decide(&t, GW_L1_KIND_DECISION, 2, 102);
    assert_string_equal(t.v.rules, "");
    decide(&t, GW_L1_KIND_DECISION, 4, 102);
    assert_ends(&t, "U01");
    t = begin("final"); /* nobody says what entered: numbers count */
    decide(&t, GW_L1_KIND_DECISION, 7, 100);
    decide(&t, GW_L1_KIND_DECISION, 8, 100);
    assert_string_equal(t.v.rules, "");
    decide(&t, GW_L1_KIND_DECISION, 10, 100);
    assert_ends(&t, "U01");
    t = begin("strict"); /* the prototype's come as they come */
    decide(&t, GW_L1_KIND_DECISION, 2, 102);
    decide(&t, GW_L1_KIND_DECISION, 0, 102);
    assert_ends(&t, "");
}

/* What counts is which event entered before which, whatever their numbers. */
static void events_may_enter_in_any_order(void **state)
{
    static const uint16_t entered[] = {700, 3, 65535, 4};
    talk t = begin("final");

    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(entered); i++)
        decide(&t, GW_L1_KIND_ENTERED, entered[i], 10);
    decide(&t, GW_L1_KIND_ENTERED, 4, 10); /* told twice */
    for (size_t i = 0; i < GW_ARRAY_LEN(entered); i++)
        decide(&t, GW_L1_KIND_DECISION, entered[i], 20);
    decide(&t, GW_L1_KIND_DECISION, 200, 20); /* its entry is not in the capture */
    decide(&t, GW_L1_KIND_ENTERED, 4, 12);    /* once more, and no repeated decision */
    decide(&t, GW_L1_KIND_DECISION, 4, 30);
    assert_string_equal(t.v.rules, "");
    decide(&t, GW_L1_KIND_ENTERED, 5, 13);
    decide(&t, GW_L1_KIND_ENTERED, 6, 13);
    decide(&t, GW_L1_KIND_DECISION, 6, 31);
    assert_ends(&t, "U01");
    assert_string_equal(t.v.rules, "U01");
    t = begin("final"); /* what was due has given way to another event */
    decide(&t, GW_L1_KIND_ENTERED, 1, 10);
    decide(&t, GW_L1_KIND_ENTERED, 2, 10);
    decide(&t, GW_L1_KIND_ENTERED, 3, 10);
    decide(&t, GW_L1_KIND_ENTERED, 2 + 4096, 10);
    decide(&t, GW_L1_KIND_DECISION, 1, 20);
    decide(&t, GW_L1_KIND_DECISION, 3, 20);
    assert_ends(&t, "");
}

/* A node that begins to be listened to may have begun anew; so has a unit that is cleared. */
static void a_new_run_starts_from_nothing(void **state)
{
    static const uint8_t clear[] = {0, 0x01, 0x01, 0x00, 0x00, 0x00, 0x00, 0x08};
    talk t = begin("strict");

    (void)state;
    result(&t, 1, 10, 5);
    put(&t, (gw_l1_shim){.kind = GW_L1_KIND_LISTEN, .dest = 1}, NULL);
    result(&t, 1, 36, 1);
    run_prototype(&t, 0, 60);
    for (uint8_t ru = 0; ru < 3; ru++)
        put(&t, (gw_l1_shim){.kind = GW_L1_KIND_REGISTER, .ru = ru, .length = sizeof clear}, clear);
    run_prototype(&t, 0, 60);
    assert_ends(&t, "");
}

static void only_clear_begins_a_run(void **state)
{
    static const uint8_t others[][8] = {
        {0, 0x00, 0x01, 0x00, 0, 0, 0, 0},    /* a read */
        {0, 0x02, 0x01, 0x00, 0, 0, 0, 0x08}, /* a value that was read */
        {1, 0x01, 0x01, 0x00, 0, 0, 0, 0x08}, /* DESCBUF */
        {0, 0x01, 0x02, 0x00, 0, 0, 0, 0x08}, /* FRQ */
        {0, 0x01, 0x01, 0x00, 0, 0, 0, 0x20},
    };

    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(others); i++) {
        talk t = begin("strict");
        fragment(&t, 0, 4, 4, 0, 4, 128);
        put(&t,
            (gw_l1_shim){.kind = GW_L1_KIND_REGISTER,
                         .length = (uint16_t)(others[i][1] == 0 ? 4 : sizeof others[i])},
            others[i]);
        fragment(&t, 0, 4, 4, 0, 4, 128);
        assert_ends(&t, "X06");
    }
}

/* A fragment of more than 128 bytes is several bursts, which may overtake each other. */
static void a_fragment_is_sent_in_bursts(void **state)
{
    static const uint8_t zeros[GW_L1_BURST];
    static const uint16_t places[] = {0x180, 0x100, 0x200};
    talk t = begin("strict");
    gw_l1_shim s = {.ru = 1, .dest = 4, .length = GW_L1_BURST};

    (void)state;
    for (s.event = 9; s.event < 12; s.event++) {
        for (size_t i = 0; i < GW_ARRAY_LEN(places); i++) {
            s.offset = places[i];
            put(&t, s, zeros);
        }
        s.dest++;
        s.step++;
    }
    assert_string_equal(t.v.rules, "");
    s.event = 10;
    s.dest = 5;
    s.step = 1;
    put(&t, s, zeros);
    assert_string_equal(t.v.rules, "X06");
    t = begin("strict"); /* of an event whose place a newer one took, any burst is one more */
    for (uint16_t event = 9; event < 18; event++)
        fragment(&t, 1, event, event, 0, event, 128);
    fragment(&t, 1, 9, 9, 0, 9, 128);
    assert_ends(&t, "X06");
}

static void late_results_are_passed_on(void **state)
{
    talk t = begin("strict");

    (void)state;
    decide(&t, GW_L1_KIND_TIMEOUT, 1, 101);
    decide(&t, GW_L1_KIND_DECISION, 2, 102);
    decide(&t, GW_L1_KIND_DECISION, 1, 103);
    assert_ends(&t, "U02");
}

static void decisions_come_once(void **state)
{
    talk t = begin("strict");

    (void)state;
    decide(&t, GW_L1_KIND_DECISION, 1, 102);
    decide(&t, GW_L1_KIND_DECISION, 1, 65536 + 102); /* the next lap's */
    assert_string_equal(t.v.rules, "");
    decide(&t, GW_L1_KIND_DECISION, 2, 102);
    decide(&t, GW_L1_KIND_DECISION, 2, 103);
    assert_ends(&t, "U01");
}

static void decisions_take_too_long(void **state)
{
    talk t = begin("final");

    (void)state;
    decide(&t, GW_L1_KIND_ENTERED, 7, 100);
    decide(&t, GW_L1_KIND_DECISION, 7, 1920);
    assert_string_equal(t.v.rules, "");
    decide(&t, GW_L1_KIND_ENTERED, 8, 100);
    decide(&t, GW_L1_KIND_TIMEOUT, 8, 1921);
    assert_ends(&t, "U03");
}

/* ---- SCI ---- */

/* A readsb from node 4 to node 0x10 with transaction ID 1, its echo, its response and that one's.
 */
#define READ L1_SEND_RECORD "0010000f 00040001 00001000 0340 94cd"
#define READ_ECHO L1_ECHO_RECORD "00040101 0010 0000"
#define READ_BUSY L1_ECHO_RECORD "00040181 0010 0000"
#define ANSWER L1_SEND_RECORD "00040020 00100001 00000000 0000 " L1_RESULT_IMAGE "0000"
#define ANSWER_ECHO L1_ECHO_RECORD "00100141 0004 0000"
#define SCI(hex) say(&t, GW_L1_SCI, hex)

static void transactions_are_followed(void **state)
{
    talk t = begin("strict");

    (void)state;
    SCI(READ);
    SCI(READ_ECHO);
    SCI(ANSWER);
    SCI(ANSWER_ECHO);
    SCI(READ); /* the ID is free again */
    SCI(READ_BUSY);
    SCI(READ); /* asked for again */
    SCI(READ_ECHO);
    SCI(ANSWER);
    SCI(ANSWER_ECHO);
    assert_ends(&t, "");
    assert_string_equal(t.v.relations, "3 answers 1; 9 answers 5; ");
}

/* Clocks of a trace, flag and symbol: the echo, and the beginning of another. */
static void traced_packets_count_as_well(void **state)
{
    talk t = begin("strict");

    (void)state;
    SCI(READ);
    say(&t, GW_L1_TRACE, "00ff00 010004 010101 010010 000000 00ff00 010004 010101");
    SCI(ANSWER);
    SCI(ANSWER_ECHO);
    assert_ends(&t, "");
    assert_string_equal(t.v.relations, "3 answers 1; ");
}

static void transaction_ids_are_used_again(void **state)
{
    talk t = begin("strict");

    (void)state;
    SCI(READ);
    SCI(READ_ECHO);
    SCI(READ);
    assert_ends(&t, "S05");
    assert_string_equal(t.v.relations, "0 unanswered 1; 0 unanswered 3; ");
}

static void echoes_are_missing_or_too_many(void **state)
{
    talk t = begin("strict");

    (void)state;
    SCI(READ_ECHO);
    SCI(READ);
    SCI(READ_ECHO);
    SCI(READ_ECHO);
    assert_ends(&t, "S06");
    assert_string_equal(t.v.relations, "1 unsolicited 0; 0 unanswered 2; ");
    t = begin("strict");
    SCI(READ);
    gw_l1_session.advance(memory, t.now + GIVE_UP + 1, &t.v.sink);
    assert_ends(&t, "S06");
}

static void responses_are_missing_or_too_many(void **state)
{
    talk t = begin("strict");

    (void)state;
    SCI(READ);
    SCI(READ_ECHO);
    SCI(ANSWER);
    SCI(ANSWER_ECHO);
    SCI(ANSWER);
    assert_string_equal(t.v.rules, "S07");
    t = begin("strict");
    SCI(READ);
    SCI(READ_ECHO);
    gw_l1_session.advance(memory, t.now + GIVE_UP + 1, &t.v.sink);
    assert_ends(&t, "S07");
}

static void stale_packets_come_round(void **state)
{
    talk t = begin("strict");

    (void)state;
    SCI(READ);
    SCI(L1_SEND_RECORD "0010020f 00040001 00001000 0340 94cd"); /* marked by the scrubber */
    assert_string_equal(t.v.rules, "");
    SCI(L1_SEND_RECORD "0010020f 00040001 00001000 0340 94cd");
    assert_ends(&t, "S10");
}

static void full_tables_are_told(void **state)
{
    verdicts v = no_verdicts();
    size_t size = gw_l1_session.min_size;

    (void)state;
    assert_false(gw_l1_session.init(memory, size - 1, 1));
    assert_uint_in_range(size, 1, sizeof memory);
    assert_true(gw_l1_session.init(memory, size, 1000000000));
    for (unsigned i = 0; i <= L1_SENDS; i++) {
        uint8_t bytes[64];
        gw_message m = gw_message_of(bytes, gw_hex_bytes(bytes, sizeof bytes, READ));
        m.part = GW_L1_SCI;
        m.frame = i + 1;
        bytes[8] = (uint8_t)(i + 1); /* another source */
        gw_l1_session.feed(memory, &m, NULL, &v.sink);
    }
    assert_string_equal(v.relations, "0 untracked 1; ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_prototypes_schedule_is_kept),
        cmocka_unit_test(order_of_arrival_does_not_count),
        cmocka_unit_test(two_units_at_one_node),
        cmocka_unit_test(two_units_of_a_row_in_one_column),
        cmocka_unit_test(buffers_are_used_too_early),
        cmocka_unit_test(buffers_are_used_as_ordered),
        cmocka_unit_test(ringlets_are_overloaded),
        cmocka_unit_test(every_fragment_comes_once),
        cmocka_unit_test(fragments_of_an_event_belong_together),
        cmocka_unit_test(tags_go_through),
        cmocka_unit_test(tags_appear_or_vanish),
        cmocka_unit_test(busy_is_not_heeded),
        cmocka_unit_test(destinations_are_named_twice),
        cmocka_unit_test(results_come_once),
        cmocka_unit_test(counters_go_back),
        cmocka_unit_test(decisions_come_in_order),
        cmocka_unit_test(events_may_enter_in_any_order),
        cmocka_unit_test(a_new_run_starts_from_nothing),
        cmocka_unit_test(only_clear_begins_a_run),
        cmocka_unit_test(a_fragment_is_sent_in_bursts),
        cmocka_unit_test(late_results_are_passed_on),
        cmocka_unit_test(decisions_come_once),
        cmocka_unit_test(decisions_take_too_long),
        cmocka_unit_test(transactions_are_followed),
        cmocka_unit_test(traced_packets_count_as_well),
        cmocka_unit_test(transaction_ids_are_used_again),
        cmocka_unit_test(echoes_are_missing_or_too_many),
        cmocka_unit_test(responses_are_missing_or_too_many),
        cmocka_unit_test(stale_packets_come_round),
        cmocka_unit_test(full_tables_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
