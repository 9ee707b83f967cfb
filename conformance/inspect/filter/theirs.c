/* SPDX-License-Identifier: BSD-2-Clause */
/* Names that mean something in Wireshark, and nothing in a message by itself: what the plugin adds
 * to it, and other protocols. */
#include <string.h>

#include "inspect/filter/names.h"

/* What the plugin puts behind a format's name, beside its fields and rules: what came of a message
 * in its conversation, and where it lies. A test holds this to the plugin. */
static const char *const added[] = {
    "addr",         "ambiguous",   "bug",           "capture_cut",
    "conversation", "dst",         "duplicate",     "duplicate_of",
    "forwarded_in", "forwards",    "link.",         "lost_before",
    "malformed",    "note.",       "object.",       "register",
    "response_in",  "response_to", "response_time", "src",
    "stale",        "truncated",   "unanswered",    "stale_response_to",
    "unsolicited",  "unsupported", "untracked",     "waived",
};

static const char *const protocols[] = {
    "_ws",        "arp", "col",  "erf",    "eth", "exported_pdu", "icmp", "icmpv6",
    "infiniband", "ip",  "ipv6", "rocev2", "sll", "tcp",          "udp",  "vlan"};

/* Whether |name| is |whole|; or begins with it, when it ends with a dot. */
static bool fits(const char *name, const char *whole)
{
    const size_t len = strlen(whole);

    return whole[len - 1] == '.' ? strncmp(name, whole, len) == 0 : strcmp(name, whole) == 0;
}

/* What stands behind |first| and its dot in |name|; "" when |first| is all; NULL when it is another
 * word. */
static const char *behind(const char *name, const char *first)
{
    const size_t len = strlen(first);

    if (strncmp(name, first, len) != 0 || (name[len] != '.' && name[len] != '\0'))
        return NULL;
    return name[len] == '.' ? name + len + 1 : "";
}

/* Whether |rest| is the id of a rule in small letters. */
static bool is_rule(const gw_format *format, const char *rest)
{
    char id[GW_FILTER_NAME];
    size_t n = 0;

    for (; rest[n] != '\0' && n + 1 < sizeof id; n++) {
        if (rest[n] >= 'A' && rest[n] <= 'Z')
            return false;
        id[n] = rest[n];
        if (id[n] >= 'a' && id[n] <= 'z')
            id[n] = (char)(id[n] - 'a' + 'A');
    }
    id[n] = '\0';
    return rest[n] == '\0' && gw_format_rule(format, id) != NULL;
}

static bool of_format(const gw_format *format, const char *rest)
{
    for (size_t i = 0; i < GW_ARRAY_LEN(added); i++) {
        if (fits(rest, added[i]))
            return true;
    }
    return is_rule(format, rest);
}

bool gw_filter_is_theirs(const char *name)
{
    for (size_t i = 0; i < GW_ARRAY_LEN(protocols); i++) {
        if (behind(name, protocols[i]) != NULL)
            return true;
    }
    for (size_t i = 0; i < gw_num_formats; i++) {
        const char *rest = behind(name, gw_formats[i]->name);
        if (rest != NULL && of_format(gw_formats[i], rest))
            return true;
    }
    return false;
}
