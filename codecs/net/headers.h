/* SPDX-License-Identifier: BSD-2-Clause */
/* Where the fields of the headers beneath a message stand, in bytes, for everybody who reads one.
 */
#ifndef GOLDWIRE_NET_HEADERS_H
#define GOLDWIRE_NET_HEADERS_H

/* Ethernet. */
enum {
    GW_ETHERNET_DST = 0,
    GW_ETHERNET_GROUP = 1, /* in an address's first byte: for more than one station */
};

/* IPv4 (RFC 791), without options. */
enum {
    GW_IPV4_VERSION = 0, /* and the header's length in words */
    GW_IPV4_TOS = 1,
    GW_IPV4_LENGTH = 2,
    GW_IPV4_ID = 4,
    GW_IPV4_FRAGMENT = 6,
    GW_IPV4_TTL = 8,
    GW_IPV4_PROTOCOL = 9,
    GW_IPV4_CHECKSUM = 10,
    GW_IPV4_SRC = 12,
    GW_IPV4_DST = 16,
    GW_IPV4_HEADER = 20,
};

/* UDP (RFC 768). */
enum {
    GW_UDP_SRC = 0,
    GW_UDP_DST = 2,
    GW_UDP_LENGTH = 4,
    GW_UDP_CHECKSUM = 6,
    GW_UDP_HEADER = 8,
};

#endif
