/* SPDX-License-Identifier: BSD-2-Clause */
/* One line for people: "Sub-event 0x1234 RU 1 -> 0x5 buffer 0, 128 B, step 7". */
#include "goldwire/text.h"
#include "l1farm/internal.h"

static void number(gw_text *t, const char *before, uint64_t value)
{
    gw_text_str(t, before);
    gw_text_dec(t, value);
}

static void hex(gw_text *t, const char *before, uint64_t value)
{
    gw_text_str(t, before);
    gw_text_hex(t, value, 1);
}

static void named(gw_text *t, int field, uint64_t value)
{
    const char *name = gw_field_value_name(gw_l1_field(field), value);

    if (name != NULL)
        gw_text_str(t, name);
    else
        gw_text_dec(t, value);
}

static void packet(gw_text *t, const gw_l1_sci *s, const gw_l1_profile *profile)
{
    if (s->kind != GW_L1_SCI_SEND && s->kind != GW_L1_SCI_IS_ECHO) {
        gw_text_str(t, s->kind == GW_L1_SCI_IS_SPECIAL ? "SCI special packet"
                       : s->kind == GW_L1_SCI_IDLE     ? "SCI idle symbols"
                                                       : "SCI packet of no known length");
        return;
    }
    if (!gw_l1_sci_has_head(s)) {
        gw_text_str(t, s->kind == GW_L1_SCI_IS_ECHO ? "SCI echo" : "SCI send packet");
        return;
    }
    const char *block = gw_l1_block_name(s, profile);

    gw_text_str(t, "SCI ");
    if (s->kind == GW_L1_SCI_IS_ECHO)
        gw_text_str(t, "echo");
    else if (block != NULL)
        gw_text_str(t, block);
    else
        hex(t, "send ", s->command & (profile->layout ? profile->command_mask : 0xffff));
    hex(t, " ", s->source);
    hex(t, " -> ", s->target);
    number(t, " tid ", gw_l1_tid(s));
    if (s->kind == GW_L1_SCI_IS_ECHO)
        return;
    hex(t, " @ ", s->addr);
    number(t, ", ", s->data_len);
    gw_text_str(t, " B");
    if (profile->judge_crc && s->has_crc && s->crc != s->crc_expected)
        gw_text_str(t, ", CRC bad");
}

static void tag(gw_text *t, const gw_l1_unit *u)
{
    if (u->u.tag.status == GW_L1_TAG_FATAL) {
        hex(t, "Tag beyond correction, word ", u->word);
        return;
    }
    hex(t, "Tag for ", u->u.tag.dest);
    if (u->u.tag.status == GW_L1_TAG_CORRECTED)
        number(t, ", corrected bit ", u->u.tag.bit);
}

static void edge(gw_text *t, const gw_l1_edge *e)
{
    named(t, GW_L1_F_EDGE_LINE, e->line);
    gw_text_str(t, " ");
    named(t, GW_L1_F_EDGE_EDGE, e->edge);
    number(t, ", RU ", e->ru);
}

static void result(gw_text *t, const char *what, const gw_l1_result *r)
{
    gw_text_str(t, what);
    hex(t, " of ", r->tag_id);
    hex(t, " by node ", r->node_id);
    number(t, ", status ", r->status);
    number(t, ", ", r->nallok);
    number(t, " of ", r->ntries);
}

static void access(gw_text *t, const gw_l1_register *r)
{
    gw_text_str(t, r->op == GW_L1_READ ? "Read " : r->op == GW_L1_WRITE ? "Write " : "Value of ");
    const char *name = gw_field_value_name(gw_l1_field(GW_L1_F_REG_OFFSET), r->offset);
    if (r->bar == 0 && name != NULL) {
        gw_text_str(t, name);
    } else {
        number(t, "BAR", r->bar);
        hex(t, " ", r->offset);
    }
    if (r->has_value)
        hex(t, " = ", r->value);
}

static void where(gw_text *t, const gw_l1_unit *u)
{
    if (u->has_shim) {
        hex(t, " ", u->shim.event);
        number(t, " RU ", u->shim.ru);
        hex(t, " -> ", u->shim.dest);
        number(t, " buffer ", u->shim.buffer);
        number(t, ", ", u->data_len);
        number(t, " B, step ", u->shim.step);
        return;
    }
    hex(t, " @ ", u->memory.address);
    hex(t, " node ", u->memory.node);
    number(t, ", ", u->data_len);
    gw_text_str(t, " B");
}

static void notice(gw_text *t, const gw_l1_shim *s)
{
    gw_text_str(t, s->kind == GW_L1_KIND_FREE      ? "Released"
                   : s->kind == GW_L1_KIND_TIMEOUT ? "Time-out"
                   : s->kind == GW_L1_KIND_LISTEN  ? "Listening"
                                                   : "Entered");
    hex(t, " ", s->event);
    hex(t, " node ", s->dest);
    number(t, " buffer ", s->buffer);
    number(t, ", step ", s->step);
}

static void trace(gw_text *t, const gw_l1_unit *u, gw_cursor clocks)
{
    gw_l1_traced packet_found;
    unsigned num = 0;

    while (gw_l1_trace_read(&packet_found, &clocks))
        num++;
    number(t, "SCI trace, ", u->data_len / GW_L1_CLOCK);
    number(t, " clocks, ", num);
    gw_text_str(t, num == 1 ? " packet" : " packets");
}

static void unit(gw_text *t, const gw_l1_unit *u, const gw_message *message,
                 const gw_l1_profile *profile)
{
    switch (u->has) {
    case GW_L1_HAS_WORDS:
    case GW_L1_HAS_RU:
        gw_text_str(t, u->has_shim ? "Sub-event" : "Event data");
        where(t, u);
        return;
    case GW_L1_HAS_SCI:
        packet(t, &u->u.sci, profile);
        return;
    case GW_L1_HAS_TRACE:
        trace(t, u, gw_l1_data(message, u));
        return;
    case GW_L1_HAS_TAG:
        tag(t, u);
        return;
    case GW_L1_HAS_EDGE:
        edge(t, &u->u.edge);
        return;
    case GW_L1_HAS_RESULT:
        result(t, u->has_shim && u->shim.kind == GW_L1_KIND_DECISION ? "Decision" : "Result",
               &u->u.result);
        return;
    case GW_L1_HAS_REGISTER:
        access(t, &u->u.reg);
        return;
    case GW_L1_HAS_DESCRIPTORS:
        number(t, "Descriptors, ", u->data_len / GW_L1_DESCRIPTOR);
        return;
    case GW_L1_HAS_ODE:
        number(t, "ODE block, ", gw_l1_ode_clusters(u->data_len));
        gw_text_str(t, " clusters");
        return;
    case GW_L1_HAS_DATA:
        gw_text_str(t, u->has_shim ? "Part of sub-event" : "Data");
        where(t, u);
        return;
    case GW_L1_HAS_NOTICE:
        notice(t, &u->shim);
        return;
    default:
        gw_text_str(t, "Level-1 farm");
        return;
    }
}

void gw_l1_summary(const gw_message *message, const gw_dialect *dialect, gw_text *t)
{
    gw_l1_unit u;
    gw_error error = gw_l1_decode(&u, message, dialect);

    unit(t, &u, message, gw_l1_profile_of(dialect));
    gw_text_end(t, &error);
}
