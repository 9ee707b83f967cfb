/* SPDX-License-Identifier: BSD-2-Clause */
/* From a message to a struct. */
#include <string.h>

#include "l1farm/internal.h"

/* What the walk stops at; a test holds the two to one answer. */
static void ignore(gw_sink *sink, const gw_item *item)
{
    (void)sink;
    (void)item;
}

/* The bytes behind the headers: at most |limit| of them. */
static gw_cursor rest(gw_l1_unit *out, const gw_cursor *c, uint32_t limit)
{
    gw_cursor body = *c;

    if (gw_cursor_left(&body) > limit)
        body.end = body.p + limit;
    out->data = body.p;
    out->data_len = (uint32_t)gw_cursor_left(&body);
    out->data_offset = gw_cursor_offset(&body);
    return body;
}

/* |len| bytes are due from here on. */
static void take_record(gw_l1_unit *out, gw_cursor c, uint32_t len, const gw_l1_profile *profile)
{
    const uint8_t *p;

    if (!gw_cursor_bytes(&c, &p, GW_L1_SCI_RECORD) || p[0] != 1 || p[1] > GW_L1_SCI_UNKNOWN)
        return;
    out->has = GW_L1_HAS_SCI;
    out->u.sci.kind = p[1];
    out->u.sci.flags = p[2];
    out->u.sci.ringlet = p[3];
    gw_l1_sci_read(&out->u.sci, c.p, (uint32_t)gw_cursor_left(&c), len - GW_L1_SCI_RECORD, profile);
}

static void take_tag(gw_l1_unit *out, gw_cursor c, const gw_l1_profile *profile)
{
    if (!gw_cursor_be32(&c, &out->word))
        return;
    out->has = GW_L1_HAS_TAG;
    out->u.tag = gw_l1_tag_decode(out->word, (gw_l1_code)profile->code);
}

static void take_edge(gw_l1_unit *out, gw_cursor c)
{
    gw_l1_edge e;

    if (!gw_cursor_u8(&c, &e.line) || !gw_cursor_u8(&c, &e.edge) || !gw_cursor_be16(&c, &e.ru))
        return;
    out->has = GW_L1_HAS_EDGE;
    out->u.edge = e;
}

static void take_result(gw_l1_unit *out, gw_cursor c)
{
    const uint8_t *p;

    if (!gw_cursor_bytes(&c, &p, GW_L1_RESULT))
        return;
    out->has = GW_L1_HAS_RESULT;
    out->u.result = gw_l1_get_result(p);
}

static void take_register(gw_l1_unit *out, gw_cursor c)
{
    gw_l1_register r = {0};

    if (!gw_cursor_u8(&c, &r.bar) || !gw_cursor_u8(&c, &r.op) || !gw_cursor_be16(&c, &r.offset))
        return;
    r.has_value = r.op != GW_L1_READ && gw_cursor_be32(&c, &r.value);
    out->has = GW_L1_HAS_REGISTER;
    out->u.reg = r;
}

static void take_kind(gw_l1_unit *out, gw_cursor c, const gw_l1_profile *profile)
{
    switch (out->shim.kind) {
    case GW_L1_KIND_SUBEVENT:
        out->has = profile->ode ? GW_L1_HAS_RU : GW_L1_HAS_WORDS;
        return;
    case GW_L1_KIND_TAG:
        take_tag(out, c, profile);
        return;
    case GW_L1_KIND_EDGE:
        take_edge(out, c);
        return;
    case GW_L1_KIND_RESULT:
    case GW_L1_KIND_DECISION:
        take_result(out, c);
        return;
    case GW_L1_KIND_SCI:
        take_record(out, c, out->shim.length, profile);
        return;
    case GW_L1_KIND_REGISTER:
        take_register(out, c);
        return;
    case GW_L1_KIND_DESCRIPTORS:
        out->has = GW_L1_HAS_DESCRIPTORS;
        return;
    case GW_L1_KIND_ODE:
        out->has = GW_L1_HAS_ODE;
        return;
    case GW_L1_KIND_FREE:
    case GW_L1_KIND_TIMEOUT:
    case GW_L1_KIND_ENTERED:
    case GW_L1_KIND_LISTEN:
        out->has = GW_L1_HAS_NOTICE;
        return;
    default:
        return;
    }
}

static void take_tunnel(gw_l1_unit *out, gw_cursor c, const gw_l1_profile *profile)
{
    const uint8_t *p;

    if (!gw_cursor_bytes(&c, &p, GW_L1_SHIM) || p[0] != 'L' || p[1] != '1')
        return;
    out->has_shim = true;
    out->shim = gw_l1_get_shim(p);
    if (out->shim.version != 1)
        return;
    gw_cursor body = rest(out, &c, out->shim.length);
    if (out->shim.little || !gw_l1_is_image(out->shim.kind, profile))
        take_kind(out, body, profile);
}

static void take_memory(gw_l1_unit *out, gw_cursor c, const gw_l1_profile *profile)
{
    const uint8_t *p;

    if (!gw_cursor_bytes(&c, &p, GW_L1_MEMORY_HEADER))
        return;
    out->has_memory = true;
    out->memory.address = gw_load_be64(p);
    out->memory.length = gw_load_be32(p + 8);
    out->memory.node = gw_load_be16(p + 12);
    out->memory.direction = p[14];
    gw_cursor body = rest(out, &c, out->memory.length);
    if (out->memory.length == GW_L1_RESULT)
        take_result(out, body);
    else if (profile->ode)
        out->has = GW_L1_HAS_RU;
    else
        out->has = out->memory.length % GW_L1_WORD == 0 ? GW_L1_HAS_WORDS : GW_L1_HAS_DATA;
}

static void take_tagnet(gw_l1_unit *out, gw_cursor c, const gw_l1_profile *profile)
{
    uint8_t kind;

    if (!gw_cursor_u8(&c, &kind))
        return;
    c = rest(out, &c, UINT32_MAX);
    if (kind == 0)
        take_edge(out, c);
    else if (kind == 1)
        take_tag(out, c, profile);
}

gw_error gw_l1_decode(gw_l1_unit *out, const gw_message *m, const gw_dialect *dialect)
{
    const gw_l1_profile *profile = gw_l1_profile_of(dialect);
    gw_cursor c = gw_cursor_over(m->data, m->cap_len);
    gw_sink nobody = {.item = ignore};

    memset(out, 0, sizeof *out);
    (void)rest(out, &c, m->cap_len);
    switch (m->part) {
    case GW_L1_SCI:
        take_record(out, c, m->len, profile);
        break;
    case GW_L1_TRACE:
        out->has = GW_L1_HAS_TRACE;
        break;
    case GW_L1_TAGNET:
        take_tagnet(out, c, profile);
        break;
    case GW_L1_MEMORY:
        take_memory(out, c, profile);
        break;
    default:
        take_tunnel(out, c, profile);
        break;
    }
    return gw_l1_walk(m, dialect, &nobody);
}
