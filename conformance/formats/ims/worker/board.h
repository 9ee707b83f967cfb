/* SPDX-License-Identifier: BSD-2-Clause */
/* Inside the software IMS Worker: it registers with a buffer, opens a data channel, streams its
 * content as frames, several of them outstanding, and takes its leave.
 *
 * Nothing is kept of a frame but where it lies: what is sent again is made, or read, again. So a
 * Worker needs the same memory for a kilobyte as for a terabyte. */
#ifndef GOLDWIRE_FORMATS_IMS_WORKER_BOARD_H
#define GOLDWIRE_FORMATS_IMS_WORKER_BOARD_H

#include "boards/peer.h"
#include "formats/ims/remote.h"
#include "formats/ims/worker/mutant.h"
#include "goldwire/ims.h"

#define GW_IMS_WORKER_OUTSTANDING 256 /* frames, at most */
#define GW_IMS_WORKER_BURST 1024      /* packets at once, at most */

/* What a Worker streams. */
typedef enum gw_ims_content {
    GW_IMS_PATTERN = 0, /* gw_ims_pattern */
    GW_IMS_IMAGES_4BIT, /* images, one after the other, with pixels of that pattern */
    GW_IMS_IMAGES_6BIT,
    GW_IMS_FILE, /* zeros after its end, up to a multiple of 64 bytes */
} gw_ims_content;

/* gw_ims_worker_setup is what a Worker is told. */
typedef struct gw_ims_worker_setup gw_ims_worker_setup;
struct gw_ims_worker_setup {
    uint16_t lid;
    uint32_t qpn;  /* of its status channel ... */
    uint32_t qkey; /* ... whose key this is */
    uint32_t qpnd; /* of its data channel */
    uint32_t psn;  /* of the first packet of a frame */
    uint32_t buffer_qpn;
    uint32_t buffer_qkey;
    uint32_t buffer_qpnd; /* where DATA_RES does not tell it (dialect qpnd-echo) */
    uint8_t content;      /* gw_ims_content */
    int file;             /* of GW_IMS_FILE: open, and ... */
    /* ... how it is read: |len| bytes from |offset| on. Returns how many there were. */
    size_t (*read)(const gw_ims_worker_setup *setup, uint64_t offset, uint8_t *out, size_t len);
    uint64_t size;         /* bytes to stream, a multiple of 64 */
    uint32_t frame;        /* bytes of one, a multiple of 64 */
    uint32_t packet;       /* bytes of its payload, 64 to 4096, a multiple of 64 */
    uint32_t outstanding;  /* frames without an ACK, at most */
    uint32_t burst;        /* packets at once, at most */
    int64_t gap_ns;        /* between bursts */
    int64_t response_ns;   /* until a frame is sent again */
    int64_t wait_ns;       /* before a frame is sent again that lay outside the window */
    int64_t status_ns;     /* until a request is sent again */
    uint32_t tries;        /* of a frame */
    uint32_t status_tries; /* of a request */
};

/* gw_ims_worker_default is what a Worker does that is told nothing. */
extern const gw_ims_worker_setup gw_ims_worker_default;

/* Where a Worker is on its status channel (ims 3.1). */
typedef enum gw_ims_worker_phase {
    WORKER_IDLE = 0,
    WORKER_REGISTERING, /* STAT_REQ is out */
    WORKER_REGISTERED,  /* between two requests */
    WORKER_OPENING,     /* DATA_REQ is out */
    WORKER_STREAMING,
    WORKER_CLOSING,       /* DATA_TERM is out */
    WORKER_DEREGISTERING, /* STAT_TERM is out */
    WORKER_DONE,          /* off the list, for good */
} gw_ims_worker_phase;

typedef enum gw_ims_slot_state {
    SLOT_FREE = 0,
    SLOT_READY,   /* to be sent */
    SLOT_SENDING, /* its first packet is out, its last is not */
    SLOT_WAITING, /* for the response */
    SLOT_HELD,    /* refused as outside the window, until its deadline */
} gw_ims_slot_state;

/* gw_ims_slot is a frame without an ACK. */
struct gw_ims_slot {
    uint64_t number; /* of the frame, from 0 */
    int64_t deadline;
    uint32_t tries;
    uint8_t state; /* gw_ims_slot_state */
    bool refused;  /* since it was sent: an ACK that comes now is an old one */
    bool acked;    /* while it was being sent once more */
    bool again;    /* refused before its last packet was out */
};

struct gw_ims_worker_state {
    const gw_ims_worker_setup *setup;
    gw_ims_worker_setup own; /* with an adapter's names for our ends */
    const gw_dialect *dialect;
    const gw_mutant *mutant; /* NULL: the good board */
    gw_ims_worker_memory memory;
    gw_ims_worker_policy policy;
    gw_peer_out *out;
    gw_ims_remote remote; /* to the buffer */
    int64_t now;
    uint8_t phase; /* gw_ims_worker_phase */
    bool stopping; /* no more frames but the one that is being sent */
    /* status channel */
    unsigned status_tries;
    int64_t status_deadline;
    uint32_t status_psn;
    bool old_version; /* STAT_RES said 0.0: DATA_RES may know better */
    /* data channel */
    uint64_t base; /* VA of the first frame */
    uint32_t rkey;
    uint32_t buffer_qpnd;
    uint32_t psn;
    uint64_t num_frames;
    uint64_t next;      /* frame that was not sent yet */
    uint64_t delivered; /* frames */
    uint64_t resent;    /* frames */
    uint64_t refused;   /* responses */
    uint64_t damaged;   /* datagrams with a wrong ICRC */
    gw_ims_slot slots[GW_IMS_WORKER_OUTSTANDING];
    uint32_t num_busy;  /* slots that are not free, and ... */
    uint32_t num_ready; /* ... of them, those to be sent: what nobody waits for is not looked for */
    int64_t earliest;   /* no deadline of a slot is before */
    gw_ims_slot *sending; /* NULL: none */
    uint32_t sent;        /* bytes of that frame */
    int64_t next_burst;
    const char *failed; /* the first thing that went wrong */
    /* content */
    uint64_t image_number; /* that is made, counting from 1; 0: none */
    uint8_t image[GW_IMS_IMAGE_6BIT];
    bool unreadable; /* the file gave less than it had promised */
    uint8_t payload[GW_IMS_PACKET_MAX];
    uint8_t packet[GW_IB_PACKET_MAX];
};

/* gw_ims_worker_revision returns the protocol revision that both sides are to have: major << 8 |
 * minor. */
static inline uint16_t gw_ims_worker_revision(const gw_ims_worker_state *w)
{
    return gw_ims_dialect_of(w->dialect)->revision;
}

/* gw_ims_pattern writes |len| bytes of the endless pattern from byte |offset| on. */
void gw_ims_pattern(uint64_t offset, uint8_t *out, size_t len);

/* gw_ims_worker_read writes the |len| bytes of the content from |offset| on. */
void gw_ims_worker_read(gw_ims_worker_state *w, uint64_t offset, uint8_t *out, size_t len);

/* gw_ims_worker_send sends |draft|; gw_ims_worker_transmit does so behind the filters, the bits of
 * |flaw| flipped in its ICRC. */
void gw_ims_worker_send(gw_ims_worker_state *w, gw_ims_draft *draft);
void gw_ims_worker_transmit(gw_ims_worker_state *w, const gw_ims_draft *draft, uint8_t flaw);

/* gw_ims_worker_take takes an undamaged packet. */
void gw_ims_worker_take(gw_ims_worker_state *w, const gw_ims_packet *p);

/* gw_ims_worker_is_answer says whether |p| is a status packet for us, gw_ims_worker_is_response
 * whether it is a response to a frame. */
bool gw_ims_worker_is_answer(const gw_ims_worker_state *w, const gw_ims_packet *p);
bool gw_ims_worker_is_response(const gw_ims_worker_state *w, const gw_ims_packet *p);

/* gw_ims_worker_fail notes what went wrong; the first counts. */
void gw_ims_worker_fail(gw_ims_worker_state *w, const char *what);

/* gw_ims_worker_stop sends no more frames but the one that is being sent; |why| (NULL: all is well)
 * went wrong. */
void gw_ims_worker_stop(gw_ims_worker_state *w, const char *why);

/* gw_ims_worker_finish ends all of it. */
void gw_ims_worker_finish(gw_ims_worker_state *w);

/* gw_ims_worker_request sends the request |method| and waits for nothing. */
void gw_ims_worker_request(gw_ims_worker_state *w, uint8_t method);

/* gw_ims_worker_ask sends the request |method| and waits for its answer. */
void gw_ims_worker_ask(gw_ims_worker_state *w, uint8_t method);

/* gw_ims_worker_take_status acts on a status packet for us. */
void gw_ims_worker_take_status(gw_ims_worker_state *w, const gw_ims_status *status);

/* gw_ims_worker_status_late acts on an answer that did not come. */
void gw_ims_worker_status_late(gw_ims_worker_state *w);

/* gw_ims_worker_stream begins to stream; gw_ims_worker_abort ends that at once. */
void gw_ims_worker_stream(gw_ims_worker_state *w);
void gw_ims_worker_abort(gw_ims_worker_state *w);

/* gw_ims_worker_send_packet sends the next packet of the frame that is being sent. */
void gw_ims_worker_send_packet(gw_ims_worker_state *w);

/* gw_ims_worker_put gives |slot| another state; gw_ims_worker_put_until one that lasts until
 * |deadline|. */
void gw_ims_worker_put(gw_ims_worker_state *w, gw_ims_slot *slot, gw_ims_slot_state state);
void gw_ims_worker_put_until(gw_ims_worker_state *w, gw_ims_slot *slot, gw_ims_slot_state state,
                             int64_t deadline);

/* gw_ims_worker_send_again has the frame in |slot| sent again, unless that has been tried often
 * enough. */
void gw_ims_worker_send_again(gw_ims_worker_state *w, gw_ims_slot *slot);

/* gw_ims_worker_va_of returns where frame |number| begins. */
uint64_t gw_ims_worker_va_of(const gw_ims_worker_state *w, uint64_t number);

/* gw_ims_worker_oldest returns the oldest frame that waits for its response, or NULL;
 * gw_ims_worker_meant the one that |ack| is about. */
gw_ims_slot *gw_ims_worker_oldest(gw_ims_worker_state *w);
gw_ims_slot *gw_ims_worker_meant(gw_ims_worker_state *w, const gw_ims_ack *ack);

/* gw_ims_worker_misses_start says whether |ack| is a NACK of packets without a first one. */
bool gw_ims_worker_misses_start(const gw_ims_worker_state *w, const gw_ims_ack *ack);

/* gw_ims_worker_take_response acts on a response to a frame. */
void gw_ims_worker_take_response(gw_ims_worker_state *w, const gw_ims_ack *ack);

/* gw_ims_worker_pump looks at the frames' deadlines and sends what is to be sent now. */
void gw_ims_worker_pump(gw_ims_worker_state *w);

/* gw_ims_worker_frames_due returns when gw_ims_worker_pump has something to do. */
int64_t gw_ims_worker_frames_due(const gw_ims_worker_state *w);

/* gw_ims_worker_setup_open reads a set-up file; NULL with a text in |why| that names file, line and
 * column. gw_ims_worker_setup_close closes what it opened; NULL is allowed. */
gw_ims_worker_setup *gw_ims_worker_setup_open(const char *path, char *why, size_t why_cap);
void gw_ims_worker_setup_close(gw_ims_worker_setup *setup);

extern const gw_mutant gw_ims_worker_mutants[GW_IMS_NUM_WORKER_MUTANTS];
extern const gw_board gw_ims_worker_board;

#endif
