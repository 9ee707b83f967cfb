/* SPDX-License-Identifier: BSD-2-Clause */
/* What mutants do to what goes out. */
#include <string.h>

#include "formats/etherbone/slave/mutants.h"

/* ---- probe responses ---- */

size_t gw_eb_mutant_probe(const gw_eb_slave *s, uint8_t response[16])
{
    return s->mutation->probe != NULL ? s->mutation->probe(s, response) : 8;
}

size_t gw_eb_m_wrong_probe_id(const gw_eb_slave *s, uint8_t response[16])
{
    (void)s;
    gw_store_be(response + 4, gw_load_be32(response + 4) + 1, 4);
    return 8;
}

/* m-short-probe-response, m-long-probe-response, m-ignores-probes */
size_t gw_eb_m_probe_length(const gw_eb_slave *s, uint8_t response[16])
{
    (void)response;
    return s->mutation->arg;
}

/* m-no-pr, m-probe-without-nr */
size_t gw_eb_m_probe_flag(const gw_eb_slave *s, uint8_t response[16])
{
    response[2] ^= (uint8_t)s->mutation->arg;
    return 8;
}

size_t gw_eb_m_no_capabilities(const gw_eb_slave *s, uint8_t response[16])
{
    (void)s;
    response[3] = 0;
    return 8;
}

/* m-five-bit-version */
size_t gw_eb_m_probe_version(const gw_eb_slave *s, uint8_t response[16])
{
    response[2] = (uint8_t)(s->kept.version << 4 | (response[2] & 15));
    return 8;
}

/* ---- how often it is sent, and to whom ---- */

unsigned gw_eb_mutant_send(gw_eb_slave *s, gw_eb_outgoing *out)
{
    return s->mutation->send != NULL ? s->mutation->send(s, out) : 1;
}

unsigned gw_eb_m_answers_stale(gw_eb_slave *s, gw_eb_outgoing *out)
{
    gw_eb_mutant_state *kept = &s->kept;
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

unsigned gw_eb_m_replies_to_first_client(gw_eb_slave *s, gw_eb_outgoing *out)
{
    if (!s->kept.has_first_client)
        s->kept.first_client = out->conn;
    s->kept.has_first_client = true;
    out->conn = s->kept.first_client;
    return 1;
}

unsigned gw_eb_m_answers_twice(gw_eb_slave *s, gw_eb_outgoing *out)
{
    return out->probe || s->clients[out->conn].stream != NULL ? 1 : 2;
}
