/* SPDX-License-Identifier: BSD-2-Clause */
/* Missing answers behind a path that loses some: which are the buffer's doing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "ims/testing/session_scene.h"

/* What is asked, what is answered before that, and what is broken when nothing comes. */
static const struct {
    uint8_t before;
    uint8_t method;
    const char *rule;
} kinds[] = {
    {GW_IMS_DATA_REQ, GW_IMS_STAT_REQ, "B3@"},
    {GW_IMS_STAT_REQ, GW_IMS_DATA_REQ, "B9@"},
    {GW_IMS_DATA_REQ, GW_IMS_DATA_TERM, "B11@"},
    {GW_IMS_STAT_REQ, GW_IMS_STAT_TERM, "B12@"},
};

static void start(void)
{
    start_open();
    ((gw_ims_sessions *)s.memory)->silent = GW_IMS_SILENT;
}

static void wait_in_vain(void)
{
    s.now_ns += SCENE_GIVE_UP_NS + 1;
    gw_ims_session.advance(s.memory, s.now_ns, &s.sink);
}

/* Asks |times| times, something else being answered before each. */
static void ask_in_vain(size_t kind, unsigned times)
{
    for (unsigned i = 0; i < times; i++) {
        gw_ims_scene_exchange(&s, kinds[kind].before);
        gw_ims_scene_ask(&s, kinds[kind].method);
        wait_in_vain();
    }
}

static void write_in_vain(unsigned times)
{
    for (unsigned i = 0; i < times; i++) {
        gw_ims_scene_exchange(&s, GW_IMS_STAT_REQ);
        gw_ims_scene_write(&s, 0, 64);
        wait_in_vain();
    }
}

static void a_few_may_get_lost(void **state)
{
    (void)state;
    for (size_t kind = 0; kind < GW_ARRAY_LEN(kinds); kind++) {
        start();
        ask_in_vain(kind, GW_IMS_SILENT - 1);
        assert_string_equal(s.rules, "");
        gw_ims_scene_exchange(&s, kinds[kind].before);
        gw_ims_scene_exchange(&s, kinds[kind].method); /* there it is */
        ask_in_vain(kind, GW_IMS_SILENT - 1);
        assert_string_equal(s.rules, "");
        ask_in_vain(kind, 2);
        assert_memory_equal(s.rules, kinds[kind].rule, strlen(kinds[kind].rule));
        assert_non_null(strchr(s.rules, ' ')); /* and the next one as well */
        assert_memory_equal(strchr(s.rules, ' ') + 1, kinds[kind].rule, strlen(kinds[kind].rule));
    }
}

static void a_few_frames_may_get_lost(void **state)
{
    (void)state;
    start();
    write_in_vain(GW_IMS_SILENT - 1);
    gw_ims_scene_write(&s, 0, 64);
    gw_ims_scene_ack(&s, 0);
    write_in_vain(GW_IMS_SILENT - 1);
    assert_string_equal(s.rules, "");
    write_in_vain(1);
    assert_memory_equal(s.rules, "B15@", 4);
}

/* All may have got lost at once. */
static void an_outage_counts_once(void **state)
{
    (void)state;
    start();
    for (unsigned i = 0; i < 2 * GW_IMS_SILENT; i++) {
        gw_ims_scene_write(&s, i * UINT64_C(64), 64);
        s.now_ns += SCENE_GIVE_UP_NS / 8;
    }
    for (unsigned i = 0; i < 2 * GW_IMS_SILENT;
         i++) { /* the path is there again, and they are due */
        gw_ims_scene_exchange(&s, GW_IMS_STAT_REQ);
        s.now_ns += SCENE_GIVE_UP_NS / 8;
    }
    gw_ims_scene_end(&s);
    assert_string_equal(s.rules, "");
}

/* Those that got lost are given up when those sent later have long been answered. */
static void a_row_ends_with_the_last_answer(void **state)
{
    (void)state;
    start();
    for (unsigned i = 0; i < 3 * GW_IMS_SILENT; i++) {
        gw_ims_scene_write(&s, i * UINT64_C(64), 64);
        if (i % 2 != 0)
            gw_ims_scene_ack(&s, i * UINT64_C(64));
    }
    wait_in_vain();
    gw_ims_scene_end(&s);
    assert_string_equal(s.rules, "");
}

/* A buffer may answer good frames, and no others; and it may not care how they are cut. */
static void each_shape_has_a_row_of_its_own(void **state)
{
    (void)state;
    start();
    for (unsigned i = 0; i < GW_IMS_SILENT; i++) {
        gw_ims_scene_write(&s, 32, 64); /* at no multiple of 64 */
        wait_in_vain();
        gw_ims_scene_write(&s, 0, 64);
        gw_ims_scene_ack(&s, 0);
    }
    assert_non_null(strstr(s.rules, "B15@"));
    start();
    for (unsigned i = 0; i < GW_IMS_SILENT; i++) {
        gw_ims_scene_write(&s, 64, 128);
        wait_in_vain();
        gw_ims_scene_write(&s, 0, 64);
        gw_ims_scene_ack(&s, 0);
    }
    assert_non_null(strstr(s.rules, "B15@"));
}

/* Of another buffer nothing shows whether the path to this one is there. */
static void each_buffer_has_rows_of_its_own(void **state)
{
    gw_endpoint buffer;

    (void)state;
    start();
    buffer = s.buffer;
    for (unsigned i = 0; i < 2 * GW_IMS_SILENT; i++) {
        s.buffer = gw_ib_lid_endpoint(8);
        gw_ims_scene_exchange(&s, GW_IMS_STAT_REQ);
        s.buffer = buffer;
        gw_ims_scene_write(&s, 0, 64);
        wait_in_vain();
    }
    assert_string_equal(s.rules, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_few_may_get_lost),
        cmocka_unit_test(a_few_frames_may_get_lost),
        cmocka_unit_test(an_outage_counts_once),
        cmocka_unit_test(a_row_ends_with_the_last_answer),
        cmocka_unit_test(each_shape_has_a_row_of_its_own),
        cmocka_unit_test(each_buffer_has_rows_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
