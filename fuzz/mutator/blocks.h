/* SPDX-License-Identifier: BSD-2-Clause */
/* A capture in pcapng (draft-ietf-opsawg-pcapng) as a sequence of its packets, and back. */
#ifndef MUTATOR_BLOCKS_H
#define MUTATOR_BLOCKS_H

#include "goldwire/sequence.h"

enum { GW_BLOCKS_MAX = 512 };

/* gw_block is a block of a capture, which borrows its bytes. Of a packet, an enhanced packet block
 * that holds what it says, |frame| has |frame_len| bytes; of any other it is NULL. */
typedef struct gw_block {
    const uint8_t *bytes;
    const uint8_t *frame;
    uint32_t len;
    uint32_t frame_len;
    uint32_t interface;
    uint16_t link_type; /* of the interface */
    bool big;           /* most significant byte first */
} gw_block;

/* gw_blocks are those of one capture or two: an event's tag is its block's number. */
typedef struct gw_blocks {
    gw_block all[2 * GW_BLOCKS_MAX];
    uint32_t num;
} gw_blocks;

/* gw_blocks_apart adds the blocks of the |len| bytes at |data| to |b|, as far as they are whole,
 * and returns them as events in the GW_BLOCKS_MAX places at |events|: a packet's frame, with its
 * interface and the time since the packet before; of anything else the whole block. What stands
 * before the first packet is no event: these are *|lead| bytes. */
gw_sequence gw_blocks_apart(gw_blocks *b, const uint8_t *data, size_t len,
                            gw_sequence_event *events, size_t *lead);

/* gw_blocks_together writes the |lead| bytes at |data|, and then the events of |s|, to |out|: all
 * that fit into |cap| bytes. A packet gets the header of the block that its tag names, with its
 * interface, time and lengths put right, and no options. Returns the length. */
size_t gw_blocks_together(const gw_blocks *b, const gw_sequence *s, const uint8_t *data,
                          size_t lead, uint8_t *out, size_t cap);

#endif
