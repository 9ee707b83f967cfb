/* SPDX-License-Identifier: BSD-2-Clause */
/* A filter's text to its nodes, by recursive descent. */
#include <stdio.h>
#include <string.h>

#include "inspect/filter/filter.h"
#include "inspect/filter/scan.h"

#define DEPTH_MAX 64    /* of parentheses and negations */
#define NAME_MAX_LEN 96 /* longer than any name */

typedef struct parser {
    gw_filter *filter;
    const char *text;
    size_t at;
    gw_token token; /* the next one */
    unsigned depth;
    const char *wrong; /* what is; NULL: nothing so far */
    size_t place;      /* where */
} parser;

static void advance(parser *p)
{
    p->token = gw_token_scan(p->text, &p->at);
}

/* Remembers the first fault. */
static bool refuse(parser *p, size_t place, const char *what)
{
    if (p->wrong == NULL) {
        p->wrong = what;
        p->place = place;
    }
    return false;
}

static gw_filter_node *add(parser *p, gw_filter_kind kind)
{
    if (p->filter->num == GW_FILTER_NODES) {
        refuse(p, p->token.place, "the filter is too long");
        return NULL;
    }
    gw_filter_node *n = &p->filter->nodes[p->filter->num++];
    memset(n, 0, sizeof *n);
    n->kind = (uint8_t)kind;
    return n;
}

/* ---- names ---- */

static const gw_group *container(const gw_format *format, const char *name)
{
    size_t len = strlen(format->name);

    for (size_t i = 0; i < format->num_groups; i++) {
        const gw_group *g = format->groups[i];
        if (g->shape == GW_CONTAINER && strncmp(name, format->name, len) == 0 && name[len] == '.' &&
            strcmp(name + len + 1, g->segment) == 0)
            return g;
    }
    return NULL;
}

/* What the word |name| asks for. False when nothing is called so. */
static bool resolve(gw_filter_node *n, const char *name)
{
    if (strcmp(name, "frame.number") == 0) {
        n->kind = GW_FILTER_FRAME;
        return true;
    }
    for (size_t i = 0; i < gw_num_formats; i++) {
        n->format = gw_formats[i];
        n->field = gw_format_field(n->format, name);
        n->group = container(n->format, name);
        if (n->field != NULL)
            n->kind = GW_FILTER_FIELD;
        else if (n->group != NULL)
            n->kind = GW_FILTER_GROUP;
        else if (strcmp(n->format->name, name) == 0)
            n->kind = GW_FILTER_FORMAT;
        else
            continue;
        return true;
    }
    return false;
}

/* ---- values ---- */

static gw_filter_op operator_of(const gw_token *token)
{
    static const struct {
        const char *sign, *word;
    } all[] = {
        [GW_FILTER_EQ] = {"==", "eq"},
        [GW_FILTER_NE] = {"!=", "ne"},
        [GW_FILTER_GT] = {">", "gt"},
        [GW_FILTER_GE] = {">=", "ge"},
        [GW_FILTER_LT] = {"<", "lt"},
        [GW_FILTER_LE] = {"<=", "le"},
        [GW_FILTER_CONTAINS] = {"contains", "contains"},
    };

    for (size_t i = GW_FILTER_EQ; i < GW_ARRAY_LEN(all); i++) {
        if (gw_token_is(token, all[i].sign) || gw_token_is(token, all[i].word))
            return (gw_filter_op)i;
    }
    return GW_FILTER_EXISTS;
}

/* The number that |token| names among the values of |field|. */
static bool named_value(const gw_field *field, const gw_token *token, uint64_t *out)
{
    for (const gw_value_name *v = field->values; v != NULL && v->name != NULL; v++) {
        if (strlen(v->name) == token->len && memcmp(v->name, token->text, token->len) == 0) {
            *out = v->value;
            return true;
        }
    }
    return false;
}

/* Wireshark has written these in several ways over its versions. */
static bool flag_value(const gw_token *token, uint64_t *out)
{
    static const char *const words[][2] = {{"false", "true"}, {"False", "True"}, {"FALSE", "TRUE"}};

    for (size_t i = 0; i < GW_ARRAY_LEN(words); i++) {
        *out = gw_token_is(token, words[i][1]);
        if (*out == 1 || gw_token_is(token, words[i][0]))
            return true;
    }
    return false;
}

static bool number_value(parser *p, gw_filter_node *n)
{
    const gw_token *t = &p->token;

    if (n->field != NULL && n->field->type == GW_BOOL && flag_value(t, &n->number))
        return true;
    if (t->kind == GW_TOKEN_QUOTED)
        return (n->field != NULL && named_value(n->field, t, &n->number)) ||
               refuse(p, t->place, "no value of this field is called so");
    return gw_token_number(t, &n->number) ||
           refuse(p, t->place, "a number of at most 64 bits is expected");
}

static bool bytes_value(parser *p, gw_filter_node *n)
{
    n->len = gw_token_bytes(&p->token, n->bytes, sizeof n->bytes);
    return n->len > 0 ||
           refuse(p, p->token.place, "1 to 64 bytes are expected, as 4e:6f, or a text in quotes");
}

static bool comparison(parser *p, gw_filter_node *n)
{
    bool is_bytes = n->kind == GW_FILTER_FIELD && n->field->type == GW_BYTES;
    bool of_bytes = n->op == GW_FILTER_CONTAINS || n->op == GW_FILTER_EQ || n->op == GW_FILTER_NE;

    if (n->kind != GW_FILTER_FIELD && n->kind != GW_FILTER_FRAME)
        return refuse(p, p->token.place, "this has no value that could be compared");
    if (is_bytes ? !of_bytes : n->op == GW_FILTER_CONTAINS)
        return refuse(p, p->token.place,
                      is_bytes ? "byte strings are compared by ==, != and contains"
                               : "only byte strings contain something");
    advance(p);
    if (!(is_bytes ? bytes_value(p, n) : number_value(p, n)))
        return false;
    advance(p);
    return true;
}

/* ---- the grammar ---- */

static bool parse_or(parser *p);

static bool parse_test(parser *p)
{
    char name[NAME_MAX_LEN];

    if (p->token.kind != GW_TOKEN_WORD)
        return refuse(p, p->token.place,
                      p->token.kind == GW_TOKEN_WRONG ? "this is not understood"
                                                      : "the name of a field is expected");
    snprintf(name, sizeof name, "%.*s", p->token.len < sizeof name ? (int)p->token.len : 0,
             p->token.text);
    gw_filter_node *n = add(p, GW_FILTER_FIELD);
    if (n == NULL)
        return false;
    if (!resolve(n, name))
        return refuse(p, p->token.place, "no field is called so");
    advance(p);
    n->op = (uint8_t)operator_of(&p->token);
    return n->op == GW_FILTER_EXISTS || comparison(p, n);
}

/* Joins the nodes |left| and the last one. */
static bool join(parser *p, gw_filter_kind kind, size_t left)
{
    size_t right = p->filter->num - 1;
    gw_filter_node *n = add(p, kind);

    if (n == NULL)
        return false;
    n->left = (uint8_t)left;
    n->right = (uint8_t)right;
    return true;
}

static bool parse_parentheses(parser *p)
{
    size_t open = p->token.place;

    advance(p);
    if (!parse_or(p))
        return false;
    if (!gw_token_is(&p->token, ")"))
        return p->token.kind == GW_TOKEN_END
                   ? refuse(p, open, "this parenthesis is never closed")
                   : refuse(p, p->token.place, "'and', 'or' or ')' is expected");
    advance(p);
    return true;
}

static bool parse_one(parser *p)
{
    bool negated = false;

    while (gw_token_is(&p->token, "!") || gw_token_is(&p->token, "not")) {
        negated = !negated;
        advance(p);
    }
    if (++p->depth > DEPTH_MAX)
        return refuse(p, p->token.place, "parentheses go too deep");
    bool good = gw_token_is(&p->token, "(") ? parse_parentheses(p) : parse_test(p);
    p->depth--;
    return good && (!negated || join(p, GW_FILTER_NOT, p->filter->num - 1));
}

static bool parse_and(parser *p)
{
    if (!parse_one(p))
        return false;
    while (gw_token_is(&p->token, "and") || gw_token_is(&p->token, "&&")) {
        size_t left = p->filter->num - 1;
        advance(p);
        if (!parse_one(p) || !join(p, GW_FILTER_AND, left))
            return false;
    }
    return true;
}

static bool parse_or(parser *p)
{
    if (!parse_and(p))
        return false;
    while (gw_token_is(&p->token, "or") || gw_token_is(&p->token, "||")) {
        size_t left = p->filter->num - 1;
        advance(p);
        if (!parse_and(p) || !join(p, GW_FILTER_OR, left))
            return false;
    }
    return true;
}

/* Says what is wrong, and points at it: what stands before the caret is as wide as what stands
 * before the place, tabs and characters of several bytes included. */
static void point(const parser *p, char *why, size_t cap)
{
    char blank[1024];
    size_t n = 0;

    for (size_t i = 0; i < p->place && n + 1 < sizeof blank; i++) {
        unsigned char c = (unsigned char)p->text[i];
        if ((c & 0xc0) != 0x80)
            blank[n++] = c == '\t' ? '\t' : ' ';
    }
    blank[n] = '\0';
    snprintf(why, cap, "%s\n  %s\n  %s^", p->wrong, p->text, blank);
}

bool gw_filter_parse(gw_filter *filter, const char *text, char *why, size_t cap)
{
    parser p = {.filter = filter, .text = text};

    filter->num = 0;
    if (strlen(text) > GW_FILTER_TEXT || strchr(text, '\n') != NULL) {
        snprintf(why, cap, "a filter is one line of at most %u bytes", (unsigned)GW_FILTER_TEXT);
        return false;
    }
    advance(&p);
    if (parse_or(&p) && p.token.kind != GW_TOKEN_END)
        (void)refuse(&p, p.token.place, "'and', 'or' or the end is expected");
    if (p.wrong != NULL)
        point(&p, why, cap);
    return p.wrong == NULL;
}
