/* SPDX-License-Identifier: BSD-2-Clause */
/* Words that an EtherBone message touches. */
#include "replay/compare/access.h"

gw_access_one gw_access_read_of(const gw_eb_layout *layout, const gw_eb_record *record,
                                uint32_t index)
{
    return (gw_access_one){.address = gw_eb_read_addr(layout, record, index),
                           .bytes = layout->data_bytes,
                           .lanes = record->byte_enable,
                           .config = (record->flags & GW_EB_RCA) != 0};
}

gw_access_one gw_access_write_of(const gw_eb_layout *layout, const gw_eb_record *record,
                                 uint32_t index)
{
    uint64_t step = (record->flags & GW_EB_WFF) != 0 ? 0 : layout->data_bytes;
    return (gw_access_one){.address = record->write_base + step * index,
                           .bytes = layout->data_bytes,
                           .lanes = record->byte_enable,
                           .config = (record->flags & GW_EB_WCA) != 0};
}

bool gw_access_answered(gw_access_one *out, const gw_message *request, const gw_dialect *dialect,
                        uint32_t number, uint32_t index)
{
    gw_eb_reader reader;
    gw_eb_record record;
    uint32_t replied = 0;
    bool open = gw_eb_open(&reader, request, dialect);
    while (open && gw_eb_next(&reader, &record)) {
        if (record.rcount == 0 || replied++ != number)
            continue;
        if (index >= record.rcount)
            return false;
        *out = gw_access_read_of(&reader.layout, &record, index);
        return true;
    }
    return false;
}

/* Decodes record |number|. */
static bool find_record(gw_eb_reader *reader, gw_eb_record *record, const gw_message *request,
                        const gw_dialect *dialect, uint32_t number)
{
    if (!gw_eb_open(reader, request, dialect))
        return false;
    for (uint32_t i = 0; gw_eb_next(reader, record); i++) {
        if (i == number)
            return true;
    }
    return false;
}

bool gw_access_read(gw_access_one *out, const gw_message *request, const gw_dialect *dialect,
                    uint32_t number, uint32_t index)
{
    gw_eb_reader reader;
    gw_eb_record record;
    if (!find_record(&reader, &record, request, dialect, number) || index >= record.rcount)
        return false;
    *out = gw_access_read_of(&reader.layout, &record, index);
    return true;
}

bool gw_access_write(gw_access_one *out, const gw_message *request, const gw_dialect *dialect,
                     uint32_t number, uint32_t index)
{
    gw_eb_reader reader;
    gw_eb_record record;
    if (!find_record(&reader, &record, request, dialect, number) || index >= record.wcount)
        return false;
    *out = gw_access_write_of(&reader.layout, &record, index);
    return true;
}
