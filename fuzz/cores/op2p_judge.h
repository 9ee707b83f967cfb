/* SPDX-License-Identifier: BSD-2-Clause */
/* What a node says on its links, and what the rules for messages and for conversations make of it.
 */
#ifndef FUZZ_CORES_OP2P_JUDGE_H
#define FUZZ_CORES_OP2P_JUDGE_H

#include "fuzz.h"
#include "goldwire/op2p.h"

enum {
    GW_OP2P_SAID_MOST = 64, /* datagrams in answer to one thing: what all FIFOs hold together */
    GW_OP2P_LINKS = 2,
};

/* gw_op2p_said is what a node has sent on one link, datagram by datagram, with their shims. */
typedef struct gw_op2p_said {
    size_t num[GW_OP2P_LINKS];
    struct {
        size_t len;
        uint8_t bytes[GW_OP2P_SHIM + GW_OP2P_PDU_MAX];
    } datagrams[GW_OP2P_LINKS][GW_OP2P_SAID_MOST];
} gw_op2p_said;

/* gw_op2p_judge follows the conversations of one node. */
typedef struct gw_op2p_judge {
    gw_verdict_sink sink;
    uint64_t session[4096];
    uint64_t frames;
    uint64_t heard; /* of them, from the node */
    bool from_node; /* the frame that is being judged */
    size_t num_broken;
    const gw_rule *broken[32]; /* by what the node sent: MUSTs, each once */
    char text[256];            /* of the last one */
} gw_op2p_judge;

/* gw_op2p_judge_begin forgets all conversations. */
void gw_op2p_judge_begin(gw_op2p_judge *judge);

/* gw_op2p_judge_heard tells it of a datagram on |link|, to the node or from it. */
void gw_op2p_judge_heard(gw_op2p_judge *judge, unsigned link, bool from_node, const uint8_t *data,
                         size_t len);

/* gw_op2p_tell prints what |who| says on |link|, when GOLDWIRE_FUZZ_TELL is set. */
void gw_op2p_tell(const char *who, unsigned link, const uint8_t *data, size_t len);

/* gw_op2p_judge_compare ends the process, as gw_fuzz_check does, when |core| breaks a rule that
 * |node|, in the same conversation, does not: a rule that the good node breaks was made to be
 * broken by its host. */
void gw_op2p_judge_compare(const gw_op2p_judge *core, const gw_op2p_judge *node);

/* gw_op2p_said_add keeps what was sent. */
void gw_op2p_said_add(gw_op2p_said *said, unsigned link, const uint8_t *data, size_t len);

/* gw_op2p_said_compare ends the process, as gw_fuzz_check does, when |core| is not |node|, numbers
 * of datagrams aside, and empties both. */
void gw_op2p_said_compare(gw_op2p_said *core, gw_op2p_said *node);

#endif
