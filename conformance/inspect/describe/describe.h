/* SPDX-License-Identifier: BSD-2-Clause */
/* A message for people (a tree, or a line) and for scripts (one JSON object). */
#ifndef INSPECT_DESCRIBE_H
#define INSPECT_DESCRIBE_H

#include <stdio.h>

#include "inspect/account.h"
#include "inspect/pipeline.h"
#include "inspect/stamp.h"
#include "names/message.h"
#include "json/json.h"

/* What a terminal is told, for whoever shows the same elsewhere. Each ends with the last before the
 * line does, and one never stands within another. */
#define GW_DESCRIBE_RED "\033[1;31m"  /* what is wrong: errors, findings of level MUST */
#define GW_DESCRIBE_YELLOW "\033[33m" /* other findings */
#define GW_DESCRIBE_INVERSE "\033[7m" /* the line of the field that is marked */
#define GW_DESCRIBE_PLAIN "\033[0m"

/* gw_describe_looks says how a tree looks. All zeros is plain text. */
typedef struct gw_describe_looks {
    bool colours;           /* of a terminal; without them nothing is marked */
    const gw_field *marked; /* NULL: none */
    uint32_t marked_at;     /* at this byte of the message */
} gw_describe_looks;

#define GW_DESCRIBE_PATH 256 /* bytes that hold a path */

/* gw_describe_path is the text that tells who sent a message to whom and in whose format, and all
 * that it follows from. */
typedef struct gw_describe_path {
    gw_endpoint src, dst;
    const gw_dialect *dialect; /* of its format alone; NULL: not in use */
    uint32_t stream;           /* over TCP; else 0 */
    uint8_t transport;
    uint8_t sender;
    size_t len; /* of the text */
    char text[GW_DESCRIBE_PATH];
} gw_describe_path;

/* gw_describe_last remembers how the paths and the time of the last messages read, for what follows
 * mostly goes between the same two, there and back, in the same second. All zeros remembers none.
 */
typedef struct gw_describe_last {
    gw_stamp_second second;
    gw_describe_path known[2];
    unsigned next; /* to be forgotten */
} gw_describe_last;

/* gw_describe_tree prints |found| to |out|: a line for the message, its containers and fields
 * indented below, then the error and the findings. |account| was opened with |found|. */
void gw_describe_tree(FILE *out, const gw_found *found, gw_account *account,
                      const gw_describe_looks *looks);

/* gw_describe_brief prints |found| to |out| as one line: what gw_describe_head says, the first
 * finding, and how many more there are. |account| was opened with |found|. */
void gw_describe_brief(FILE *out, const gw_found *found, gw_describe_last *last,
                       const gw_account *account, bool colours);

/* gw_describe_head prints in which frame and when |found| was captured, who sent it to whom, what
 * it is, and the |names| of registers that it touches (NULL: none), without an end of line. */
void gw_describe_head(FILE *out, const gw_found *found, gw_describe_last *last,
                      const gw_message_names *names);

/* gw_describe_finding prints a finding, without an end of line. */
void gw_describe_finding(FILE *out, const gw_rule *rule, uint32_t offset, const char *text,
                         bool colours);

/* gw_describe_object writes |found|, a message of the capture |file|, as one line of JSON. False
 * when memory is short: what is derived from the fields is missing then. */
bool gw_describe_object(gw_json *json, const char *file, const gw_found *found,
                        gw_account *account);

#endif
