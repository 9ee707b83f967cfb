/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs a fuzz target over files and folders without a fuzzer: how every corpus is a test, with any
 * compiler. An empty corpus is an error, so that a moved folder cannot pass for a clean one. */
#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>

#include "fuzz.h"

static unsigned long replayed;

static int replay_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    struct stat st;

    if (f == NULL || fstat(fileno(f), &st) != 0) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        if (f != NULL)
            fclose(f);
        return 2;
    }
    size_t size = (size_t)st.st_size;
    uint8_t *data = malloc(size + 1);
    size_t got = data == NULL ? 0 : fread(data, 1, size, f);
    fclose(f);
    if (data == NULL || got != size) {
        fprintf(stderr, "%s: could not be read\n", path);
        free(data);
        return 2;
    }
    uint8_t *exact = gw_fuzz_copy(data, size);
    free(data);
    (void)LLVMFuzzerTestOneInput(exact, size);
    free(exact);
    replayed++;
    return 0;
}

static int replay_folder(const char *path)
{
    struct dirent **names;
    int num = scandir(path, &names, NULL, alphasort);
    int bad = 0;

    if (num < 0) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        return 2;
    }
    for (int i = 0; i < num; i++) {
        char file[4096];
        struct stat st;
        int len = snprintf(file, sizeof file, "%s/%s", path, names[i]->d_name);
        if (len < (int)sizeof file && names[i]->d_name[0] != '.' && stat(file, &st) == 0 &&
            S_ISREG(st.st_mode))
            bad |= replay_file(file);
        free(names[i]);
    }
    free(names);
    return bad;
}

int main(int argc, char **argv)
{
    int bad = 0;

    for (int i = 1; i < argc; i++) {
        struct stat st;
        if (stat(argv[i], &st) == 0 && S_ISDIR(st.st_mode))
            bad |= replay_folder(argv[i]);
        else
            bad |= replay_file(argv[i]);
    }
    printf("%lu inputs replayed\n", replayed);
    if (replayed == 0) {
        fprintf(stderr, "nothing to replay: name the files or folders of a corpus\n");
        return 2;
    }
    return bad;
}
