/* SPDX-License-Identifier: BSD-2-Clause */
/* What mutants do to what comes in: datagrams, segments and headers. */
#include <string.h>

#include "formats/etherbone/slave/mutants/mutants.h"

#define PACKET_MAX 1280 /* bytes that m-cuts-long-packets takes */
#define BUFFER 1472     /* bytes that m-full-buffer-lost has room for, but for one */

/* Payload that fills the shortest Ethernet frame: shorter datagrams are padded to it. */
#define ETHERNET_MIN 18

bool gw_eb_m_dies(gw_eb_slave *s, gw_eb_death of, bool so)
{
    s->hung = s->hung || (so && s->mutation->dead_after == of);
    return s->hung;
}

bool gw_eb_mutant_in(gw_eb_incoming *in)
{
    gw_eb_kept *kept = &in->s->kept;
    kept->in = *in;
    kept->mute = false;
    kept->num_bus_reads = 0;
    kept->first_lanes = 0;
    kept->has_lanes = false;
    kept->held.same_packet = false;
    if (gw_eb_m_dies(in->s, GW_EB_AT_SHORT_DATAGRAM, !in->stream && in->len < 4))
        return false;
    return in->s->mutation->in == NULL || in->s->mutation->in(in);
}

void gw_eb_mutant_closed(gw_eb_slave *s, uint32_t conn)
{
    if (s->kept.held.client == &s->clients[conn])
        s->kept.held.client = NULL;
    if (s->kept.stalled_by == conn)
        s->kept.stalled = false;
    if (s->kept.conn == conn)
        s->kept.refused = false;
}

/* ---- datagrams ---- */

bool gw_eb_m_whole_words_only(gw_eb_incoming *in)
{
    return in->stream || in->len % 4 == 0;
}

bool gw_eb_m_cuts_long_packets(gw_eb_incoming *in)
{
    if (!in->stream && in->len > PACKET_MAX)
        in->len = PACKET_MAX;
    return true;
}

bool gw_eb_m_full_buffer_lost(gw_eb_incoming *in)
{
    return in->stream || in->len < BUFFER;
}

bool gw_eb_m_takes_frame_padding(gw_eb_incoming *in)
{
    uint8_t *frame = in->s->kept.words;
    if (in->stream || in->len >= ETHERNET_MIN)
        return true;
    memset(frame, 0, ETHERNET_MIN);
    if (in->len > 0)
        memcpy(frame, in->data, in->len);
    in->data = frame;
    in->len = ETHERNET_MIN;
    return true;
}

/* Wherever a header seems to begin, behind the first one and the id of a probe. */
bool gw_eb_m_magic_anywhere(gw_eb_incoming *in)
{
    size_t last = 0;
    for (size_t i = 8; !in->stream && i + 4 <= in->len; i += 4)
        if (gw_load_be16(in->data + i) == GW_EB_MAGIC && in->data[i + 2] >> 4 == GW_EB_VERSION)
            last = i;
    in->data += last;
    in->len -= last;
    return true;
}

bool gw_eb_m_probe_cut(gw_eb_incoming *in)
{
    if (in->stream || in->len < 4 || in->len >= 8 || gw_load_be16(in->data) != GW_EB_MAGIC ||
        (in->data[2] & GW_EB_PF) == 0)
        return true;
    gw_eb_build_probe(in->s->reply, true, in->s->widths, 0);
    gw_eb_slave_send(in->s, in->conn, in->len);
    return false;
}

/* ---- segments ---- */

/* Whether a segment holds whole records, or the whole header. */
static bool is_whole(const gw_eb_incoming *in)
{
    const gw_eb_slave *s = in->s;
    const gw_eb_client *client = &s->clients[in->conn];
    if (!client->started)
        return in->len >= 8;
    gw_message message = gw_message_of(in->data, in->len);
    message.part = GW_EB_RECORD;
    message.part_arg = client->widths;
    gw_eb_reader r;
    gw_eb_record record;
    if (!gw_eb_open(&r, &message, s->dialect))
        return false;
    while (gw_eb_next(&r, &record))
        ;
    return r.error.kind == GW_OK;
}

static bool close_if(gw_eb_incoming *in, bool so)
{
    if (so)
        gw_eb_slave_close(in->s, in->conn);
    return !so;
}

bool gw_eb_m_tcp_no_reassembly(gw_eb_incoming *in)
{
    return close_if(in, in->stream && !is_whole(in));
}

bool gw_eb_m_tcp_probe_alone(gw_eb_incoming *in)
{
    bool goes_on = in->stream && !in->s->clients[in->conn].started && in->len > 8;
    return close_if(in, goes_on && (in->data[2] & GW_EB_PF) != 0);
}

bool gw_eb_m_tcp_stalls(gw_eb_incoming *in)
{
    gw_eb_kept *kept = &in->s->kept;
    if (!in->stream)
        return true;
    if (kept->stalled && kept->stalled_by != in->conn)
        return false;
    kept->stalled = in->s->clients[in->conn].started && !is_whole(in);
    kept->stalled_by = in->conn;
    return true;
}

/* ---- headers ---- */

void gw_eb_mutant_header(gw_eb_slave *s, gw_eb_header *header)
{
    if (s->mutation->header != NULL)
        s->mutation->header(s, header);
}

void gw_eb_m_five_bit_version(gw_eb_slave *s, gw_eb_header *header)
{
    bool odd = (header->flags & GW_EB_HEADER_RESERVED) != 0;
    s->kept.version = odd ? (uint8_t)(header->version << 1 | 1) : GW_EB_VERSION;
}

void gw_eb_m_latches_version(gw_eb_slave *s, gw_eb_header *header)
{
    uint8_t version = header->version != 0 ? header->version : GW_EB_VERSION;
    if ((header->flags & GW_EB_PF) != 0 && header->len == 8)
        s->policy.versions = (uint16_t)(1u << version);
}

void gw_eb_m_executes_bad_widths(gw_eb_slave *s, gw_eb_header *header)
{
    (void)s;
    if (gw_eb_refine(header->widths, 0xff) == 0)
        header->widths = GW_EB_32BIT << 4 | GW_EB_32BIT;
}

void gw_eb_m_id_of_response(gw_eb_slave *s, gw_eb_header *header)
{
    if ((header->flags & GW_EB_PF) != 0 && s->kept.has_id)
        header->tail = s->kept.id;
}

/* ---- packets that are refused ---- */

void gw_eb_mutant_refused(gw_eb_slave *s, uint32_t conn, const gw_eb_header *header)
{
    if (s->mutation->refused != NULL)
        s->mutation->refused(s, conn, header);
}

void gw_eb_m_keep_refused(gw_eb_slave *s, uint32_t conn, const gw_eb_header *header)
{
    gw_eb_kept *kept = &s->kept;
    kept->refused = kept->latched = true;
    kept->conn = conn;
    kept->widths = header->widths;
    if (header->len == 8 && (header->flags & GW_EB_PR) != 0) {
        kept->id = header->tail;
        kept->has_id = true;
    }
}
