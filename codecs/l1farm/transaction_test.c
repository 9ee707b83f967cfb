/* SPDX-License-Identifier: BSD-2-Clause */
/* What units of the Level-1 farm ask of a board. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "core/testing/transactions.h"
#include "l1farm/internal.h"
#include "l1farm/testing/frames.h"

#define UDP GW_L1_TUNNEL, GW_OVER_UDP

static const gw_transaction_sample samples[] = {
    {L1_SHIM("80", "0010") L1_WORDS, "sub-event changes, write 0x80-0x8f", UDP},
    {"4c3101800102000512340000000700000080 0010" L1_WORDS, "sub-event changes, write 0x2080-0x208f",
     UDP},
    /* Descriptors lie behind the registers. */
    {L1_SHIM("87", "0010") "000000c2 00000000 20000000 00000000",
     "descriptors changes, write 0x580-0x58f", UDP},
    {L1_SHIM("05", "0008") "00010100 00000820", "register changes, write 0x100-0x103", UDP},
    {L1_SHIM("05", "0004") "00000400", "register asks, read 0x400-0x403", UDP},
    {L1_SHIM("05", "0004") "01000010", "register asks, read 0x510-0x513", UDP},
    {L1_SHIM("05", "0002") "0000", "register changes opaque", UDP},
    {L1_SHIM("0c", "0000"), "listening asks changes", UDP},
    {L1_SHIM("06", "0000"), "buffer released changes", UDP},
    {L1_SHIM("83", "0010") L1_RESULT_IMAGE, "result changes", UDP},
    {L1_SHIM("0d", "0000"), "packet changes opaque", UDP},
    {L1_SHIM("04", "0024") L1_SEND_RECORD L1_WRITESB, "SCI packet changes opaque", UDP},
    {L1_SEND_RECORD L1_WRITESB, "writesb changes opaque", GW_L1_SCI, GW_OVER_NOTHING},
    {L1_ECHO_RECORD L1_ECHO, "echo changes opaque", GW_L1_SCI, GW_OVER_NOTHING},
    {"01000000", "send changes opaque", GW_L1_SCI, GW_OVER_NOTHING},
    {L1_UNKNOWN_RECORD L1_ECHO, "echo changes opaque", GW_L1_SCI, GW_OVER_NOTHING},
    {"01030002 ff00ff00", "idle symbols changes opaque", GW_L1_SCI, GW_OVER_NOTHING},
    {"00ff00 010004", "symbols changes", GW_L1_TRACE, GW_OVER_NOTHING},
    {"0000010001", "tag line edge changes", GW_L1_TAGNET, GW_OVER_NOTHING},
    {"0100054742", "tag changes", GW_L1_TAGNET, GW_OVER_NOTHING},
    {"0200001234", "packet changes opaque", GW_L1_TAGNET, GW_OVER_NOTHING},
    {"0000000010000080 00000003 0003 01 00 010203", "burst changes", GW_L1_MEMORY, GW_OVER_NOTHING},
    {"4c31", "packet changes opaque", UDP},
};

static void messages_ask_what_the_tunnel_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(samples); i++) {
        char line[GW_TRANSACTION_LINE];
        gw_transaction_describe(line, &gw_l1farm, NULL, &samples[i]);
        assert_string_equal(line, samples[i].asks);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_ask_what_the_tunnel_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
