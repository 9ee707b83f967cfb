/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which dialect speaks at which address and port. */
#include "dialects.h"

#include <string.h>

#include <epan/packet.h>
#include <epan/uat.h>
#include <epan/wmem_scopes.h>
#include <wsutil/inet_addr.h>
#include <wsutil/str_util.h>

#include "announced.h"

#define MAX_DIALECTS 15

/* A line of the table, as the user wrote it and as it is compared. */
typedef struct dialect_line {
    char *host;       /* address, or empty for any */
    uint32_t port;    /* 0 for any */
    uint32_t dialect; /* place in the format's list */
    gw_endpoint end;  /* of |host|; no family for any */
} dialect_line;

struct gw_ws_dialects {
    const gw_format *format;
    value_string names[MAX_DIALECTS + 1];
    int default_dialect;
    dialect_line *lines;
    unsigned num_lines;
};

UAT_CSTRING_CB_DEF(lines, host, dialect_line)
UAT_DEC_CB_DEF(lines, port, dialect_line)
UAT_VS_DEF(lines, dialect, dialect_line, uint32_t, 0, "strict")

static bool parse_host(const char *host, gw_endpoint *out)
{
    *out = (gw_endpoint){0};
    if (host == NULL || *host == '\0' || strcmp(host, "*") == 0)
        return true;
    if (ws_inet_pton4(host, (ws_in4_addr *)(void *)out->ip)) {
        out->family = GW_FAMILY_IPV4;
        return true;
    }
    if (ws_inet_pton6(host, (ws_in6_addr *)(void *)out->ip)) {
        out->family = GW_FAMILY_IPV6;
        return true;
    }
    return false;
}

static void *line_copy(void *to, const void *from, size_t len)
{
    dialect_line *out = (dialect_line *)to;
    (void)len;

    *out = *(const dialect_line *)from;
    out->host = g_strdup(out->host);
    return out;
}

static gw_ws_table_bool line_update(void *record, char **error)
{
    dialect_line *line = (dialect_line *)record;

    if (!parse_host(line->host, &line->end)) {
        *error = g_strdup_printf("\"%s\" is not an IPv4 or IPv6 address; leave it empty for any",
                                 line->host);
        return FALSE;
    }
    if (line->port > UINT16_MAX) {
        *error = g_strdup_printf("Port %u is above 65535; use 0 for any", line->port);
        return FALSE;
    }
    return TRUE;
}

static void line_free(void *record)
{
    g_free(((dialect_line *)record)->host);
}

static bool line_fits(const dialect_line *line, const gw_endpoint *end)
{
    if (line->port != 0 && line->port != end->port)
        return false;
    return line->end.family == GW_FAMILY_NONE ||
           (line->end.family == end->family && memcmp(line->end.ip, end->ip, sizeof end->ip) == 0);
}

const gw_dialect *gw_ws_dialect_for(const gw_ws_dialects *d, packet_info *pinfo,
                                    const gw_endpoint *src, const gw_endpoint *dst)
{
    gw_announcement said;

    for (unsigned i = 0; i < d->num_lines; i++) {
        if (line_fits(&d->lines[i], src) || line_fits(&d->lines[i], dst))
            return &d->format->dialects[d->lines[i].dialect];
    }
    if (pinfo != NULL && gw_ws_announced(&said, pinfo) && said.format == d->format &&
        said.dialect != NULL)
        return said.dialect;
    return &d->format->dialects[d->default_dialect];
}

static void register_table(gw_ws_dialects *d, module_t *module)
{
    uat_field_t fields[] = {
        UAT_FLD_CSTRING(lines, host, "Address",
                        "IPv4 or IPv6 address of the device; empty for any"),
        UAT_FLD_DEC(lines, port, "Port", "UDP or TCP port of the device; 0 for any"),
        UAT_FLD_VS(lines, dialect, "Dialect", d->names, "How the device speaks"), UAT_END_FIELDS};
    /* The table keeps a pointer to them. */
    uat_field_t *kept = (uat_field_t *)wmem_memdup(wmem_epan_scope(), fields, sizeof fields);
    char *file = wmem_strdup_printf(wmem_epan_scope(), "goldwire_%s_dialects", d->format->name);
    uat_t *uat = uat_new("Dialects by address and port", sizeof(dialect_line), file, TRUE,
                         (void *)&d->lines, &d->num_lines, UAT_AFFECTS_DISSECTION, NULL, line_copy,
                         line_update, line_free, NULL, NULL, kept);

    prefs_register_uat_preference(module, "dialects", "Dialect table",
                                  "Devices that depart from the specification, by address and port",
                                  uat);
}

gw_ws_dialects *gw_ws_dialects_register(module_t *module, const gw_format *format)
{
    gw_ws_dialects *d = wmem_new0(wmem_epan_scope(), gw_ws_dialects);
    size_t num = format->num_dialects < MAX_DIALECTS ? format->num_dialects : MAX_DIALECTS;
    enum_val_t *choices = wmem_alloc0_array(wmem_epan_scope(), enum_val_t, num + 1);
    wmem_strbuf_t *help = wmem_strbuf_new(
        wmem_epan_scope(), "How a device speaks that the dialect table does not list");

    d->format = format;
    for (size_t i = 0; i < num; i++) {
        d->names[i] = (value_string){(uint32_t)i, format->dialects[i].name};
        choices[i] = (enum_val_t){format->dialects[i].name, format->dialects[i].name, (int)i};
        wmem_strbuf_append_printf(help, "\n%s: %s", format->dialects[i].name,
                                  format->dialects[i].blurb);
    }
    prefs_register_enum_preference(module, "dialect", "Default dialect", wmem_strbuf_get_str(help),
                                   &d->default_dialect, choices, FALSE);
    register_table(d, module);
    return d;
}
