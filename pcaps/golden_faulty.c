/* SPDX-License-Identifier: BSD-2-Clause */
/* Golden traces of slaves with a fault each: every rule that the replies of a slave show broken.
 * Where there is a mutant with that fault, it is the one that replies; each has an address of its
 * own, so that no conversation leads into another. */
#include <stdio.h>

#include "golden.h"

struct fault {
    const char *mutant;
    golden_step step;
};

static void next_slave(golden *g)
{
    g->slave.ip[3]++;
    golden_wait(g, GOLDEN_MS);
}

static void run_mutant(golden *g, const char *id)
{
    const gw_mutant *mutant = gw_mutant_by_id(gw_board_by_role("etherbone-slave"), id);

    if (mutant == NULL)
        golden_die(id);
    next_slave(g);
    golden_board_of(g, &(gw_peer_config){.mutant = mutant});
}

static void mutants(golden *g)
{
    static const struct fault faults[] = {
        {"m-wrong-probe-id",
         {"4e6f11ff 00000086", "m-wrong-probe-id", "The id is one too high; breaks EB-S04"}},
        {"m-short-probe-response",
         {"4e6f11ff 00000086", "m-short-probe-response", "Four bytes, no id; breaks EB-S05"}},
        {"m-long-probe-response",
         {"4e6f11ff 00000086", "m-long-probe-response", "Sixteen bytes; breaks EB-S05 EB-S25"}},
        {"m-no-pr",
         {"4e6f11ff 00000086", "m-no-pr",
          "PR is clear, so that the masks look like widths; breaks EB-S03 EB-S11"}},
        {"m-probe-without-nr",
         {"4e6f11ff 00000086", "m-probe-without-nr", "NR is clear; breaks EB-S08"}},
        {"m-no-capabilities",
         {"4e6f11ff 00000086", "m-no-capabilities", "No width at all; breaks EB-S06"}},
        {"m-no-nr-in-reply",
         {"4e6f1044 280f0001 00008000 00020000", "m-no-nr-in-reply", "NR is clear; breaks EB-S24"}},
        {"m-other-widths",
         {"4e6f1048 00000000 28ff0001 00000000 0000000000008000 0000000000020000", "m-other-widths",
          "32/32 it says, in units of 8 bytes: read so, its counts do not fit; breaks EB-S11 "
          "EB-S19"}},
        {"m-dirty-padding",
         {"4e6f1081 00000000 28010001 00000000 0000000000008000 0000000000020000",
          "m-dirty-padding", "Old bytes in all padding; breaks EB-S13"}},
        {"m-dirty-reserved",
         {"4e6f1844 390f0001 00008000 00020000", "m-dirty-reserved, asked so; breaks EB-M01",
          "Reserved bits come back; breaks EB-S13"}},
        {"m-cyc-not-copied",
         {"4e6f1044 280f0001 00008000 00020000", "m-cyc-not-copied",
          "CYC is clear; breaks EB-S20"}},
        {"m-bca-not-mapped",
         {"4e6f1044 a80f0001 00008000 00020000", "m-bca-not-mapped",
          "WCA is clear although BCA was set; breaks EB-S20"}},
        {"m-rff-not-mapped",
         {"4e6f1044 280f0001 00008000 00020000", "m-rff-not-mapped",
          "WFF is clear although RFF was set; breaks EB-S20"}},
        {"m-byte-enable-not-copied",
         {"4e6f1044 28030001 00008000 00020000", "m-byte-enable-not-copied",
          "Enables 0f for 03; breaks EB-S21"}},
        {"m-return-address-masked",
         {"4e6f1014 280f0001 00008000 00000040", "m-return-address-masked",
          "0x8000 cut to 8 bits; breaks EB-S22"}},
        {"m-counts-kept",
         {"4e6f1044 280f0001 00008000 00020000", "m-counts-kept",
          "RCount where WCount should be; breaks EB-S19 EB-S25"}},
        {"m-long-reply",
         {"4e6f1044 280f0001 00008000 00020000", "m-long-reply",
          "64 bytes too many; breaks EB-S25"}},
    };
    for (size_t i = 0; i < GW_ARRAY_LEN(faults); i++) {
        run_mutant(g, faults[i].mutant);
        golden_steps(g, &faults[i].step, 1);
    }
}

/* Each reply is the one before, so the second client request is answered with the first's. */
static void stale(golden *g)
{
    static const golden_step steps[] = {
        {"4e6f1044 280f0001 00008000 00020000", "m-answers-stale: nothing to repeat yet",
         "The right answer"},
        {"4e6f1044 280f0001 00008002 00020004", "m-answers-stale: another read",
         "The answer before"},
    };
    run_mutant(g, "m-answers-stale");
    golden_steps(g, steps, GW_ARRAY_LEN(steps));
}

/* Two clients; the second one's reply goes to the first. */
static void first_client(golden *g)
{
    uint8_t packet[64], reply[1500];
    char why[256] = "";
    gw_endpoint second = g->client;
    int64_t time;

    run_mutant(g, "m-replies-to-first-client");
    second.port++;
    size_t len = golden_hex(packet, sizeof packet, "4e6f1044 280f0001 00008000 00020000");
    golden_ask(g, packet, len, "m-replies-to-first-client: the first asks", "The right answer");
    gw_transport *other = gw_mem_connect(g->mem, 0, false, why, sizeof why);
    if (other == NULL)
        golden_die(why);
    packet[11] = 0x02;
    golden_wait(g, GOLDEN_MS);
    golden_udp(g, &second, &g->slave, packet, len, golden_time(g), "The second asks");
    if (!other->ops->send(other, packet, len))
        golden_die("a request could not be sent");
    len = golden_reply(g, reply, &time);
    golden_udp(g, &g->slave, &g->client, reply, len, time,
               "and the first is answered once more, as if the network had doubled it");
    gw_transport_close(other);
}

/* As LiteEth does: the reply goes to the port that was asked, whatever port asked. */
static void own_port(golden *g)
{
    uint8_t packet[64];
    gw_endpoint elsewhere = g->client;

    next_slave(g);
    elsewhere.port = g->slave.port;
    size_t len = golden_hex(packet, sizeof packet, "4e6f1044 280f0001 00008000 00020000");
    golden_udp(g, &g->client, &g->slave, packet, len, golden_time(g), "A read");
    len = golden_hex(packet, sizeof packet, "4e6f1444 0a0f0100 00008000 c0de0000");
    golden_udp(g, &g->slave, &elsewhere, packet, len, golden_time(g) + 10000,
               "The reply goes to the service port of the one who asked; breaks EB-S44");
}

/* What no mutant does: a request and a reply, both hand-written. */
static void hand_written(golden *g)
{
    static const struct {
        const char *request, *says, *reply, *shows;
    } talks[] = {
        {"4e6f1044 280f0001 00008000 00020000", "A read", "4e6f2444 0a0f0100 00008000 c0de0000",
         "Version 2 in the reply; breaks EB-S10"},
        {"4e6f1044 280f0001 00008000 00020000", "A read", "6f4e1444 0a0f0100 00008000 c0de0000",
         "The magic is turned round; breaks EB-S10"},
        {"4e6f1144 00000086", "A probe", "4e6f0644 00000086",
         "Version 0 in a probe response; breaks EB-S07"},
        {"4e6f1088 00000000 28ff0001 00000000 0000000000008000 0000000000020000", "A 64/64 read",
         "4e6f1488", "The header takes 8 bytes; breaks EB-S12"},
        {"4e6f1044 280f0002 00008000 00020000 00020004", "Two reads",
         "4e6f1444 0a0f0100 00008000 c0de0000", "One word for two; breaks EB-S19"},
        {"4e6f1044 280f0102 00000010 cafe0001 00008000 00020000 00020004", "A write and two reads",
         "4e6f1444 00000000 00000000 0a0f0200 00008000 c0de0000 c0de0001 00000000",
         "Zero-filled, and a word too long; breaks EB-S25"},
        {"4e6f1044 280f0101 00000010 cafe0001 00008000 00020000", "A write and a read",
         "4e6f1444 00000000 0a0f0100 00008000 c0de0000 00000000",
         "Zero-filled, but the record stands a word early; breaks EB-S27"},
        {"4e6f1044 280f0101 00000010 cafe0001 00008000 00020000 080f0100 00000014 cafe0002",
         "A write and a read, then another write",
         "4e6f1444 00000000 00000000 0a0f0100 00008000 c0de0000",
         "Zero-filled at first, but nothing for the last write; breaks EB-S27"},
    };
    for (size_t i = 0; i < GW_ARRAY_LEN(talks); i++) {
        uint8_t packet[64];
        next_slave(g);
        size_t len = golden_hex(packet, sizeof packet, talks[i].request);
        golden_udp(g, &g->client, &g->slave, packet, len, golden_time(g), talks[i].says);
        len = golden_hex(packet, sizeof packet, talks[i].reply);
        golden_udp(g, &g->slave, &g->client, packet, len, golden_time(g) + 10000, talks[i].shows);
    }
}

void golden_faulty_traces(const char *folder)
{
    golden g;

    golden_open(&g, folder, "faulty-slaves");
    g.slave.ip[3] = 10;
    mutants(&g);
    stale(&g);
    first_client(&g);
    hand_written(&g);
    own_port(&g);
    golden_overdue(&g);
    golden_close(&g);
}
