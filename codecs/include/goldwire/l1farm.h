/* SPDX-License-Identifier: BSD-2-Clause */
/* The prototype of the LHCb Level-1 trigger farm: readout units write the fragments of an event
 * through an SCI torus into the buffers of a compute node, told by tags when; the node's result
 * goes to a decision unit.
 *
 * Clauses name their source: "T" is the thesis that built it, "W" the public text on SCI, "SL" the
 * S-LINK specification, "assumed" what stands in the SCI standard, which was not at hand, as it is
 * remembered or as a derivative's public code has it; "profile" is our own choice where the thesis
 * leaves one; "capture" and "tunnel" are conventions of goldwire. What is assumed or chosen is a
 * dialect's data, not the codec's logic.
 *
 * SCI symbols, tags, registers and the tunnel come most significant byte first; event words,
 * results and descriptors are the image of a little-endian memory, unless the tunnel says
 * otherwise.
 *
 * A message is one captured SCI packet, run of traced clocks, TagNet record or memory burst, or one
 * datagram of the lab tunnel: twenty bytes, then the data. */
#ifndef GOLDWIRE_L1FARM_H
#define GOLDWIRE_L1FARM_H

#include "goldwire/base.h"
#include "goldwire/error.h"
#include "goldwire/format.h"
#include "goldwire/message.h"

GW_BEGIN_DECLS

enum {
    GW_L1_MAGIC = 0x4c31,     /* "L1", with which a datagram of the tunnel begins */
    GW_L1_SHIM = 20,          /* bytes of the tunnel before the data */
    GW_L1_SCI_RECORD = 4,     /* bytes before a captured packet's symbols */
    GW_L1_SCI_HEADER = 14,    /* bytes of a send packet before its data */
    GW_L1_SCI_EXTENSION = 16, /* bytes of an extended header */
    GW_L1_SCI_ECHO = 8,
    GW_L1_SCI_SPECIAL = 16,
    GW_L1_SCI_MAX = 14 + 16 + 256 + 2, /* bytes of the longest packet */
    GW_L1_CLOCK = 3,                   /* bytes of a traced clock */
    GW_L1_TAGNET_RECORD = 5,
    GW_L1_MEMORY_HEADER = 16,
    GW_L1_WORD = 8,            /* bytes of an event word */
    GW_L1_SUBEVENT = 128,      /* bytes of a fragment in the prototype's normal run */
    GW_L1_SUBEVENT_MAX = 4096, /* bytes of an event buffer */
    GW_L1_RESULT = 16,
    GW_L1_DESCRIPTOR = 16,
    GW_L1_DESCRIPTORS = 64,
    GW_L1_BURST = 128, /* most bytes of a PCI burst towards the SCI card (T 7.2.2) */
    GW_L1_CLUSTERS = 127,
    GW_L1_STRIPS = 2048,
    GW_L1_TID = 64, /* transactions that a node may have outstanding */
    GW_L1_DEST = 1 << 14,
};

/* Parts: what a message begins with. */
enum {
    GW_L1_TUNNEL = 0, /* over UDP */
    GW_L1_SCI = 1,    /* link type USER2 */
    GW_L1_TRACE = 2,  /* USER3 */
    GW_L1_TAGNET = 3, /* USER4 */
    GW_L1_MEMORY = 4, /* USER5 */
};

/* What a datagram of the tunnel carries. */
enum {
    GW_L1_KIND_SUBEVENT = 0,    /* readout unit to compute node */
    GW_L1_KIND_TAG = 1,         /* a coded tag */
    GW_L1_KIND_EDGE = 2,        /* a tag line changed */
    GW_L1_KIND_RESULT = 3,      /* compute node to decision unit */
    GW_L1_KIND_SCI = 4,         /* an SCI packet as USER2 has it */
    GW_L1_KIND_REGISTER = 5,    /* of a readout unit's DMA engine */
    GW_L1_KIND_FREE = 6,        /* a compute node released a buffer */
    GW_L1_KIND_DESCRIPTORS = 7, /* from |offset| of DESCBUF on */
    GW_L1_KIND_ODE = 8,         /* a detector board's block */
    GW_L1_KIND_DECISION = 9,    /* a decision unit passes a result on */
    GW_L1_KIND_TIMEOUT = 10,    /* a decision unit gave an event up */
    GW_L1_KIND_ENTERED = 11,    /* an event entered the system */
    GW_L1_KIND_LISTEN =
        12, /* whoever sends this is told from now on; the answer has the board's number */
    GW_L1_NUM_KINDS,
};

/* Kinds of captured SCI packets. */
enum {
    GW_L1_SCI_SEND = 0,
    GW_L1_SCI_IS_ECHO = 1,
    GW_L1_SCI_IS_SPECIAL = 2,
    GW_L1_SCI_IDLE = 3,
    GW_L1_SCI_UNKNOWN = 4, /* told apart by length */
};

/* Flags of a captured SCI packet. */
enum {
    GW_L1_SCI_CRC_BAD = 0x01,
    GW_L1_SCI_STOMPED = 0x02,
    GW_L1_SCI_CUT = 0x04,
    GW_L1_SCI_PATTERN = 0x08,
};

/* Lines of TagNet, and what is in a result's status (profile). */
enum { GW_L1_TIN = 0, GW_L1_TON = 1, GW_L1_BIN = 2, GW_L1_BON = 3 };
enum { GW_L1_CORRECT = 0, GW_L1_UNDERSTOOD = 1, GW_L1_MISMATCH = 2 };

/* gw_l1_crc is a CRC of 16 bits: polynomial without its highest term, start value, whether bits are
 * taken least significant first, and what is added at the end. */
typedef struct gw_l1_crc {
    uint16_t poly, seed, xorout;
    bool reflected;
} gw_l1_crc;

typedef enum gw_l1_code {
    GW_L1_HAMMING_20 = 0, /* (20,14): corrects one, detects two wrong bits */
    GW_L1_HAMMING_19,     /* (19,14), without overall parity: corrects one */
    GW_L1_UNCODED,        /* the 14 bits at the low end of the word */
} gw_l1_code;

typedef enum gw_l1_order {
    GW_L1_BOTTOM_UP = 0, /* address, unused, size, unused: the thesis' figure read bottom-up */
    GW_L1_TOP_DOWN,      /* unused, size, unused, address */
    GW_L1_PROSE,         /* address, size, unused, unused */
} gw_l1_order;

/* gw_l1_profile is the data of a dialect: what the documents leave open, or contradict each other
 * about. */
typedef struct gw_l1_profile {
    gw_l1_crc crc;      /* of SCI */
    uint16_t flow_mask; /* bits of the command symbol that the CRC leaves out */
    uint16_t old_mask, echo_mask, extended_mask, command_mask; /* of the command symbol */
    bool layout;             /* the parts of command and control symbol are shown */
    bool judge_crc;          /* the CRC is known */
    uint8_t code;            /* gw_l1_code */
    uint8_t order;           /* gw_l1_order */
    uint8_t unit;            /* bytes that a descriptor's size counts in */
    bool ode;                /* sub-events hold ODE data, not mock-up words */
    bool final;              /* the planned system's rules, not the prototype's */
    uint16_t nodes;          /* compute nodes, N */
    uint8_t buffers;         /* of a node, m */
    uint16_t columns;        /* of the torus: the column of node n is n % columns */
    uint8_t rus_in_row;      /* the row of readout unit r is r / rus_in_row */
    uint32_t step_ns;        /* period of the tag generator */
    uint32_t ringlet_rate;   /* MiB/s that a ringlet takes */
    uint32_t decision_steps; /* within which a decision is due */
} gw_l1_profile;

/* gw_l1_shim is the tunnel's header, in host byte order. */
typedef struct gw_l1_shim {
    uint8_t version; /* 1 */
    uint8_t kind;    /* GW_L1_KIND_..., 7 bits */
    bool little;     /* the data are a little-endian memory's image */
    uint8_t ru;
    uint8_t buffer;
    uint16_t dest;
    uint16_t event;
    uint32_t step;
    uint32_t offset;
    uint16_t length;
} gw_l1_shim;

/* gw_l1_sci is an SCI packet. |data| points into the message; of a traced packet, into the caller's
 * bytes. */
typedef struct gw_l1_sci {
    uint8_t kind;    /* GW_L1_SCI_SEND, ..._IS_ECHO, or what cannot be read */
    uint8_t flags;   /* GW_L1_SCI_CRC_BAD... of the capture */
    uint8_t ringlet; /* of the capture */
    uint16_t target;
    uint16_t command; /* the symbol */
    uint16_t source;
    uint16_t control; /* time of death in bits 15:6, transaction ID in bits 5:0 */
    uint64_t addr;    /* 48 bits */
    bool extended;    /* an extended header was found */
    const uint8_t *data;
    uint32_t data_len; /* captured */
    uint32_t len;      /* bytes of the whole packet as sent */
    bool has_crc;
    uint16_t crc;
    uint16_t crc_expected;
} gw_l1_sci;

/* gw_l1_tag is what the code says of a coded tag. */
typedef struct gw_l1_tag {
    uint16_t dest;  /* 14 bits, corrected; 0 when fatal */
    uint8_t status; /* GW_L1_TAG_... */
    uint8_t bit;    /* that was corrected, or GW_L1_NO_BIT */
} gw_l1_tag;

enum { GW_L1_TAG_CLEAN = 0, GW_L1_TAG_CORRECTED = 1, GW_L1_TAG_FATAL = 3, GW_L1_NO_BIT = 0xff };

/* gw_l1_edge is one edge of a tag line. */
typedef struct gw_l1_edge {
    uint8_t line; /* GW_L1_TIN... */
    uint8_t edge; /* 1: asserted */
    uint16_t ru;
} gw_l1_edge;

/* gw_l1_result is the 128-bit message of a compute node. */
typedef struct gw_l1_result {
    uint32_t nallok;
    uint32_t ntries;
    uint16_t node_id;
    uint16_t status;
    uint16_t tag_id;
    uint16_t rsv;
} gw_l1_result;

/* gw_l1_descriptor is one entry of DESCBUF; the unused words are kept. */
typedef struct gw_l1_descriptor {
    uint32_t target;
    uint32_t blocksize; /* in the dialect's unit */
    uint32_t unused[2];
} gw_l1_descriptor;

/* gw_l1_register is one access to a register of the DMA engine. */
typedef struct gw_l1_register {
    uint8_t bar;
    uint8_t op; /* GW_L1_READ... */
    uint16_t offset;
    bool has_value;
    uint32_t value;
} gw_l1_register;

enum { GW_L1_READ = 0, GW_L1_WRITE = 1, GW_L1_VALUE = 2 };

/* gw_l1_memory is a captured burst. */
typedef struct gw_l1_memory {
    uint64_t address;
    uint32_t length;
    uint16_t node;
    uint8_t direction; /* 0: written, 1: read */
} gw_l1_memory;

/* What a decoded message holds. */
enum {
    GW_L1_NOTHING = 0, /* not even a header, or a kind that is not known */
    GW_L1_HAS_WORDS,   /* |data|: event words */
    GW_L1_HAS_RU,      /* |data|: a readout unit's real sub-event */
    GW_L1_HAS_SCI,
    GW_L1_HAS_TRACE, /* |data|: clocks; read on with gw_l1_trace_next */
    GW_L1_HAS_TAG,
    GW_L1_HAS_EDGE,
    GW_L1_HAS_RESULT,
    GW_L1_HAS_REGISTER,
    GW_L1_HAS_DESCRIPTORS, /* |data| */
    GW_L1_HAS_ODE,         /* |data| */
    GW_L1_HAS_DATA,        /* |data|: opaque */
    GW_L1_HAS_NOTICE,      /* a datagram that needs no data: released, time-out, entered */
};

/* gw_l1_unit is a decoded message. What |has| does not name is zero. */
typedef struct gw_l1_unit {
    uint8_t has; /* GW_L1_HAS_... */
    bool has_shim;
    bool has_memory;
    gw_l1_shim shim;     /* of a tunnel */
    gw_l1_memory memory; /* of a burst */
    struct {
        gw_l1_sci sci;
        gw_l1_tag tag;
        gw_l1_edge edge;
        gw_l1_result result;
        gw_l1_register reg;
    } u;
    uint32_t word;        /* of a tag, as sent */
    const uint8_t *data;  /* after all headers, inside the message */
    uint32_t data_len;    /* captured */
    uint32_t data_offset; /* from the start of the message */
} gw_l1_unit;

/* gw_l1farm is the format for gw_format's users. */
extern GW_API const gw_format gw_l1farm;

/* gw_l1_profile_of returns the data of |dialect|, strict's for NULL. */
GW_API const gw_l1_profile *gw_l1_profile_of(const gw_dialect *dialect);

/* gw_l1_decode reads |message|. The error tells where it stopped, as the walk does; what came
 * before is in |out|. */
GW_API gw_error gw_l1_decode(gw_l1_unit *out, const gw_message *message, const gw_dialect *dialect);

/* ---- the tunnel ---- */

/* gw_l1_put_shim writes the 20 bytes of |shim|; gw_l1_get_shim reads them. */
GW_API void gw_l1_put_shim(uint8_t out[GW_L1_SHIM], const gw_l1_shim *shim);
GW_API gw_l1_shim gw_l1_get_shim(const uint8_t in[GW_L1_SHIM]);

/* gw_l1_is_tunnel says whether |len| bytes begin as a datagram of the tunnel does. */
GW_API bool gw_l1_is_tunnel(const uint8_t *data, size_t len);

/* ---- SCI ---- */

/* gw_l1_sci_crc returns the CRC of |len| bytes of symbols, the CRC itself not among them (T 4.4.3:
 * everything but the flow control; how is the dialect's). */
GW_API uint16_t gw_l1_sci_crc(const gw_l1_profile *profile, const uint8_t *symbols, size_t len);

/* gw_l1_build_send writes a send packet, from target to CRC, and returns its length, or 0 when it
 * does not fit into |cap|. Of |sci|: target, command, source, control, addr, data and data_len; an
 * extended header is not built. */
GW_API size_t gw_l1_build_send(uint8_t *out, size_t cap, const gw_l1_sci *sci,
                               const gw_l1_profile *profile);

/* gw_l1_build_echo writes the echo of |sci|, a send packet, by |node|. */
GW_API void gw_l1_build_echo(uint8_t out[GW_L1_SCI_ECHO], const gw_l1_sci *sci, uint16_t node,
                             bool response, bool busy, const gw_l1_profile *profile);

/* gw_l1_sci_has_head says whether the header of |sci|, a send packet or an echo, is there: without
 * it target, source, command, control and address are zero. */
static inline bool gw_l1_sci_has_head(const gw_l1_sci *sci)
{
    return sci->kind == GW_L1_SCI_IS_ECHO ? sci->has_crc : sci->data != NULL;
}

/* gw_l1_sci_data_known says whether |len| bytes are a size of data that SCI has. */
GW_API bool gw_l1_sci_data_known(uint32_t len);

/* gw_l1_traced is a packet found in a trace. */
typedef struct gw_l1_traced {
    uint8_t symbols[GW_L1_SCI_MAX + 2]; /* big-endian; those that fit */
    uint32_t len;                       /* bytes of symbols */
    uint32_t offset;                    /* of its first clock in the trace */
    uint32_t high;                      /* clocks that the flag was high */
    uint32_t idles;                     /* idle symbols between it and the packet before */
    bool first;                         /* no packet came before in this trace */
    bool whole;                         /* its end was traced */
    uint8_t kind;                       /* send, echo, or unknown when |high| fits no packet */
} gw_l1_traced;

/* gw_l1_trace_next finds the next packet among |len| bytes of clocks at |data|, from |*at| on,
 * which it moves behind it. False when there is none. */
GW_API bool gw_l1_trace_next(gw_l1_traced *out, const uint8_t *data, size_t len, size_t *at);

/* ---- TagNet ---- */

/* gw_l1_tag_encode returns the word of |dest|, 14 bits, in |code|. */
GW_API uint32_t gw_l1_tag_encode(uint16_t dest, gw_l1_code code);

/* gw_l1_tag_decode judges and corrects a word. A word whose unused bits are set is fatal. */
GW_API gw_l1_tag gw_l1_tag_decode(uint32_t word, gw_l1_code code);

/* ---- event data and results ---- */

/* gw_l1_event_word returns the event word of |tag_id| and |index| as a number. */
static inline uint64_t gw_l1_event_word(uint16_t tag_id, uint16_t index)
{
    return (uint64_t)tag_id << 16 | index;
}

/* gw_l1_put_words writes |num| event words of |tag_id| from |index| on as a little-endian image. */
GW_API void gw_l1_put_words(uint8_t *out, uint16_t tag_id, uint16_t index, size_t num);

/* gw_l1_words_ok says whether |num| event words of a little-endian image carry |tag_id| in each,
 * upper halves of zero, and indexes that count up by one (T 7.4.2). */
GW_API bool gw_l1_words_ok(const uint8_t *words, size_t num, uint16_t tag_id);

/* gw_l1_put_result writes a result as a little-endian image; gw_l1_get_result reads one. */
GW_API void gw_l1_put_result(uint8_t out[GW_L1_RESULT], const gw_l1_result *result);
GW_API gw_l1_result gw_l1_get_result(const uint8_t in[GW_L1_RESULT]);

/* ---- DMA engine ---- */

/* Registers by BAR and byte offset (T 7.2.2). */
enum {
    GW_L1_DMACNTRL = 0x100,
    GW_L1_FRQ = 0x200,
    GW_L1_DESCS = 0x300,   /* number of descriptors, less one */
    GW_L1_TAGS = 0x400,    /* read only: transfers issued so far */
    GW_L1_DESCBUF = 0x000, /* in BAR 1 */
    GW_L1_DESCBUF_BYTES = GW_L1_DESCRIPTORS * GW_L1_DESCRIPTOR,
};

/* Bits of DMACNTRL. */
#define GW_L1_DMA_START UINT32_C(0x001)
#define GW_L1_DMA_STATUS UINT32_C(0x002)
#define GW_L1_DMA_CLEAR UINT32_C(0x008)
#define GW_L1_DMA_TAGNET UINT32_C(0x020)
#define GW_L1_DMA_MODE UINT32_C(0x0c0)
#define GW_L1_DMA_LOOP UINT32_C(0x080)    /* mode 10 */
#define GW_L1_DMA_EXACTLY UINT32_C(0x0c0) /* mode 11 */
#define GW_L1_DMA_RESERVED UINT32_C(0x714)
#define GW_L1_DMA_TRANSFERS_SHIFT 11

/* GW_L1_TARGET is the PCI address that leads to |offset| in |buffer| of |node| (tunnel: how a
 * node's memory is mapped is free): node in bits 29:16, buffer in bits 15:12. */
#define GW_L1_TARGET(node, buffer, offset)                                                         \
    (UINT32_C(0xc0000000) | (uint32_t)(node) << 16 | (uint32_t)(buffer) << 12 | (uint32_t)(offset))

/* gw_l1_put_descriptor writes |d| as a little-endian image in the dialect's order of words;
 * gw_l1_get_descriptor reads one. */
GW_API void gw_l1_put_descriptor(uint8_t out[GW_L1_DESCRIPTOR], const gw_l1_descriptor *d,
                                 const gw_l1_profile *profile);
GW_API gw_l1_descriptor gw_l1_get_descriptor(const uint8_t in[GW_L1_DESCRIPTOR],
                                             const gw_l1_profile *profile);

GW_END_DECLS

#endif
