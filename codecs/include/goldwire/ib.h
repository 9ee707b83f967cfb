/* SPDX-License-Identifier: BSD-2-Clause */
/* InfiniBand packets and what wraps them: the headers of a native link (LRH, GRH), RoCEv2 over UDP,
 * the transport headers, and the two checksums.
 *
 * Clauses: IBTA is the InfiniBand Architecture Specification, volume 1; "A17" its annex RoCEv2. All
 * headers are big-endian; the ICRC is stored least significant byte first (IBTA 7.8.1), the VCRC
 * too. Here a message is one packet from the first byte of its BTH to the last before the ICRC. */
#ifndef GOLDWIRE_IB_H
#define GOLDWIRE_IB_H

#include "goldwire/base.h"
#include "goldwire/checksum.h"
#include "goldwire/message.h"

GW_BEGIN_DECLS

enum {
    GW_ROCE_PORT = 4791, /* UDP (A17.8) */
    GW_IB_LRH = 8,       /* bytes */
    GW_IB_GRH = 40,
    GW_IB_BTH = 12,
    GW_IB_DETH = 8,
    GW_IB_RETH = 16,
    GW_IB_IMM = 4,
    GW_IB_ICRC = 4,
    GW_IB_VCRC = 2,
    GW_IB_MTU_MAX = 4096, /* bytes of payload */
    /* The longest packet from BTH to ICRC that this library builds. */
    GW_IB_PACKET_MAX = GW_IB_BTH + GW_IB_RETH + GW_IB_IMM + GW_IB_MTU_MAX + GW_IB_ICRC,
};

/* Opcodes of the BTH (IBTA 9.2): the upper three bits name the service. */
enum {
    GW_IB_SERVICE = 0xe0, /* mask */
    GW_IB_RC = 0x00,
    GW_IB_UC = 0x20,
    GW_IB_UD = 0x60,
    GW_IB_UC_SEND_FIRST = 0x20,
    GW_IB_UC_SEND_MIDDLE = 0x21,
    GW_IB_UC_SEND_LAST = 0x22,
    GW_IB_UC_SEND_LAST_IMM = 0x23,
    GW_IB_UC_SEND_ONLY = 0x24,
    GW_IB_UC_SEND_ONLY_IMM = 0x25,
    GW_IB_UC_WRITE_FIRST = 0x26,
    GW_IB_UC_WRITE_MIDDLE = 0x27,
    GW_IB_UC_WRITE_LAST = 0x28,
    GW_IB_UC_WRITE_LAST_IMM = 0x29,
    GW_IB_UC_WRITE_ONLY = 0x2a,
    GW_IB_UC_WRITE_ONLY_IMM = 0x2b,
    GW_IB_UD_SEND_ONLY = 0x64,
    GW_IB_UD_SEND_ONLY_IMM = 0x65,
};

#define GW_IB_NUMBER_MASK 0xffffffu /* of a QPN and of a PSN: 24 bits, which wrap */

/* gw_ib_bth is the base transport header (IBTA 9.2). Values are cut to their fields when written.
 */
typedef struct gw_ib_bth {
    uint8_t opcode;
    bool solicited;
    bool migrated;
    uint8_t pad;     /* 0 to 3 bytes after the payload */
    uint8_t version; /* 0 */
    uint16_t pkey;
    bool fecn;
    bool becn;
    uint8_t reserved_a; /* 6 bits */
    uint32_t dest_qp;   /* 24 bits */
    bool ack_request;
    uint8_t reserved_b; /* 7 bits */
    uint32_t psn;       /* 24 bits */
} gw_ib_bth;

/* gw_ib_deth is the datagram's extended header (IBTA 9.3.2). */
typedef struct gw_ib_deth {
    uint32_t qkey;
    uint8_t reserved;
    uint32_t src_qp; /* 24 bits */
} gw_ib_deth;

/* gw_ib_reth is the RDMA extended header (IBTA 9.3.3). */
typedef struct gw_ib_reth {
    uint64_t va;
    uint32_t rkey;
    uint32_t length; /* bytes of the whole RDMA write */
} gw_ib_reth;

/* gw_ib_put_bth, gw_ib_put_deth and gw_ib_put_reth write 12, 8 and 16 bytes; gw_ib_get_bth,
 * gw_ib_get_deth and gw_ib_get_reth read them. What is read and written again gives the same bytes.
 */
GW_API void gw_ib_put_bth(uint8_t out[GW_IB_BTH], const gw_ib_bth *bth);
GW_API gw_ib_bth gw_ib_get_bth(const uint8_t in[GW_IB_BTH]);
GW_API void gw_ib_put_deth(uint8_t out[GW_IB_DETH], const gw_ib_deth *deth);
GW_API gw_ib_deth gw_ib_get_deth(const uint8_t in[GW_IB_DETH]);
GW_API void gw_ib_put_reth(uint8_t out[GW_IB_RETH], const gw_ib_reth *reth);
GW_API gw_ib_reth gw_ib_get_reth(const uint8_t in[GW_IB_RETH]);

/* gw_ib_psn_distance returns how far |psn| is ahead of |expected|, -2^23 to 2^23 - 1. */
static inline int32_t gw_ib_psn_distance(uint32_t psn, uint32_t expected)
{
    uint32_t ahead = (psn - expected) & GW_IB_NUMBER_MASK;
    return ahead < 0x800000u ? (int32_t)ahead : (int32_t)ahead - 0x1000000;
}

/* ---- checksums ---- */

typedef enum gw_ib_verdict {
    GW_IB_NOT_JUDGED = 0, /* absent, cut by the capture, or headers unknown that it covers */
    GW_IB_RIGHT,
    GW_IB_WRONG,
} gw_ib_verdict;

/* gw_ib_verdict_name returns "not judged", "right" or "wrong". */
GW_API const char *gw_ib_verdict_name(gw_ib_verdict verdict);

/* gw_ib_icrc_native returns the ICRC of the |len| bytes at |packet|, BTH to pad, between the 8
 * bytes of |lrh| and, unless NULL, the 40 of |grh| (IBTA 7.8.1). |env| may be NULL. */
GW_API uint32_t gw_ib_icrc_native(const gw_env *env, const uint8_t *lrh, const uint8_t *grh,
                                  const uint8_t *packet, size_t len);

/* gw_ib_icrc_roce returns the ICRC of a RoCEv2 packet above the captured headers |lower|:
 * IPv4 or IPv6 header with its options, then UDP, as in gw_message (A17.3.2). */
GW_API uint32_t gw_ib_icrc_roce(const gw_env *env, const uint8_t *lower, size_t lower_len,
                                const uint8_t *packet, size_t len);

/* gw_ib_icrc_udp returns the ICRC of a RoCEv2 packet as a socket sends it from |src| to |dst|,
 * which are both IPv4 or both IPv6: without options, over IPv4 with identification 0 and DF set.
 * That is what Linux sends on an unconnected UDP socket with path-MTU discovery on. */
GW_API uint32_t gw_ib_icrc_udp(const gw_env *env, const gw_endpoint *src, const gw_endpoint *dst,
                               const uint8_t *packet, size_t len);

/* gw_ib_judge_udp judges the ICRC at the end of the |len| bytes at |datagram|, as received from a
 * socket. Over IPv6 every header that it covers is known. Over IPv4 the identification and DF are
 * not: what gw_ib_icrc_udp assumes is right, anything else is not judged. With |any_id| an ICRC is
 * right if it is so for some identification, and wrong else; of damaged packets one in 2^15 passes.
 */
GW_API gw_ib_verdict gw_ib_judge_udp(const gw_env *env, const gw_endpoint *src,
                                     const gw_endpoint *dst, const uint8_t *datagram, size_t len,
                                     bool any_id);

/* gw_ib_vcrc continues the VCRC (IBTA 7.8.2: polynomial 0x100B, inverted at both ends) over |len|
 * bytes; 0 for the first piece. It covers the LRH to the ICRC. */
GW_API uint16_t gw_ib_vcrc(uint16_t crc, const uint8_t *data, size_t len);

/* ---- what wraps a message ---- */

/* gw_ib is what stood around a message on the wire. Pointers point into the frame. */
struct gw_ib {
    const uint8_t *lrh;   /* 8 bytes; NULL over UDP */
    const uint8_t *grh;   /* 40 bytes, or NULL */
    uint32_t icrc;        /* as it came, and ... */
    uint32_t icrc_due;    /* ... as it ought to be, unless not judged */
    uint16_t vcrc;        /* likewise */
    uint16_t vcrc_due;    /* likewise */
    uint8_t icrc_verdict; /* gw_ib_verdict */
    uint8_t vcrc_verdict; /* gw_ib_verdict */
    uint32_t header_len;  /* LRH to ICRC as the LRH's packet length says; 0 over UDP */
    uint32_t frame_len;   /* LRH to ICRC as it came */
    bool foreign; /* nobody introduced its queue pairs: whatever it holds is no format's business
                     (gw_introduction_ops); set by who follows the capture */
};

/* gw_ib_open_udp turns |m|, a UDP datagram, into the packet inside: the ICRC is taken off its end
 * and judged by the headers |m| came with; without them, or with fragments, it is not judged. False
 * when the datagram is too short to hold an ICRC; |m| and |out| are as they were then. */
GW_MUST_USE GW_API bool gw_ib_open_udp(gw_ib *out, gw_message *m);

/* gw_ib_open_native turns |m|, a whole frame from the LRH on, into the packet inside: from the BTH
 * to before the ICRC, which the LRH's packet length places. A frame may lack its VCRC. The ends
 * become LIDs, with the queue pairs that are told. NULL when all went well; else a constant text
 * says what is wrong at byte *|fault_offset| of the frame, and |m| is as it was. */
GW_MUST_USE GW_API const char *gw_ib_open_native(gw_ib *out, gw_message *m, uint32_t *fault_offset);

/* gw_ib_close_udp writes |len| bytes of |packet| and their ICRC for a socket, each bit of |flaw|
 * flipped in it (0 for a good one), and returns how many bytes those are: |len| + 4, or 0 when
 * |cap| is smaller. |out| may be |packet|. */
GW_API size_t gw_ib_close_udp(uint8_t *out, size_t cap, const uint8_t *packet, size_t len,
                              const gw_endpoint *src, const gw_endpoint *dst, uint32_t flaw);

/* gw_ib_close_native writes a frame from LRH to VCRC around |len| bytes of |packet|: |lrh| and
 * |grh| (NULL: none) as they are, checksums computed and then |icrc_flaw| and |vcrc_flaw| flipped.
 * Returns its length, 0 when |cap| is smaller. */
GW_API size_t gw_ib_close_native(uint8_t *out, size_t cap, const uint8_t *lrh, const uint8_t *grh,
                                 const uint8_t *packet, size_t len, uint32_t icrc_flaw,
                                 uint16_t vcrc_flaw);

/* gw_ib_put_lrh writes an LRH for |packet_len| bytes from BTH to before the ICRC, a GRH between
 * them when |has_grh|. */
GW_API void gw_ib_put_lrh(uint8_t out[GW_IB_LRH], uint8_t vl, uint8_t sl, uint16_t dlid,
                          uint16_t slid, size_t packet_len, bool has_grh);

/* gw_ib_vl and gw_ib_sl return the virtual lane and the service level of an LRH. */
static inline unsigned gw_ib_vl(const uint8_t *lrh)
{
    return lrh[0] >> 4;
}

static inline unsigned gw_ib_sl(const uint8_t *lrh)
{
    return lrh[1] >> 4;
}

/* gw_ib_dlid and gw_ib_slid return its destination and source. */
GW_API uint16_t gw_ib_dlid(const uint8_t lrh[GW_IB_LRH]);
GW_API uint16_t gw_ib_slid(const uint8_t lrh[GW_IB_LRH]);

/* gw_ib_lid_endpoint returns the end |lid| of a native link, its queue pair unknown;
 * gw_ib_endpoint_set_qp adds that. */
GW_API gw_endpoint gw_ib_lid_endpoint(uint16_t lid);
GW_API void gw_ib_endpoint_set_qp(gw_endpoint *end, uint32_t qp);

/* gw_ib_endpoint_lid and gw_ib_endpoint_qp read such an end; false when the queue pair is unknown.
 */
GW_API uint16_t gw_ib_endpoint_lid(const gw_endpoint *end);
GW_API bool gw_ib_endpoint_qp(const gw_endpoint *end, uint32_t *qp);

GW_END_DECLS

#endif
