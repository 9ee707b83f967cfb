/* SPDX-License-Identifier: BSD-2-Clause */
/* EtherBone v1: the Wishbone bus over UDP and TCP.
 *
 * Clauses name their source: "spec N" is line N of spec.tex in the etherbone-core repository,
 * "paper X" section X of Phys. Rev. ST Accel. Beams 15, 082801 (2012). All fields are big-endian;
 * bit numbers count from the most significant bit, as the specification does. */
#ifndef GOLDWIRE_ETHERBONE_H
#define GOLDWIRE_ETHERBONE_H

#include "goldwire/base.h"
#include "goldwire/cursor.h"
#include "goldwire/error.h"
#include "goldwire/format.h"
#include "goldwire/message.h"
#include "goldwire/writer.h"

GW_BEGIN_DECLS

#define GW_EB_MAGIC 0x4e6f
#define GW_EB_VERSION 1

/* Packet header, third byte (spec 820-868). */
enum {
    GW_EB_HEADER_RESERVED = 0x08,
    GW_EB_NR = 0x04, /* no reads in this packet */
    GW_EB_PR = 0x02, /* probe response */
    GW_EB_PF = 0x01, /* probe */
};

/* Width codes, and bits of a capability mask (spec 880-920). */
enum {
    GW_EB_8BIT = 1,
    GW_EB_16BIT = 2,
    GW_EB_32BIT = 4,
    GW_EB_64BIT = 8,
};

/* Record flags, first byte of a record header (spec 930-1000). */
enum {
    GW_EB_BCA = 0x80,
    GW_EB_RCA = 0x40,
    GW_EB_RFF = 0x20,
    GW_EB_RESERVED_10 = 0x10,
    GW_EB_CYC = 0x08,
    GW_EB_WCA = 0x04,
    GW_EB_WFF = 0x02,
    GW_EB_RESERVED_01 = 0x01,
};

/* The largest record: 8-byte header, two base addresses, 255 writes and 255 reads of 8 bytes. */
#define GW_EB_RECORD_MAX (8 + 8 * (1 + 255 + 1 + 255))

/* Parts of an EtherBone stream: what gw_message.part holds. gw_message.part_arg holds the byte of
 * widths (address nibble high, port nibble low) that govern a GW_EB_RECORD. */
typedef enum gw_eb_part {
    GW_EB_PACKET =
        0, /* header and records: one datagram, or one packet of a stream that repeats headers */
    GW_EB_HEAD,   /* the header or probe that starts a stream */
    GW_EB_RECORD, /* one record of a stream */
    GW_EB_LOST,   /* bytes of a stream that cannot be placed: after a gap, or widths never agreed */
    GW_EB_BANNER, /* text that a server sends before its first packet (litex_server) */
} gw_eb_part;

typedef enum gw_eb_framing {
    GW_EB_HEADER_ONCE = 0,    /* one header, then records (spec 1117) */
    GW_EB_HEADER_EACH_PACKET, /* banner, then packets of a header and one record each (litex_server)
                               */
} gw_eb_framing;

/* gw_eb_layout says how many bytes everything takes under a pair of widths (spec 808). */
typedef struct gw_eb_layout {
    uint8_t widths;        /* as in header byte 3, one bit a nibble */
    uint8_t header_len;    /* of a packet: 4 or 8 */
    uint8_t record_header; /* 4 or 8 */
    uint8_t addr_unit;     /* bytes an address takes on the wire: 2, 4, 8; natural widths also 1 */
    uint8_t data_unit;     /* bytes a data word takes on the wire */
    uint8_t addr_bytes;    /* significant bytes of an address: 1, 2, 4, 8 */
    uint8_t data_bytes;    /* significant bytes of a data word: the port width */
    bool mirrored_flags;   /* record flags count from the least significant bit (LiteX) */
} gw_eb_layout;

/* gw_eb_dialect is the data of an EtherBone dialect. */
typedef struct gw_eb_dialect {
    const gw_eb_layout *layouts; /* 256, by header byte 3; widths 0 where the byte names no pair */
    bool records_after_probe;    /* records may follow a probe header */
    bool either_width;           /* 32/32 when any one of the two nibbles says 32 (GSI's OR) */
    bool zero_filled_reply;      /* replies have the length of their request */
    uint8_t framing;             /* gw_eb_framing */
    uint8_t probe_len;           /* bytes of a probe and of its response; 0: 8 */
    uint8_t record_words;  /* a packet is one record, that writes or reads this many words at most;
                              0: as the specification has it */
    bool answers_own_port; /* replies go to the slave's own port, whatever port asked */
    bool no_config_space;  /* what a record says of one means the bus */
    bool whole_words;      /* a read brings the whole word, whatever the byte enables */
    bool shared_errors;    /* one error register serves everybody, and nothing clears it */
    bool whole_messages;   /* what comes together is one message, over TCP as well, and the header
                              of its reply is its own */
} gw_eb_dialect;

/* gw_etherbone is the format for gw_format's users. */
extern GW_API const gw_format gw_etherbone;

/* gw_eb_dialect_of returns the data of |dialect|, strict's for NULL. */
GW_API const gw_eb_dialect *gw_eb_dialect_of(const gw_dialect *dialect);

/* gw_eb_layout_for fills |out| for header byte 3 |widths|. False when a nibble does not hold
 * exactly one bit (in the gsi dialect: when neither nibble is 32 bit). */
GW_MUST_USE GW_API bool gw_eb_layout_for(gw_eb_layout *out, uint8_t widths,
                                         const gw_dialect *dialect);

/* gw_eb_record_len returns how many bytes a record with these counts takes (spec 780-808). */
static inline uint32_t gw_eb_record_len(const gw_eb_layout *layout, uint8_t wcount, uint8_t rcount)
{
    uint32_t len = layout->record_header;
    if (wcount > 0)
        len += layout->addr_unit + (uint32_t)wcount * layout->data_unit;
    if (rcount > 0)
        len += layout->addr_unit + (uint32_t)rcount * layout->addr_unit;
    return len;
}

/* gw_eb_refine returns the widest address and port width, chosen independently, that both masks of
 * header byte 3 allow; 0 when either has none (spec 1151-1157, libetherbone's choice). */
GW_API uint8_t gw_eb_refine(uint8_t widths, uint8_t other);

/* gw_eb_header is a decoded packet header. */
typedef struct gw_eb_header {
    uint8_t version;
    uint8_t flags;  /* GW_EB_NR, GW_EB_PR, GW_EB_PF, GW_EB_HEADER_RESERVED */
    uint8_t widths; /* byte 3 as sent: capability masks in a probe or its response */
    uint8_t len;    /* 4 or 8 bytes were read */
    uint32_t tail;  /* probe id, or the padding that an 8-byte header carries; 0 when len is 4 */
} gw_eb_header;

/* gw_eb_record is one decoded record. |writes| and |reads| point into the message and hold |wcount|
 * data units and |rcount| address units. The flags are the specification's whatever the dialect. */
typedef struct gw_eb_record {
    const uint8_t *writes;
    const uint8_t *reads;
    uint64_t write_base;  /* BaseWriteAddr, whole unit; 0 without writes */
    uint64_t return_base; /* BaseRetAddr, whole unit; 0 without reads */
    uint32_t offset;      /* of the record header in the message */
    uint32_t len;
    uint32_t padding; /* of an 8-byte record header */
    uint8_t flags;
    uint8_t byte_enable;
    uint8_t wcount;
    uint8_t rcount;
} gw_eb_record;

/* gw_eb_reader decodes one message record by record. It borrows the message's bytes. */
typedef struct gw_eb_reader {
    gw_cursor c;
    gw_eb_layout layout; /* valid when has_layout */
    gw_eb_header header; /* valid when has_header */
    gw_error error;      /* GW_OK until something did not fit */
    uint32_t len;        /* of the message before the capture's cut */
    bool has_header;     /* false for a bare GW_EB_RECORD */
    bool has_layout;
} gw_eb_reader;

/* gw_eb_open starts to decode |message| and reads its header, if that part has one. True when a
 * header was read or none is due; false with reader->error set otherwise. A packet whose magic is
 * wrong, whose version is not 1 (unless it probes) or whose widths do not name one pair has a
 * header and an error, and no records. */
GW_MUST_USE GW_API bool gw_eb_open(gw_eb_reader *reader, const gw_message *message,
                                   const gw_dialect *dialect);

/* gw_eb_next_slow is gw_eb_next where something does not fit; not for callers. */
GW_API void gw_eb_next_slow(gw_eb_reader *reader);

/* gw_eb_flags_swap turns a record's flag byte round: LiteX numbers its bits from the other end. */
GW_API uint8_t gw_eb_flags_swap(uint8_t flags);

/* gw_eb_number reads a big-endian number of |len| bytes, 1 to 8, that are there; for what follows.
 */
static inline uint64_t gw_eb_number(const uint8_t *p, size_t len)
{
    //@ split len;
    //@ assert proven_there: \valid_read(p) && \valid_read(p + (len - 1));
    return gw_load_be(p, len);
}

/* gw_eb_take_record moves |c| behind the record that begins there; for gw_eb_next. False, and no
 * move, when it is not whole. */
GW_MUST_USE static inline bool gw_eb_take_record(gw_cursor *c, const gw_eb_layout *layout)
{
    const uint8_t *head = c->p;

    if (gw_cursor_left(c) < layout->record_header)
        return false;
    //@ assert proven_header: \valid_read(head + (0 .. 3));
    return gw_cursor_skip(c, gw_eb_record_len(layout, head[2], head[3]));
}

/* gw_eb_next decodes the next record. False at the end of the message, or with reader->error set
 * when the bytes that are left are not a whole record. */
GW_MUST_USE static inline bool gw_eb_next(gw_eb_reader *reader, gw_eb_record *record)
{
    const gw_eb_layout *l = &reader->layout;
    const uint8_t *head = reader->c.p;

    //@ assert proven_within: reader->c.p <= reader->c.end;
    if (!reader->has_layout || !gw_eb_take_record(&reader->c, l)) {
        if (gw_cursor_left(&reader->c) > 0 || gw_cursor_offset(&reader->c) < reader->len)
            gw_eb_next_slow(reader);
        return false;
    }
    //@ assert proven_header: \valid_read(head + (0 .. 3));
    record->offset = (uint32_t)(head - reader->c.base);
    record->len = (uint32_t)(reader->c.p - head);
    record->flags = GW_UNLIKELY(l->mirrored_flags) ? gw_eb_flags_swap(head[0]) : head[0];
    record->byte_enable = head[1];
    record->wcount = head[2];
    record->rcount = head[3];
    //@ assert proven_within: record->len <= reader->c.p - reader->c.base;
    //@ assert proven_counts: record->wcount <= record->len && record->rcount <= record->len;
    record->padding = l->record_header == 8 ? (uint32_t)gw_eb_number(head + 4, 4) : 0;
    record->write_base = 0;
    record->return_base = 0;
    record->writes = record->reads = NULL;
    const uint8_t *p = head + l->record_header;
    if (record->wcount > 0) {
        record->write_base = gw_eb_number(p, l->addr_unit);
        record->writes = p + l->addr_unit;
        p = record->writes + (size_t)record->wcount * l->data_unit;
    }
    if (record->rcount > 0) {
        record->return_base = gw_eb_number(p, l->addr_unit);
        record->reads = p + l->addr_unit;
    }
    return true;
}

/* gw_eb_write_value returns data word |i| < wcount, cut to the port width. */
static inline uint64_t gw_eb_write_value(const gw_eb_layout *layout, const gw_eb_record *record,
                                         unsigned i)
{
    //@ assert counted: i < record->wcount;
    const uint8_t *unit = record->writes + (size_t)i * layout->data_unit;
    return gw_eb_number(unit + layout->data_unit - layout->data_bytes, layout->data_bytes);
}

/* gw_eb_read_addr returns read address |i| < rcount, cut to the address width. */
static inline uint64_t gw_eb_read_addr(const gw_eb_layout *layout, const gw_eb_record *record,
                                       unsigned i)
{
    //@ assert counted: i < record->rcount;
    const uint8_t *unit = record->reads + (size_t)i * layout->addr_unit;
    return gw_eb_number(unit + layout->addr_unit - layout->addr_bytes, layout->addr_bytes);
}

/* gw_eb_role says what a message is, by its content and its ports. */
typedef enum gw_eb_role {
    GW_EB_ROLE_UNKNOWN = 0,
    GW_EB_PROBE,
    GW_EB_PROBE_RESPONSE,
    GW_EB_REQUEST,  /* carries reads, or goes to a service port */
    GW_EB_RESPONSE, /* comes from a service port and carries no reads */
    GW_EB_ONE_WAY,  /* only writes, between ports that do not tell */
} gw_eb_role;

/* gw_eb_role_of classifies |message| without remembering anything. */
GW_API gw_eb_role gw_eb_role_of(const gw_message *message, const gw_dialect *dialect);

/* gw_eb_byte_enable_valid says whether |byte_enable| selects a naturally aligned run of lanes
 * inside a port of |port_bytes| bytes: non-zero, contiguous, a power of two long and aligned to it
 * (spec 960). */
GW_API bool gw_eb_byte_enable_valid(uint8_t byte_enable, uint8_t port_bytes);

/* ---- building: struct to bytes, cannot be wrong ---- */

/* gw_eb_builder builds one packet, or a run of stream records, in the caller's buffer. */
typedef struct gw_eb_builder {
    gw_writer w;
    gw_eb_layout layout;
    bool has_header;
    bool has_reads;
} gw_eb_builder;

/* gw_eb_operation is what one record shall do. Counts, padding, and the header's NR follow from it.
 * The values are host numbers, cut to the widths in force. */
typedef struct gw_eb_operation {
    const uint64_t *writes;
    const uint64_t *reads;
    uint64_t write_base;
    uint64_t return_base;
    uint8_t num_writes;
    uint8_t num_reads;
    uint8_t flags; /* reserved bits are cleared */
    uint8_t byte_enable;
} gw_eb_operation;

/* gw_eb_build_packet starts a packet in |cap| bytes at |buf| with one-bit widths |widths|. NR is
 * set at the end when the packet has no reads and gw_eb_build_end asks for it (spec 864-868). False
 * when the widths are not one pair of |dialect|. */
GW_MUST_USE GW_API bool gw_eb_build_packet(gw_eb_builder *b, void *buf, size_t cap, uint8_t widths,
                                           const gw_dialect *dialect);

/* gw_eb_build_records starts a run of bare records, as a stream carries them after its header. */
GW_MUST_USE GW_API bool gw_eb_build_records(gw_eb_builder *b, void *buf, size_t cap, uint8_t widths,
                                            const gw_dialect *dialect);

/* gw_eb_build_record appends one record. False, and nothing appended, when it does not fit. */
GW_MUST_USE GW_API bool gw_eb_build_record(gw_eb_builder *b, const gw_eb_operation *op);

/* gw_eb_build_end finishes and returns the length in bytes. |no_response| asks for NR in a packet
 * without reads; in a packet with reads NR stays clear. */
GW_API size_t gw_eb_build_end(gw_eb_builder *b, bool no_response);

/* gw_eb_build_probe writes the 8 bytes of a probe (|response| false) or probe response (true) with
 * the capability masks |widths| and the probe id |id| (spec 840-868). */
GW_API void gw_eb_build_probe(uint8_t out[8], bool response, uint8_t widths, uint32_t id);

/* gw_eb_build_any_probe writes a probe as |dialect| has it and returns its length. Where the id
 * does not come back, it stands in what does. */
GW_API size_t gw_eb_build_any_probe(uint8_t out[12], uint8_t widths, uint32_t id,
                                    const gw_dialect *dialect);

/* gw_eb_probe_answers says whether these bytes of a probe response bring back |id|, wherever a
 * dialect has it. */
GW_API bool gw_eb_probe_answers(const uint8_t *data, size_t len, uint32_t id);

/* gw_eb_probe_len returns how many bytes a probe in |dialect| takes, and so many its response. */
GW_API size_t gw_eb_probe_len(const gw_dialect *dialect);

/* GW_EB_PROBE_MAX is the length of the longest of them. */
#define GW_EB_PROBE_MAX 12

/* gw_eb_survives says whether a device of |dialect| lives on after a datagram of these bytes. Some
 * stay dead until reset. */
GW_API bool gw_eb_survives(const gw_dialect *dialect, const uint8_t *data, size_t len);

GW_END_DECLS

#endif
