/* SPDX-License-Identifier: BSD-2-Clause */
/* TEXTAROSSA: the packets of the APEIRON Communication IP, over UDP and over APElink.
 *
 * Clauses name their source: "doc" is deliverable D2.9, "rtl" the published VHDL, "sim" what that
 * was seen to do in simulation, "hls" the public APEIRON C++, "ref" the udp_ip_stack that the
 * Ethernet port probably descends from. Bit 0 is the least significant bit of a word.
 *
 * Over UDP a message is one datagram: a header word, payload words and a footer word. Over APElink
 * a byte stream is cut into the parts below; its beats come least significant byte first. */
#ifndef GOLDWIRE_TEXTAROSSA_H
#define GOLDWIRE_TEXTAROSSA_H

#include "goldwire/base.h"
#include "goldwire/error.h"
#include "goldwire/format.h"
#include "goldwire/message.h"
#include "goldwire/registers.h"

GW_BEGIN_DECLS

#define GW_TX_UDP_PORT 0xfa62 /* of the test constants, for source and destination (rtl) */

/* Control words of APElink: this pattern in every 64 bits of a beat (rtl). */
#define GW_TX_MAGIC UINT64_C(0xffffaaaa5555aaaa)
#define GW_TX_START UINT64_C(0xffffbbbb6666bbbb)

enum {
    GW_TX_WORD = 16,          /* bytes of a word on the 128-bit datapath */
    GW_TX_WIDE_WORD = 32,     /* bytes of a word on the 256-bit datapath */
    GW_TX_PAYLOAD_MAX = 4096, /* bytes (doc 3.2, 4) */
    GW_TX_SIZE_MAX = 16383,   /* that packet_size can hold */
    /* bytes of the longest datagram: header, payload and footer in wide words */
    GW_TX_DATAGRAM_MAX = GW_TX_SIZE_MAX + 1 + 2 * GW_TX_WIDE_WORD,
    GW_TX_UDP_LIMIT = 1480, /* UDP length that the Ethernet port does not send (doc) */
};

/* Parts: what gw_message.part holds. */
enum {
    GW_TX_PART_DATAGRAM = 0, /* header, payload, footer */
    GW_TX_PART_LINK,         /* one run of beats, from MAGIC to footer */
    GW_TX_PART_IDLE,         /* beats outside of a packet: credits */
    GW_TX_PART_STRAY,        /* bytes of a link that cannot be placed: after a gap, or no beat */
};

/* What gw_message.part_arg tells of a link's part. 0 is a 128-bit link of which nothing is known.
 */
enum {
    GW_TX_ARG_EDAC = 0x100, /* headers are protected: a check byte of 0 counts as well */
};

/* Values of virt_chan (rtl). Bits 3:0 number the channel, bit 4 says "last". */
enum {
    GW_TX_VC0 = 0x00,
    GW_TX_VC1 = 0x01,
    GW_TX_LAST_VC0 = 0x10, /* at injection: the first router shall choose */
    GW_TX_LAST_VC1 = 0x11,
    GW_TX_LAST = 0x10,
    GW_TX_NUM_VCS = 2,
};

/* Bits of packet_type. */
enum {
    GW_TX_TYPE_HEADER_ONLY = 0x10, /* bit 47: neither payload nor footer */
    GW_TX_TYPE_ETH = 0x02,         /* the HLS send's mark for the Ethernet port */
};

/* How the fields of a header lie in its word. */
typedef enum gw_tx_layout {
    GW_TX_PORT = 0, /* in port FIFOs, on links, in datagrams */
    GW_TX_HLS,      /* on the kernel side's AXI streams: first field at the top */
} gw_tx_layout;

/* How the bytes of a word follow each other in a datagram. No published source tells; A is what a
 * little-endian machine does, and the default. */
typedef enum gw_tx_order {
    GW_TX_ORDER_A = 0,  /* least significant byte first */
    GW_TX_ORDER_B,      /* most significant byte first */
    GW_TX_ORDER_C,      /* 64-bit parts, low one first, each most significant byte first */
    GW_TX_ORDER_DETECT, /* by the header's own address and port */
} gw_tx_order;

/* gw_tx_word is a 128-bit word, or the low half of a 256-bit one. */
typedef struct gw_tx_word {
    uint64_t lo; /* bits 63:0 */
    uint64_t hi; /* bits 127:64 */
} gw_tx_word;

/* gw_tx_header is a decoded header. Values beyond a field's width are cut when it is packed. */
typedef struct gw_tx_header {
    uint64_t dest_addr;   /* 48 bits; Ethernet version: port in 47:32, IPv4 address in 31:0 */
    uint16_t proc_id;     /* channel inside the destination task */
    uint16_t packet_size; /* 14 bits: payload in bytes, without header and footer */
    uint16_t num_of_hops; /* 10 bits: reserved for a hop counter */
    uint8_t virt_chan;    /* 5 bits */
    uint8_t dest_x;       /* 6 bits */
    uint8_t dest_y;       /* 5 bits */
    uint8_t dest_z;       /* 5 bits */
    uint8_t intra_dest;   /* 4 bits: port of the destination node */
    uint8_t reserved;     /* 1 bit */
    uint8_t out_of_lattice;
    uint8_t packet_type; /* 5 bits */
    uint8_t edac;        /* check byte over bits 119:0; after a link, its syndrome */
} gw_tx_header;

/* gw_tx_credit is what a credit word tells of the receive FIFOs of its sender: words in use plus
 * tx_waiting_cycle, modulo the width of the field (sim). */
typedef struct gw_tx_credit {
    struct {
        uint8_t header; /* 8 bits */
        uint16_t data;  /* 10 bits */
    } vc[GW_TX_NUM_VCS];
    uint8_t edac;
} gw_tx_credit;

/* gw_tx_dialect is the data of a TEXTAROSSA dialect. */
typedef struct gw_tx_dialect {
    uint8_t layout;     /* gw_tx_layout */
    uint8_t order;      /* gw_tx_order, of datagrams */
    uint8_t word_bytes; /* GW_TX_WORD or GW_TX_WIDE_WORD */
    bool rtl;           /* the published RTL: framing by the uncorrected header, 448 double flips
                           taken for clean, header-only packets never end on a link */
    bool gu;            /* payloads are multi-header encapsulations */
} gw_tx_dialect;

/* gw_textarossa is the format for gw_format's users. */
extern GW_API const gw_format gw_textarossa;

/* gw_tx_dialect_of returns the data of |dialect|, strict's for NULL. */
GW_API const gw_tx_dialect *gw_tx_dialect_of(const gw_dialect *dialect);

/* ---- words ---- */

/* gw_tx_pack lays |header| into a word, its edac field included. */
GW_API gw_tx_word gw_tx_pack(const gw_tx_header *header, gw_tx_layout layout);

/* gw_tx_unpack takes the fields out of |word|. */
GW_API gw_tx_header gw_tx_unpack(gw_tx_word word, gw_tx_layout layout);

/* gw_tx_protect returns |word|, port layout, with its check byte (bits 127:120) computed. */
GW_API gw_tx_word gw_tx_protect(gw_tx_word word);

/* gw_tx_load reads the low 128 bits of the |word_bytes| bytes (16 or 32) at |in|, which stand in
 * |order| (not GW_TX_ORDER_DETECT). */
GW_API gw_tx_word gw_tx_load(const uint8_t *in, unsigned word_bytes, gw_tx_order order);

/* gw_tx_store writes |word|, and zeros above it, as |word_bytes| bytes in |order|. */
GW_API void gw_tx_store(uint8_t *out, unsigned word_bytes, gw_tx_order order, gw_tx_word word);

/* gw_tx_swizzle returns the number x for which byte k of a word stands at byte k ^ x. */
GW_API unsigned gw_tx_swizzle(unsigned word_bytes, gw_tx_order order);

/* gw_tx_words returns how many words of |word_bytes| bytes a payload of |size| bytes takes. */
static inline uint32_t gw_tx_words(uint32_t size, unsigned word_bytes)
{
    return (size + word_bytes - 1) / word_bytes;
}

/* gw_tx_header_only says whether neither payload nor footer follow |header| (rtl). */
static inline bool gw_tx_header_only(const gw_tx_header *header)
{
    return (header->packet_type & GW_TX_TYPE_HEADER_ONLY) != 0;
}

/* gw_tx_packet_words returns how many words a packet with |header| takes, header and footer
 * included. */
static inline uint32_t gw_tx_packet_words(const gw_tx_header *header, unsigned word_bytes)
{
    return gw_tx_header_only(header) ? 1 : 2 + gw_tx_words(header->packet_size, word_bytes);
}

/* gw_tx_credit_pack lays |credit| into a credit word, its edac field included (sim). */
GW_API gw_tx_word gw_tx_credit_pack(const gw_tx_credit *credit);

/* gw_tx_credit_unpack takes a credit word apart. Bits 119:36 should be 0 and are ignored. */
GW_API gw_tx_credit gw_tx_credit_unpack(gw_tx_word word);

/* gw_tx_is_magic and gw_tx_is_start say whether all 128 bits are that control word. */
static inline bool gw_tx_is_magic(gw_tx_word word)
{
    return word.lo == GW_TX_MAGIC && word.hi == GW_TX_MAGIC;
}

static inline bool gw_tx_is_start(gw_tx_word word)
{
    return word.lo == GW_TX_START && word.hi == GW_TX_START;
}

/* ---- footers: nothing defines or checks their content, but their senders can be told ---- */

typedef enum gw_tx_footer {
    GW_TX_FOOTER_UNKNOWN = 0,
    GW_TX_FOOTER_HAPECOM,   /* the HLS send (hls) */
    GW_TX_FOOTER_STREAMING, /* the HLS send_streaming */
    GW_TX_FOOTER_GENERATOR, /* the packet generator: all ones (rtl) */
    GW_TX_FOOTER_LEGACY,    /* before 2018 */
} gw_tx_footer;

/* gw_tx_footer_word returns the footer that a sender of |kind| sends, in |layout|; zero for
 * GW_TX_FOOTER_UNKNOWN. */
GW_API gw_tx_word gw_tx_footer_word(gw_tx_footer kind, gw_tx_layout layout);

/* gw_tx_footer_kind tells whose footer |word| is. */
GW_API gw_tx_footer gw_tx_footer_kind(gw_tx_word word, gw_tx_layout layout);

/* ---- EDAC, as a message shows it ---- */

typedef enum gw_tx_edac_status {
    GW_TX_EDAC_CLEAN = 0,
    GW_TX_EDAC_CORRECTED = 1,
    GW_TX_EDAC_OFF = 2, /* not checked: a link's check byte of 0 that was not generated, or a
                           datagram's, which is side band there */
    GW_TX_EDAC_FATAL = 3,
} gw_tx_edac_status;

/* gw_tx_edac is what a check byte says of its word. */
typedef struct gw_tx_edac {
    gw_tx_word word;  /* corrected, when it was; as received otherwise */
    uint8_t status;   /* gw_tx_edac_status */
    uint8_t expected; /* check byte of the 120 bits as received */
    uint8_t syndrome; /* of the received word: bit 7 odd parity, 6:0 position */
    uint8_t bit;      /* of the word, that was corrected; 0xff: none */
} gw_tx_edac;

/* gw_tx_edac_judge judges |word|, port layout. |is_on| says that the check byte counts even when it
 * is 0. A double flip that the published decoder takes for clean is fatal, unless the dialect is
 * the published RTL. */
GW_API gw_tx_edac gw_tx_edac_judge(gw_tx_word word, bool is_on, const gw_tx_dialect *dialect);

/* gw_tx_framing returns the header that tells what follows header word |word| on a link: the
 * corrected one (L8); with the published RTL the one received, and never header-only, because its
 * transmitter sends payload and footer all the same. */
GW_API gw_tx_header gw_tx_framing(gw_tx_word word, bool edac_is_on, const gw_tx_dialect *dialect);

/* ---- decoding ---- */

/* gw_tx_packet is a decoded datagram or link run. Pointers point into the message. */
typedef struct gw_tx_packet {
    bool has_header;
    bool has_footer;
    gw_tx_header header; /* as received */
    gw_tx_edac edac;     /* of the header */
    gw_tx_word footer;
    uint8_t footer_kind; /* gw_tx_footer */
    uint8_t order;       /* gw_tx_order that was used */
    uint8_t layout;      /* gw_tx_layout */
    uint8_t word_bytes;
    uint32_t header_offset;  /* valid with has_header */
    uint32_t footer_offset;  /* valid with has_footer */
    uint32_t payload_offset; /* of the first payload byte that came */
    uint32_t payload_len;    /* bytes of payload that came, padding not counted */
    uint32_t padding;        /* bytes of padding that came */
    uint32_t num_credits;    /* stuffed into a link run */
    bool is_exact;           /* a datagram whose last word is not padded */
    gw_message message;      /* what was decoded */
    const gw_tx_dialect *dialect;
} gw_tx_packet;

/* gw_tx_decode reads |message|, a GW_TX_PART_DATAGRAM or GW_TX_PART_LINK. The error is the walk's:
 * where and why it stopped. */
GW_API gw_error gw_tx_decode(gw_tx_packet *out, const gw_message *message,
                             const gw_dialect *dialect);

/* gw_tx_copy_payload copies the first |cap| bytes of |packet|'s payload to |out| as they lie in
 * memory: byte order undone, stuffing and padding left out. Returns how many. */
GW_API size_t gw_tx_copy_payload(const gw_tx_packet *packet, uint8_t *out, size_t cap);

/* gw_tx_copy_payload_from does the same from payload byte |from| on. */
GW_API size_t gw_tx_copy_payload_from(const gw_tx_packet *packet, size_t from, uint8_t *out,
                                      size_t cap);

/* ---- building ---- */

/* gw_tx_draft is a packet to be built. header.packet_size is set to |payload_len|, unless the
 * packet is header-only; header.edac is kept, unless |edac| asks for the check byte. */
typedef struct gw_tx_draft {
    gw_tx_header header;
    const void *payload; /* memory order; NULL when |payload_len| is 0 */
    size_t payload_len;
    gw_tx_word footer;
    bool edac;
} gw_tx_draft;

/* gw_tx_build writes |draft| as one datagram of |dialect| (order A where it detects). Returns its
 * length in bytes, 0 when it does not fit |cap| or its payload is longer than GW_TX_SIZE_MAX. */
GW_API size_t gw_tx_build(uint8_t *out, size_t cap, const gw_tx_draft *draft,
                          const gw_dialect *dialect);

/* gw_tx_build_run writes |draft| as a run of beats for a link: MAGIC, START, header, payload,
 * footer, without stuffing. Returns its length in bytes, 0 as gw_tx_build. */
GW_API size_t gw_tx_build_run(uint8_t *out, size_t cap, const gw_tx_draft *draft,
                              const gw_dialect *dialect);

/* ---- gu: a stack of headers inside the payload (hls) ---- */

/* gw_tx_gu is a decoded encapsulation. Words are 128 bit, counted from the first payload word. */
typedef struct gw_tx_gu {
    uint32_t count;         /* headers that are left, as the first word says */
    uint32_t words;         /* in the payload, by packet_size */
    uint32_t data_words;    /* of user payload, which begins at word 1; 0 when |underflow| */
    bool underflow;         /* count + 1 > words: the published receiver reads far too much */
    bool size_as_published; /* packet_size counts headers as bytes, not words */
} gw_tx_gu;

/* gw_tx_gu_read reads the encapsulation of |packet|. False when its count word is not there. */
GW_MUST_USE GW_API bool gw_tx_gu_read(gw_tx_gu *out, const gw_tx_packet *packet);

/* gw_tx_gu_header reads header |i| < count, in HLS view, that is still in |packet|. False when the
 * payload ends before it. */
GW_MUST_USE GW_API bool gw_tx_gu_header(gw_tx_header *out, const gw_tx_packet *packet,
                                        const gw_tx_gu *gu, uint32_t i);

/* ---- routing on a torus (sim) ---- */

/* gw_tx_torus is where a router is, and in what. A lattice of which a size is 0 holds no node. */
typedef struct gw_tx_torus {
    uint8_t me_x;
    uint8_t size_x;
    uint8_t size_y;
    uint8_t size_z;
} gw_tx_torus;

/* gw_tx_torus_of takes the registers COORDME_REG and LATTICESIZE_REG apart. */
GW_API gw_tx_torus gw_tx_torus_of(uint32_t coordme, uint32_t latticesize);

typedef enum gw_tx_exit {
    GW_TX_EXIT_LOCAL = 0,
    GW_TX_EXIT_X_PLUS,
    GW_TX_EXIT_X_MINUS,
} gw_tx_exit;

/* gw_tx_hop is where a router sends a packet. */
typedef struct gw_tx_hop {
    uint8_t exit;        /* gw_tx_exit */
    uint8_t port;        /* intra-node port of a local exit; may be one that does not exist */
    gw_tx_header header; /* as it goes on */
} gw_tx_hop;

/* gw_tx_route says where the router at |torus| sends a packet with |header|, which came from a link
 * or (|is_injected|) from a port of its own node: only X is routed, the shorter way, to plus when
 * both are as long; VC1 while the wrap-around lies ahead. A destination outside the lattice goes to
 * port 0. */
GW_API gw_tx_hop gw_tx_route(const gw_tx_torus *torus, const gw_tx_header *header,
                             bool is_injected);

/* ---- the register map (doc table 2-5, corrected; byte offsets, 32-bit registers) ---- */

enum {
    GW_TX_RESET_REG = 0x010,
    GW_TX_REVISION_REG = 0x014,
    GW_TX_COORDME_REG = 0x018,
    GW_TX_LATTICESIZE_REG = 0x020,
    GW_TX_PERF_INTRANODE_CF = 0x030,
    GW_TX_PERF_INTERNODE_CF = 0x034,
    GW_TX_PKTGEN_CONFIG_0 = 0x038,
    GW_TX_PKTGEN_CONFIG_1 = 0x040,
    GW_TX_PERF_INTRANODE_ST = 0x050,
    GW_TX_PERF_INTERNODE_ST = 0x054,
    GW_TX_PERF_INTRANODE_CNT = 0x058, /* one a port, four */
    GW_TX_PERF_INTERNODE_CNT = 0x068, /* one a link, two */
    GW_TX_INTRANODE_FIFO = 0x070,     /* blocks of ten registers, one a port */
    GW_TX_INTRANODE_FIFO_BLOCK = 0x028,
    GW_TX_LINK_0_CONFIG_0 = 0x110, /* these four act on both links */
    GW_TX_LINK_0_CONFIG_1 = 0x114,
    GW_TX_LINK_0_CONFIG_2 = 0x118,
    GW_TX_LINK_0_CONFIG_3 = 0x11c,
    GW_TX_LINK_0_STATUS_0 = 0x140, /* a block of ten: status, error, eight counters */
    GW_TX_LINK_BLOCK = 0x028,
    GW_TX_LINK_ERROR = 0x04, /* from here on: offsets inside that block */
    GW_TX_LINK_TX_MAGIC = 0x08,
    GW_TX_LINK_TX_START = 0x0c,
    GW_TX_LINK_TX_HDR = 0x10,
    GW_TX_LINK_TX_FTR = 0x14,
    GW_TX_LINK_RX_MAGIC = 0x18,
    GW_TX_LINK_RX_START = 0x1c,
    GW_TX_LINK_RX_HDR = 0x20,
    GW_TX_LINK_RX_FTR = 0x24,
    GW_TX_LINK_0_RD_WR_CNT = 0x1b8, /* twelve */
    GW_TX_LINK_1_RD_WR_CNT = 0x1e8,
    GW_TX_FIFO_INTRANODE_EXC = 0x258,
    GW_TX_FIFO_REGISTER = 0x25c,
    GW_TX_TRANSCEIVER_STATUS = 0x260,
    GW_TX_IP_ADDRESS = 0x320,
    GW_TX_MAC_REG_LOW = 0x324,
    GW_TX_MAC_REG_HIGH = 0x328,
    GW_TX_ETH_TX_GOOD_BYTE = 0x32c, /* least significant word first */
    GW_TX_ETH_RX_GOOD_BYTE = 0x334,
    GW_TX_REGISTERS = 0x800, /* bytes; from here to GW_TX_REGISTERS_END reads give the next line */
    GW_TX_REGISTERS_END = 0x1000,
};
#define GW_TX_NO_REGISTER UINT32_C(0xf1faf1fa)

/* What hosts program before a link works (hls): data threshold 384 and header threshold 96; new
 * credit 255 and waiting 64 cycles. */
#define GW_TX_USUAL_THRESHOLDS UINT32_C(0x01800060)
#define GW_TX_USUAL_CYCLES UINT32_C(0x0000ff40)

/* gw_tx_registers is the map, with the deliverable's names. */
extern GW_API const gw_register_map gw_tx_registers;

GW_END_DECLS

#endif
