/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs a fuzz target over files and folders without a fuzzer: how every corpus is a test, with any
 * compiler. An empty corpus is an error, so that a moved folder cannot pass for a clean one; and
 * so is one of which fewer inputs than --least NUMBER are read: a target that has stopped taking
 * its inputs apart finds nothing any more. */
#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>

#include "fuzz.h"

static unsigned long replayed, were_read;

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
    gw_fuzz_was_read = false;
    (void)LLVMFuzzerTestOneInput(exact, size);
    free(exact);
    replayed++;
    were_read += gw_fuzz_was_read;
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
    unsigned long least = 0;
    int bad = 0;

    for (int i = 1; i < argc; i++) {
        struct stat st;
        if (strcmp(argv[i], "--least") == 0 && i + 1 < argc) {
            least = strtoul(argv[++i], NULL, 10);
            continue;
        }
        if (stat(argv[i], &st) == 0 && S_ISDIR(st.st_mode))
            bad |= replay_folder(argv[i]);
        else
            bad |= replay_file(argv[i]);
    }
    printf("%lu inputs replayed, %lu of them read\n", replayed, were_read);
    if (replayed == 0) {
        fprintf(stderr, "nothing to replay: name the files or folders of a corpus\n");
        return 2;
    }
    if (were_read < least) {
        fprintf(stderr,
                "%lu of %lu inputs got past what takes them apart, and %lu have to (floors.txt): "
                "the target does not read its corpus any more\n",
                were_read, replayed, least);
        return 2;
    }
    return bad;
}
