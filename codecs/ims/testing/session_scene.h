/* SPDX-License-Identifier: BSD-2-Clause */
/* For tests of the session: one scene, and what is expected at its end. */
#ifndef IMS_TESTING_SESSION_SCENE_H
#define IMS_TESTING_SESSION_SCENE_H

#include "ims/testing/scene.h"

static gw_ims_scene s;

static inline void start_as(const char *dialect)
{
    assert_true(gw_ims_scene_start(&s, dialect, sizeof s.memory));
}

/* A Worker whose data channel is open: four packets. */
static inline void start_open(void)
{
    start_as("strict");
    gw_ims_scene_set_up(&s);
}

static inline void expect(const char *rules, const char *relations)
{
    gw_ims_scene_end(&s);
    assert_string_equal(s.rules, rules);
    assert_string_equal(s.relations, relations);
}

#define SET_UP "2 answers 1; 4 answers 3; "

#endif
