/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads board files: strict keys, every error with its place and a way out. */
#include "harness/board.h"

#include <stdio.h>
#include <string.h>

#include "board_read.h"

static const char *const area_types[GW_NUM_AREA_TYPES + 1] = {
    [GW_AREA_RAM] = "ram",     [GW_AREA_FIFO] = "fifo",       [GW_AREA_READONLY] = "readonly",
    [GW_AREA_ERROR] = "error", [GW_AREA_ARBITER] = "arbiter", [GW_AREA_WIRES] = "wires",
};

const char *gw_area_type_name(gw_area_type type)
{
    return (unsigned)type < GW_NUM_AREA_TYPES ? area_types[type] : "?";
}

static bool read_sha256(gw_yaml *yaml, const gw_yaml_node *node, char out[GW_BOARD_SHA256])
{
    const char *text = NULL;
    if (!gw_yaml_string(yaml, node, &text))
        return false;
    if (text == NULL)
        return true;
    if (strlen(text) != GW_BOARD_SHA256 - 1 ||
        strspn(text, "0123456789abcdef") != GW_BOARD_SHA256 - 1)
        return gw_yaml_fail(yaml, node,
                            "64 hexadecimal digits in small letters are expected, as sha256sum "
                            "prints them");
    memcpy(out, text, GW_BOARD_SHA256);
    return true;
}

static bool read_identity(gw_yaml *yaml, const gw_yaml_node *map, gw_board_file *out)
{
    return map == NULL ||
           (gw_read_keys(yaml, map, GW_PART_IDENTITY) &&
            gw_read_text(yaml, gw_yaml_get(map, "make"), out->make, GW_BOARD_TEXT) &&
            gw_read_text(yaml, gw_yaml_get(map, "serial"), out->serial, GW_BOARD_TEXT) &&
            gw_read_text(yaml, gw_yaml_get(map, "firmware"), out->firmware, GW_BOARD_TEXT) &&
            read_sha256(yaml, gw_yaml_get(map, "firmware_sha256"), out->firmware_sha256) &&
            read_sha256(yaml, gw_yaml_get(map, "bitstream_sha256"), out->bitstream_sha256));
}

static bool read_where(gw_yaml *yaml, const gw_yaml_node *node, gw_board_file *out)
{
    if (node == NULL)
        return true;
    if (gw_yaml_kind_of(node) == GW_YAML_SCALAR) {
        out->num_links = 1;
        return gw_read_text(yaml, node, out->links[0].url, sizeof(out->links[0].url));
    }
    if (gw_yaml_kind_of(node) != GW_YAML_MAPPING)
        return gw_yaml_fail(yaml, node, "a URL expected, or a mapping from link names to URLs");
    for (const gw_yaml_node *one = gw_yaml_first(node); one != NULL; one = gw_yaml_next(one)) {
        if (out->num_links == GW_BOARD_MAX_LINKS)
            return gw_yaml_fail(yaml, one, "more than %d links", GW_BOARD_MAX_LINKS);
        gw_board_link *link = &out->links[out->num_links++];
        const char *name = gw_yaml_key(one);
        if (strlen(name) >= sizeof(link->name))
            return gw_yaml_fail(yaml, one, "link name of %zu bytes, at most %zu fit", strlen(name),
                                sizeof(link->name) - 1);
        memcpy(link->name, name, strlen(name) + 1);
        if (!gw_read_text(yaml, one, link->url, sizeof(link->url)))
            return false;
    }
    return true;
}

/* Areas that overlap would let one case spoil what another one looks at. */
static bool check_overlap(gw_yaml *yaml, const gw_yaml_node *node, const gw_board_file *board)
{
    const gw_area *last = &board->areas[board->num_areas - 1];
    for (const gw_area *area = board->areas; area < last; area++) {
        uint64_t end = area->address + (area->size - 1);
        uint64_t last_end = last->address + (last->size - 1);
        if (area->address <= last_end && last->address <= end)
            return gw_yaml_fail(yaml, node, "area %s overlaps area %s", last->name, area->name);
    }
    return true;
}

static bool read_area(gw_yaml *yaml, const gw_yaml_node *node, gw_board_file *board)
{
    if (board->num_areas == GW_BOARD_MAX_AREAS)
        return gw_yaml_fail(yaml, node, "more than %d areas", GW_BOARD_MAX_AREAS);
    gw_area *area = &board->areas[board->num_areas++];
    unsigned type = 0;
    if (!gw_read_keys(yaml, node, GW_PART_AREA) ||
        !gw_read_text(yaml, gw_yaml_need(yaml, node, "name"), area->name, sizeof(area->name)) ||
        !gw_yaml_choice(yaml, gw_yaml_need(yaml, node, "type"), area_types, &type) ||
        !gw_yaml_u64(yaml, gw_yaml_need(yaml, node, "address"), UINT64_MAX, &area->address) ||
        !gw_yaml_u64(yaml, gw_yaml_need(yaml, node, "size"), UINT64_MAX, &area->size))
        return false;
    area->type = (uint8_t)type;
    const gw_yaml_node *size = gw_yaml_get(node, "size");
    if (area->size == 0)
        return gw_yaml_fail(yaml, size, "an area of 0 bytes");
    if (area->size - 1 > UINT64_MAX - area->address)
        return gw_yaml_fail(yaml, size, "area %s ends beyond the 64-bit address space", area->name);
    return check_overlap(yaml, node, board);
}

static bool read_areas(gw_yaml *yaml, const gw_yaml_node *node, gw_board_file *out)
{
    if (node == NULL)
        return true;
    if (!gw_yaml_sequence(yaml, node))
        return false;
    for (const gw_yaml_node *one = gw_yaml_first(node); one != NULL; one = gw_yaml_next(one))
        if (!read_area(yaml, one, out))
            return false;
    return true;
}

/* "base" moves the whole block, a register's name places that one. */
static bool read_registers(gw_yaml *yaml, const gw_yaml_node *map, gw_board_file *out)
{
    if (map != NULL && gw_yaml_kind_of(map) != GW_YAML_MAPPING)
        return gw_yaml_fail(yaml, map, "a mapping from register names to addresses is expected");
    for (const gw_yaml_node *one = gw_yaml_first(map); one != NULL; one = gw_yaml_next(one)) {
        const char *name = gw_yaml_key(one);
        if (strcmp(name, "base") == 0) {
            if (!gw_read_u32(yaml, one, UINT32_MAX, &out->register_base))
                return false;
            continue;
        }
        if (out->num_registers == GW_BOARD_MAX_REGISTERS)
            return gw_yaml_fail(yaml, one, "more than %d registers", GW_BOARD_MAX_REGISTERS);
        gw_board_register *r = &out->registers[out->num_registers++];
        if (strlen(name) >= sizeof(r->name))
            return gw_yaml_fail(yaml, one, "register name of %zu bytes, at most %zu fit",
                                strlen(name), sizeof(r->name) - 1);
        memcpy(r->name, name, strlen(name) + 1);
        gw_yaml_key_place(one, &r->line, &r->column);
        if (!gw_read_u32(yaml, one, UINT32_MAX, &r->address))
            return false;
    }
    return true;
}

static bool read_board(gw_yaml *yaml, gw_board_file *out)
{
    static const char *const kinds[] = {"board", NULL};
    const gw_yaml_node *root = gw_yaml_root(yaml);
    unsigned kind = 0;
    return gw_read_keys(yaml, root, GW_PART_FILE) &&
           gw_yaml_choice(yaml, gw_yaml_need(yaml, root, "goldwire"), kinds, &kind) &&
           gw_read_text(yaml, gw_yaml_need(yaml, root, "role"), out->role, GW_BOARD_TEXT) &&
           gw_read_text(yaml, gw_yaml_get(root, "dialect"), out->dialect, GW_BOARD_TEXT) &&
           read_identity(yaml, gw_yaml_get(root, "identity"), out) &&
           read_where(yaml, gw_yaml_get(root, "where"), out) &&
           gw_read_claims(yaml, root, gw_yaml_get(root, "claims"), out) &&
           read_registers(yaml, gw_yaml_get(root, "registers"), out) &&
           read_areas(yaml, gw_yaml_get(root, "areas"), out) &&
           gw_read_hooks(yaml, gw_yaml_get(root, "hooks"), out) &&
           gw_read_waivers(yaml, gw_yaml_get(root, "waivers"), out) &&
           gw_read_pace(yaml, gw_yaml_get(root, "patience"), gw_yaml_get(root, "simulation"),
                        &out->pace);
}

static bool finish(gw_yaml *yaml, gw_board_file *out, char *why, size_t why_cap)
{
    if (yaml == NULL)
        return false;
    memset(out, 0, sizeof(*out));
    bool ok = read_board(yaml, out) && gw_yaml_error(yaml) == NULL;
    if (!ok)
        (void)snprintf(why, why_cap, "%s", gw_yaml_error(yaml));
    gw_yaml_close(yaml);
    return ok;
}

bool gw_board_load(gw_board_file *out, const char *path, char *why, size_t why_cap)
{
    return finish(gw_yaml_open(path, why, why_cap), out, why, why_cap);
}

bool gw_board_parse(gw_board_file *out, const char *name, const char *text, size_t len, char *why,
                    size_t why_cap)
{
    return finish(gw_yaml_parse(name, text, len, why, why_cap), out, why, why_cap);
}

const gw_area *gw_board_area(const gw_board_file *board, gw_area_type type, unsigned address_bits,
                             uint64_t min_size)
{
    min_size = min_size > 0 ? min_size : 1;
    uint64_t highest = address_bits >= 64 ? UINT64_MAX : (UINT64_C(1) << address_bits) - 1;
    for (size_t i = 0; i < board->num_areas; i++) {
        const gw_area *area = &board->areas[i];
        bool reached = area->address <= highest && min_size - 1 <= highest - area->address;
        if (area->type == type && reached && area->size >= min_size)
            return area;
    }
    return NULL;
}

bool gw_board_may_write(const gw_board_file *board, uint64_t address, uint64_t size)
{
    for (size_t i = 0; i < board->num_areas; i++) {
        const gw_area *area = &board->areas[i];
        uint64_t skipped = address - area->address;
        if (area->type == GW_AREA_RAM && address >= area->address && skipped < area->size &&
            size <= area->size - skipped)
            return true;
    }
    return false;
}

bool gw_board_has_hooks(const gw_board_file *board)
{
    for (unsigned i = 0; i < GW_NUM_HOOKS; i++)
        if (board->hooks[i].num_args > 0)
            return true;
    return false;
}
