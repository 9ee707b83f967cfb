/* SPDX-License-Identifier: BSD-2-Clause */
/* The messages that a verdict is about, decoded from the evidence of its case: the one that
 * decided, the request before it, and what stands around them. A number of the runner's is one of
 * packets; which frames of the file it became is recorded, and nothing else is gone by. */
#ifndef GOLDWIRE_REPORT_DECODED_H
#define GOLDWIRE_REPORT_DECODED_H

#include "run/run.h"

#define GW_DECODED_DECIDED 8 /* messages that one packet carried, at the most */
#define GW_DECODED_ASKED 2
#define GW_DECODED_MAX (GW_DECODED_DECIDED + GW_DECODED_ASKED + 2)

/* gw_decoded_as is why a message is shown; several may hold. */
typedef enum gw_decoded_as {
    GW_DECODED_IS_DECIDED = 1, /* the packet that decided gave bytes to it */
    GW_DECODED_IS_ASKED = 2,   /* so did the last packet sent before that */
    GW_DECODED_IS_BEFORE = 4,
    GW_DECODED_IS_AFTER = 8,
} gw_decoded_as;

/* gw_decoded_message is one message. */
typedef struct gw_decoded_message {
    unsigned as;    /* gw_decoded_as */
    uint64_t place; /* among all messages of the file, in the order in which they are read */
    uint64_t first; /* frame that gave bytes to it */
    uint64_t frame; /* that completed it */
    char *text;     /* as `goldwire decode' prints it in colour, without the blank line; NULL
                       when memory failed */
    gw_text more;   /* what only later messages show of it, a line each */
    char more_text[1024];
} gw_decoded_message;

/* gw_decoded is what was found. */
typedef struct gw_decoded {
    gw_decoded_message list[GW_DECODED_MAX]; /* in the order of their frames */
    size_t num;
    uint64_t num_decided; /* messages that the packet that decided gave bytes to, in the list or
                             not: of several nobody knows which one decided */
    uint64_t num_asked;
    char why[256]; /* what kept the file from being read, to its end; "" */
} gw_decoded;

/* gw_decoded_read reads the file |path|, the evidence of the case of |result|. What was left out
 * there, or may have been, is not looked for. gw_decoded_free frees |out| afterwards, whatever was
 * found.
 */
void gw_decoded_read(gw_decoded *out, const char *path, const gw_result *result);

/* gw_decoded_free frees the texts. */
void gw_decoded_free(gw_decoded *decoded);

#endif
