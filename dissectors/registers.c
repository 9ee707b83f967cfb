/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Register names of EtherBone's boards. */
#include "registers.h"

#include <string.h>

#include <epan/wmem_scopes.h>
#include <wsutil/report_message.h>

#include "names/boards.h"

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

gw_message_names *gw_ws_registers_for(packet_info *pinfo, const gw_message *message,
                                      const gw_dialect *dialect)
{
    gw_message_names names;

    if (!gw_message_names_of(&names, &file, capture, message, dialect))
        return NULL;
    gw_message_names *kept = wmem_new(pinfo->pool, gw_message_names);
    *kept = names;
    return kept;
}

const char *gw_ws_registers_name(const gw_message_names *names, packet_info *pinfo,
                                 uint64_t address)
{
    const gw_name_map_entry *e = gw_message_names_find(names, address);

    if (e == NULL)
        return NULL;
    char *name = (char *)wmem_alloc(pinfo->pool, GW_NAME_SHOWN);
    gw_text t = gw_text_over(name, GW_NAME_SHOWN);
    gw_name_put(&t, e, address);
    return name;
}

void gw_ws_registers_item(gw_message_names *names, const gw_ws_place *place, proto_tree *tree,
                          const gw_item *item, proto_item *added)
{
    uint64_t address;
    const gw_name_map_entry *e = gw_message_names_item(names, item, &address);
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
