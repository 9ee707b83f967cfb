/* SPDX-License-Identifier: BSD-2-Clause */
/* Each rule that one message or a conversation shows: broken once, and kept by good traffic. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

#include "op2p/internal.h"
#include "op2p/testing/frames.h"

typedef struct log {
    gw_verdict_sink sink;
    char rules[256];
    char texts[1024];
    char relations[512]; /* "2 answers 1; " */
} log;

static void on_finding(gw_verdict_sink *sink, const gw_finding *f)
{
    log *l = (log *)sink;
    gw_text rules = {l->rules, sizeof l->rules, strlen(l->rules), false};
    gw_text texts = {l->texts, sizeof l->texts, strlen(l->texts), false};

    if (rules.len > 0)
        gw_text_str(&rules, " ");
    gw_text_str(&rules, f->rule->id + strlen("OP-"));
    gw_text_str(&texts, f->text);
    gw_text_str(&texts, "\n");
    assert_non_null(f->field);
}

static void on_relation(gw_verdict_sink *sink, const gw_relation *r)
{
    static const char *const kinds[] = {"answers",    "repeats",   "stale",   "unsolicited",
                                        "unanswered", "untracked", "forwards"};
    log *l = (log *)sink;
    gw_text t = {l->relations, sizeof l->relations, strlen(l->relations), false};

    gw_text_dec(&t, r->response);
    gw_text_str(&t, " ");
    gw_text_str(&t, kinds[r->kind]);
    gw_text_str(&t, " ");
    gw_text_dec(&t, r->request);
    gw_text_str(&t, r->ambiguous ? "?; " : "; ");
}

static log empty_log(void)
{
    log l = {.sink = {.finding = on_finding, .relation = on_relation}};
    return l;
}

static const gw_dialect *dialect(const char *name)
{
    const gw_dialect *d = gw_dialect_by_name(&gw_op2p, name);
    assert_non_null(d);
    return d;
}

/* ---- one message ---- */

static log check_as(const char *hex, uint8_t part, const gw_dialect *d)
{
    uint8_t bytes[2048];
    gw_message m = gw_message_of(bytes, gw_hex_bytes(bytes, sizeof bytes, hex));
    log l = empty_log();

    m.part = part;
    m.frame = 1;
    gw_op2p_check(&m, d, &l.sink);
    return l;
}

#define assert_breaks(hex, expected) assert_string_equal(check_as(hex, 0, NULL).rules, expected)

static void good_messages_break_nothing(void **state)
{
    (void)state;
    assert_breaks(OP2P_WRITE_16, "");
    assert_breaks(OP2P_READ_16, "");
    assert_breaks(OP2P_COMPLETION_4, "");
    assert_breaks(OP2P_RETRANSMIT_8, "");
    assert_breaks("00420000 aaaaaaaa 00000000 00041010", ""); /* the strict ping */
    assert_breaks("00410042 00000200 00000100 000022f0", ""); /* an error has byte count 0 */
    assert_string_equal(check_as(OP2P_EVENT OP2P_READ_16, GW_OP2P_EVENT, NULL).rules, "");
}

static void each_rule_is_found_broken(void **state)
{
    (void)state;
    assert_breaks("00410042 00002000 00001000", "E01");
    assert_breaks(OP2P_READ_16 "d0d0", "E01");
    assert_breaks("00410042 00004000 00003000 001010f1", "E03");
    assert_breaks("00410042 00002000 00001000 000800f0 d0001000", "E04");
    assert_breaks("00410042 00002000 00001000 000400f0 d0001000 d0001004", "E04");
    assert_breaks(OP2P_READ_STALE, "E05");
    assert_breaks(OP2P_RETRANSMIT_8 "d0001000", "E05");
    assert_breaks("00410042 00002000 00001000 000000f0", "E06");
    assert_breaks("00410042 00002000 00001000 000110f0", "E06");
    assert_breaks("00410042 00002000 00001000 040410f0", "E06");
    assert_breaks("00410042 00002000 00001000 000210f0", "E06");
    assert_breaks("00410042 00000200 00000100 0008a2f0", "E21");
    assert_breaks("00410000 00000200 00000100 0008a0f0", "E21");
    assert_breaks("00010042 00004000 00003000 001010f0", "E33");
    assert_breaks("00410002 00004000 00003000 001010f0", "E33");
    assert_string_equal(check_as("01001100 0001ffff" OP2P_READ_16, GW_OP2P_EVENT, NULL).rules,
                        "E31");
    /* what does not end has no length */
    assert_string_equal(check_as("01001100 0001ffff"
                                 "00410042 00002000 00001000 000800f0 d0001000",
                                 GW_OP2P_EVENT, NULL)
                            .rules,
                        "E31");
}

static void what_the_link_damaged_is_not_the_senders_fault(void **state)
{
    (void)state;
    assert_string_equal(check_as("01000200 00010003" OP2P_READ_STALE, GW_OP2P_EVENT, NULL).rules,
                        "");
}

/* Who passes a frame on is not to be blamed for what is in it. */
static void what_is_passed_on_is_not_the_senders_fault(void **state)
{
    uint8_t bytes[64];
    gw_message m = gw_message_of(
        bytes, gw_hex_bytes(bytes, sizeof bytes, "00010042 00004000 00003000 001010f0"));
    log l = empty_log();

    (void)state;
    m.frame = 2;
    m.origin = 1;
    gw_op2p_check(&m, NULL, &l.sink);
    assert_string_equal(l.rules, "");
}

static void the_reference_core_is_judged_by_its_own_habits(void **state)
{
    (void)state;
    assert_string_equal(check_as(OP2P_READ_STALE, 0, dialect("vhdl")).rules, "");
    log l = check_as("00410042 00002000 00001000 03ec10f0", 0, dialect("vhdl"));
    assert_string_equal(l.rules, "E07");
    assert_string_equal(l.texts, "byte count 1004; the reference core handles 1000 at the most\n");
    /* who asked for as much is to be blamed, and it was seen to send again as much as asked for */
    assert_string_equal(check_as("01001200 00010003"
                                 "00410042 00002000 00001000 03ec20f0",
                                 GW_OP2P_EVENT, dialect("vhdl"))
                            .rules,
                        "");
    assert_breaks("00410042 00002000 00001000 03ec10f0", "");
}

/* ---- conversations ---- */

static uint64_t memory[8192]; /* of the session that a test feeds */

typedef struct step {
    bool out; /* sent by the captured port */
    const char *hex;
} step;

static uint32_t snap = UINT32_MAX; /* how much of a frame is captured */

static log converse(const step *steps, size_t num, const gw_dialect *d, int64_t gap_ns)
{
    log l = empty_log();

    assert_true(gw_op2p_session.init(memory, sizeof memory, 1000000));
    for (size_t i = 0; i < num; i++) {
        uint8_t bytes[256];
        gw_message m = gw_message_of(bytes, gw_hex_bytes(bytes, sizeof bytes, steps[i].hex));
        if (m.cap_len > snap)
            m.cap_len = snap;
        m.frame = i + 1;
        m.time_ns = (int64_t)i * gap_ns;
        m.dir = steps[i].out ? GW_DIR_OUT : GW_DIR_IN;
        m.part = GW_OP2P_EVENT;
        bytes[2] |= steps[i].out;
        gw_op2p_session.feed(memory, &m, d, &l.sink);
    }
    gw_op2p_session.end(memory, &l.sink);
    return l;
}

#define CONVERSE(...)                                                                              \
    converse((const step[]){__VA_ARGS__}, sizeof((const step[]){__VA_ARGS__}) / sizeof(step),      \
             NULL, 1000)

#define ASKED "00420041 00000100 00000200 000410f0"
#define ASK OP2P_EVENT ASKED
#define ANSWER OP2P_EVENT OP2P_COMPLETION_4

static void completions_find_their_requests(void **state)
{
    (void)state;
    log l = CONVERSE({false, ASK}, {true, ANSWER});
    assert_string_equal(l.relations, "2 answers 1; ");
    assert_string_equal(l.rules, "");
    l = CONVERSE({true, ANSWER});
    assert_string_equal(l.relations, "1 unsolicited 0; ");
    l = CONVERSE({false, ASK});
    assert_string_equal(l.relations, "0 unanswered 1; ");
    l = CONVERSE({false, ASK}, {false, ASK}, {true, ANSWER}, {true, ANSWER});
    assert_string_equal(l.relations, "3 answers 1?; 4 answers 2; ");
    /* the first read, of another address or of more, gets no answer */
    l = CONVERSE({false, OP2P_EVENT "00420041 00020100 00000200 000410f0"}, {false, ASK},
                 {true, ANSWER});
    assert_string_equal(l.relations, "3 answers 2?; 0 unanswered 1; ");
    assert_string_equal(l.rules, "");
    l = CONVERSE({false, OP2P_EVENT "00420041 00000100 00000200 1a4810f0"}, {false, ASK},
                 {true, ANSWER});
    assert_string_equal(l.relations, "3 answers 2?; 0 unanswered 1; ");
    assert_string_equal(l.rules, "");
    l = CONVERSE({false, ASK}, {true, ANSWER}, {true, ANSWER});
    assert_string_equal(l.relations, "2 answers 1; 3 repeats 1; ");
    assert_string_equal(l.rules, "E12");
    l = converse((const step[]){{false, ASK}, {true, ANSWER}}, 2, NULL, 2000000);
    assert_string_equal(l.relations, "0 unanswered 1; 2 unsolicited 0; ");
}

static void a_completion_owes_its_request_ids_and_sizes(void **state)
{
    (void)state;
    assert_string_equal(CONVERSE({false, ASK}, {true, OP2P_EVENT OP2P_COMPLETION_FROM_0}).rules,
                        "E12");
    assert_string_equal(
        CONVERSE({false, ASK}, {true, OP2P_EVENT "00410042 00000200 00000104 000420f0 d0000100"})
            .rules,
        "E12");
    assert_string_equal(
        CONVERSE({false, ASK}, {true, OP2P_EVENT "00410042 00000200 00000100 00042010 d0000100"})
            .rules,
        "E12");
    assert_string_equal(
        CONVERSE({false, ASK},
                 {true, OP2P_EVENT "00410042 00000200 00000100 000820f0 d0000100 d0000104"})
            .rules,
        "E12");
    /* one byte asked for, one double word answered (OP-E32) */
    assert_string_equal(CONVERSE({false, OP2P_EVENT "00420041 00000100 00000200 00011010"},
                                 {true, OP2P_EVENT "00410042 00000200 00000100 00042010 d0000100"})
                            .rules,
                        "");
    log l = converse((const step[]){{false, ASK}, {true, OP2P_EVENT OP2P_COMPLETION_FROM_0}}, 2,
                     dialect("vhdl"), 1000);
    assert_string_equal(l.rules, "");
}

#define SENT OP2P_EVENT OP2P_WRITE_16
#define AGAIN OP2P_EVENT "00420000 00001000 00002000 0010a2f0"

static void what_is_sent_again_is_the_same(void **state)
{
    (void)state;
    log l = CONVERSE({true, SENT}, {false, AGAIN}, {true, SENT});
    assert_string_equal(l.rules, "");
    assert_string_equal(l.relations, "3 answers 2; ");
    l = converse(
        (const step[]){{true, SENT}, {false, AGAIN}, {true, OP2P_EVENT OP2P_READ_16}, {true, ASK}},
        4, NULL, 800000);
    assert_string_equal(l.rules, "E20");
    l = CONVERSE({true, SENT}, {false, AGAIN}, {true, OP2P_EVENT OP2P_READ_16});
    assert_string_equal(l.rules, ""); /* it may have been on its way */
    /* between two requests for the same there is nothing to compare with */
    assert_string_equal(CONVERSE({false, AGAIN}, {true, SENT}).rules, "");
}

#define SPOILT                                                                                     \
    "01000200 00010003"                                                                            \
    "00410042 00002000 00001000 000400f0 ffffffff"

/* A completion that was asked for again is no second answer, and what a link has spoilt is not what
 * was sent. */
static void what_was_asked_for_again_is_no_fault(void **state)
{
    (void)state;
    log l = CONVERSE({false, ASK}, {true, ANSWER}, {false, AGAIN}, {true, ANSWER});
    assert_string_equal(l.rules, "");
    l = CONVERSE({false, ASK}, {true, ANSWER}, {false, AGAIN}, {true, ANSWER}, {true, ANSWER});
    assert_string_equal(l.rules, "E12");
    /* the copy answers no other read, which gets nothing */
    l = CONVERSE({false, OP2P_EVENT "00420041 00020100 00000200 000810f0"}, {false, ASK},
                 {true, ANSWER}, {false, AGAIN}, {true, ANSWER});
    assert_string_equal(l.rules, "");
    assert_string_equal(l.relations, "3 answers 2?; 5 answers 4; 0 unanswered 1; ");
    /* what was spoilt is asked for the first time when it comes again; others may ask the same */
    l = CONVERSE({false, "01000200 0001ffff " ASKED}, {true, AGAIN}, {false, ASK}, {false, ASK},
                 {true, ANSWER}, {true, ANSWER});
    assert_string_equal(l.rules, "");
    assert_string_equal(l.relations, "3 answers 2; 5 answers 3?; 6 answers 4; ");
    l = CONVERSE({true, SPOILT}, {false, AGAIN}, {true, SENT});
    assert_string_equal(l.rules, "");
    l = CONVERSE({true, SENT}, {false, "01000200 00010003 00420000 00001000 00002000 0010a2f0"},
                 {true, OP2P_EVENT OP2P_READ_16});
    assert_string_equal(l.rules, "");
    /* too short to hold a header */
    l = CONVERSE({true, SENT}, {true, "01000200 00010003 0041"}, {false, AGAIN}, {true, SPOILT});
    assert_string_equal(l.rules, "");
}

/* A frame may be on its way when another is asked for again, or wait to be sent: then that, or the
 * other, comes behind it. */
static void what_comes_before_the_copy_is_no_copy(void **state)
{
    static const char xoff[] = "0101000f 0001ffff", xon[] = "01010000 0001ffff";
    static const char other[] = OP2P_EVENT OP2P_READ_16;
    (void)state;
    log l = converse(
        (const step[]){{true, SENT}, {false, AGAIN}, {true, other}, {true, SENT}, {true, ASK}}, 5,
        NULL, 400000);
    assert_string_equal(l.rules, "");
    l = converse(
        (const step[]){{true, SENT}, {false, AGAIN}, {true, other}, {true, other}, {true, ASK}}, 5,
        NULL, 400000);
    assert_string_equal(l.rules, "");
    l = CONVERSE({false, ASK}, {true, ANSWER}, {false, xoff}, {false, AGAIN}, {false, AGAIN},
                 {false, xon}, {true, ANSWER}, {true, ANSWER});
    assert_string_equal(l.rules, "");
    assert_string_equal(l.relations, "2 answers 1; 7 answers 4; 8 answers 5; ");
    /* halted for long */
    l = converse((const step[]){{false, ASK},
                                {true, ANSWER},
                                {false, xoff},
                                {false, AGAIN},
                                {false, xon},
                                {true, ANSWER}},
                 6, NULL, 900000);
    assert_string_equal(l.rules, "");
    /* the copy is spoilt as well, and asked for once more */
    l = converse((const step[]){{true, SENT},
                                {false, AGAIN},
                                {true, SPOILT},
                                {false, AGAIN},
                                {true, SENT},
                                {true, ASK}},
                 6, NULL, 400000);
    assert_string_equal(l.rules, "");
}

static void a_good_frame_ends_a_row_of_requests(void **state)
{
    (void)state;
    step steps[14];
    for (size_t i = 0; i < 14; i++)
        steps[i] = (step){false, AGAIN};
    steps[7] = (step){true, SENT};
    assert_string_equal(converse(steps, 14, NULL, 1000).rules, "");
    steps[7].hex = "0100000f 0001ffff 4242"; /* too short for a header */
    assert_string_equal(converse(steps, 14, NULL, 1000).rules, "");
    steps[7].hex = "01010000 0001ffff"; /* an XON is no frame */
    assert_string_equal(converse(steps, 14, NULL, 1000).rules, "E22");
    steps[7].hex = "0100020f 0001ffff 4242"; /* and spoilt */
    assert_string_equal(converse(steps, 14, NULL, 1000).rules, "E22");
}

/* A snap length cuts what carries data: whether it is what was sent before nobody knows. */
static void what_is_cut_may_be_sent_again(void **state)
{
    (void)state;
    snap = GW_OP2P_SHIM + GW_OP2P_HEADER;
    const step sent[] = {{true, OP2P_EVENT OP2P_READ_16},
                         {true, SENT},
                         {false, AGAIN},
                         {true, SENT},
                         {true, ASK},
                         {false, ASK}};
    assert_string_equal(converse(sent, GW_ARRAY_LEN(sent), NULL, 400000).rules, "");
    assert_string_equal(
        CONVERSE({false, ASK}, {true, ANSWER}, {false, AGAIN}, {true, ANSWER}).rules, "");
    assert_string_equal(/* and so is the request, behind its header */
                        CONVERSE({false, ASK}, {true, ANSWER}, {false, AGAIN "00000000"},
                                 {true, ANSWER})
                            .rules,
                        "");
    assert_string_equal(CONVERSE({false, ASK}, {true, ANSWER}, {true, ANSWER}).rules, "E12");
    for (unsigned out = 0; out < 2; out++) { /* whoever sent it, a row of requests ends */
        step row[14];
        for (size_t i = 0; i < 14; i++)
            row[i] = (step){false, AGAIN};
        row[7] = (step){out, SENT};
        assert_string_equal(converse(row, 14, NULL, 1000).rules, "");
    }
    snap = UINT32_MAX;
}

static void retransmit_requests_end(void **state)
{
    (void)state;
    step steps[10] = {{true, SENT}};
    for (size_t i = 1; i < 10; i++)
        steps[i] = (step){false, AGAIN};
    assert_string_equal(converse(steps, 9, NULL, 1000).rules, "");
    assert_string_equal(converse(steps, 10, NULL, 1000).rules, "E22");
}

static void a_halted_port_keeps_still(void **state)
{
    static const char xoff[] = "0101000f 0001ffff", xon[] = "01010000 0001ffff",
                      up[] = "01020003 0001ffff";

    (void)state;
    /* one frame may have been on its way */
    assert_string_equal(CONVERSE({false, xoff}, {true, SENT}, {false, xon}, {true, SENT}).rules,
                        "");
    assert_string_equal(CONVERSE({false, xoff}, {true, SENT}, {true, SENT}).rules, "E25");
    assert_string_equal(CONVERSE({false, xoff}, {false, SENT}, {false, SENT}).rules, "");
    /* a link that comes up anew has forgotten it */
    assert_string_equal(CONVERSE({false, xoff}, {true, up}, {true, SENT}, {true, SENT}).rules, "");
}

/* ---- the tunnel ---- */

typedef struct datagram {
    enum { CALLER = 1, BOARD, OTHER } from; /* whom the board does not answer: OTHER */
    uint16_t sequence;
    const char *hex; /* behind the shim */
} datagram;

static bool lossless; /* what is fed to sessions went over such a path */

static log tunnel(const datagram *datagrams, size_t num)
{
    log l = empty_log();

    assert_true(gw_op2p_session.init(memory, sizeof memory, 1000000));
    if (lossless)
        gw_op2p_session.lossless(memory);
    for (size_t i = 0; i < num; i++) {
        uint8_t bytes[256];
        const gw_op2p_shim shim = {.version = 1, .sequence = datagrams[i].sequence};
        size_t len =
            gw_hex_bytes(bytes + GW_OP2P_SHIM, sizeof bytes - GW_OP2P_SHIM, datagrams[i].hex);
        gw_op2p_put_tunnel(bytes, &shim);
        gw_message m = gw_message_of(bytes, GW_OP2P_SHIM + len);
        m.transport = GW_OVER_UDP;
        const uint16_t from = datagrams[i].from;
        m.src = (gw_endpoint){.family = 4, .port = from};
        m.dst = (gw_endpoint){.family = 4, .port = from == BOARD ? CALLER : BOARD};
        m.frame = i + 1;
        gw_op2p_session.feed(memory, &m, NULL, &l.sink);
    }
    gw_op2p_session.end(memory, &l.sink);
    return l;
}

#define TUNNEL(...)                                                                                \
    tunnel((const datagram[]){__VA_ARGS__},                                                        \
           sizeof((const datagram[]){__VA_ARGS__}) / sizeof(datagram))

#define Q "00420041 00000100 00000200 000410f0"

/* A frame that the captured node is sent, or sends, on its link |which|. */
static void pass(log *l, uint64_t frame, gw_direction dir, uint32_t which, const char *hex)
{
    uint8_t bytes[64];
    gw_message m = gw_message_of(bytes, gw_hex_bytes(bytes, sizeof bytes, hex));

    m.frame = frame;
    m.dir = (uint8_t)dir;
    m.interface = which;
    gw_op2p_session.feed(memory, &m, NULL, &l->sink);
}

static void a_node_passes_on_what_is_for_another(void **state)
{
    static const char for_partner[] = "00410000 00002000 00001000 000400f0 d0001000";
    static const char for_another[] = "00410042 00002000 00001000 000400f0 d0001000";
    static const char from_memory[] = "00410042 00002000 00005000 000400f0 d0001000";
    static const char for_a_third[] = "00410043 00002000 00001000 000400f0 d0001000";
    log l = empty_log();

    (void)state;
    assert_true(gw_op2p_session.init(memory, sizeof memory, 1000000));
    pass(&l, 1, GW_DIR_IN, 0, for_another);
    pass(&l, 2, GW_DIR_IN, 1, for_another);
    pass(&l, 3, GW_DIR_OUT, 1, from_memory);
    pass(&l, 4, GW_DIR_OUT, 1, for_a_third);
    pass(&l, 5, GW_DIR_IN, 0, for_partner);
    pass(&l, 6, GW_DIR_OUT, 1, for_partner);
    assert_string_equal(l.relations, "3 forwards 2; ");
}

/* The path repeats and reorders datagrams; the ends of the tunnel do not take such. */
static void late_datagrams_are_the_paths(void **state)
{
    (void)state;
    log l = TUNNEL({CALLER, 6, OP2P_WRITE_16}, {CALLER, 7, Q}, {BOARD, 0, OP2P_WRITE_16},
                   {BOARD, 1, OP2P_COMPLETION_4}, {BOARD, 1, OP2P_COMPLETION_4}, {CALLER, 7, Q});
    assert_string_equal(l.rules, "");
    assert_string_equal(l.relations, "4 answers 2; ");
    l = TUNNEL({CALLER, 7, Q}, {BOARD, 3, OP2P_WRITE_16}, {BOARD, 2, OP2P_COMPLETION_4});
    assert_string_equal(l.relations, "0 unanswered 1; ");
    /* the board itself says it twice */
    l = TUNNEL({CALLER, 7, Q}, {BOARD, 2, OP2P_COMPLETION_4}, {BOARD, 3, OP2P_COMPLETION_4});
    assert_string_equal(l.rules, "E12");
    /* it does not count */
    l = TUNNEL({CALLER, 7, Q}, {BOARD, 0, OP2P_COMPLETION_4}, {CALLER, 8, Q},
               {BOARD, 0, OP2P_COMPLETION_4});
    assert_string_equal(l.relations, "2 answers 1; 4 answers 3; ");
    /* whether it counts does not show yet: a copy, or said twice */
    l = TUNNEL({CALLER, 7, Q}, {BOARD, 92, OP2P_COMPLETION_4}, {BOARD, 92, OP2P_COMPLETION_4});
    assert_string_equal(l.rules, "");
    assert_string_equal(l.relations, "2 answers 1; 3 repeats 1; ");
    /* of the first one, overtaken: it has the number of who begins anew */
    l = TUNNEL({CALLER, 7, Q}, {BOARD, 0, OP2P_COMPLETION_4}, {BOARD, 1, OP2P_WRITE_16},
               {BOARD, 0, OP2P_COMPLETION_4});
    assert_string_equal(l.rules, "");
}

/* A board that has one partner at a time counts anew with each; another may know them all. */
static void who_comes_back_may_be_counted_anew(void **state)
{
    (void)state;
    log l = TUNNEL({CALLER, 7, Q}, {BOARD, 5, OP2P_COMPLETION_4}, {OTHER, 3, Q}, {CALLER, 7, Q},
                   {BOARD, 0, OP2P_COMPLETION_4});
    assert_string_equal(l.rules, "");
    assert_string_equal(l.relations, "2 answers 1; 5 answers 4; 0 unanswered 3; ");
    /* the first one alone: from then on there is an order again */
    l = TUNNEL({CALLER, 7, Q}, {OTHER, 3, Q}, {CALLER, 6, Q}, {CALLER, 5, Q});
    assert_string_equal(l.relations, "0 unanswered 1; 0 unanswered 2; 0 unanswered 3; ");
    l = TUNNEL({CALLER, 7, Q}, {OTHER, 3, Q}, {CALLER, 8, Q}, {CALLER, 6, Q});
    assert_string_equal(l.relations, "0 unanswered 1; 0 unanswered 2; 0 unanswered 3; ");
    /* of the new count */
    l = TUNNEL({CALLER, 27, Q}, {OTHER, 3, Q}, {CALLER, 7, Q}, {CALLER, 8, Q});
    assert_string_equal(l.relations,
                        "0 unanswered 1; 0 unanswered 2; 0 unanswered 3; 0 unanswered 4; ");
    /* the path's copy of an answer, or said twice */
    l = TUNNEL({CALLER, 7, Q}, {BOARD, 5, OP2P_COMPLETION_4}, {OTHER, 3, Q},
               {BOARD, 5, OP2P_COMPLETION_4});
    assert_string_equal(l.rules, "");
    assert_string_equal(l.relations, "2 answers 1; 4 repeats 1; 0 unanswered 3; ");
    lossless = true;
    l = TUNNEL({CALLER, 7, Q}, {BOARD, 5, OP2P_COMPLETION_4}, {OTHER, 3, Q},
               {BOARD, 5, OP2P_COMPLETION_4});
    assert_string_equal(l.rules, "E12");
    lossless = false;
}

/* What was asked for again is not sent again |times| times but the one numbered |heeded|, each of
 * them for longer than anybody waits, in a tunnel or on a link. */
static log ask_in_vain(unsigned times, unsigned heeded, bool tunnel)
{
    log l = empty_log();
    uint64_t frame = 0;

    assert_true(gw_op2p_session.init(memory, sizeof memory, 1000000));
    if (lossless)
        gw_op2p_session.lossless(memory);
    for (unsigned i = 0; i < 3 * times; i++) { /* a write, a request for it, another write */
        uint8_t bytes[64];
        bool ask = i % 3 == 1;
        size_t len = gw_hex_bytes(bytes + GW_OP2P_SHIM, sizeof bytes - GW_OP2P_SHIM,
                                  ask ? OP2P_RETRANSMIT_8 : OP2P_WRITE_16);
        if (!ask)
            bytes[GW_OP2P_SHIM + len - 1] = (uint8_t)(i % 3 == 2 && i / 3 == heeded ? i - 2 : i);
        const gw_op2p_shim shim = {.version = 1, .sequence = (uint16_t)i};
        if (tunnel)
            gw_op2p_put_tunnel(bytes, &shim);
        gw_message m =
            gw_message_of(tunnel ? bytes : bytes + GW_OP2P_SHIM, tunnel ? len + GW_OP2P_SHIM : len);
        m.dir = ask ? GW_DIR_IN : GW_DIR_OUT;
        if (tunnel) {
            m.transport = GW_OVER_UDP;
            m.src.port = ask ? 1 : 9;
            m.dst.port = ask ? 9 : 1;
        }
        m.frame = ++frame;
        m.time_ns = (int64_t)i * 600000;
        gw_op2p_session.feed(memory, &m, NULL, &l.sink);
    }
    gw_op2p_session.advance(memory, (int64_t)times * 3 * 600000 + 2000000, &l.sink);
    gw_op2p_session.end(memory, &l.sink);
    return l;
}

/* The tunnel may have lost the request or the copy, but not time and again. */
static void a_tunnel_loses_what_is_asked_for_again(void **state)
{
    (void)state;
    assert_string_equal(ask_in_vain(1, 1, true).rules, "");
    assert_string_equal(ask_in_vain(7, 7, true).rules, "");
    assert_string_equal(ask_in_vain(8, 8, true).rules, "E20");
    assert_string_equal(ask_in_vain(15, 7, true).rules, "");    /* seven, twice */
    assert_string_equal(ask_in_vain(1, 1, false).rules, "E20"); /* a link loses nothing */
}

/* How a port is halted through a tunnel. */
typedef struct halts {
    unsigned times;
    unsigned heeded;  /* this one, from 0 */
    int64_t after_ns; /* so long after each XOFF two frames come */
    int64_t trip_ns;  /* that an answer was seen to take; 0: none was */
    bool lossless;
} halts;

static void say(log *l, bool back, gw_op2p_shim shim, const char *hex, int64_t time_ns)
{
    uint8_t bytes[64];

    shim.version = 1;
    shim.sequence = (uint16_t)time_ns; /* some order */
    size_t len = gw_hex_bytes(bytes + GW_OP2P_SHIM, sizeof bytes - GW_OP2P_SHIM, hex);
    gw_op2p_put_tunnel(bytes, &shim);
    gw_message m = gw_message_of(bytes, GW_OP2P_SHIM + len);
    m.transport = GW_OVER_UDP;
    m.src = (gw_endpoint){.family = 4, .port = back ? 2 : 1};
    m.dst = (gw_endpoint){.family = 4, .port = back ? 1 : 2};
    m.frame = (uint64_t)time_ns;
    m.time_ns = time_ns;
    gw_op2p_session.feed(memory, &m, NULL, &l->sink);
}

static const gw_op2p_shim pdu = {.kind = GW_OP2P_KIND_PDU},
                          xoff = {.kind = GW_OP2P_KIND_NFC, .code = GW_OP2P_XOFF},
                          xon = {.kind = GW_OP2P_KIND_NFC, .code = GW_OP2P_XON};

static log halt_in_vain(const halts *h)
{
    log l = empty_log();
    int64_t now = 1;

    assert_true(gw_op2p_session.init(memory, sizeof memory, 1000000000));
    if (h->lossless)
        gw_op2p_session.lossless(memory);
    if (h->trip_ns != 0) {
        say(&l, false, pdu, Q, now);
        say(&l, true, pdu, OP2P_COMPLETION_4, now += h->trip_ns);
        say(&l, false, pdu, Q, ++now); /* the longest counts */
        say(&l, true, pdu, OP2P_COMPLETION_4, ++now);
    }
    for (unsigned i = 0; i < h->times; i++) {
        say(&l, false, xoff, "", ++now);
        now += h->after_ns;
        for (unsigned k = 0; k < 2 && i != h->heeded; k++)
            say(&l, true, pdu, OP2P_WRITE_16, ++now);
        say(&l, false, xon, "", ++now);
    }
    return l;
}

/* What is on its way through a tunnel when an XOFF is sent comes all the same, and so does
 * everything when that is lost. */
static void a_tunnel_loses_what_halts(void **state)
{
    static const struct {
        halts halts;
        const char *rules;
    } cases[] = {
        {{1, 9, 50000000, 20000000, false}, ""},    {{7, 9, 50000000, 20000000, false}, ""},
        {{8, 9, 50000000, 20000000, false}, "E25"}, {{9, 9, 50000000, 20000000, false}, "E25 E25"},
        {{15, 7, 50000000, 20000000, false}, ""}, /* seven, twice */
        {{9, 9, 15000000, 20000000, false}, ""},  /* on their way */
        {{9, 10, 50000000, 0, false}, ""},        /* for how long, nobody knows */
        {{8, 10, 1100000000, 0, false}, "E25"},   /* and not for ever */
        {{1, 9, 50000000, 20000000, true}, "E25"},  {{1, 9, 50000, 20000, true}, "E25"},
        {{1, 9, 15000000, 20000000, true}, ""},     {{1, 9, 2000000, 0, true}, "E25"},
        {{2, 0, 2000000, 0, true}, "E25"},          {{1, 9, 500000, 0, true}, ""},
    };

    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(cases); i++)
        assert_string_equal(halt_in_vain(&cases[i].halts).rules, cases[i].rules);
}

/* What the path copies is passed on by nobody a second time, and is no more the node's own. */
static void a_copy_of_what_is_passed_on_is_passed_on(void **state)
{
    static const char for_another[] = "00410042 00002000 00001000 000400f0 d0001000";
    (void)state;
    log l = empty_log();
    assert_true(gw_op2p_session.init(memory, sizeof memory, 1000000));
    for (unsigned i = 0; i < 4; i++) {
        uint8_t bytes[64];
        const gw_op2p_shim shim = {.version = 1, .sequence = (uint16_t)(i == 2 ? 1 : i)};
        size_t len = gw_hex_bytes(bytes + GW_OP2P_SHIM, sizeof bytes - GW_OP2P_SHIM, for_another);
        gw_op2p_put_tunnel(bytes, &shim);
        gw_message m = gw_message_of(bytes, GW_OP2P_SHIM + len);
        m.transport = GW_OVER_UDP;
        m.src = (gw_endpoint){.family = 4, .port = i == 0 ? 1 : 3};
        m.dst = (gw_endpoint){.family = 4, .port = i == 0 ? 3 : 2};
        m.dir = i == 0 ? GW_DIR_OUT : GW_DIR_IN;
        m.frame = i + 1;
        gw_op2p_session.feed(memory, &m, NULL, &l.sink);
    }
    assert_string_equal(l.relations, "2 forwards 1; 3 forwards 1; 4 forwards 1; ");
}

static const int64_t second = 1000000000;

static log begin_talk(void)
{
    assert_true(gw_op2p_session.init(memory, sizeof memory, second));
    return empty_log();
}

/* Who is halted answers behind that, also what nobody waits for any more. */
static void the_halted_answer_late(void **state)
{
    (void)state;
    log l = begin_talk();
    say(&l, false, pdu, Q, 1);
    say(&l, false, xoff, "", 2);
    say(&l, false, pdu, OP2P_WRITE_16, 3 * second); /* the first one is given up */
    say(&l, false, pdu, Q, 9 * second);
    say(&l, false, xon, "", 9 * second + 1);
    say(&l, true, pdu, OP2P_COMPLETION_4, 9 * second + 2);
    say(&l, true, pdu, OP2P_COMPLETION_4, 9 * second + 3);
    assert_string_equal(l.rules, "");
    say(&l, false, pdu, Q, 12 * second);
    say(&l, true, pdu, OP2P_COMPLETION_4, 12 * second + 1);
    say(&l, true, pdu, OP2P_COMPLETION_4, 12 * second + 2);
    assert_string_equal(l.rules, "E12");
    say(&l, false, pdu, Q, 15 * second); /* or when nobody halts it */
    say(&l, false, pdu, Q, 16 * second + 1);
    say(&l, true, pdu, OP2P_COMPLETION_4, 16 * second + 2);
    say(&l, true, pdu, OP2P_COMPLETION_4, 16 * second + 3);
    assert_string_equal(l.rules, "E12");
    say(&l, false, xoff, "", 17 * second); /* for how long, nobody knows */
    say(&l, false, pdu, Q, 17 * second + 1);
    say(&l, false, pdu, OP2P_WRITE_16, 20 * second);
    say(&l, false, pdu, Q, 29 * second);
    say(&l, true, pdu, OP2P_COMPLETION_4, 29 * second + 1);
    say(&l, true, pdu, OP2P_COMPLETION_4, 29 * second + 2);
    assert_string_equal(l.rules, "E12");
}

#define SECOND "00420041 00000100 00000300 000410f0"
#define ITS_ANSWER "00410042 00000300 00000100 000420f0 d0000101"

/* What may still be sent again is not waited for any longer than answers are. */
static void a_doubt_does_not_last(void **state)
{
    (void)state;
    log l = begin_talk();
    say(&l, false, pdu, Q, 1);
    say(&l, true, pdu, OP2P_COMPLETION_4, 2);
    say(&l, false, pdu, OP2P_RETRANSMIT_8, 3);
    for (int64_t i = 0; i < 2; i++) { /* alike, so that one of them may be sent again */
        say(&l, false, pdu, SECOND, 4 + i);
        say(&l, true, pdu, ITS_ANSWER, 6 + i);
    }
    say(&l, false, pdu, Q, 3 * second);
    say(&l, true, pdu, OP2P_COMPLETION_4, 3 * second + 1);
    say(&l, true, pdu, OP2P_COMPLETION_4, 3 * second + 2);
    assert_string_equal(l.rules, "E12");
}

/* A copy that comes behind the request to send again may be what it asks for, as long as nobody
 * knows whether the other end counts: then what is sent again is no second answer either. Nor is it
 * behind one that is the same byte for byte. Anything else is. */
static void a_copy_is_not_what_is_sent_again(void **state)
{
#define ANOTHER "00410042 00000200 00000100 000420f0 d0000101"
#define COPIED                                                                                     \
    {CALLER, 7, Q}, {BOARD, 6, OP2P_COMPLETION_4}, {CALLER, 8, OP2P_RETRANSMIT_8},                 \
        {BOARD, 6, OP2P_COMPLETION_4}
    (void)state;
    log l = TUNNEL(COPIED, {BOARD, 7, OP2P_COMPLETION_4});
    assert_string_equal(l.rules, "");
    l = TUNNEL(COPIED, {CALLER, 9, OP2P_RETRANSMIT_8}, {BOARD, 7, OP2P_COMPLETION_4},
               {BOARD, 8, OP2P_COMPLETION_4});
    assert_string_equal(l.rules, "");
    l = TUNNEL(COPIED, {BOARD, 7, OP2P_COMPLETION_4}, {BOARD, 8, OP2P_COMPLETION_4});
    assert_string_equal(l.rules, "E12");
    l = TUNNEL(COPIED, {BOARD, 7, ANOTHER});
    assert_string_equal(l.rules, "E12");
    l = TUNNEL(COPIED, {CALLER, 9, Q}, {BOARD, 7, ANOTHER}, {BOARD, 8, ANOTHER});
    assert_string_equal(l.rules, "E12");
    l = TUNNEL({CALLER, 7, Q}, {BOARD, 6, OP2P_COMPLETION_4}, {CALLER, 8, OP2P_RETRANSMIT_8},
               {BOARD, 7, OP2P_COMPLETION_4}, {BOARD, 8, OP2P_COMPLETION_4});
    assert_string_equal(l.rules, "E12");
    l = TUNNEL({CALLER, 7, Q}, {BOARD, 6, OP2P_COMPLETION_4}, {CALLER, 8, OP2P_RETRANSMIT_8},
               {CALLER, 9, SECOND}, {CALLER, 10, SECOND}, {BOARD, 7, ITS_ANSWER},
               {BOARD, 8, ITS_ANSWER}, {CALLER, 11, Q}, {BOARD, 9, OP2P_COMPLETION_4},
               {BOARD, 10, OP2P_COMPLETION_4});
    assert_string_equal(l.rules, "");
    l = TUNNEL({CALLER, 7, Q}, {BOARD, 6, OP2P_COMPLETION_4}, {CALLER, 8, OP2P_RETRANSMIT_8},
               {CALLER, 9, SECOND}, {CALLER, 10, SECOND}, {BOARD, 7, ITS_ANSWER},
               {BOARD, 8, ITS_ANSWER}, {BOARD, 9, OP2P_COMPLETION_4},
               {BOARD, 10, OP2P_COMPLETION_4});
    assert_string_equal(l.rules, "E12");
#undef COPIED
#undef ANOTHER
}

/* Where nothing gets lost or comes twice, what does is the board's. */
static void without_loss_a_tunnel_is_a_link(void **state)
{
    (void)state;
    lossless = true;
    log l = TUNNEL({CALLER, 7, Q}, {BOARD, 92, OP2P_COMPLETION_4}, {BOARD, 92, OP2P_COMPLETION_4});
    assert_string_equal(l.rules, "E12");
    assert_string_equal(ask_in_vain(1, 1, true).rules, "E20");
    lossless = false;
}

/* Who is called by somebody else begins anew with the first, too. */
static void a_halt_ends_with_the_next_partner(void **state)
{
    static const struct {
        uint16_t from, to;
        uint8_t kind, code;
    } steps[] = {{1, 9, GW_OP2P_KIND_NFC, GW_OP2P_XOFF},
                 {2, 9, GW_OP2P_KIND_PDU, 0},
                 {1, 9, GW_OP2P_KIND_PDU, 0},
                 {9, 1, GW_OP2P_KIND_PDU, 0},
                 {9, 1, GW_OP2P_KIND_PDU, 0}};
    log l = empty_log();

    (void)state;
    for (size_t k = 0; k < 2 * GW_ARRAY_LEN(steps); k++) { /* once with nothing in the second */
        size_t i = k % GW_ARRAY_LEN(steps);
        if (i == 0)
            assert_true(gw_op2p_session.init(memory, sizeof memory, 1000000));
        uint8_t bytes[256];
        const gw_op2p_shim shim = {
            .version = 1, .kind = steps[i].kind, .code = steps[i].code, .sequence = (uint16_t)i};
        size_t len = gw_hex_bytes(bytes + GW_OP2P_SHIM, sizeof bytes - GW_OP2P_SHIM, OP2P_WRITE_16);
        gw_op2p_put_tunnel(bytes, &shim);
        gw_message m =
            gw_message_of(bytes, GW_OP2P_SHIM + (steps[i].kind == GW_OP2P_KIND_PDU ? len : 0));
        if (i == 1 && k > i)
            m.len = m.cap_len = 0;
        m.transport = GW_OVER_UDP;
        m.src = (gw_endpoint){.family = 4, .port = steps[i].from};
        m.dst = (gw_endpoint){.family = 4, .port = steps[i].to};
        m.frame = i + 1;
        gw_op2p_session.feed(memory, &m, NULL, &l.sink);
    }
    assert_string_equal(l.rules, "");
}

static void a_tunnel_has_an_order(void **state)
{
    gw_op2p_order o = {0};
    (void)state;
    assert_true(gw_op2p_in_order(&o, 65534));
    assert_true(gw_op2p_in_order(&o, 65535));
    assert_true(gw_op2p_in_order(&o, 1)); /* round the corner, one is missing */
    assert_false(gw_op2p_in_order(&o, 65535));
    assert_false(gw_op2p_in_order(&o, 1));
    assert_true(gw_op2p_in_order(&o, 1000));
    assert_false(gw_op2p_in_order(&o, 998));
    assert_true(gw_op2p_in_order(&o, 0)); /* it begins anew */
    assert_true(gw_op2p_in_order(&o, 300));
    assert_true(gw_op2p_in_order(&o, 3)); /* so it does, and the first are lost */
    assert_false(gw_op2p_repeated(&o, 2));
    assert_false(gw_op2p_in_order(&o, 2));
    assert_true(gw_op2p_repeated(&o, 2)); /* late, and once more */
    assert_true(gw_op2p_repeated(&o, 3));
    assert_false(gw_op2p_repeated(&o, 4));
}

static void full_tables_are_told(void **state)
{
    size_t size = gw_op2p_session.min_size;
    log l = empty_log();

    (void)state;
    assert_false(gw_op2p_session.init(memory, size - 1, 1));
    if (size > sizeof memory)
        size = 0;
    assert_int_not_equal(size, 0);
    assert_true(gw_op2p_session.init(memory, size, 1000000000));
    for (unsigned i = 0; i < 17; i++) {
        uint8_t bytes[64];
        gw_message m = gw_message_of(bytes, gw_hex_bytes(bytes, sizeof bytes, OP2P_READ_16));
        m.frame = i + 1;
        gw_op2p_session.feed(memory, &m, NULL, &l.sink);
    }
    assert_string_equal(l.relations, "0 untracked 1; ");
    /* the answer to the first is held against no other */
    uint8_t bytes[64];
    gw_message m = gw_message_of(
        bytes, gw_hex_bytes(bytes, sizeof bytes, "00420041 00003000 00004000 000420f0 d0000100"));
    m.frame = 18;
    gw_op2p_session.feed(memory, &m, NULL, &l.sink);
    assert_string_equal(l.relations, "0 untracked 1; 18 answers 2?; ");
    assert_string_equal(l.rules, "");
}

/* What a completion of read |number| says, or the read itself: into |addresses| addresses in turn.
 */
static void feed_read(log *l, unsigned number, unsigned addresses, bool answer)
{
    uint8_t bytes[GW_OP2P_HEADER + 4] = {0};
    const uint32_t here = 0x1000 + 4 * (number % addresses), there = 0x100;
    const gw_op2p_header h = {.src_id = answer ? 0x41 : 0x42,
                              .dst_id = answer ? 0x42 : 0x41,
                              .dst_addr = answer ? here : there,
                              .src_addr = answer ? there : here,
                              .byte_count = 4,
                              .type = answer ? GW_OP2P_COMPLETION : GW_OP2P_READ,
                              .fbe = 0xf};

    gw_op2p_put(bytes, &h);
    gw_message m = gw_message_of(bytes, answer ? sizeof bytes : GW_OP2P_HEADER);
    m.frame = answer ? 1000 + number : number;
    gw_op2p_session.feed(memory, &m, NULL, &l->sink);
}

/* Three reads are under way, in a table of sixteen that is full most of the time. */
static void reads_are_found_in_a_table_that_is_full(void **state)
{
    static const unsigned addresses[] = {1, 3, 7, 100};

    (void)state;
    assert_uint_in_range(gw_op2p_session.min_size, 1, sizeof memory);
    for (size_t i = 0; i < GW_ARRAY_LEN(addresses); i++) {
        memset(memory, 0xee, sizeof memory);
        assert_true(gw_op2p_session.init(memory, gw_op2p_session.min_size, 1000000000));
        for (unsigned number = 1; number <= 300; number++) {
            log l = empty_log();
            char expected[64];
            gw_text t = gw_text_over(expected, sizeof expected);
            feed_read(&l, number, addresses[i], false);
            if (number < 3)
                continue;
            feed_read(&l, number - 2, addresses[i], true);
            gw_text_dec(&t, 1000 + number - 2);
            gw_text_str(&t, " answers ");
            gw_text_dec(&t, number - 2);
            gw_text_str(&t, addresses[i] < 3 ? "?; " : "; ");
            assert_string_equal(l.relations, expected);
        }
        log l = empty_log(); /* the newest that was answered is the one that is answered again */
        feed_read(&l, 298, addresses[i], true);
        assert_string_equal(l.relations,
                            addresses[i] < 3 ? "1298 answers 299?; " : "1298 repeats 298; ");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_messages_break_nothing),
        cmocka_unit_test(each_rule_is_found_broken),
        cmocka_unit_test(what_the_link_damaged_is_not_the_senders_fault),
        cmocka_unit_test(what_is_passed_on_is_not_the_senders_fault),
        cmocka_unit_test(the_reference_core_is_judged_by_its_own_habits),
        cmocka_unit_test(completions_find_their_requests),
        cmocka_unit_test(a_completion_owes_its_request_ids_and_sizes),
        cmocka_unit_test(what_is_sent_again_is_the_same),
        cmocka_unit_test(what_was_asked_for_again_is_no_fault),
        cmocka_unit_test(a_good_frame_ends_a_row_of_requests),
        cmocka_unit_test(what_comes_before_the_copy_is_no_copy),
        cmocka_unit_test(what_is_cut_may_be_sent_again),
        cmocka_unit_test(retransmit_requests_end),
        cmocka_unit_test(a_halted_port_keeps_still),
        cmocka_unit_test(a_node_passes_on_what_is_for_another),
        cmocka_unit_test(late_datagrams_are_the_paths),
        cmocka_unit_test(who_comes_back_may_be_counted_anew),
        cmocka_unit_test(a_tunnel_loses_what_is_asked_for_again),
        cmocka_unit_test(a_tunnel_loses_what_halts),
        cmocka_unit_test(a_copy_of_what_is_passed_on_is_passed_on),
        cmocka_unit_test(the_halted_answer_late),
        cmocka_unit_test(a_doubt_does_not_last),
        cmocka_unit_test(a_copy_is_not_what_is_sent_again),
        cmocka_unit_test(without_loss_a_tunnel_is_a_link),
        cmocka_unit_test(a_halt_ends_with_the_next_partner),
        cmocka_unit_test(a_tunnel_has_an_order),
        cmocka_unit_test(full_tables_are_told),
        cmocka_unit_test(reads_are_found_in_a_table_that_is_full),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
