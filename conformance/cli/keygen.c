/* SPDX-License-Identifier: BSD-2-Clause */
/* goldwire keygen: a pair of keys to sign certificates with. */
#include <argp.h>
#include <stdio.h>

#include <jansson.h>

#include "cert/keys.h"
#include "cli/verb.h"
#include "evidence/clean.h"

typedef struct keygen_options {
    const char *name;
    bool json;
} keygen_options;

static const char doc[] =
    "Make a pair of keys that sign certificates.\v"
    "NAME.key is the secret key, for `certify --sign'; only its owner may read it. NAME.pub is for "
    "everybody who wants to `verify --key'. Both are minisign's, without a password. Existing "
    "files are left alone.";

static const struct argp_option options[] = {
    {"json", 'j', 0, 0, "print one JSON object", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    keygen_options *o = state->input;
    switch (key) {
    case 'j':
        o->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (o->name != NULL)
            argp_error(state, "'%s' is too much", arg);
        o->name = arg;
        return 0;
    case ARGP_KEY_END:
        if (o->name == NULL || o->name[0] == '\0')
            argp_error(state, "a name for the two files?");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int run(int argc, char **argv)
{
    static const struct argp argp = {options, parse, "NAME", doc, NULL, NULL, NULL};
    keygen_options o = {0};
    gw_public_key key;
    char why[512] = "";
    char id[GW_KEY_ID_TEXT];
    char base64[GW_KEY_TEXT];
    gw_verb_parse(&argp, argc, argv, &o);
    if (!gw_keys_make(&key, o.name, why, sizeof(why))) {
        fprintf(stderr, "goldwire keygen: %s\n", why);
        return GW_EXIT_USAGE;
    }
    gw_public_key_id(&key, id);
    gw_public_key_text(&key, base64);
    if (o.json) {
        json_t *object = json_pack("{s:s,s:s}", "id", id, "key", base64);
        json_dumpf(object, stdout, JSON_COMPACT);
        printf("\n");
        json_decref(object);
    } else {
        gw_put_plain(stdout, o.name);
        printf(".key is secret, ");
        gw_put_plain(stdout, o.name);
        printf(".pub is for everybody\nkey %s: %s\n", id, base64);
    }
    return GW_EXIT_OK;
}

const gw_verb gw_verb_keygen = {"keygen", "make a pair of keys that sign certificates", run};
