/* SPDX-License-Identifier: BSD-2-Clause */
/* libfyaml's events into a small tree with positions. Events rather than libfyaml's own documents:
 * an alias is refused before it could expand, and every node has a line and a column. */
#include <errno.h>
#include <libfyaml.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "yaml_tree.h"

/* While the tree grows: where the next event goes. */
typedef struct growth {
    gw_yaml *yaml;
    gw_yaml_node *parent; /* NULL before the root and after it */
    char *key;            /* of the value that comes next, in a mapping */
    gw_yaml_place key_at;
    gw_yaml_place last; /* of the last event */
    unsigned depth;
} growth;

/* A value that is left out has no place of its own: it gets that of its key, or of what it lies in.
 */
static gw_yaml_place place_of(const growth *g, const struct fy_event *event)
{
    const struct fy_mark *mark = fy_event_start_mark((struct fy_event *)event);
    const struct fy_mark *end = fy_event_end_mark((struct fy_event *)event);
    gw_yaml_place start = {1, 1};
    /* Some versions of libfyaml give it the place where it would begin. */
    if (event->type == FYET_SCALAR && mark != NULL && end != NULL &&
        mark->input_pos == end->input_pos)
        mark = NULL;
    if (mark == NULL && g->key != NULL)
        return g->key_at;
    if (mark == NULL)
        return g->parent != NULL ? g->parent->at : start;
    gw_yaml_place at = {(unsigned)mark->line + 1, (unsigned)mark->column + 1};
    return at;
}

/* The text of a scalar, copied and terminated; NULL with an error for what C strings cannot hold.
 */
static char *text_of(growth *g, struct fy_token *token, gw_yaml_place at)
{
    size_t len = 0;
    const char *text = token == NULL ? "" : fy_token_get_text(token, &len);
    if (text == NULL)
        text = "";
    if (memchr(text, '\0', len) != NULL) {
        gw_yaml_fail_at(g->yaml, at, "a text holds a zero byte");
        return NULL;
    }
    char *copy = malloc(len + 1); /* a token has no end of its own, so no string function */
    if (copy == NULL) {
        gw_yaml_fail_at(g->yaml, at, "out of memory");
        return NULL;
    }
    memcpy(copy, text, len);
    copy[len] = '\0';
    return copy;
}

static bool same_key_before(const gw_yaml_node *map, const char *key)
{
    return gw_yaml_get(map, key) != NULL;
}

/* A scalar in a mapping with no key pending is the next key. */
static bool take_key(growth *g, struct fy_event *event, gw_yaml_place at)
{
    g->key = text_of(g, event->scalar.value, at);
    g->key_at = at;
    if (g->key == NULL)
        return false;
    for (const char *p = g->key; *p != '\0'; p++) {
        if ((uint8_t)*p < 0x20 || *p == 0x7f)
            return gw_yaml_fail_at(g->yaml, at, "the key holds a control character (0x%02x)",
                                   (uint8_t)*p);
    }
    if (same_key_before(g->parent, g->key))
        return gw_yaml_fail_at(g->yaml, at, "the key '%s' is there twice", g->key);
    return true;
}

static gw_yaml_node *add_node(growth *g, gw_yaml_kind kind, gw_yaml_place at)
{
    gw_yaml_node *parent = g->parent;
    if (parent != NULL && parent->num_children == GW_YAML_MAX_CHILDREN) {
        gw_yaml_fail_at(g->yaml, at, "more than %d entries in one list", GW_YAML_MAX_CHILDREN);
        return NULL;
    }
    gw_yaml_node *node = calloc(1, sizeof(*node));
    if (node == NULL) {
        gw_yaml_fail_at(g->yaml, at, "out of memory");
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

static bool add_scalar(growth *g, struct fy_event *event, gw_yaml_place at)
{
    gw_yaml_node *node = add_node(g, GW_YAML_SCALAR, at);
    if (node == NULL)
        return false;
    node->text = text_of(g, event->scalar.value, at);
    return node->text != NULL;
}

static bool add_collection(growth *g, gw_yaml_kind kind, gw_yaml_place at)
{
    if (g->parent != NULL && g->parent->kind == GW_YAML_MAPPING && g->key == NULL)
        return gw_yaml_fail_at(g->yaml, at, "a key must be a plain text");
    if (g->depth == GW_YAML_MAX_DEPTH)
        return gw_yaml_fail_at(g->yaml, at, "nested deeper than %d levels", GW_YAML_MAX_DEPTH);
    gw_yaml_node *node = add_node(g, kind, at);
    if (node == NULL)
        return false;
    g->parent = node;
    g->depth++;
    return true;
}

static bool grow(growth *g, struct fy_event *event)
{
    gw_yaml_place at = place_of(g, event);
    g->last = at;
    switch (event->type) {
    case FYET_DOCUMENT_START:
        if (g->yaml->root != NULL)
            return gw_yaml_fail_at(g->yaml, at, "a second document; one is expected");
        return true;
    case FYET_ALIAS:
        return gw_yaml_fail_at(g->yaml, at,
                               "aliases (*name) are not used here; write the value out");
    case FYET_SCALAR:
        if (event->scalar.tag != NULL)
            return gw_yaml_fail_at(g->yaml, at, "tags (!name) are not used here");
        if (g->parent != NULL && g->parent->kind == GW_YAML_MAPPING && g->key == NULL)
            return take_key(g, event, at);
        return add_scalar(g, event, at);
    case FYET_SEQUENCE_START:
        if (event->sequence_start.tag != NULL)
            return gw_yaml_fail_at(g->yaml, at, "tags (!name) are not used here");
        return add_collection(g, GW_YAML_SEQUENCE, at);
    case FYET_MAPPING_START:
        if (event->mapping_start.tag != NULL)
            return gw_yaml_fail_at(g->yaml, at, "tags (!name) are not used here");
        return add_collection(g, GW_YAML_MAPPING, at);
    case FYET_SEQUENCE_END:
    case FYET_MAPPING_END:
        if (g->parent == NULL)
            return gw_yaml_fail_at(g->yaml, at, "an end without a beginning");
        g->parent = g->parent->parent;
        g->depth--;
        return true;
    default:
        return true;
    }
}

/* The parser's own words, or, where it stops without any, what came last before. */
static bool syntax_error(gw_yaml *yaml, struct fy_diag *diag, gw_yaml_place last)
{
    void *cursor = NULL;
    const struct fy_diag_error *first = fy_diag_errors_iterate(diag, &cursor);
    if (first == NULL || first->line <= 0 || first->column <= 0)
        return gw_yaml_fail_at(yaml, last, "what follows here is not YAML");
    gw_yaml_place at = {(unsigned)first->line, (unsigned)first->column};
    return gw_yaml_fail_at(yaml, at, "%s", first->msg);
}

static bool grow_all(gw_yaml *yaml, struct fy_parser *parser, struct fy_diag *diag)
{
    growth g = {.yaml = yaml, .last = {1, 1}};
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
        return syntax_error(yaml, diag, g.last);
    if (yaml->root == NULL)
        return gw_yaml_fail_at(yaml, (gw_yaml_place){0, 0}, "nothing to read: empty, or not YAML");
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
        return gw_yaml_fail_at(yaml, (gw_yaml_place){0, 0}, "out of memory");
    fy_diag_set_collect_errors(diag, true);
    struct fy_parse_cfg cfg = {.flags = FYPCF_QUIET | FYPCF_JSON_NONE, .diag = diag};
    struct fy_parser *parser = fy_parser_create(&cfg);
    bool ok;
    if (parser == NULL || fy_parser_set_string(parser, text, len) != 0)
        ok = gw_yaml_fail_at(yaml, (gw_yaml_place){0, 0}, "out of memory");
    else
        ok = grow_all(yaml, parser, diag);
    fy_parser_destroy(parser);
    fy_diag_destroy(diag);
    return ok;
}

/* Returns the bytes of the character at |p|, 0 when it is not UTF-8 (RFC 3629). */
static size_t character_len(const uint8_t *p, size_t left)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t len = p[0] < 0x80 ? 1 : p[0] < 0xc0 ? 0 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;
    if (len < 2)
        return len;
    if (p[0] > 0xf4 || len > left)
        return 0;
    uint32_t value = p[0] & (0x7fu >> len);
    for (size_t i = 1; i < len; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return 0;
        value = value << 6 | (p[i] & 0x3f);
    }
    bool surrogate = value >= 0xd800 && value <= 0xdfff;
    return value < least[len] || value > 0x10ffff || surrogate ? 0 : len;
}

/* Refuses what the parser must not see: it stops without a place at some bytes that are not UTF-8,
 * and never stops at others in a directive. */
static bool check_text(gw_yaml *yaml, const char *text, size_t len)
{
    const uint8_t *p = (const uint8_t *)text;
    gw_yaml_place at = {1, 1};
    for (size_t i = 0, step; i < len; i += step) {
        step = character_len(p + i, len - i);
        if (step == 0)
            return gw_yaml_fail_at(yaml, at, "byte 0x%02x is not UTF-8; save the file as UTF-8",
                                   p[i]);
        if ((p[i] < 0x20 && strchr("\t\n\r", p[i]) == NULL) || p[i] == 0 || p[i] == 0x7f)
            return gw_yaml_fail_at(yaml, at, "control character (0x%02x)", p[i]);
        if (p[i] == '%' && at.column == 1)
            return gw_yaml_fail_at(yaml, at, "directives (%%NAME) are not used here");
        at.column++;
        if (p[i] == '\n' || (p[i] == '\r' && (i + 1 == len || p[i + 1] != '\n')))
            at = (gw_yaml_place){at.line + 1, 1};
    }
    return true;
}

gw_yaml *gw_yaml_parse(const char *name, const char *text, size_t len, char *why, size_t why_cap)
{
    gw_yaml *yaml = calloc(1, sizeof(*yaml));
    if (yaml == NULL || (yaml->name = strdup(name)) == NULL) {
        snprintf(why, why_cap, "%s: out of memory", name);
        free(yaml);
        return NULL;
    }
    bool ok = len > GW_YAML_MAX_SIZE ? gw_yaml_fail_at(yaml, (gw_yaml_place){0, 0},
                                                       "longer than %u bytes", GW_YAML_MAX_SIZE)
                                     : check_text(yaml, text, len) && parse_text(yaml, text, len);
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
