/* SPDX-License-Identifier: BSD-2-Clause */
/* A filter's text to its nodes, by recursive descent. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "inspect/filter/filter.h"
#include "inspect/filter/names.h"
#include "inspect/filter/scan.h"

#define DEPTH_MAX 64 /* of parentheses and negations */
#define WRONG_MAX 256
#define WIRESHARKS_ALONE "'%s' is Wireshark's alone: tshark -Y takes it"

_Static_assert(GW_FILTER_WHY >= WRONG_MAX + 2 * (GW_FILTER_TEXT + 4), "fault, text and caret");

typedef struct parser {
    gw_filter *filter;
    const char *text;
    size_t at;
    gw_token token; /* the next one */
    unsigned depth;
    char wrong[WRONG_MAX]; /* what is; empty: nothing so far */
    size_t place;          /* where */
} parser;

static void advance(parser *p)
{
    p->token = gw_token_scan(p->text, &p->at);
}

/* Remembers the first fault. */
static GW_PRINTF(3, 4) bool refuse(parser *p, size_t place, const char *fmt, ...)
{
    va_list args;

    if (p->wrong[0] != '\0')
        return false;
    va_start(args, fmt);
    (void)vsnprintf(p->wrong, sizeof p->wrong, fmt, args);
    va_end(args);
    p->place = place;
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
    if (n->field != NULL && n->field->base == GW_IPV4)
        return gw_token_ipv4(t, &n->number) ||
               refuse(p, t->place, "an IPv4 address is expected, as 192.0.2.1");
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
           refuse(p, p->token.place, "1 to %u bytes are expected, as 4e:6f, or a text in quotes",
                  (unsigned)GW_FILTER_BYTES);
}

static bool comparison(parser *p, gw_filter_node *n)
{
    bool is_bytes = n->kind == GW_FILTER_FIELD && n->field->type == GW_BYTES;
    bool of_bytes = n->op == GW_FILTER_CONTAINS || n->op == GW_FILTER_EQ || n->op == GW_FILTER_NE;

    if (n->kind != GW_FILTER_FIELD && n->kind != GW_FILTER_FRAME)
        return refuse(p, p->token.place, "this has no value that could be compared");
    if (is_bytes ? !of_bytes : n->op == GW_FILTER_CONTAINS)
        return refuse(p, p->token.place, "%s",
                      is_bytes ? "byte strings are compared by ==, != and contains"
                               : "only byte strings contain something");
    advance(p);
    if (!(is_bytes ? bytes_value(p, n) : number_value(p, n)))
        return false;
    advance(p);
    return true;
}

/* ---- the grammar ---- */

/* Refuses the next word. What Wireshark would take there is said to be its own; or else |why|. */
static bool unexpected(parser *p, const char *why)
{
    static const char *const theirs[] = {"in", "matches", "bitand", "[", "{", "~", "&"};
    const gw_token *t = &p->token;

    if (t->kind == GW_TOKEN_WRONG && t->text[0] == '=')
        return refuse(p, t->place, "values are compared by ==");
    for (size_t i = 0; i < GW_ARRAY_LEN(theirs); i++) {
        if (gw_token_is(t, theirs[i]) || (t->kind == GW_TOKEN_WRONG && t->text[0] == theirs[i][0]))
            return refuse(p, t->place, WIRESHARKS_ALONE, theirs[i]);
    }
    return refuse(p, t->place, "%s", why);
}

static bool parse_or(parser *p);

static bool parse_test(parser *p)
{
    char name[GW_FILTER_NAME];

    if (p->token.kind != GW_TOKEN_WORD)
        return unexpected(p, p->token.kind == GW_TOKEN_WRONG ? "this is not understood"
                                                             : "the name of a field is expected");
    snprintf(name, sizeof name, "%.*s", p->token.len < sizeof name ? (int)p->token.len : 0,
             p->token.text);
    gw_filter_node *n = add(p, GW_FILTER_FIELD);
    if (n == NULL)
        return false;
    if (!gw_filter_resolve(p->filter, name)) {
        if (gw_filter_is_theirs(name))
            return refuse(p, p->token.place, WIRESHARKS_ALONE, name);
        char meant[GW_FILTER_NAME + 32];
        return refuse(p, p->token.place, "no field is called so%s",
                      gw_filter_meant(meant, sizeof meant, name));
    }
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
        return p->token.kind == GW_TOKEN_END ? refuse(p, open, "this parenthesis is never closed")
                                             : unexpected(p, "'and', 'or' or ')' is expected");
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

/* One or more of what |next| reads, with |word| or |sign| between. */
static bool parse_chain(parser *p, gw_filter_kind kind, const char *word, const char *sign,
                        bool (*next)(parser *p))
{
    if (!next(p))
        return false;
    while (gw_token_is(&p->token, word) || gw_token_is(&p->token, sign)) {
        size_t left = p->filter->num - 1;
        advance(p);
        if (!next(p) || !join(p, kind, left))
            return false;
    }
    return true;
}

static bool parse_and(parser *p)
{
    return parse_chain(p, GW_FILTER_AND, "and", "&&", parse_one);
}

static bool parse_or(parser *p)
{
    return parse_chain(p, GW_FILTER_OR, "or", "||", parse_and);
}

/* Says what is wrong, and points at it: what stands before the caret is as wide as what stands
 * before the place, tabs and characters of several bytes included. */
static void point(const parser *p, char *why, size_t cap)
{
    char blank[GW_FILTER_TEXT + 1];
    size_t n = 0;

    for (size_t i = 0; i < p->place; i++) {
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
    filter->num_places = 0;
    if (strlen(text) > GW_FILTER_TEXT || strchr(text, '\n') != NULL) {
        snprintf(why, cap, "a filter is one line of at most %u bytes", (unsigned)GW_FILTER_TEXT);
        return false;
    }
    advance(&p);
    if (parse_or(&p) && p.token.kind != GW_TOKEN_END)
        (void)unexpected(&p, "'and', 'or' or the end is expected");
    if (p.wrong[0] != '\0')
        point(&p, why, cap);
    return p.wrong[0] == '\0';
}
