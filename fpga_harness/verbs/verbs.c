/* SPDX-License-Identifier: BSD-2-Clause */
/* Loading libibverbs. */
#include "verbs.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#define LIBRARY "libibverbs.so.1"

/* Writes the address of |name| to the function pointer at |out|. */
static bool find(void *library, const char *name, void *out, char *why, size_t why_cap)
{
    void *symbol = dlsym(library, name);
    if (symbol == NULL)
        (void)snprintf(why, why_cap, "%s has no %s: it is too old", LIBRARY, name);
    memcpy(out, &symbol, sizeof(symbol));
    return symbol != NULL;
}

bool gw_verbs_load(gw_verbs *out, char *why, size_t why_cap)
{
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        (void)snprintf(why, why_cap, "%s; ib:// needs libibverbs and its providers", dlerror());
        return false;
    }
#define GW_VERB(name)                                                                              \
    if (!find(library, "ibv_" #name, &out->name, why, why_cap))                                    \
        return false;
    GW_VERBS(GW_VERB)
#undef GW_VERB
    return find(library, "_ibv_query_gid_ex", &out->query_gid_ex, why, why_cap);
}
