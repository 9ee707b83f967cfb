/* SPDX-License-Identifier: BSD-2-Clause */
/* Golden traces of conversations: what the network does to them. */
#include <stdio.h>

#include "golden.h"

enum { READ = GW_EB_CYC | GW_EB_BCA | GW_EB_RFF };

static size_t read_packet(const golden *g, uint8_t *out, uint64_t address, uint16_t slot)
{
    gw_eb_operation op = {
        .reads = &address, .num_reads = 1, .return_base = slot, .flags = READ, .byte_enable = 0x0f};
    return golden_packet(g, out, 64, 0x44, &op, 1);
}

static void reply_to(golden *g, const uint8_t *reply, size_t len, int64_t time, const char *says)
{
    golden_udp(g, &g->slave, &g->client, reply, len, time, says);
}

static void conversation_loss(const char *folder)
{
    uint8_t ask[2][64], reply[2][1500];
    size_t ask_len, len[2];
    int64_t time;
    golden g;

    golden_open(&g, folder, "conversation-loss");
    golden_board(&g, NULL);

    ask_len = read_packet(&g, ask[0], GW_EB_MAP_ROM, 0x8000);
    golden_ask(&g, ask[0], ask_len, "Read 0x20000 into slot 0x8000", "answered after 10 us");

    ask_len = read_packet(&g, ask[0], GW_EB_MAP_ROM + 4, 0x8002);
    golden_send(&g, ask[0], ask_len, "Slot 0x8002: the reply will come last");
    len[0] = golden_reply(&g, reply[0], &time);
    ask_len = read_packet(&g, ask[1], GW_EB_MAP_ROM + 8, 0x8004);
    golden_send(&g, ask[1], ask_len, "Slot 0x8004: the reply will come first");
    len[1] = golden_reply(&g, reply[1], &time);
    reply_to(&g, reply[1], len[1], time, "EB-M16: the answer to slot 0x8004, out of order");
    reply_to(&g, reply[0], len[0], time + 20000, "EB-M16: the answer to slot 0x8002");
    golden_wait(&g, GOLDEN_MS);
    reply_to(&g, reply[0], len[0], golden_time(&g), "The same answer once more: a duplicate");

    ask_len = read_packet(&g, ask[0], GW_EB_MAP_ROM + 12, 0x8006);
    golden_send(&g, ask[0], ask_len, "Slot 0x8006: the reply is lost");
    (void)golden_reply(&g, reply[0], &time);

    golden_send(&g, ask[0], ask_len, "Slot 0x8006 again, while the first still waits: ambiguous");
    len[0] = golden_reply(&g, reply[0], &time);
    reply_to(&g, reply[0], len[0], time,
             "One answer for two equal requests: the older one gets it");

    ask_len = read_packet(&g, ask[0], GW_EB_MAP_ROM + 16, 0x8008);
    golden_send(&g, ask[0], ask_len, "Slot 0x8008: the reply will be too late");
    len[0] = golden_reply(&g, reply[0], &time);
    golden_wait(&g, 20000 * GOLDEN_MS);
    reply_to(&g, reply[0], len[0], golden_time(&g), "EB-M17: stale: nobody waits for it any more");
    golden_close(&g);
}

static void pipelining(const char *folder)
{
    enum { DEPTH = 16 };
    golden g;

    golden_open(&g, folder, "pipelining");
    golden_board(&g, NULL);
    golden_wait(&g, GOLDEN_MS);
    for (unsigned i = 0; i < DEPTH; i++) {
        uint8_t packet[64];
        int64_t time = golden_time(&g) + i;
        size_t len = read_packet(&g, packet, GW_EB_MAP_ROM + 4 * i, (uint16_t)(0x8000 + 2 * i));
        if (!g.udp->ops->send(g.udp, packet, len))
            golden_die("a request could not be sent");
        golden_udp(&g, &g.client, &g.slave, packet, len, time,
                   "EB-S50: one of 16 requests on their way at once");
    }
    for (unsigned i = 0; i < DEPTH; i++) {
        uint8_t reply[1500];
        int64_t time;
        size_t len = golden_reply(&g, reply, &time);
        reply_to(&g, reply, len, time + i, "EB-S50: answered in order, a slot each");
    }
    golden_close(&g);
}

/* Once may be the network; each time, while all else comes and goes as it should, is the board. */
static void slave_habits(const char *folder)
{
    enum { REPEATS = 16, MISSES = 8 };
    uint8_t ask[64], reply[1500];
    golden g;

    golden_open(&g, folder, "slave-habits");
    golden_board(&g, NULL);
    for (unsigned i = 0; i < REPEATS; i++) {
        int64_t time;
        const char *says =
            i + 1 < REPEATS ? "The same answer once more" : "Each answer came twice; breaks EB-S52";
        size_t len =
            read_packet(&g, ask, GW_EB_MAP_ROM + 4 * (uint64_t)i, (uint16_t)(0x8000 + 2 * i));
        golden_send(&g, ask, len, "A read");
        len = golden_reply(&g, reply, &time);
        reply_to(&g, reply, len, time, "Its answer");
        golden_wait(&g, GOLDEN_MS);
        reply_to(&g, reply, len, golden_time(&g), says);
    }
    for (unsigned i = 0; i < MISSES; i++) {
        int64_t time;
        const char *says =
            i + 1 < MISSES ? "No answer to this one" : "Never an answer to this one; breaks EB-S51";
        size_t len = read_packet(&g, ask, GW_EB_MAP_ROM + 0x40, 0x9000);
        golden_send(&g, ask, len, says);
        (void)golden_reply(&g, reply, &time);
        len = read_packet(&g, ask, GW_EB_MAP_ROM + 4 * (uint64_t)i, (uint16_t)(0x9002 + 2 * i));
        golden_ask(&g, ask, len, "Another read", "is answered");
        golden_wait(&g, 21000 * GOLDEN_MS);
    }
    size_t len = read_packet(&g, ask, GW_EB_MAP_ROM, 0xa000);
    golden_ask(&g, ask, len, "A last read, long after", "is answered");
    golden_close(&g);
}

void golden_network_traces(const char *folder)
{
    conversation_loss(folder);
    slave_habits(folder);
    pipelining(folder);
}
