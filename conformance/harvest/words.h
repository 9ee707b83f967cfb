/* SPDX-License-Identifier: BSD-2-Clause */
/* Reading what findings.json and coverage.json say: what is not there is "" or 0. */
#ifndef GOLDWIRE_HARVEST_WORDS_H
#define GOLDWIRE_HARVEST_WORDS_H

#include <string.h>

#include <jansson.h>

#include "goldwire/base.h"

/* gw_word returns the text |key| of |object|. */
static inline const char *gw_word(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

/* gw_word_is says whether it is |text|. */
static inline bool gw_word_is(const json_t *object, const char *key, const char *text)
{
    return strcmp(gw_word(object, key), text) == 0;
}

/* gw_number returns the number |key| of |object|. */
static inline double gw_number(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

/* gw_whole returns it without its fraction, 0 for one below that. */
static inline uint64_t gw_whole(const json_t *object, const char *key)
{
    double value = gw_number(object, key);
    return value > 0 && value < 9e18 ? (uint64_t)value : 0;
}

#endif
