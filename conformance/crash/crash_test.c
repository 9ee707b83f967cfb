/* SPDX-License-Identifier: BSD-2-Clause */
/* Crashes are told apart by their stacks, and shown as packets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "crash/crash.h"
#include "goldwire/net.h"
#include "harness/capture.h"
#include "harness/temporary_testing.h"

static void name_of(char out[GW_CRASH_NAME], gw_crash_key *key, const char *report)
{
    gw_crash_read(key, report, strlen(report));
    gw_crash_name(out, key);
}

static void a_crash_is_named_by_its_stack(void **state)
{
    static const struct {
        const char *report;
        const char *name;
        const char *text;
    } crashes[] = {
        {"INFO: Seed: 1\n"
         "==1==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x60200000005d at pc 0x5\n"
         "READ of size 4 at 0x60200000005d thread T0\n"
         "    #0 0x1 in __asan_memcpy (fuzz_broken+0x12)\n"
         "    #1 0x2 in gw_load_be32 /src/cursor.h:88:80\n"
         "    #2 0x3 in rebuild /src/fuzz/etherbone_decode.c:33:9\n"
         "    #3 0x4 in LLVMFuzzerTestOneInput /src/fuzz/etherbone_decode.c:90\n"
         "    #4 0x5 in fuzzer::Fuzzer::ExecuteCallback(unsigned char const*, unsigned long)\n"
         "\n"
         "0x60200000005d is located 0 bytes after 13-byte region\n"
         "allocated by thread T0 here:\n"
         "    #0 0x6 in malloc (fuzz_broken+0x34)\n"
         "    #1 0x7 in elsewhere /src/fuzz.h:1\n",
         "crash.heap-buffer-overflow.gw_load_be32-rebuild-LLVMFuzzerTestOneInput",
         "heap-buffer-overflow"},
        {"oracle: a rebuilt packet does not open\n"
         "==2== ERROR: libFuzzer: deadly signal\n"
         "    #0 0x1 in __sanitizer_print_stack_trace (x+0x1)\n"
         "    #1 0x2 in fuzzer::PrintStackTrace() (x+0x2)\n"
         "    #2 0x3 in abort ./stdlib/abort.c:79\n"
         "    #3 0x4 in gw_fuzz_check /src/fuzz.h:23\n"
         "    #4 0x5 in rebuild /src/x.c:1\n",
         "crash.oracle.rebuild", "oracle: a rebuilt packet does not open"},
        {"/src/x.c:12:3: runtime error: shift exponent 64 is too large\n"
         "    #0 0x1 in shift(int) /src/x.c:12:3\n",
         "crash.undefined-behaviour.shift", "shift exponent 64 is too large"},
        {"==3==ERROR: libFuzzer: timeout after 10 seconds\n"
         "    #0 0x1  (/usr/bin/fuzz_x+0x1234)\n",
         "crash.timeout.fuzz_x-0x1234", "timeout after 10 seconds"},
        {"all is well\n", "crash.unknown", ""},
        {"", "crash.unknown", ""},
    };
    char name[GW_CRASH_NAME];
    gw_crash_key key;
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(crashes); i++) {
        name_of(name, &key, crashes[i].report);
        assert_string_equal(name, crashes[i].name);
        assert_string_equal(key.text, crashes[i].text);
    }
}

static void a_report_may_hold_anything(void **state)
{
    char report[4096];
    char name[GW_CRASH_NAME];
    gw_crash_key key;
    (void)state;
    memset(report, '#', sizeof(report));
    gw_crash_read(&key, report, sizeof(report));
    memset(report, 0, sizeof(report));
    gw_crash_read(&key, report, sizeof(report));
    (void)snprintf(
        report, sizeof(report),
        "ERROR: AddressSanitizer: ../../../etc/passwd;$(x)\n    #0 0x1 in a/../b\x1b[2J\n");
    name_of(name, &key, report);
    assert_null(strchr(name, '/'));
    assert_null(strchr(name, ';'));
    assert_null(strchr(name, '\x1b'));
}

/* How many frames of |path| there are, all of them Ethernet or of |link_type|. */
static size_t frames_of(const char *path, uint32_t link_type)
{
    char why[256] = "";
    size_t num = 0;
    gw_frame frame;
    gw_capture *capture = gw_capture_open(path, why, sizeof(why));
    assert_non_null(capture);
    while (gw_capture_next(capture, &frame) == GW_CAPTURE_FRAME) {
        assert_int_equal(frame.link_type, link_type);
        num++;
    }
    gw_capture_close(capture);
    return num;
}

static void an_input_becomes_a_capture(void **state)
{
    static const uint8_t one[] = {0, 0x4e, 0x6f, 0x11, 0x44, 0, 0, 0, 1};
    static const uint8_t three[] = {0, 0, 0, 2, 0x4e, 0x6f, 0, 0, 0, 1, 0, 99, 0x4e};
    static const uint8_t pdu[16] = {0};
    static const uint8_t said[] = {0, 0, 0, 0, 2, 0x4e, 0x6f, 0x21, 0, 1, 0};
    static const uint8_t captured[] = {1, 0x80, 0, 4, 0, 0, 0, 0, 0xc0, 0, 1, 0};
    static const struct {
        const char *target;
        const uint8_t *input;
        size_t len;
        size_t messages;
        uint32_t link_type;
    } inputs[] = {
        {"etherbone_decode", one, sizeof(one), 1, GW_LINK_ETHERNET},
        {"etherbone_slave", three, sizeof(three), 3, GW_LINK_ETHERNET},
        {"op2p_decode", pdu, sizeof(pdu), 1, 147},
        {"ims_decode", pdu, sizeof(pdu), 1, GW_LINK_ETHERNET},
        {"etherbone_decode", one, 0, 0, 0},
        {"yaml", one, sizeof(one), 0, 0},
        {"wireshark", one, sizeof(one), 0, 0},
        {"boards", said, sizeof(said), 2, GW_LINK_ETHERNET},
        {"wireshark_capture", captured, sizeof(captured), 1, 147}, /* and a frame of anything */
    };
    gw_temporary dir;
    char why[256] = "";
    char path[512];
    (void)state;
    assert_true(gw_temporary_folder(&dir));
    (void)snprintf(path, sizeof(path), "%s/sent.pcapng", dir.path);
    for (size_t i = 0; i < GW_ARRAY_LEN(inputs); i++) {
        size_t messages = 99;
        assert_true(gw_crash_capture(inputs[i].target, inputs[i].input, inputs[i].len, dir.path,
                                     "sent.pcapng", &messages, why, sizeof(why)));
        if (messages != inputs[i].messages)
            fail_msg("%s: %zu messages", inputs[i].target, messages);
        if (messages > 0)
            assert_int_equal(frames_of(path, inputs[i].link_type), messages);
        (void)remove(path);
    }
    (void)remove(dir.path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_crash_is_named_by_its_stack),
        cmocka_unit_test(a_report_may_hold_anything),
        cmocka_unit_test(an_input_becomes_a_capture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
