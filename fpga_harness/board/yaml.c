/* SPDX-License-Identifier: BSD-2-Clause */
/* Strict getters over the tree, and the errors they leave. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/nearest.h"
#include "yaml_tree.h"

GW_PRINTF(3, 0)
static bool vfail(gw_yaml *yaml, gw_yaml_place at, const char *fmt, va_list args)
{
    if (yaml->failed)
        return false;
    yaml->failed = true;
    int len = at.line == 0 ? snprintf(yaml->error, sizeof(yaml->error), "%s: ", yaml->name)
                           : snprintf(yaml->error, sizeof(yaml->error), "%s:%u:%u: ", yaml->name,
                                      at.line, at.column);
    if (len >= 0 && (size_t)len < sizeof(yaml->error))
        vsnprintf(yaml->error + len, sizeof(yaml->error) - (size_t)len, fmt, args);
    /* Keys and values are quoted from the file; a terminal must not obey them. */
    for (char *p = yaml->error; *p != '\0'; p++) {
        if ((unsigned char)*p < 0x20 || *p == 0x7f)
            *p = '?';
    }
    return false;
}

bool gw_yaml_fail_at(gw_yaml *yaml, gw_yaml_place at, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    vfail(yaml, at, fmt, args);
    va_end(args);
    return false;
}

const char *gw_yaml_error(const gw_yaml *yaml)
{
    return yaml->failed ? yaml->error : NULL;
}

bool gw_yaml_fail(gw_yaml *yaml, const gw_yaml_node *node, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    vfail(yaml, node->at, fmt, args);
    va_end(args);
    return false;
}

const gw_yaml_node *gw_yaml_root(const gw_yaml *yaml)
{
    return yaml->root;
}

gw_yaml_kind gw_yaml_kind_of(const gw_yaml_node *node)
{
    return node->kind;
}

void gw_yaml_key_place(const gw_yaml_node *node, unsigned *line, unsigned *column)
{
    *line = node->key_at.line;
    *column = node->key_at.column;
}

void gw_yaml_place_of(const gw_yaml_node *node, unsigned *line, unsigned *column)
{
    *line = node->at.line;
    *column = node->at.column;
}

const gw_yaml_node *gw_yaml_first(const gw_yaml_node *parent)
{
    return parent == NULL ? NULL : parent->first;
}

const gw_yaml_node *gw_yaml_next(const gw_yaml_node *node)
{
    return node->next;
}

const char *gw_yaml_key(const gw_yaml_node *node)
{
    return node->key;
}

const gw_yaml_node *gw_yaml_get(const gw_yaml_node *map, const char *key)
{
    if (map == NULL || map->kind != GW_YAML_MAPPING)
        return NULL;
    for (const gw_yaml_node *node = map->first; node != NULL; node = node->next) {
        if (strcmp(node->key, key) == 0)
            return node;
    }
    return NULL;
}

const gw_yaml_node *gw_yaml_need(gw_yaml *yaml, const gw_yaml_node *map, const char *key)
{
    const gw_yaml_node *node = gw_yaml_get(map, key);
    if (node == NULL && map != NULL)
        gw_yaml_fail_at(yaml, map->at, "the key '%s' is missing", key);
    return node;
}

static const char *kind_name(const gw_yaml_node *node)
{
    static const char *const names[] = {"a value", "a list", "a mapping"};
    return names[node->kind];
}

/* "name, size, type" of |words|, cut to |cap|. */
static void list_words(char *out, size_t cap, const char *const *words)
{
    size_t len = 0;
    out[0] = '\0';
    for (size_t i = 0; words[i] != NULL && len < cap; i++)
        len += (size_t)snprintf(out + len, cap - len, "%s%s", i == 0 ? "" : ", ", words[i]);
}

static bool has_word(const char *const *words, const char *word, unsigned *index)
{
    for (unsigned i = 0; words[i] != NULL; i++) {
        if (strcmp(words[i], word) == 0) {
            *index = i;
            return true;
        }
    }
    return false;
}

static bool fail_word(gw_yaml *yaml, gw_yaml_place at, const char *what, const char *word,
                      const char *const *words)
{
    char list[256];
    list_words(list, sizeof(list), words);
    const char *near = gw_nearest(word, words);
    if (near == NULL)
        return gw_yaml_fail_at(yaml, at, "unknown %s '%.60s'; allowed: %s", what, word, list);
    return gw_yaml_fail_at(yaml, at, "unknown %s '%.60s'; did you mean '%s'? allowed: %s", what,
                           word, near, list);
}

bool gw_yaml_keys(gw_yaml *yaml, const gw_yaml_node *node, const char *const *allowed)
{
    if (node == NULL)
        return !yaml->failed;
    if (node->kind != GW_YAML_MAPPING) {
        char list[256];
        list_words(list, sizeof(list), allowed);
        return gw_yaml_fail_at(yaml, node->at, "a mapping with the keys %s is expected, not %s",
                               list, kind_name(node));
    }
    for (const gw_yaml_node *value = node->first; value != NULL; value = value->next) {
        unsigned index;
        if (!has_word(allowed, value->key, &index))
            return fail_word(yaml, value->key_at, "key", value->key, allowed);
    }
    return !yaml->failed;
}

bool gw_yaml_sequence(gw_yaml *yaml, const gw_yaml_node *node)
{
    if (node != NULL && node->kind != GW_YAML_SEQUENCE)
        return gw_yaml_fail_at(yaml, node->at, "a list is expected, not %s", kind_name(node));
    return !yaml->failed;
}

/* The text of a scalar that must not be empty; NULL with an error otherwise. */
static const char *scalar_text(gw_yaml *yaml, const gw_yaml_node *node, const char *expected)
{
    if (node->kind != GW_YAML_SCALAR) {
        gw_yaml_fail_at(yaml, node->at, "%s is expected, not %s", expected, kind_name(node));
        return NULL;
    }
    if (node->text[0] == '\0') {
        gw_yaml_fail_at(yaml, node->at, "%s is expected here", expected);
        return NULL;
    }
    return node->text;
}

bool gw_yaml_string(gw_yaml *yaml, const gw_yaml_node *node, const char **out)
{
    if (node == NULL)
        return !yaml->failed;
    const char *text = scalar_text(yaml, node, "a text");
    if (text == NULL)
        return false;
    for (const char *p = text; *p != '\0'; p++) {
        if ((unsigned char)*p < 0x20 || *p == 0x7f)
            return gw_yaml_fail_at(yaml, node->at, "the text holds a control character (0x%02x)",
                                   (unsigned char)*p);
    }
    *out = text;
    return !yaml->failed;
}

bool gw_yaml_u64(gw_yaml *yaml, const gw_yaml_node *node, uint64_t max, uint64_t *out)
{
    if (node == NULL)
        return !yaml->failed;
    const char *text = scalar_text(yaml, node, "a number");
    if (text == NULL)
        return false;
    bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const char *digits = hex ? text + 2 : text;
    if (digits[0] == '\0' || digits[strspn(digits, hex ? "0123456789abcdefABCDEF" : "0123456789")])
        return gw_yaml_fail_at(yaml, node->at, "'%.60s' is no number: write 4096 or 0x1000", text);
    errno = 0;
    unsigned long long value = strtoull(digits, NULL, hex ? 16 : 10);
    if (errno == ERANGE || value > max)
        return gw_yaml_fail_at(yaml, node->at, "%.60s is too large: at most %llu (0x%llx)", text,
                               (unsigned long long)max, (unsigned long long)max);
    *out = value;
    return !yaml->failed;
}

bool gw_yaml_bool(gw_yaml *yaml, const gw_yaml_node *node, bool *out)
{
    if (node == NULL)
        return !yaml->failed;
    const char *text = scalar_text(yaml, node, "true or false");
    if (text == NULL)
        return false;
    bool value = strcmp(text, "true") == 0;
    if (!value && strcmp(text, "false") != 0)
        return gw_yaml_fail_at(yaml, node->at, "true or false is expected, not '%.60s'", text);
    *out = value;
    return !yaml->failed;
}

bool gw_yaml_choice(gw_yaml *yaml, const gw_yaml_node *node, const char *const *choices,
                    unsigned *out)
{
    if (node == NULL)
        return !yaml->failed;
    const char *text = scalar_text(yaml, node, "a word");
    if (text == NULL)
        return false;
    unsigned index = 0;
    if (!has_word(choices, text, &index))
        return fail_word(yaml, node->at, "word", text, choices);
    *out = index;
    return !yaml->failed;
}
