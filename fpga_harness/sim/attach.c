/* SPDX-License-Identifier: BSD-2-Clause */
/* A simulator in goldwire's own process: messages by calls, and its clock edges step by step while
 * somebody waits. No process, no socket and no second thread: that is what fuzzing a core needs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gw_hdl_in_process.h"
#include "harness/stop.h"
#include "link.h"

#define STILL_STEPS 1000000u /* steps in which no port says that time goes on */
#define STEPS_A_LOOK 1024u   /* between two looks whether goldwire is told to stop */

struct gw_sim_model {
    const gw_hdl_in_process *calls;
    gw_sim_step *step;
    void *context;
    bool ended;
    unsigned steps;
    unsigned still; /* steps since the model's time was another one than ... */
    uint64_t at_ps;
    uint8_t message[GW_WIRE_BODY]; /* in one piece */
};

static bool model_put(gw_sim *sim, const gw_wire_head *head, const void *body, size_t len,
                      const void *more, size_t more_len)
{
    struct gw_sim_model *model = sim->model;
    if (len + more_len > sizeof(model->message)) {
        gw_sim_lose(sim, "a message of %zu bytes is too long for the model", len + more_len);
        return false;
    }
    if (len > 0)
        memcpy(model->message, body, len);
    if (more_len > 0)
        memcpy(model->message + len, more, more_len);
    model->calls->hear(head, model->message);
    return true;
}

/* One step. */
static void go_on(gw_sim *sim)
{
    struct gw_sim_model *model = sim->model;
    model->ended = !model->step(model->context);
    model->still = model->calls->now_ps() == model->at_ps ? model->still + 1 : 0;
    model->at_ps = model->calls->now_ps();
    if (model->still >= STILL_STEPS)
        gw_sim_lose(sim,
                    "the model's time stands still at %llu ns: no port of it sees a clock edge",
                    (unsigned long long)(model->at_ps / (uint64_t)GW_SIM_PS_A_NS));
}

static size_t model_get(gw_sim *sim, uint8_t *out, size_t cap)
{
    while (gw_sim_is_there(sim)) {
        struct gw_sim_model *model = sim->model;
        size_t len = model->calls->said(out, cap);
        if (len > 0)
            return len;
        if (model->ended)
            gw_sim_lose(sim, "the model ended by itself at %llu ns",
                        (unsigned long long)(model->at_ps / (uint64_t)GW_SIM_PS_A_NS));
        else if (++model->steps % STEPS_A_LOOK == 0 && gw_stopped())
            return 0;
        else
            go_on(sim);
    }
    return 0;
}

static void model_close(gw_sim *sim)
{
    free(sim->model);
    sim->model = NULL;
}

static const gw_sim_carrier model_carrier = {
    .put = model_put, .get = model_get, .close = model_close};

gw_sim *gw_sim_attach(const struct gw_hdl_in_process *calls, gw_sim_step *model_step, void *context,
                      char *why, size_t why_cap)
{
    gw_sim *sim = gw_sim_new();
    if (sim != NULL)
        sim->model = calloc(1, sizeof(*sim->model));
    if (sim == NULL || sim->model == NULL) {
        (void)snprintf(why, why_cap, "out of memory");
        gw_sim_free(sim);
        return NULL;
    }
    sim->model->calls = calls;
    sim->model->step = model_step;
    sim->model->context = context;
    calls->begin();
    if (gw_sim_greet(sim, &model_carrier))
        return sim;
    (void)gw_sim_lost(sim, why, why_cap);
    gw_sim_free(sim);
    return NULL;
}
