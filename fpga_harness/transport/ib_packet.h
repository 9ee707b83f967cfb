/* SPDX-License-Identifier: BSD-2-Clause */
/* InfiniBand packets as an adapter sees them: what to ask of it so that a packet goes out, and the
 * packet that must have come in. Nothing here knows libibverbs. */
#ifndef TRANSPORT_IB_PACKET_H
#define TRANSPORT_IB_PACKET_H

#include "goldwire/ib.h"
#include "goldwire/message.h"

/* gw_ib_sent is a packet to be sent. */
typedef struct gw_ib_sent {
    gw_ib_bth bth;
    gw_ib_deth deth; /* of UD packets */
    gw_ib_reth reth; /* of the first packet of a write */
    uint32_t imm;
    bool has_imm;
    bool datagram; /* UD; else UC */
    bool write;    /* RDMA WRITE; else SEND */
    bool first;
    bool last;
    const uint8_t *payload; /* without padding; points into the packet */
    size_t len;
} gw_ib_sent;

/* gw_ib_read_sent reads the |len| bytes of |packet|, BTH to ICRC, for the way from |here| to
 * |there|. False with a text in |why| when an adapter cannot send it. */
GW_MUST_USE bool gw_ib_read_sent(gw_ib_sent *out, const uint8_t *packet, size_t len,
                                 const gw_endpoint *here, const gw_endpoint *there, char *why,
                                 size_t why_cap);

/* gw_ib_message is a UC message whose packets are being gathered. */
typedef struct gw_ib_message {
    bool open;
    uint32_t dest_qp;
    uint32_t psn;    /* of its first packet ... */
    uint32_t next;   /* ... and of the next one */
    uint32_t packet; /* bytes of payload of all packets but the last */
    gw_ib_reth reth; /* of a write */
    uint32_t got;    /* bytes */
} gw_ib_message;

/* gw_ib_gather adds the UC packet |p|, whose payload belongs at *|offset| of the message, where a
 * packet holds |mtu| bytes at most. |p->last| ends it. False with a text in |why|, the message
 * forgotten, when an adapter would not send this packet next. */
GW_MUST_USE bool gw_ib_gather(gw_ib_message *m, const gw_ib_sent *p, uint32_t mtu, uint32_t *offset,
                              char *why, size_t why_cap);

/* gw_ib_is_mtu says whether |bytes| is a path MTU: 256, 512, 1024, 2048 or 4096. */
bool gw_ib_is_mtu(uint32_t bytes);

/* gw_ib_came is what an adapter tells of a message that it received. */
typedef struct gw_ib_came {
    bool datagram; /* UD; else UC */
    bool has_imm;
    uint32_t imm;
    uint32_t dest_qp; /* ours */
    uint32_t src_qp;  /* of UD messages */
    uint32_t qkey;    /* of UD messages: ours */
    uint32_t psn;     /* counted by us */
    const uint8_t *payload;
    size_t len;
} gw_ib_came;

/* gw_ib_write_came writes the packet from BTH to ICRC that brought |c| from |there| to |here| and
 * returns its length, 0 when |cap| is smaller. */
size_t gw_ib_write_came(uint8_t *out, size_t cap, const gw_ib_came *c, const gw_endpoint *here,
                        const gw_endpoint *there);

#endif
