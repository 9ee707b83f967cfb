/* SPDX-License-Identifier: BSD-2-Clause */
/* What mutants do to what goes out: whole replies, and whom they are sent to. */
#include <string.h>

#include "formats/etherbone/slave/mutants/mutants.h"

#define BURST_NS 5000 /* from one reply to the next */
#define TOO_LONG 64   /* bytes of m-long-reply */

/* ---- probe responses ---- */

void gw_eb_patch_byte(uint8_t *bytes, gw_eb_patch patch)
{
    bytes[patch.at] = (uint8_t)((bytes[patch.at] & ~patch.clear) ^ patch.flip);
}

void gw_eb_mutant_probe(const gw_eb_slave *s, uint8_t response[8])
{
    gw_eb_patch_byte(response, s->mutation->probe_patch);
    if (s->mutation->probe != NULL)
        s->mutation->probe(s, response);
}

void gw_eb_m_wrong_probe_id(const gw_eb_slave *s, uint8_t response[8])
{
    (void)s;
    gw_store_be(response + 4, gw_load_be32(response + 4) + 1, 4);
}

/* m-five-bit-version */
void gw_eb_m_probe_version(const gw_eb_slave *s, uint8_t response[8])
{
    response[2] = (uint8_t)(s->kept.version << 4 | (response[2] & 15));
}

/* ---- headers of replies ---- */

size_t gw_eb_mutant_reply(gw_eb_slave *s, const gw_eb_reply *reply, size_t len)
{
    if (len > 0 && reply->b.has_header)
        gw_eb_patch_byte(s->reply, s->mutation->header_patch);
    gw_eb_reply_filter *filter = len > 0 ? s->mutation->reply : s->mutation->silence;
    return filter != NULL ? filter(s, reply, len) : len;
}

size_t gw_eb_m_refused_widths_stay(gw_eb_slave *s, const gw_eb_reply *reply, size_t len)
{
    if (reply->b.has_header && s->kept.refused)
        s->reply[3] = s->kept.widths;
    return len;
}

size_t gw_eb_m_dirty_reserved_reply(gw_eb_slave *s, const gw_eb_reply *reply, size_t len)
{
    if (reply->b.has_header)
        s->reply[2] |= reply->request_flags & GW_EB_HEADER_RESERVED;
    return len;
}

size_t gw_eb_m_dirty_padding_reply(gw_eb_slave *s, const gw_eb_reply *reply, size_t len)
{
    if (reply->b.has_header)
        memset(s->reply + 4, GW_EB_M_DIRT, reply->b.layout.header_len - 4u);
    return len;
}

/* ---- the end of replies ---- */

/* As if a cycle were still open. */
size_t gw_eb_m_extra_record(gw_eb_slave *s, const gw_eb_reply *reply, size_t len)
{
    size_t more = reply->b.layout.record_header;
    if (!reply->b.has_header || reply->num_records < 2 || reply->b.w.cap - len < more)
        return len;
    memset(s->reply + len, 0, more);
    s->reply[len] = GW_EB_CYC;
    return len + more;
}

size_t gw_eb_m_long_reply(gw_eb_slave *s, const gw_eb_reply *reply, size_t len)
{
    if (reply->b.w.cap - len < TOO_LONG)
        return len;
    memset(s->reply + len, 0, TOO_LONG);
    return len + TOO_LONG;
}

/* The check sum of the link behind it goes out as well. */
size_t gw_eb_m_tcp_trailer(gw_eb_slave *s, const gw_eb_reply *reply, size_t len)
{
    uint32_t sum = UINT32_MAX;
    if (reply->client->stream == NULL || sizeof(s->reply) - len < sizeof(sum))
        return len;
    for (size_t i = 0; i < len; i++)
        sum -= s->reply[i];
    gw_store_be(s->reply + len, sum, sizeof(sum));
    return len + sizeof(sum);
}

/* ---- when there is nothing to reply ---- */

/* Zeros for as many bytes as came, which only a packet without reads gets. */
size_t gw_eb_m_fills_writes_only(gw_eb_slave *s, const gw_eb_reply *reply, size_t len)
{
    size_t head = reply->b.layout.header_len;
    size_t came = s->kept.in.len;
    if (s->kept.in.stream || (reply->request_flags & GW_EB_NR) != 0 || came <= head)
        return len;
    memset(s->reply + head, 0, came - head);
    return came;
}

size_t gw_eb_m_echoes_odd_writes(gw_eb_slave *s, const gw_eb_reply *reply, size_t len)
{
    if (s->kept.in.stream || (reply->request_flags & GW_EB_HEADER_RESERVED) == 0)
        return len;
    memcpy(s->reply, s->kept.in.data, s->kept.in.len);
    return s->kept.in.len;
}

/* ---- how often it is sent, and to whom ---- */

unsigned gw_eb_mutant_send(gw_eb_outgoing *out)
{
    return out->s->mutation->send != NULL ? out->s->mutation->send(out) : 1;
}

/* What was to be answered last time. */
unsigned gw_eb_m_answers_stale(gw_eb_outgoing *out)
{
    gw_eb_kept *kept = &out->s->kept;
    size_t len = kept->stale_len;
    if (out->probe)
        return 1;
    memcpy(kept->before, kept->stale, len);
    kept->stale_len = out->len < sizeof(kept->stale) ? out->len : sizeof(kept->stale);
    memcpy(kept->stale, out->data, kept->stale_len);
    if (len > 0) {
        out->data = kept->before;
        out->len = len;
    }
    return 1;
}

unsigned gw_eb_m_replies_to_first_client(gw_eb_outgoing *out)
{
    gw_eb_kept *kept = &out->s->kept;
    if (!kept->has_first_client)
        kept->first_client = out->conn;
    kept->has_first_client = true;
    out->conn = kept->first_client;
    return 1;
}

unsigned gw_eb_m_refused_address_stays(gw_eb_outgoing *out)
{
    gw_eb_kept *kept = &out->s->kept;
    out->conn = kept->refused ? kept->conn : out->conn;
    kept->refused = false;
    return 1;
}

/* m-refused-widths-stay */
unsigned gw_eb_m_forget_refused(gw_eb_outgoing *out)
{
    out->s->kept.refused = false;
    return 1;
}

static bool is_datagram(const gw_eb_outgoing *out)
{
    return !out->probe && out->s->clients[out->conn].stream == NULL;
}

unsigned gw_eb_m_answers_twice(gw_eb_outgoing *out)
{
    return is_datagram(out) ? 2 : 1;
}

/* A reply that is due while the one before it is still going out is lost. */
unsigned gw_eb_m_drops_in_burst(gw_eb_outgoing *out)
{
    gw_eb_slave *s = out->s;
    if (!is_datagram(out))
        return 1;
    bool busy = s->kept.has_replied && s->now_ns - s->kept.replied_ns <= BURST_NS;
    s->kept.has_replied = true;
    s->kept.replied_ns = s->now_ns;
    (void)gw_eb_m_dies(s, GW_EB_AT_BURST, busy);
    return busy ? 0 : 1;
}

/* m-silent-errors, m-silent-msi */
unsigned gw_eb_m_unless_mute(gw_eb_outgoing *out)
{
    return out->s->kept.mute && !out->probe ? 0 : 1;
}

/* m-posted-writes */
unsigned gw_eb_m_write_overtaken(gw_eb_outgoing *out)
{
    if (out->s->kept.held.overtaken)
        gw_eb_m_execute_held(out->s);
    return 1;
}
