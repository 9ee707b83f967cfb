/* SPDX-License-Identifier: BSD-2-Clause */
/* The arithmetic of repeated attempts. */
#include "run/confirm.h"

#include <string.h>

#define RISK 1e-6 /* of blaming a good board for what its path did */
#define NEAR_CHANCE                                                                                \
    5e-4                   /* of failing for no reason of the board's, where there is no path: a   \
                              second failure settles it */
#define STREAM_CHANCE 5e-3 /* over a stream, on which only time gets lost */
#define LEAST_CHANCE 2e-3  /* over datagrams, however many were seen to arrive */
#define UNKNOWN_CHANCE                                                                             \
    0.1                 /* of one attempt going wrong just like another, where what the path       \
                           loses makes conversations longer or shorter */
#define EXPLAINED 1e-3  /* what is likelier than that may have happened */
#define MOST_FAILURES 3 /* for each pass, that a path is thought to explain */
#define CLEAN_TRIES 8   /* attempts at a case that failed and passed, on a path without fault */

/* FNV-1a over the words of |text| that hold no digit: what was wrong, not by how much. */
static uint32_t shape_of(const char *text)
{
    uint32_t hash = UINT32_C(0x811c9dc5);
    while (*text != '\0') {
        size_t len = strcspn(text, " ");
        if (strcspn(text, "0123456789") >= len)
            for (size_t i = 0; i < len; i++)
                hash = (hash ^ (uint8_t)text[i]) * UINT32_C(0x01000193);
        text += len + strspn(text + len, " ");
    }
    return hash;
}

/* The failure of this |rule| and |shape|, num_broken when there was none. */
static unsigned find_broken(const gw_trial *trial, const gw_rule *rule, uint32_t shape)
{
    unsigned i = 0;
    while (i < trial->num_broken &&
           (trial->broken[i].rule != rule || trial->broken[i].shape != shape))
        i++;
    return i;
}

void gw_trial_note(gw_trial *trial, const gw_result *result, unsigned datagrams, unsigned stake)
{
    uint32_t shape = shape_of(result->text);
    trial->uneven = trial->uneven || (trial->attempts > 0 && datagrams != trial->datagrams);
    trial->attempts++;
    if (datagrams > trial->datagrams)
        trial->datagrams = datagrams;
    if (result->verdict == GW_PASS)
        trial->passed++;
    if (result->verdict == GW_INCONC)
        trial->undecided++;
    if (result->verdict != GW_FAIL && result->verdict != GW_WARN)
        return;
    trial->failed++;
    unsigned i = find_broken(trial, result->rule, shape);
    if (i == GW_CONFIRM_RULES)
        return;
    if (i == trial->num_broken) {
        trial->broken[i].rule = result->rule;
        trial->broken[i].shape = shape;
        trial->broken[i].stake = stake;
        trial->num_broken++;
    }
    trial->broken[i].num++;
    if (stake == 0 || trial->broken[i].stake == 0)
        trial->broken[i].stake = 0;
    else if (stake > trial->broken[i].stake)
        trial->broken[i].stake = stake;
}

unsigned gw_trial_same(const gw_trial *trial, const gw_result *suspect, bool exactly)
{
    uint32_t shape = shape_of(suspect->text);
    unsigned num = 0;
    for (unsigned i = 0; i < trial->num_broken; i++)
        if (trial->broken[i].rule == suspect->rule && (!exactly || trial->broken[i].shape == shape))
            num += trial->broken[i].num;
    return num;
}

double gw_trial_chance(const gw_trial_path *path, unsigned datagrams)
{
    double none = 1;
    if (path->clean && path->near)
        return NEAR_CHANCE;
    if (path->clean && path->stream)
        return STREAM_CHANCE;
    if (path->unknown)
        return UNKNOWN_CHANCE;
    for (unsigned i = 0; i < datagrams && i < 1000; i++)
        none *= 1 - path->trouble;
    return 1 - none > LEAST_CHANCE ? 1 - none : LEAST_CHANCE;
}

/* How likely |num| or more of |tries| fail when each does with |chance|. */
static double tail(unsigned num, unsigned tries, double chance)
{
    double term = 1; /* of exactly i failures, built up from i = |tries| down */
    double sum = 0;
    for (unsigned i = 0; i < tries; i++)
        term *= chance;
    for (unsigned i = tries + 1; i-- > num;) {
        sum += term;
        if (i > 0)
            term *= (double)i / (tries - i + 1) * (1 - chance) / chance;
    }
    return sum;
}

/* How many datagrams the path may have made a good board fail by, just like |suspect|. */
static unsigned at_stake(const gw_trial *trial, const gw_result *suspect)
{
    unsigned i = find_broken(trial, suspect->rule, shape_of(suspect->text));
    unsigned stake = i < trial->num_broken ? trial->broken[i].stake : 0;
    return stake > 0 && stake < trial->datagrams ? stake : trial->datagrams;
}

gw_trial_end gw_trial_judge(const gw_trial *trial, const gw_result *suspect,
                            const gw_trial_path *path, unsigned most)
{
    /* What a path does shows here in one way and there in another; a fault shows alike. */
    unsigned same = gw_trial_same(trial, suspect, !path->clean);
    unsigned told = trial->passed + trial->failed;
    double chance =
        gw_trial_chance(path, path->clean ? trial->datagrams : at_stake(trial, suspect));
    /* No path makes a board need a reset, attempt after attempt; now and then, among attempts that
     * could not be made, it takes a live board for a dead one. */
    if (trial->resets > trial->undecided && trial->resets == trial->failed && chance > LEAST_CHANCE)
        chance = LEAST_CHANCE;
    bool told_apart = !path->unknown || !trial->uneven;
    if (same > 1 && told_apart && tail(same, told, chance) < RISK)
        return GW_TRIAL_BOARD;
    if (trial->failed == 0)
        return trial->passed > 0 ? GW_TRIAL_PATH : GW_TRIAL_UNKNOWN;
    /* A board may be lost for a reason of its own, once. */
    if (trial->deaths == trial->failed && trial->passed > 0)
        return GW_TRIAL_PATH;
    if (path->clean && trial->passed > 0) {
        /* Now and then, and nothing but the board explains it. */
        if (told < CLEAN_TRIES && trial->attempts < most)
            return GW_TRIAL_GO_ON;
        if (!path->near && tail(trial->failed, told, chance) > EXPLAINED)
            return GW_TRIAL_PATH;
        return path->near && same > 1 ? GW_TRIAL_BOARD : GW_TRIAL_UNKNOWN;
    }
    /* Always something else, but always something. */
    if (path->clean && path->near && trial->failed >= CLEAN_TRIES / 2 &&
        tail(trial->failed, told, chance) < RISK)
        return GW_TRIAL_BOARD;
    /* Two passes clear a board of a few failures, and not of seventy. */
    bool outweighed = trial->failed > trial->passed * MOST_FAILURES;
    if ((trial->passed > 1 && !outweighed) || (trial->passed == 1 && trial->failed == 1))
        return GW_TRIAL_PATH;
    return trial->attempts < most ? GW_TRIAL_GO_ON : GW_TRIAL_UNKNOWN;
}
