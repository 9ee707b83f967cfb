/* SPDX-License-Identifier: BSD-2-Clause */
/* Board files: what people tell goldwire about the board under test. Where it is, what it claims to
 * support, and which addresses goldwire may touch: nothing outside the areas is ever written.
 *
 * goldwire: board            # says what kind of file this is
 * role: etherbone-slave
 * dialect: strict            # optional
 * identity: {make: ACME, serial: "7", firmware: "1.4"}
 * where: udp://10.0.0.7:60368            # or one URL for each link: {net: ..., regs: ...}
 * claims: {address_widths: [32], port_widths: [32], tcp: false, config_space: true, sdb: true}
 * areas:
 *   - {name: scratch, type: ram, address: 0x1000, size: 4096}
 */
#ifndef HARNESS_BOARD_H
#define HARNESS_BOARD_H

#include "goldwire/base.h"

#define GW_BOARD_MAX_AREAS 32
#define GW_BOARD_MAX_LINKS 8
#define GW_BOARD_TEXT 64

/* What lies in an area. Only RAM, FIFO and ERROR are ever written. */
typedef enum gw_area_type {
    GW_AREA_RAM = 0,  /* keeps what is written, no side effects */
    GW_AREA_FIFO,     /* one register: writes are queued, reads take them out in their order */
    GW_AREA_READONLY, /* reads without side effects, the same value every time */
    GW_AREA_ERROR,    /* every access fails on the bus */
    GW_AREA_ARBITER,  /* two 64-bit registers: bus cycles that touched this area so far, the present
                         one  included, and its accesses in the present cycle; only read */
    GW_NUM_AREA_TYPES,
} gw_area_type;

/* gw_area is a range of bus addresses that goldwire may use. */
typedef struct gw_area {
    char name[GW_BOARD_TEXT];
    uint64_t address; /* first byte */
    uint64_t size;    /* bytes, at least 1; address + size - 1 fits 64 bits */
    uint8_t type;     /* gw_area_type */
} gw_area;

typedef enum gw_claim {
    GW_CLAIM_UNKNOWN = 0, /* the file does not say */
    GW_CLAIM_NO,
    GW_CLAIM_YES,
} gw_claim;

/* gw_claims is what the board is said to support. */
typedef struct gw_claims {
    uint8_t address_widths; /* width codes (1, 2, 4, 8 for 8 to 64 bit) ored; 0 when unknown */
    uint8_t port_widths;
    uint8_t tcp; /* gw_claim, as the next ones */
    uint8_t config_space;
    uint8_t sdb;
    uint8_t zero_filled_reply;
    uint8_t long_cycles;          /* of a master: it holds bus cycles over several records */
    uint8_t images;               /* of an IMS Worker: each of its frames is one image */
    uint32_t max_payload;         /* bytes of one UDP packet; 0 when unknown */
    uint32_t pipeline;            /* requests that may be outstanding; 0 when unknown */
    uint32_t status_qpn;          /* of an IMS buffer: where it takes requests; 0 when unknown */
    uint32_t status_qkey;         /* the queue key that goes with it */
    uint32_t response_timeout_ms; /* of an IMS Worker without a response; 0 when unknown */
} gw_claims;

/* gw_board_link says where one link of the board is. */
typedef struct gw_board_link {
    char name[GW_BOARD_TEXT]; /* "" is the default link */
    char url[256];
} gw_board_link;

/* gw_board_file is a board file. All text is terminated and free of control characters. */
typedef struct gw_board_file {
    char role[GW_BOARD_TEXT];
    char dialect[GW_BOARD_TEXT];
    char make[GW_BOARD_TEXT];
    char serial[GW_BOARD_TEXT];
    char firmware[GW_BOARD_TEXT];
    gw_board_link links[GW_BOARD_MAX_LINKS];
    size_t num_links;
    gw_claims claims;
    gw_area areas[GW_BOARD_MAX_AREAS];
    size_t num_areas;
} gw_board_file;

/* gw_board_load reads the board file |path|. False, with a text in |why| that names file, line and
 * column, when it is not one. */
GW_MUST_USE bool gw_board_load(gw_board_file *out, const char *path, char *why, size_t why_cap);

/* gw_board_parse does the same with |len| bytes at |text|, called |name| in errors. */
GW_MUST_USE bool gw_board_parse(gw_board_file *out, const char *name, const char *text, size_t len,
                                char *why, size_t why_cap);

/* gw_board_url returns the URL of |link| ("" for the default one), or NULL. */
const char *gw_board_url(const gw_board_file *board, const char *link);

/* gw_board_area returns the first area of |type| whose first |min_size| bytes lie inside it and
 * below 2^address_bits, or NULL. */
const gw_area *gw_board_area(const gw_board_file *board, gw_area_type type, unsigned address_bits,
                             uint64_t min_size);

/* gw_area_type_name returns "ram", "fifo" and so on. */
const char *gw_area_type_name(gw_area_type type);

#endif
