/* SPDX-License-Identifier: BSD-2-Clause */
/* TEXTAROSSA conversations. Input: one byte (dialect), then pieces (fuzz.h): a datagram, link run
 * or ARP packet each, whose choice says which it is, which way it went, at which interface, what
 * the capture cut, and how much time passed.
 *
 * Oracles: findings and relations name frames that came; an echo comes after what it gives back,
 * and each packet comes back once; the state's memory ends where it was said to. */
#include "crash/layout.h"
#include "fuzz.h"
#include "goldwire/net.h"
#include "goldwire/textarossa.h"
#include "goldwire/writer.h"

enum { FRAMES = 4096, GIVE_UP_NS = 1000000, ETHERNET = 14, LEAST = 60, ARP = 0x18 };

struct judge {
    gw_fuzz_judge base;
    uint8_t echoed[FRAMES]; /* packets that came back */
};

static void on_relation(gw_verdict_sink *sink, const gw_relation *r)
{
    struct judge *j = (struct judge *)sink;

    gw_fuzz_relation(sink, r);
    gw_fuzz_check(r->kind == GW_ANSWERS || r->kind == GW_FORWARDED, "a relation of another kind");
    gw_fuzz_check(r->request >= 1 && r->request < r->response, "a packet back before it was sent");
    if (r->kind != GW_ANSWERS)
        return;
    gw_fuzz_check(!j->echoed[r->request], "a packet comes back twice");
    j->echoed[r->request] = 1;
}

/* Writes the Ethernet header of |m|: an ARP request goes to all. */
static void put_link(uint8_t out[ETHERNET], const gw_message *m, bool arp)
{
    bool asks = arp && m->cap_len > 7 && m->data[7] == GW_ARP_REQUEST;

    memset(out, asks ? 0xff : 2, 6);
    memset(out + 6, 2, 6);
    if (!asks)
        out[5] = m->dst.ip[3];
    out[11] = m->src.ip[3];
    gw_store_be(out + 12, arp ? GW_ETHERTYPE_ARP : 0x0800, 2);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void *memory;
    static struct judge j;
    const gw_session_ops *session = gw_textarossa.session;
    gw_cursor c = gw_cursor_over(data, size), piece;
    uint8_t choice, link[ETHERNET];
    int64_t now = 0;

    if (size < 1 || size > 32768)
        return 0;
    memset(&j, 0, sizeof j);
    j.base.sink = (gw_verdict_sink){.finding = gw_fuzz_finding, .relation = on_relation};
    const gw_dialect *dialect = gw_fuzz_dialect(&gw_textarossa, data[0]);
    gw_fuzz_check(gw_cursor_skip(&c, 1), "an input of one byte has one byte");
    gw_fuzz_begin(session, &memory, GIVE_UP_NS);

    while (j.base.frames + 1 < FRAMES && gw_fuzz_piece(&c, &choice, &piece)) {
        size_t len = gw_cursor_left(&piece);
        uint8_t *bytes = gw_fuzz_lend(piece.p, len);
        gw_message m =
            gw_fuzz_message(&gw_fuzz_layouts[GW_FUZZ_textarossa_session], data, choice, bytes, len);
        bool arp = (choice & ARP) == ARP;

        now += (choice & 0x80) != 0 ? INT64_C(2) * GIVE_UP_NS : 1000;
        m.time_ns = now;
        m.frame = m.frames[0] = ++j.base.frames;
        m.num_frames = 1;
        if (m.part == GW_TX_PART_DATAGRAM) {
            put_link(link, &m, arp);
            m.link = link;
            m.link_len = sizeof link;
            m.frame_len = m.len < LEAST ? LEAST : m.len;
        }
        if (arp)
            session->arp(memory, &m, &j.base.sink);
        else
            session->feed(memory, &m, dialect, &j.base.sink);
        gw_fuzz_take_back(bytes);
    }
    session->advance(memory, now + INT64_C(2) * GIVE_UP_NS, &j.base.sink);
    session->end(memory, &j.base.sink);
    return 0;
}
