/* SPDX-License-Identifier: BSD-2-Clause */
/* What a conformance case is, and what it may do.
 *
 * A case is a C function that talks to the board through the functions below. Those that judge do
 * not return: the first failure ends a case. A case that returns has passed. A case allocates
 * nothing and keeps nothing, so it may end anywhere. */
#ifndef GOLDWIRE_RUN_CASE_H
#define GOLDWIRE_RUN_CASE_H

#include "evidence/evidence.h"
#include "evidence/verdict.h"
#include "goldwire/base.h"
#include "goldwire/format.h"
#include "harness/board.h"
#include "harness/transport.h"

#define GW_MS INT64_C(1000000)
#define GW_SECOND INT64_C(1000000000)

/* The longest message that a case can receive. */
#define GW_CASE_RECV_MAX 65536

typedef struct gw_ctx gw_ctx;

struct gw_loads;
struct gw_target;
struct gw_result;

/* gw_case is one conformance case. */
typedef struct gw_case {
    const char *id;           /* permanent: "eb-s/probe-echo" */
    const char *title;        /* what the board should do, one sentence without a full stop */
    const char *const *rules; /* that it tests, NULL at the end; the first is the one it is for */
    const char *const *after; /* cases that must have passed, NULL at the end; NULL: none */
    const char *const *needs; /* claims, areas and carriages, NULL at the end; NULL: none */
    bool negative; /* sends what must be dropped, or what boards die of: probe before as well */
    bool anew; /* a recorded trace: it begins with a board that nobody has talked to yet, where we
                  have a say in that, and its connections are its own */
    bool endless; /* the board sends until it is stopped: no two runs are alike, so it is in no
                     golden trace */
    unsigned arg; /* for a function that serves several cases */
    const char *unproven; /* why none of our mutants fails it; NULL: one does */
    void (*run)(gw_ctx *ctx);
    /* judge, instead of run, says nothing to the board: it judges by what |target| has seen until
     * then, whether the board is there or not. */
    void (*judge)(const struct gw_target *target, struct gw_result *result);
} gw_case;

/* GW_NEEDS_RAW is the need of a case that looks at Ethernet frames: the board's first link is
 * reached as a station (gw_transport.raw). */
#define GW_NEEDS_RAW "raw"

/* GW_NEEDS_TCP and GW_NEEDS_UDP are needs of cases that are about what carries the messages. */
#define GW_NEEDS_TCP "tcp"
#define GW_NEEDS_UDP "udp"

/* gw_case_needs says whether |need| is among those of |one|. */
bool gw_case_needs(const gw_case *one, const char *need);

/* GW_LIST makes the lists above: .rules = GW_LIST("EB-S03", "EB-S08"). */
#define GW_LIST(...) ((const char *const[]){__VA_ARGS__, NULL})

/* gw_polarity tells two kinds of case apart. A positive one asks for something legal, and the board
 * does as the rule says. A negative one sends what breaks a requirement, or leaves out what the
 * board waits for, and the board keeps to the rule all the same. */
typedef enum gw_polarity {
    GW_POSITIVE = 1,
    GW_NEGATIVE = 2,
    GW_BOTH_WAYS = GW_POSITIVE | GW_NEGATIVE,
} gw_polarity;

/* gw_exception says why no case of some polarity tests a rule. */
typedef struct gw_exception {
    const char *rule;
    gw_polarity lacks; /* GW_BOTH_WAYS: it has no case at all */
    const char *reason;
} gw_exception;

/* gw_connection leads to one of the board's links: from a UDP port of ours, or over TCP. */
typedef struct gw_connection gw_connection;

typedef struct gw_packet gw_packet;

/* gw_pair is what became of two requests that were sent back to back. */
typedef struct gw_pair {
    unsigned answered; /* of the two */
    unsigned repeated; /* answers that came once more */
    bool overtaken;    /* the second one's answer came first, and the first one's later */
    bool came[2];
} gw_pair;

/* gw_pair_answer notes an answer to request |which|, 0 or 1. */
void gw_pair_answer(gw_pair *pair, unsigned which);

/* gw_suite is all there is for one role. */
typedef struct gw_suite {
    const char *role;
    const gw_format *format;
    const char *const *families;  /* how ids of rules it owes begin: "EB-S"; NULL at the end */
    const gw_case *const *groups; /* arrays of cases, each ended by a case without an id */
    size_t num_groups;
    const gw_exception *exceptions;
    size_t num_exceptions;
    size_t state_size; /* of the format's own state, zeroed before the pre-flight */
    bool calls_us;     /* the board opens the conversation */
    bool tunnels;      /* its links' datagrams stand for another wire than an Ethernet port */
    /* accepts says whether the cases make sense for |dialect| over such a carriage; if not, |why|
     * says what to do. NULL: always. */
    bool (*accepts)(const gw_dialect *dialect, bool stream, char *why, size_t why_cap);
    /* begin brings the state to where a case starts; called before each case and each alive. */
    void (*begin)(gw_ctx *ctx);
    /* alive sends something known to be good and says whether the board answered it in time. It is
     * the probe that the path is measured with, and that follows silence, also in the middle of a
     * case: what the case has set up and relies on stays. Another request's answer is none. */
    bool (*alive)(gw_ctx *ctx, int64_t timeout_ns);
    /* serves looks, after the first sign of life, whether the board does what nearly every case
     * asks for, |timeout_ns| for each try, and returns NULL if so or if that cannot be told; else
     * the id of the case that shows it, and |what| says what is lacking. NULL: alive tells. */
    const char *(*serves)(gw_ctx *ctx, int64_t timeout_ns, char *what, size_t cap);
    /* told is told of each message to the board that no case made, before it is sent: what it may
     * begin there that lasts, begin ends. NULL: nothing does. */
    void (*told)(gw_ctx *ctx, const gw_message *message);
    /* heard is told of each packet that comes, whoever waits for it, before anybody else. NULL:
     * nobody wants to know. */
    void (*heard)(gw_ctx *ctx, gw_connection *conn, const gw_packet *packet);
    /* excused says whether |packet|, which came where silence is due, may be there all the same:
     * the answer to an earlier request, late or once more, or something that the board says of its
     * own accord. NULL: nothing is. */
    bool (*excused)(gw_ctx *ctx, gw_connection *conn, const gw_packet *packet);
    /* revive brings a board that does not answer back by what the suite itself can reach of it, a
     * reset register, say; whether that helped is looked at afterwards. False when there is nothing
     * of the kind. NULL: there never is. */
    bool (*revive)(gw_ctx *ctx);
    /* pair sends two known-good requests back to back and waits for their answers, |timeout_ns| for
     * each. NULL: the suite cannot tell such answers apart. */
    gw_pair (*pair)(gw_ctx *ctx, int64_t timeout_ns);
    /* took says whether the board took any of the answers that it got, of a board that asks; if
     * not, |why| says what it did instead, and no case passes. NULL: not asked. */
    bool (*took)(gw_ctx *ctx, char *why, size_t why_cap);
    /* has says whether the board meets |need|; if not, |why| says what is missing. */
    bool (*has)(gw_ctx *ctx, const char *need, char *why, size_t why_cap);
    /* conclude ends, at the end of a case that is recorded, the conversations that the next case
     * would find open: that one may be left out. NULL: a case leaves none open. */
    void (*conclude)(gw_ctx *ctx);
    /* leave brings the board to where it was found, apart from what its areas hold: registers that
     * cases write, queues, channels. It is called after the last case, also when goldwire is told
     * to stop in the middle of one, as long as the board is there; then it has little time, and
     * what matters most goes first. NULL: there is nothing to do. */
    void (*leave)(gw_ctx *ctx);
    /* end frees what the state holds; called once after the last case. NULL: nothing. */
    void (*end)(gw_ctx *ctx);
    /* show fills in what the board shows of its claims, reading only; what it does not show stays
     * 0. Called once after the pre-flight. NULL: nothing. */
    void (*show)(gw_ctx *ctx, gw_claims *shown);
    /* identify describes the board after the pre-flight: "32 bit address, 32 bit port". */
    void (*identify)(gw_ctx *ctx, char *out, size_t cap);
    /* loads is what can be asked of the board to see how fast it is (speed/load.h); NULL: nothing.
     */
    const struct gw_loads *loads;
} gw_suite;

/* gw_suites lists all suites; gw_num_suites how many. */
extern const gw_suite *const gw_suites[];
extern const size_t gw_num_suites;

/* gw_suite_by_role returns the suite for |role|, or NULL. */
const gw_suite *gw_suite_by_role(const char *role);

/* gw_role_meant writes "; did you mean 'ims-buf'?" into |out|, |cap| at least 1, or "" when no
 * suite's role is near enough to |word|, and returns |out|. */
const char *gw_role_meant(char *out, size_t cap, const char *word);

/* gw_suite_next returns the case after |previous| (NULL: the first), or NULL at the end. */
const gw_case *gw_suite_next(const gw_suite *suite, const gw_case *previous);

/* gw_suite_case returns the case called |id|, or NULL. */
const gw_case *gw_suite_case(const gw_suite *suite, const char *id);

/* gw_suite_owes says whether a board of the suite's role owes |rule|. */
bool gw_suite_owes(const gw_suite *suite, const gw_rule *rule);

/* gw_case_tests says whether |one| tests the rule with the id |rule|. */
bool gw_case_tests(const gw_case *one, const char *rule);

/* gw_suite_tried returns the polarities (gw_polarity bits) of the cases that test |rule|. */
unsigned gw_suite_tried(const gw_suite *suite, const char *rule);

/* gw_suite_exception returns the reason why no case of |polarity| tests |rule|, or NULL. With
 * GW_BOTH_WAYS it is the reason why no case does at all. */
const char *gw_suite_exception(const gw_suite *suite, const char *rule, gw_polarity polarity);

/* ---- what a case is told ---- */

/* gw_case_self returns the case that runs; NULL during the pre-flight. */
const gw_case *gw_case_self(const gw_ctx *ctx);

/* gw_case_suite returns the suite that runs. */
const gw_suite *gw_case_suite(const gw_ctx *ctx);

/* gw_case_state returns the suite's state. */
void *gw_case_state(gw_ctx *ctx);

/* gw_case_board returns the board's description. It never is NULL, but may declare nothing. Its
 * claims are those to go by: what the file claims and the board shows, or one of the two says. */
const gw_board_file *gw_case_board(const gw_ctx *ctx);

/* gw_case_claimed returns what the file claims, whatever the board shows. */
const gw_claims *gw_case_claimed(const gw_ctx *ctx);

/* gw_case_dialect returns the dialect chosen for the board; NULL is strict. */
const gw_dialect *gw_case_dialect(const gw_ctx *ctx);

/* gw_case_random returns the next number of the run's seeded sequence. */
uint64_t gw_case_random(gw_ctx *ctx);

/* The times that follow are measured: they grow with the round trip to the board and its tail. A
 * case waits for no constant time; one that wants a long time takes a multiple of these. */

/* gw_case_reply_ns returns how long to wait for a reply that must come. */
int64_t gw_case_reply_ns(const gw_ctx *ctx);

/* gw_case_first_ns returns how long to wait for a board that calls us. */
int64_t gw_case_first_ns(const gw_ctx *ctx);

/* gw_case_settle_ns returns how long to wait before silence counts. */
int64_t gw_case_settle_ns(const gw_ctx *ctx);

/* gw_case_scaled_ns returns how long to wait on this board where |usual_ns| are enough on one with
 * the usual settle time: more for one that is slow, and less for a simulated one. */
int64_t gw_case_scaled_ns(const gw_ctx *ctx, int64_t usual_ns);

/* gw_case_lag_ns returns how long what is sent now, or its answer, may be under way: what was sent
 * longer ago has arrived or never will. */
int64_t gw_case_lag_ns(const gw_ctx *ctx);

/* gw_case_spread_ns returns by how much what is sent at the same time may come apart: what is sent
 * so much later does not overtake. 0 where nothing lies between, and where all take the same time.
 */
int64_t gw_case_spread_ns(const gw_ctx *ctx);

/* gw_case_told_trip_ns returns how long the path to the board and back takes by what its URL says:
 * of who calls us and asks for nothing, nothing else is known. 0: it says nothing. */
int64_t gw_case_told_trip_ns(const gw_ctx *ctx);

/* gw_case_repeats says whether the path was seen, or is told, to deliver datagrams twice. */
bool gw_case_repeats(const gw_ctx *ctx);

/* gw_case_slice_ns returns how long to wait at a time for a board that may come to its end: one of
 * ours beside us has sent all by then, so that looking often takes nothing from it. */
int64_t gw_case_slice_ns(const gw_ctx *ctx);

/* gw_case_near says whether nothing lies between us and the board that takes time. */
bool gw_case_near(const gw_ctx *ctx);

/* gw_case_floor_ns returns how much of what is measured may be goldwire's own part, or the path's.
 */
int64_t gw_case_floor_ns(const gw_ctx *ctx);

/* ---- talking to the board ---- */

/* gw_case_fresh says whether each new connection starts the board's work anew, as our own masters
 * do. */
bool gw_case_fresh(const gw_ctx *ctx);

/* gw_case_over says whether the board has finished what it came for. False when nobody knows. */
bool gw_case_over(gw_ctx *ctx);

/* gw_case_ours says whether the board is a program of ours that calls once and comes to an end. */
bool gw_case_ours(const gw_ctx *ctx);

/* gw_case_hook_runs says whether the start hook of a board that calls us still runs: it may be a
 * script of several tools, each of which calls for itself. */
bool gw_case_hook_runs(gw_ctx *ctx);

/* gw_case_whole says whether the conversation that was held was all that the board had to say: it
 * is one of ours, or its start hook was the board and has ended. */
bool gw_case_whole(gw_ctx *ctx);

/* gw_case_no_start returns what became of a start hook that failed; otherwise NULL. It is valid
 * until the next call. */
const char *gw_case_no_start(gw_ctx *ctx);

/* gw_packet is one datagram, or one piece of a stream. The bytes are valid until the next
 * gw_case_recv of any connection. */
struct gw_packet {
    const uint8_t *data;
    size_t len;
    unsigned number; /* in this case's evidence, from 1 */
    int64_t time_ns; /* of arrival, since 1970-01-01 UTC */
    gw_endpoint from;
};

/* gw_case_connection returns the usual connection of the first link, opened when there is none.
 * Over UDP it outlives the case. */
gw_connection *gw_case_connection(gw_ctx *ctx);

/* gw_case_connection_number returns the number of |conn|: another one when it was opened anew. */
unsigned gw_case_connection_number(const gw_connection *conn);

/* gw_case_reconnect closes the usual connection, if there is one, and opens it anew. */
gw_connection *gw_case_reconnect(gw_ctx *ctx);

/* gw_case_link returns the usual connection of the board's link |name|, opened when there is none.
 * A case that wants a link nobody gave a URL for does not apply. */
gw_connection *gw_case_link(gw_ctx *ctx, const char *name);

/* gw_case_has_link says whether somebody said where the board's link |name| is. */
bool gw_case_has_link(const gw_ctx *ctx, const char *name);

/* gw_case_connect_link opens another connection of the board's link |name|. */
gw_connection *gw_case_connect_link(gw_ctx *ctx, const char *name);

/* The link that a board's registers are served on, over EtherBone. */
#define GW_REGS_LINK "regs"

/* gw_case_connect opens another connection, from another port. It is closed at the end of the case.
 */
gw_connection *gw_case_connect(gw_ctx *ctx);

/* gw_case_close closes |conn|; the usual connection is opened anew when next asked for. */
void gw_case_close(gw_ctx *ctx, gw_connection *conn);

/* gw_case_transport returns what carries |conn|. */
gw_transport *gw_case_transport(gw_connection *conn);

/* gw_case_stream says whether the board's first link is a byte stream. */
bool gw_case_stream(const gw_ctx *ctx);

/* gw_case_send sends one datagram, or bytes of a stream, and returns its number in the evidence. */
unsigned gw_case_send(gw_ctx *ctx, gw_connection *conn, const void *data, size_t len);

/* gw_case_send_as_other sends one datagram to the board from another address than the one that the
 * board talks to, and returns its number in the evidence; 0 when that cannot be, and |why| says
 * what for. */
unsigned gw_case_send_as_other(gw_ctx *ctx, gw_connection *conn, const void *data, size_t len,
                               char *why, size_t why_cap);

/* gw_case_recv waits at most |timeout_ns| for one datagram, or some bytes; 0 takes what is there,
 * and a negative time takes nothing. It returns GW_RECV_DATA, GW_RECV_TIMEOUT or GW_RECV_CLOSED; a
 * board whose port is unreachable is silent. */
gw_recv_status gw_case_recv(gw_ctx *ctx, gw_connection *conn, int64_t timeout_ns, gw_packet *out);

/* gw_case_keep copies a datagram, |cap| bytes of it at the most, to |bytes|, and returns it as the
 * message that stays there. */
gw_message gw_case_keep(const gw_packet *packet, uint8_t *bytes, size_t cap);

/* gw_case_now returns the time of |conn|'s clock, nanoseconds. */
int64_t gw_case_now(gw_connection *conn);

/* gw_case_wait lets |time_ns| pass. */
void gw_case_wait(gw_connection *conn, int64_t time_ns);

/* ---- silence, and asking again ---- */

/* gw_case_drain takes in, without judging, what is under way on |conn|: what has arrived, and what
 * may still come because something that was sent lately has had no answer. On a path that is quick,
 * or where all was answered, it takes no time. */
void gw_case_drain(gw_ctx *ctx, gw_connection *conn);

/* gw_silence is a silence that a case relies on. Everything but |rule| and |what| may be left out.
 */
typedef struct gw_silence {
    const char *rule;    /* broken by whatever comes that the suite does not excuse */
    const char *what;    /* was sent, for people: "a wrong magic" */
    unsigned number;     /* of the packet of ours that must get no answer; 0: the last one sent */
    gw_connection *conn; /* that must stay silent; NULL: the usual one */
} gw_silence;

/* gw_case_expect_silence waits for the settle time, fails |silence|->rule when something comes that
 * gw_suite.excused does not excuse, and then sends the known-good probe, always: a board that died
 * of it is silent as well. When it is not answered, the board is lost (gw_case_lost). */
void gw_case_expect_silence(gw_ctx *ctx, const gw_silence *silence);

/* gw_case_expect_alive sends the known-good probe, as often as the path makes necessary; when it is
 * not answered, the board is lost "after |what|", and |rule| is what it may be charged with. */
void gw_case_expect_alive(gw_ctx *ctx, const char *rule, const char *what);

/* gw_case_loses says whether datagrams are known to get lost, or to come late or twice, on the way
 * to the board: then what a case builds on is better looked at before it is built on. */
bool gw_case_loses(const gw_ctx *ctx);

/* gw_case_again says whether a request that got no answer is to be sent once more, and counts that
 * in |tries|, 0 at first. It is for requests that a case needs but is not about, and that do no
 * harm when they are executed twice:
 *
 *     unsigned tries = 0;
 *     do
 *         send(ctx, &request);
 *     while (!await(ctx, &request, gw_case_reply_ns(ctx)) && gw_case_again(ctx, &tries));
 *
 * gw_case_again_if_lossy is for what the case is about: it says so only on a path that was seen, or
 * is told, to lose datagrams. Elsewhere that is asked once, and the runner repeats the case before
 * anybody is blamed. */
bool gw_case_again(gw_ctx *ctx, unsigned *tries);
bool gw_case_again_if_lossy(gw_ctx *ctx, unsigned *tries);

/* ---- evidence ---- */

/* gw_case_mark puts a comment on packet |number| of the evidence. A packet takes several. */
void gw_case_mark(gw_ctx *ctx, unsigned number, const char *fmt, ...) GW_PRINTF(3, 4);

/* gw_case_recall puts a packet of an earlier case into this case's evidence and returns its number
 * there. */
unsigned gw_case_recall(gw_ctx *ctx, const gw_evidence_packet *packet, const uint8_t *data);

/* gw_case_seen returns packet |number| of the evidence; gw_case_seen_bytes its bytes. Both are
 * valid until the next packet. NULL when there is none. */
const gw_evidence_packet *gw_case_seen(const gw_ctx *ctx, unsigned number);
const uint8_t *gw_case_seen_bytes(const gw_ctx *ctx, unsigned number);

/* gw_case_num_seen returns how many packets there are. */
unsigned gw_case_num_seen(const gw_ctx *ctx);

/* gw_case_note adds a sentence to the result: what was seen where the document leaves a choice. */
void gw_case_note(gw_ctx *ctx, const char *fmt, ...) GW_PRINTF(2, 3);

/* ---- judging: none of these returns ---- */

#define GW_NORETURN __attribute__((noreturn))

/* gw_case_stake says that a good board fails the case from here on only when one of |datagrams| is
 * lost, repeated, changed or late, however likely that is, and how many more were sent and heard;
 * 0: that any of them may be why, as before the first call. The fewer there are, the sooner a
 * failure that repeats is not the path's. */
void gw_case_stake(gw_ctx *ctx, unsigned datagrams);

/* gw_miss says what was wrong, and where. Everything but |rule| may be left out. */
typedef struct gw_miss {
    const char *rule;      /* broken; its level decides between FAIL and WARN */
    const gw_field *field; /* that differs */
    unsigned packet;       /* the one that decided; 0: the last one */
    uint32_t offset;       /* first byte concerned, in that message */
    uint64_t expected;     /* of |field| */
    uint64_t got;
    bool proven; /* by |packet| alone, whatever the path did to others. It matters for a board that
                    calls us and cannot be made to do so again: without it such a failure is
                    inconclusive on a path that nobody knows */
    bool blocks; /* nothing can be asked in the way that the case does: what builds on it cannot be
                    judged, even if this failure is waived */
} gw_miss;

/* gw_case_fail ends the case: a MUST that is broken is FAIL, a SHOULD is WARN, a MAY is noted and
 * the case passes; a rule that the dialect is known to break is WAIVED. The text says what was
 * expected and what came.
 *
 * To the runner this is a suspicion: it brings the conversation back into step and runs the case
 * again alone, as often as the path makes necessary, and only the same failure again and again
 * becomes the verdict. So a case sets up all that it depends on, and may be run many times. */
GW_NORETURN void gw_case_fail(gw_ctx *ctx, const gw_miss *miss, const char *fmt, ...)
    GW_PRINTF(3, 4);

/* gw_case_forgo ends the case before it sends what the dialect's device does not survive, because
 * |why|: WAIVED when the dialect knows that the device breaks |rule| so, else it does not apply. */
GW_NORETURN void gw_case_forgo(gw_ctx *ctx, const char *rule, const char *why);

/* gw_case_lost ends the case: the board stopped answering. That is the runner's business: it waits
 * for the board, brings it back and repeats the case; only a board that is lost by it again and
 * again breaks |rule| (NULL: the case's first). */
GW_NORETURN void gw_case_lost(gw_ctx *ctx, const char *rule, const char *fmt, ...) GW_PRINTF(3, 4);

/* gw_case_inconc ends the case: nothing can be said, because ... */
GW_NORETURN void gw_case_inconc(gw_ctx *ctx, const char *fmt, ...) GW_PRINTF(2, 3);

/* gw_case_na ends the case: it does not apply, because ... */
GW_NORETURN void gw_case_na(gw_ctx *ctx, const char *fmt, ...) GW_PRINTF(2, 3);

/* gw_case_error ends the case: goldwire itself failed. */
GW_NORETURN void gw_case_error(gw_ctx *ctx, const char *fmt, ...) GW_PRINTF(2, 3);

/* ---- fields of a message ---- */

/* gw_want is what one leaf field of a message must be. */
typedef struct gw_want {
    const char *rule;  /* broken when it is not */
    const char *field; /* filter name: "etherbone.record.cyc" */
    unsigned at;       /* number of the container (record) that holds it, from 0 */
    unsigned index;    /* of an indexed group inside it, from 0 */
    uint64_t value;
    uint64_t mask; /* bits that count; 0 means all */
} gw_want;

/* gw_case_expect walks |message|, which is packet |number| of the evidence, and compares one field.
 * When it differs, or is not there, the case fails with field, byte offset, both values and
 * clause. */
void gw_case_expect(gw_ctx *ctx, const gw_message *message, unsigned number, const gw_want *want);

/* gw_case_expect_clear fails with |rule| when a reserved bit or a padding byte of |message| is not
 * zero. */
void gw_case_expect_clear(gw_ctx *ctx, const gw_message *message, unsigned number,
                          const char *rule);

#endif
