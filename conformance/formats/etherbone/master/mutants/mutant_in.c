/* SPDX-License-Identifier: BSD-2-Clause */
/* What mutants do to what comes in: probe responses and replies. */
#include <string.h>

#include "formats/etherbone/master/mutants/mutants.h"

/* ---- datagrams ---- */

gw_message gw_eb_master_mutant_in(gw_eb_master *m, const uint8_t *data, size_t len)
{
    bool whole_header = len >= 4 && len < sizeof(m->kept.copy) - 8;

    if (m->mutation->in == NULL || !whole_header)
        return gw_message_of(data, len);
    memset(m->kept.copy, 0, sizeof(m->kept.copy));
    memcpy(m->kept.copy, data, len);
    len = m->mutation->in(m, m->kept.copy, len);
    return gw_message_of(m->kept.copy, len);
}

/* A header register that packets of both directions share. */
size_t gw_eb_w_note_header(gw_eb_master *m, uint8_t *data, size_t len)
{
    memcpy(m->kept.header, data, sizeof(m->kept.header));
    return len;
}

static bool is_probe(const uint8_t *data)
{
    return (data[2] & (GW_EB_PR | GW_EB_PF)) != 0;
}

size_t gw_eb_w_any_magic(gw_eb_master *m, uint8_t *data, size_t len)
{
    (void)m;
    if (!is_probe(data)) {
        gw_store_be(data, GW_EB_MAGIC, 2);
        data[2] = (uint8_t)(GW_EB_VERSION << 4 | (data[2] & 15));
    }
    return len;
}

size_t gw_eb_w_takes_cut_replies(gw_eb_master *m, uint8_t *data, size_t len)
{
    size_t unit = m->phase == MASTER_WORKING ? m->layout.data_unit : 1;
    return is_probe(data) || len % unit == 0 ? len : len + unit - len % unit;
}

/* ---- messages ---- */

uint32_t gw_eb_master_mutant_id(const gw_eb_master *m)
{
    return m->mutation->id != NULL ? m->mutation->id(m->probe_id) : m->probe_id;
}

uint32_t gw_eb_w_probe_id_swapped(uint32_t id)
{
    return id << 24 | (id << 8 & 0xff0000) | (id >> 8 & 0xff00) | id >> 24;
}

bool gw_eb_master_mutant_heard(const gw_eb_master_heard *heard)
{
    return heard->m->mutation->heard == NULL || heard->m->mutation->heard(heard);
}

bool gw_eb_w_deaf_after_garbage(const gw_eb_master_heard *heard)
{
    gw_eb_master_kept *kept = &heard->m->kept;
    bool startled = kept->startled;

    if (heard->probe)
        return true;
    kept->startled = !heard->regular && !heard->m->stream;
    return !startled;
}

/* m-shy-after-garbage; a probe is garbage to it, too. */
bool gw_eb_w_note_garbage(const gw_eb_master_heard *heard)
{
    gw_eb_master_kept *kept = &heard->m->kept;

    kept->was_startled = kept->startled;
    kept->startled = heard->probe || (!heard->regular && !heard->m->stream);
    return true;
}

/* ---- records ---- */

gw_eb_master_take gw_eb_master_mutant_reply(const gw_eb_master_heard *heard)
{
    gw_eb_master_reply_filter *filter = heard->m->mutation->reply;
    return filter != NULL ? filter(heard) : GW_EB_TAKE;
}

static bool is_empty(const gw_eb_record *record)
{
    return record->wcount == 0 && record->rcount == 0;
}

gw_eb_master_take gw_eb_w_refuses_zero_fill(const gw_eb_master_heard *heard)
{
    return is_empty(heard->record) ? GW_EB_END : GW_EB_TAKE;
}

gw_eb_master_take gw_eb_w_last_record_only(const gw_eb_master_heard *heard)
{
    return !heard->m->stream && heard->r->c.p < heard->r->c.end ? GW_EB_PASS_OVER : GW_EB_TAKE;
}

gw_eb_master_take gw_eb_w_echoes_strangers(const gw_eb_master_heard *heard)
{
    gw_eb_master *m = heard->m;
    const gw_eb_record *record = heard->record;

    if (record->wcount > 0 && record->rcount == 0 && gw_eb_master_slot(m, record) == NULL &&
        !m->stream)
        m->out->send(m->out, 0, 0, heard->message->data, heard->message->len);
    return GW_EB_TAKE;
}

gw_eb_master_take gw_eb_w_shy_after_garbage(const gw_eb_master_heard *heard)
{
    bool last = heard->m->kept.was_startled && heard->record->wcount > 0;
    return last ? GW_EB_TAKE_AND_END : GW_EB_TAKE;
}

void gw_eb_master_mutant_read(const gw_eb_master_heard *heard)
{
    if (heard->m->mutation->read != NULL)
        heard->m->mutation->read(heard);
}

void gw_eb_w_hangs_on_zeros(const gw_eb_master_heard *heard)
{
    heard->m->hung = heard->m->hung || (is_empty(heard->record) && !heard->m->stream);
}
