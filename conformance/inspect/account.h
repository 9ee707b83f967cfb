/* SPDX-License-Identifier: BSD-2-Clause */
/* What is to be said of one message besides its fields: where decoding stopped, and what the
 * conversation has shown of it so far. */
#ifndef INSPECT_ACCOUNT_H
#define INSPECT_ACCOUNT_H

#include "goldwire/cover.h"
#include "goldwire/rule.h"
#include "inspect/pipeline.h"
#include "names/message.h"

#define GW_ACCOUNT_MAX 64 /* findings, and relations, of one message that are kept */
#define GW_ACCOUNT_TEXT 256

/* gw_kept_finding is a finding that outlives its call. */
typedef struct gw_kept_finding {
    const gw_rule *rule;
    const gw_field *field;
    uint32_t offset;
    char text[GW_ACCOUNT_TEXT];
} gw_kept_finding;

/* gw_account collects for one message at a time. It is a verdict sink for the session: what is
 * about the current message's frame is kept, the rest is told as a note at once; but of messages
 * that fell out of a full table, of which there may be any number, one note is told at the end. */
typedef struct gw_account {
    gw_verdict_sink sink;
    gw_note_fn note;
    void *ctx;
    uint64_t frame;     /* of the current message; 0 when there is none */
    uint64_t untracked; /* messages of which nothing can be said, and the first one's frame */
    uint64_t first_untracked;
    gw_message_names *names; /* of the registers that the current message touches, from whoever
                                opened it; NULL: none */
    gw_error error;          /* that the walk came to */
    size_t num_findings;
    size_t num_relations;
    gw_kept_finding findings[GW_ACCOUNT_MAX];
    gw_relation relations[GW_ACCOUNT_MAX];
    gw_cover cover;
    uint8_t mask[GW_COVER_BYTES]; /* room for that of one leaf */
} gw_account;

/* gw_account_init prepares; |note| receives what comes too late to be kept. */
void gw_account_init(gw_account *a, gw_note_fn note, void *ctx);

/* gw_account_open starts with |found|, whose registers have no names yet. */
void gw_account_open(gw_account *a, const gw_found *found);

/* gw_account_walk walks |found| once, for |shown|, all of whose functions are there. It proves that
 * the leaves cover every bit, and records where decoding stopped. A walk that fails the proof is a
 * GW_BUG. */
void gw_account_walk(gw_account *a, const gw_found *found, gw_sink *shown);

/* gw_account_origin returns the frame that the current message passes on; 0: none. */
uint64_t gw_account_origin(const gw_account *a);

/* gw_account_close ends with the current message: later verdicts are all notes. */
void gw_account_close(gw_account *a);

/* gw_account_end ends a capture, after the last verdict: what was counted is told. */
void gw_account_end(gw_account *a);

#endif
