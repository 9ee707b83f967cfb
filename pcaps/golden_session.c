/* SPDX-License-Identifier: BSD-2-Clause */
/* Golden traces of the software master at work with the software slave. Both stand in memory; what
 * one says is written down, then handed to the other, or lost. */
#include <stdio.h>
#include <string.h>

#include "formats/etherbone/master/board.h"
#include "golden.h"

struct session {
    golden g;
    gw_peer_config config; /* of the master */
    gw_mem *master;
    gw_transport *to_master, *to_slave;
    golden_tcp tcp;
    const unsigned *lost;  /* numbers of the messages that are lost behind the capture, then 0 */
    const unsigned *twice; /* and of those that come twice, then 0 */
    unsigned num;          /* of messages so far */
};

static bool among(const unsigned *list, unsigned number)
{
    for (; list != NULL && *list != 0; list++) {
        if (*list == number)
            return true;
    }
    return false;
}

static void write_down(struct session *s, unsigned dir, const uint8_t *data, size_t len,
                       int64_t time, const char *comment)
{
    const gw_endpoint *ends[2] = {&s->g.client, &s->g.slave};

    if (s->to_master->stream)
        golden_tcp_segment(&s->tcp, dir, GOLDEN_PSH, data, len, time, comment);
    else
        golden_udp(&s->g, ends[dir], ends[!dir], data, len, time, comment);
}

/* Both clocks start together; neither may fall behind what it is told. */
static void wait_until(gw_transport *t, int64_t time)
{
    t->ops->wait(t, time);
}

/* What the master is at. A lost request is one that nobody answers. */
static void describe(const struct session *s, const uint8_t *packet, char *text, size_t cap)
{
    const gw_eb_master *m = gw_mem_state(s->master);
    const char *lost = among(s->lost, s->num) ? ", and nobody hears it" : "";

    if (m->phase == MASTER_PROBING)
        snprintf(text, cap, "EB-M02: the master probes%s%s", m->tries > 1 ? " again, EB-M05" : "",
                 lost);
    else
        snprintf(text, cap, "The master: %s%s%s%s", m->script->tasks[m->task].name,
                 !s->to_master->stream && (packet[2] & GW_EB_NR) != 0 ? "; EB-M08: NR, so no answer"
                                                                      : "",
                 m->tries > 1 ? "; EB-M18: once more" : "", lost);
}

static bool hand_over(gw_transport *to, const uint8_t *data, size_t len, int64_t time)
{
    wait_until(to, time);
    return to->ops->send(to, data, len);
}

/* All that the slave has to say by now. */
static void carry_back(struct session *s)
{
    gw_transport *t = s->to_slave;
    uint8_t buf[1460];
    size_t len;

    while (t->ops->recv(t, buf, sizeof buf, &len, t->ops->now(t) + GW_MEM_LATENCY_NS, NULL, NULL) ==
           GW_RECV_DATA) {
        s->num++;
        write_down(s, 1, buf, len, golden_heard(&s->g, t),
                   among(s->lost, s->num) ? "The slave answers, and nobody hears it"
                                          : "The slave answers");
        if (among(s->lost, s->num))
            continue;
        if (among(s->twice, s->num))
            write_down(s, 1, buf, len, golden_heard(&s->g, t) + 1000,
                       "The network doubles the answer");
        for (unsigned i = 0; i < 1u + among(s->twice, s->num); i++) {
            if (!hand_over(s->to_master, buf, len, t->ops->now(t)))
                golden_die("the master does not listen");
        }
    }
}

/* All that the master has to say by |until|. */
static bool carry(struct session *s, int64_t until)
{
    gw_transport *t = s->to_master;
    uint8_t buf[1460];
    size_t len;
    char text[160];

    if (t->ops->recv(t, buf, sizeof buf, &len, until, NULL, NULL) != GW_RECV_DATA)
        return false;
    s->num++;
    describe(s, buf, text, sizeof text);
    write_down(s, 0, buf, len, golden_heard(&s->g, t), text);
    if (!among(s->lost, s->num) && !hand_over(s->to_slave, buf, len, t->ops->now(t)))
        golden_die("the slave does not listen");
    return true;
}

static void run(struct session *s)
{
    char text[256];

    while (!gw_mem_done(s->master)) {
        gw_transport *t = s->to_master;
        if (!carry(s, t->ops->now(t) + 100 * GOLDEN_MS))
            continue;
        while (carry(s, t->ops->now(t))) {
        }
        carry_back(s);
    }
    if (!gw_eb_master_board.report(gw_mem_state(s->master), text, sizeof text))
        golden_die(text);
}

static void session(const char *folder, const char *name, bool stream, uint8_t widths,
                    const unsigned *lost, const unsigned *twice)
{
    static gw_eb_map map; /* outlives the boards */
    struct session s = {.lost = lost, .twice = twice};
    char why[256] = "";

    golden_open(&s.g, folder, name);
    map = gw_eb_default_map;
    map.widths = widths;
    golden_board_of(&s.g, &(gw_peer_config){.setup = &map});
    if (stream) {
        golden_tcp_connect(&s.tcp, &s.g, &golden_client, &golden_slave);
        s.to_slave = s.tcp.board;
    } else {
        s.to_slave = s.g.udp;
    }
    s.master = gw_mem_start(&gw_eb_master_board, &s.config, why, sizeof why);
    if (s.master == NULL)
        golden_die(why);
    s.to_master = gw_mem_connect(s.master, 0, stream, why, sizeof why);
    if (s.to_master == NULL)
        golden_die(why);
    wait_until(s.to_master, s.g.udp->ops->now(s.g.udp));
    run(&s);
    if (stream)
        golden_tcp_close(&s.tcp);
    if (lost != NULL)
        golden_overdue(&s.g);
    gw_transport_close(s.to_master);
    gw_mem_stop(s.master);
    golden_close(&s.g);
}

void golden_session_traces(const char *folder)
{
    static const unsigned lost[] = {1, 4, 11, 16, 0}, twice[] = {3, 0};

    session(folder, "master-session", false, 0x44, NULL, NULL);
    session(folder, "master-session-narrow", false, 0x21, NULL, NULL);
    session(folder, "master-session-tcp", true, 0xff, NULL, NULL);
    session(folder, "master-retries", false, 0x44, lost, twice);
}
