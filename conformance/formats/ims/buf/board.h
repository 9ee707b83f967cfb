/* SPDX-License-Identifier: BSD-2-Clause */
/* Inside the software IMS buffer (WCU.BUF): a table of Workers, and a ring of memory behind each
 * data channel, which a Worker writes by RDMA.
 *
 * What the specification leaves open, and how it is here: a Worker is known by LID and queue pair,
 * and answered where its last request came from. A frame's start is compared with the window, not
 * its end. Below the read pointer frames are acknowledged and not stored, so that one whose ACK got
 * lost comes to an end. A gap of the PSN before a frame's first packet is no error. The dialect and
 * the setup change some of that.
 *
 * On the link "regs" lie the registers below, and each channel's ring as 32-bit words, first byte
 * most significant, channel k from GW_IMS_BUF_MEMORY + k * ring on. */
#ifndef GOLDWIRE_FORMATS_IMS_BUF_BOARD_H
#define GOLDWIRE_FORMATS_IMS_BUF_BOARD_H

#include "boards/peer.h"
#include "formats/etherbone/slave/registers.h"
#include "formats/ims/buf/mutant.h"
#include "formats/ims/remote.h"
#include "goldwire/ims.h"

/* What the usual setup has. */
#define GW_IMS_BUF_QPN UINT32_C(0x10)
#define GW_IMS_BUF_QKEY UINT32_C(0x1d51d5)
#define GW_IMS_BUF_VA UINT64_C(0x1000000000)
#ifndef GW_IMS_BUF_RING /* a fuzzer's are smaller */
#define GW_IMS_BUF_RING UINT64_C(0x400000)
#define GW_IMS_BUF_FRAME UINT32_C(0x10000)
#endif
#define GW_IMS_BUF_CHANNELS 4

#define GW_IMS_BUF_ID UINT32_C(0x494d5342) /* "IMSB" */
#define GW_IMS_BUF_MEMORY UINT32_C(0x80000000)
#define GW_IMS_BUF_MEMORY_MAX UINT64_C(0x70000000) /* of all rings together */

enum {
    GW_IMS_BUF_DATA_QPN = 0x80, /* of channel 0; the others' follow */
};

/* Registers, 32 bits each. Of pairs the lower half comes first. */
enum {
    GW_IMS_BUF_REG_ID = 0x00,
    GW_IMS_BUF_REG_STATUS_QPN = 0x04,
    GW_IMS_BUF_REG_STATUS_QKEY = 0x08,
    GW_IMS_BUF_REG_FRAME = 0x0c, /* the window's margin, bytes */
    GW_IMS_BUF_REG_RING = 0x10,  /* two words, bytes */
    GW_IMS_BUF_REG_VA = 0x18,    /* two words: where the first frame begins */
    GW_IMS_BUF_REG_CHANNELS = 0x20,
    GW_IMS_BUF_REG_WORKERS = 0x24, /* registered */
    GW_IMS_BUF_REG_DROPPED = 0x28, /* packets that nothing was done with */

    /* Of channel k, from GW_IMS_BUF_CHANNEL * (k + 1) on. */
    GW_IMS_BUF_CHANNEL = 0x80,
    GW_IMS_BUF_REG_QPN = 0x00,
    GW_IMS_BUF_REG_RKEY = 0x04,
    GW_IMS_BUF_REG_OPEN = 0x08,
    GW_IMS_BUF_REG_INJECT = 0x0c,    /* events that the next complete frame has besides its own */
    GW_IMS_BUF_REG_READ = 0x10,      /* two words: the read pointer, set by writing the upper one */
    GW_IMS_BUF_REG_EXPOSE = 0x18,    /* 1: the read pointer follows what was delivered */
    GW_IMS_BUF_REG_DELIVERED = 0x20, /* two words: where what came without a hole ends */
    GW_IMS_BUF_REG_ACKS = 0x28,
    GW_IMS_BUF_REG_NACKS = 0x2c,
    GW_IMS_BUF_REG_CRC = 0x30, /* CRC-32C of all that was delivered, in its order */
    GW_IMS_BUF_REG_IMAGES = 0x34,
    GW_IMS_BUF_REG_BAD_IMAGES = 0x38,
    GW_IMS_BUF_REGISTERS = GW_IMS_BUF_CHANNEL * (GW_IMS_BUF_MAX_CHANNELS + 1),
};

/* What can be injected: marks that packets get on their way to the buffer, and errors inside it. */
enum {
    GW_IMS_BUF_MARKS = GW_IMS_BAD_FRAME | GW_IMS_BAD_PACKET,
    GW_IMS_BUF_MEMORY_ERRORS = GW_IMS_PARITY | GW_IMS_CORRECTABLE | GW_IMS_UNCORRECTABLE,
    GW_IMS_BUF_INJECTABLE = GW_IMS_BUF_MARKS | GW_IMS_BUF_MEMORY_ERRORS,
};

/* gw_ims_buf_setup is how a buffer is built. */
typedef struct gw_ims_buf_setup {
    uint32_t status_qpn;
    uint32_t status_qkey;
    uint64_t va;        /* where the first frame begins */
    uint64_t ring;      /* bytes a channel, multiple of 64 */
    uint32_t frame;     /* the window's margin: the frame size, multiple of 64 */
    uint8_t channels;   /* hard queue pairs */
    bool expose;        /* the read pointer follows what was delivered */
    bool gap_at_first;  /* a gap of the PSN before a first packet is out of sequence */
    uint8_t image_bits; /* what is delivered are images of 4 or 6 bits a pixel; 0: whatever */
} gw_ims_buf_setup;

/* gw_ims_buf_usual is the usual setup. */
extern const gw_ims_buf_setup gw_ims_buf_usual;

/* gw_ims_buf_frame is the frame that a channel is receiving. */
struct gw_ims_buf_frame {
    bool open;   /* its first packet came */
    bool orphan; /* packets came that no first packet belongs to */
    bool stores; /* nothing was missed yet, so what comes has its place */
    uint64_t va;
    uint32_t length;
    uint64_t got;
    uint32_t events;
};

/* gw_ims_buf_channel is a hard queue pair with its ring. */
struct gw_ims_buf_channel {
    bool open;
    bool has_psn;
    bool expose;
    uint16_t generation; /* counts openings; goes into the key */
    uint32_t qpn;
    uint32_t rkey;
    uint32_t peer_qpn;
    uint32_t peer_conn;
    uint32_t psn;      /* expected next */
    uint32_t next_psn; /* of what is sent */
    uint32_t inject;
    uint64_t read;
    uint64_t delivered;
    uint64_t image; /* where the image begins that is not whole yet */
    uint32_t crc;
    uint32_t acks, nacks, images, bad_images;
    uint32_t read_lower; /* of a read pointer that is being set */
    gw_ims_buf_frame frame;
    uint8_t *ring;
    uint64_t *came; /* a bit each 64 bytes of the ring: they came, and are not delivered yet */
};

/* gw_ims_buf_worker is a registered Worker. */
typedef struct gw_ims_buf_worker {
    bool used;
    bool has_channel;
    uint8_t channel;
    uint32_t lid;
    uint32_t qpn;
    uint32_t qkey;
} gw_ims_buf_worker;

struct gw_ims_buf {
    const gw_mutant *mutant; /* NULL: the good board */
    gw_ims_buf_memory memory;
    gw_ims_buf_policy policy;
    const gw_dialect *dialect;
    gw_ims_buf_setup setup;
    gw_peer_out *out;
    int64_t now_ns;
    uint32_t psn;     /* of the next status packet */
    uint32_t dropped; /* packets */
    gw_ims_buf_worker workers[GW_IMS_BUF_WORKERS];
    gw_ims_buf_channel channels[GW_IMS_BUF_MAX_CHANNELS];
    gw_ims_remote remotes[GW_PEER_MAX_CONNS]; /* to whom the board talks */
    gw_regs regs;
    uint8_t image[GW_IMS_IMAGE_6BIT];
};

/* gw_ims_buf_reply is a packet that the buffer sends: an answer to a request, or a response to a
 * frame. */
struct gw_ims_buf_reply {
    uint32_t conn;
    gw_ims_draft draft;
    const gw_ims_packet *request;    /* NULL: a response */
    const gw_ims_buf_worker *worker; /* who asked */
    gw_ims_buf_channel *channel;     /* of the response's frame ... */
    const gw_ims_buf_frame *frame;   /* ... which is this one */
};

/* gw_ims_buf_send sends |r|; gw_ims_buf_transmit does so behind the filters. */
void gw_ims_buf_send(gw_ims_buf *b, gw_ims_buf_reply *r);
void gw_ims_buf_transmit(gw_ims_buf *b, const gw_ims_buf_reply *r);

/* gw_ims_buf_build writes |r| as a datagram and returns its length, 0 when its way is closed. */
size_t gw_ims_buf_build(const gw_ims_buf *b, const gw_ims_buf_reply *r,
                        uint8_t out[GW_IB_PACKET_MAX]);

/* gw_ims_buf_take takes an undamaged packet from |conn|. */
void gw_ims_buf_take(gw_ims_buf *b, uint32_t conn, const gw_ims_packet *p);

/* gw_ims_buf_channel_of returns the channel whose queue pair |qpn| is, or NULL. */
gw_ims_buf_channel *gw_ims_buf_channel_of(gw_ims_buf *b, uint32_t qpn);

/* ---- the status channel ---- */

/* gw_ims_buf_status takes a packet for the status queue pair from |conn|. */
void gw_ims_buf_status(gw_ims_buf *b, uint32_t conn, const gw_ims_packet *p);

/* gw_ims_buf_is_request says whether |p| is a request that could be answered. */
bool gw_ims_buf_is_request(const gw_ims_buf *b, const gw_ims_packet *p);

/* gw_ims_buf_find returns the registered Worker with |lid| and |qpn|, or NULL. */
gw_ims_buf_worker *gw_ims_buf_find(gw_ims_buf *b, uint32_t lid, uint32_t qpn);

/* gw_ims_buf_enter returns the Worker of |s|, registered now if it was not; NULL when the table is
 * full. */
gw_ims_buf_worker *gw_ims_buf_enter(gw_ims_buf *b, const gw_ims_status *s);

/* gw_ims_buf_remove takes |w| off the table and closes its data channel. */
void gw_ims_buf_remove(gw_ims_buf *b, gw_ims_buf_worker *w);

/* ---- data channels ---- */

/* gw_ims_buf_data takes a packet for channel |c|. */
void gw_ims_buf_data(gw_ims_buf *b, gw_ims_buf_channel *c, const gw_ims_packet *p);

/* gw_ims_buf_is_write says whether |p| is a whole packet of an RDMA write. */
bool gw_ims_buf_is_write(const gw_ims_packet *p);

/* ---- the ring ---- */

/* gw_ims_buf_open empties the ring of |c| for a new conversation. */
void gw_ims_buf_open(gw_ims_buf *b, gw_ims_buf_channel *c);

/* gw_ims_buf_window says whether a frame of |length| bytes may begin at |va|. */
bool gw_ims_buf_window(const gw_ims_buf *b, const gw_ims_buf_channel *c, uint64_t va,
                       uint32_t length);

/* gw_ims_buf_store writes |len| bytes to where |va| lies in the ring; not below the read pointer.
 */
void gw_ims_buf_store(gw_ims_buf *b, gw_ims_buf_channel *c, uint64_t va, const uint8_t *data,
                      size_t len);

/* gw_ims_buf_deliver notes that |length| bytes at |va|, multiples of 64, have come, and exposes
 * what has no hole. */
void gw_ims_buf_deliver(gw_ims_buf *b, gw_ims_buf_channel *c, uint64_t va, uint32_t length);

/* gw_ims_buf_set_read sets the read pointer to |va|, and what was delivered at least there. */
void gw_ims_buf_set_read(gw_ims_buf *b, gw_ims_buf_channel *c, uint64_t va);

/* ---- registers ---- */

/* gw_ims_buf_read_register and gw_ims_buf_write_register are what lies behind the link "regs". */
bool gw_ims_buf_read_register(void *buffer, uint32_t address, uint32_t *value);
bool gw_ims_buf_write_register(void *buffer, uint32_t address, uint32_t value);

/* ---- setting up ---- */

/* gw_ims_buf_open_setup reads the YAML file |path|: keys status_qpn, status_qkey, va, ring, frame,
 * channels, expose, gap_at_first, image_bits; what is left out is as usual. */
void *gw_ims_buf_open_setup(const char *path, char *why, size_t why_cap);
void gw_ims_buf_close_setup(void *setup);

extern const gw_mutant gw_ims_buf_mutants[GW_IMS_BUF_NUM_MUTANTS];
extern const gw_board gw_ims_buf_board;

#endif
