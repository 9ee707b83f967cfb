/* SPDX-License-Identifier: BSD-2-Clause */
/* What the EtherBone codec's files share. */
#ifndef ETHERBONE_INTERNAL_H
#define ETHERBONE_INTERNAL_H

#include "core/bits.h"
#include "core/walk.h"
#include "goldwire/etherbone.h"

/* GW_EB_F_MAGIC ... and GW_EB_G_HEADER ..., numbered from etherbone.def */
#define GW_TABLE_DEF "etherbone/etherbone.def"
#define GW_ID(name) GW_EB_##name
#include "core/table_ids.h"
#undef GW_ID
#undef GW_TABLE_DEF

/* GET reads, and PUT writes, field |id| of the flat group at |p|; GET_RUN and PUT_RUN all bits from
 * field |first| to field |last|. */
#define GET_RUN(p, first, last) gw_bits_get_msb0(p, GW_EB_FROM_##first, GW_EB_TO_##last)
#define PUT_RUN(p, first, last, value)                                                             \
    gw_bits_put_msb0(p, GW_EB_FROM_##first, GW_EB_TO_##last, value)
#define GET(p, id) GET_RUN(p, id, id)
#define PUT(p, id, value) PUT_RUN(p, id, id, value)

/* GW_EB_PROBE_LEN is the specification's length of a probe and of its response. */
enum { GW_EB_PROBE_LEN = GW_EB_BYTES_IN_HEADER + GW_EB_BYTES_IN_PROBE };

/* gw_eb_has_magic and gw_eb_is_v1 say whether a packet header, its first two or three bytes at |p|,
 * begins with the magic, and with version 1 behind it. */
static inline bool gw_eb_has_magic(const uint8_t *p)
{
    return GET(p, MAGIC) == GW_EB_MAGIC;
}

static inline bool gw_eb_is_v1(const uint8_t *p)
{
    return gw_eb_has_magic(p) && GET(p, VERSION) == GW_EB_VERSION;
}

/* gw_eb_flags_of and gw_eb_widths_of read gw_eb_header's members from a packet header,
 * gw_eb_probes whether it is that of a probe or of an answer to one. */
static inline uint8_t gw_eb_flags_of(const uint8_t *p)
{
    return (uint8_t)GET_RUN(p, RESERVED, PF);
}

static inline uint8_t gw_eb_widths_of(const uint8_t *p)
{
    return (uint8_t)GET_RUN(p, ADDR_WIDTH, PORT_WIDTH);
}

static inline bool gw_eb_probes(const uint8_t *p)
{
    return (gw_eb_flags_of(p) & (GW_EB_PF | GW_EB_PR)) != 0;
}

/* gw_eb_probe_id reads the id of the probe or response at |p|. */
static inline uint32_t gw_eb_probe_id(const uint8_t *p)
{
    return (uint32_t)GET(p + GW_EB_BYTES_IN_HEADER, PROBE_ID);
}

/* GW_EB_PAIR is a byte of widths; gw_eb_addr_code and gw_eb_port_code are its halves. */
#define GW_EB_PAIR(addr, port) ((addr) << (GW_EB_TO_PORT_WIDTH - GW_EB_TO_ADDR_WIDTH) | (port))

static inline uint8_t gw_eb_addr_code(uint8_t widths)
{
    return widths / GW_EB_PAIR(1, 0);
}

static inline uint8_t gw_eb_port_code(uint8_t widths)
{
    return widths % GW_EB_PAIR(1, 0);
}

/* gw_eb_record_head reads the record header at |p|. */
static inline void gw_eb_record_head(gw_eb_record *out, const gw_eb_layout *layout,
                                     const uint8_t *p)
{
    uint8_t flags = (uint8_t)GET_RUN(p, BCA, RECORD_RESERVED2);

    out->flags = GW_UNLIKELY(layout->mirrored_flags) ? gw_eb_flags_swap(flags) : flags;
    out->byte_enable = (uint8_t)GET(p, BYTE_ENABLE);
    out->wcount = (uint8_t)GET(p, WCOUNT);
    out->rcount = (uint8_t)GET(p, RCOUNT);
    out->padding = layout->record_header > GW_EB_BYTES_IN_RECORD_HEADER
                       ? (uint32_t)GET(p + GW_EB_BYTES_IN_RECORD_HEADER, RECORD_PADDING)
                       : 0;
}

/* gw_eb_headings tells what the places in its documents are headed by. */
extern const gw_heading gw_eb_headings[];

/* gw_eb_groups lists all groups. */
extern const gw_group *const gw_eb_groups[];

/* gw_eb_group returns group GW_EB_G_... */
const gw_group *gw_eb_group(int id);

/* gw_eb_field returns field GW_EB_F_... */
const gw_field *gw_eb_field(int id);

enum {
    GW_EB_NUM_DIALECTS = 4,
    GW_EB_NUM_SERVICE_PORTS = 3,
};

/* How the devices of the dialects are known to break rules. */
extern const gw_known_fault gw_eb_litex_known[];
extern const gw_known_fault gw_eb_gsi_known[];
extern const gw_known_fault gw_eb_libetherbone_known[];

/* gw_eb_same_port serves gw_format. */
bool gw_eb_same_port(const gw_dialect *dialect);

/* gw_eb_dialects lists the dialects, strict first. */
extern const gw_dialect gw_eb_dialects[GW_EB_NUM_DIALECTS];

/* gw_eb_service_ports lists the UDP and TCP ports that EtherBone servers listen on by default. */
extern const uint16_t gw_eb_service_ports[GW_EB_NUM_SERVICE_PORTS];

extern const gw_stream_ops gw_eb_stream;

gw_error gw_eb_walk(const gw_message *message, const gw_dialect *dialect, gw_sink *sink);

bool gw_eb_claims(const gw_message *message);

/* gw_eb_introductions tells who talks EtherBone on its ports. */
extern const gw_introduction_ops gw_eb_introductions;
gw_transaction gw_eb_transaction(const gw_message *message, const gw_dialect *dialect,
                                 const gw_access_sink *accesses);
void gw_eb_summary(const gw_message *message, const gw_dialect *dialect, gw_text *text);

/* gw_eb_role_of_header and gw_eb_role_of_records are the two halves of gw_eb_role_of, for who has
 * opened the message already: |r| and |open| are what gw_eb_open has left. Where the header does
 * not settle the role the first is false, and then it hangs on whether any record |reads|. */
bool gw_eb_role_of_header(const gw_eb_reader *r, bool open, gw_eb_role *role);
gw_eb_role gw_eb_role_of_records(const gw_message *message, bool reads);

/* gw_eb_reads_any says whether a record that is still to come out of |r| reads anything. */
bool gw_eb_reads_any(gw_eb_reader r);

/* gw_eb_is_service_port says whether EtherBone servers listen on |port| by default. */
bool gw_eb_is_service_port(uint16_t port);

/* gw_eb_reads_as_header says whether |m|, a record of a stream, would make a packet header too. */
bool gw_eb_reads_as_header(const gw_message *m);

/* gw_eb_is_second_header says whether a stream names its header again where a record should be. */
static inline bool gw_eb_is_second_header(const gw_message *m)
{
    return m->part == GW_EB_RECORD && m->transport == GW_OVER_TCP && gw_eb_reads_as_header(m);
}

#endif
