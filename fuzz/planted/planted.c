/* SPDX-License-Identifier: BSD-2-Clause */
/* Wakes the fault that GOLDWIRE_PLANTED names by its number, 0 for none, and keeps notes in the
 * file GOLDWIRE_PLANTED_NOTES: it is mapped, so that they are there however the process ends. With
 * GOLDWIRE_PLANTED_TELL a process writes down such a file: a line for each fault that was reached,
 * its number and the seconds until it was reached and met, "-" for never. Included at the end of
 * options.c, which every target has. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static unsigned long long planted_now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (unsigned long long)t.tv_sec * 1000000000u + (unsigned long long)t.tv_nsec;
}

static void tell_seconds(unsigned long long ns)
{
    if (ns != 0)
        printf("\t%.3f", (double)ns / 1e9);
    else
        printf("\t-");
}

static void tell_notes(const gw_planted_notes *notes)
{
    for (unsigned i = 0; i < GW_PLANTED_FAULTS; i++) {
        if (notes->reached_ns[i] == 0)
            continue;
        printf("%u", i);
        tell_seconds(notes->reached_ns[i]);
        tell_seconds(notes->met_ns[i]);
        printf("\n");
    }
}

__attribute__((constructor)) static void planted_begin(void)
{
    const char *path = getenv("GOLDWIRE_PLANTED_NOTES"), *awake = getenv("GOLDWIRE_PLANTED");
    int fd;

    if (path == NULL)
        return;
    fd = open(path, O_RDWR | O_CREAT, 0666);
    if (fd < 0 || ftruncate(fd, sizeof(gw_planted_notes)) != 0) {
        perror(path);
        _exit(2);
    }
    gw_planted_notes *notes = mmap(NULL, sizeof *notes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (notes == MAP_FAILED) {
        perror(path);
        _exit(2);
    }
    if (getenv("GOLDWIRE_PLANTED_TELL") != NULL) {
        tell_notes(notes);
        fflush(stdout);
        _exit(0);
    }
    gw_planted_here.now_ns = planted_now_ns;
    gw_planted_here.awake = awake != NULL ? (unsigned)strtoul(awake, NULL, 10) : 0;
    gw_planted_here.notes = notes;
}
