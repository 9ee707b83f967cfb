/* SPDX-License-Identifier: BSD-2-Clause */
/* Field tables: every wire format written down once.
 *
 * A format's <format>.def lists flat groups of fields. The same lines become these descriptors, the
 * compile-time checks, the decoder's positions, Wireshark's header fields, the JSON names, the
 * mutators' knowledge of legal values and the documentation. Which group follows which, how often
 * and how wide, is plain C in the format's walk. */
#ifndef GOLDWIRE_FIELD_H
#define GOLDWIRE_FIELD_H

#include "goldwire/base.h"

GW_BEGIN_DECLS

typedef enum gw_type {
    GW_UINT = 0, /* an unsigned number of at most 64 bits */
    GW_BOOL,     /* one bit */
    GW_BYTES,    /* a byte string */
} gw_type;

typedef enum gw_base {
    GW_DEC = 0,
    GW_HEX,
    GW_IPV4, /* an IPv4 address of 32 bits, its first octet the highest byte */
} gw_base;

/* What the bits are for. Only GW_DATA carries meaning; the rest is there to be shown and judged. */
typedef enum gw_use {
    GW_DATA = 0,
    GW_RESERVED,  /* must be sent as zero, must be ignored on reception */
    GW_PADDING,   /* fills an alignment unit */
    GW_UNDECODED, /* bytes that belong to no field: cut off, trailing, or out of step */
} gw_use;

/* How a replay compares this field of an answer with the recorded one. */
typedef enum gw_compare {
    GW_CMP_EXACT = 0,
    GW_CMP_ECHO,     /* equals a field of the request */
    GW_CMP_VOLATILE, /* differs from run to run; its presence and width are compared */
    GW_CMP_IGNORED,
} gw_compare;

/* What a value names. Another board, or the same one on another day, gives other names: a replay
 * puts what a trace says into the words of now. */
typedef enum gw_names {
    GW_NAMES_NOTHING = 0,
    GW_NAMES_QP,    /* a queue pair */
    GW_NAMES_QKEY,  /* its key */
    GW_NAMES_RKEY,  /* a piece of memory */
    GW_NAMES_BASE,  /* where that begins, and what lies behind */
    GW_NAMES_PLACE, /* an address that was written to */
    GW_NAMES_NODE,  /* a board */
} gw_names;

/* Who gives a name. */
typedef enum gw_naming {
    GW_NAME_GIVEN = 0, /* the sender, here */
    GW_NAME_USED,      /* the receiver */
    GW_NAME_SHARED,    /* the board, whoever sends: it speaks of what it has named itself */
} gw_naming;

/* Whether a value goes on counting from one run to the next: then its steps are compared. */
typedef enum gw_counting {
    GW_COUNTS_NOTHING = 0,
    GW_COUNTS_ALWAYS,
    GW_COUNTS_AT_TIMES, /* it depends on where it comes from */
} gw_counting;

/* What a field has to do with a board's memory. */
typedef enum gw_memory_part {
    GW_MEMORY_NONE = 0,
    GW_MEMORY_FROM, /* the address that is read, or that data come from */
    GW_MEMORY_TO,   /* the address that is written */
    GW_MEMORY_DATA, /* what stands there, or will */
} gw_memory_part;

/* What a value says of the size of something else in its message. */
typedef enum gw_measure {
    GW_MEASURES_NOTHING = 0,
    GW_MEASURES_NUMBER, /* how many of the group |measured| there are, in the same container */
    GW_MEASURES_BYTES,  /* how many bytes the group |measured| takes */
    GW_MEASURES_REST,   /* how many bytes there are from its own group, or from behind it, to the
                           end */
} gw_measure;

/* What statistics make of a field's values. */
typedef enum gw_tallying {
    GW_TALLIES_NOTHING = 0,
    GW_TALLIES_EACH, /* how often each value came; of a flag, how often it was set */
    GW_TALLIES_MEAN, /* mean, least and most */
} gw_tallying;

/* Which values the document allows. */
typedef enum gw_legal {
    GW_ANY = 0,
    GW_EXACTLY,  /* legal_value */
    GW_ONE_BIT,  /* exactly one bit set */
    GW_NONZERO,  /* anything else */
    GW_AT_MOST,  /* up to legal_value */
    GW_MULTIPLE, /* of legal_value */
} gw_legal;

/* gw_value_name names one value of a field. Lists end with a NULL name. */
typedef struct gw_value_name {
    uint64_t value;
    const char *name;
} gw_value_name;

typedef struct gw_group gw_group;
typedef struct gw_rule gw_rule;

/* gw_field describes one field, for ever: descriptors are constants. Positions are in the order of
 * the group's word: |byte| is the first byte that holds a bit of the field, |num_bytes| how many
 * do, and the value is (word of those bytes >> shift) & mask. Where these bytes stand in a message
 * tells gw_field_span. */
typedef struct gw_field {
    const char *name;   /* the filter name: "etherbone.record.bca" */
    const char *label;  /* for people: "BaseRetAddr in config space" */
    const char *clause; /* source and place it comes from: gw_clause_of tells people */
    const char *blurb;  /* one sentence on what it means */
    const gw_value_name *values;
    const gw_group *group;
    const gw_group *measured; /* by GW_MEASURES_NUMBER and GW_MEASURES_BYTES; else NULL */
    const gw_rule *rule; /* that a value which is not legal breaks, whoever sends it; NULL: none, or
                            it depends */
    const char *tally;   /* what its values are counted below in statistics: "Packet types" */
    uint64_t mask;       /* of the value, after the shift */
    uint64_t legal_value;
    uint16_t first; /* the document's own bit numbers inside the group */
    uint16_t last;
    uint16_t byte;
    uint16_t bits; /* 0: the walk gives the width */
    uint8_t num_bytes;
    uint8_t shift;
    uint8_t type;        /* gw_type */
    uint8_t base;        /* gw_base */
    uint8_t use;         /* gw_use */
    uint8_t compare;     /* gw_compare */
    uint8_t legal;       /* gw_legal */
    uint8_t names;       /* gw_names */
    uint8_t naming;      /* gw_naming */
    uint8_t counts;      /* gw_counting */
    uint8_t memory;      /* gw_memory_part */
    uint8_t measures;    /* gw_measure */
    uint8_t tallies;     /* gw_tallying */
    uint8_t unsolicited; /* comes with time wherever it stands: a credit that a link stuffs into a
                            packet */
    uint8_t view;        /* re-reads bits of a leaf: ignored by coverage and encoding */
    uint8_t derived;     /* computed, has no bits in the message; a view as well */
} gw_field;

typedef enum gw_shape {
    GW_FLAT = 0, /* a fixed number of bits, each in exactly one leaf */
    GW_UNIT, /* one alignment unit: left padding and a right-justified value, widths at run time */
    GW_STRING,    /* a run of bytes, length at run time */
    GW_CONTAINER, /* has no bits of its own: holds other groups, as a record does */
    GW_COMPUTED,  /* what the walk derives from other bits: a status, a kind */
} gw_shape;

/* The order of a group's bytes, as its table gives it. In a swizzled group, little-endian, byte k
 * of the word stands at byte k ^ |mask|: 15 turns a 128-bit word around, 7 each half of it. */
#define GW_ORDER_BIG 0
#define GW_ORDER_LITTLE 1
#define GW_ORDER_SWIZZLED(mask) (1 | (mask) << 1)

/* gw_group is a flat group of fields, or a container of groups. |segment| is its part of a path (""
 * for none); an indexed group's segment is followed by [n]. */
struct gw_group {
    const char *segment;
    const char *label;
    const gw_field *fields;
    uint16_t num_fields;
    uint16_t bytes; /* of a flat group */
    uint8_t shape;  /* gw_shape */
    uint8_t indexed;
    uint8_t little;  /* bytes of a word come least significant first */
    uint8_t swizzle; /* of GW_ORDER_SWIZZLED; 0: none */
};

/* gw_item is one occurrence of a field in a message. */
typedef struct gw_item {
    const gw_field *field;
    uint64_t value;       /* of a number or a flag */
    const uint8_t *bytes; /* of a byte string: bits / 8 bytes inside the message, or, of a derived
                             one, of the walk's own */
    uint32_t offset; /* first byte of the field, from the start of the message; of a derived one,
                        what it was derived from */
    uint32_t bits;   /* 0 for a derived number */
    uint32_t index;  /* of its group, when that is indexed */
} gw_item;

/* gw_sink receives a walk, in wire order. |open| and |close| bracket a container and may be NULL.
 * The item is valid during the call only. Embed a gw_sink as the first member to carry state. */
typedef struct gw_sink gw_sink;
struct gw_sink {
    void (*item)(gw_sink *sink, const gw_item *item);
    void (*open)(gw_sink *sink, const gw_group *group, uint32_t index, uint32_t offset);
    void (*close)(gw_sink *sink, const gw_group *group, uint32_t end);
    bool tallied; /* only what statistics count is wanted: the walk may leave out other fields, and
                     flags that are not set */
    bool (*flat)(gw_sink *sink, const gw_group *group,
                 const uint8_t *bytes); /* of a flat group that is there, all of it, and is not
                                           swizzled, before its items: false leaves them out. NULL:
                                           all are wanted */
    bool (*units)(gw_sink *sink, const gw_group *group); /* before a run of units: false leaves them
                                                            out when all of them are there. NULL:
                                                            all are wanted */
};

/* gw_field_key returns the last part of the field's name, "bca": a part of a path. */
GW_API const char *gw_field_key(const gw_field *field);

/* gw_field_legal says whether the document allows |value| in |field|. */
GW_API bool gw_field_legal(const gw_field *field, uint64_t value);

/* gw_field_get reads the fixed |field| from the bytes of its group at |group|. */
GW_API uint64_t gw_field_get(const gw_field *field, const uint8_t *group);

/* gw_field_value_name returns the document's name of |value|, or NULL. The text is constant. */
GW_API const char *gw_field_value_name(const gw_field *field, uint64_t value);

/* gw_field_span returns how many bytes of a group lie between the first and the last that hold bits
 * of the fixed |field|, both counted, and puts the place of the first in *|first|. */
GW_API size_t gw_field_span(const gw_field *field, size_t *first);

/* gw_item_mask writes into |mask| which bits of the bytes from item->offset on belong to the item
 * and returns how many bytes those are; only the first |cap| are written, and |mask| may be NULL
 * where that is 0. */
GW_API size_t gw_item_mask(const gw_item *item, uint8_t *mask, size_t cap);

/* gw_emit writes one leaf back: sets the item's bits, and no others, in the |len| bytes at |data|.
 * This is the writer without judgement; any value goes. False, and nothing written, when the item
 * does not lie inside |len| or its value does not fit its bits. */
GW_MUST_USE GW_API bool gw_emit(uint8_t *data, size_t len, const gw_item *item);

GW_END_DECLS

#endif
