/* SPDX-License-Identifier: BSD-2-Clause */
/* goldwire verify: whether anything in the folder of a run changed since it was certified. */
#include <argp.h>
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cert/cert.h"
#include "cert/verify.h"
#include "cli/verb.h"
#include "evidence/clean.h"

typedef struct verify_options {
    const char *dir;
    const char *key;
    char digest[GW_DIGEST_TEXT];
    bool json;
    json_t *troubles;
} verify_options;

static void say(void *arg, gw_cert_trouble trouble, const char *path, const char *text)
{
    verify_options *o = arg;
    char clean[1024];
    if (o->json) {
        json_array_append_new(
            o->troubles, json_pack("{s:s,s:s,s:s}", "kind", gw_cert_trouble_name(trouble), "path",
                                   gw_clean(clean, sizeof(clean), path), "text", text));
        return;
    }
    printf("%s: ", gw_cert_trouble_name(trouble));
    gw_put_plain(stdout, path);
    printf(": ");
    gw_put_plain(stdout, text);
    printf("\n");
}

/* ---- what the certificate says of the run, and of this program ---- */

static const char *member(const gw_verification *v, const char *object, const char *name)
{
    const char *text =
        json_string_value(json_object_get(json_object_get(v->certificate, object), name));
    return text != NULL ? text : "?";
}

/* The tool and the catalogue are not in the folder; this program knows its own. */
static bool same_tool(const gw_verification *v)
{
    char digest[GW_DIGEST_TEXT];
    char why[160];
    uint64_t size;
    return gw_cert_tool_digest(digest, &size, why, sizeof(why)) &&
           strcmp(digest, member(v, "tool", "sha256")) == 0;
}

static bool same_catalogue(const gw_verification *v)
{
    char digest[GW_DIGEST_TEXT];
    const gw_suite *suite = gw_suite_by_role(member(v, "identity", "role"));
    return suite != NULL &&
           gw_cert_catalogue_digest(digest, suite, json_object_get(v->certificate, "traces")) &&
           strcmp(digest, member(v, "catalogue", "sha256")) == 0;
}

/* Writes |before|, then what the certificate says. */
static void put(const gw_verification *v, const char *before, const char *object, const char *name)
{
    fputs(before, stdout);
    gw_put_plain(stdout, member(v, object, name));
}

static void print_run(const gw_verification *v)
{
    put(v, "run: ", "run", "outcome");
    put(v, ", ", "identity", "role");
    put(v, " at ", "identity", "url");
    put(v, ", ", "run", "started");
    put(v, "\nboard: ", "identity", "make");
    put(v, ", serial ", "identity", "serial");
    put(v, ", firmware ", "identity", "firmware");
    put(v, "\ntool: goldwire ", "tool", "version");
    printf(", %s; its catalogue is %s\n", same_tool(v) ? "this very program" : "another program",
           same_catalogue(v) ? "this one's" : "another");
    printf("files: %zu, %" PRIu64 " bytes\n", v->num_files, v->num_bytes);
}

static void print_signature(const gw_verification *v, const verify_options *o)
{
    char id[GW_KEY_ID_TEXT];
    gw_public_key_id(&v->signer, id);
    if (!v->is_signed)
        printf("unsigned: %s\n",
               o->digest[0] != '\0'
                   ? "it stands and falls with the digest that was given"
                   : "whoever can write the folder can write a new certificate; compare the digest "
                     "with the one that certify printed (--digest)");
    else if (o->key == NULL)
        printf("signed with key %s; whose it is only --key can tell\n", id);
    else
        printf("signed with key %s, the one that was given\n", id);
}

static void print_text(const gw_verification *v, const verify_options *o)
{
    if (v->certificate != NULL && v->num_troubles == 0)
        print_run(v);
    printf("digest: sha256:%s\n", v->digest);
    if (v->num_troubles > 0) {
        printf("NOT VERIFIED: %zu difference%s\n", v->num_troubles,
               v->num_troubles == 1 ? "" : "s");
        return;
    }
    print_signature(v, o);
    printf("VERIFIED: the evidence is what was certified\n");
}

static void print_json(const gw_verification *v, const verify_options *o)
{
    char id[GW_KEY_ID_TEXT];
    gw_public_key_id(&v->signer, id);
    json_t *object = json_pack(
        "{s:b,s:s,s:o,s:b,s:b,s:I,s:I,s:o}", "verified", v->num_troubles == 0, "digest", v->digest,
        "signed_by", v->is_signed ? json_string(id) : json_null(), "same_tool", same_tool(v),
        "same_catalogue", same_catalogue(v), "files", (json_int_t)v->num_files, "differences",
        (json_int_t)v->num_troubles, "listed", json_incref(o->troubles));
    json_object_set(object, "run", json_object_get(v->certificate, "run"));
    json_object_set(object, "identity", json_object_get(v->certificate, "identity"));
    json_dumpf(object, stdout, JSON_INDENT(1));
    printf("\n");
    json_decref(object);
}

/* ---- the verb ---- */

static const char doc[] =
    "Check that no byte of a run's evidence changed since it was certified.\v"
    "DIR is the folder that `certify --out' wrote. Every file that changed, is missing or was "
    "added is named. Exit code 0: nothing changed; 1: something did, or signature, key or digest "
    "are others; 2: there is no certificate to check.";

static const struct argp_option options[] = {
    {"digest", 'd', "HEX", 0, "the SHA-256 that certify printed, 64 digits", 0},
    {"key", 'k', "PUB", 0, "the signer's public key: a file, or its 56 characters", 0},
    {"json", 'j', 0, 0, "print one JSON object", 0},
    {0},
};

/* Takes what certify prints, with its "sha256:" or without. */
static void take_digest(verify_options *o, const char *text, struct argp_state *state)
{
    if (strncmp(text, "sha256:", 7) == 0)
        text += 7;
    (void)snprintf(o->digest, sizeof(o->digest), "%s", text);
    for (char *p = o->digest; *p != '\0'; p++)
        *p = (char)tolower((unsigned char)*p);
    if (strlen(text) >= sizeof(o->digest) || !gw_digest_is(o->digest))
        argp_error(state, "--digest wants 64 hexadecimal digits, not '%.80s'", text);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    verify_options *o = state->input;
    switch (key) {
    case 'd':
        take_digest(o, arg, state);
        return 0;
    case 'k':
        o->key = arg;
        return 0;
    case 'j':
        o->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (o->dir != NULL)
            argp_error(state, "'%s' is too much", arg);
        o->dir = arg;
        return 0;
    case ARGP_KEY_END:
        if (o->dir == NULL)
            argp_error(state, "which folder?");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int verify(verify_options *o)
{
    gw_public_key key;
    gw_verification v;
    char why[512] = "";
    bool ok = o->key == NULL || gw_public_key_load(&key, o->key, why, sizeof(why));
    ok = ok && gw_cert_verify(&v, o->dir, o->digest[0] != '\0' ? o->digest : NULL,
                              o->key != NULL ? &key : NULL, say, o, why, sizeof(why));
    if (!ok) {
        fputs("goldwire verify: ", stderr);
        gw_put_plain(stderr, why);
        fputs("\n", stderr);
        return GW_EXIT_USAGE;
    }
    (o->json ? print_json : print_text)(&v, o);
    int code = v.num_troubles == 0 ? GW_EXIT_OK : GW_EXIT_FAIL;
    gw_verification_free(&v);
    return code;
}

static int run(int argc, char **argv)
{
    static const struct argp argp = {options, parse, "DIR", doc, NULL, NULL, NULL};
    verify_options o = {0};
    gw_verb_parse(&argp, argc, argv, &o);
    o.troubles = json_array();
    int code = verify(&o);
    json_decref(o.troubles);
    return code;
}

const gw_verb gw_verb_verify = {"verify", "check that no byte of a run's evidence changed", run};
