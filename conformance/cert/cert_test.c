/* SPDX-License-Identifier: BSD-2-Clause */
/* Certificates: what is sealed verifies, and nothing else does. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "cert/cert.h"
#include "cert/kept.h"
#include "cert/verify.h"
#include "device/dut.h"
#include "evidence/folder.h"
#include "formats/builtin.h"
#include "harness/temporary_testing.h"
#include "run/select.h"
#include "run/store.h"

#define MAX_PATHS 128

/* A run of a few cases, kept and sealed in a folder of its own. */
typedef struct fixture {
    char dir[64];
    char out[96];
    char digest[GW_DIGEST_TEXT];
    gw_secret_key key;
    char trace[96];                        /* to be kept as well; "": none */
    char paths[MAX_PATHS][GW_FOLDER_PATH]; /* everything in it */
    size_t num_paths;
    /* of the last verification */
    size_t num_troubles;
    size_t num_broken; /* of these, about cert.json itself */
    gw_cert_trouble first;
    char first_path[GW_FOLDER_PATH];
    bool named; /* a trouble named |wanted| */
    const char *wanted;
} fixture;

static bool note_path(void *arg, const char *path, bool is_dir, bool is_file)
{
    fixture *f = arg;
    if (is_dir)
        return true;
    assert_true(is_file);
    assert_true(f->num_paths < MAX_PATHS);
    (void)snprintf(f->paths[f->num_paths++], GW_FOLDER_PATH, "%s", path);
    return true;
}

static void list_paths(fixture *f)
{
    char why[256];
    int folder = gw_folder_open(f->out, why, sizeof(why));
    assert_true(folder >= 0);
    f->num_paths = 0;
    assert_true(gw_folder_walk(folder, note_path, f, why, sizeof(why)));
    assert_int_equal(close(folder), 0);
}

/* Keeps the fixture's trace, as a run that has replayed it does. */
static size_t keep_trace(const fixture *f, const char *into, gw_kept_trace *kept)
{
    static const char *const no_rules[] = {NULL};
    static const gw_case one = {.id = "trace/lab", .title = "as recorded", .rules = no_rules};
    char digest[GW_DIGEST_TEXT];
    char why[512] = "";
    if (f->trace[0] == '\0')
        return 0;
    assert_true(gw_kept_digest(digest, f->trace, why, sizeof(why)));
    if (!gw_kept_copy(kept, into, &one, f->trace, digest, why, sizeof(why)))
        fail_msg("%s", why);
    return 1;
}

static void seal(fixture *f, const char *const *globs, size_t num_globs, bool sign)
{
    gw_case_list selection;
    gw_run run;
    char why[512] = "";
    gw_kept_trace kept;
    const gw_suite *suite = gw_suite_by_role("etherbone-slave");
    gw_dut *dut =
        gw_dut_in_memory(gw_board_by_role("etherbone-slave"), NULL, false, why, sizeof(why));
    assert_non_null(dut);
    assert_true(gw_select(&selection, suite, globs, num_globs));
    char into[256];
    if (!gw_store_prepare(into, sizeof(into), f->out, why, sizeof(why)))
        fail_msg("%s", why);
    gw_run_setup setup = {.suite = suite,
                          .board = gw_builtin_board("etherbone-slave"),
                          .target = gw_dut_target(dut),
                          .cases = selection.cases,
                          .num_cases = selection.num,
                          .out_dir = into,
                          .seed = 1};
    assert_true(gw_run_cases(&run, &setup, why, sizeof(why)));
    gw_report report = {.run = &run,
                        .setup = &setup,
                        .where = "here",
                        .call = "--dut here",
                        .traces = &kept,
                        .num_traces = keep_trace(f, into, &kept)};
    assert_true(gw_report_store(&report, why, sizeof(why)));
    if (!gw_cert_store(f->digest, &report, sign ? &f->key : NULL, why, sizeof(why)))
        fail_msg("%s", why);
    if (!gw_store_finish(f->out, why, sizeof(why)))
        fail_msg("%s", why);
    gw_run_free(&run);
    gw_case_list_free(&selection);
    gw_dut_close(dut);
    list_paths(f);
}

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    char why[256];
    char name[128];
    char file[160];
    gw_public_key open;
    gw_temporary folder;
    assert_true(gw_temporary_folder(&folder));
    (void)snprintf(f->dir, sizeof(f->dir), "%s", folder.path);
    (void)snprintf(f->out, sizeof(f->out), "%s/out", f->dir);
    (void)snprintf(name, sizeof(name), "%s/lab", f->dir);
    (void)snprintf(file, sizeof(file), "%s.key", name);
    assert_true(gw_keys_make(&open, name, why, sizeof(why)));
    if (!gw_secret_key_load(&f->key, file, why, sizeof(why)))
        fail_msg("%s", why);
    assert_memory_equal(&open, &f->key.open, sizeof(open));
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    char command[160];
    (void)snprintf(command, sizeof(command), "rm -rf '%s'", f->dir);
    int code = system(command); /* NOLINT(cert-env33-c): a test's own folder */
    free(f);
    return code;
}

static void note_trouble(void *arg, gw_cert_trouble trouble, const char *path, const char *text)
{
    fixture *f = arg;
    assert_true(strlen(text) > 0);
    if (f->wanted != NULL && strcmp(path, f->wanted) == 0)
        f->named = true;
    f->num_broken += trouble == GW_CERT_BROKEN;
    if (f->num_troubles++ > 0)
        return;
    f->first = trouble;
    (void)snprintf(f->first_path, sizeof(f->first_path), "%s", path);
}

/* Whether the folder verifies; what does not is in |f|. */
static bool holds(fixture *f, const char *digest, const gw_public_key *key)
{
    gw_verification v;
    char why[512] = "";
    f->num_troubles = 0;
    f->num_broken = 0;
    f->named = false;
    if (!gw_cert_verify(&v, f->out, digest, key, note_trouble, f, why, sizeof(why)))
        fail_msg("%s", why);
    assert_int_equal(v.num_troubles, f->num_troubles);
    gw_verification_free(&v);
    return f->num_troubles == 0;
}

static void full_path(const fixture *f, const char *name, char *out, size_t cap)
{
    (void)snprintf(out, cap, "%s/%s", f->out, name);
}

static void put_file(const fixture *f, const char *name, const char *data, size_t len)
{
    char path[1024];
    full_path(f, name, path, sizeof(path));
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, len, file), len);
    assert_int_equal(fclose(file), 0);
}

static char *get_file(const fixture *f, const char *name, size_t *len)
{
    char why[256];
    char *data;
    int folder = gw_folder_open(f->out, why, sizeof(why));
    assert_true(folder >= 0);
    assert_int_equal(gw_folder_read(&data, len, folder, name, 1 << 24, why, sizeof(why)),
                     GW_FOLDER_OK);
    assert_int_equal(close(folder), 0);
    return data;
}

static void what_is_sealed_holds(void **state)
{
    fixture *f = *state;
    gw_public_key other = f->key.open;
    other.bytes[3] ^= 1;
    seal(f, GW_LIST("eb-s/probe*"), 1, false);
    assert_true(holds(f, NULL, NULL));
    assert_true(holds(f, f->digest, NULL));
    assert_false(holds(f, f->digest, &f->key.open));
    assert_int_equal(f->first, GW_CERT_FOREIGN);
    seal(f, GW_LIST("eb-s/probe*"), 1, true);
    assert_true(holds(f, NULL, NULL));
    assert_true(holds(f, f->digest, &f->key.open));
    assert_false(holds(f, NULL, &other));
    f->digest[0] = f->digest[0] == '0' ? '1' : '0';
    assert_false(holds(f, f->digest, NULL));
    assert_int_equal(f->first, GW_CERT_FOREIGN);
}

static void put_byte(const fixture *f, const char *name, size_t at, char byte)
{
    char path[1024];
    full_path(f, name, path, sizeof(path));
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    assert_true(fd >= 0);
    assert_int_equal(pwrite(fd, &byte, 1, (off_t)at), 1);
    assert_int_equal(close(fd), 0);
}

/* Flips a bit of the byte at |at| of |name|, which holds |data|, and expects the file to be named.
 */
static void flip(fixture *f, const char *name, const char *data, size_t at)
{
    bool beside = strncmp(name, "cert.", 5) == 0;
    put_byte(f, name, at, (char)(data[at] ^ (1 << at % 8)));
    f->wanted = name;
    if (holds(f, NULL, NULL))
        fail_msg("%s: byte %zu flipped, and nobody saw it", name, at);
    if (!beside && (!f->named || f->num_troubles != 1))
        fail_msg("%s: byte %zu flipped, and %s is blamed", name, at, f->first_path);
    f->wanted = NULL;
    put_byte(f, name, at, data[at]);
}

/* Flips at |places| bytes spread over each file, its first and its last too. */
static void flip_everywhere(fixture *f, size_t places)
{
    assert_true(places > 1);
    for (size_t i = 0; i < f->num_paths; i++) {
        size_t len;
        char *data = get_file(f, f->paths[i], &len);
        assert_true(len > 1);
        for (size_t n = 0; n < places; n++)
            flip(f, f->paths[i], data, n * (len - 1) / (places - 1));
        free(data);
    }
    assert_true(holds(f, f->digest, NULL));
}

/* Every byte, of the files that can be read in this time. */
static void every_byte_counts(void **state)
{
    fixture *f = *state;
    for (int sign = 0; sign < 2; sign++) {
        seal(f, GW_LIST("eb-s/probe-echo"), 1, sign != 0);
        assert_true(f->num_paths >= 7);
        for (size_t i = 0; i < f->num_paths; i++) {
            size_t len;
            char *data = get_file(f, f->paths[i], &len);
            for (size_t at = 0; at < len && len < 4096; at++)
                flip(f, f->paths[i], data, at);
            free(data);
        }
        flip_everywhere(f, 100);
    }
}

static void every_file_of_a_whole_run_counts(void **state)
{
    fixture *f = *state;
    seal(f, NULL, 0, true);
    assert_true(f->num_paths > 40);
    flip_everywhere(f, 7);
}

static void write_trace(fixture *f, const char *bytes, size_t len)
{
    (void)snprintf(f->trace, sizeof(f->trace), "%s/lab.pcapng", f->dir);
    FILE *file = fopen(f->trace, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, len, file), len);
    assert_int_equal(fclose(file), 0);
}

static void a_trace_is_evidence(void **state)
{
    static const char bytes[] = "what was recorded from an approved board";
    fixture *f = *state;
    size_t len;
    write_trace(f, bytes, sizeof(bytes));
    for (unsigned again = 0; again < 2; again++) {
        seal(f, GW_LIST("eb-s/probe-echo"), 1, true);
        char *data = get_file(f, "traces/lab.pcapng", &len);
        assert_int_equal(len, sizeof(bytes));
        assert_memory_equal(data, bytes, len);
        for (size_t at = 0; at < len; at++)
            flip(f, "traces/lab.pcapng", data, at);
        free(data);
    }
    char *certificate = get_file(f, GW_CERT_FILE, &len);
    assert_non_null(strstr(certificate, "\"traces\":[{\"case\":\"trace/lab\",\"path\":\"traces/"
                                        "lab.pcapng\",\"sha256\":\""));
    free(certificate);
    char *catalogue = get_file(f, GW_CERT_CATALOGUE_FILE, &len);
    assert_non_null(strstr(catalogue, "\"traces\":[{\"case\":\"trace/lab\""));
    free(catalogue);
}

static void a_trace_that_changed_is_not_kept(void **state)
{
    fixture *f = *state;
    static const gw_case one = {.id = "trace/lab"};
    gw_kept_trace kept;
    char digest[GW_DIGEST_TEXT];
    char why[512] = "";
    write_trace(f, "before", 6);
    assert_true(gw_kept_digest(digest, f->trace, why, sizeof(why)));
    write_trace(f, "behind", 6);
    char into[256];
    assert_true(gw_store_prepare(into, sizeof(into), f->out, why, sizeof(why)));
    assert_false(gw_kept_copy(&kept, into, &one, f->trace, digest, why, sizeof(why)));
    assert_non_null(strstr(why, "has changed"));
    /* A pipe does not make us wait. */
    assert_int_equal(unlink(f->trace), 0);
    assert_int_equal(mkfifo(f->trace, 0600), 0);
    assert_false(gw_kept_digest(digest, f->trace, why, sizeof(why)));
    assert_non_null(strstr(why, "ordinary file"));
}

static void bytes_appended_or_cut_off_are_found(void **state)
{
    fixture *f = *state;
    seal(f, GW_LIST("eb-s/probe*"), 1, true);
    for (size_t i = 0; i < f->num_paths; i++) {
        size_t len;
        char *data = get_file(f, f->paths[i], &len);
        put_file(f, f->paths[i], data, len - 1);
        assert_false(holds(f, NULL, NULL));
        put_file(f, f->paths[i], data, len + 1); /* the terminator */
        assert_false(holds(f, NULL, NULL));
        put_file(f, f->paths[i], data, len);
        free(data);
    }
    assert_true(holds(f, NULL, NULL));
}

static void strip_signature(fixture *f)
{
    char path[512];
    full_path(f, GW_CERT_SIGNATURE_FILE, path, sizeof(path));
    assert_int_equal(unlink(path), 0);
}

static void a_signature_cannot_be_taken_off(void **state)
{
    fixture *f = *state;
    size_t len;
    seal(f, GW_LIST("eb-s/probe*"), 1, true);
    char *signature = get_file(f, GW_CERT_SIGNATURE_FILE, &len);
    strip_signature(f);
    assert_false(holds(f, NULL, NULL));
    assert_string_equal(f->first_path, GW_CERT_SIGNATURE_FILE);
    /* Nor does an old one fit another run. */
    seal(f, GW_LIST("eb-s/probe-echo"), 1, true);
    put_file(f, GW_CERT_SIGNATURE_FILE, signature, len);
    assert_false(holds(f, NULL, NULL));
    assert_int_equal(f->first, GW_CERT_FOREIGN);
    /* An unsigned certificate does not become a signed one. */
    seal(f, GW_LIST("eb-s/probe*"), 1, false);
    put_file(f, GW_CERT_SIGNATURE_FILE, signature, len);
    assert_false(holds(f, NULL, NULL));
    assert_int_equal(f->first, GW_CERT_ADDED);
    free(signature);
}

static void missing_and_added_files_are_named(void **state)
{
    fixture *f = *state;
    char path[512];
    char other[512];
    seal(f, GW_LIST("eb-s/probe*"), 1, false);
    full_path(f, "cases/eb-s/probe-echo.pcapng", path, sizeof(path));
    full_path(f, "cases/eb-s/probe-ech0.pcapng", other, sizeof(other));
    assert_int_equal(rename(path, other), 0);
    assert_false(holds(f, NULL, NULL));
    assert_int_equal(f->num_troubles, 2);
    assert_int_equal(f->first, GW_CERT_GONE);
    assert_string_equal(f->first_path, "cases/eb-s/probe-echo.pcapng");
    /* A link is not the file, even when it leads to it. */
    assert_int_equal(symlink("probe-ech0.pcapng", path), 0);
    assert_false(holds(f, NULL, NULL));
    assert_int_equal(f->first, GW_CERT_GONE);
    assert_int_equal(unlink(path), 0);
    /* A pipe does not make us wait, a folder is no file. */
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_false(holds(f, NULL, NULL));
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_false(holds(f, NULL, NULL));
    assert_int_equal(rmdir(path), 0);
    assert_int_equal(rename(other, path), 0);
    assert_true(holds(f, NULL, NULL));
    put_file(f, "odd\nname\x1b[31m\xff", "x", 1);
    assert_false(holds(f, NULL, NULL));
    assert_int_equal(f->first, GW_CERT_ADDED);
}

static void a_folder_behind_a_link_is_not_entered(void **state)
{
    fixture *f = *state;
    char path[512];
    char other[512];
    seal(f, GW_LIST("eb-s/probe*"), 1, false);
    full_path(f, "cases", path, sizeof(path));
    (void)snprintf(other, sizeof(other), "%s/elsewhere", f->dir);
    assert_int_equal(rename(path, other), 0);
    assert_int_equal(symlink(other, path), 0);
    assert_false(holds(f, NULL, NULL));
    assert_true(f->num_troubles >= 2);
    assert_int_equal(f->first, GW_CERT_GONE);
}

static void hostile_certificates_lead_nowhere(void **state)
{
    static const char *const paths[] = {"../lab.key", "/etc/passwd", "cases/../../lab.key",
                                        "",           "a//b",        "cert.json",
                                        "./run.json", "a/",          "a\\u0007b"};
    fixture *f = *state;
    seal(f, GW_LIST("eb-s/probe*"), 1, false);
    for (size_t i = 0; i < GW_ARRAY_LEN(paths); i++) {
        char text[512];
        int len = snprintf(text, sizeof(text),
                           "{\"files\":[{\"path\":\"%s\",\"sha256\":\"%s\",\"size\":1}],"
                           "\"schema\":\"" GW_CERT_SCHEMA "\",\"signer\":null}",
                           paths[i], f->digest);
        put_file(f, GW_CERT_FILE, text, (size_t)len);
        assert_false(holds(f, NULL, NULL));
    }
    static const char *const texts[] = {
        "",
        "{",
        "[]",
        "null",
        "{\"schema\":\"goldwire/certificate/2\"}",
        "{\"files\":7,\"schema\":\"" GW_CERT_SCHEMA "\",\"signer\":7}",
        "{\"files\":[7],\"schema\":\"" GW_CERT_SCHEMA "\",\"signer\":{\"id\":\"\",\"key\":\"\"}}",
        "{\"files\":[{\"path\":\"run.json\",\"sha256\":\"0\",\"size\":-1}],\"schema\":"
        "\"" GW_CERT_SCHEMA "\"}",
    };
    for (size_t i = 0; i < GW_ARRAY_LEN(texts); i++) {
        put_file(f, GW_CERT_FILE, texts[i], strlen(texts[i]));
        assert_false(holds(f, NULL, NULL));
    }
    /* What is left out is missed, though all that is there agrees. */
    const char silent[] = "{\"files\":[],\"schema\":\"" GW_CERT_SCHEMA "\",\"signer\":null}";
    put_file(f, GW_CERT_FILE, silent, strlen(silent));
    f->wanted = GW_CERT_FILE;
    assert_false(holds(f, NULL, NULL));
    assert_true(f->num_broken >= 5);
    /* Deep nesting, and more than is ever read. */
    char *many = malloc(GW_CERT_MAX_BYTES + 1);
    assert_non_null(many);
    memset(many, '[', GW_CERT_MAX_BYTES + 1);
    put_file(f, GW_CERT_FILE, many, 100000);
    assert_false(holds(f, NULL, NULL));
    put_file(f, GW_CERT_FILE, many, GW_CERT_MAX_BYTES + 1);
    free(many);
    gw_verification v;
    char why[512] = "";
    assert_false(gw_cert_verify(&v, f->out, NULL, NULL, note_trouble, f, why, sizeof(why)));
    assert_non_null(strstr(why, "more than"));
}

static void huge_files_are_not_read(void **state)
{
    fixture *f = *state;
    char path[512];
    seal(f, GW_LIST("eb-s/probe*"), 1, false);
    full_path(f, "run.json", path, sizeof(path));
    assert_int_equal(truncate(path, (off_t)1 << 40), 0);
    assert_false(holds(f, NULL, NULL));
    assert_string_equal(f->first_path, "run.json");
    char text[512];
    int len = snprintf(text, sizeof(text),
                       "{\"files\":[{\"path\":\"run.json\",\"sha256\":\"%s\",\"size\":%lld}],"
                       "\"schema\":\"" GW_CERT_SCHEMA "\",\"signer\":null}",
                       f->digest, 1ll << 40);
    put_file(f, GW_CERT_FILE, text, (size_t)len);
    f->wanted = "run.json";
    assert_false(holds(f, NULL, NULL));
    assert_true(f->named);
}

static void a_folder_belongs_to_one_run(void **state)
{
    fixture *f = *state;
    char why[512] = "";
    seal(f, GW_LIST("eb-s/probe*"), 1, true);
    size_t many = f->num_paths;
    seal(f, GW_LIST("eb-s/probe-echo"), 1, false);
    assert_true(f->num_paths < many);
    assert_true(holds(f, NULL, NULL));
    put_file(f, "notes.txt", "mine", 4);
    char into[256];
    assert_false(gw_store_prepare(into, sizeof(into), f->out, why, sizeof(why)));
    assert_non_null(strstr(why, "notes.txt"));
    size_t len;
    free(get_file(f, "run.json", &len)); /* nothing was taken away */
}

static void secret_keys_stay_secret(void **state)
{
    fixture *f = *state;
    gw_secret_key key;
    gw_public_key open;
    char why[512] = "";
    char path[160];
    (void)snprintf(path, sizeof(path), "%s/lab.key", f->dir);
    assert_int_equal(chmod(path, 0640), 0);
    assert_false(gw_secret_key_load(&key, path, why, sizeof(why)));
    assert_non_null(strstr(why, "others"));
    assert_int_equal(chmod(path, 0600), 0);
    assert_true(gw_secret_key_load(&key, path, why, sizeof(why)));
    gw_secret_key_wipe(&key);
    /* An existing pair is not written over. */
    (void)snprintf(path, sizeof(path), "%s/lab", f->dir);
    assert_false(gw_keys_make(&open, path, why, sizeof(why)));
    (void)snprintf(path, sizeof(path), "%s/lab.pub", f->dir);
    assert_true(gw_public_key_load(&open, path, why, sizeof(why)));
    assert_memory_equal(&open, &f->key.open, sizeof(open));
    assert_false(gw_secret_key_load(&key, path, why, sizeof(why)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_sealed_holds, set_up, tear_down),
        cmocka_unit_test_setup_teardown(every_byte_counts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(every_file_of_a_whole_run_counts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_trace_is_evidence, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_trace_that_changed_is_not_kept, set_up, tear_down),
        cmocka_unit_test_setup_teardown(bytes_appended_or_cut_off_are_found, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_signature_cannot_be_taken_off, set_up, tear_down),
        cmocka_unit_test_setup_teardown(missing_and_added_files_are_named, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_folder_behind_a_link_is_not_entered, set_up, tear_down),
        cmocka_unit_test_setup_teardown(hostile_certificates_lead_nowhere, set_up, tear_down),
        cmocka_unit_test_setup_teardown(huge_files_are_not_read, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_folder_belongs_to_one_run, set_up, tear_down),
        cmocka_unit_test_setup_teardown(secret_keys_stay_secret, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
