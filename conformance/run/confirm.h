/* SPDX-License-Identifier: BSD-2-Clause */
/* When is a failure the board's? A case that failed is a suspicion; it is repeated until the path
 * cannot explain what was seen, or does. This is the arithmetic of it; run.c does the repeating. */
#ifndef GOLDWIRE_RUN_CONFIRM_H
#define GOLDWIRE_RUN_CONFIRM_H

#include "run/run.h"

#define GW_CONFIRM_RULES 8

/* gw_trial collects the attempts at one case. Start with all zeros. */
typedef struct gw_trial {
    unsigned attempts;
    unsigned passed;
    unsigned failed;
    unsigned undecided; /* INCONC: they say nothing */
    unsigned deaths;    /* of those that failed: the board was lost */
    unsigned resets;    /* of these: it came back only when it was reset */
    struct {
        const gw_rule *rule; /* NULL: none was named */
        uint32_t shape;      /* of the text, numbers left out: two faults may break one rule */
        unsigned num;
        unsigned stake; /* the most of its datagrams that mattered to it; 0: perhaps all did */
    } broken[GW_CONFIRM_RULES];
    unsigned num_broken;
    unsigned datagrams; /* of the longest attempt */
    bool uneven;        /* attempts differ in the number of datagrams */
} gw_trial;

/* gw_trial_note adds an attempt that ended as |result| says, with |datagrams| sent to and fro, of
 * which |stake| mattered to how it ended (gw_case_stake); 0: perhaps all did. */
void gw_trial_note(gw_trial *trial, const gw_result *result, unsigned datagrams, unsigned stake);

/* gw_trial_same returns how many attempts failed by the rule of |suspect|; when it has to be
 * |exactly| the same, with the same text but for the numbers in it. */
unsigned gw_trial_same(const gw_trial *trial, const gw_result *suspect, bool exactly);

typedef enum gw_trial_end {
    GW_TRIAL_GO_ON = 0,
    GW_TRIAL_BOARD,   /* the board did it: the verdict of the last attempt stands */
    GW_TRIAL_PATH,    /* the path did it: the last attempt passed, and that stands */
    GW_TRIAL_UNKNOWN, /* nobody can say */
} gw_trial_end;

/* gw_trial_path is what the path may do to an attempt. */
typedef struct gw_trial_path {
    double trouble; /* gw_path_stats_trouble, 0 to 1 for each datagram */
    bool clean;     /* nothing wrong was seen on it */
    bool stream;    /* bytes are repeated by the transport: only time gets lost */
    bool near;      /* no network lies between */
    bool unknown;   /* nobody can measure it: a board that calls us */
} gw_trial_path;

/* gw_trial_chance returns how likely a good board is to fail an attempt of |datagrams|. */
double gw_trial_chance(const gw_trial_path *path, unsigned datagrams);

/* gw_trial_judge says what the attempts so far amount to; |suspect| is the last one that failed,
 * and |most| how many attempts there may be. */
gw_trial_end gw_trial_judge(const gw_trial *trial, const gw_result *suspect,
                            const gw_trial_path *path, unsigned most);

#endif
