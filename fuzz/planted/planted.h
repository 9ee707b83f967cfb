/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults on purpose, of which one at most is awake. This is included before anything else in the
 * copy of the tree that ./run bench-fuzz planted builds, and nowhere else. A patch beside this file
 * puts a fault in at its place:
 *
 *   if (gw_planted(7))                       the line is reached; true when fault 7 is awake
 *   gw_planted_if_equal(7, end, room)        what makes it wrong is met when these are equal
 *   gw_planted_if_less(7, room, end)         or the first below the second
 *
 * What is noted leaves no edges or comparisons of its own for the fuzzer to go by. */
#ifndef PLANTED_H
#define PLANTED_H

enum { GW_PLANTED_FAULTS = 100 };

/* When each fault was reached, and met, first, in nanoseconds of the process's processor time; 0:
 * never. */
typedef struct gw_planted_notes {
    unsigned long long reached_ns[GW_PLANTED_FAULTS];
    unsigned long long met_ns[GW_PLANTED_FAULTS];
} gw_planted_notes;

/* Each object brings it, and a program has one of it; what mutates is linked by itself, with codecs
 * of its own, in which nothing is awake. */
typedef struct gw_planted_state {
    gw_planted_notes *notes; /* NULL: nobody asked for any */
    unsigned long long (*now_ns)(void);
    unsigned awake; /* 0: none */
} gw_planted_state;

__attribute__((weak)) gw_planted_state gw_planted_here;

#define GW_PLANTED_UNSEEN __attribute__((noinline, unused, no_sanitize("coverage")))

GW_PLANTED_UNSEEN static void gw_planted_note(unsigned long long *when)
{
    if (*when == 0)
        *when = gw_planted_here.now_ns();
}

GW_PLANTED_UNSEEN static unsigned gw_planted(unsigned fault)
{
    if (gw_planted_here.notes == (gw_planted_notes *)0)
        return 0;
    gw_planted_note(&gw_planted_here.notes->reached_ns[fault]);
    return gw_planted_here.awake == fault;
}

GW_PLANTED_UNSEEN static void gw_planted_if_equal(unsigned fault, unsigned long long a,
                                                  unsigned long long b)
{
    if (a == b && gw_planted_here.notes != (gw_planted_notes *)0)
        gw_planted_note(&gw_planted_here.notes->met_ns[fault]);
}

GW_PLANTED_UNSEEN static void gw_planted_if_less(unsigned fault, unsigned long long a,
                                                 unsigned long long b)
{
    if (a < b && gw_planted_here.notes != (gw_planted_notes *)0)
        gw_planted_note(&gw_planted_here.notes->met_ns[fault]);
}

#endif
