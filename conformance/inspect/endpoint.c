/* SPDX-License-Identifier: BSD-2-Clause */
/* Addresses from text. */
#include "inspect/endpoint.h"

#include <arpa/inet.h>
#include <string.h>

#define HOST_MAX 63

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

bool gw_endpoint_parse(gw_endpoint *out, const char *text)
{
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
