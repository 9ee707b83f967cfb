/* SPDX-License-Identifier: BSD-2-Clause */
/* A ring on disk of what was sent last: whatever ends goldwire, or this machine, the packets that
 * went out before are there.
 *
 * The file is a page with a header and then a ring of records, in this machine's byte order: it is
 * read where it was written. A record is written before its packet is sent. */
#ifndef GOLDWIRE_CAMPAIGN_RING_JOURNAL_H
#define GOLDWIRE_CAMPAIGN_RING_JOURNAL_H

#include "campaign/shots.h"

#define GW_JOURNAL_FILE "sent.ring"
#define GW_JOURNAL_EARLIER "earlier.ring"
#define GW_JOURNAL_BYTES ((size_t)16 << 20)

typedef struct gw_journal gw_journal;

/* gw_journal_create makes |dir|/sent.ring, in the place of an earlier one, which becomes
 * |dir|/earlier.ring if the board was not seen well after all that is in it. NULL with a text in
 * |why|. */
gw_journal *gw_journal_create(const char *dir, char *why, size_t why_cap);

/* gw_journal_put puts |num| shots of |shots| from |first| on into the ring. There they outlive this
 * process, and the machine when the ring is flushed next. */
void gw_journal_put(gw_journal *journal, const gw_shots *shots, size_t first, size_t num);

/* gw_journal_flush has all that is in the ring on the disk when it returns. False with a text in
 * |why|. */
GW_MUST_USE bool gw_journal_flush(gw_journal *journal, char *why, size_t why_cap);

/* gw_journal_write does both: what it puts is on the disk when it returns. False with a text in
 * |why|. */
GW_MUST_USE bool gw_journal_write(gw_journal *journal, const gw_shots *shots, size_t first,
                                  size_t num, char *why, size_t why_cap);

/* gw_journal_settle notes that the board was well after all that was written until now. */
void gw_journal_settle(gw_journal *journal);

/* gw_journal_close closes the file, which stays; NULL is allowed. */
void gw_journal_close(gw_journal *journal);

/* gw_journal_read reads |dir|/|name| into |out|, oldest first, and says how many of the last
 * shots the board was not seen well after. False with a text in |why|; |why| stays "" when there is
 * no such file. */
GW_MUST_USE bool gw_journal_read(gw_shots *out, size_t *unsettled, const char *dir,
                                 const char *name, char *why, size_t why_cap);

#endif
