/* SPDX-License-Identifier: BSD-2-Clause */
/* IMS Worker cases: how often a frame was sent, and how long what is sent takes. */
#include "formats/ims/worker/suite.h"

int64_t gw_imsw_response_ns(const gw_ctx *ctx)
{
    uint32_t claimed = gw_case_board(ctx)->claims.response_timeout_ms;
    return claimed != 0 ? claimed * GW_MS : GW_IMS_TIMEOUT_NS;
}

int64_t gw_imsw_turn_ns(gw_ctx *ctx)
{
    const gw_timing *turns = &gw_imsw_state_of(ctx)->turns;
    return turns->num > 0 ? gw_timing_percentile(turns, 50) : 0;
}

int64_t gw_imsw_quick_ns(gw_ctx *ctx)
{
    return gw_imsw_state_of(ctx)->turns.min_ns;
}

const gw_imsw_sending *gw_imsw_first(const gw_imsw_session *session, uint32_t number)
{
    for (size_t i = 0; i < session->num_sendings; i++)
        if (session->sendings[i].number == number && session->sendings[i].whole)
            return &session->sendings[i];
    return NULL;
}

const gw_imsw_sending *gw_imsw_next(const gw_imsw_session *session, const gw_imsw_sending *sending)
{
    for (const gw_imsw_sending *s = sending + 1; s < session->sendings + session->num_sendings; s++)
        if (s->number == sending->number)
            return s;
    return NULL;
}

bool gw_imsw_upon(gw_ctx *ctx, const gw_imsw_sending *sending, const gw_imsw_sending *before)
{
    return sending->start_ns >= before->answer_ns + gw_imsw_quick_ns(ctx);
}

size_t gw_imsw_times(const gw_imsw_session *session, uint32_t number)
{
    size_t times = 0;
    for (size_t i = 0; i < session->num_sendings; i++)
        times += session->sendings[i].number == number && session->sendings[i].whole;
    return times;
}
