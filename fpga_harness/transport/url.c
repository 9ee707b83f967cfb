/* SPDX-License-Identifier: BSD-2-Clause */
/* Transport URLs. */
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include "goldwire/ib.h"
#include "harness/nearest.h"
#include "harness/sim.h"
#include "harness/transport.h"

#define DEFAULT_QKEY UINT32_C(0x11111111) /* that of the software IMS Worker */
#define DEFAULT_ROOM (UINT64_C(64) << 20) /* two frames of 32 MiB */
#define MAX_ROOM (UINT64_C(1) << 32)

#define IMPAIRMENTS                                                                                \
    "loss", "reorder", "duplicate", "corrupt", "rtt", "delay", "jitter", "outage", "mtu", "seed"

static const char *const schemes[] = {"udp", "tcp", "roce", "raw", "ib", "sim", "peer", NULL};
static const char *const socket_options[] = {"local", IMPAIRMENTS, NULL};
static const char *const raw_options[] = {"to", "local", "vlan", "pcp", "over", IMPAIRMENTS, NULL};
static const char *const ib_options[] = {"to", "gid", "sl", "data-sl", "qkey", "room", NULL};
static const char *const sim_options[] = {"port",  "to",    "local", "over",
                                          "valid", "ready", "seed",  NULL};
static const char *const peer_options[] = {"mutant",        "dialect",      "via",       "over",
                                           "random-memory", "registers-at", "hurry",     "vlan",
                                           "pcp",           "ip",           IMPAIRMENTS, NULL};

/* A piece of the URL's text. */
typedef struct piece {
    const char *p;
    size_t len;
} piece;

static bool is_word(const char *const *words, piece word)
{
    for (; *words != NULL; words++) {
        if (strlen(*words) == word.len && memcmp(*words, word.p, word.len) == 0)
            return true;
    }
    return false;
}

static bool equals(piece a, const char *b)
{
    return a.len == strlen(b) && memcmp(a.p, b, a.len) == 0;
}

static bool copy(char *out, size_t cap, piece from)
{
    if (from.len >= cap)
        return false;
    memcpy(out, from.p, from.len);
    out[from.len] = '\0';
    return true;
}

/* Everything before the first of |stops|; |rest| goes on behind it, or is empty. */
static piece cut(piece *rest, const char *stops)
{
    piece head = {rest->p, 0};
    while (head.len < rest->len && strchr(stops, rest->p[head.len]) == NULL)
        head.len++;
    size_t used = head.len < rest->len ? head.len + 1 : head.len;
    rest->p += used;
    rest->len -= used;
    return head;
}

static bool read_port(uint16_t *out, piece text)
{
    uint32_t value = 0;
    if (text.len == 0 || text.len > 5)
        return false;
    for (size_t i = 0; i < text.len; i++) {
        if (text.p[i] < '0' || text.p[i] > '9')
            return false;
        value = value * 10 + (uint32_t)(text.p[i] - '0');
    }
    if (value > UINT16_MAX)
        return false;
    *out = (uint16_t)value;
    return true;
}

/* The decimal digits of |text|, as many as fit 64 bits. */
static bool read_number(uint64_t *out, piece text)
{
    uint64_t value = 0;
    if (text.len == 0 || text.len > 19)
        return false;
    for (size_t i = 0; i < text.len; i++) {
        if (text.p[i] < '0' || text.p[i] > '9')
            return false;
        value = value * 10 + (uint64_t)(text.p[i] - '0');
    }
    *out = value;
    return true;
}

/* 0, 1, or a fraction with at most nine digits, exactly. */
static bool read_share(uint32_t *out, piece text)
{
    uint64_t whole = 0;
    uint64_t part = 0;
    piece digits = text;
    piece head = cut(&digits, ".");
    bool fraction = head.len < text.len;
    if (!read_number(&whole, head) || whole > 1 || digits.len > 9 ||
        (fraction && !read_number(&part, digits)))
        return false;
    for (size_t i = digits.len; i < 9; i++)
        part *= 10;
    *out = (uint32_t)(whole * GW_IMPAIR_SCALE + part);
    return *out <= GW_IMPAIR_SCALE;
}

/* HOST:PORT or [IPV6]:PORT. */
static bool read_host_port(char *host, size_t host_cap, uint16_t *port, piece text, char *why,
                           size_t why_cap)
{
    piece name;
    piece rest = text;
    if (text.len > 0 && text.p[0] == '[') {
        rest.p++;
        rest.len--;
        name = cut(&rest, "]");
        if (name.p + name.len == text.p + text.len || rest.len == 0 || rest.p[0] != ':') {
            snprintf(why, why_cap, "'%.*s': an IPv6 address is written [ADDRESS]:PORT",
                     (int)text.len, text.p);
            return false;
        }
        rest.p++;
        rest.len--;
    } else {
        name = cut(&rest, ":");
        if (memchr(rest.p, ':', rest.len) != NULL) {
            snprintf(why, why_cap, "'%.*s': an IPv6 address goes in brackets: [::1]:PORT",
                     (int)text.len, text.p);
            return false;
        }
    }
    if (name.len == 0) {
        snprintf(why, why_cap, "'%.*s' has no host: write HOST:PORT", (int)text.len, text.p);
        return false;
    }
    if (!copy(host, host_cap, name)) {
        snprintf(why, why_cap, "the host '%.40s...' is too long", name.p);
        return false;
    }
    if (!read_port(port, rest)) {
        snprintf(why, why_cap, "'%.*s' is no port (0 to 65535) in '%.*s': write HOST:PORT",
                 (int)rest.len, rest.p, (int)text.len, text.p);
        return false;
    }
    return true;
}

static bool bad_option(piece name, piece scheme, const char *const *known, char *why,
                       size_t why_cap)
{
    char word[64] = "";
    const char *near = copy(word, sizeof(word), name) ? gw_nearest(word, known) : NULL;
    snprintf(why, why_cap, "%.*s: has no option '%.*s'%s%s%s", (int)scheme.len, scheme.p,
             (int)name.len, name.p, near != NULL ? "; did you mean '" : "",
             near != NULL ? near : "", near != NULL ? "'?" : "");
    return false;
}

/* A time with its unit: 20ms, 1.5s; to the nanosecond. */
static bool read_duration(int64_t *out, piece text)
{
    static const struct {
        const char *name;
        uint32_t ns;
    } units[] = {{"ns", 1}, {"us", 1000}, {"ms", 1000000}, {"s", 1000000000}};
    size_t digits = 0;
    while (digits < text.len && strchr("0123456789.", text.p[digits]) != NULL)
        digits++;
    piece unit = {text.p + digits, text.len - digits};
    piece part = {text.p, digits};
    piece whole = cut(&part, ".");
    uint64_t number = 0;
    uint64_t fraction = 0;
    if (!read_number(&number, whole) || number > (uint64_t)GW_IMPAIR_TIME_MAX || part.len > 9 ||
        (whole.len < digits && !read_number(&fraction, part)))
        return false;
    for (size_t i = part.len; i < 9; i++)
        fraction *= 10;
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        if (!equals(unit, units[i].name))
            continue;
        if (number > (uint64_t)GW_IMPAIR_TIME_MAX / units[i].ns)
            return false;
        *out = (int64_t)(number * units[i].ns + fraction * units[i].ns / GW_IMPAIR_SCALE);
        return true;
    }
    *out = 0;
    return digits == text.len && number == 0 && fraction == 0; /* nothing needs no unit */
}

static bool read_time(gw_impairment *out, piece name, piece value, char *why, size_t why_cap)
{
    int64_t ns = 0;
    if (!read_duration(&ns, value)) {
        (void)snprintf(why, why_cap, "%.*s=%.*s: a time of at most an hour is expected, say 20ms",
                       (int)name.len, name.p, (int)value.len, value.p);
        return false;
    }
    if (equals(name, "jitter"))
        out->jitter_ns = ns;
    else
        out->delay_ns = equals(name, "rtt") ? ns / 2 : ns;
    return true;
}

/* FROM+FOR */
static bool read_outage(gw_impairment *out, piece value, char *why, size_t why_cap)
{
    piece length = value;
    piece from = cut(&length, "+");
    if (read_duration(&out->outage_from_ns, from) && read_duration(&out->outage_ns, length))
        return true;
    (void)snprintf(why, why_cap,
                   "outage=%.*s: when it begins and how long it lasts is expected, say 2s+3s",
                   (int)value.len, value.p);
    return false;
}

static bool read_mtu(gw_impairment *out, piece value, char *why, size_t why_cap)
{
    uint64_t mtu = 0;
    if (!read_number(&mtu, value) || mtu < GW_IMPAIR_MTU_MIN || mtu > GW_IMPAIR_MAX - 1) {
        (void)snprintf(why, why_cap, "mtu=%.*s: bytes of an IP packet are expected, %d to %d",
                       (int)value.len, value.p, GW_IMPAIR_MTU_MIN, GW_IMPAIR_MAX - 1);
        return false;
    }
    out->mtu = (uint32_t)mtu;
    return true;
}

static bool read_impairment(gw_impairment *out, piece name, piece value, char *why, size_t why_cap)
{
    if (equals(name, "rtt") || equals(name, "delay") || equals(name, "jitter"))
        return read_time(out, name, value, why, why_cap);
    if (equals(name, "outage"))
        return read_outage(out, value, why, why_cap);
    if (equals(name, "mtu"))
        return read_mtu(out, value, why, why_cap);
    if (equals(name, "seed")) {
        if (read_number(&out->seed, value))
            return true;
        (void)snprintf(why, why_cap, "seed=%.*s: a decimal number is expected", (int)value.len,
                       value.p);
        return false;
    }
    uint32_t *share = equals(name, "loss")        ? &out->loss
                      : equals(name, "reorder")   ? &out->reorder
                      : equals(name, "duplicate") ? &out->duplicate
                                                  : &out->corrupt;
    if (read_share(share, value))
        return true;
    (void)snprintf(why, why_cap, "%.*s=%.*s: a share of 0 to 1 is expected, say 0.05",
                   (int)name.len, name.p, (int)value.len, value.p);
    return false;
}

/* A number, decimal or with 0x, of at most |max|. */
static bool read_number_to(uint64_t *out, piece text, uint64_t max)
{
    if (text.len < 3 || text.p[0] != '0' || (text.p[1] != 'x' && text.p[1] != 'X'))
        return read_number(out, text) && *out <= max;
    *out = 0;
    for (size_t i = 2; i < text.len; i++) {
        const char *digits = "0123456789abcdef";
        const char *digit = strchr(digits, text.p[i] | 0x20);
        if (digit == NULL || *out > UINT64_MAX >> 4)
            return false;
        *out = *out << 4 | (uint64_t)(digit - digits);
    }
    return *out <= max;
}

/* Where a software board differs from another of its kind: in what its memory starts with, and
 * where its registers are. */
static bool read_layout(gw_url *url, piece name, piece value, char *why, size_t why_cap)
{
    bool memory = equals(name, "random-memory");
    uint64_t number = 0;
    bool fits = read_number_to(&number, value, memory ? UINT64_MAX : UINT32_MAX);
    if (!fits || (!memory && number % 8 != 0)) {
        (void)snprintf(why, why_cap, "%.*s=%.*s: %s is expected", (int)name.len, name.p,
                       (int)value.len, value.p,
                       memory ? "a number, the seed," : "an address that is a multiple of 8");
        return false;
    }
    if (memory) {
        url->random_memory = true;
        url->memory_seed = number;
    } else {
        url->registers_at = (uint32_t)number;
    }
    return true;
}

/* How many times as fast as usual a software board gives up waiting by itself. */
static bool read_hurry(gw_url *url, piece value, char *why, size_t why_cap)
{
    uint64_t number = 0;
    if (!read_number_to(&number, value, GW_HURRY_MAX) || number == 0) {
        (void)snprintf(why, why_cap, "hurry=%.*s: a number of 1 to %d is expected", (int)value.len,
                       value.p, GW_HURRY_MAX);
        return false;
    }
    url->hurry = (uint32_t)number;
    return true;
}

static bool read_ib_option(gw_ib_options *options, piece name, piece value, char *why,
                           size_t why_cap)
{
    enum { MAX_GID = 255, MAX_SL = 15 };
    uint64_t number = 0;
    if (equals(name, "to")) {
        if (value.len > 0 && copy(options->to, sizeof(options->to), value))
            return true;
        (void)snprintf(why, why_cap, "to=%.*s: an address, or lid:NUMBER, is expected",
                       (int)value.len, value.p);
        return false;
    }
    uint64_t max = equals(name, "gid")    ? MAX_GID
                   : equals(name, "room") ? MAX_ROOM
                   : equals(name, "qkey") ? UINT32_MAX
                                          : MAX_SL;
    if (!read_number_to(&number, value, max)) {
        (void)snprintf(why, why_cap, "%.*s=%.*s: a number of 0 to %llu is expected", (int)name.len,
                       name.p, (int)value.len, value.p, (unsigned long long)max);
        return false;
    }
    if (equals(name, "gid"))
        options->gid = (int)number;
    else if (equals(name, "room"))
        options->room = number;
    else if (equals(name, "qkey"))
        options->qkey = (uint32_t)number;
    else if (equals(name, "sl"))
        options->sl = (uint8_t)number;
    else
        options->data_sl = (uint8_t)number;
    return true;
}

/* A.B.C.D[:PORT] */
static bool read_ipv4(gw_endpoint *out, piece name, piece text, char *why, size_t why_cap)
{
    gw_endpoint end = {.family = GW_FAMILY_IPV4};
    piece port = text;
    piece rest = cut(&port, ":");
    bool has_port = rest.len < text.len;
    bool ok = true;
    for (size_t i = 0; i < 4 && ok; i++) {
        uint64_t octet = 0;
        bool last = i == 3;
        piece digits = last ? rest : cut(&rest, ".");
        ok = digits.len <= 3 && read_number(&octet, digits) && octet <= UINT8_MAX;
        end.ip[i] = (uint8_t)octet;
    }
    if (ok && (!has_port || read_port(&end.port, port))) {
        *out = end;
        return true;
    }
    (void)snprintf(why, why_cap, "%.*s=%.*s: an IPv4 address is expected, A.B.C.D or A.B.C.D:PORT",
                   (int)name.len, name.p, (int)text.len, text.p);
    return false;
}

/* [ADDRESS], [ADDRESS]:PORT; a link-local one may name the interface that it is on: that of |url|.
 */
static bool read_ipv6(gw_endpoint *out, const gw_url *url, piece name, piece text, char *why,
                      size_t why_cap)
{
    gw_endpoint end = {.family = GW_FAMILY_IPV6};
    char ip[INET6_ADDRSTRLEN];
    piece port = {text.p + 1, text.len - 1};
    piece scope = cut(&port, "]");
    bool closed = scope.len + 1 < text.len;
    piece address = cut(&scope, "%");
    if (!closed || !copy(ip, sizeof(ip), address) || inet_pton(AF_INET6, ip, end.ip) != 1 ||
        (port.len > 0 &&
         (port.p[0] != ':' || !read_port(&end.port, (piece){port.p + 1, port.len - 1})))) {
        (void)snprintf(why, why_cap,
                       "%.*s=%.*s: an IPv6 address is expected, [ADDRESS] or [ADDRESS]:PORT",
                       (int)name.len, name.p, (int)text.len, text.p);
        return false;
    }
    if (scope.len > 0 && !equals(scope, url->host)) {
        (void)snprintf(why, why_cap, "%.*s=%.*s: that is on another interface than %s",
                       (int)name.len, name.p, (int)text.len, text.p, url->host);
        return false;
    }
    *out = end;
    return true;
}

/* An end of a raw:// or sim:// URL. */
static bool read_station(gw_url *url, piece name, piece text, char *why, size_t why_cap)
{
    gw_endpoint *out = equals(name, "to") ? &url->raw.to : &url->raw.local;
    if (gw_url_is(url, "raw") && text.len > 0 && text.p[0] == '[')
        return read_ipv6(out, url, name, text, why, why_cap);
    return read_ipv4(out, name, text, why, why_cap);
}

/* ID or OUTER.INNER */
static bool read_vlan(gw_vlan *out, piece value, char *why, size_t why_cap)
{
    piece rest = value;
    out->num = 0;
    do {
        uint64_t id = 0;
        piece digits = cut(&rest, ".");
        bool fits =
            out->num < GW_VLAN_TAGS && read_number(&id, digits) && id >= 1 && id <= GW_VLAN_ID_MAX;
        if (!fits) {
            (void)snprintf(why, why_cap,
                           "vlan=%.*s: an ID of 1 to %d is expected, or two, OUTER.INNER",
                           (int)value.len, value.p, GW_VLAN_ID_MAX);
            return false;
        }
        out->ids[out->num++] = (uint16_t)id;
    } while (rest.len > 0 || value.p[value.len - 1] == '.');
    return true;
}

/* What frames are like, of raw:// and of a board of ours on an Ethernet. */
static bool read_framing(gw_raw_options *way, piece name, piece value, char *why, size_t why_cap)
{
    uint64_t number = 0;
    if (equals(name, "vlan"))
        return read_vlan(&way->vlan, value, why, why_cap);
    if (equals(name, "ip")) {
        way->ipv6 = equals(value, "6");
        if (!way->ipv6 && !equals(value, "4"))
            (void)snprintf(why, why_cap, "ip=%.*s: ip=4 and ip=6 are known", (int)value.len,
                           value.p);
        return way->ipv6 || equals(value, "4");
    }
    if (!read_number(&number, value) || number > GW_VLAN_PCP_MAX) {
        (void)snprintf(why, why_cap, "pcp=%.*s: a priority of 0 to %d is expected", (int)value.len,
                       value.p, GW_VLAN_PCP_MAX);
        return false;
    }
    way->vlan.pcp = (uint8_t)number;
    return true;
}

/* HOST:PORT; of RoCEv2, which has a port of its own, that need not be said. */
static bool read_end(const gw_url *url, char *host, uint16_t *port, piece end, char *why,
                     size_t why_cap)
{
    char text[sizeof(url->host) + 16];
    bool has_port = end.len > 0 && end.p[0] != '[' && memchr(end.p, ':', end.len) != NULL;
    if (end.len > 0 && end.p[0] == '[')
        has_port = end.p[end.len - 1] != ']';
    if (!gw_url_is(url, "roce") || has_port || end.len == 0 || end.len >= sizeof(url->host))
        return read_host_port(host, sizeof(url->host), port, end, why, why_cap);
    int len = snprintf(text, sizeof(text), "%.*s:%u", (int)end.len, end.p, GW_ROCE_PORT);
    return read_host_port(host, sizeof(url->host), port, (piece){text, (size_t)len}, why, why_cap);
}

/* always, never, 1/4 (one cycle of four, or N/M), or a share of the cycles, by chance. */
static bool read_handshake(gw_handshake *out, piece name, piece value, char *why, size_t why_cap)
{
    uint64_t on = equals(value, "never") ? 0 : 1;
    uint64_t of = 1;
    piece period = value;
    piece first = cut(&period, "/");
    bool fits = equals(value, "never") || equals(value, "always");
    if (!fits && first.len < value.len) {
        fits = read_number(&on, first) && read_number(&of, period) && on >= 1 && on <= of &&
               of <= GW_HANDSHAKE_MAX;
    } else if (!fits) {
        on = of = 0;
        fits = read_share(&out->share, value) && out->share > 0;
    }
    if (!fits)
        (void)snprintf(why, why_cap,
                       "%.*s=%.*s: always, never, N/M (in N of M cycles, M at most %d) or a share "
                       "of the cycles, say 0.25, is expected",
                       (int)name.len, name.p, (int)value.len, value.p, GW_HANDSHAKE_MAX);
    out->told = fits;
    out->on = (uint32_t)on;
    out->of = (uint32_t)of;
    return fits;
}

/* Which port of a testbench, and what goes over it. */
static bool read_simulated(gw_url *url, piece name, piece value, char *why, size_t why_cap)
{
    if (equals(name, "port")) {
        if (read_port(&url->port, value) && url->port < GW_SIM_PORTS)
            return true;
        (void)snprintf(why, why_cap, "port=%.*s: a testbench has ports 0 to %d", (int)value.len,
                       value.p, GW_SIM_PORTS - 1);
        return false;
    }
    if (!equals(name, "over"))
        return read_handshake(equals(name, "valid") ? &url->valid : &url->ready, name, value, why,
                              why_cap);
    url->over_apelink = equals(value, "apelink");
    if (!url->over_apelink)
        (void)snprintf(why, why_cap,
                       "over=%.*s: of a simulated port only over=apelink has to be said",
                       (int)value.len, value.p);
    return url->over_apelink;
}

static bool read_option(gw_url *url, piece scheme, piece name, piece value, char *why,
                        size_t why_cap)
{
    static const char *const impairments[] = {IMPAIRMENTS, NULL};
    const char *const *known = equals(scheme, "peer")  ? peer_options
                               : equals(scheme, "raw") ? raw_options
                               : equals(scheme, "ib")  ? ib_options
                               : equals(scheme, "sim") ? sim_options
                                                       : socket_options;
    if (!is_word(known, name))
        return bad_option(name, scheme, known, why, why_cap);
    if (known == sim_options && (equals(name, "port") || equals(name, "over") ||
                                 equals(name, "valid") || equals(name, "ready")))
        return read_simulated(url, name, value, why, why_cap);
    if (known == ib_options)
        return read_ib_option(&url->ib, name, value, why, why_cap);
    if (is_word(impairments, name))
        return read_impairment(&url->impairment, name, value, why, why_cap);
    if (equals(name, "vlan") || equals(name, "pcp") || equals(name, "ip"))
        return read_framing(&url->raw, name, value, why, why_cap);
    if (known == raw_options && equals(name, "over")) {
        url->raw.tcp = equals(value, "tcp");
        if (!url->raw.tcp && !equals(value, "udp"))
            (void)snprintf(why, why_cap, "over=%.*s: over=udp and over=tcp are known",
                           (int)value.len, value.p);
        return url->raw.tcp || equals(value, "udp");
    }
    if (known == raw_options || known == sim_options)
        return read_station(url, name, value, why, why_cap);
    if (equals(name, "local"))
        return read_end(url, url->local_host, &url->local_port, value, why, why_cap);
    if (equals(name, "via")) {
        url->via_mem = equals(value, "mem");
        if (!url->via_mem)
            snprintf(why, why_cap, "via=%.*s: only via=mem is known", (int)value.len, value.p);
        return url->via_mem;
    }
    if (equals(name, "over")) {
        url->over_tcp = equals(value, "tcp");
        url->raw.tcp = equals(value, "raw-tcp");
        url->over_raw = url->raw.tcp || equals(value, "raw");
        if (!url->over_tcp && !url->over_raw && !equals(value, "udp")) {
            snprintf(why, why_cap,
                     "over=%.*s: over=udp, over=tcp, over=raw and over=raw-tcp are known",
                     (int)value.len, value.p);
            return false;
        }
        return true;
    }
    if (equals(name, "random-memory") || equals(name, "registers-at"))
        return read_layout(url, name, value, why, why_cap);
    if (equals(name, "hurry"))
        return read_hurry(url, value, why, why_cap);
    bool mutant = equals(name, "mutant");
    bool fits = mutant ? copy(url->mutant, sizeof(url->mutant), value)
                       : copy(url->dialect, sizeof(url->dialect), value);
    if (value.len == 0 || !fits) {
        snprintf(why, why_cap, "'%.*s' is no name of a %s", (int)value.len, value.p,
                 mutant ? "mutant" : "dialect");
        return false;
    }
    return true;
}

static bool read_options(gw_url *url, piece scheme, piece rest, char *why, size_t why_cap)
{
    while (rest.len > 0) {
        piece value = cut(&rest, "&");
        piece name = cut(&value, "=");
        if (!read_option(url, scheme, name, value, why, why_cap))
            return false;
    }
    return true;
}

/* DEVICE[/PORT] */
static bool read_adapter(gw_url *url, piece target, char *why, size_t why_cap)
{
    piece port = target;
    piece device = cut(&port, "/");
    uint64_t number = 1;
    bool has_port = device.len < target.len;
    url->ib = (gw_ib_options){.gid = -1, .data_sl = 1, .qkey = DEFAULT_QKEY, .room = DEFAULT_ROOM};
    if (device.len == 0 || !copy(url->host, sizeof(url->host), device)) {
        (void)snprintf(why, why_cap, "'ib://%.*s' has no adapter: write ib://DEVICE[/PORT]",
                       (int)target.len, target.p);
        return false;
    }
    if (has_port && (!read_number(&number, port) || number < 1 || number > UINT8_MAX)) {
        (void)snprintf(why, why_cap, "'%.*s' is no port of an adapter (1 to 255)", (int)port.len,
                       port.p);
        return false;
    }
    url->port = (uint16_t)number;
    return true;
}

/* INTERFACE */
static bool read_interface(gw_url *url, piece target, char *why, size_t why_cap)
{
    if (target.len > 0 && memchr(target.p, ':', target.len) == NULL &&
        copy(url->host, sizeof(url->host), target))
        return true;
    (void)snprintf(why, why_cap,
                   "'raw://%.*s' names no interface: write raw://INTERFACE?to=IP:PORT",
                   (int)target.len, target.p);
    return false;
}

static bool read_place(gw_url *url, piece target, char *why, size_t why_cap)
{
    if (gw_url_is(url, "raw"))
        return read_interface(url, target, why, why_cap);
    if (gw_url_is(url, "ib"))
        return read_adapter(url, target, why, why_cap);
    if (gw_url_is(url, "sim")) {
        if (target.len > 0 && copy(url->host, sizeof(url->host), target))
            return true;
        (void)snprintf(why, why_cap,
                       "sim:// names no simulation: write sim://NAME, or sim://NAME?port=N");
        return false;
    }
    return read_end(url, url->host, &url->port, target, why, why_cap);
}

/* Options that say nothing without another. */
static bool check_framing(const gw_url *url, char *why, size_t why_cap)
{
    const gw_raw_options *way = &url->raw;
    if (way->vlan.pcp != 0 && way->vlan.num == 0)
        (void)snprintf(why, why_cap, "pcp=%u: a priority stands in a VLAN tag: say vlan=ID as well",
                       way->vlan.pcp);
    else if (gw_url_is(url, "peer") && !url->over_raw && (way->vlan.num > 0 || way->ipv6))
        (void)snprintf(why, why_cap, "peer:%s: vlan= and ip=6 are of over=raw", url->host);
    else if (way->to.family != GW_FAMILY_NONE && way->local.family != GW_FAMILY_NONE &&
             way->to.family != way->local.family)
        (void)snprintf(why, why_cap, "%s://%s: to= and local= are an IPv4 and an IPv6 address",
                       url->scheme, url->host);
    else
        return true;
    return false;
}

static bool read_target(gw_url *url, piece rest, char *why, size_t why_cap)
{
    piece target = cut(&rest, "?");
    piece scheme = {url->scheme, strlen(url->scheme)};
    if (gw_url_is(url, "peer")) {
        if (target.len == 0 || !copy(url->host, sizeof(url->host), target)) {
            snprintf(why, why_cap, "peer: wants a role, say peer:etherbone-slave");
            return false;
        }
    } else {
        if (target.len < 2 || memcmp(target.p, "//", 2) != 0) {
            snprintf(why, why_cap, "'%s:%.*s': write %s://HOST:PORT", url->scheme, (int)target.len,
                     target.p, url->scheme);
            return false;
        }
        target.p += 2;
        target.len -= 2;
        if (target.len > 0 && target.p[target.len - 1] == '/')
            target.len--;
        if (!read_place(url, target, why, why_cap))
            return false;
        url->has_port = true;
    }
    if (!read_options(url, scheme, rest, why, why_cap))
        return false;
    if (!check_framing(url, why, why_cap))
        return false;
    if (gw_url_is(url, "ib") && url->ib.to[0] == '\0') {
        (void)snprintf(why, why_cap,
                       "ib://%s: say where the other side is: ?to=ADDRESS, or ?to=lid:NUMBER",
                       url->host);
        return false;
    }
    return true;
}

bool gw_url_parse(gw_url *out, const char *text, char *why, size_t why_cap)
{
    memset(out, 0, sizeof(*out));
    piece rest = {text, strlen(text)};
    for (size_t i = 0; i < rest.len; i++) {
        if ((unsigned char)text[i] <= ' ' || text[i] == 0x7f) {
            snprintf(why, why_cap, "a URL has no spaces or control characters (position %zu)",
                     i + 1);
            return false;
        }
    }
    if (memchr(rest.p, ':', rest.len) == NULL) {
        snprintf(why, why_cap,
                 "'%s' is no URL: write udp://HOST:PORT, tcp://HOST:PORT or peer:ROLE", text);
        return false;
    }
    piece scheme = cut(&rest, ":");
    if (!copy(out->scheme, sizeof(out->scheme), scheme) || !is_word(schemes, scheme)) {
        const char *near = gw_nearest(out->scheme, schemes);
        snprintf(why, why_cap,
                 "unknown scheme '%.*s:'; %s%s%sknown: udp: tcp: roce: raw: ib: sim: peer:",
                 (int)scheme.len, scheme.p, near != NULL ? "did you mean '" : "",
                 near != NULL ? near : "", near != NULL ? ":'? " : "");
        return false;
    }
    return read_target(out, rest, why, why_cap);
}

bool gw_url_is(const gw_url *url, const char *scheme)
{
    return strcmp(url->scheme, scheme) == 0;
}
