/* SPDX-License-Identifier: BSD-2-Clause */
/* The steps of an EtherBone conversation, whatever was before: memory holds any state that keeps
 * its ranges, and does so behind each. So it holds for any number of records, messages and times.
 */
#include "etherbone/session/session.c"
#include "proof/session.h"

static uint64_t memory[MIN_SIZE / 8];
static gw_eb_sessions *const s = (gw_eb_sessions *)memory;

static uint32_t any_number(void)
{
    return (uint32_t)Frama_C_interval(0, MIN_ENTRIES);
}

static void put_any_entry(gw_eb_wait *wait)
{
    wait->chain_next = any_number();
    wait->chain_prev = any_number();
    wait->list_next = any_number();
    wait->list_prev = any_number();
    wait->state = (uint8_t)Frama_C_interval(0, GW_EB_WAIT_FREE);
    wait->asked.dialect = any_dialect();
    wait->asked.slot = (uint8_t)Frama_C_interval(0, GW_EB_SLOTS - 1);
    wait->asked.quiet = any_bool();
    wait->asked.broadcast = any_bool();
    wait->suspect.noted = any_bool();
    wait->suspect.surely = any_bool();
    wait->suspect.is_request = any_bool();
    wait->list = (uint8_t)Frama_C_interval(0, GW_EB_NUM_LISTS - 1);
    wait->unsure = any_bool();
    wait->repeated = any_bool();
    wait->num_breaches = (uint8_t)Frama_C_interval(0, GW_EB_MAX_BREACHES);
    for (size_t i = 0; i < GW_EB_MAX_BREACHES; i++)
        wait->breaches[i].kind = (uint8_t)Frama_C_interval(0, GW_EB_BREACH_ZEROS);
}

/* Places are those that there are; all else is any. */
static void put_any_state(void)
{
    gw_eb_table table = s->table;

    Frama_C_make_unknown((char *)memory, sizeof memory);
    s->table = table;
    s->table.used = any_number();
    s->table.free = any_number();
    for (size_t i = 0; i < GW_EB_NUM_LISTS; i++)
        s->table.lists[i] = (gw_eb_ends){any_number(), any_number()};
    for (size_t i = 0; i < MIN_ENTRIES; i++) {
        s->table.buckets[i] = (gw_eb_ends){any_number(), any_number()};
        put_any_entry(&s->table.entries[i]);
    }
    s->started = any_bool();
    for (size_t i = 0; i < GW_EB_SLOTS; i++) {
        s->courses[i].reused = any_bool();
        s->courses[i].troubled = any_bool();
        s->agreements[i].known = any_bool();
    }
}

static void look_at_entry(const gw_eb_wait *wait)
{
    //@ assert chain: wait->chain_next <= MIN_ENTRIES && wait->chain_prev <= MIN_ENTRIES;
    //@ assert links: wait->list_next <= MIN_ENTRIES && wait->list_prev <= MIN_ENTRIES;
    //@ assert state: wait->state <= GW_EB_WAIT_FREE;
    //@ assert slot: wait->asked.slot < GW_EB_SLOTS;
    //@ assert list: wait->list < GW_EB_NUM_LISTS;
    //@ assert breaches: wait->num_breaches <= GW_EB_MAX_BREACHES;
    for (size_t i = 0; i < GW_EB_MAX_BREACHES; i++) {
        //@ assert kind: wait->breaches[i].kind <= GW_EB_BREACH_ZEROS;
    }
    look_at_dialect(wait->asked.dialect);
    seen = wait->asked.quiet + wait->asked.broadcast + wait->unsure + wait->repeated;
    seen = wait->suspect.noted + wait->suspect.surely + wait->suspect.is_request;
}

/* What put_any_state takes for granted: a bool that is none is an alarm. */
static void look_at_state(void)
{
    const gw_eb_table *t = &s->table;

    //@ assert capacity: t->capacity == MIN_ENTRIES && t->bucket_mask == MIN_ENTRIES - 1;
    //@ assert used: t->used <= MIN_ENTRIES && t->free <= MIN_ENTRIES;
    for (size_t i = 0; i < GW_EB_NUM_LISTS; i++) {
        //@ assert ends: t->lists[i].first <= MIN_ENTRIES && t->lists[i].last <= MIN_ENTRIES;
    }
    for (size_t i = 0; i < MIN_ENTRIES; i++) {
        //@ assert bucket: t->buckets[i].first <= MIN_ENTRIES && t->buckets[i].last <= MIN_ENTRIES;
        look_at_entry(&t->entries[i]);
    }
    seen = s->started;
    for (size_t i = 0; i < GW_EB_SLOTS; i++)
        seen = s->courses[i].reused + s->courses[i].troubled + s->agreements[i].known;
}

/* Memory of nobody yet holds no entry. */
static void start(void)
{
    if (!FORMAT.session->init(memory, sizeof memory, (int64_t)any_u64()))
        return;
    //@ assert fresh: s->table.used == 0 && s->table.free == 0;
    put_any_state();
}

static gw_eb_wait *any_entry(void)
{
    return any_bool() ? NULL : &s->table.entries[Frama_C_interval(0, MIN_ENTRIES - 1)];
}

/* A message anywhere on its way: whatever its records before this one were. */
static gw_eb_feeding any_feeding(const gw_message *message, const gw_dialect *dialect)
{
    gw_eb_feeding f;

    Frama_C_make_unknown((char *)&f, sizeof f);
    f.s = s;
    f.m = message;
    f.dialect = dialect;
    f.sink = &verdicts;
    f.reader.has_header = any_bool();
    f.from_service = any_bool();
    f.surely_reply = any_bool();
    f.has_stray = any_bool();
    f.counted_repeat = any_bool();
    f.told_repeat = any_bool();
    f.disagrees = any_bool();
    f.answered = any_entry();
    f.mixed = any_bool();
    f.zero_filled = any_bool();
    f.displaced = any_entry();
    return f;
}

/* Of a record the session takes all but its words. */
static gw_eb_record any_record(void)
{
    return (gw_eb_record){.write_base = any_u64(),
                          .return_base = any_u64(),
                          .offset = any_u32(),
                          .len = any_u32(),
                          .padding = any_u32(),
                          .flags = any_u8(),
                          .byte_enable = any_u8(),
                          .wcount = any_u8(),
                          .rcount = any_u8()};
}

static void look_at_place(const gw_eb_wait *wait)
{
    if (wait == NULL)
        return;
    ptrdiff_t at = wait - s->table.entries;
    //@ assert place: 0 <= at < MIN_ENTRIES;
    seen = (uint64_t)at;
}

/* What any_feeding takes for granted. */
static void look_at_feeding(const gw_eb_feeding *f)
{
    look_at_place(f->answered);
    look_at_place(f->displaced);
}

static void take_record(const gw_message *message, const gw_dialect *dialect)
{
    start();
    gw_eb_feeding f = any_feeding(message, dialect);
    gw_eb_record record = any_record();

    f.reader.has_layout = gw_eb_layout_for(&f.reader.layout, any_u8(), dialect);
    if (!f.reader.has_layout)
        return;
    gw_eb_feed_record(&f, &record);
    look_at_state();
    look_at_feeding(&f);
}

void proof_record(void)
{
    over_any(take_record);
}

/* What else comes of a message: a probe or its response, a reply that cannot be read as it is, and
 * what is told at its end. */
static void take_rest(const gw_message *message, const gw_dialect *dialect)
{
    start();
    gw_eb_feeding f = any_feeding(message, dialect);
    int what = Frama_C_interval(0, 3);

    //@ split what;
    f.reader.has_layout = gw_eb_layout_for(&f.reader.layout, any_u8(), dialect);
    if (what == 0)
        (void)gw_eb_feed_otherwise(&f);
    else if (what == 1)
        finish(&f);
    else if (what == 2)
        (void)gw_eb_feed_unmarked_response(&f);
    else
        feed_head(&f);
    look_at_state();
    look_at_feeding(&f);
}

void proof_rest(void)
{
    over_any(take_rest);
}

void proof_advance(void)
{
    start();
    FORMAT.session->advance(memory, (int64_t)any_u64(), &verdicts);
    look_at_state();
}

void proof_end(void)
{
    start();
    FORMAT.session->end(memory, &verdicts);
    look_at_state();
}
