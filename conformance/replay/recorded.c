/* SPDX-License-Identifier: BSD-2-Clause */
/* Areas and registers of the recorded board, and where they are on another one. */
#include "replay/recorded.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "evidence/clean.h"
#include "goldwire/registers.h"

#define LINE_MAX_LEN 160

/* ---- telling ---- */

static void tell_number(gw_text *out, uint64_t value)
{
    gw_text_str(out, " ");
    gw_text_hex(out, value, 1);
}

void gw_recorded_tell(gw_text *out, const gw_board_file *board)
{
    for (size_t i = 0; i < board->num_areas; i++) {
        const gw_area *a = &board->areas[i];
        gw_text_str(out, "\narea ");
        gw_text_str(out, gw_area_type_name((gw_area_type)a->type));
        tell_number(out, a->address);
        tell_number(out, a->size);
        gw_text_str(out, " ");
        gw_text_str(out, a->name);
    }
    gw_text_str(out, "\nregisters");
    tell_number(out, board->register_base);
    for (size_t i = 0; i < board->num_registers; i++) {
        gw_text_str(out, "\nregister");
        tell_number(out, board->registers[i].address);
        gw_text_str(out, " ");
        gw_text_str(out, board->registers[i].name);
    }
}

/* ---- reading ---- */

/* Reads a number, and the space behind it. */
static bool take_number(const char **at, uint64_t *value)
{
    char *end;
    if (strncmp(*at, "0x", 2) != 0)
        return false;
    *value = strtoull(*at, &end, 16);
    *at = *end == ' ' ? end + 1 : end;
    return *end == ' ' || *end == '\0';
}

static bool take_type(const char **at, uint8_t *type)
{
    for (unsigned i = 0; i < GW_NUM_AREA_TYPES; i++) {
        const char *name = gw_area_type_name((gw_area_type)i);
        size_t len = strlen(name);
        if (strncmp(*at, name, len) != 0 || (*at)[len] != ' ')
            continue;
        *type = (uint8_t)i;
        *at += len + 1;
        return true;
    }
    return false;
}

static void read_area(gw_recorded *out, const char *text)
{
    gw_area area = {.name = ""};
    if (out->num_areas == GW_BOARD_MAX_AREAS || !take_type(&text, &area.type) ||
        !take_number(&text, &area.address) || !take_number(&text, &area.size) || area.size == 0 ||
        area.size - 1 > UINT64_MAX - area.address || strlen(text) >= sizeof(area.name))
        return;
    (void)gw_clean(area.name, sizeof(area.name), text);
    out->areas[out->num_areas++] = area;
    out->known = true;
}

static void read_register(gw_recorded *out, const char *text)
{
    uint64_t address;
    if (out->num_registers == GW_BOARD_MAX_REGISTERS || !take_number(&text, &address) ||
        address > UINT32_MAX || strlen(text) >= GW_BOARD_TEXT)
        return;
    gw_board_register *r = &out->registers[out->num_registers++];
    *r = (gw_board_register){.address = (uint32_t)address};
    (void)gw_clean(r->name, sizeof(r->name), text);
}

static void read_base(gw_recorded *out, const char *text)
{
    uint64_t base;
    if (!take_number(&text, &base) || base > UINT32_MAX)
        return;
    out->register_base = (uint32_t)base;
    out->known = true;
}

void gw_recorded_read(gw_recorded *out, const char *comment)
{
    static const struct {
        const char *word;
        void (*read)(gw_recorded *out, const char *text);
    } words[] = {{"area ", read_area}, {"registers ", read_base}, {"register ", read_register}};
    while (*comment != '\0') {
        char line[LINE_MAX_LEN];
        size_t len = strcspn(comment, "\n");
        if (len < sizeof(line)) {
            memcpy(line, comment, len);
            line[len] = '\0';
            for (size_t i = 0; i < GW_ARRAY_LEN(words); i++) {
                size_t word = strlen(words[i].word);
                if (strncmp(line, words[i].word, word) == 0)
                    words[i].read(out, line + word);
            }
        }
        comment += len + (comment[len] == '\n');
    }
}

/* ---- where it is now ---- */

const gw_area *gw_recorded_area(const gw_recorded *recorded, uint64_t first, uint64_t last)
{
    for (size_t i = 0; i < recorded->num_areas; i++) {
        const gw_area *a = &recorded->areas[i];
        if (first >= a->address && last >= first && last - a->address < a->size)
            return a;
    }
    return NULL;
}

bool gw_recorded_place(const gw_recorded *recorded, const gw_board_file *board, uint64_t first,
                       uint64_t last, uint64_t *now, char *why, size_t why_cap)
{
    const gw_area *then = gw_recorded_area(recorded, first, last);
    *now = first;
    if (then == NULL || board->num_areas == 0)
        return true;
    for (size_t i = 0; i < board->num_areas; i++) {
        const gw_area *a = &board->areas[i];
        if (a->type != then->type || strcmp(a->name, then->name) != 0)
            continue;
        *now = a->address + (first - then->address);
        if (last - then->address < a->size)
            return true;
        (void)snprintf(why, why_cap,
                       "0x%" PRIx64 " of the recorded area %s (0x%" PRIx64
                       " bytes), and this board's has 0x%" PRIx64,
                       last - then->address, then->name, then->size, a->size);
        return false;
    }
    /* By whatever name, it is where it was. */
    for (size_t i = 0; i < board->num_areas; i++) {
        const gw_area *a = &board->areas[i];
        *now = first;
        if (a->type == then->type && first >= a->address && last - a->address < a->size)
            return true;
    }
    (void)snprintf(why, why_cap,
                   "the recorded area %s, of type %s, and the board file names none such",
                   then->name, gw_area_type_name((gw_area_type)then->type));
    return false;
}

static const gw_board_register *named(const gw_board_register *list, size_t num, const char *name)
{
    for (size_t i = 0; i < num; i++) {
        if (strcasecmp(list[i].name, name) == 0)
            return &list[i];
    }
    return NULL;
}

static const gw_board_register *recorded_at(const gw_recorded *recorded, uint32_t address)
{
    for (size_t i = 0; i < recorded->num_registers; i++) {
        if (recorded->registers[i].address == address)
            return &recorded->registers[i];
    }
    return NULL;
}

uint32_t gw_recorded_offset(const gw_recorded *recorded, const gw_board_file *board,
                            const gw_format *format, uint32_t address)
{
    const gw_board_register *r = recorded_at(recorded, address);
    const gw_register *in_map = r != NULL && format->registers != NULL
                                    ? gw_register_by_name(format->registers, r->name)
                                    : NULL;
    if (in_map != NULL)
        return in_map->offset;
    return address - (recorded->known ? recorded->register_base : board->register_base);
}

/* A register that only one of the two files names lies, on the other board, at its usual place. */
uint32_t gw_recorded_register(const gw_recorded *recorded, const gw_board_file *board,
                              const gw_format *format, uint32_t address)
{
    if (!recorded->known)
        return address;
    uint32_t offset = gw_recorded_offset(recorded, board, format, address);
    for (size_t i = 0; format->registers != NULL && i < format->registers->num; i++) {
        const gw_register *r = &format->registers->registers[i];
        const gw_board_register *here =
            r->offset == offset ? named(board->registers, board->num_registers, r->name) : NULL;
        if (here != NULL)
            return here->address;
    }
    return board->register_base + offset;
}
