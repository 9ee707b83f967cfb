/* SPDX-License-Identifier: BSD-2-Clause */
/* Which of a message's numbers are addresses, and what lies there. */
#include "names/message.h"

#include <string.h>

#include "goldwire/etherbone.h"

#define SHOWN 3 /* names in a summary */

bool gw_message_names_of(gw_message_names *names, gw_name_map *file, gw_board_names *boards,
                         const gw_message *message, const gw_dialect *dialect)
{
    *names = (gw_message_names){.file = file};
    if (boards != NULL)
        names->board = gw_board_names_of(boards, &message->dst);
    if ((file == NULL || file->num == 0) && names->board == NULL)
        return false;
    gw_eb_role role = gw_eb_role_of(message, dialect);
    return role == GW_EB_REQUEST || role == GW_EB_ONE_WAY;
}

const gw_name_map_entry *gw_message_names_find(const gw_message_names *names, uint64_t address)
{
    const gw_name_map_entry *e =
        names->file != NULL ? gw_name_map_find(names->file, address) : NULL;

    if (e == NULL && names->board != NULL)
        e = gw_name_map_find(names->board, address);
    return e;
}

/* Different entries, in the order in which a message touches them. */
typedef struct touched {
    const gw_name_map_entry *entries[SHOWN];
    unsigned num;
    uint64_t address; /* of the first access */
} touched;

static void touch(touched *t, const gw_message_names *names, uint64_t address)
{
    const gw_name_map_entry *e = gw_message_names_find(names, address);

    if (e == NULL || t->num == SHOWN)
        return;
    for (unsigned i = 0; i < t->num; i++) {
        if (t->entries[i] == e)
            return;
    }
    if (t->num == 0)
        t->address = address;
    t->entries[t->num++] = e;
}

void gw_message_names_summary(const gw_message_names *names, const gw_message *message,
                              const gw_dialect *dialect, gw_text *text)
{
    touched t = {.num = 0};
    gw_eb_reader reader;
    gw_eb_record r;

    if (!gw_eb_open(&reader, message, dialect))
        return;
    while (gw_eb_next(&reader, &r)) {
        if (r.wcount > 0 && (r.flags & GW_EB_WCA) == 0)
            touch(&t, names, r.write_base);
        for (unsigned i = 0; i < r.rcount && (r.flags & GW_EB_RCA) == 0; i++)
            touch(&t, names, gw_eb_read_addr(&reader.layout, &r, i));
    }
    for (unsigned i = 0; i < t.num; i++) {
        gw_text_str(text, i == 0 ? " [" : ", ");
        if (t.num == 1)
            gw_name_put(text, t.entries[i], t.address);
        else
            gw_text_str(text, t.entries[i]->name);
    }
    gw_text_str(text, t.num == 0 ? "" : t.num == SHOWN ? ", ...]" : "]");
}

static void note_flag(gw_message_names *names, const gw_item *item)
{
    const char *key = gw_field_key(item->field);

    if (strcmp(key, "rca") == 0)
        names->config_reads = item->value != 0;
    else if (strcmp(key, "wca") == 0)
        names->config_writes = item->value != 0;
    else if (strcmp(key, "wff") == 0)
        names->fifo = item->value != 0;
}

/* Words behind the first go to the addresses behind it, unless that is a FIFO. */
static uint64_t address_of_data(const gw_message_names *names, const gw_item *item)
{
    return names->base + (names->fifo ? 0 : (uint64_t)item->index * (item->bits / 8));
}

const gw_name_map_entry *gw_message_names_item(gw_message_names *names, const gw_item *item,
                                               uint64_t *address)
{
    bool of_bus = true;

    switch (item->field->memory) {
    case GW_MEMORY_FROM:
        *address = item->value;
        of_bus = !names->config_reads;
        break;
    case GW_MEMORY_TO:
        *address = names->base = item->value;
        of_bus = !names->config_writes;
        break;
    case GW_MEMORY_DATA:
        *address = address_of_data(names, item);
        of_bus = !names->config_writes;
        break;
    default:
        if (item->field->type == GW_BOOL)
            note_flag(names, item);
        return NULL;
    }
    return of_bus ? gw_message_names_find(names, *address) : NULL;
}
