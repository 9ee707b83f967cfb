/* SPDX-License-Identifier: BSD-2-Clause */
/* libfyaml's events into a small tree with positions, then strict getters over it. Events rather
 * than libfyaml's own documents: an alias is refused before it could expand, and every node has a
 * line and a column. */
#include "harness/yaml.h"

#include <errno.h>
#include <libfyaml.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/nearest.h"

typedef struct place {
    unsigned line; /* both from 1 */
    unsigned column;
} place;

struct gw_yaml_node {
    gw_yaml_node *parent;
    gw_yaml_node *first;
    gw_yaml_node *last;
    gw_yaml_node *next;
    char *key;
    char *text; /* of a scalar */
    place at;
    place key_at;
    unsigned num_children;
    gw_yaml_kind kind;
};

struct gw_yaml {
    char *name;
    gw_yaml_node *root;
    bool failed;
    char error[512];
};

/* While the tree grows: where the next event goes. */
typedef struct growth {
    gw_yaml *yaml;
    gw_yaml_node *parent; /* NULL before the root and after it */
    char *key;            /* of the value that comes next, in a mapping */
    place key_at;
    unsigned depth;
} growth;

GW_PRINTF(3, 0)
static bool vfail(gw_yaml *yaml, place at, const char *fmt, va_list args)
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

GW_PRINTF(3, 4)
static bool fail(gw_yaml *yaml, place at, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    vfail(yaml, at, fmt, args);
    va_end(args);
    return false;
}

/* ---- growing the tree ---- */

static place place_of(const struct fy_event *event)
{
    const struct fy_mark *mark = fy_event_start_mark((struct fy_event *)event);
    place none = {0, 0};
    if (mark == NULL)
        return none;
    place at = {(unsigned)mark->line + 1, (unsigned)mark->column + 1};
    return at;
}

/* The text of a scalar, copied and terminated; NULL with an error for what C strings cannot hold.
 */
static char *text_of(growth *g, struct fy_token *token, place at)
{
    size_t len = 0;
    const char *text = token == NULL ? "" : fy_token_get_text(token, &len);
    if (text == NULL)
        text = "";
    if (memchr(text, '\0', len) != NULL) {
        fail(g->yaml, at, "a text holds a zero byte");
        return NULL;
    }
    char *copy = strndup(text, len);
    if (copy == NULL)
        fail(g->yaml, at, "out of memory");
    return copy;
}

static bool same_key_before(const gw_yaml_node *map, const char *key)
{
    return gw_yaml_get(map, key) != NULL;
}

/* A scalar in a mapping with no key pending is the next key. */
static bool take_key(growth *g, struct fy_event *event, place at)
{
    g->key = text_of(g, event->scalar.value, at);
    g->key_at = at;
    if (g->key == NULL)
        return false;
    if (same_key_before(g->parent, g->key))
        return fail(g->yaml, at, "the key '%s' is there twice", g->key);
    return true;
}

static gw_yaml_node *add_node(growth *g, gw_yaml_kind kind, place at)
{
    gw_yaml_node *parent = g->parent;
    if (parent != NULL && parent->num_children == GW_YAML_MAX_CHILDREN) {
        fail(g->yaml, at, "more than %d entries in one list", GW_YAML_MAX_CHILDREN);
        return NULL;
    }
    gw_yaml_node *node = calloc(1, sizeof(*node));
    if (node == NULL) {
        fail(g->yaml, at, "out of memory");
        return NULL;
    }
    node->kind = kind;
    node->at = at;
    node->parent = parent;
    node->key = g->key;
    node->key_at = g->key_at;
    g->key = NULL;
    if (parent == NULL) {
        g->yaml->root = node;
        return node;
    }
    if (parent->last == NULL)
        parent->first = node;
    else
        parent->last->next = node;
    parent->last = node;
    parent->num_children++;
    return node;
}

static bool add_scalar(growth *g, struct fy_event *event, place at)
{
    gw_yaml_node *node = add_node(g, GW_YAML_SCALAR, at);
    if (node == NULL)
        return false;
    node->text = text_of(g, event->scalar.value, at);
    return node->text != NULL;
}

static bool add_collection(growth *g, gw_yaml_kind kind, place at)
{
    if (g->parent != NULL && g->parent->kind == GW_YAML_MAPPING && g->key == NULL)
        return fail(g->yaml, at, "a key must be a plain text");
    if (g->depth == GW_YAML_MAX_DEPTH)
        return fail(g->yaml, at, "nested deeper than %d levels", GW_YAML_MAX_DEPTH);
    gw_yaml_node *node = add_node(g, kind, at);
    if (node == NULL)
        return false;
    g->parent = node;
    g->depth++;
    return true;
}

static bool grow(growth *g, struct fy_event *event)
{
    place at = place_of(event);
    switch (event->type) {
    case FYET_DOCUMENT_START:
        if (g->yaml->root != NULL)
            return fail(g->yaml, at, "a second document; one is expected");
        return true;
    case FYET_ALIAS:
        return fail(g->yaml, at, "aliases (*name) are not used here; write the value out");
    case FYET_SCALAR:
        if (event->scalar.tag != NULL)
            return fail(g->yaml, at, "tags (!name) are not used here");
        if (g->parent != NULL && g->parent->kind == GW_YAML_MAPPING && g->key == NULL)
            return take_key(g, event, at);
        return add_scalar(g, event, at);
    case FYET_SEQUENCE_START:
        if (event->sequence_start.tag != NULL)
            return fail(g->yaml, at, "tags (!name) are not used here");
        return add_collection(g, GW_YAML_SEQUENCE, at);
    case FYET_MAPPING_START:
        if (event->mapping_start.tag != NULL)
            return fail(g->yaml, at, "tags (!name) are not used here");
        return add_collection(g, GW_YAML_MAPPING, at);
    case FYET_SEQUENCE_END:
    case FYET_MAPPING_END:
        g->parent = g->parent->parent;
        g->depth--;
        return true;
    default:
        return true;
    }
}

static bool syntax_error(gw_yaml *yaml, struct fy_diag *diag)
{
    void *cursor = NULL;
    const struct fy_diag_error *first = fy_diag_errors_iterate(diag, &cursor);
    if (first == NULL)
        return fail(yaml, (place){0, 0}, "this is not YAML");
    place at = {first->line < 0 ? 0 : (unsigned)first->line,
                first->column < 0 ? 0 : (unsigned)first->column};
    return fail(yaml, at, "%s", first->msg);
}

static bool grow_all(gw_yaml *yaml, struct fy_parser *parser, struct fy_diag *diag)
{
    growth g = {.yaml = yaml};
    struct fy_event *event;
    bool ok = true;
    while (ok && (event = fy_parser_parse(parser)) != NULL) {
        ok = grow(&g, event);
        fy_parser_event_free(parser, event);
    }
    free(g.key);
    if (!ok)
        return false;
    /* The parser may stop without saying so: then something is still open, or was never there. */
    if (fy_parser_get_stream_error(parser) || fy_diag_got_error(diag) || g.parent != NULL)
        return syntax_error(yaml, diag);
    if (yaml->root == NULL)
        return fail(yaml, (place){0, 0}, "nothing to read: empty, or not YAML");
    return true;
}

static bool parse_text(gw_yaml *yaml, const char *text, size_t len)
{
    struct fy_diag_cfg diag_cfg;
    fy_diag_cfg_default(&diag_cfg);
    diag_cfg.fp = NULL;
    diag_cfg.colorize = false;
    struct fy_diag *diag = fy_diag_create(&diag_cfg);
    if (diag == NULL)
        return fail(yaml, (place){0, 0}, "out of memory");
    fy_diag_set_collect_errors(diag, true);
    struct fy_parse_cfg cfg = {.flags = FYPCF_QUIET | FYPCF_JSON_NONE, .diag = diag};
    struct fy_parser *parser = fy_parser_create(&cfg);
    bool ok;
    if (parser == NULL || fy_parser_set_string(parser, text, len) != 0)
        ok = fail(yaml, (place){0, 0}, "out of memory");
    else
        ok = grow_all(yaml, parser, diag);
    fy_parser_destroy(parser);
    fy_diag_destroy(diag);
    return ok;
}

gw_yaml *gw_yaml_parse(const char *name, const char *text, size_t len, char *why, size_t why_cap)
{
    gw_yaml *yaml = calloc(1, sizeof(*yaml));
    if (yaml == NULL || (yaml->name = strdup(name)) == NULL) {
        snprintf(why, why_cap, "%s: out of memory", name);
        free(yaml);
        return NULL;
    }
    bool ok = len > GW_YAML_MAX_SIZE
                  ? fail(yaml, (place){0, 0}, "longer than %u bytes", GW_YAML_MAX_SIZE)
                  : parse_text(yaml, text, len);
    if (!ok) {
        snprintf(why, why_cap, "%s", yaml->error);
        gw_yaml_close(yaml);
        return NULL;
    }
    return yaml;
}

gw_yaml *gw_yaml_open(const char *path, char *why, size_t why_cap)
{
    FILE *file = fopen(path, "rbe");
    if (file == NULL) {
        snprintf(why, why_cap, "%s: %s", path, strerror(errno));
        return NULL;
    }
    gw_yaml *yaml = NULL;
    /* One byte more than allowed tells a file that is too long. */
    char *text = malloc(GW_YAML_MAX_SIZE + 1);
    if (text == NULL) {
        snprintf(why, why_cap, "%s: out of memory", path);
        fclose(file);
        return NULL;
    }
    size_t len = fread(text, 1, GW_YAML_MAX_SIZE + 1, file);
    if (ferror(file))
        snprintf(why, why_cap, "%s: %s", path, strerror(errno));
    else
        yaml = gw_yaml_parse(path, text, len, why, why_cap);
    free(text);
    fclose(file);
    return yaml;
}

void gw_yaml_close(gw_yaml *yaml)
{
    if (yaml == NULL)
        return;
    gw_yaml_node *node = yaml->root;
    while (node != NULL) {
        if (node->first != NULL) {
            gw_yaml_node *child = node->first;
            node->first = child->next;
            node = child;
            continue;
        }
        gw_yaml_node *parent = node->parent;
        free(node->key);
        free(node->text);
        free(node);
        node = parent;
    }
    free(yaml->name);
    free(yaml);
}

/* ---- reading the tree ---- */

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

unsigned gw_yaml_line(const gw_yaml_node *node)
{
    return node->at.line;
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
        fail(yaml, map->at, "the key '%s' is missing", key);
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

static bool fail_word(gw_yaml *yaml, place at, const char *what, const char *word,
                      const char *const *words)
{
    char list[256];
    list_words(list, sizeof(list), words);
    const char *near = gw_nearest(word, words);
    if (near == NULL)
        return fail(yaml, at, "unknown %s '%.60s'; allowed: %s", what, word, list);
    return fail(yaml, at, "unknown %s '%.60s'; did you mean '%s'? allowed: %s", what, word, near,
                list);
}

bool gw_yaml_keys(gw_yaml *yaml, const gw_yaml_node *node, const char *const *allowed)
{
    if (node == NULL)
        return !yaml->failed;
    if (node->kind != GW_YAML_MAPPING) {
        char list[256];
        list_words(list, sizeof(list), allowed);
        return fail(yaml, node->at, "a mapping with the keys %s is expected, not %s", list,
                    kind_name(node));
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
        return fail(yaml, node->at, "a list is expected, not %s", kind_name(node));
    return !yaml->failed;
}

/* The text of a scalar that must not be empty; NULL with an error otherwise. */
static const char *scalar_text(gw_yaml *yaml, const gw_yaml_node *node, const char *expected)
{
    if (node->kind != GW_YAML_SCALAR) {
        fail(yaml, node->at, "%s is expected, not %s", expected, kind_name(node));
        return NULL;
    }
    if (node->text[0] == '\0') {
        fail(yaml, node->at, "%s is expected here", expected);
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
            return fail(yaml, node->at, "the text holds a control character (0x%02x)",
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
        return fail(yaml, node->at, "'%.60s' is no number: write 4096 or 0x1000", text);
    errno = 0;
    unsigned long long value = strtoull(digits, NULL, hex ? 16 : 10);
    if (errno == ERANGE || value > max)
        return fail(yaml, node->at, "%.60s is too large: at most %llu (0x%llx)", text,
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
        return fail(yaml, node->at, "true or false is expected, not '%.60s'", text);
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
