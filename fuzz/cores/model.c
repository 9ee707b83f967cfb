/* SPDX-License-Identifier: BSD-2-Clause */
#include "cores/model.h"

#include <dlfcn.h>

#include "fuzz.h"
#include "gw_model.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);

#ifndef GW_FUZZ_MODEL
#define GW_FUZZ_MODEL "" /* only the environment says where it is */
#endif

static const gw_model *load(void)
{
    const char *path = getenv("GOLDWIRE_FUZZ_MODEL");
    const gw_model *model = NULL;

    if (path == NULL)
        path = GW_FUZZ_MODEL;
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library != NULL)
        model = dlsym(library, GW_MODEL_SYMBOL);
    if (model == NULL) {
        fprintf(stderr,
                "%s\nGOLDWIRE_FUZZ_MODEL says which model is fuzzed: what "
                "fpga_harness/cores/model.sh prints\n",
                dlerror());
        exit(2);
    }
    return model;
}

static const gw_model *loaded(void)
{
    static const gw_model *model;

    if (model == NULL)
        model = load();
    return model;
}

/* libFuzzer keeps an input for each new number of times that a line was passed, and the lines of a
 * core are passed at each clock edge: unless told otherwise it is to look at lines alone. It learns
 * here, before the first input, what there is to be reached. */
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    static char lines_alone[] = "-use_counters=0";
    char **more = calloc((size_t)*argc + 2, sizeof *more);

    gw_fuzz_check(more != NULL && *argc > 0, "no memory");
    more[0] = (*argv)[0];
    more[1] = lines_alone;
    memcpy(more + 2, *argv + 1, (size_t)(*argc - 1) * sizeof *more);
    *argv = more; /* for as long as the process lives */
    *argc += 1;
    (void)loaded();
    return 0;
}

gw_fuzz_core gw_fuzz_core_begin(void)
{
    const gw_model *model = loaded();
    char why[256] = "out of memory";
    gw_fuzz_core core = {.model = model->make()};

    if (core.model != NULL)
        core.sim = gw_sim_attach(model->calls(), model->step, core.model, why, sizeof why);
    gw_fuzz_check(core.sim != NULL, why);
    return core;
}

gw_transport *gw_fuzz_core_open(const gw_fuzz_core *core, unsigned port)
{
    static const gw_endpoint here = {.family = GW_FAMILY_IPV4, .ip = {10, 0, 0, 1}, .port = 50000};
    static const gw_endpoint there = {.family = GW_FAMILY_IPV4, .ip = {10, 0, 0, 2}, .port = 60368};
    char why[256] = "";
    gw_transport *t = gw_sim_open(core->sim, port, &here, &there, why, sizeof why);

    gw_fuzz_check(t != NULL, why);
    return t;
}

void gw_fuzz_core_judge(const gw_fuzz_core *core)
{
    char why[256];
    const gw_sim_breaches *breach = gw_sim_breach_seen(core->sim, 0);

    if (breach != NULL) {
        (void)snprintf(why, sizeof why, "the core breaks %s at port %u, at %lld ns", breach->rule,
                       breach->port, (long long)breach->first_ns);
        gw_fuzz_check(false, why);
    }
    gw_fuzz_check(!gw_sim_lost(core->sim, why, sizeof why), why);
}

void gw_fuzz_core_end(gw_fuzz_core *core)
{
    gw_sim_free(core->sim);
    loaded()->destroy(core->model);
    *core = (gw_fuzz_core){0};
}
