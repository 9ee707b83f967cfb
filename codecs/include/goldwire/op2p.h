/* SPDX-License-Identifier: BSD-2-Clause */
/* OP2P, the open peer-to-peer protocol: writes and reads between the buffer memories of boards
 * joined by Aurora links.
 *
 * Clauses name their source: "ds" is the OP2P datasheet, "vhdl" the reference core op2p.vhd, "sim"
 * what that core was seen to do in simulation, "aurora" the Aurora 8B/10B core. All double words
 * are sent most significant byte first (vhdl 1271); bit 31 is the most significant.
 *
 * A message is one PDU, from SCP to ECP: bare (GW_OP2P_BARE), behind the eight bytes that a capture
 * puts before it (GW_OP2P_EVENT), or, over UDP, behind the eight bytes of the lab tunnel. A UDP
 * payload that begins with "O2" and version 1 is taken for the tunnel, any other for a bare PDU: a
 * bare PDU from node 0x4f32 to a node 0x01.. cannot be told from it. */
#ifndef GOLDWIRE_OP2P_H
#define GOLDWIRE_OP2P_H

#include "goldwire/base.h"
#include "goldwire/error.h"
#include "goldwire/format.h"
#include "goldwire/message.h"
#include "goldwire/registers.h"

GW_BEGIN_DECLS

enum {
    GW_OP2P_HEADER = 16, /* bytes (ds) */
    GW_OP2P_PAYLOAD_MAX = 1024,
    GW_OP2P_PDU_MAX = GW_OP2P_HEADER + GW_OP2P_PAYLOAD_MAX,
    GW_OP2P_MAGIC = 0x4f32, /* what the tunnel's shim begins with, "O2" */
    GW_OP2P_SHIM = 8,       /* bytes of the tunnel's shim, and of the capture's event header */
    GW_OP2P_REFERENCE_MAX = 1000, /* the most payload that the reference core sends (sim S6) */
};

/* Packet types (ds; others are reserved). */
enum {
    GW_OP2P_WRITE = 0x0,      /* posted */
    GW_OP2P_READ = 0x1,       /* request */
    GW_OP2P_COMPLETION = 0x2, /* of a read, or of an error */
    GW_OP2P_RETRANSMIT = 0xa, /* request to send the last packet again */
};

/* Status (ds). */
enum {
    GW_OP2P_SUCCESS = 0,
    GW_OP2P_NO_FURTHER_HOP = 1,
    GW_OP2P_UNKNOWN_ERROR = 2,
};

/* Aurora's native flow control codes (aurora). 1 to 8 are pauses of 2 to 256 idle beats. */
enum {
    GW_OP2P_XON = 0x0,
    GW_OP2P_XOFF = 0xf,
};

/* What a link event is. */
enum {
    GW_OP2P_KIND_PDU = 0,
    GW_OP2P_KIND_NFC = 1,
    GW_OP2P_KIND_CHANNEL = 2, /* up or down: lane mask, 0 is down */
    GW_OP2P_KIND_ERROR = 3,   /* a burst of errors outside of a PDU */
};

/* Flags of a link event. */
enum {
    GW_OP2P_FLAG_OUT = 0x01, /* direction: sent by the captured port */
    GW_OP2P_FLAG_SOFT_ERROR = 0x02,
    GW_OP2P_FLAG_FRAME_ERROR = 0x04,
    GW_OP2P_FLAG_TRUNCATED = 0x08,
    GW_OP2P_FLAG_NO_EOF = 0x10,
    GW_OP2P_FLAG_PAD = 0x20,
    GW_OP2P_FLAGS_BAD = 0x3e,        /* any of these: the PDU cannot be trusted */
    GW_OP2P_FLAG_HALT_INSIDE = 0x40, /* tunnel: an XOFF stands in the gap inside this PDU */
};

/* The code of a PDU in the tunnel is a gap inside it: behind so many double words (bits 7:4, 0: no
 * gap) the link carries none of its words for 2 ^ (bits 3:0) beats. */
#define GW_OP2P_GAP(words, beats) ((uint8_t)((words) << 4 | (beats)))

/* Parts: how the bytes of a message begin. */
enum {
    GW_OP2P_BARE = 0,  /* over UDP: the tunnel's shim when it is there */
    GW_OP2P_EVENT = 1, /* link type USER1: the capture's event header */
};

/* gw_op2p_header is the header of a packet, in host byte order. */
typedef struct gw_op2p_header {
    uint16_t src_id; /* chassis in bits 15:6, slot in 5:0 */
    uint16_t dst_id; /* 0: whoever is at the other end of the link */
    uint32_t dst_addr;
    uint32_t src_addr;
    uint16_t byte_count;
    uint8_t type;
    uint8_t status;
    uint8_t fbe; /* first byte enable: bit 0 is lane 0, data bits 7:0 */
    uint8_t rfu; /* reserved for future use */
} gw_op2p_header;

/* gw_op2p_shim is what stands before a PDU: the tunnel's shim, or the capture's event header. */
typedef struct gw_op2p_shim {
    uint8_t version; /* 1 */
    uint8_t kind;    /* GW_OP2P_KIND_... */
    uint8_t flags;
    uint8_t code;      /* NFC code, or lane mask */
    uint16_t sequence; /* tunnel: counts datagrams of one direction */
    uint16_t port;     /* event header */
    uint16_t beat;     /* event header: of the first error; 0xffff: none */
} gw_op2p_shim;

/* gw_op2p_packet is a decoded message. |payload| points into it. */
typedef struct gw_op2p_packet {
    bool has_shim;
    bool has_header;
    gw_op2p_shim shim;
    gw_op2p_header header;
    const uint8_t *payload; /* wire order */
    uint32_t payload_len;   /* captured */
    uint32_t payload_sent;  /* before the capture's cut */
} gw_op2p_packet;

/* gw_op2p_dialect is the data of an OP2P dialect. */
typedef struct gw_op2p_dialect {
    bool reference; /* the reference core: stale data, cut sizes, answers for others */
} gw_op2p_dialect;

/* gw_op2p is the format for gw_format's users. */
extern GW_API const gw_format gw_op2p;

/* gw_op2p_dialect_of returns the data of |dialect|, strict's for NULL. */
GW_API const gw_op2p_dialect *gw_op2p_dialect_of(const gw_dialect *dialect);

/* gw_op2p_chassis and gw_op2p_slot split an id (ds: ten and six bits, in this order). */
static inline unsigned gw_op2p_chassis(uint16_t id)
{
    return id >> 6;
}

static inline unsigned gw_op2p_slot(uint16_t id)
{
    return id & 0x3f;
}

/* gw_op2p_put_node appends the id |node| as "chassis.slot", or "partner" for 0, whoever is at the
 * other end of the link. */
GW_API void gw_op2p_put_node(gw_text *t, uint16_t node);

/* gw_op2p_decode reads |message|. The error tells where it stopped: inside the shim or the header,
 * or at a tail that is no double word. A message without a header (a link event) is no error. */
GW_API gw_error gw_op2p_decode(gw_op2p_packet *out, const gw_message *message);

/* gw_op2p_has_payload says whether a packet with |header| carries byte_count bytes (ds): a write,
 * or a completion whose status is 0. */
GW_API bool gw_op2p_has_payload(const gw_op2p_header *header);

/* gw_op2p_put writes the 16 bytes of |header|. Values are cut to their fields. */
GW_API void gw_op2p_put(uint8_t out[GW_OP2P_HEADER], const gw_op2p_header *header);

/* gw_op2p_get reads 16 bytes. */
GW_API gw_op2p_header gw_op2p_get(const uint8_t in[GW_OP2P_HEADER]);

/* gw_op2p_put_tunnel writes the tunnel's shim. */
GW_API void gw_op2p_put_tunnel(uint8_t out[GW_OP2P_SHIM], const gw_op2p_shim *shim);

/* gw_op2p_put_event writes the capture's event header. */
GW_API void gw_op2p_put_event(uint8_t out[GW_OP2P_SHIM], const gw_op2p_shim *shim);

/* gw_op2p_is_tunnel says whether |len| bytes begin as the tunnel's shim does. */
GW_API bool gw_op2p_is_tunnel(const uint8_t *data, size_t len);

/* gw_op2p_order follows the numbers of a tunnel's datagrams in one direction. All zeros has heard
 * none. */
typedef struct gw_op2p_order {
    uint16_t last;
    uint64_t seen; /* bit i: number last - i has come */
    bool heard;    /* |last| is valid */
    bool counts;   /* numbers have differed: the other end counts its datagrams */
} gw_op2p_order;

/* gw_op2p_in_order says whether the datagram |sequence| is to be taken. One that comes late, or a
 * second time, is none of the link's: OP2P knows no other order than that in which frames leave. A
 * count that begins anew, at 0 or further off than datagrams overtake each other, is followed. Of
 * an end that does not count, which gives all datagrams one number, each is taken. */
GW_API bool gw_op2p_in_order(gw_op2p_order *order, uint16_t sequence);

/* gw_op2p_repeated says whether |sequence|, which gw_op2p_in_order has not been asked about yet,
 * has come before. Who can tell answers apart takes what is late, and not what is repeated. */
GW_API bool gw_op2p_repeated(const gw_op2p_order *order, uint16_t sequence);

/* gw_op2p_may_repeat says whether |sequence|, which gw_op2p_in_order has not been asked about yet,
 * may have come before: also while nobody knows whether the other end counts, and of 0, with which
 * a count begins anew. Who judges from outside cannot tell. */
GW_API bool gw_op2p_may_repeat(const gw_op2p_order *order, uint16_t sequence);

/* gw_op2p_first_byte returns the place of the first enabled byte inside the first double word,
 * 0 to 3, for a first byte enable that has one by the reference core's table (vhdl 2254), and 0 for
 * the others. */
GW_API unsigned gw_op2p_first_byte(uint8_t fbe);

/* gw_op2p_fbe_known says whether that table has |fbe|. */
GW_API bool gw_op2p_fbe_known(uint8_t fbe);

/* gw_op2p_swap turns |len| bytes of payload between wire and memory order: the bytes of each double
 * word are reversed (vhdl 1271). |out| may be |in|. */
GW_API void gw_op2p_swap(uint8_t *out, const uint8_t *in, size_t len);

/* ---- the host's register map (ds; byte addresses) ---- */

enum {
    GW_OP2P_FIFOSTATUS = 0x00,
    GW_OP2P_WR_SOURCEADDRESS = 0x04,
    GW_OP2P_WR_DESTINATIONADDRESS = 0x08,
    GW_OP2P_WR_SOURCEID = 0x0c,
    GW_OP2P_WR_DESTINATIONID = 0x10,
    GW_OP2P_WR_BYTECOUNT = 0x14,
    GW_OP2P_RDREQ_LOCALADDRESS = 0x18,
    GW_OP2P_RDREQ_DESTINATIONADDRESS = 0x1c,
    GW_OP2P_RDREQ_SOURCEID = 0x20,
    GW_OP2P_RDREQ_DESTINATIONID = 0x24,
    GW_OP2P_RDREQ_BYTECOUNT = 0x28,
    GW_OP2P_RDCOMPL_LOCALADDRESS = 0x2c,
    GW_OP2P_FORWARDING_BUFFERBASE = 0x30,
    GW_OP2P_FORWARDING_BUFSIZE = 0x34,
    GW_OP2P_FORW_FREEUPADDR = 0x38,
    GW_OP2P_FORW_FREEUPSIZE = 0x3c,
    GW_OP2P_FORWREQ_POINTER = 0x40,
    GW_OP2P_ARRIVEDWRITE_ADDRESS = 0x44,
    GW_OP2P_LOCALID = 0x48,
    GW_OP2P_LINK_STATUS = 0x4c,
    GW_OP2P_PORT_RESET = 0x50,
    GW_OP2P_LINK_ERROR_COUNT = 0x54,
    GW_OP2P_REGISTERS = 0x80, /* bytes of the map: seven address bits */
};

/* gw_op2p_registers is the map of one port, with the datasheet's names. */
extern GW_API const gw_register_map gw_op2p_registers;

/* fifostatus: empty flags of what the host reads, full flags of what it writes. */
enum {
    GW_OP2P_FORWREQ_EMPTY = 1 << 0,
    GW_OP2P_RDCOMPL_EMPTY = 1 << 1,
    GW_OP2P_ARRIVEDWRITE_EMPTY = 1 << 2,
    GW_OP2P_WR_FULL = 1 << 3,    /* and the four bits above: the five FIFOs of a write command */
    GW_OP2P_RDREQ_FULL = 1 << 8, /* and the four bits above: those of a read request */
    GW_OP2P_FREEUP_FULL = 1 << 13,
};

/* link_status. */
enum {
    GW_OP2P_CHANNEL_UP = 1 << 0,
    GW_OP2P_LANES_UP = 3 << 1, /* bit 2 is lane 0 (sim S20) */
    GW_OP2P_WE_HALTED = 1 << 29,
    GW_OP2P_THEY_HALTED = 1 << 30,
};
#define GW_OP2P_HARD_ERROR (UINT32_C(1) << 31)

enum {
    GW_OP2P_FIFO_DEPTH = 16,    /* words */
    GW_OP2P_POOL_ENTRIES = 512, /* of the forwarding pool */
    GW_OP2P_POOL_ENTRY = 2048,  /* bytes */
};

GW_END_DECLS

#endif
