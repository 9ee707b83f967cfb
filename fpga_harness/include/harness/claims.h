/* SPDX-License-Identifier: BSD-2-Clause */
/* What a board is said to support, and how that compares with what it shows. One table names every
 * claim; board files, the pre-flight, reports and documents go by it. */
#ifndef HARNESS_CLAIMS_H
#define HARNESS_CLAIMS_H

#include "goldwire/base.h"

typedef enum gw_claim {
    GW_CLAIM_UNKNOWN = 0, /* nobody says */
    GW_CLAIM_NO,
    GW_CLAIM_YES,
} gw_claim;

/* gw_claims holds a value for every claim there is; 0 is unknown. */
typedef struct gw_claims {
    uint8_t address_widths; /* width codes (1, 2, 4, 8 for 8 to 64 bit) ored */
    uint8_t port_widths;
    uint8_t tcp; /* gw_claim, as the next ones */
    uint8_t config_space;
    uint8_t sdb;
    uint8_t zero_filled_reply;
    uint8_t long_cycles;          /* of a master: it holds bus cycles over several records */
    uint8_t edac;                 /* of a TEXTAROSSA board: check bytes are made and checked */
    uint8_t forwarding;           /* of an OP2P node: it keeps packets for other nodes */
    uint8_t gaps;                 /* ... and its adapter makes gaps inside frames */
    uint8_t images;               /* of an IMS Worker: each of its frames is one image */
    uint16_t node;                /* an OP2P node's id, the number of a Level-1 farm's board */
    uint16_t version;             /* of an IMS board's protocol: major << 8 | minor */
    uint32_t revision;            /* in a TEXTAROSSA board's REVISION_REG */
    uint32_t max_payload;         /* bytes of one UDP packet */
    uint32_t pipeline;            /* requests that may be outstanding */
    uint32_t status_qpn;          /* of an IMS buffer: the queue pair that takes requests */
    uint32_t status_qkey;         /* the queue key that goes with it */
    uint32_t frame_bytes;         /* of an IMS Worker: what a frame has, but for the last */
    uint32_t packet_bytes;        /* of an IMS Worker: data of its largest packet */
    uint32_t response_us;         /* 99 of 100 answers come within this */
    uint32_t response_timeout_ms; /* of an IMS Worker without a response */
} gw_claims;

typedef enum gw_claim_kind {
    GW_CLAIM_WIDTHS = 0, /* a set of widths: more is better */
    GW_CLAIM_FLAG,       /* gw_claim */
    GW_CLAIM_LIMIT,      /* a number: more is better */
    GW_CLAIM_ID,         /* a number: it is this board, or another one */
} gw_claim_kind;

/* gw_claim_field is one claim. */
typedef struct gw_claim_field {
    const char *name;  /* in board files and reports */
    const char *roles; /* that have it begin so: "etherbone-"; several between spaces */
    const char *must;  /* roles that begin so must say it: cases go by it and no probe shows it;
                          NULL: none */
    uint32_t max;      /* of a number */
    uint16_t offset;   /* in gw_claims */
    uint8_t size;      /* bytes there */
    uint8_t kind;      /* gw_claim_kind */
    bool settled;      /* left out, it is not unknown: cases go by the document's value */
    const char *what;  /* it says of the board, for people, without a full stop */
} gw_claim_field;

/* gw_claim_fields lists all claims; gw_num_claim_fields how many, GW_MAX_CLAIMS at the most. */
#define GW_MAX_CLAIMS 32
extern const gw_claim_field gw_claim_fields[];
extern const size_t gw_num_claim_fields;

/* gw_claim_of_role says whether boards of |role| make the claim |field|. */
bool gw_claim_of_role(const gw_claim_field *field, const char *role);

/* gw_claim_must says whether the board file of |role| must say it. */
bool gw_claim_must(const gw_claim_field *field, const char *role);

/* gw_claim_get returns the value of |field|, 0 when unknown; gw_claim_set changes it. */
uint32_t gw_claim_get(const gw_claims *claims, const gw_claim_field *field);
void gw_claim_set(gw_claims *claims, const gw_claim_field *field, uint32_t value);

typedef enum gw_claim_verdict {
    GW_CLAIM_UNSEEN = 0, /* one of the two says nothing */
    GW_CLAIM_AGREES,
    GW_CLAIM_OVER,        /* claimed, but not shown */
    GW_CLAIM_UNDER,       /* shown, but not claimed: it is not tested */
    GW_CLAIM_CONTRADICTS, /* they have nothing in common: this is another board */
} gw_claim_verdict;

/* gw_claim_check is one claim beside what the board shows. */
typedef struct gw_claim_check {
    const gw_claim_field *field;
    uint32_t claimed;
    uint32_t shown;
    uint32_t used; /* what the cases go by: what both say, or what one of them says */
    uint8_t verdict;
} gw_claim_check;

/* gw_claim_compare compares what is said about |field|. */
gw_claim_check gw_claim_compare(const gw_claim_field *field, const gw_claims *claimed,
                                const gw_claims *shown);

/* gw_claim_verdict_name returns "agrees", "over-claim" and so on. */
const char *gw_claim_verdict_name(gw_claim_verdict verdict);

/* gw_claim_text writes |value| for people ("8/16/32 bit", "yes", "1472", "0x0042"; "?" for
 * unknown) and returns |out|. */
const char *gw_claim_text(const gw_claim_field *field, uint32_t value, char *out, size_t cap);

#endif
