/* SPDX-License-Identifier: BSD-2-Clause */
/* What captures put around frames: ERF records in other files, and Wireshark's exported PDUs. */
#include "goldwire/net.h"

/* ERF (Endace): the header, and the types that are frames of a link type of their own. */
enum {
    ERF_HEADER = 16, /* bytes */
    ERF_TYPE = 8,    /* offset */
    ERF_WIRE_LEN = 14,
    ERF_EXTENSION = 8, /* bytes of one */
    ERF_MORE = 0x80,   /* in a type: an extension follows */
    ERF_ETH = 2,
    ERF_INFINIBAND = 21,
    ERF_IPV4 = 22,
    ERF_IPV6 = 23,
};

/* Tags of an exported PDU (Wireshark's epan/exported_pdu.h). */
enum {
    TAG_END = 0,
    TAG_DISSECTOR_NAME = 12,
};

static const char dissector_infiniband[] = "infiniband";

static gw_net_status fault_at(const gw_cursor *c, const char *text, const char **fault,
                              uint32_t *offset)
{
    *fault = text;
    *offset = gw_cursor_offset(c);
    return GW_NET_TRUNCATED;
}

static gw_net_status erf_record(uint32_t *link_type, gw_cursor *c, uint32_t *len,
                                const char **fault, uint32_t *offset)
{
    const uint8_t *h, *extension;

    if (!gw_cursor_bytes(c, &h, ERF_HEADER))
        return fault_at(c, "ERF record header: 16 bytes expected", fault, offset);
    for (uint8_t more = h[ERF_TYPE] & ERF_MORE; more != 0; more = extension[0] & ERF_MORE) {
        if (!gw_cursor_bytes(c, &extension, ERF_EXTENSION))
            return fault_at(c, "ERF extension header: 8 bytes expected", fault, offset);
    }
    switch (h[ERF_TYPE] & ~ERF_MORE) {
    case ERF_ETH:
        if (!gw_cursor_skip(c, 2))
            return fault_at(c, "ERF Ethernet: 2 bytes of padding expected", fault, offset);
        *link_type = GW_LINK_ETHERNET;
        break;
    case ERF_INFINIBAND:
        *link_type = GW_LINK_INFINIBAND;
        break;
    case ERF_IPV4:
        *link_type = GW_LINK_IPV4;
        break;
    case ERF_IPV6:
        *link_type = GW_LINK_IPV6;
        break;
    default:
        return GW_NET_UNKNOWN_LINK;
    }
    *len = gw_load_be16(h + ERF_WIRE_LEN);
    gw_cursor_bound(c, *len); /* a record is padded */
    return GW_NET_OK;
}

/* A name is padded with zeros. */
static bool is_name(gw_cursor value, const char *name, size_t len)
{
    const uint8_t *p;
    uint8_t behind;

    return gw_cursor_bytes(&value, &p, len) && memcmp(p, name, len) == 0 &&
           (!gw_cursor_u8(&value, &behind) || behind == 0);
}

static gw_net_status exported_pdu(uint32_t *link_type, gw_cursor *c, uint32_t *len,
                                  const char **fault, uint32_t *offset)
{
    const uint8_t *start = c->p;
    uint16_t tag, tag_len;
    gw_cursor value;
    bool known = false;

    for (;;) {
        if (!gw_cursor_be16(c, &tag) || !gw_cursor_be16(c, &tag_len) ||
            !gw_cursor_sub(c, &value, tag_len))
            return fault_at(c, "exported PDU: another tag or the end of tags expected", fault,
                            offset);
        if (tag == TAG_END)
            break;
        if (tag == TAG_DISSECTOR_NAME)
            known = is_name(value, dissector_infiniband, sizeof dissector_infiniband - 1);
    }
    if (!known)
        return GW_NET_UNKNOWN_LINK;
    *link_type = GW_LINK_INFINIBAND;
    *len -= (uint32_t)(c->p - start);
    return GW_NET_OK;
}

gw_net_status gw_net_unwrap(uint32_t *link_type, gw_cursor *frame, uint32_t *len,
                            const char **fault, uint32_t *fault_offset)
{
    gw_cursor c = *frame;
    uint32_t inner = *link_type, inner_len = *len;
    gw_net_status status = GW_NET_UNKNOWN_LINK;

    if (*link_type == GW_LINK_ERF)
        status = erf_record(&inner, &c, &inner_len, fault, fault_offset);
    else if (*link_type == GW_LINK_EXPORTED_PDU)
        status = exported_pdu(&inner, &c, &inner_len, fault, fault_offset);
    if (status != GW_NET_OK)
        return status;
    uint32_t left = (uint32_t)gw_cursor_left(&c);
    *link_type = inner;
    *frame = c;
    *len = inner_len > left ? inner_len : left; /* a broken capture may say less */
    return GW_NET_OK;
}
