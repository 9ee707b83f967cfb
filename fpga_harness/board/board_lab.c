/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads what the lab adds to a board file: hooks and waivers. */
#include <string.h>
#include <time.h>

#include "board_read.h"

#define HOOK_TIMEOUT_S 30
#define START_TIMEOUT_S 3600 /* a board that is a program stays for the whole run */
#define HOOK_TIMEOUT_MAX_S 86400
#define SETTLE_S 2
#define SETTLE_MAX_S 600
#define DAY_NS (INT64_C(86400) * 1000000000)

/* ---- hooks ---- */

static bool read_args(gw_yaml *yaml, const gw_yaml_node *list, gw_hook *hook)
{
    if (list != NULL && gw_yaml_kind_of(list) != GW_YAML_SEQUENCE)
        return gw_yaml_fail(yaml, list,
                            "a list of arguments is expected, [program, argument, ...]; no shell "
                            "reads it");
    for (const gw_yaml_node *one = gw_yaml_first(list); one != NULL; one = gw_yaml_next(one)) {
        if (hook->num_args == GW_HOOK_MAX_ARGS)
            return gw_yaml_fail(yaml, one, "more than %d arguments; put them into a script",
                                GW_HOOK_MAX_ARGS);
        if (!gw_read_text(yaml, one, hook->args[hook->num_args++], GW_HOOK_ARG))
            return false;
    }
    return hook->num_args > 0 ||
           (list != NULL && gw_yaml_fail(yaml, list, "an empty list names no program"));
}

static bool read_hook(gw_yaml *yaml, const gw_yaml_node *map, gw_hook_kind kind, gw_hook *hook)
{
    if (map == NULL)
        return true;
    const gw_yaml_node *timeout = gw_yaml_get(map, "timeout");
    hook->timeout_s = kind == GW_HOOK_START ? START_TIMEOUT_S : HOOK_TIMEOUT_S;
    hook->settle_s = SETTLE_S;
    if (!gw_read_keys(yaml, map, GW_PART_HOOK) ||
        !read_args(yaml, gw_yaml_need(yaml, map, "run"), hook) ||
        !gw_read_u32(yaml, timeout, HOOK_TIMEOUT_MAX_S, &hook->timeout_s) ||
        !gw_read_u32(yaml, gw_yaml_get(map, "settle"), SETTLE_MAX_S, &hook->settle_s))
        return false;
    return hook->timeout_s > 0 || gw_yaml_fail(yaml, timeout, "0 s are over before it begins");
}

bool gw_read_hooks(gw_yaml *yaml, const gw_yaml_node *map, gw_board_file *out)
{
    if (map == NULL)
        return true;
    if (!gw_read_keys(yaml, map, GW_PART_HOOKS))
        return false;
    for (unsigned i = 0; i < GW_NUM_HOOKS; i++) {
        gw_hook_kind kind = (gw_hook_kind)i;
        if (!read_hook(yaml, gw_yaml_get(map, gw_hook_name(kind)), kind, &out->hooks[i]))
            return false;
    }
    return true;
}

/* ---- waivers ---- */

/* |num| digits as a number; -1 when one of them is none. */
static int digits(const char *text, unsigned num)
{
    int value = 0;
    for (unsigned i = 0; i < num; i++) {
        if (text[i] < '0' || text[i] > '9')
            return -1;
        value = value * 10 + (text[i] - '0');
    }
    return value;
}

/* The end of the day "2026-12-31"; false when that is none. */
static bool end_of_day(const char *text, int64_t *ns)
{
    if (strlen(text) != 10 || text[4] != '-' || text[7] != '-')
        return false;
    int year = digits(text, 4);
    int month = digits(text + 5, 2);
    int day = digits(text + 8, 2);
    if (year < 1970 || year > 2200 || month < 1 || day < 1)
        return false;
    struct tm tm = {.tm_year = year - 1900, .tm_mon = month - 1, .tm_mday = day};
    time_t begin = timegm(&tm);
    /* 30 February came out as a day in March. */
    if (tm.tm_mon != month - 1 || tm.tm_mday != day)
        return false;
    *ns = (int64_t)begin * 1000000000 + DAY_NS;
    return true;
}

static bool read_waiver(gw_yaml *yaml, const gw_yaml_node *node, gw_waiver *out)
{
    const gw_yaml_node *expires;
    if (!gw_read_keys(yaml, node, GW_PART_WAIVER))
        return false;
    gw_yaml_place_of(node, &out->line, &out->column);
    if (!gw_read_text(yaml, gw_yaml_need(yaml, node, "case"), out->which, sizeof(out->which)) ||
        !gw_read_text(yaml, gw_yaml_need(yaml, node, "owner"), out->owner, sizeof(out->owner)) ||
        !gw_read_text(yaml, gw_yaml_need(yaml, node, "ticket"), out->ticket, sizeof(out->ticket)) ||
        !gw_read_text(yaml, gw_yaml_need(yaml, node, "reason"), out->reason, sizeof(out->reason)) ||
        !gw_read_text(yaml, gw_yaml_need(yaml, node, "text"), out->text, sizeof(out->text)) ||
        !gw_read_text(yaml, gw_yaml_get(node, "firmware"), out->firmware, sizeof(out->firmware)) ||
        (expires = gw_yaml_need(yaml, node, "expires")) == NULL ||
        !gw_read_text(yaml, expires, out->expires, sizeof(out->expires)))
        return false;
    return end_of_day(out->expires, &out->ends_ns) ||
           gw_yaml_fail(yaml, expires, "a day is expected, as 2026-12-31");
}

bool gw_read_waivers(gw_yaml *yaml, const gw_yaml_node *list, gw_board_file *out)
{
    if (list != NULL && !gw_yaml_sequence(yaml, list))
        return false;
    for (const gw_yaml_node *one = gw_yaml_first(list); one != NULL; one = gw_yaml_next(one)) {
        if (out->num_waivers == GW_BOARD_MAX_WAIVERS)
            return gw_yaml_fail(yaml, one, "more than %d waivers", GW_BOARD_MAX_WAIVERS);
        if (!read_waiver(yaml, one, &out->waivers[out->num_waivers++]))
            return false;
    }
    return true;
}
