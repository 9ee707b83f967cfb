/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the options that say which board, and how to reach it. */
#include "cli/board_options.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/board.h"

#define LONGEST_WAIT_S 86400

uint64_t gw_option_number(const struct argp_state *state, const char *name, const char *text,
                          uint64_t least, uint64_t most)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 0);
    /* strtoull takes spaces and signs as well. */
    if (!isdigit((unsigned char)text[0]) || errno != 0 || *end != '\0' || value < least ||
        value > most)
        argp_error(state, "--%s is a number from %" PRIu64 " to %" PRIu64 ", not '%s'", name, least,
                   most, text);
    return value;
}

static void add(const struct argp_state *state, const char *name, const char **list, size_t *num,
                size_t max, const char *arg)
{
    if (*num == max)
        argp_error(state, "more than %zu --%s", max, name);
    list[(*num)++] = arg;
}

error_t gw_board_option(gw_certify_options *o, int key, char *arg, struct argp_state *state)
{
    switch (key) {
    case GW_OPTION_DUT:
        add(state, "dut", o->duts, &o->num_duts, GW_CERTIFY_MAX_URLS, arg);
        return 0;
    case GW_OPTION_SERVE:
        o->serve = arg;
        return 0;
    case GW_OPTION_BOARD_FILE:
        o->board_path = arg;
        return 0;
    case GW_OPTION_DIALECT:
        o->dialect = arg;
        return 0;
    case GW_OPTION_HOOKS:
        o->hooks = true;
        return 0;
    case GW_OPTION_PACE:
        o->spin = strcmp(arg, "spin") == 0;
        if (!o->spin && strcmp(arg, "sleep") != 0)
            argp_error(state, "--pace is sleep or spin, not '%s'", arg);
        return 0;
    case GW_OPTION_PATIENCE:
        o->patience = (uint32_t)gw_option_number(state, "patience", arg, 1, GW_BOARD_PATIENCE_MAX);
        return 0;
    case GW_OPTION_SEED:
        o->seed = gw_option_number(state, "seed", arg, 0, INT64_MAX);
        return 0;
    case GW_OPTION_WAIT:
        o->wait_s = gw_option_number(state, "wait", arg, 1, LONGEST_WAIT_S);
        return 0;
    case 'r':
        o->role = arg;
        return 0;
    case 'c':
        add(state, "case", o->globs, &o->num_globs, GW_CERTIFY_MAX_GLOBS, arg);
        return 0;
    case 'o':
        o->out_dir = arg;
        return 0;
    case 'j':
        o->json = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}
