/* SPDX-License-Identifier: BSD-2-Clause */
/* Writing the certificate: the evidence is complete by then, and is read again from the disk. */
#include "cert/cert.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "cert/catalogue.h"
#include "cert/kept.h"
#include "evidence/clean.h"
#include "evidence/folder.h"
#include "run/store.h"

#define TOOL_MAX (1ull << 30)
#define BOARD_FILE_MAX (16ull << 20)

static json_t *text(const char *s)
{
    char clean[1024];
    return json_string(gw_clean(clean, sizeof(clean), s));
}

static json_t *text_or_null(const char *s)
{
    return s == NULL || s[0] == '\0' ? json_null() : text(s);
}

void gw_cert_comment(char *out, size_t cap, const char *digest)
{
    (void)snprintf(out, cap, "file:%s\tsha256:%s\thashed", GW_CERT_FILE, digest);
}

bool gw_cert_tool_digest(char out[GW_DIGEST_TEXT], uint64_t *size, char *why, size_t why_cap)
{
    /* Where nothing is mounted on /proc, the name that the program was started by will do. */
    const char *started_as = (const char *)getauxval(AT_EXECFN);
    if (gw_digest_path(out, size, "/proc/self/exe", TOOL_MAX, why, why_cap))
        return true;
    return started_as != NULL && gw_digest_path(out, size, started_as, TOOL_MAX, why, why_cap);
}

bool gw_cert_catalogue_digest(char out[GW_DIGEST_TEXT], const gw_suite *suite, const json_t *traces)
{
    size_t len;
    json_t *catalogue = gw_catalogue_of(suite, traces);
    char *canonical = gw_canonical(catalogue, &len);
    json_decref(catalogue);
    if (canonical != NULL)
        gw_digest_bytes(out, canonical, len);
    free(canonical);
    return canonical != NULL;
}

/* ---- the parts ---- */

static json_t *tool_object(char *why, size_t why_cap)
{
    char digest[GW_DIGEST_TEXT];
    char reason[160];
    uint64_t size;
    if (gw_cert_tool_digest(digest, &size, reason, sizeof(reason)))
        return json_pack("{s:s,s:s,s:s,s:I}", "name", "goldwire", "version", GW_VERSION, "sha256",
                         digest, "size", (json_int_t)size);
    (void)snprintf(why, why_cap, "the running program %s", reason);
    return NULL;
}

static json_t *board_file_object(const char *path, char *why, size_t why_cap)
{
    char digest[GW_DIGEST_TEXT];
    char reason[160];
    uint64_t size;
    if (path == NULL)
        return json_null();
    const char *slash = strrchr(path, '/');
    if (gw_digest_path(digest, &size, path, BOARD_FILE_MAX, reason, sizeof(reason)))
        return json_pack("{s:o,s:s,s:I}", "name", text(slash != NULL ? slash + 1 : path), "sha256",
                         digest, "size", (json_int_t)size);
    (void)snprintf(why, why_cap, "%s %s", path, reason);
    return NULL;
}

static json_t *identity_object(const gw_report *report)
{
    const gw_board_file *board = report->setup->board;
    const gw_dialect *dialect = report->setup->dialect;
    const gw_suite *suite = report->setup->suite;
    return json_pack("{s:s,s:s,s:o,s:o,s:o,s:o,s:o,s:o,s:s,s:o}", "role", suite->role, "format",
                     suite->format->name, "firmware_sha256", text_or_null(board->firmware_sha256),
                     "bitstream_sha256", text_or_null(board->bitstream_sha256), "url",
                     text(report->where), "make", text_or_null(board->make), "serial",
                     text_or_null(board->serial), "firmware", text_or_null(board->firmware),
                     "dialect", dialect != NULL ? dialect->name : "strict", "found",
                     text_or_null(report->run->identity));
}

static json_t *run_object(const gw_report *report)
{
    const gw_run *run = report->run;
    char started[32];
    json_t *counts = json_object();
    for (unsigned v = 0; v < GW_NUM_VERDICTS; v++)
        json_object_set_new(counts, gw_verdict_name((gw_verdict)v),
                            json_integer(run->counts.of[v]));
    json_t *untried = json_array();
    for (unsigned i = 0; i < run->counts.untried; i++)
        json_array_append_new(untried, json_string(run->untried[i].what));
    return json_pack("{s:s,s:o,s:s,s:i,s:b,s:o,s:i,s:o}", "started",
                     gw_report_time(run->started_ns, started, sizeof(started)), "seed",
                     json_sprintf("%" PRIu64, report->setup->seed), "outcome",
                     gw_report_headline(report), "exit_code", report->exit_code, "strict",
                     report->strict, "counts", counts, "over_claims", (int)run->counts.over_claims,
                     "untried", untried);
}

static json_t *signer_object(const gw_secret_key *key)
{
    char base64[GW_KEY_TEXT];
    char id[GW_KEY_ID_TEXT];
    if (key == NULL)
        return json_null();
    gw_public_key_text(&key->open, base64);
    gw_public_key_id(&key->open, id);
    return json_pack("{s:s,s:s}", "id", id, "key", base64);
}

/* ---- the files ---- */

typedef struct file_list {
    char **paths;
    size_t num;
    size_t cap;
    const char *wrong; /* what stands in the way, or NULL */
} file_list;

static bool list_file(void *arg, const char *path, bool is_dir, bool is_file)
{
    file_list *list = arg;
    if (is_dir)
        return true;
    if (!is_file || list->num == GW_CERT_MAX_FILES) {
        list->wrong = is_file ? "too many files" : "something that is no ordinary file";
        return false;
    }
    if (list->num == list->cap) {
        size_t cap = list->cap > 0 ? list->cap * 2 : 256;
        char **grown = realloc(list->paths, cap * sizeof(*grown));
        if (grown == NULL) {
            list->wrong = "more than fits in memory";
            return false;
        }
        list->paths = grown;
        list->cap = cap;
    }
    list->paths[list->num] = strdup(path);
    if (list->paths[list->num] == NULL) {
        list->wrong = "more than fits in memory";
        return false;
    }
    list->num++;
    return true;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static json_t *file_object(int folder, const char *path, char *why, size_t why_cap)
{
    int fd;
    uint64_t size;
    char digest[GW_DIGEST_TEXT];
    char reason[160];
    if (gw_folder_file(&fd, &size, folder, path, reason, sizeof(reason)) != GW_FOLDER_OK) {
        (void)snprintf(why, why_cap, "%s %s", path, reason);
        return NULL;
    }
    bool ok = gw_digest_fd(digest, &size, fd, GW_CERT_MAX_FILE_BYTES, reason, sizeof(reason));
    (void)close(fd);
    json_t *object =
        ok ? json_pack("{s:s,s:s,s:I}", "path", path, "sha256", digest, "size", (json_int_t)size)
           : NULL;
    if (object == NULL)
        (void)snprintf(why, why_cap, "%s %s", path, ok ? "has a name that is no text" : reason);
    return object;
}

static json_t *files_array(const char *dir, char *why, size_t why_cap)
{
    file_list list = {0};
    json_t *array = json_array();
    int folder = gw_folder_open(dir, why, why_cap);
    bool ok = folder >= 0 && gw_folder_walk(folder, list_file, &list, why, why_cap);
    if (ok && list.wrong != NULL) {
        (void)snprintf(why, why_cap, "%s holds %s", dir, list.wrong);
        ok = false;
    }
    if (list.num > 0)
        qsort(list.paths, list.num, sizeof(*list.paths), by_name);
    for (size_t i = 0; i < list.num; i++) {
        json_t *one = ok ? file_object(folder, list.paths[i], why, why_cap) : NULL;
        ok = ok && json_array_append_new(array, one) == 0;
        free(list.paths[i]);
    }
    free(list.paths);
    if (folder >= 0)
        (void)close(folder);
    if (ok)
        return array;
    json_decref(array);
    return NULL;
}

/* ---- the certificate ---- */

static bool write_file(const char *dir, const char *name, const char *data, size_t len, char *why,
                       size_t why_cap)
{
    FILE *file = gw_store_open(dir, name, why, why_cap);
    if (file == NULL)
        return false;
    (void)fwrite(data, 1, len, file);
    return gw_store_close(file, name, why, why_cap);
}

static bool write_catalogue(const gw_report *report, char digest[GW_DIGEST_TEXT], char *why,
                            size_t why_cap)
{
    size_t len;
    const char *dir = report->setup->out_dir;
    json_t *traces = gw_kept_json(report);
    json_t *catalogue = gw_catalogue_of(report->setup->suite, traces);
    char *canonical = gw_canonical(catalogue, &len);
    json_decref(catalogue);
    json_decref(traces);
    if (canonical == NULL) {
        (void)snprintf(why, why_cap, "out of memory for the catalogue");
        return false;
    }
    gw_digest_bytes(digest, canonical, len);
    bool ok = write_file(dir, GW_CERT_CATALOGUE_FILE, canonical, len, why, why_cap);
    free(canonical);
    return ok;
}

static bool add(json_t *certificate, const char *name, json_t *value)
{
    return value != NULL && json_object_set_new(certificate, name, value) == 0;
}

static json_t *certificate_of(const gw_report *report, const gw_secret_key *key, char *why,
                              size_t why_cap)
{
    const char *dir = report->setup->out_dir;
    char digest[GW_DIGEST_TEXT];
    json_t *c = json_object();
    if (write_catalogue(report, digest, why, why_cap) &&
        add(c, "schema", json_string(GW_CERT_SCHEMA)) &&
        add(c, "tool", tool_object(why, why_cap)) &&
        add(c, "catalogue",
            json_pack("{s:s,s:s}", "path", GW_CERT_CATALOGUE_FILE, "sha256", digest)) &&
        add(c, "board_file", board_file_object(report->board_path, why, why_cap)) &&
        add(c, "identity", identity_object(report)) && add(c, "run", run_object(report)) &&
        add(c, "proof", report->proof != NULL ? gw_selfproof_json(report->proof) : json_null()) &&
        add(c, "signer", signer_object(key)) && add(c, "traces", gw_kept_json(report)) &&
        add(c, "files", files_array(dir, why, why_cap)))
        return c;
    json_decref(c);
    return NULL;
}

static bool write_beside(const char *dir, const char *digest, const gw_secret_key *key,
                         const char *certificate, size_t len, char *why, size_t why_cap)
{
    char sum[GW_DIGEST_TEXT + 32];
    char comment[160];
    char signature[GW_SIGNATURE_TEXT];
    int sum_len = snprintf(sum, sizeof(sum), "%s  %s\n", digest, GW_CERT_FILE);
    if (!write_file(dir, GW_CERT_DIGEST_FILE, sum, (size_t)sum_len, why, why_cap))
        return false;
    if (key == NULL)
        return true;
    gw_cert_comment(comment, sizeof(comment), digest);
    gw_sign(key, certificate, len, comment, signature);
    return write_file(dir, GW_CERT_SIGNATURE_FILE, signature, strlen(signature), why, why_cap);
}

bool gw_cert_store(char digest[GW_DIGEST_TEXT], const gw_report *report, const gw_secret_key *key,
                   char *why, size_t why_cap)
{
    const char *dir = report->setup->out_dir;
    size_t len;
    (void)snprintf(why, why_cap, "out of memory for the certificate");
    json_t *c = certificate_of(report, key, why, why_cap);
    char *canonical = c != NULL ? gw_canonical(c, &len) : NULL;
    json_decref(c);
    if (canonical == NULL)
        return false;
    gw_digest_bytes(digest, canonical, len);
    bool ok = write_file(dir, GW_CERT_FILE, canonical, len, why, why_cap) &&
              write_beside(dir, digest, key, canonical, len, why, why_cap);
    free(canonical);
    return ok;
}
