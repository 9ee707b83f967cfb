/* SPDX-License-Identifier: BSD-2-Clause */
/* Conversations with one software board each, as `goldwire record' makes them: the cases that are
 * named here, run in memory, packet by packet. They are sent to the board again by a test. */
#include <stdlib.h>
#include <string.h>

#include "device/dut.h"
#include "formats/builtin.h"
#include "formats/l1farm/board.h"
#include "golden.h"
#include "measure/timing.h"
#include "run/select.h"

#define FRAME_MAX 2048
#define PACKETS_MAX 512

typedef struct dialogue {
    golden g;
    const gw_suite *suite;
    uint64_t told; /* lines whose link has been named, a bit each */
} dialogue;

/* The first packet of a case names it, the first of a line the board's link; each says what it is.
 */
static void comment_on(dialogue *d, char *out, size_t cap, const gw_result *result,
                       const gw_evidence *evidence, unsigned number, bool first)
{
    const gw_evidence_packet *p = gw_evidence_get(evidence, number);
    uint64_t bit = UINT64_C(1) << p->line % 64;
    char what[96] = "";
    int at = 0;

    gw_evidence_summary(what, sizeof(what), evidence, number, d->suite->format, NULL);
    if (first)
        at = snprintf(out, cap, "case %s\n%s\nrole %s\n", result->which->id, result->which->title,
                      d->suite->role);
    if ((d->told & bit) == 0)
        at += snprintf(out + at, cap - (size_t)at, "link %s\n", p->link);
    d->told |= bit;
    (void)snprintf(out + at, cap - (size_t)at, "%s: %s", p->dir == GW_DIR_OUT ? "we" : "the board",
                   what);
}

/* Packets of several links come in the order in which they were read. */
static void in_order(unsigned order[PACKETS_MAX], const gw_evidence *evidence)
{
    if (evidence->num_packets > PACKETS_MAX)
        golden_die("too many packets");
    for (unsigned n = 1; n <= evidence->num_packets; n++) {
        unsigned at = n - 1;
        int64_t time = gw_evidence_get(evidence, n)->time_ns;
        for (; at > 0 && gw_evidence_get(evidence, order[at - 1])->time_ns > time; at--)
            order[at] = order[at - 1];
        order[at] = n;
    }
}

static bool keep(void *arg, const gw_result *result, const gw_evidence *evidence, char *why,
                 size_t why_cap)
{
    dialogue *d = arg;
    uint8_t frame[FRAME_MAX];
    char comment[512];
    unsigned order[PACKETS_MAX] = {0};

    (void)why;
    (void)why_cap;
    if (result->verdict != GW_PASS)
        golden_die(result->text);
    in_order(order, evidence);
    for (unsigned i = 0; i < evidence->num_packets; i++) {
        unsigned n = order[i];
        const gw_evidence_packet *p = gw_evidence_get(evidence, n);
        bool out = p->dir == GW_DIR_OUT;
        size_t len = gw_frame_udp_styled(frame, sizeof(frame), out ? &p->local : &p->remote,
                                         out ? &p->remote : &p->local, evidence->bytes + p->data,
                                         p->len, p->style);
        if (len == 0)
            golden_die(result->which->id);
        comment_on(d, comment, sizeof(comment), result, evidence, n, i == 0);
        golden_frame(&d->g, frame, len, len, p->time_ns, (gw_direction)p->dir, comment);
    }
    return true;
}

void golden_converse(const char *folder, const char *name, const char *role,
                     const char *const *cases)
{
    char why[256] = "";
    gw_run run;
    gw_case_list selection;
    dialogue d = {.suite = gw_suite_by_role(role)};
    size_t num = 0;
    gw_dut *dut = gw_dut_in_memory(gw_board_by_role(role), NULL, false, why, sizeof(why));

    while (cases[num] != NULL)
        num++;
    if (dut == NULL || !gw_select(&selection, d.suite, cases, num))
        golden_die(why);
    golden_open(&d.g, folder, name);
    gw_run_setup setup = {.suite = d.suite,
                          .board = gw_builtin_board(role),
                          .target = gw_dut_target(dut),
                          .cases = selection.cases,
                          .num_cases = selection.num,
                          .seed = 1,
                          .keep = keep,
                          .keep_arg = &d};
    if (!gw_run_cases(&run, &setup, why, sizeof(why)) || run.counts.of[GW_PASS] != num)
        golden_die(why);
    gw_run_free(&run);
    gw_case_list_free(&selection);
    golden_close(&d.g);
    gw_dut_close(dut);
}

/* ---- a compute node ---- */

enum { IN = 0, OUT = 1, LINKS };

typedef struct node_talk {
    golden g;
    gw_transport *links[LINKS];
    bool named[LINKS];
} node_talk;

static void write_down(node_talk *t, unsigned link, bool ours, const uint8_t *data, size_t len,
                       int64_t time, const char *says)
{
    static const char *const names[LINKS] = {"in", "out"};
    const gw_endpoint *here = &t->links[link]->local;
    const gw_endpoint *there = &t->links[link]->remote;
    uint8_t frame[FRAME_MAX];
    char comment[256];
    size_t frame_len =
        gw_frame_udp(frame, sizeof(frame), ours ? here : there, ours ? there : here, data, len);

    (void)snprintf(comment, sizeof(comment), "%s%s%s%s", t->named[link] ? "" : "role l1-cn\nlink ",
                   t->named[link] ? "" : names[link], t->named[link] ? "" : "\n", says);
    t->named[link] = true;
    golden_frame(&t->g, frame, frame_len, frame_len, time, ours ? GW_DIR_OUT : GW_DIR_IN, comment);
}

static void say_to_node(node_talk *t, unsigned link, gw_l1_shim shim, const uint8_t *data,
                        const char *says)
{
    uint8_t datagram[GW_L1_SHIM + GW_L1_SUBEVENT];
    int64_t time = golden_heard(&t->g, t->links[link]);

    shim.version = 1;
    gw_l1_put_shim(datagram, &shim);
    if (shim.length > 0)
        memcpy(datagram + GW_L1_SHIM, data, shim.length);
    write_down(t, link, true, datagram, (size_t)GW_L1_SHIM + shim.length, time, says);
    if (!t->links[link]->ops->send(t->links[link], datagram, (size_t)GW_L1_SHIM + shim.length))
        golden_die(says);
}

/* What the node says over "out" within 5 ms, in which it has looked at a buffer. */
static void hear_node(node_talk *t, const char *says)
{
    gw_transport *out = t->links[OUT];
    uint8_t datagram[256];
    size_t len;
    int64_t stamp;

    while (out->ops->recv(out, datagram, sizeof(datagram), &len, out->ops->now(out) + 5 * GOLDEN_MS,
                          &stamp, NULL) == GW_RECV_DATA)
        write_down(t, OUT, false, datagram, len, stamp, says);
}

/* The fragments of one event, each in the step that is its readout unit's (T 7.3). */
static void send_event(node_talk *t, uint16_t event, uint8_t buffer, const char *says)
{
    uint8_t words[GW_L1_SUBEVENT];

    gw_l1_put_words(words, event, 0, GW_L1_SUBEVENT / GW_L1_WORD);
    for (uint8_t ru = 0; ru < 3; ru++)
        say_to_node(t, IN,
                    (gw_l1_shim){.kind = GW_L1_KIND_SUBEVENT,
                                 .little = true,
                                 .ru = ru,
                                 .buffer = buffer,
                                 .dest = GW_L1_CN_NODE,
                                 .event = event,
                                 .step = (uint32_t)event + ru,
                                 .offset = (uint32_t)ru * GW_L1_SUBEVENT,
                                 .length = GW_L1_SUBEVENT},
                    words, says);
}

/* Events come to one of 26 nodes in turn, and to its two buffers. A node looks at a buffer when the
 * next one begins to fill. */
static void talk_to_node(const char *folder)
{
    enum { NODES = 26, EVENTS = 3 };
    gw_peer_config config = {0};
    char why[256] = "";
    node_talk t = {0};

    golden_open(&t.g, folder, "l1farm-cn");
    t.g.mem = gw_mem_start(gw_board_by_role("l1-cn"), &config, why, sizeof(why));
    for (unsigned i = 0; t.g.mem != NULL && i < LINKS; i++)
        t.links[i] = gw_mem_connect(t.g.mem, i, false, why, sizeof(why));
    if (t.links[OUT] == NULL)
        golden_die(why);
    say_to_node(&t, OUT, (gw_l1_shim){.kind = GW_L1_KIND_LISTEN}, NULL, "who listens is told");
    hear_node(&t, "the node tells its number");
    for (unsigned i = 0; i < EVENTS; i++) {
        send_event(&t, (uint16_t)(GW_L1_CN_NODE + i * NODES), i % 2,
                   i + 1 < EVENTS
                       ? "L1-E01: a fragment of the event, into its slot of the buffer"
                       : "a fragment of the last event; those for the other nodes are not "
                         "seen here");
        hear_node(&t, "L1-R01: the result of the event before: correct, one more looked at");
    }
    for (unsigned i = 0; i < LINKS; i++)
        gw_transport_close(t.links[i]);
    golden_close(&t.g);
}

void golden_l1farm_dialogues(const char *folder)
{
    golden_converse(folder, "l1farm-ru", "l1-ru", GW_LIST("l1-d/some-transfers"));
    talk_to_node(folder);
    golden_converse(folder, "l1farm-du", "l1-du", GW_LIST("l1-u/order", "l1-u/late"));
}
