/* SPDX-License-Identifier: BSD-2-Clause */
/* What mutants do to records, before they are executed and behind the last one. */
#include <string.h>

#include "formats/etherbone/slave/mutants/mutants.h"

#define WORDS_MAX 128 /* of one record that a mutant can take */
#define QUEUE 4       /* records that read, of one packet that m-end-is-cut can take */

static bool is_empty(const gw_eb_record *record)
{
    return record->wcount == 0 && record->rcount == 0;
}

static bool has_reserved(const gw_eb_record *record)
{
    return (record->flags & (GW_EB_RESERVED_10 | GW_EB_RESERVED_01)) != 0;
}

/* Whether |record| has reserved bits, and comes right behind one that only read, and that behind
 * one that only wrote. */
static bool is_third(gw_eb_kept *kept, const gw_eb_record *record)
{
    bool third = kept->trail == 2 && has_reserved(record);
    bool writes = record->wcount > 0 && record->rcount == 0;
    bool reads = record->rcount > 0 && record->wcount == 0;
    kept->trail = writes ? 1 : reads && kept->trail == 1 ? 2 : 0;
    return third;
}

bool gw_eb_mutant_next(gw_eb_job job)
{
    const gw_eb_mutation *m = job.s->mutation;
    if (!gw_eb_next(job.r, job.record)) {
        (void)gw_eb_m_dies(job.s, GW_EB_AT_HEADER_ALONE, job.r->len == 0);
        (void)gw_eb_m_dies(job.s, GW_EB_AT_CUT_RECORD, job.r->error.kind != GW_OK);
        return m->end != NULL && m->end(&job);
    }
    if (gw_eb_m_dies(job.s, GW_EB_AT_EMPTY_RECORD, is_empty(job.record)) ||
        gw_eb_m_dies(job.s, GW_EB_AT_DEEP_RECORD, job.record->rcount > WORDS_MAX) ||
        gw_eb_m_dies(job.s, GW_EB_AT_RESERVED_THIRD, is_third(&job.s->kept, job.record)))
        return false;
    gw_eb_patch_byte(&job.record->flags, m->record_patch);
    return m->record == NULL || m->record(&job);
}

/* ---- where a packet ends ---- */

bool gw_eb_m_refuses_reserved_record(gw_eb_job *job)
{
    return job->client->stream != NULL || !has_reserved(job->record);
}

bool gw_eb_m_second_record_lost(gw_eb_job *job)
{
    return job->client->stream != NULL || job->record->offset == 0;
}

bool gw_eb_m_empty_ends_packet(gw_eb_job *job)
{
    bool plain = (job->record->flags & ~(unsigned)GW_EB_CYC) == 0 && job->record->byte_enable == 0;
    return job->client->stream != NULL || !is_empty(job->record) || plain;
}

bool gw_eb_m_end_is_cut(gw_eb_job *job)
{
    job->s->kept.num_bus_reads += job->record->rcount > 0 && (job->record->flags & GW_EB_RCA) == 0;
    bool full = job->s->kept.num_bus_reads == QUEUE && job->client->stream == NULL;
    return !full || gw_cursor_left(&job->r->c) > 0;
}

/* As many words as have come are written, and nothing is read. */
bool gw_eb_m_executes_truncated(gw_eb_job *job)
{
    uint8_t *whole = job->s->kept.words;
    const gw_eb_layout *layout = &job->r->layout;
    size_t left = job->r->len - gw_cursor_offset(&job->r->c);
    if (job->r->error.kind == GW_OK || left < layout->record_header ||
        left > sizeof(job->s->kept.words))
        return false;
    memset(whole, 0, sizeof(job->s->kept.words));
    memcpy(whole, job->r->c.p, left);
    size_t words = (left - layout->record_header) / layout->data_unit;
    if (words < 2)
        return false;
    whole[0] &= (uint8_t)~GW_EB_CYC; /* the packet ends here, and the cycle with it */
    whole[2] = (uint8_t)(words - 1 < whole[2] ? words - 1 : whole[2]);
    whole[3] = 0;
    gw_message message = gw_message_of(whole, sizeof(job->s->kept.words));
    message.part = GW_EB_RECORD;
    message.part_arg = layout->widths;
    job->r->error.kind = GW_OK;
    job->r->len = gw_cursor_offset(&job->r->c);
    gw_eb_reader again;
    return gw_eb_open(&again, &message, job->s->dialect) && gw_eb_next(&again, job->record);
}

/* ---- flags ---- */

bool gw_eb_m_wff_stays(gw_eb_job *job)
{
    job->record->flags |= job->s->kept.cut_flags & GW_EB_WFF;
    job->s->kept.cut_flags = 0;
    return true;
}

bool gw_eb_m_keep_cut_flags(gw_eb_job *job)
{
    if (job->r->error.kind != GW_OK)
        job->s->kept.cut_flags = job->r->len > gw_cursor_offset(&job->r->c) ? job->r->c.p[0] : 0;
    return false;
}

/* ---- words and addresses ---- */

/* Copies |num| units of the record's, to be changed. */
static uint8_t *copy(gw_eb_job *job, const uint8_t **units, unsigned num, size_t unit)
{
    if (num > 0)
        memcpy(job->s->kept.words, *units, num * unit);
    *units = job->s->kept.words;
    return job->s->kept.words;
}

bool gw_eb_m_reads_reordered(gw_eb_job *job)
{
    size_t unit = job->r->layout.addr_unit;
    const uint8_t *from = job->record->reads;
    uint8_t *to = copy(job, &job->record->reads, job->record->rcount, unit);
    for (unsigned i = 0; i < job->record->rcount; i++)
        memcpy(to + (job->record->rcount - 1u - i) * unit, from + i * unit, unit);
    return true;
}

bool gw_eb_m_odd_writes(gw_eb_job *job)
{
    size_t unit = job->r->layout.data_unit;
    uint8_t *words = copy(job, &job->record->writes, job->record->wcount, unit);
    if (job->record->wcount > 1 && job->record->wcount % 2 == 1)
        memcpy(words + (job->record->wcount - 1u) * unit, words + (job->record->wcount - 2u) * unit,
               unit);
    return true;
}

/* A ring without a guard: later words lie over the first ones. */
bool gw_eb_m_deep_record_mangled(gw_eb_job *job)
{
    size_t unit = job->r->layout.data_unit;
    uint8_t *words = copy(job, &job->record->writes, job->record->wcount, unit);
    for (unsigned i = WORDS_MAX; i < job->record->wcount; i++)
        memcpy(words + (i - WORDS_MAX) * unit, words + i * unit, unit);
    return true;
}

/* ---- what is executed, and when ---- */

static void execute_writes(gw_eb_slave *s, gw_eb_client *client, const gw_eb_layout *layout,
                           gw_eb_record record)
{
    record.rcount = 0;
    record.flags &= (uint8_t)~GW_EB_CYC;
    gw_eb_execute(s, client, layout, &record, NULL);
}

bool gw_eb_m_writes_twice(gw_eb_job *job)
{
    if (job->record->rcount > 0)
        execute_writes(job->s, job->client, &job->r->layout, *job->record);
    return true;
}

void gw_eb_m_execute_held(gw_eb_slave *s)
{
    gw_eb_held *held = &s->kept.held;
    if (held->client != NULL)
        execute_writes(s, held->client, &held->layout, held->record);
    held->client = NULL;
    held->overtaken = false;
}

/* A write waits until something comes that cannot overtake it. */
bool gw_eb_m_posted_writes(gw_eb_job *job)
{
    gw_eb_held *held = &job->s->kept.held;
    gw_eb_record *record = job->record;
    bool may_overtake = record->wcount == 0 && record->rcount == 1 && !held->same_packet;
    if (held->client != NULL && may_overtake && !held->overtaken)
        held->overtaken = true;
    else
        gw_eb_m_execute_held(job->s);
    if (record->wcount != 1 || record->rcount > 0 || (record->flags & GW_EB_WCA) != 0)
        return true;
    *held = (gw_eb_held){
        .client = job->client, .layout = job->r->layout, .record = *record, .same_packet = true};
    memcpy(held->word, record->writes, job->r->layout.data_unit);
    held->record.writes = held->word;
    record->wcount = 0;
    return true;
}

/* ---- what accesses ask for ---- */

bool gw_eb_m_first_lanes(gw_eb_job *job)
{
    if (job->s->kept.first_lanes == 0)
        job->s->kept.first_lanes = job->record->byte_enable;
    return true;
}
