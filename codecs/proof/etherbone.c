/* SPDX-License-Identifier: BSD-2-Clause */
/* What EtherBone's reader of records promises, for every length: a record is in the bytes that it
 * was taken from, with all of its words and addresses; and that judging one reads nothing beside
 * these. WP, of Frama-C, proves that. */
#include "etherbone/check.h"
#include "proof/contracts.c"

/*@ // Units are no shorter than what is in them, and no longer than 8 bytes.
  @ predicate is_unit(integer bytes) = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
  @ predicate fits(gw_eb_layout *l) =
  @     4 <= l->record_header <= 8 && is_unit(l->addr_unit) && is_unit(l->data_unit) &&
  @     1 <= l->addr_bytes <= l->addr_unit && 1 <= l->data_bytes <= l->data_unit;
  @ predicate holds(uint8_t *units, integer num, integer unit) =
  @     num > 0 ==> \valid_read(units + (0 .. num * unit - 1));
  @ predicate has_base(gw_eb_record *r, gw_eb_layout *l) =
  @     r->wcount > 0 ==> holds(r->writes - l->addr_unit, 1, l->addr_unit);
  @ // All that a record has is there to be read.
  @ predicate whole(gw_eb_record *r, gw_eb_layout *l) =
  @     has_base(r, l) && holds(r->writes, r->wcount, l->data_unit) &&
  @     holds(r->reads, r->rcount, l->addr_unit); */

/* ---- reading records ---- */

/*@ requires \valid_read(layout) && fits(layout);
  @ assigns \nothing;
  @ ensures \result == layout->record_header +
  @         (wcount > 0 ? layout->addr_unit + wcount * layout->data_unit : 0) +
  @         (rcount > 0 ? layout->addr_unit + rcount * layout->addr_unit : 0); */
static inline uint32_t gw_eb_record_len(const gw_eb_layout *layout, uint8_t wcount, uint8_t rcount);

/*@ requires \valid(reader);
  @ assigns reader->error; */
void gw_eb_next_slow(gw_eb_reader *reader);

/*@ assigns \nothing; */
uint8_t gw_eb_flags_swap(uint8_t flags);

/*@ requires 1 <= len <= 8 && \valid_read(p + (0 .. len - 1));
  @ assigns \nothing; */
static inline uint64_t gw_eb_number(const uint8_t *p, size_t len);

/*@ requires \valid(c) && stands(c) && \valid_read(layout) && fits(layout);
  @ requires \separated(c, layout);
  @ assigns c->p;
  @ ensures stands(c) && c->end == \old(c->end) && c->base == \old(c->base);
  @ ensures !\result ==> c->p == \old(c->p);
  @ ensures \result ==> \valid_read(\old(c->p) + (0 .. c->p - \old(c->p) - 1)) &&
  @         c->p - \old(c->p) == layout->record_header +
  @             (\old(c->p)[2] > 0 ? layout->addr_unit + \old(c->p)[2] * layout->data_unit : 0) +
  @             (\old(c->p)[3] > 0 ? layout->addr_unit + \old(c->p)[3] * layout->addr_unit : 0); */
static inline bool gw_eb_take_record(gw_cursor *c, const gw_eb_layout *layout);

/*@ requires \valid(reader) && \valid(record) && \separated(reader, record);
  @ requires stands(&reader->c) && (reader->has_layout ==> fits(&reader->layout));
  @ requires \separated(reader->c.p + (0 .. reader->c.end - reader->c.p - 1), record);
  @ requires \separated(reader->c.p + (0 .. reader->c.end - reader->c.p - 1), reader);
  @ assigns reader->c.p, reader->error, *record;
  @ ensures \result ==> has_base(record, &reader->layout);
  @ ensures \result ==> holds(record->writes, record->wcount, reader->layout.data_unit);
  @ ensures \result ==> holds(record->reads, record->rcount, reader->layout.addr_unit); */
static inline bool gw_eb_next(gw_eb_reader *reader, gw_eb_record *record);

/*@ requires \valid_read(layout) && fits(layout) && \valid_read(record) && whole(record, layout);
  @ requires i < record->wcount;
  @ assigns \nothing; */
static inline uint64_t gw_eb_write_value(const gw_eb_layout *layout, const gw_eb_record *record,
                                         unsigned i);

/*@ requires \valid_read(layout) && fits(layout) && \valid_read(record) && whole(record, layout);
  @ requires i < record->rcount;
  @ assigns \nothing; */
static inline uint64_t gw_eb_read_addr(const gw_eb_layout *layout, const gw_eb_record *record,
                                       unsigned i);

/* ---- judging one ---- */

/*@ assigns \nothing; */
const gw_field *gw_eb_field(int id);

/*@ requires \valid(c);
  @ assigns c->reply; */
bool gw_eb_check_is_reply(gw_eb_checking *c);

/*@ requires \valid(c);
  @ assigns c->reply; */
bool gw_eb_check_may_be_reply(gw_eb_checking *c);

/*@ requires \valid(c);
  @ assigns c->reply; */
enum gw_eb_rule_place gw_eb_check_rule(gw_eb_checking *c, enum gw_eb_rule_place master,
                                       enum gw_eb_rule_place slave);

/*@ requires \valid(c);
  @ assigns c->reply; */
bool gw_eb_check_value(gw_eb_checking *c, enum gw_eb_rule_place master, enum gw_eb_rule_place slave,
                       int field, uint32_t start, uint64_t value);

/*@ assigns \nothing; */
bool gw_eb_byte_enable_valid(uint8_t byte_enable, uint8_t port_bytes);

/*@ assigns \nothing; */
static inline void gw_eb_report(const gw_judge *judge, enum gw_eb_rule_place rule, int field,
                                uint32_t start, const char *text, const uint64_t *numbers);

/*@ requires is_unit(unit) && 1 <= width <= unit && holds((uint8_t *)units, num, unit);
  @ assigns \nothing;
  @ ensures \result <= num; */
static unsigned first_dirty(const uint8_t *units, unsigned num, size_t unit, size_t width);

/*@ predicate judged(gw_eb_checking *c, gw_eb_record *r) =
  @     \valid(c) && \valid_read(r) && \separated(c, r) && fits(&c->reader.layout) &&
  @     whole(r, &c->reader.layout); */

/*@ requires \valid_read(l) && fits(l);
  @ assigns \nothing; */
static uint8_t all_lanes(const gw_eb_layout *l);

/*@ requires \valid_read(l) && fits(l);
  @ assigns \nothing;
  @ ensures 1 <= \result <= l->addr_unit; */
static size_t addr_width(const gw_eb_layout *l, bool config);

/*@ requires judged(c, record);
  @ assigns c->reply; */
static void judge_byte_enable(gw_eb_checking *c, const gw_eb_record *record);

/*@ requires judged(c, record);
  @ assigns \nothing; */
static uint32_t read_offset(const gw_eb_checking *c, const gw_eb_record *record, unsigned i);

/*@ requires judged(c, record);
  @ assigns c->reply; */
static void judge_config_reads(gw_eb_checking *c, const gw_eb_record *record);

/*@ requires judged(c, record);
  @ assigns c->reply; */
static void judge_padding(gw_eb_checking *c, const gw_eb_record *record);

/*@ requires judged(c, record);
  @ assigns c->reply, c->reads, c->last_open, c->last_offset; */
void gw_eb_check_record(gw_eb_checking *c, const gw_eb_record *record);

#include "etherbone/check_record.c"
