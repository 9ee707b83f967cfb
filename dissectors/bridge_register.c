/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables to header fields and expert infos, once at start-up. Everything registered stays in the
 * epan scope, because Wireshark keeps pointers into it. */
#include "bridge.h"

#include <string.h>

#include <epan/tfs.h>
#include <epan/wmem_scopes.h>

#include "objects.h"
#include "stats/stats.h"

#ifndef PI_DISSECTOR_BUG
#define PI_DISSECTOR_BUG PI_MALFORMED
#endif

#define EPAN_NEW(type, num) ((type *)wmem_alloc0(wmem_epan_scope(), (num) * sizeof(type)))

/* A display filter compares values of one name, so all fields of a name must be stored alike: when
 * one of them may need 64 bits all do. */
static bool name_is_wide(const gw_format *format, const char *name)
{
    for (size_t g = 0; g < format->num_groups; g++) {
        const gw_group *group = format->groups[g];
        for (size_t f = 0; f < group->num_fields; f++) {
            const gw_field *field = &group->fields[f];
            if (strcmp(field->name, name) == 0 && (field->bits == 0 || field->num_bytes > 4))
                return true;
        }
    }
    return false;
}

static enum ftenum number_type(const gw_format *format, const gw_field *field)
{
    static const enum ftenum by_bytes[] = {FT_UINT64, FT_UINT8,  FT_UINT16, FT_UINT24, FT_UINT32,
                                           FT_UINT40, FT_UINT48, FT_UINT56, FT_UINT64};

    if (field->num_bytes > 4 || !name_is_wide(format, field->name))
        return by_bytes[field->num_bytes <= 8 ? field->num_bytes : 0];
    return FT_UINT64;
}

static bool is_64_bit(enum ftenum type)
{
    return type == FT_UINT40 || type == FT_UINT48 || type == FT_UINT56 || type == FT_UINT64;
}

static size_t count_values(const gw_value_name *values)
{
    size_t num = 0;

    while (values[num].name != NULL)
        num++;
    return num;
}

static const void *value_strings(const gw_value_name *values)
{
    size_t num = count_values(values);
    value_string *out = EPAN_NEW(value_string, num + 1);

    for (size_t i = 0; i < num; i++) {
        out[i].value = (uint32_t)values[i].value;
        out[i].strptr = values[i].name;
    }
    return VALS(out);
}

static const void *value_strings_64(const gw_value_name *values)
{
    size_t num = count_values(values);
    val64_string *out = EPAN_NEW(val64_string, num + 1);

    for (size_t i = 0; i < num; i++) {
        out[i].value = values[i].value;
        out[i].strptr = values[i].name;
    }
    return VALS64(out);
}

static const void *flag_strings(const gw_value_name *values)
{
    true_false_string *out = EPAN_NEW(true_false_string, 1);

    out->true_string = "Set";
    out->false_string = "Not set";
    for (; values->name != NULL; values++) {
        if (values->value == 1)
            out->true_string = values->name;
        else if (values->value == 0)
            out->false_string = values->name;
    }
    return TFS(out);
}

static uint64_t word_mask(unsigned num_bytes)
{
    return num_bytes >= 8 ? UINT64_MAX : ((uint64_t)1 << (8 * num_bytes)) - 1;
}

static void describe_number(header_field_info *info, const gw_format *format, const gw_field *field)
{
    info->type = number_type(format, field);
    info->display = field->base == GW_HEX ? BASE_HEX : BASE_DEC;
    if (field->values == NULL)
        return;
    info->display |= BASE_SPECIAL_VALS;
    if (is_64_bit(info->type)) {
        info->display |= BASE_VAL64_STRING;
        info->strings = value_strings_64(field->values);
    } else {
        info->strings = value_strings(field->values);
    }
}

static void describe_flag(header_field_info *info, const gw_field *field)
{
    info->type = FT_BOOLEAN;
    info->display = 8 * field->num_bytes;
    info->strings = field->values != NULL ? flag_strings(field->values) : TFS(&tfs_set_notset);
}

static void describe_field(hf_register_info *reg, const gw_format *format, const gw_field *field)
{
    header_field_info info = {.name = field->label,
                              .abbrev = field->name,
                              .blurb =
                                  wmem_strdup_printf(wmem_epan_scope(), "%s (%s)", field->blurb,
                                                     gw_clause_of(format, field->clause).text),
                              HFILL};

    if (field->type == GW_BYTES) {
        info.type = FT_BYTES;
        info.display = field->use == GW_DATA ? BASE_SHOW_ASCII_PRINTABLE : BASE_NONE;
    } else if (field->type == GW_BOOL) {
        describe_flag(&info, field);
    } else if (field->base == GW_IPV4) {
        info.type = FT_IPv4;
        info.display = BASE_NONE;
    } else {
        describe_number(&info, format, field);
    }
    if (field->bits != 0 && field->type != GW_BYTES && field->base != GW_IPV4) {
        uint64_t mask = field->mask << field->shift;
        if (mask != word_mask(field->num_bytes))
            info.bitmask = mask;
    }
    reg->hfinfo = info;
}

static void register_fields(gw_ws_bridge *b)
{
    const gw_format *format = b->format;
    size_t num = 0;
    for (size_t g = 0; g < format->num_groups; g++)
        num += format->groups[g]->num_fields;

    hf_register_info *regs = EPAN_NEW(hf_register_info, num);
    b->hf = EPAN_NEW(int, num);
    b->first = EPAN_NEW(uint16_t, format->num_groups);

    size_t place = 0;
    for (size_t g = 0; g < format->num_groups; g++) {
        const gw_group *group = format->groups[g];
        b->first[g] = (uint16_t)place;
        for (size_t f = 0; f < group->num_fields; f++, place++) {
            b->hf[place] = -1;
            regs[place].p_id = &b->hf[place];
            describe_field(&regs[place], format, &group->fields[f]);
        }
    }
    proto_register_field_array(b->proto, regs, (int)num);
}

static void register_containers(gw_ws_bridge *b)
{
    const gw_format *format = b->format;
    hf_register_info *regs = EPAN_NEW(hf_register_info, format->num_groups);
    int **etts = EPAN_NEW(int *, format->num_groups + 2);
    int num_regs = 0;
    int num_etts = 0;

    b->hf_container = EPAN_NEW(int, format->num_groups);
    b->ett_container = EPAN_NEW(int, format->num_groups);
    b->ett = b->ett_fold = -1;
    etts[num_etts++] = &b->ett;
    etts[num_etts++] = &b->ett_fold;
    for (size_t g = 0; g < format->num_groups; g++) {
        const gw_group *group = format->groups[g];
        b->hf_container[g] = -1;
        b->ett_container[g] = -1;
        if (group->shape != GW_CONTAINER)
            continue;
        etts[num_etts++] = &b->ett_container[g];
        regs[num_regs].p_id = &b->hf_container[g];
        regs[num_regs].hfinfo = (header_field_info){
            .name = group->label,
            .abbrev = wmem_strdup_printf(wmem_epan_scope(), "%s.%s", format->name, group->segment),
            .type = FT_NONE,
            .display = BASE_NONE,
            .blurb = NULL,
            HFILL};
        num_regs++;
    }
    proto_register_field_array(b->proto, regs, num_regs);
    proto_register_subtree_array(etts, num_etts);
}

static int severity_of(const gw_rule *rule)
{
    switch (rule->level) {
    case GW_MUST:
        return PI_ERROR;
    case GW_SHOULD:
        return PI_WARN;
    default:
        return PI_NOTE;
    }
}

static void describe_expert(ei_register_info *reg, expert_field *id, const char *name, int group,
                            int severity, const char *summary)
{
    id->ei = EI_INIT_EI;
    id->hf = EI_INIT_HF;
    reg->ids = id;
    reg->eiinfo = (expert_field_info){name, group, severity, summary, EXPFILL};
}

static void register_rules(gw_ws_bridge *b)
{
    static const struct {
        const char *name;
        int group;
        int severity;
        const char *summary;
    } kinds[GW_WS_NUM_KINDS] = {
        [GW_WS_TRUNCATED] = {"truncated", PI_MALFORMED, PI_ERROR, "The message ends too early"},
        [GW_WS_MALFORMED] = {"malformed", PI_MALFORMED, PI_ERROR, "The format is broken"},
        [GW_WS_UNSUPPORTED] = {"unsupported", PI_UNDECODED, PI_WARN,
                               "Beyond what the decoder can follow"},
        [GW_WS_BUG] = {"bug", PI_DISSECTOR_BUG, PI_ERROR, "A fault in goldwire itself"},
        [GW_WS_CAPTURE_CUT] = {"capture_cut", PI_UNDECODED, PI_NOTE,
                               "The capture cut the message short"},
        [GW_WS_WAIVED] = {"waived", PI_PROTOCOL, PI_CHAT,
                          "A departure that the dialect is known for"},
    };
    const gw_format *format = b->format;
    ei_register_info *regs = EPAN_NEW(ei_register_info, format->num_rules + GW_WS_NUM_KINDS);

    b->rules = EPAN_NEW(expert_field, format->num_rules);
    for (size_t r = 0; r < format->num_rules; r++) {
        const gw_rule *rule = &format->rules[r];
        char *name = wmem_strdup_printf(wmem_epan_scope(), "%s.%s", format->name, rule->id);
        char *summary = wmem_strdup_printf(wmem_epan_scope(), "%s %s: %s (%s)", rule->id,
                                           gw_level_name(rule->level), rule->text,
                                           gw_clause_of(format, rule->clause).text);
        for (char *c = name; *c != '\0'; c++)
            *c = g_ascii_tolower(*c);
        describe_expert(&regs[r], &b->rules[r], name, PI_PROTOCOL, severity_of(rule), summary);
    }
    for (size_t k = 0; k < GW_WS_NUM_KINDS; k++) {
        char *name = wmem_strdup_printf(wmem_epan_scope(), "%s.%s", format->name, kinds[k].name);
        describe_expert(&regs[format->num_rules + k], &b->kinds[k], name, kinds[k].group,
                        kinds[k].severity, kinds[k].summary);
    }
    expert_register_field_array(expert_register_protocol(b->proto), regs,
                                (int)(format->num_rules + GW_WS_NUM_KINDS));
}

void gw_ws_bridge_register(gw_ws_bridge *bridge, const gw_format *format, const char *column,
                           gw_ws_stop_fn stop)
{
    bridge->format = format;
    bridge->column = column;
    bridge->told = EPAN_NEW(unsigned, 1);
    bridge->stop = stop;
    bridge->proto = proto_register_protocol(format->title, column, format->name);
    register_fields(bridge);
    register_containers(bridge);
    register_rules(bridge);
    bridge->tap = gw_ws_stats_register(format, bridge->proto);
    bridge->objects = gw_ws_objects_register(bridge);
}

int gw_ws_bridge_group(const gw_ws_bridge *bridge, const gw_group *group)
{
    for (size_t g = 0; g < bridge->format->num_groups; g++) {
        if (bridge->format->groups[g] == group)
            return (int)g;
    }
    return -1;
}
