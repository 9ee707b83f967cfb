/* SPDX-License-Identifier: BSD-2-Clause */
/* Writing and reading campaign.json. */
#include "cli/fuzzing/place.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "run/store.h"
#include "json/json.h"

#define VERSION 1

static bool is_empty(const char *dir)
{
    DIR *folder = opendir(dir);
    bool empty = true;
    if (folder == NULL)
        return errno == ENOENT;
    for (const struct dirent *e = readdir(folder); e != NULL && empty; e = readdir(folder))
        empty = strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0;
    closedir(folder);
    return empty;
}

static void write_place(FILE *file, const gw_certify_options *o, const char *role)
{
    gw_json j;
    gw_json_init(&j, file);
    gw_json_open(&j, NULL, '{');
    gw_json_uint(&j, "version", VERSION);
    gw_json_str(&j, "role", role);
    gw_json_str(&j, "board", o->board_path);
    gw_json_str(&j, "dialect", o->dialect);
    gw_json_bool(&j, "hooks", o->hooks);
    gw_json_open(&j, "dut", '[');
    for (size_t i = 0; i < o->num_duts; i++)
        gw_json_str(&j, NULL, o->duts[i]);
    gw_json_close(&j, ']');
    gw_json_str(&j, "serve", o->serve);
    gw_json_close(&j, '}');
    gw_json_end(&j);
}

bool gw_place_make(const char *dir, const gw_certify_options *o, const char *role, char *why,
                   size_t why_cap)
{
    char path[PATH_MAX];
    gw_place old = {0};
    if (snprintf(path, sizeof(path), "%s/", dir) >= (int)sizeof(path)) {
        (void)snprintf(why, why_cap, "path too long: %.60s...", dir);
        return false;
    }
    if (gw_store_has(dir, GW_PLACE_FILE)) {
        if (!gw_place_read(&old, dir, why, why_cap))
            return false;
        bool same = strcmp(old.o.role, role) == 0;
        gw_place_free(&old);
        if (!same) {
            (void)snprintf(why, why_cap, "%s holds a campaign against a board of another role",
                           dir);
            return false;
        }
        gw_store_remove(dir, GW_PLACE_FILE);
    } else if (!is_empty(dir)) {
        (void)snprintf(why, why_cap,
                       "%s is not empty, and holds no campaign of goldwire's: it is left alone",
                       dir);
        return false;
    }
    if (!gw_store_folders(path, why, why_cap))
        return false;
    FILE *file = gw_store_open(dir, GW_PLACE_FILE, why, why_cap);
    if (file == NULL)
        return false;
    write_place(file, o, role);
    return gw_store_close(file, GW_PLACE_FILE, why, why_cap);
}

bool gw_place_read(gw_place *place, const char *dir, char *why, size_t why_cap)
{
    char path[PATH_MAX];
    json_error_t error;
    *place = (gw_place){.o = {.seed = 1}};
    (void)snprintf(path, sizeof(path), "%s/" GW_PLACE_FILE, dir);
    json_t *root = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    if (root == NULL && access(path, R_OK) != 0) {
        (void)snprintf(why, why_cap,
                       "%s holds no campaign of goldwire fuzz (" GW_PLACE_FILE ": %s)", dir,
                       strerror(errno));
        return false;
    }
    if (root == NULL) {
        (void)snprintf(why, why_cap, "%s:%d: %s", path, error.line, error.text);
        return false;
    }
    const json_t *duts = json_object_get(root, "dut");
    place->memory = root;
    place->o.role = json_string_value(json_object_get(root, "role"));
    place->o.board_path = json_string_value(json_object_get(root, "board"));
    place->o.dialect = json_string_value(json_object_get(root, "dialect"));
    place->o.serve = json_string_value(json_object_get(root, "serve"));
    place->o.hooks = json_is_true(json_object_get(root, "hooks"));
    for (size_t i = 0; i < json_array_size(duts) && i < GW_CERTIFY_MAX_URLS; i++) {
        const char *url = json_string_value(json_array_get(duts, i));
        if (url != NULL)
            place->o.duts[place->o.num_duts++] = url;
    }
    if (place->o.role != NULL && json_integer_value(json_object_get(root, "version")) == VERSION)
        return true;
    gw_place_free(place);
    (void)snprintf(why, why_cap, "%s: is no campaign of this version of goldwire", path);
    return false;
}

void gw_place_free(gw_place *place)
{
    json_decref(place->memory);
    *place = (gw_place){0};
}
