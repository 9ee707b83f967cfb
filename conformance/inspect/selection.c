/* SPDX-License-Identifier: BSD-2-Clause */
/* Which traffic is whose. */
#include "inspect/selection.h"

#include <stdio.h>
#include <string.h>

#include "goldwire/ib.h"
#include "goldwire/net.h"
#include "goldwire/text.h"
#include "harness/nearest.h"
#include "inspect/endpoint.h"

#define NAME_MAX_LEN 31

void gw_selection_init(gw_selection *s)
{
    memset(s, 0, sizeof *s);
    for (size_t i = 0; i < gw_num_formats; i++) {
        const gw_format *format = gw_formats[i];
        for (size_t k = 0; k < format->num_udp_ports; k++)
            s->udp[format->udp_ports[k]] = (uint8_t)(i + 1);
        for (size_t k = 0; format->stream != NULL && k < format->num_tcp_ports; k++)
            s->tcp[format->tcp_ports[k]] = (uint8_t)(i + 1);
    }
}

/* Appends "; did you mean 'x'?" when one of |names|, NULL at the end, is near. */
static void add_near(gw_text *t, const char *word, const char *const *names)
{
    const char *near = gw_nearest(word, names);

    if (near != NULL) {
        gw_text_str(t, "; did you mean '");
        gw_text_str(t, near);
        gw_text_str(t, "'?");
    }
}

static void add_names(gw_text *t, const char *word, const char *const *names)
{
    add_near(t, word, names);
    gw_text_str(t, " (known:");
    for (; *names != NULL; names++) {
        gw_text_str(t, " ");
        gw_text_str(t, *names);
    }
    gw_text_str(t, ")");
}

const gw_format *gw_format_find(const char *name, char *why, size_t why_cap)
{
    const char *names[GW_SELECTION_DIALECTS + 1] = {NULL};
    const gw_format *format = gw_format_by_name(name);

    if (format != NULL)
        return format;
    for (size_t i = 0; i < gw_num_formats && i < GW_SELECTION_DIALECTS; i++)
        names[i] = gw_formats[i]->name;
    gw_text t = gw_text_over(why, why_cap);
    gw_text_str(&t, "no format '");
    gw_text_str(&t, name);
    gw_text_str(&t, "'");
    add_names(&t, name, names);
    return NULL;
}

bool gw_selection_proto(gw_selection *s, const char *name, char *why, size_t why_cap)
{
    const gw_format *format = gw_format_find(name, why, why_cap);

    if (format == NULL)
        return false;
    s->proto = format;
    return true;
}

/* A name may be several formats', so each format's are listed by themselves. */
static void unknown_dialect(const char *name, char *why, size_t why_cap)
{
    const char *names[GW_SELECTION_DIALECTS + 1] = {NULL};
    size_t num = 0;
    gw_text t = gw_text_over(why, why_cap);

    for (size_t i = 0; i < gw_num_formats; i++) {
        for (size_t k = 0; k < gw_formats[i]->num_dialects && num < GW_SELECTION_DIALECTS; k++)
            names[num++] = gw_formats[i]->dialects[k].name;
    }
    gw_text_str(&t, "no dialect '");
    gw_text_str(&t, name);
    gw_text_str(&t, "'");
    add_near(&t, name, names);
    for (size_t i = 0; i < gw_num_formats; i++) {
        gw_text_str(&t, i == 0 ? " (known of " : "; of ");
        gw_text_str(&t, gw_formats[i]->name);
        gw_text_str(&t, ":");
        for (size_t k = 0; k < gw_formats[i]->num_dialects; k++) {
            gw_text_str(&t, " ");
            gw_text_str(&t, gw_formats[i]->dialects[k].name);
        }
    }
    gw_text_str(&t, ")");
}

bool gw_selection_dialect(gw_selection *s, const char *text, char *why, size_t why_cap)
{
    const char *at = strchr(text, '@');
    size_t len = at != NULL ? (size_t)(at - text) : strlen(text);
    gw_dialect_choice choice = {0};
    char name[NAME_MAX_LEN + 1];
    bool known = false;

    if (len > NAME_MAX_LEN)
        len = NAME_MAX_LEN;
    memcpy(name, text, len);
    name[len] = '\0';
    if (at != NULL && !gw_endpoint_parse(&choice.host, at + 1)) {
        snprintf(why, why_cap,
                 "'%s' is not HOST or HOST:PORT: give an address such as 10.0.0.7:60368 or "
                 "[fe80::1]:60368",
                 at + 1);
        return false;
    }
    for (size_t i = 0; i < gw_num_formats; i++) {
        choice.format = gw_formats[i];
        choice.dialect = gw_dialect_by_name(gw_formats[i], name);
        if (choice.dialect == NULL)
            continue;
        known = true;
        if (s->num_dialects == GW_SELECTION_DIALECTS) {
            snprintf(why, why_cap, "more than %d dialects", GW_SELECTION_DIALECTS);
            return false;
        }
        s->dialects[s->num_dialects++] = choice;
    }
    if (!known)
        unknown_dialect(name, why, why_cap);
    return known;
}

static inline const gw_format *by_port(const uint8_t *table, uint16_t src, uint16_t dst)
{
    unsigned index = table[dst] != 0 ? table[dst] : table[src];
    return index != 0 ? gw_formats[index - 1] : NULL;
}

const gw_format *gw_selection_udp(const gw_selection *s, uint16_t src, uint16_t dst)
{
    const gw_format *format = by_port(s->udp, src, dst);
    return format != NULL ? format : s->proto;
}

const gw_format *gw_selection_tcp(const gw_selection *s, uint16_t src, uint16_t dst)
{
    const gw_format *format = by_port(s->tcp, src, dst);

    if (format != NULL)
        return format;
    return s->proto != NULL && s->proto->stream != NULL ? s->proto : NULL;
}

bool gw_link_is_private(uint32_t link_type)
{
    return link_type >= GW_LINK_USER0 && link_type <= GW_LINK_USER15;
}

const gw_link *gw_selection_link(const gw_selection *s, uint32_t link_type,
                                 const gw_announcement *said, const gw_format **format)
{
    bool is_private = gw_link_is_private(link_type);

    if (!gw_link_is_bare(link_type))
        return NULL;
    const gw_format *told = said != NULL ? said->format : s->proto;
    if (is_private && told != NULL && told->num_links > 0) {
        const gw_link *link = gw_format_link(told, (uint16_t)link_type);
        *format = told;
        return link != NULL ? link : &told->links[0];
    }
    for (size_t i = 0; i < gw_num_formats; i++) {
        const gw_link *link = gw_format_link(gw_formats[i], (uint16_t)link_type);
        *format = gw_formats[i];
        if (link != NULL)
            return link;
    }
    return NULL;
}

static unsigned lid_specificity(const gw_endpoint *wanted, const gw_endpoint *end)
{
    uint32_t qp, its_qp;

    if (gw_ib_endpoint_lid(wanted) != gw_ib_endpoint_lid(end))
        return 0;
    if (!gw_ib_endpoint_qp(wanted, &qp))
        return 2;
    return gw_ib_endpoint_qp(end, &its_qp) && qp == its_qp ? 3 : 0;
}

/* 0: no match; 1: every host; 2: the host; 3: host and port, or LID and queue pair */
static unsigned specificity(const gw_endpoint *wanted, const gw_endpoint *end)
{
    if (wanted->family == GW_FAMILY_NONE)
        return 1;
    if (wanted->family != end->family)
        return 0;
    if (end->family == GW_FAMILY_LID)
        return lid_specificity(wanted, end);
    if (memcmp(wanted->ip, end->ip, sizeof end->ip) != 0)
        return 0;
    if (wanted->port == 0)
        return 2;
    return wanted->port == end->port ? 3 : 0;
}

const gw_dialect *gw_selection_choice(const gw_selection *s, const gw_format *format,
                                      const gw_endpoint *src, const gw_endpoint *dst)
{
    const gw_dialect *best = NULL;
    unsigned best_match = 1;

    for (size_t i = 0; i < s->num_dialects; i++) {
        const gw_dialect_choice *choice = &s->dialects[i];
        if (choice->format != format)
            continue;
        unsigned from = specificity(&choice->host, src);
        unsigned to = specificity(&choice->host, dst);
        unsigned match = from > to ? from : to;
        if (match >= best_match) {
            best = choice->dialect;
            best_match = match;
        }
    }
    return best;
}

const gw_dialect *gw_selection_pick(const gw_selection *s, const gw_format *format,
                                    const gw_endpoint *src, const gw_endpoint *dst)
{
    return gw_selection_pick_said(s, format, NULL, src, dst);
}
