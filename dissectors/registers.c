/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Register names of EtherBone's boards. */
#include "registers.h"

#include <string.h>

#include <epan/wmem_scopes.h>
#include <wsutil/report_message.h>

#include "goldwire/etherbone.h"
#include "names/boards.h"

#define SHOWN 3 /* names in a summary */

struct gw_ws_registers_of {
    gw_name_map *maps[2];                   /* the file's before the board's */
    uint64_t base;                          /* of the writes at hand */
    bool config_reads, config_writes, fifo; /* by the flags of the record at hand */
};

static const char *path = "";
static char *path_read; /* of |file| */
static gw_name_map file;
static gw_board_names *capture; /* NULL before the first message */
static int hf_register = -1;

/* ---- learning ---- */

static void forget_capture(void)
{
    gw_board_names_free(capture);
    capture = NULL;
}

void gw_ws_registers_learn(const gw_message *message, const gw_dialect *dialect)
{
    if (capture == NULL)
        capture = gw_board_names_new();
    if (capture != NULL)
        gw_board_names_learn(capture, message, dialect);
}

/* ---- showing ---- */

gw_ws_registers_of *gw_ws_registers_for(packet_info *pinfo, const gw_message *message,
                                        const gw_dialect *dialect)
{
    gw_name_map *board = capture != NULL ? gw_board_names_of(capture, &message->dst) : NULL;
    bool known = file.num > 0 || board != NULL;
    gw_eb_role role = known ? gw_eb_role_of(message, dialect) : GW_EB_ROLE_UNKNOWN;

    if (role != GW_EB_REQUEST && role != GW_EB_ONE_WAY)
        return NULL;
    gw_ws_registers_of *names = wmem_new0(pinfo->pool, gw_ws_registers_of);
    names->maps[0] = &file;
    names->maps[1] = board;
    return names;
}

static const gw_name_map_entry *find(const gw_ws_registers_of *names, uint64_t address)
{
    const gw_name_map_entry *e = gw_name_map_find(names->maps[0], address);

    if (e == NULL && names->maps[1] != NULL)
        e = gw_name_map_find(names->maps[1], address);
    return e;
}

const char *gw_ws_registers_name(const gw_ws_registers_of *names, packet_info *pinfo,
                                 uint64_t address)
{
    const gw_name_map_entry *e = find(names, address);

    if (e == NULL)
        return NULL;
    char *name = (char *)wmem_alloc(pinfo->pool, GW_NAME_SHOWN);
    gw_text t = gw_text_over(name, GW_NAME_SHOWN);
    gw_name_put(&t, e, address);
    return name;
}

/* The registers that a message touches, for its summary. */
typedef struct touched {
    const gw_name_map_entry *entries[SHOWN]; /* different ones */
    unsigned num;
    uint64_t address; /* of the first access */
} touched;

static void touch(touched *t, const gw_ws_registers_of *names, uint64_t address)
{
    const gw_name_map_entry *e = find(names, address);

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

void gw_ws_registers_summary(gw_ws_registers_of *names, const gw_message *message,
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

static void show_name(const gw_ws_registers_of *names, const gw_ws_place *place, proto_tree *tree,
                      proto_item *added, uint64_t address)
{
    const gw_name_map_entry *e = find(names, address);
    char buf[GW_NAME_SHOWN];
    gw_text t = gw_text_over(buf, sizeof buf);

    if (e == NULL)
        return;
    gw_name_put(&t, e, address);
    proto_item_append_text(added, " (%s)", buf);
    proto_item *name =
        proto_tree_add_string(tree, hf_register, place->tvb, (int)place->offset, 0, e->name);
    proto_item_set_generated(name);
    proto_item_set_hidden(name);
}

static void note_flag(gw_ws_registers_of *names, const gw_item *item)
{
    const char *key = gw_field_key(item->field);

    if (strcmp(key, "rca") == 0)
        names->config_reads = item->value != 0;
    else if (strcmp(key, "wca") == 0)
        names->config_writes = item->value != 0;
    else if (strcmp(key, "wff") == 0)
        names->fifo = item->value != 0;
}

void gw_ws_registers_item(gw_ws_registers_of *names, const gw_ws_place *place, proto_tree *tree,
                          const gw_item *item, proto_item *added)
{
    if (item->field->type == GW_BOOL)
        note_flag(names, item);
    else if (item->field->memory == GW_MEMORY_FROM && !names->config_reads)
        show_name(names, place, tree, added, item->value);
    else if (item->field->memory == GW_MEMORY_TO)
        names->base = item->value;
    if (names->config_writes)
        return;
    if (item->field->memory == GW_MEMORY_TO)
        show_name(names, place, tree, added, item->value);
    else if (item->field->memory == GW_MEMORY_DATA)
        show_name(names, place, tree, added,
                  names->fifo ? names->base
                              : names->base + (uint64_t)item->index * (item->bits / 8));
}

/* ---- the file ---- */

void gw_ws_registers_apply(void)
{
    char why[128];

    if (path_read != NULL && strcmp(path, path_read) == 0)
        return;
    gw_name_map_clear(&file);
    g_free(path_read);
    path_read = g_strdup(path);
    if (path_read[0] != '\0' && !gw_name_map_load(&file, path_read, why, sizeof why))
        report_failure("Register names: %s: %s", path_read, why);
}

void gw_ws_registers_register(int proto, module_t *module)
{
    static hf_register_info fields[] = {
        {&hf_register,
         {"Register", "etherbone.register", FT_STRING, BASE_NONE, NULL, 0,
          "The register or device at an address that is read or written, by its board's SDB table "
          "or by the file of register names",
          HFILL}}};

    proto_register_field_array(proto, fields, (int)G_N_ELEMENTS(fields));
    prefs_register_filename_preference(module, "registers", "Register names",
                                       "A LiteX csr.csv, or a YAML map of names and addresses "
                                       "(NAME: 0x1000, NAME: 0x1000-0x1fff), for addresses that "
                                       "are read and written; empty for none",
                                       &path, FALSE);
    register_cleanup_routine(forget_capture);
}
