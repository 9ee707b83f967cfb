/* SPDX-License-Identifier: BSD-2-Clause */
/* The inputs of fuzz targets that take sequences of any format: what a piece's choice means there.
 * Beside layout.h, which is linked where one format is, and no other. */
#ifndef GOLDWIRE_CRASH_SEQUENCES_H
#define GOLDWIRE_CRASH_SEQUENCES_H

#include "crash/layout.h"

/* gw_captured is a piece of a capture: what of, and how it came. */
typedef struct gw_captured {
    const gw_format *format;
    const gw_link *link; /* NULL: an Ethernet frame, or what |transport| says */
    uint8_t flow;        /* below GW_CAPTURED_FLOWS */
    uint8_t transport;   /* GW_OVER_UDP, GW_OVER_TCP or GW_OVER_NOTHING */
    bool reply;          /* the side that was called sent it */
    bool broken;         /* in fragments, after bytes that are lost, or cut by the capture */
    bool later;          /* long after the one before */
    bool repeated;       /* captured twice */
} gw_captured;

enum { GW_CAPTURED_FLOWS = 4 };

/* gw_captured_of returns what |choice| says of a piece in a capture whose byte of choice is |head|.
 */
gw_captured gw_captured_of(uint8_t head, uint8_t choice);

/* gw_captured_choice is the way back: the choice of a piece that is |c|. A link is the flow that
 * its number in the format's list is; what |format| and |head| say is not in it. */
uint8_t gw_captured_choice(const gw_captured *c);

/* gw_said is what is said to a board in a session. */
typedef struct gw_said {
    int64_t delay_ns; /* that passes before */
    uint8_t link;     /* of the board; taken modulo how many it has */
    uint8_t client;   /* on that link, 0 or 1 */
    bool ends;        /* the client leaves behind it */
} gw_said;

/* gw_said_of returns what |choice| says of a piece of a session. */
gw_said gw_said_of(uint8_t choice);

/* The bit of a choice that |ends| is. */
enum { GW_SAID_ENDS = 0x10 };

/* gw_said_choice is the way back; of the delays that there are it takes the first that is long
 * enough. */
uint8_t gw_said_choice(const gw_said *said);

/* gw_fuzz_board_format returns the format of the software board (roles.def) that |head| chooses. */
const gw_format *gw_fuzz_board_format(uint8_t head);

/* gw_fuzz_any_format returns the format of a piece with |choice| in an input of |layout|, which
 * names none, that begins with |head|; NULL: only its bytes can tell. */
const gw_format *gw_fuzz_any_format(const gw_fuzz_layout *layout, const uint8_t *head,
                                    uint8_t choice);

/* gw_fuzz_any_message is gw_fuzz_message, of any layout. */
gw_message gw_fuzz_any_message(const gw_fuzz_layout *layout, const uint8_t *head, uint8_t choice,
                               const uint8_t *bytes, size_t len);

#endif
