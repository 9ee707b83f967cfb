/* SPDX-License-Identifier: BSD-2-Clause */
/* What the software around an IMS buffer sees: registers, and the rings to read back. */
#include "formats/ims/buf/board.h"
#include "goldwire/cursor.h"

static uint32_t half(uint64_t value, bool upper)
{
    return (uint32_t)(upper ? value >> 32 : value);
}

static uint32_t num_workers(const gw_ims_buf *b)
{
    uint32_t num = 0;
    for (unsigned i = 0; i < GW_IMS_BUF_WORKERS; i++)
        num += b->workers[i].used;
    return num;
}

static uint32_t read_common(const gw_ims_buf *b, uint32_t address)
{
    bool upper = (address & 4) != 0;

    switch (address) {
    case GW_IMS_BUF_REG_ID:
        return GW_IMS_BUF_ID;
    case GW_IMS_BUF_REG_STATUS_QPN:
        return b->setup.status_qpn;
    case GW_IMS_BUF_REG_STATUS_QKEY:
        return b->setup.status_qkey;
    case GW_IMS_BUF_REG_FRAME:
        return b->setup.frame;
    case GW_IMS_BUF_REG_RING:
    case GW_IMS_BUF_REG_RING + 4:
        return half(b->setup.ring, upper);
    case GW_IMS_BUF_REG_VA:
    case GW_IMS_BUF_REG_VA + 4:
        return half(b->setup.va, upper);
    case GW_IMS_BUF_REG_CHANNELS:
        return b->setup.channels;
    case GW_IMS_BUF_REG_WORKERS:
        return num_workers(b);
    case GW_IMS_BUF_REG_DROPPED:
        return b->dropped;
    default:
        return 0;
    }
}

static uint32_t read_channel(const gw_ims_buf_channel *c, uint32_t offset)
{
    bool upper = (offset & 4) != 0;

    switch (offset) {
    case GW_IMS_BUF_REG_QPN:
        return c->qpn;
    case GW_IMS_BUF_REG_RKEY:
        return c->rkey;
    case GW_IMS_BUF_REG_OPEN:
        return c->open;
    case GW_IMS_BUF_REG_INJECT:
        return c->inject;
    case GW_IMS_BUF_REG_READ:
    case GW_IMS_BUF_REG_READ + 4:
        return half(c->read, upper);
    case GW_IMS_BUF_REG_EXPOSE:
        return c->expose;
    case GW_IMS_BUF_REG_DELIVERED:
    case GW_IMS_BUF_REG_DELIVERED + 4:
        return half(c->delivered, upper);
    case GW_IMS_BUF_REG_ACKS:
        return c->acks;
    case GW_IMS_BUF_REG_NACKS:
        return c->nacks;
    case GW_IMS_BUF_REG_CRC:
        return c->crc;
    case GW_IMS_BUF_REG_IMAGES:
        return c->images;
    case GW_IMS_BUF_REG_BAD_IMAGES:
        return c->bad_images;
    default:
        return 0;
    }
}

/* The channel whose registers |address| lies in; NULL for the common ones, and for none. */
static gw_ims_buf_channel *channel_at(gw_ims_buf *b, uint32_t address)
{
    uint32_t number = address / GW_IMS_BUF_CHANNEL;
    return number > 0 && number <= b->setup.channels ? &b->channels[number - 1] : NULL;
}

bool gw_ims_buf_read_register(void *buffer, uint32_t address, uint32_t *value)
{
    gw_ims_buf *b = buffer;
    const gw_ims_buf_channel *c = channel_at(b, address);

    if (address >= GW_IMS_BUF_MEMORY) {
        uint64_t at = address - GW_IMS_BUF_MEMORY;
        *value = gw_load_be32(b->channels[at / b->setup.ring].ring + at % b->setup.ring);
    } else if (c != NULL) {
        *value = read_channel(c, address % GW_IMS_BUF_CHANNEL);
    } else {
        *value = read_common(b, address);
    }
    return true;
}

/* The rings can be read only: what is in them came over the data channels. */
bool gw_ims_buf_write_register(void *buffer, uint32_t address, uint32_t value)
{
    gw_ims_buf *b = buffer;
    gw_ims_buf_channel *c = channel_at(b, address);

    if (c == NULL)
        return address < GW_IMS_BUF_MEMORY;
    switch (address % GW_IMS_BUF_CHANNEL) {
    case GW_IMS_BUF_REG_INJECT:
        c->inject = value & GW_IMS_BUF_INJECTABLE;
        break;
    case GW_IMS_BUF_REG_READ:
        c->read_lower = value & ~(uint32_t)(GW_IMS_ALIGN - 1);
        break;
    case GW_IMS_BUF_REG_READ + 4:
        gw_ims_buf_set_read(b, c, (uint64_t)value << 32 | c->read_lower);
        break;
    case GW_IMS_BUF_REG_EXPOSE:
        c->expose = (value & 1) != 0;
        break;
    default:
        break;
    }
    return true;
}
