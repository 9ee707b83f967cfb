/* SPDX-License-Identifier: BSD-2-Clause */
/* Which words of a bus an EtherBone message touches, one at a time. */
#ifndef REPLAY_ACCESS_H
#define REPLAY_ACCESS_H

#include "goldwire/etherbone.h"

/* gw_access_one is one word that is read or written. */
typedef struct gw_access_one {
    uint64_t address;
    unsigned bytes;
    uint8_t lanes; /* that are selected, the lowest byte of the word being lane 0 */
    bool config;   /* in the config space */
} gw_access_one;

/* gw_access_answered finds read number |index| of the record of |request| that reply number
 * |number| answers: records that read nothing get none. False when there is none. */
bool gw_access_answered(gw_access_one *out, const gw_message *request, const gw_dialect *dialect,
                        uint32_t number, uint32_t index);

/* gw_access_read and gw_access_write find read or write number |index| of record |number|. */
bool gw_access_read(gw_access_one *out, const gw_message *request, const gw_dialect *dialect,
                    uint32_t number, uint32_t index);
bool gw_access_write(gw_access_one *out, const gw_message *request, const gw_dialect *dialect,
                     uint32_t number, uint32_t index);

/* gw_access_read_of and gw_access_write_of find the same in a record that has been decoded. */
gw_access_one gw_access_read_of(const gw_eb_layout *layout, const gw_eb_record *record,
                                uint32_t index);
gw_access_one gw_access_write_of(const gw_eb_layout *layout, const gw_eb_record *record,
                                 uint32_t index);

#endif
