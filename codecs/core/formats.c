/* SPDX-License-Identifier: BSD-2-Clause */
/* The list of formats. */
#include <string.h>

#include "goldwire/format.h"

#define GW_FORMAT(name) extern const gw_format gw_##name;
#include "goldwire/formats.def"

const gw_format *const gw_formats[] = {
#define GW_FORMAT(name) &gw_##name,
#include "goldwire/formats.def"
};
const size_t gw_num_formats = GW_ARRAY_LEN(gw_formats);
const gw_format *const gw_register_format = &gw_etherbone;

const gw_format *gw_format_by_name(const char *name)
{
    for (size_t i = 0; i < gw_num_formats; i++) {
        if (strcmp(gw_formats[i]->name, name) == 0)
            return gw_formats[i];
    }
    return NULL;
}
