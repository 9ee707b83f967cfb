/* SPDX-License-Identifier: BSD-2-Clause */
/* For tests: cores that cores/model.sh makes, loaded into this process. */
#ifndef SIM_MODEL_TESTING_H
#define SIM_MODEL_TESTING_H

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "gw_model.h"
#include "harness/sim.h"

typedef struct test_model {
    void *library;
    const gw_model *offers;
    void *core;
} test_model;

/* Runs the script, whose last line is the library's path. */
static inline int make_library(const char *script, const char *core, char path[1024])
{
    char command[1200];
    (void)snprintf(command, sizeof(command), "'%s' %s", script, core);
    FILE *f = popen(command, "r"); // NOLINT(cert-env33-c)
    if (f == NULL)
        return 1;
    path[0] = '\0';
    while (fgets(path, 1024, f) != NULL)
        path[strcspn(path, "\n")] = '\0';
    int status = pclose(f);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/* Loads |core|. 0, or an exit status (77: Verilator is not installed) with a text in |why|. */
static inline int load_model(test_model *model, const char *script, const char *core, char *why,
                             size_t why_cap)
{
    char path[1024];
    *model = (test_model){0};
    int status = make_library(script, core, path);
    (void)snprintf(why, why_cap, "%s: no model of %s", script, core);
    if (status != 0)
        return status;
    model->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (model->library != NULL)
        model->offers = dlsym(model->library, GW_MODEL_SYMBOL);
    if (model->offers != NULL)
        model->core = model->offers->make();
    if (model->core != NULL)
        return 0;
    (void)snprintf(why, why_cap, "%s is no model", path);
    return 1;
}

static inline gw_sim *attach_model(const test_model *model, char *why, size_t why_cap)
{
    return gw_sim_attach(model->offers->calls(), model->offers->step, model->core, why, why_cap);
}

/* Behind gw_sim_free. */
static inline void unload_model(test_model *model)
{
    model->offers->destroy(model->core);
    (void)dlclose(model->library);
}

#endif
