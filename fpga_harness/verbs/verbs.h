/* SPDX-License-Identifier: BSD-2-Clause */
/* libibverbs, loaded when the first adapter is opened, so that the command runs where it is not
 * installed. What the header does inline goes through the adapter's context and needs no symbol. */
#ifndef HARNESS_VERBS_H
#define HARNESS_VERBS_H

#include <infiniband/verbs.h>

#include "goldwire/base.h"

/* The functions in use; X gets each name without ibv_. */
#define GW_VERBS(X)                                                                                \
    X(get_device_list)                                                                             \
    X(free_device_list)                                                                            \
    X(get_device_name)                                                                             \
    X(open_device)                                                                                 \
    X(close_device)                                                                                \
    X(query_port)                                                                                  \
    X(alloc_pd)                                                                                    \
    X(dealloc_pd)                                                                                  \
    X(reg_mr)                                                                                      \
    X(dereg_mr)                                                                                    \
    X(create_comp_channel)                                                                         \
    X(destroy_comp_channel)                                                                        \
    X(create_cq)                                                                                   \
    X(destroy_cq)                                                                                  \
    X(get_cq_event)                                                                                \
    X(ack_cq_events)                                                                               \
    X(create_qp)                                                                                   \
    X(modify_qp)                                                                                   \
    X(destroy_qp)                                                                                  \
    X(create_ah)                                                                                   \
    X(destroy_ah)                                                                                  \
    X(wc_status_str)

/* gw_verbs is libibverbs. */
typedef struct gw_verbs {
#define GW_VERB(name) __typeof__(ibv_##name) *name;
    GW_VERBS(GW_VERB)
#undef GW_VERB
    __typeof__(_ibv_query_gid_ex) *query_gid_ex;
} gw_verbs;

/* gw_verbs_load fills |out|. The library stays loaded. False with a text in |why|. */
GW_MUST_USE bool gw_verbs_load(gw_verbs *out, char *why, size_t why_cap);

#endif
