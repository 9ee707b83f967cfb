/* SPDX-License-Identifier: BSD-2-Clause */
/* What a format says of itself, found by name. */
#include "goldwire/format.h"

#include <string.h>

const gw_dialect *gw_dialect_by_name(const gw_format *format, const char *name)
{
    for (size_t i = 0; i < format->num_dialects; i++) {
        if (strcmp(format->dialects[i].name, name) == 0)
            return &format->dialects[i];
    }
    return NULL;
}

const gw_field *gw_format_field(const gw_format *format, const char *name)
{
    for (size_t g = 0; g < format->num_groups; g++) {
        const gw_group *group = format->groups[g];
        for (size_t i = 0; i < group->num_fields; i++) {
            if (strcmp(group->fields[i].name, name) == 0)
                return &group->fields[i];
        }
    }
    return NULL;
}

const gw_link *gw_format_link(const gw_format *format, uint16_t link_type)
{
    for (size_t i = 0; i < format->num_links; i++) {
        if (format->links[i].link_type == link_type)
            return &format->links[i];
    }
    return NULL;
}

static const gw_rule *find_rule(const gw_format *format, const char *id)
{
    for (size_t i = 0; i < format->num_rules; i++) {
        if (strcmp(format->rules[i].id, id) == 0)
            return &format->rules[i];
    }
    return NULL;
}

const gw_rule *gw_format_rule(const gw_format *format, const char *id)
{
    const gw_rule *rule = find_rule(format, id);
    return rule != NULL ? rule : find_rule(&gw_port_format, id);
}

gw_transaction gw_format_transaction(const gw_format *format, const gw_dialect *dialect,
                                     const gw_message *message, gw_access_fn access, void *ctx)
{
    const gw_access_sink sink = {access, ctx};
    return format->transaction(message, dialect, &sink);
}

bool gw_format_same_port(const gw_format *format, const gw_dialect *dialect)
{
    return format != NULL && format->same_port != NULL && format->same_port(dialect);
}

static bool covers(const gw_known_fault *known, const char *which, const char *text)
{
    if (known->which != NULL && (which == NULL || strcmp(known->which, which) != 0))
        return false;
    return known->text == NULL || strstr(text, known->text) != NULL;
}

/* Asked once a finding: where sanitizers look on, a call of strcmp takes longer than all the rest.
 */
GW_WATCHER static bool is_rule(const char *id, const gw_rule *rule)
{
    const char *other = rule->id;

    for (; *id != '\0' && *id == *other; id++)
        other++;
    return *id == *other;
}

const gw_known_fault *gw_dialect_knows(const gw_dialect *dialect, const gw_rule *rule,
                                       const char *which, const char *text)
{
    if (dialect == NULL || dialect->known == NULL)
        return NULL;
    for (const gw_known_fault *known = dialect->known; known->rule != NULL; known++) {
        if (is_rule(known->rule, rule) && covers(known, which, text))
            return known;
    }
    return NULL;
}

bool gw_dialect_waives(const gw_dialect *dialect, const gw_rule *rule)
{
    if (dialect == NULL || dialect->known == NULL)
        return false;
    for (const gw_known_fault *known = dialect->known; known->rule != NULL; known++) {
        if (known->which == NULL && is_rule(known->rule, rule))
            return true;
    }
    return false;
}
