/* SPDX-License-Identifier: BSD-2-Clause */
/* The YAML that people write: board files and memory maps. Input: one byte that says which, then
 * the file.
 *
 * Oracles: what is refused names file, line and column within the file, unless there is nothing in
 * it, in one line that a terminal can be shown; what is accepted has no key that the format does
 * not know, and keeps its bounds; a map that is accepted makes a slave that starts. */
#include "harness/yaml.h"

#include "boards/map.h"
#include "file.h"
#include "formats/etherbone/slave/board.h"
#include "fuzz.h"
#include "harness/board.h"

const char *__lsan_default_suppressions(void);

/* libfyaml 0.7 forgets a buffer after some errors. The nodes are ours, and seen. */
const char *__lsan_default_suppressions(void)
{
    return "leak:libfyaml";
}

static void check_error(const char *name, const char *why, const uint8_t *data, size_t size)
{
    unsigned long line, column, lines = 2;
    size_t len = strlen(name);
    char *end;

    for (const char *p = why; *p != '\0'; p++)
        gw_fuzz_check((uint8_t)*p >= 0x20 && *p != 0x7f, "an error with control characters");
    gw_fuzz_check(strncmp(why, name, len) == 0, "an error without its file");
    if (strcmp(why + len, ": nothing to read: empty, or not YAML") == 0)
        return; /* the parser ends before the first value, and does not say where */
    gw_fuzz_check(why[len] == ':', "an error without line");
    line = strtoul(why + len + 1, &end, 10);
    gw_fuzz_check(*end == ':', "an error without column");
    column = strtoul(end + 1, &end, 10);
    gw_fuzz_check(end[0] == ':' && end[1] == ' ' && end[2] != '\0', "an error without text");
    for (size_t i = 0; i < size; i++)
        lines += data[i] == '\n' || data[i] == '\r' || data[i] == 0x85 || data[i] == 0xa8 ||
                 data[i] == 0xa9; /* the last bytes of Unicode's line ends */
    gw_fuzz_check(line >= 1 && column >= 1 && line <= lines && column <= size + 2,
                  "an error outside its file");
}

static void only_keys(const gw_yaml_node *map, const char *const *keys)
{
    for (const gw_yaml_node *n = gw_yaml_first(map); n != NULL; n = gw_yaml_next(n)) {
        size_t i = 0;
        while (keys[i] != NULL && strcmp(keys[i], gw_yaml_key(n)) != 0)
            i++;
        gw_fuzz_check(keys[i] != NULL, "a key that nobody knows is accepted");
    }
}

/* The formats' keys, written down a second time. */
static void check_keys(const uint8_t *data, size_t size, bool board)
{
    static const char *const board_keys[] = {"goldwire", "role",    "dialect",   "identity",
                                             "where",    "claims",  "registers", "areas",
                                             "hooks",    "waivers", NULL};
    static const char *const identity[] = {
        "make", "serial", "firmware", "firmware_sha256", "bitstream_sha256", NULL};
    static const char *const claims[] = {"address_widths",
                                         "port_widths",
                                         "tcp",
                                         "config_space",
                                         "sdb",
                                         "zero_filled_reply",
                                         "max_payload",
                                         "long_cycles",
                                         "pipeline",
                                         "edac",
                                         "revision",
                                         "forwarding",
                                         "node",
                                         "status_qpn",
                                         "status_qkey",
                                         "images",
                                         "version",
                                         "frame_bytes",
                                         "packet_bytes",
                                         "response_us",
                                         "response_timeout_ms",
                                         NULL};
    static const char *const hooks[] = {"soft", "power", "start", NULL};
    static const char *const hook[] = {"run", "timeout", "settle", NULL};
    static const char *const waiver[] = {"case", "owner",   "ticket",   "reason",
                                         "text", "expires", "firmware", NULL};
    static const char *const map_keys[] = {"widths", "sdb", "regions", NULL};
    static const char *const one[] = {"name", "type", "address", "size", "content", NULL};
    static const char *const area[] = {"name", "type", "address", "size", NULL};
    char why[256];
    gw_yaml *yaml = gw_yaml_parse("again", (const char *)data, size, why, sizeof why);

    gw_fuzz_check(yaml != NULL, "accepted once, and not twice");
    const gw_yaml_node *root = gw_yaml_root(yaml);
    only_keys(root, board ? board_keys : map_keys);
    only_keys(gw_yaml_get(root, "identity"), identity);
    only_keys(gw_yaml_get(root, "claims"), claims);
    const gw_yaml_node *list = gw_yaml_get(root, board ? "areas" : "regions");
    for (const gw_yaml_node *n = gw_yaml_first(list); n != NULL; n = gw_yaml_next(n))
        only_keys(n, board ? area : one);
    only_keys(gw_yaml_get(root, "hooks"), hooks);
    for (const gw_yaml_node *n = gw_yaml_first(gw_yaml_get(root, "hooks")); n != NULL;
         n = gw_yaml_next(n))
        only_keys(n, hook);
    for (const gw_yaml_node *n = gw_yaml_first(gw_yaml_get(root, "waivers")); n != NULL;
         n = gw_yaml_next(n))
        only_keys(n, waiver);
    gw_yaml_close(yaml);
}

static void check_text(const char *text, size_t cap)
{
    gw_fuzz_check(memchr(text, '\0', cap) != NULL, "a text without an end");
    for (; *text != '\0'; text++)
        gw_fuzz_check((uint8_t)*text >= 0x20 && *text != 0x7f, "a text with control characters");
}

static void check_lab(const gw_board_file *board)
{
    gw_fuzz_check(board->num_waivers <= GW_BOARD_MAX_WAIVERS &&
                      board->num_registers <= GW_BOARD_MAX_REGISTERS,
                  "more than there is room for");
    for (size_t i = 0; i < GW_NUM_HOOKS; i++) {
        const gw_hook *hook = &board->hooks[i];
        gw_fuzz_check(hook->num_args <= GW_HOOK_MAX_ARGS, "more arguments than there is room for");
        gw_fuzz_check(hook->num_args == 0 || hook->timeout_s > 0, "a hook without time");
        for (size_t k = 0; k < hook->num_args; k++)
            check_text(hook->args[k], sizeof hook->args[k]);
    }
    for (size_t i = 0; i < board->num_waivers; i++) {
        const gw_waiver *w = &board->waivers[i];
        check_text(w->which, sizeof w->which);
        check_text(w->owner, sizeof w->owner);
        check_text(w->ticket, sizeof w->ticket);
        check_text(w->reason, sizeof w->reason);
        check_text(w->text, sizeof w->text);
        check_text(w->firmware, sizeof w->firmware);
        check_text(w->expires, sizeof w->expires);
        gw_fuzz_check(w->text[0] != '\0', "a waiver for every failure");
        gw_fuzz_check(w->ends_ns > 0 && strlen(w->expires) == 10, "a waiver without an end");
    }
    for (size_t i = 0; i < board->num_registers; i++)
        check_text(board->registers[i].name, sizeof board->registers[i].name);
    for (size_t i = 0; i < gw_num_claim_fields; i++) {
        const gw_claim_field *field = &gw_claim_fields[i];
        uint32_t value = gw_claim_get(&board->claims, field);
        gw_fuzz_check(value == 0 || gw_claim_of_role(field, board->role),
                      "a claim of another role");
        gw_fuzz_check(value != 0 || !gw_claim_must(field, board->role), "a claim is missing");
    }
}

static void check_board(const uint8_t *data, size_t size)
{
    static gw_board_file board;
    char why[512] = "";

    if (!gw_board_parse(&board, "b.yaml", (const char *)data, size, why, sizeof why)) {
        check_error("b.yaml", why, data, size);
        return;
    }
    gw_fuzz_read(true);
    check_keys(data, size, true);
    gw_fuzz_check(board.num_links <= GW_BOARD_MAX_LINKS && board.num_areas <= GW_BOARD_MAX_AREAS,
                  "more than there is room for");
    check_text(board.role, sizeof board.role);
    check_text(board.dialect, sizeof board.dialect);
    check_text(board.make, sizeof board.make);
    check_text(board.serial, sizeof board.serial);
    check_text(board.firmware, sizeof board.firmware);
    check_text(board.firmware_sha256, sizeof board.firmware_sha256);
    check_text(board.bitstream_sha256, sizeof board.bitstream_sha256);
    check_lab(&board);
    for (size_t i = 0; i < board.num_links; i++) {
        check_text(board.links[i].name, sizeof board.links[i].name);
        check_text(board.links[i].url, sizeof board.links[i].url);
    }
    for (size_t i = 0; i < board.num_areas; i++) {
        const gw_area *a = &board.areas[i];
        check_text(a->name, sizeof a->name);
        gw_fuzz_check(a->type < GW_NUM_AREA_TYPES && a->size > 0 &&
                          a->size - 1 <= UINT64_MAX - a->address,
                      "an area beyond all addresses");
        for (size_t j = 0; j < i; j++) {
            const gw_area *b = &board.areas[j];
            gw_fuzz_check(a->address > b->address + (b->size - 1) ||
                              b->address > a->address + (a->size - 1),
                          "areas overlap");
        }
    }
}

static void check_slave(gw_eb_map *map)
{
    static uint64_t *state;
    const gw_board *board = &gw_eb_slave_board;
    const gw_peer_config config = {.dialect = &board->format->dialects[0], .setup = map};
    char why[256] = "";

    if (state == NULL)
        state = malloc(board->size);
    gw_fuzz_check(board->init(state, &config, why, sizeof why), "a map that no slave starts with");
    board->fini(state);
}

static void check_map(const uint8_t *data, size_t size)
{
    char why[512] = "";
    const char *path = gw_fuzz_path(data, size);
    gw_eb_map *map = gw_eb_map_open(path, why, sizeof why);
    uint64_t memory = 0;

    if (map == NULL) {
        check_error(path, why, data, size);
        return;
    }
    gw_fuzz_read(true);
    check_keys(data, size, false);
    gw_fuzz_check(map->num_regions <= GW_EB_MAP_REGIONS && map->sdb % 8 == 0 &&
                      (map->widths & 0xf0) != 0 && (map->widths & 0x0f) != 0,
                  "a map that cannot be");
    for (size_t i = 0; i < map->num_regions; i++) {
        const gw_eb_region *r = &map->regions[i];
        check_text(r->name, sizeof r->name);
        gw_fuzz_check(r->address % 8 == 0 && r->size % 8 == 0 && r->size > 0 &&
                          r->size <= UINT64_MAX - r->address && r->content_len <= r->size,
                      "a region that cannot be");
        gw_fuzz_check(map->sdb < r->address || map->sdb >= r->address + r->size,
                      "the SDB table lies in a region");
        if (r->kind == GW_EB_REGION_RAM || r->kind == GW_EB_REGION_READONLY)
            memory += r->size;
        for (size_t j = 0; j < i; j++) {
            const gw_eb_region *b = &map->regions[j];
            gw_fuzz_check(r->address >= b->address + b->size || b->address >= r->address + r->size,
                          "regions overlap");
        }
    }
    gw_fuzz_check(memory <= GW_EB_MAP_MEMORY_MAX, "more memory than is allowed");
    if (memory <= 1u << 20) /* larger ones only take time */
        check_slave(map);
    gw_eb_map_close(map);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1 || size > 16384)
        return 0;
    if (data[0] & 1)
        check_map(data + 1, size - 1);
    else
        check_board(data + 1, size - 1);
    return 0;
}
