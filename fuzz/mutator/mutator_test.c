/* SPDX-License-Identifier: BSD-2-Clause */
/* Inputs of all layouts, mutated: within their bounds, the same twice, readable by their layout. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "fuzz.h"
#include "goldwire/cursor.h"
#include "goldwire/ib.h"
#include "goldwire/net.h"
#include "goldwire/sequence.h"
#include "mutator/mutator.h"

static gw_fuzz_mutator one, two;

/* Two pieces behind a head of zeros, or one message. */
static size_t make_input(const gw_fuzz_layout *l, uint8_t *input)
{
    static const uint8_t packet[] = {0x4e, 0x6f, 0x10, 0x44, 0xe8, 0x0f, 0x01, 0x01,
                                     0x00, 0x10, 0x00, 0x00, 0xde, 0xad, 0xbe, 0xef,
                                     0x00, 0x00, 0x80, 0x01, 0x00, 0x00, 0x00, 0x04};
    size_t len = l->head;

    memset(input, 0, len);
    for (unsigned i = 0; i < (l->sequence ? 2 : 1); i++) {
        if (l->sequence) {
            input[len++] = (uint8_t)i;
            input[len++] = 0;
            input[len++] = sizeof packet;
        }
        memcpy(input + len, packet, sizeof packet);
        len += sizeof packet;
    }
    return len;
}

static void inputs_keep_to_their_bounds(void **state)
{
    uint8_t input[128];

    (void)state;
    for (size_t i = 0; i < GW_FUZZ_NUM_LAYOUTS; i++) {
        const gw_fuzz_layout *l = &gw_fuzz_layouts[i];
        unsigned changed = 0;
        size_t len = make_input(l, input);
        for (uint64_t seed = 0; seed < 300; seed++) {
            size_t cap = seed % 5 == 0 ? seed % 70 : 4096, given = seed % 7 == 0 ? seed % len : len;
            assert_true(gw_fuzz_mutator_init(&one, l->target, seed));
            assert_true(gw_fuzz_mutator_init(&two, l->target, seed));
            assert_true((l->format == NULL) == (one.format == NULL)); /* it is a format's name */
            memset(one.out, 0xa5, sizeof one.out);
            size_t got = gw_fuzz_mutate(&one, input, given, input, seed % 3 == 0 ? len : 0, cap);
            size_t again = gw_fuzz_mutate(&two, input, given, input, seed % 3 == 0 ? len : 0, cap);
            assert_true(got <= cap);
            for (size_t k = cap > l->head ? cap : l->head; k < cap + 16; k++)
                assert_int_equal(one.out[k], 0xa5);
            assert_int_equal(got, again);
            assert_memory_equal(one.out, two.out, got);
            assert_string_equal(one.did, two.did);
            if (got > 0)
                assert_true(one.did[0] != '\0');
            changed += got > 0;
        }
        assert_true(changed > 150);
    }
}

static bool is_edited(const char *did)
{
    for (unsigned i = 0; i < GW_NUM_SEQUENCE_EDITS; i++) {
        if (strstr(did, gw_sequence_edit_name(i)) != NULL)
            return true;
    }
    return false;
}

/* ---- captures ---- */

static bool big; /* the order of a capture's bytes */

static uint32_t load(const uint8_t *p)
{
    return big ? gw_load_be32(p) : gw_load_le32(p);
}

static void swap(uint8_t *p, size_t len)
{
    for (size_t i = 0; i < len / 2; i++) {
        uint8_t was = p[i];
        p[i] = p[len - 1 - i];
        p[len - 1 - i] = was;
    }
}

/* Makes the capture one of most significant bytes first, but for options, which nobody here reads.
 */
static void make_big(uint8_t *bytes, size_t len)
{
    uint32_t total;

    for (size_t at = 0; at < len; at += total) {
        uint8_t *block = bytes + at;
        const uint32_t type = gw_load_le32(block);
        total = gw_load_le32(block + 4);
        swap(block, 4);
        swap(block + 4, 4);
        swap(block + total - 4, 4);
        if (type == 1)
            swap(block + 8, 2);
        for (size_t i = 8; i < (type == 6 ? 28 : type == 0x0a0d0d0a ? 12 : 0); i += 4)
            swap(block + i, 4);
    }
}

static size_t read_capture(const char *name, uint8_t *into, size_t cap)
{
    char path[512];

    (void)snprintf(path, sizeof path, GW_SOURCE_DIR "/pcaps/%s.pcapng", name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t len = fread(into, 1, cap, file);
    assert_true(len > 1000 && len < cap);
    assert_int_equal(fclose(file), 0);
    return len;
}

/* What a capture has of packets. */
typedef struct shape {
    unsigned packets;
    unsigned datagrams;  /* whole ones of UDP over IPv4 */
    unsigned checked;    /* of these the ones with a good ICRC */
    uint32_t interfaces; /* of all packets, together */
    uint64_t last;       /* packet's time */
    bool whole;          /* each block says its length twice, and they end where the file does */
    bool uncut;          /* each packet is as long as on the wire */
} shape;

static bool has_good_icrc(const uint8_t *frame, uint32_t len)
{
    gw_message m = {.transport = GW_OVER_UDP};
    gw_net net;
    gw_ib ib;

    if (gw_net_parse(&net, GW_LINK_ETHERNET, gw_cursor_over(frame, len), len) != GW_NET_OK)
        return false;
    m.data = net.payload.p;
    m.cap_len = m.len = (uint32_t)gw_cursor_left(&net.payload);
    m.src = net.src;
    m.dst = net.dst;
    m.lower = net.lower;
    m.lower_len = net.lower_len;
    return net.dst.port == 4791 && gw_ib_open_udp(&ib, &m) && ib.icrc_verdict == GW_IB_RIGHT;
}

static shape shape_of(const uint8_t *bytes, size_t len)
{
    shape s = {.whole = true, .uncut = true};
    size_t at = 0;

    while (s.whole && at < len) {
        uint32_t total = len - at >= 12 ? load(bytes + at + 4) : 0;
        s.whole = total >= 12 && total <= len - at && load(bytes + at + total - 4) == total;
        if (s.whole && load(bytes + at) == 6) {
            const uint8_t *frame = bytes + at + 28;
            uint32_t cap_len = load(bytes + at + 20);
            s.whole = cap_len <= total - 32;
            s.packets++;
            s.uncut = s.uncut && load(bytes + at + 24) == cap_len;
            s.interfaces += load(bytes + at + 8);
            s.last = (uint64_t)load(bytes + at + 12) << 32 | load(bytes + at + 16);
            s.checked += s.whole && has_good_icrc(frame, cap_len);
            s.datagrams += s.whole && cap_len >= 42 && frame[23] == 17 &&
                           (frame[16] << 8 | frame[17]) == (int)cap_len - 14 &&
                           (frame[38] << 8 | frame[39]) == (int)cap_len - 34;
        }
        at += total;
    }
    return s;
}

/* Packets change, come and go; the file around them stays one, but where something is cut. */
static void stay_captures(const uint8_t *input, size_t len)
{
    enum { ROUNDS = 2000 };
    const shape before = shape_of(input, len);
    unsigned whole = 0, datagrams = 0, other_number = 0, messages = 0;
    unsigned kept_times = 0, other_times = 0;

    assert_true(before.whole && before.packets > 4 && before.datagrams == before.packets);
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        assert_true(gw_fuzz_mutator_init(&one, "capture", seed));
        assert_true(gw_fuzz_mutator_init(&two, "capture", seed));
        size_t cap = seed % 5 == 0 ? seed * 3 : 1 << 16;
        size_t got = gw_fuzz_mutate(&one, input, len, input, seed % 3 == 0 ? len : 0, cap);
        assert_int_equal(gw_fuzz_mutate(&two, input, len, input, seed % 3 == 0 ? len : 0, cap),
                         got);
        assert_true(got <= cap);
        assert_memory_equal(one.out, two.out, got);
        assert_string_equal(one.did, two.did);
        if (got == 0 || cap < 1 << 16)
            continue;
        const shape after = shape_of(one.out, got);
        assert_true(one.did[0] != '\0');
        assert_memory_equal(one.out, input, 28); /* the section's header */
        whole += after.whole;
        datagrams += after.whole && after.datagrams == after.packets;
        assert_true(after.uncut || !after.whole);
        kept_times += after.last == before.last;
        other_times += after.last != before.last;
        other_number += after.packets != before.packets;
        messages += after.packets == before.packets && after.datagrams == before.packets &&
                    strchr(one.did, ' ') != NULL;
    }
    assert_true(whole > ROUNDS * 6 / 10);
    assert_true(datagrams > ROUNDS * 4 / 10);
    assert_true(datagrams < whole);
    assert_true(other_number > ROUNDS / 20);
    assert_true(messages > ROUNDS / 5);
    assert_true(kept_times > ROUNDS * 4 / 10);
    assert_true(other_times > ROUNDS / 20);
}

static void captures_stay_captures(void **state)
{
    static uint8_t input[1 << 16];
    const size_t len = read_capture("etherbone/records", input, sizeof input);

    (void)state;
    stay_captures(input, len);
    make_big(input, len);
    big = true;
    stay_captures(input, len);
    big = false;
}

static void icrcs_and_interfaces_go_along(void **state)
{
    enum { ROUNDS = 1000 };
    static uint8_t input[1 << 16];
    size_t len = read_capture("ims/ims-session", input, sizeof input);
    shape before = shape_of(input, len);
    unsigned good = 0, changed = 0, moved = 0;

    (void)state;
    assert_true(before.whole && before.checked == before.packets && before.packets > 10);
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        assert_true(gw_fuzz_mutator_init(&one, "capture", seed));
        size_t got = gw_fuzz_mutate(&one, input, len, NULL, 0, 1 << 16);
        const shape after = shape_of(one.out, got);
        changed += got != len || memcmp(one.out, input, len) != 0;
        good += after.whole && after.checked == after.packets;
    }
    assert_true(changed > ROUNDS * 9 / 10);
    assert_true(good > ROUNDS / 2);

    len = read_capture("textarossa/textarossa-link-torus", input, sizeof input);
    before = shape_of(input, len);
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        assert_true(gw_fuzz_mutator_init(&one, "capture", seed));
        size_t got = gw_fuzz_mutate(&one, input, len, NULL, 0, 1 << 16);
        const shape after = shape_of(one.out, got);
        moved += after.packets == before.packets && after.interfaces != before.interfaces;
    }
    assert_true(moved > ROUNDS / 50);
}

/* Frames of links, and of InfiniBand with its LRH. */
static void messages_of_links_are_mutated(void **state)
{
    enum { ROUNDS = 1000 };
    static const char *const captures[] = {"textarossa/textarossa-link-torus",
                                           "ims/ims-broken-native"};
    static uint8_t input[1 << 16];

    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(captures); i++) {
        const size_t len = read_capture(captures[i], input, sizeof input);
        unsigned messages = 0;
        for (uint64_t seed = 0; seed < ROUNDS; seed++) {
            assert_true(gw_fuzz_mutator_init(&one, "capture", seed));
            size_t got = gw_fuzz_mutate(&one, input, len, NULL, 0, 1 << 16);
            messages += got > 0 && !is_edited(one.did);
        }
        assert_true(messages > ROUNDS / 5);
    }
}

static void no_capture_is_left_alone(void **state)
{
    static uint8_t input[1 << 16];
    const size_t len = read_capture("etherbone/records", input, sizeof input);

    (void)state;
    assert_true(gw_fuzz_mutator_init(&one, "capture", 1));
    assert_int_equal(gw_fuzz_mutate(&one, NULL, 0, NULL, 0, 4096), 0);
    assert_int_equal(gw_fuzz_mutate(&one, (const uint8_t *)"no capture at all", 17, NULL, 0, 4096),
                     0);
    for (size_t given = 0; given < len; given += 7)
        (void)gw_fuzz_mutate(&one, input, given, input, len - given, 1 << 16);
    for (size_t at = 0; at < len; at++) {
        uint8_t was = input[at];
        input[at] ^= 0xff;
        (void)gw_fuzz_mutate(&one, input, len, input, len, 1 << 16);
        input[at] = was;
    }
    gw_fuzz_mend(one.layout, input, len); /* checks nothing, and changes nothing */
    assert_int_equal(gw_fuzz_trim(&one, input, len, 0), 0);
}

static unsigned num_pieces(const gw_fuzz_layout *l, const uint8_t *input, size_t len)
{
    gw_cursor c = gw_cursor_over(input, len), piece;
    uint8_t choice;
    unsigned num = 0;

    assert_true(gw_cursor_skip(&c, l->head));
    while (gw_fuzz_piece(&c, &choice, &piece))
        num++;
    return num;
}

/* A message that outgrew the room would push itself and what follows out of the input. */
static void a_message_grows_into_the_room_there_is(void **state)
{
    uint8_t input[128];
    unsigned grown = 0;

    (void)state;
    for (size_t i = 0; i < GW_FUZZ_NUM_LAYOUTS; i++) {
        const gw_fuzz_layout *l = &gw_fuzz_layouts[i];
        size_t len = make_input(l, input);
        for (uint64_t seed = 0; l->sequence && seed < 300; seed++) {
            assert_true(gw_fuzz_mutator_init(&one, l->target, seed));
            size_t got = gw_fuzz_mutate(&one, input, len, NULL, 0, len + 16);
            if (got == 0 || is_edited(one.did))
                continue;
            assert_int_equal(num_pieces(l, one.out, got), 2);
            grown += got > len;
        }
    }
    assert_true(grown > 20);
}

static void a_target_without_layout_is_refused(void **state)
{
    (void)state;
    assert_false(gw_fuzz_mutator_init(&one, "nobody", 0));
    assert_int_equal(gw_fuzz_mutate(&one, (const uint8_t *)"abc", 3, NULL, 0, 16), 0);
    assert_int_equal(gw_fuzz_trim(&one, (const uint8_t *)"abc", 3, 0), 0);
}

static void trimming_ends(void **state)
{
    uint8_t input[128];

    (void)state;
    for (size_t i = 0; i < GW_FUZZ_NUM_LAYOUTS; i++) {
        size_t len = make_input(&gw_fuzz_layouts[i], input);
        uint32_t pieces = 0;
        assert_true(gw_fuzz_mutator_init(&one, gw_fuzz_layouts[i].target, 0));
        for (size_t got; (got = gw_fuzz_trim(&one, input, len, pieces)) > 0; pieces++)
            assert_true(got < len && pieces < 64);
        assert_true(!gw_fuzz_layouts[i].sequence || pieces == 2);
    }
}

/* The header of a TEXTAROSSA link run with a wrong check byte, behind each choice that leaves
 * another hash: most are mended, some are not, and always the same. */
static void check_bytes_are_mended_mostly(void **state)
{
    static const uint8_t run[] = {0xaa, 0xaa, 0x55, 0x55, 0xaa, 0xaa, 0xff, 0xff, 0xaa, 0xaa,
                                  0x55, 0x55, 0xaa, 0xaa, 0xff, 0xff, 0xbb, 0xbb, 0x66, 0x66,
                                  0xbb, 0xbb, 0xff, 0xff, 0xbb, 0xbb, 0x66, 0x66, 0xbb, 0xbb,
                                  0xff, 0xff, 0x00, 0x00, 0x20, 0x00, 0x00, 0x00, 0x10, 0x40,
                                  0x3f, 0xff, 0xbe, 0x3e, 0x00, 0x00, 0x00, 0x01};
    const gw_fuzz_layout *l = gw_fuzz_layout_of("textarossa_decode");
    unsigned mended = 0;

    (void)state;
    for (unsigned size = 0; size < 64; size++) {
        uint8_t input[2 + sizeof run] = {0, 5}, before[sizeof input];
        memcpy(input + 2, run, sizeof run);
        input[2 + 38] = (uint8_t)size;
        memcpy(before, input, sizeof input);
        gw_fuzz_mend(l, input, sizeof input);
        assert_memory_equal(before, input, sizeof input - 1); /* nothing but the check byte */
        mended += input[sizeof input - 1] != before[sizeof input - 1];
    }
    assert_true(mended > 32 && mended < 64);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inputs_keep_to_their_bounds),
        cmocka_unit_test(captures_stay_captures),
        cmocka_unit_test(icrcs_and_interfaces_go_along),
        cmocka_unit_test(messages_of_links_are_mutated),
        cmocka_unit_test(no_capture_is_left_alone),
        cmocka_unit_test(a_message_grows_into_the_room_there_is),
        cmocka_unit_test(a_target_without_layout_is_refused),
        cmocka_unit_test(trimming_ends),
        cmocka_unit_test(check_bytes_are_mended_mostly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
