/* SPDX-License-Identifier: BSD-2-Clause */
/* The IMS streaming protocol: Workers register with a buffer (WCU.BUF) over a status channel and
 * stream images into it by RDMA writes, each frame answered by an ACK or a NACK.
 *
 * Clauses: "ims" is the Streaming Protocol Specification 2.2, protocol revision 1.1, with its
 * chapter; "assumed" is what it leaves open and a dialect can change (docs/dialects.md).
 *
 * A message is one InfiniBand packet from BTH to before the ICRC (goldwire/ib.h); what lies beneath
 * is in the message's |ib|. Status and ACK words are little-endian (ims T3.1, T3.5, by their byte
 * labels), the RDMA header big-endian (ims T3.3). */
#ifndef GOLDWIRE_IMS_H
#define GOLDWIRE_IMS_H

#include "goldwire/base.h"
#include "goldwire/checksum.h"
#include "goldwire/error.h"
#include "goldwire/format.h"
#include "goldwire/ib.h"
#include "goldwire/message.h"

GW_BEGIN_DECLS

enum {
    GW_IMS_STATUS = 28, /* bytes of a status packet (ims T3.1) */
    GW_IMS_ACK = 16,    /* bytes of an ACK or NACK (ims T3.5) */
    GW_IMS_ALIGN = 64,  /* of a frame's start, and of packet sizes (ims 3.2.1) */
    GW_IMS_PACKET_MIN = 64,
    GW_IMS_PACKET_MAX = 4096,
    GW_IMS_MAJOR = 1, /* of revision 1.1 */
    GW_IMS_MINOR = 1,
};

#define GW_IMS_FRAME_TYPICAL UINT32_C(33554432) /* bytes: 32 MiB (ims 3.2.1) */
#define GW_IMS_RING UINT64_C(0x4000000000)      /* bytes: 256 GiB (ims 3.2.2) */
#define GW_IMS_TIMEOUT_NS INT64_C(20000000000)  /* until a frame is sent again (ims T3.4) */
#define GW_IMS_WAIT_NS INT64_C(100000000)       /* after "outside window" (assumed) */
#define GW_IMS_STATUS_NS INT64_C(1000000000)    /* until a request is sent again (assumed) */

enum {
    GW_IMS_TRIES = 5, /* of a status request and of a frame (assumed) */
};

/* Methods of a status packet (ims T3.2). Bit 0: from the buffer to the Worker; bit 2: about the
 * data channel; a response is its request | 1. */
enum {
    GW_IMS_STAT_REQ = 0,
    GW_IMS_STAT_RES = 1,
    GW_IMS_STAT_TERM = 2,
    GW_IMS_STAT_DOWN = 3,
    GW_IMS_DATA_REQ = 4,
    GW_IMS_DATA_RES = 5,
    GW_IMS_DATA_TERM = 6,
    GW_IMS_DATA_DOWN = 7,
    GW_IMS_NUM_METHODS = 8,
};

enum {
    GW_IMS_RESPONSE = 1,
    GW_IMS_DATA = 4,
};

/* Types of a response to a frame (ims T3.6). */
enum {
    GW_IMS_TYPE_ACK = 0,
    GW_IMS_TYPE_NACK = 1,
};

/* Events of a NACK (ims T3.7), a mask since revision 1.1. */
enum {
    GW_IMS_OUT_OF_SEQUENCE = 1 << 0, /* a gap in the PSNs */
    GW_IMS_PARITY = 1 << 1,
    GW_IMS_OUTSIDE_WINDOW = 1 << 2,
    GW_IMS_INVALID_RKEY = 1 << 3,
    GW_IMS_FRAME_LENGTH = 1 << 4,  /* the payloads' sum is not the header's length */
    GW_IMS_PACKET_LENGTH = 1 << 5, /* of a packet: less than 64 bytes, or not as its header says */
    GW_IMS_BAD_FRAME = 1 << 6,     /* end of bad frame */
    GW_IMS_BAD_PACKET = 1 << 7,    /* end of bad packet */
    GW_IMS_INVALID_VA = 1 << 8,    /* not aligned to 64 bytes */
    GW_IMS_NO_START = 1 << 9,      /* no start of frame; the VA is 0 */
    GW_IMS_CORRECTABLE = 1 << 10,
    GW_IMS_UNCORRECTABLE = 1 << 11,
    GW_IMS_NUM_EVENTS = 12,
    GW_IMS_EVENTS = 0xfff,                                  /* all of them */
    GW_IMS_FATAL = GW_IMS_INVALID_RKEY | GW_IMS_INVALID_VA, /* report and stop (ims T3.4) */
};

/* What a Worker does about a response (ims T3.4). With several events stopping comes before
 * waiting, and that before sending at once (assumed). */
typedef enum gw_ims_reaction {
    GW_IMS_DONE = 0, /* an ACK: the frame is delivered */
    GW_IMS_RESEND,   /* send it again */
    GW_IMS_WAIT,     /* send it again after a while */
    GW_IMS_STOP,     /* report, and do not send it again */
    GW_IMS_IGNORE,   /* of an unknown type */
} gw_ims_reaction;

/* gw_ims_status is a status packet in host byte order. */
typedef struct gw_ims_status {
    uint8_t method;
    uint8_t reserved;
    uint8_t minor;
    uint8_t major;
    uint32_t lid; /* 16 bits in a field of 32 */
    uint32_t qpn; /* of the Worker's status channel, 24 bits in a field of 32 */
    uint32_t key; /* the Worker's Q_Key (STAT_...), or the data channel's QPN (DATA_...) */
    uint64_t va;  /* of DATA_RES: where the first frame begins */
    uint32_t rkey;
} gw_ims_status;

/* gw_ims_ack is an ACK or a NACK in host byte order. */
typedef struct gw_ims_ack {
    uint32_t type;
    uint32_t events; /* a mask; before revision 1.1 a code */
    uint64_t va;     /* of the frame's start; 0 when it had none */
} gw_ims_ack;

/* What a packet is, by opcode and length. */
typedef enum gw_ims_kind {
    GW_IMS_FOREIGN = 0, /* nothing of this protocol, or cut before it could be told */
    GW_IMS_IS_STATUS,
    GW_IMS_IS_ACK,
    GW_IMS_IS_DATA, /* a packet of a frame */
} gw_ims_kind;

/* Orders of the words of status packets and of responses. */
typedef enum gw_ims_order {
    GW_IMS_LE = 0, /* least significant byte first */
    GW_IMS_BE32,   /* each 32-bit word most significant byte first; words in the same order */
    GW_IMS_AUTO,   /* by the bytes that must be 0 */
} gw_ims_order;

/* gw_ims_packet is a decoded message. A part that the bytes do not hold whole is absent. */
typedef struct gw_ims_packet {
    gw_ims_kind kind;
    bool has_bth;
    bool has_deth;
    bool has_reth;
    bool has_imm;
    bool has_body;      /* |status| or |ack|, by |kind| */
    bool first;         /* of a frame: FIRST or ONLY ... */
    bool last;          /* ... LAST or ONLY */
    gw_ims_order order; /* of the words of |status| or |ack|: LE or BE32 */
    gw_ib_bth bth;
    gw_ib_deth deth;
    gw_ib_reth reth;
    uint32_t imm;
    gw_ims_status status;
    gw_ims_ack ack;
    const uint8_t
        *payload; /* above all headers, without the BTH's padding; points into the message */
    uint32_t payload_len;  /* captured */
    uint32_t payload_sent; /* before the capture's cut */
} gw_ims_packet;

/* gw_ims_dialect is the data of an IMS dialect. All of it is assumed in one way or the other. */
typedef struct gw_ims_dialect {
    uint8_t status_order; /* gw_ims_order */
    uint8_t ack_order;    /* gw_ims_order */
    uint16_t revision;    /* major << 8 | minor of both sides; NACK events are a mask from 1.1 on */
    bool qpnd_echo;       /* DATA_RES repeats the Worker's QPND instead of telling the buffer's */
    bool nack_below;      /* frames below the read pointer are refused with "outside window" */
    bool images;          /* frames begin with an image whose checksum is judged */
} gw_ims_dialect;

/* gw_ims is the format for gw_format's users. */
extern GW_API const gw_format gw_ims;

/* gw_ims_dialect_of returns the data of |dialect|, strict's for NULL. */
GW_API const gw_ims_dialect *gw_ims_dialect_of(const gw_dialect *dialect);

/* gw_ims_decode reads |message|. The error tells where it stopped; what lies before is in |out|,
 * whose pointers live as long as the message's bytes. */
GW_API gw_error gw_ims_decode(gw_ims_packet *out, const gw_message *message,
                              const gw_dialect *dialect);

/* gw_ims_put_status and gw_ims_get_status write and read the 28 bytes of a status packet;
 * |order| GW_IMS_AUTO writes GW_IMS_LE and finds out when reading. */
GW_API void gw_ims_put_status(uint8_t out[GW_IMS_STATUS], const gw_ims_status *status,
                              gw_ims_order order);
GW_API gw_ims_status gw_ims_get_status(const uint8_t in[GW_IMS_STATUS], gw_ims_order order);

/* gw_ims_put_ack and gw_ims_get_ack do so with the 16 bytes of a response. */
GW_API void gw_ims_put_ack(uint8_t out[GW_IMS_ACK], const gw_ims_ack *ack, gw_ims_order order);
GW_API gw_ims_ack gw_ims_get_ack(const uint8_t in[GW_IMS_ACK], gw_ims_order order);

/* gw_ims_detect_status and gw_ims_detect_ack return GW_IMS_LE or GW_IMS_BE32 for such bytes. A
 * Worker of LID 0 cannot always be told. */
GW_API gw_ims_order gw_ims_detect_status(const uint8_t in[GW_IMS_STATUS]);
GW_API gw_ims_order gw_ims_detect_ack(const uint8_t in[GW_IMS_ACK]);

/* gw_ims_reaction_to returns what a Worker of revision 1.1 does about |ack|. */
GW_API gw_ims_reaction gw_ims_reaction_to(const gw_ims_ack *ack);

/* ---- building ---- */

/* gw_ims_draft is a packet to be built. The opcode decides what follows the BTH: DETH and status
 * packet (UD SEND ONLY), response (UC SEND ONLY), RETH and payload (WRITE FIRST, ONLY), payload
 * (MIDDLE, LAST); WITH_IMM opcodes get |imm|. With |raw| the payload takes the place of the status
 * packet or response. The BTH's pad count is computed. */
typedef struct gw_ims_draft {
    gw_ib_bth bth;
    gw_ib_deth deth;
    gw_ib_reth reth;
    uint32_t imm;
    gw_ims_status status;
    gw_ims_ack ack;
    const uint8_t *payload;
    size_t payload_len;
    bool raw;
} gw_ims_draft;

/* gw_ims_draft_status returns a draft of a status packet from |src_qp| to |dest_qp| with the
 * receiver's |qkey|: UD SEND ONLY, default P_Key, PSN |psn|. */
GW_API gw_ims_draft gw_ims_draft_status(uint32_t dest_qp, uint32_t src_qp, uint32_t qkey,
                                        uint32_t psn, const gw_ims_status *status);

/* gw_ims_draft_ack returns a draft of a response to |dest_qp|: UC SEND ONLY. */
GW_API gw_ims_draft gw_ims_draft_ack(uint32_t dest_qp, uint32_t psn, const gw_ims_ack *ack);

/* gw_ims_draft_write returns a draft of the packet of a frame that holds the |len| bytes at |data|:
 * those from byte |offset| of the frame that |reth| describes. Opcode FIRST, MIDDLE, LAST or ONLY
 * by where they lie. */
GW_API gw_ims_draft gw_ims_draft_write(uint32_t dest_qp, uint32_t psn, const gw_ib_reth *reth,
                                       uint32_t offset, const uint8_t *data, size_t len);

/* gw_ims_build writes |draft| from BTH to pad and returns how many bytes those are, 0 when |cap| is
 * too small. */
GW_API size_t gw_ims_build(uint8_t *out, size_t cap, const gw_ims_draft *draft,
                           const gw_dialect *dialect);

/* gw_ims_build_datagram writes |draft| as the payload of a RoCEv2 datagram from |src| to |dst|: BTH
 * to pad, and the ICRC as gw_ib_icrc_udp has it. 0 when |cap| is too small. */
GW_API size_t gw_ims_build_datagram(uint8_t *out, size_t cap, const gw_ims_draft *draft,
                                    const gw_dialect *dialect, const gw_endpoint *src,
                                    const gw_endpoint *dst);

/* ---- write window (ims 3.2.2) ---- */

typedef enum gw_ims_zone {
    GW_IMS_INSIDE = 0, /* must be accepted */
    GW_IMS_GREY,       /* starts inside, ends beyond the bound: either is tolerated (assumed) */
    GW_IMS_BEYOND,     /* must be refused with "outside window" */
    GW_IMS_BELOW,      /* below the read pointer: unspecified */
} gw_ims_zone;

/* gw_ims_zone_of says where a frame of |length| bytes at |va| lies in the window that begins at the
 * read pointer |rp|, in a ring of |ring| bytes whose margin is |frame|, the frame size. Compares in
 * VA order, without modulo; a frame that wraps 2^64 is beyond. */
GW_API gw_ims_zone gw_ims_zone_of(uint64_t va, uint32_t length, uint64_t rp, uint64_t ring,
                                  uint32_t frame);

/* ---- images (ims 4) ---- */

enum {
    GW_IMS_IMAGE_HEADER = 64, /* CRC, padding, VA, padding */
    GW_IMS_IMAGE_SIDE = 256,  /* columns, and pixels of one: a quarter of an image */
    GW_IMS_IMAGE_4BIT = 64 + 256 * 128,
    GW_IMS_IMAGE_6BIT = 64 + 256 * 256,
};

/* Which bytes of an image its checksum covers. */
typedef enum gw_ims_cover {
    GW_IMS_COVER_4 = 0,  /* byte 4 to the end */
    GW_IMS_COVER_8,      /* byte 8 to the end */
    GW_IMS_COVER_PIXELS, /* byte 64 to the end */
    GW_IMS_COVER_WHOLE,  /* all, the checksum's own bytes taken as 0 */
    GW_IMS_COVER_VA,     /* VA and pixels */
    GW_IMS_NUM_COVERS,
} gw_ims_cover;

/* gw_ims_image_profile is one way to read the specification's polynomial 0x1EDC6F41. All zero but
 * |ones_in|, |ones_out| and |reflected| is the default: CRC-32C as in iSCSI over byte 4 to the end,
 * CRC and VA big-endian (assumed). */
typedef struct gw_ims_image_profile {
    bool ones_in;   /* initial value all ones, else 0 */
    bool ones_out;  /* final XOR with all ones, else 0 */
    bool reflected; /* bytes and result least significant bit first */
    bool little;    /* the checksum is stored least significant byte first */
    uint8_t cover;  /* gw_ims_cover */
} gw_ims_image_profile;

/* gw_ims_image_default is the default profile. */
extern GW_API const gw_ims_image_profile gw_ims_image_default;

/* gw_ims_image_crc returns the checksum that the image of |len| bytes, at least 64, ought to have.
 * |env| (NULL: portable code) computes the reflected ones. */
GW_API uint32_t gw_ims_image_crc(const gw_env *env, const gw_ims_image_profile *profile,
                                 const uint8_t *image, size_t len);

/* gw_ims_image_good says whether it has that checksum. */
GW_API bool gw_ims_image_good(const gw_env *env, const gw_ims_image_profile *profile,
                              const uint8_t *image, size_t len);

/* gw_ims_image_seal writes the head of an image of |len| bytes whose pixels are there already:
 * padding, |va| (big-endian, or little with profile->little), checksum. */
GW_API void gw_ims_image_seal(const gw_env *env, const gw_ims_image_profile *profile,
                              uint8_t *image, size_t len, uint64_t va);

/* gw_ims_image_va returns the VA that an image tells, most significant byte first, or least first
 * with |little|. */
GW_API uint64_t gw_ims_image_va(const uint8_t *image, bool little);

GW_END_DECLS

#endif
