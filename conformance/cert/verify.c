/* SPDX-License-Identifier: BSD-2-Clause */
/* Checking a certificate. */
#include "cert/verify.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cert/catalogue.h"
#include "cert/cert.h"
#include "evidence/folder.h"
#include "run/store.h"

#define MAX_TROUBLES 200   /* told one by one */
#define MAX_STRANGERS 4096 /* things looked at that the certificate does not know */

typedef struct verifier {
    gw_verification *out;
    int folder;
    gw_cert_trouble_fn say;
    void *arg;
    char *text; /* cert.json */
    size_t len;
    const char **paths; /* that it names, in their order */
    size_t num_paths;
    size_t num_strangers;
} verifier;

const char *gw_cert_trouble_name(gw_cert_trouble trouble)
{
    static const char *const names[GW_CERT_NUM_TROUBLES] = {"changed", "missing", "added", "broken",
                                                            "foreign"};
    return (unsigned)trouble < GW_CERT_NUM_TROUBLES ? names[trouble] : "?";
}

GW_PRINTF(4, 5)
static void complain(verifier *v, gw_cert_trouble trouble, const char *path, const char *fmt, ...)
{
    char text[256];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);
    if (v->out->num_troubles++ < MAX_TROUBLES)
        v->say(v->arg, trouble, path, text);
}

static void complain_of_file(verifier *v, gw_folder_status status, const char *path,
                             const char *text)
{
    complain(v, status == GW_FOLDER_OK ? GW_CERT_CHANGED : GW_CERT_GONE, path, "%s", text);
}

/* ---- cert.json and what stands beside it ---- */

static void check_digest_file(verifier *v)
{
    char want[GW_DIGEST_TEXT + 32];
    char why[160];
    char *sum;
    size_t len;
    gw_folder_status status =
        gw_folder_read(&sum, &len, v->folder, GW_CERT_DIGEST_FILE, sizeof(want), why, sizeof(why));
    if (status != GW_FOLDER_OK) {
        complain_of_file(v, status, GW_CERT_DIGEST_FILE, why);
        return;
    }
    (void)snprintf(want, sizeof(want), "%s  %s\n", v->out->digest, GW_CERT_FILE);
    if (len != strlen(want) || memcmp(sum, want, len) != 0)
        complain(v, GW_CERT_CHANGED, GW_CERT_FILE, "it or %s: they do not belong together",
                 GW_CERT_DIGEST_FILE);
    free(sum);
}

/* A certificate has one spelling, so that no byte of it is without meaning. */
static bool parse(verifier *v)
{
    static const char *const members[] = {"tool",  "catalogue", "board_file", "identity", "run",
                                          "proof", "signer",    "traces",     "files"};
    json_error_t error;
    size_t len = 0;
    json_t *root = json_loadb(v->text, v->len, JSON_REJECT_DUPLICATES, &error);
    if (root == NULL) {
        complain(v, GW_CERT_BROKEN, GW_CERT_FILE, "byte %d: %s", error.position, error.text);
        return false;
    }
    v->out->certificate = root;
    char *again = gw_canonical(root, &len);
    bool same = again != NULL && len == v->len && memcmp(again, v->text, len) == 0;
    free(again);
    if (!same)
        complain(v, GW_CERT_BROKEN, GW_CERT_FILE, "is not canonical JSON");
    for (size_t i = 0; i < GW_ARRAY_LEN(members); i++)
        if (json_object_get(root, members[i]) == NULL)
            complain(v, GW_CERT_BROKEN, GW_CERT_FILE, "does not say anything of \"%s\"",
                     members[i]);
    const char *schema = json_string_value(json_object_get(root, "schema"));
    bool known = schema != NULL && strcmp(schema, GW_CERT_SCHEMA) == 0;
    if (!known)
        complain(v, GW_CERT_BROKEN, GW_CERT_FILE, "is no " GW_CERT_SCHEMA);
    return known;
}

/* ---- the signature ---- */

static bool same_key(const gw_public_key *a, const gw_public_key *b)
{
    return memcmp(a->id, b->id, sizeof(a->id)) == 0 &&
           memcmp(a->bytes, b->bytes, sizeof(a->bytes)) == 0;
}

static void check_signature_file(verifier *v)
{
    char comment[160];
    char why[160];
    char *signature;
    size_t len;
    gw_folder_status status = gw_folder_read(&signature, &len, v->folder, GW_CERT_SIGNATURE_FILE,
                                             GW_SIGNATURE_TEXT, why, sizeof(why));
    if (status != GW_FOLDER_OK) {
        complain_of_file(v, status, GW_CERT_SIGNATURE_FILE, why);
        return;
    }
    gw_cert_comment(comment, sizeof(comment), v->out->digest);
    if (len != strlen(signature) ||
        !gw_signature_holds(&v->out->signer, v->text, v->len, comment, signature))
        complain(v, GW_CERT_FOREIGN, GW_CERT_SIGNATURE_FILE,
                 "is not the signer's signature of this certificate");
    free(signature);
}

static void check_signer(verifier *v, const gw_public_key *key)
{
    json_t *signer = json_object_get(v->out->certificate, "signer");
    const char *base64 = json_string_value(json_object_get(signer, "key"));
    const char *id = json_string_value(json_object_get(signer, "id"));
    char id_text[GW_KEY_ID_TEXT] = "";
    if (json_is_null(signer)) {
        if (key != NULL)
            complain(v, GW_CERT_FOREIGN, GW_CERT_FILE, "is unsigned, and a signer's key was given");
        return;
    }
    if (base64 == NULL || id == NULL || !gw_public_key_parse(&v->out->signer, base64)) {
        complain(v, GW_CERT_BROKEN, GW_CERT_FILE, "does not say who signed it");
        return;
    }
    v->out->is_signed = true;
    gw_public_key_id(&v->out->signer, id_text);
    if (strcmp(id, id_text) != 0)
        complain(v, GW_CERT_BROKEN, GW_CERT_FILE, "the signer's key is not number %s", id_text);
    if (key != NULL && !same_key(key, &v->out->signer))
        complain(v, GW_CERT_FOREIGN, GW_CERT_FILE,
                 "is signed with key %s, which is not the key that was given", id_text);
    check_signature_file(v);
}

/* ---- the files ---- */

static bool read_entry(const json_t *entry, const char **path, const char **digest, uint64_t *size)
{
    const json_t *bytes = json_object_get(entry, "size");
    *path = json_string_value(json_object_get(entry, "path"));
    *digest = json_string_value(json_object_get(entry, "sha256"));
    *size = (uint64_t)json_integer_value(bytes);
    return *path != NULL && *digest != NULL && json_is_integer(bytes) &&
           json_integer_value(bytes) >= 0 && gw_folder_path_is_plain(*path) &&
           gw_digest_is(*digest);
}

static void check_file(verifier *v, const char *path, const char *digest, uint64_t size)
{
    char found[GW_DIGEST_TEXT];
    char why[160];
    uint64_t found_size;
    int fd;
    gw_folder_status status = gw_folder_file(&fd, &found_size, v->folder, path, why, sizeof(why));
    if (status != GW_FOLDER_OK) {
        complain_of_file(v, status, path, why);
        return;
    }
    if (found_size != size)
        complain(v, GW_CERT_CHANGED, path, "has %" PRIu64 " bytes, and had %" PRIu64, found_size,
                 size);
    else if (size > GW_CERT_MAX_FILE_BYTES)
        complain(v, GW_CERT_CHANGED, path, "is too large for evidence, and was not read");
    else if (!gw_digest_fd(found, &found_size, fd, GW_CERT_MAX_FILE_BYTES, why, sizeof(why)))
        complain(v, GW_CERT_CHANGED, path, "%s", why);
    else if (strcmp(found, digest) != 0)
        complain(v, GW_CERT_CHANGED, path, "other bytes than it had");
    (void)close(fd);
    v->out->num_bytes += found_size;
}

static bool is_beside(const char *path)
{
    return strcmp(path, GW_CERT_FILE) == 0 || strcmp(path, GW_CERT_DIGEST_FILE) == 0 ||
           strcmp(path, GW_CERT_SIGNATURE_FILE) == 0;
}

static void check_files(verifier *v)
{
    json_t *files = json_object_get(v->out->certificate, "files");
    size_t num = json_array_size(files);
    if (!json_is_array(files) || num > GW_CERT_MAX_FILES) {
        complain(v, GW_CERT_BROKEN, GW_CERT_FILE, "has no list of files, or one too long");
        return;
    }
    v->paths = calloc(num + 1, sizeof(*v->paths));
    if (v->paths == NULL) {
        complain(v, GW_CERT_BROKEN, GW_CERT_FILE, "out of memory for %zu files", num);
        return;
    }
    for (size_t i = 0; i < num; i++) {
        const char *path;
        const char *digest;
        uint64_t size;
        bool ok = read_entry(json_array_get(files, i), &path, &digest, &size) && !is_beside(path);
        if (!ok || (i > 0 && strcmp(v->paths[v->num_paths - 1], path) >= 0)) {
            complain(v, GW_CERT_BROKEN, GW_CERT_FILE, "entry %zu of its files makes no sense",
                     i + 1);
            return;
        }
        v->paths[v->num_paths++] = path;
        check_file(v, path, digest, size);
    }
    v->out->num_files = num;
}

/* A trace is a file like the others; that its case is tied to that very file has to agree. */
static bool is_kept(const json_t *files, const json_t *trace)
{
    size_t i;
    json_t *file;
    json_array_foreach(files, i, file)
    {
        if (json_equal(json_object_get(file, "path"), json_object_get(trace, "path")))
            return json_equal(json_object_get(file, "sha256"), json_object_get(trace, "sha256"));
    }
    return false;
}

static void check_traces(verifier *v)
{
    const json_t *files = json_object_get(v->out->certificate, "files");
    const json_t *traces = json_object_get(v->out->certificate, "traces");
    size_t i;
    json_t *trace;
    if (json_array_size(traces) > MAX_TROUBLES) {
        complain(v, GW_CERT_BROKEN, GW_CERT_FILE, "has more traces than a run takes");
        return;
    }
    json_array_foreach(traces, i, trace)
    {
        if (json_object_get(trace, "path") == NULL || !is_kept(files, trace))
            complain(v, GW_CERT_BROKEN, GW_CERT_FILE, "trace %zu is none of its files", i + 1);
    }
}

static int by_name(const void *key, const void *element)
{
    return strcmp(key, *(const char *const *)element);
}

static bool look_for_strangers(void *arg, const char *path, bool is_dir, bool is_file)
{
    verifier *v = arg;
    bool known =
        is_beside(path) && (strcmp(path, GW_CERT_SIGNATURE_FILE) != 0 || v->out->is_signed);
    if (!known && v->paths != NULL)
        known = bsearch(path, v->paths, v->num_paths, sizeof(*v->paths), by_name) != NULL;
    /* A later run that has not finished is no part of what is certified. */
    bool later = strncmp(path, GW_STORE_UNFINISHED "/", strlen(GW_STORE_UNFINISHED "/")) == 0;
    if ((known && is_file) || (later && !known))
        return true;
    if (!is_dir && !known)
        complain(v, GW_CERT_ADDED, path,
                 is_file ? "the certificate does not know this file"
                         : "neither a file nor a folder");
    return ++v->num_strangers < MAX_STRANGERS;
}

static void check_strangers(verifier *v)
{
    char why[GW_FOLDER_PATH + 160];
    if (!gw_folder_walk(v->folder, look_for_strangers, v, why, sizeof(why)))
        complain(v, GW_CERT_ADDED, ".", "%.200s", why);
    else if (v->num_strangers >= MAX_STRANGERS)
        complain(v, GW_CERT_ADDED, ".", "more than %d files and folders that are unknown",
                 MAX_STRANGERS);
}

/* ---- all of it ---- */

static void check(verifier *v, const char *digest, const gw_public_key *key)
{
    gw_digest_bytes(v->out->digest, v->text, v->len);
    if (digest != NULL && strcmp(digest, v->out->digest) != 0)
        complain(v, GW_CERT_FOREIGN, GW_CERT_FILE, "has another digest than was given");
    check_digest_file(v);
    if (!parse(v))
        return;
    check_signer(v, key);
    check_files(v);
    check_traces(v);
    check_strangers(v);
}

bool gw_cert_verify(gw_verification *out, const char *dir, const char *digest,
                    const gw_public_key *key, gw_cert_trouble_fn say, void *arg, char *why,
                    size_t why_cap)
{
    char reason[160];
    memset(out, 0, sizeof(*out));
    verifier v = {.out = out, .say = say, .arg = arg};
    v.folder = gw_folder_open(dir, reason, sizeof(reason));
    if (v.folder < 0) {
        (void)snprintf(why, why_cap, "%s: %s", dir, reason);
        return false;
    }
    gw_folder_status status = gw_folder_read(&v.text, &v.len, v.folder, GW_CERT_FILE,
                                             GW_CERT_MAX_BYTES, reason, sizeof(reason));
    if (status == GW_FOLDER_OK)
        check(&v, digest, key);
    else
        (void)snprintf(why, why_cap, "%s/%s %s; `goldwire certify --out' writes one", dir,
                       GW_CERT_FILE, reason);
    (void)close(v.folder);
    free(v.paths);
    free(v.text);
    return status == GW_FOLDER_OK;
}

void gw_verification_free(gw_verification *verification)
{
    json_decref(verification->certificate);
    verification->certificate = NULL;
}
