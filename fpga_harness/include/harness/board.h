/* SPDX-License-Identifier: BSD-2-Clause */
/* Board files: what people tell goldwire about the board under test. Where it is, what it claims to
 * support, which addresses goldwire may touch (nothing outside the areas is ever written), how to
 * bring it back, and which of its failures somebody answers for. docs/board-file.md describes them.
 */
#ifndef HARNESS_BOARD_H
#define HARNESS_BOARD_H

#include "goldwire/base.h"
#include "harness/claims.h"
#include "harness/hook.h"

#define GW_BOARD_MAX_AREAS 32
#define GW_BOARD_MAX_LINKS 8
#define GW_BOARD_MAX_REGISTERS 64
#define GW_BOARD_MAX_WAIVERS 32
#define GW_BOARD_TEXT 64
#define GW_BOARD_SHA256 65 /* 64 hexadecimal digits */
#define GW_BOARD_SENTENCE 192

/* What lies in an area. Only RAM, FIFO, ERROR and WIRES are ever written. */
typedef enum gw_area_type {
    GW_AREA_RAM = 0,  /* keeps what is written, no side effects */
    GW_AREA_FIFO,     /* one register: writes are queued, reads take them out in their order */
    GW_AREA_READONLY, /* reads without side effects, the same value every time */
    GW_AREA_ERROR,    /* every access fails on the bus */
    GW_AREA_ARBITER,  /* two 64-bit registers: bus cycles that touched this area so far, the present
                         one  included, and its accesses in the present cycle; only read */
    GW_AREA_WIRES, /* four 32-bit registers that show wires of the board: their levels, those that
                      were high, low, and neither, until one of the four is written */
    GW_NUM_AREA_TYPES,
} gw_area_type;

/* gw_area is a range of bus addresses that goldwire may use. */
typedef struct gw_area {
    char name[GW_BOARD_TEXT];
    uint64_t address; /* first byte */
    uint64_t size;    /* bytes, at least 1; address + size - 1 fits 64 bits */
    uint8_t type;     /* gw_area_type */
} gw_area;

/* gw_board_link says where one link of the board is. */
typedef struct gw_board_link {
    char name[GW_BOARD_TEXT]; /* "" is the default link */
    char url[256];
} gw_board_link;

/* gw_board_register says where a register of the role lies on this board. */
typedef struct gw_board_register {
    char name[GW_BOARD_TEXT]; /* as the document has it */
    uint32_t address;         /* on the bus */
    unsigned line;            /* in the file, both from 1 */
    unsigned column;
} gw_board_register;

/* gw_waiver says that somebody knows of a failure and answers for it. */
typedef struct gw_waiver {
    char which[GW_BOARD_TEXT]; /* id of the case */
    char owner[GW_BOARD_TEXT];
    char ticket[GW_BOARD_TEXT];
    char reason[GW_BOARD_SENTENCE];
    char text[GW_BOARD_SENTENCE]; /* the failure's text holds this; another failure is not waived */
    char firmware[GW_BOARD_TEXT]; /* that it holds for; "": any */
    char expires[16];             /* the last day that it holds, 2026-12-31 */
    int64_t ends_ns;              /* the end of that day, UTC, since 1970 */
    unsigned line;                /* in the file, both from 1 */
    unsigned column;
} gw_waiver;

#define GW_BOARD_PATIENCE_MAX 10000

/* gw_board_pace is how long a board may take. */
typedef struct gw_board_pace {
    uint32_t patience;      /* every wait is so many times as long; 0: not said, once */
    uint64_t clock_hz;      /* of a simulated board, as the rest; 0: not said */
    uint32_t answer_cycles; /* of that clock, until an answer has come at the latest */
    uint32_t settle_cycles; /* after which silence counts */
} gw_board_pace;

/* gw_board_file is a board file. All text is terminated and free of control characters. */
typedef struct gw_board_file {
    char role[GW_BOARD_TEXT];
    char dialect[GW_BOARD_TEXT];
    char make[GW_BOARD_TEXT];
    char serial[GW_BOARD_TEXT];
    char firmware[GW_BOARD_TEXT];
    char firmware_sha256[GW_BOARD_SHA256]; /* of the images that the board runs; "" when not told */
    char bitstream_sha256[GW_BOARD_SHA256];
    gw_board_link links[GW_BOARD_MAX_LINKS];
    size_t num_links;
    gw_claims claims;
    gw_area areas[GW_BOARD_MAX_AREAS];
    size_t num_areas;
    uint32_t register_base; /* added to every register's offset but for those named below */
    gw_board_register registers[GW_BOARD_MAX_REGISTERS];
    size_t num_registers;
    gw_hook hooks[GW_NUM_HOOKS]; /* by gw_hook_kind */
    gw_waiver waivers[GW_BOARD_MAX_WAIVERS];
    size_t num_waivers;
    gw_board_pace pace;
} gw_board_file;

/* gw_board_load reads the board file |path|. False, with a text in |why| that names file, line and
 * column, when it is not one. */
GW_MUST_USE bool gw_board_load(gw_board_file *out, const char *path, char *why, size_t why_cap);

/* gw_board_parse does the same with |len| bytes at |text|, called |name| in errors. */
GW_MUST_USE bool gw_board_parse(gw_board_file *out, const char *name, const char *text, size_t len,
                                char *why, size_t why_cap);

/* gw_board_area returns the first area of |type| whose first |min_size| bytes lie inside it and
 * below 2^address_bits, or NULL. */
const gw_area *gw_board_area(const gw_board_file *board, gw_area_type type, unsigned address_bits,
                             uint64_t min_size);

/* gw_board_may_write says whether the |size| bytes at |address|, 1 at least, lie in one ram area.
 */
bool gw_board_may_write(const gw_board_file *board, uint64_t address, uint64_t size);

/* gw_board_has_hooks says whether the file names any. */
bool gw_board_has_hooks(const gw_board_file *board);

/* gw_area_type_name returns "ram", "fifo" and so on. */
const char *gw_area_type_name(gw_area_type type);

#endif
