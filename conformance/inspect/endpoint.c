/* SPDX-License-Identifier: BSD-2-Clause */
/* Addresses from text. */
#include "inspect/endpoint.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "goldwire/ib.h"

#define HOST_MAX 63

static const char lid_prefix[] = "lid:", qp_prefix[] = "/qp:";

static bool parse_port(uint16_t *out, const char *text)
{
    uint32_t port = 0;

    if (*text == '\0')
        return false;
    for (; *text != '\0'; text++) {
        if (*text < '0' || *text > '9')
            return false;
        port = port * 10 + (uint32_t)(*text - '0');
        if (port > UINT16_MAX)
            return false;
    }
    *out = (uint16_t)port;
    return true;
}

/* Where the port's colon stands, or NULL: a bare IPv6 address has several and no port. */
static const char *port_colon(const char *text)
{
    if (text[0] == '[') {
        const char *end = strchr(text, ']');
        return end != NULL && end[1] == ':' ? end + 1 : NULL;
    }
    const char *colon = strchr(text, ':');
    return colon != NULL && strchr(colon + 1, ':') == NULL ? colon : NULL;
}

/* A number of at most |max|, decimal or 0x...; *|text| moves behind it. */
static bool parse_number(uint32_t *out, const char **text, uint32_t max)
{
    char *end;

    if (**text < '0' || **text > '9')
        return false;
    errno = 0;
    unsigned long number = strtoul(*text, &end, 0);
    *text = end;
    *out = (uint32_t)number;
    return errno == 0 && number <= max;
}

/* lid:0x11 or lid:0x11/qp:0x412 */
static bool parse_lid(gw_endpoint *out, const char *text)
{
    uint32_t lid, qp;

    text += sizeof lid_prefix - 1;
    if (!parse_number(&lid, &text, UINT16_MAX))
        return false;
    gw_endpoint end = gw_ib_lid_endpoint((uint16_t)lid);
    if (*text == '\0') {
        *out = end;
        return true;
    }
    if (strncmp(text, qp_prefix, sizeof qp_prefix - 1) != 0)
        return false;
    text += sizeof qp_prefix - 1;
    if (!parse_number(&qp, &text, GW_IB_NUMBER_MASK) || *text != '\0')
        return false;
    gw_ib_endpoint_set_qp(&end, qp);
    *out = end;
    return true;
}

bool gw_endpoint_parse(gw_endpoint *out, const char *text)
{
    if (strncmp(text, lid_prefix, sizeof lid_prefix - 1) == 0)
        return parse_lid(out, text);
    const char *colon = port_colon(text);
    size_t len = colon != NULL ? (size_t)(colon - text) : strlen(text);
    gw_endpoint end = {0};
    char host[HOST_MAX + 1];

    if (text[0] == '[' && len >= 2 && text[len - 1] == ']') {
        text++;
        len -= 2;
        end.family = GW_FAMILY_IPV6;
    }
    if (len > HOST_MAX)
        return false;
    memcpy(host, text, len);
    host[len] = '\0';

    if (end.family == GW_FAMILY_NONE && inet_pton(AF_INET, host, end.ip) == 1)
        end.family = GW_FAMILY_IPV4;
    else if (inet_pton(AF_INET6, host, end.ip) == 1)
        end.family = GW_FAMILY_IPV6;
    else
        return false;
    if (colon != NULL && !parse_port(&end.port, colon + 1))
        return false;
    *out = end;
    return true;
}
