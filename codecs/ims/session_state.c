/* SPDX-License-Identifier: BSD-2-Clause */
/* What all parts of the session use: time, and who and what is in the tables. */
#include "ims/session.h"

#include "core/hash.h"

/* |wait_ns| after |time_ns|, or the end of all times. */
static int64_t later_ns(int64_t time_ns, int64_t wait_ns)
{
    if (time_ns < 0)
        return time_ns + wait_ns;
    uint64_t later = (uint64_t)time_ns + (uint64_t)wait_ns;
    return later > INT64_MAX ? INT64_MAX : (int64_t)later;
}

void gw_ims_owe(gw_ims_sessions *s, int64_t time_ns)
{
    int64_t due = later_ns(time_ns, s->give_up_ns);

    if (due < s->due_ns)
        s->due_ns = due;
}

gw_ims_sent *gw_ims_sent_at(gw_ims_sessions *s, size_t age)
{
    size_t place = s->first + age;

    return &s->sent[place < s->room ? place : place - s->room];
}

uint32_t gw_ims_hash_of(uint32_t epoch, uint64_t va)
{
    return gw_hash_fold((uint64_t)epoch << 32 | (uint32_t)va);
}

gw_ims_flow *gw_ims_flow_of(gw_ims_sessions *s, const gw_ims_sent *f)
{
    gw_ims_flow *flow = &s->flows[f->flow];

    return flow->epoch == f->epoch ? flow : NULL;
}

bool gw_ims_is_between(const gw_ims_worker *w, const gw_endpoint *worker, const gw_endpoint *buffer)
{
    return w->touched != 0 && gw_endpoint_equal(&w->worker, worker) &&
           gw_endpoint_equal(&w->buffer, buffer);
}

gw_ims_worker *gw_ims_worker_of_data(gw_ims_sessions *s, const gw_endpoint *worker,
                                     const gw_endpoint *buffer, uint32_t dest_qp)
{
    gw_ims_worker *only = NULL;
    unsigned candidates = 0;

    for (size_t i = 0; i < GW_IMS_WORKERS; i++) {
        gw_ims_worker *w = &s->workers[i];
        if (!gw_ims_is_between(w, worker, buffer))
            continue;
        if (w->has_memory && w->buffer_qp == dest_qp)
            return w;
        candidates++;
        only = w;
    }
    return candidates == 1 ? only : NULL;
}
