/* SPDX-License-Identifier: BSD-2-Clause */
/* What a capture says of itself. Captures come from anywhere, so nothing in here is believed
 * further than it can be checked. */
#include "goldwire/announce.h"

#include <string.h>

#define PREFIX "goldwire: "

/* A run of characters, not terminated. */
typedef struct word {
    const char *at;
    size_t len;
} word;

static bool is_plain(char c)
{
    return c > ' ' && c <= '~';
}

/* Takes the next word of what is left; empty at the end. */
static word next_word(word *left)
{
    word w = {left->at, 0};

    while (w.len < left->len && is_plain(left->at[w.len]))
        w.len++;
    size_t skip = w.len < left->len && left->at[w.len] == ' ' ? w.len + 1 : w.len;
    left->at += skip;
    left->len -= skip;
    return w;
}

static bool is_word(word w, const char *text)
{
    return strlen(text) == w.len && memcmp(w.at, text, w.len) == 0;
}

/* Splits KEY=VALUE. False when |w| is none. */
static bool split(word w, word *key, word *value)
{
    const char *equals = memchr(w.at, '=', w.len);

    if (equals == NULL)
        return false;
    *key = (word){w.at, (size_t)(equals - w.at)};
    *value = (word){equals + 1, w.len - key->len - 1};
    return true;
}

static void keep_name(char out[GW_ANNOUNCE_NAME], word w)
{
    size_t len = w.len < GW_ANNOUNCE_NAME ? w.len : GW_ANNOUNCE_NAME - 1;

    memcpy(out, w.at, len);
    out[len] = '\0';
}

static void keep_port(gw_announcement *a, word w)
{
    uint32_t port = 0;

    for (size_t i = 0; i < w.len; i++) {
        if (w.at[i] < '0' || w.at[i] > '9')
            return;
        port = port * 10 + (uint32_t)(w.at[i] - '0');
        if (port > UINT16_MAX)
            return;
    }
    if (port != 0 && a->num_ports < GW_ANNOUNCE_PORTS)
        a->ports[a->num_ports++] = (uint16_t)port;
}

static void keep_dialect(gw_announcement *a, word w)
{
    for (size_t i = 0; i < a->format->num_dialects; i++) {
        if (is_word(w, a->format->dialects[i].name))
            a->dialect = &a->format->dialects[i];
    }
}

static void keep_caller(gw_announcement *a, word w)
{
    if (is_word(w, "in"))
        a->caller = GW_DIR_IN;
    else if (is_word(w, "out"))
        a->caller = GW_DIR_OUT;
}

bool gw_announcement_read(gw_announcement *out, const char *text, size_t len)
{
    word left = {text, len < GW_ANNOUNCE_MAX ? len : GW_ANNOUNCE_MAX};
    word key, value;

    memset(out, 0, sizeof *out);
    if (left.len < sizeof PREFIX - 1 || memcmp(text, PREFIX, sizeof PREFIX - 1) != 0)
        return false;
    left.at += sizeof PREFIX - 1;
    left.len -= sizeof PREFIX - 1;
    word name = next_word(&left);
    for (size_t i = 0; i < gw_num_formats; i++) {
        if (is_word(name, gw_formats[i]->name))
            out->format = gw_formats[i];
    }
    if (out->format == NULL)
        return false;
    while (split(next_word(&left), &key, &value)) {
        if (is_word(key, "dialect"))
            keep_dialect(out, value);
        else if (is_word(key, "role"))
            keep_name(out->role, value);
        else if (is_word(key, "link"))
            keep_name(out->link, value);
        else if (is_word(key, "calls"))
            keep_caller(out, value);
        else if (is_word(key, "carrier"))
            out->tunnel = is_word(value, "tunnel");
        else if (is_word(key, "port"))
            keep_port(out, value);
    }
    return true;
}

static void write_name(gw_text *text, const char *key, const char *name)
{
    char one[2] = "_";

    if (name[0] == '\0')
        return;
    gw_text_str(text, key);
    for (; *name != '\0'; name++) {
        one[0] = *name;
        gw_text_str(text, is_plain(*name) ? one : "_");
    }
}

void gw_announcement_write(const gw_announcement *a, gw_text *text)
{
    gw_text_str(text, PREFIX);
    gw_text_str(text, a->format->name);
    write_name(text, " dialect=", a->dialect != NULL ? a->dialect->name : "");
    write_name(text, " role=", a->role);
    write_name(text, " link=", a->link);
    if (a->caller != GW_DIR_UNKNOWN)
        gw_text_str(text, a->caller == GW_DIR_IN ? " calls=in" : " calls=out");
    if (a->tunnel)
        gw_text_str(text, " carrier=tunnel");
    for (size_t i = 0; i < a->num_ports; i++) {
        gw_text_str(text, " port=");
        gw_text_dec(text, a->ports[i]);
    }
}

bool gw_announcement_covers(const gw_announcement *a, uint16_t src, uint16_t dst)
{
    for (size_t i = 0; i < a->num_ports; i++) {
        if (a->ports[i] == src || a->ports[i] == dst)
            return true;
    }
    return a->num_ports == 0;
}

gw_side gw_announcement_side(const gw_announcement *a, unsigned dir)
{
    if (a == NULL || a->caller == GW_DIR_UNKNOWN || dir == GW_DIR_UNKNOWN)
        return GW_SIDE_UNKNOWN;
    return a->caller == dir ? GW_SIDE_CALLER : GW_SIDE_CALLED;
}

void gw_announcement_tell(const gw_announcement *a, gw_message *m)
{
    m->side = (uint8_t)gw_announcement_side(a, m->dir);
    m->tunnel = a != NULL && a->tunnel;
}
