/* SPDX-License-Identifier: BSD-2-Clause */
/* Just enough of JSON Schema to hold run.json to docs/run.schema.json. */
#ifndef GOLDWIRE_REPORT_SCHEMA_TESTING_H
#define GOLDWIRE_REPORT_SCHEMA_TESTING_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "goldwire/base.h"

static inline bool schema_type_is(const char *type, const json_t *value)
{
    if (strcmp(type, "object") == 0)
        return json_is_object(value);
    if (strcmp(type, "array") == 0)
        return json_is_array(value);
    if (strcmp(type, "string") == 0)
        return json_is_string(value);
    if (strcmp(type, "integer") == 0)
        return json_is_integer(value);
    if (strcmp(type, "number") == 0)
        return json_is_number(value);
    if (strcmp(type, "boolean") == 0)
        return json_is_boolean(value);
    if (strcmp(type, "null") == 0)
        return json_is_null(value);
    return false;
}

static inline void schema_check_type(const json_t *type, const json_t *value, const char *where)
{
    size_t i;
    json_t *one;
    if (type == NULL)
        return;
    if (json_is_string(type)) {
        if (!schema_type_is(json_string_value(type), value))
            fail_msg("%s is no %s", where, json_string_value(type));
        return;
    }
    json_array_foreach(type, i, one) if (schema_type_is(json_string_value(one), value)) return;
    fail_msg("%s has none of the allowed types", where);
}

static inline void schema_check_value(const json_t *schema, const json_t *value, const char *where)
{
    const json_t *only = json_object_get(schema, "const");
    const json_t *list = json_object_get(schema, "enum");
    size_t i;
    json_t *one;
    if (only != NULL && !json_equal(only, value))
        fail_msg("%s is not the constant it should be", where);
    if (list == NULL)
        return;
    json_array_foreach(list, i, one) if (json_equal(one, value)) return;
    fail_msg("%s is none of the values allowed", where);
}

static inline void schema_check(const json_t *schema, json_t *value, const char *where)
{
    const json_t *properties = json_object_get(schema, "properties");
    const json_t *items = json_object_get(schema, "items");
    size_t i;
    json_t *one;
    const char *key;
    schema_check_type(json_object_get(schema, "type"), value, where);
    schema_check_value(schema, value, where);
    json_array_foreach(json_object_get(schema, "required"), i, one)
    {
        if (json_is_object(value) && json_object_get(value, json_string_value(one)) == NULL)
            fail_msg("%s lacks %s", where, json_string_value(one));
    }
    json_object_foreach(value, key, one)
    {
        const json_t *sub = json_object_get(properties, key);
        if (sub == NULL)
            fail_msg("%s: the schema does not know %s", where, key);
        schema_check(sub, one, key);
    }
    json_array_foreach(value, i, one) schema_check(items, one, where);
}

#endif
