/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Register names of EtherBone's boards. */
#include "registers.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <epan/wmem_scopes.h>
#include <wsutil/report_message.h>

#include "goldwire/etherbone.h"
#include "names/sdb.h"

#define BOARDS 16 /* of a capture, whose SDB tables are read */
#define ASKED 64  /* reads that are remembered until they are answered, the latest ones */
#define READS 32  /* addresses of one of these; a record of SDB is 16 words */
#define SHOWN 3   /* names in a summary */

#define PLACE_LEN (GW_WS_MAP_NAME + 24) /* a name and what lies behind it */

/* A board that somebody reads from. */
typedef struct board {
    gw_endpoint end; /* no family: the place is free */
    gw_ws_sdb sdb;
    gw_ws_map map;
} board;

/* A record of reads that waits for its answer. */
typedef struct asked {
    gw_endpoint board, from; /* no family: the place is free */
    uint64_t return_base;
    uint64_t addresses[READS];
    uint8_t num;
} asked;

/* What is learned from one capture. */
typedef struct learned {
    board *boards[BOARDS];
    asked asked[ASKED];
    unsigned next; /* place in |asked| */
} learned;

struct gw_ws_registers_of {
    gw_ws_map *maps[2];                     /* the file's before the board's */
    uint64_t base;                          /* of the writes at hand */
    bool config_reads, config_writes, fifo; /* by the flags of the record at hand */
};

static const char *path = "";
static char *path_read; /* of |file| */
static gw_ws_map file;
static learned *capture; /* NULL before the first message */
static int hf_register = -1;

/* ---- learning ---- */

static void forget_capture(void)
{
    for (unsigned i = 0; capture != NULL && i < BOARDS && capture->boards[i] != NULL; i++) {
        gw_ws_map_clear(&capture->boards[i]->map);
        gw_ws_map_clear(&capture->boards[i]->sdb.bridges);
        g_free(capture->boards[i]);
    }
    g_free(capture);
    capture = NULL;
}

/* The board at |end|; NULL when there are too many, or, unless it is |wanted|, it is not known. */
static board *board_at(const gw_endpoint *end, bool wanted)
{
    unsigned i = 0;

    if (capture == NULL || end->family == GW_FAMILY_NONE)
        return NULL;
    for (; i < BOARDS && capture->boards[i] != NULL; i++) {
        if (gw_endpoint_equal(&capture->boards[i]->end, end))
            return capture->boards[i];
    }
    if (!wanted || i == BOARDS)
        return NULL;
    capture->boards[i] = g_new0(board, 1);
    capture->boards[i]->end = *end;
    return capture->boards[i];
}

static void remember(const gw_message *m, const gw_eb_layout *layout, const gw_eb_record *r)
{
    asked *a = &capture->asked[capture->next++ % ASKED];

    a->board = m->dst;
    a->from = m->src;
    a->return_base = r->return_base;
    a->num = r->rcount;
    for (unsigned i = 0; i < r->rcount; i++)
        a->addresses[i] = gw_eb_read_addr(layout, r, i);
}

/* The one read that |r| of |m| answers; NULL when there is none, or more that it could be. */
static asked *answered_by(const gw_message *m, const gw_eb_record *r)
{
    asked *found = NULL;

    for (unsigned i = 0; i < ASKED; i++) {
        asked *a = &capture->asked[i];
        if (a->num != r->wcount || a->return_base != r->write_base ||
            !gw_endpoint_equal(&a->board, &m->src) || !gw_endpoint_equal(&a->from, &m->dst))
            continue;
        if (found != NULL)
            return NULL;
        found = a;
    }
    return found;
}

static void take_answer(const gw_message *m, const gw_eb_layout *layout, const gw_eb_record *r)
{
    asked *a = answered_by(m, r);
    board *b = a != NULL ? board_at(&m->src, true) : NULL;

    if (a == NULL)
        return;
    for (unsigned i = 0; b != NULL && i < a->num; i++)
        gw_ws_sdb_take(&b->sdb, &b->map, a->addresses[i], gw_eb_write_value(layout, r, i),
                       layout->data_bytes);
    *a = (asked){0};
}

void gw_ws_registers_learn(const gw_message *message, const gw_dialect *dialect)
{
    gw_eb_role role = gw_eb_role_of(message, dialect);
    gw_eb_reader reader;
    gw_eb_record r;

    if ((role != GW_EB_REQUEST && role != GW_EB_RESPONSE) || !gw_eb_open(&reader, message, dialect))
        return;
    if (capture == NULL)
        capture = g_new0(learned, 1);
    while (gw_eb_next(&reader, &r)) {
        bool of_bus = (r.flags & GW_EB_RCA) == 0;
        if (role == GW_EB_REQUEST && r.rcount > 0 && r.rcount <= READS && of_bus)
            remember(message, &reader.layout, &r);
        else if (role == GW_EB_RESPONSE && r.wcount > 0)
            take_answer(message, &reader.layout, &r);
    }
}

/* ---- showing ---- */

gw_ws_registers_of *gw_ws_registers_for(packet_info *pinfo, const gw_message *message,
                                        const gw_dialect *dialect)
{
    board *b = board_at(&message->dst, false);
    bool known = file.num > 0 || (b != NULL && b->map.num > 0);
    gw_eb_role role = known ? gw_eb_role_of(message, dialect) : GW_EB_ROLE_UNKNOWN;

    if (role != GW_EB_REQUEST && role != GW_EB_ONE_WAY)
        return NULL;
    gw_ws_registers_of *names = wmem_new0(pinfo->pool, gw_ws_registers_of);
    names->maps[0] = &file;
    names->maps[1] = b != NULL ? &b->map : NULL;
    return names;
}

static const gw_ws_map_entry *find(const gw_ws_registers_of *names, uint64_t address)
{
    const gw_ws_map_entry *e = gw_ws_map_find(names->maps[0], address);

    if (e == NULL && names->maps[1] != NULL)
        e = gw_ws_map_find(names->maps[1], address);
    return e;
}

/* "leds", or "ram+0x10" behind its first byte. */
static void put_name(gw_text *t, const gw_ws_map_entry *e, uint64_t address)
{
    gw_text_str(t, e->name);
    if (address == e->first)
        return;
    gw_text_str(t, "+");
    gw_text_hex(t, address - e->first, 1);
}

const char *gw_ws_registers_name(const gw_ws_registers_of *names, packet_info *pinfo,
                                 uint64_t address)
{
    const gw_ws_map_entry *e = find(names, address);

    if (e == NULL)
        return NULL;
    char *name = (char *)wmem_alloc(pinfo->pool, PLACE_LEN);
    gw_text t = gw_text_over(name, PLACE_LEN);
    put_name(&t, e, address);
    return name;
}

/* The registers that a message touches, for its summary. */
typedef struct touched {
    const gw_ws_map_entry *entries[SHOWN]; /* different ones */
    unsigned num;
    uint64_t address; /* of the first access */
} touched;

static void touch(touched *t, const gw_ws_registers_of *names, uint64_t address)
{
    const gw_ws_map_entry *e = find(names, address);

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
            put_name(text, t.entries[i], t.address);
        else
            gw_text_str(text, t.entries[i]->name);
    }
    gw_text_str(text, t.num == 0 ? "" : t.num == SHOWN ? ", ...]" : "]");
}

static void show_name(const gw_ws_registers_of *names, const gw_ws_place *place, proto_tree *tree,
                      proto_item *added, uint64_t address)
{
    const gw_ws_map_entry *e = find(names, address);
    char buf[PLACE_LEN];
    gw_text t = gw_text_over(buf, sizeof buf);

    if (e == NULL)
        return;
    put_name(&t, e, address);
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

static void read_file(void)
{
    char *text = (char *)g_malloc(GW_WS_MAP_FILE + 1), why[128];
    FILE *in = fopen(path_read, "rb");
    size_t len = in != NULL ? fread(text, 1, GW_WS_MAP_FILE + 1, in) : 0;

    if (in == NULL || ferror(in) != 0) {
        report_failure("Register names: %s: %s", path_read, g_strerror(errno));
    } else if (len > GW_WS_MAP_FILE) {
        report_failure("Register names: %s has more than %u bytes", path_read, GW_WS_MAP_FILE);
    } else if (!gw_ws_map_read(&file, text, len, why, sizeof why)) {
        gw_ws_map_clear(&file);
        report_failure("Register names: %s: %s", path_read, why);
    }
    if (in != NULL)
        (void)fclose(in);
    g_free(text);
}

void gw_ws_registers_apply(void)
{
    if (path_read != NULL && strcmp(path, path_read) == 0)
        return;
    gw_ws_map_clear(&file);
    g_free(path_read);
    path_read = g_strdup(path);
    if (path_read[0] != '\0')
        read_file();
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
