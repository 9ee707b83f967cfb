/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the reports of AddressSanitizer, LeakSanitizer, UndefinedBehaviorSanitizer and libFuzzer,
 * and the line that an oracle of a fuzz target leaves. */
#include "crash/stack.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define LINE 512u

/* The next line of |*at|, cut where it does not fit. False at the end. */
static bool next_line(char out[LINE], const char **at, const char *end)
{
    size_t len = 0;
    if (*at == end)
        return false;
    for (; *at < end && **at != '\n'; (*at)++)
        if (len + 1 < LINE && **at != '\0')
            out[len++] = **at;
    *at += *at < end;
    out[len] = '\0';
    return true;
}

static void copy_until(char *out, size_t cap, const char *from, const char *ends)
{
    (void)snprintf(out, cap, "%.*s", (int)strcspn(from, ends), from);
}

/* ---- what went wrong ---- */

/* Addresses are others each time: they go. */
static void copy_text(gw_crash_key *key, const char *from)
{
    (void)snprintf(key->text, sizeof(key->text), "%s", from);
    char *address = strstr(key->text, " on address 0x");
    address = address != NULL ? address : strstr(key->text, " on unknown address 0x");
    if (address != NULL)
        *address = '\0';
}

/* The first line that says so decides. */
static void read_kind(gw_crash_key *key, const char *line)
{
    static const struct {
        const char *says;
        const char *kind; /* NULL: the word that follows */
    } signs[] = {
        {"oracle: ", "oracle"},
        {"ERROR: LeakSanitizer: ", "leak"},
        {"ERROR: libFuzzer: ", NULL},
        {"Sanitizer: ", NULL},
        {"runtime error: ", "undefined-behaviour"},
    };
    if (key->kind[0] != '\0')
        return;
    for (size_t i = 0; i < GW_ARRAY_LEN(signs); i++) {
        const char *found = strstr(line, signs[i].says);
        if (found == NULL)
            continue;
        if (signs[i].kind != NULL)
            (void)snprintf(key->kind, sizeof(key->kind), "%s", signs[i].kind);
        else
            copy_until(key->kind, sizeof(key->kind), found + strlen(signs[i].says), " :(\r");
        copy_text(key, i == 0 ? found : found + strlen(signs[i].says));
        return;
    }
}

/* ---- where ---- */

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* Frames that every crash has. */
static bool says_nothing(const char *function)
{
    static const char *const starts[] = {
        "__asan",   "__lsan", "__ubsan",   "__sanitizer",   "__interceptor",
        "fuzzer::", "__GI_",  "__pthread", "___interceptor"};
    static const char *const names[] = {"raise",  "abort",         "gsignal",     "pthread_kill",
                                        "memcpy", "memmove",       "memset",      "memcmp",
                                        "malloc", "calloc",        "realloc",     "free",
                                        "strlen", "gw_fuzz_check", "gw_fuzz_copy"};
    for (size_t i = 0; i < GW_ARRAY_LEN(starts); i++)
        if (begins(function, starts[i]))
            return true;
    for (size_t i = 0; i < GW_ARRAY_LEN(names); i++)
        if (strcmp(function, names[i]) == 0)
            return true;
    return false;
}

/* The function of a line like "#1 0x55d0 in gw_eb_next codecs/etherbone.c:88:80", or, without
 * symbols, the place in its file of "(fuzz_target+0x1234)". False when it is no such line. */
static bool read_frame(char *out, size_t cap, const char *line)
{
    const char *hash = line + strspn(line, " \t");
    const char *in = strstr(hash, " in ");
    const char *module = strrchr(hash, '/');
    if (hash[0] != '#' || !isdigit((unsigned char)hash[1]))
        return false;
    if (in != NULL)
        copy_until(out, cap, in + 4, " (\r");
    else if (module != NULL)
        copy_until(out, cap, module + 1, ")");
    else
        out[0] = '\0';
    return true;
}

void gw_crash_read(gw_crash_key *key, const char *report, size_t len)
{
    char line[LINE];
    const char *at = report;
    unsigned num = 0;
    bool inside = false; /* the first stack */
    bool over = false;
    *key = (gw_crash_key){0};
    while (next_line(line, &at, report + len)) {
        char function[sizeof(key->frames[0])];
        read_kind(key, line);
        bool frame = read_frame(function, sizeof(function), line);
        over = over || (inside && !frame);
        inside = inside || frame;
        if (!frame || over || num == GW_CRASH_FRAMES || function[0] == '\0' ||
            says_nothing(function))
            continue;
        (void)snprintf(key->frames[num++], sizeof(key->frames[0]), "%s", function);
        over = strcmp(function, "LLVMFuzzerTestOneInput") == 0;
    }
}

/* ---- its name ---- */

static void put(char out[GW_CRASH_NAME], const char *before, const char *text)
{
    size_t len = strlen(out);
    (void)snprintf(out + len, GW_CRASH_NAME - len, "%s%s", before, text);
    for (char *c = out + len; *c != '\0'; c++)
        if (!isalnum((unsigned char)*c) && strchr("._-", *c) == NULL)
            *c = '-';
}

void gw_crash_name(char out[GW_CRASH_NAME], const gw_crash_key *key)
{
    out[0] = '\0';
    put(out, "crash.", key->kind[0] != '\0' ? key->kind : "unknown");
    for (unsigned i = 0; i < GW_CRASH_FRAMES && key->frames[i][0] != '\0'; i++)
        put(out, i == 0 ? "." : "-", key->frames[i]);
}
