/* SPDX-License-Identifier: BSD-2-Clause */
/* The suite for an IMS Worker. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "formats/ims/worker/suite.h"
#include "suite/response.h"

static void begin(gw_ctx *ctx)
{
    (void)ctx;
}

static bool has(gw_ctx *ctx, const char *need, char *why, size_t why_cap)
{
    if (strcmp(need, "response_us") == 0)
        return gw_response_claimed(ctx, why, why_cap);
    if (strcmp(need, "images") == 0 && gw_case_board(ctx)->claims.images == GW_CLAIM_YES)
        return true;
    (void)snprintf(why, why_cap, "the board file does not claim %s", need);
    return false;
}

static bool accepts(const gw_dialect *dialect, bool stream, char *why, size_t why_cap)
{
    (void)stream;
    (void)snprintf(why, why_cap,
                   "before revision 1.1 the events of a NACK are not known; the cases are for 1.1");
    return gw_ims_dialect_of(dialect)->revision >= (GW_IMS_MAJOR << 8 | GW_IMS_MINOR);
}

/* All of it is what the Worker says of itself, and how it wrote to a good buffer. */
static void show(gw_ctx *ctx, gw_claims *shown)
{
    const gw_imsw_session *session = &gw_imsw_state_of(ctx)->good;
    const gw_imsw_sending *first = gw_imsw_first(session, 0);
    shown->version = session->version;
    shown->frame_bytes = first != NULL ? first->length : 0;
    shown->packet_bytes = session->packet_bytes;
}

static void identify(gw_ctx *ctx, char *out, size_t cap)
{
    const gw_imsw_session *session = &gw_imsw_state_of(ctx)->good;
    const gw_imsw_sending *first = gw_imsw_first(session, 0);
    (void)snprintf(out, cap,
                   "a Worker of protocol version %u.%u sent %" PRIu32 " frames of %" PRIu32
                   " bytes%s, in packets of %" PRIu32,
                   session->version >> 8, session->version & 0xffu, session->num_frames,
                   first != NULL ? first->length : 0, session->cut ? " and more" : "",
                   session->packet_bytes);
    size_t len = strlen(out);
    const gw_imsw_state *state = gw_imsw_state_of(ctx);
    if (state->num_others > 0)
        (void)snprintf(out + len, cap - len, "; %zu%s came behind it, and %s judged as well",
                       state->num_others, state->num_others == GW_IMSW_OTHERS ? " or more" : "",
                       state->num_others == GW_IMSW_OTHERS ? "so many are" : "all are");
}

#define NATIVE                                                                                     \
    "RoCEv2 has no local route header, service level or variant CRC, and an InfiniBand adapter "   \
    "hands up none of them: only an analyser on a native link shows them"
#define BUFFERS "it is about packets that a buffer sends, and a Worker only takes; ims-buf is tried"

static const gw_exception exceptions[] = {
    {"IMS-C6", GW_BOTH_WAYS, BUFFERS},
    {"IMS-C7", GW_BOTH_WAYS, BUFFERS},
    {"IMS-C8", GW_BOTH_WAYS, BUFFERS},
    {"IMS-C9", GW_BOTH_WAYS, BUFFERS},
    {"IMS-C12", GW_BOTH_WAYS, NATIVE},
    {"IMS-C14", GW_BOTH_WAYS, NATIVE},
    {"IMS-C15", GW_BOTH_WAYS, NATIVE},
    {"IMS-C16", GW_BOTH_WAYS, NATIVE},
    {"IMS-W13", GW_BOTH_WAYS,
     "whom a Worker tells of a delivery is its own affair: nothing of it is on the wire"},
    {"IMS-W24", GW_BOTH_WAYS, NATIVE},
    {"IMS-W25", GW_BOTH_WAYS,
     "how many receive requests are posted is not on the wire; too few look like a lost "
     "response, which ims-w/no-response forgives"},
};

static const gw_case *const groups[] = {gw_ims_w_passive, gw_ims_w_behavior,
                                        gw_ims_w_false_responses};

const gw_suite gw_ims_w_suite = {
    .role = "ims-worker",
    .format = &gw_ims,
    .families = GW_LIST("IMS-W", "IMS-C"),
    .groups = groups,
    .num_groups = GW_ARRAY_LEN(groups),
    .exceptions = exceptions,
    .num_exceptions = GW_ARRAY_LEN(exceptions),
    .state_size = sizeof(gw_imsw_state),
    .calls_us = true,
    .accepts = accepts,
    .begin = begin,
    .alive = gw_imsw_alive,
    .has = has,
    .show = show,
    .identify = identify,
};
