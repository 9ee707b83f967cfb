/* SPDX-License-Identifier: BSD-2-Clause */
/* Every mutant of the slave behaves otherwise than the good board, and says truly what it breaks.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "boards/talk_testing.h"
#include "goldwire/etherbone.h"
#include "goldwire/writer.h"

/* Something of everything that a fault can show in; each ends with a read that a dead board does
 * not answer. */
static const char *const packets[] = {
    "4e6f11ff 12345678",
    "4e6f2144 12345679",
    "4e6f1144 00000001 080f0100 00000080 11111111",
    "4e6f1044 080f0001 00008000 00000080",
    "4e6e1044 080f0001 00008000 00000000",
    "4e6f2044 080f0001 00008000 00000000",
    "4e6f1004 080f0001 00008000 00000000",
    "4e6f1844 190f0001 00008000 00020000",
    "4e6f1044 080f0200 00000000 11111111",
    "4e6f1044 080f0001 00008000 00000000",
    "4e6f1044 08000000 080f0001 00008000 00020000",
    "4e",
    "4e6f1044 080f0001 00008000 00020000",
    "4e6f1044 080f0100 00000004 22222222 080f0001 00008000 00000004",
    "4e6f1044 080f0302 00000010 11111111 22222222 33333333 00008004 00000010 00000014",
    "4e6f1044 0a0f0300 00010000 11111111 22222222 33333333",
    "4e6f1044 080f0003 00008000 00010000 00010000 00010000",
    "4e6f1044 08080001 00008000 00000010",
    "4e6f1044 000f0001 00008000 00040004 080f0001 00008000 00040004",
    "4e6f1044 080f0001 00008000 00040004",
    "4e6f1044 080f0003 00008000 00100000 00100000 00000000",
    "4e6f1044 080f0006 00008000 00000000 00000000 00000000 00000000 00000000 00000000",
    "4e6f1044 480f0004 00008000 00000000 00000004 00000008 0000000c",
    "4e6f1044 a80f0001 00008000 00020000",
    "4e6f1014 080f0001 00008000 00000000",
    "4e6f1048 00000000 08ff0001 00000000 0000000000008000 0000000000000000",
    "4e6f1444 080f0100 00000000 44444444",
    "4e6f1011 08010001 0080 0000",
    "4e6f1444 080f0001 00008000 00020000",
    "4e6f1044 080f0300 00000010 11111111 22222222 33333333",
    "4e6f1044 080f0003 00008000 00020000 00020004 00020008",
    "4e6f1044 080f0001 00008000 00000018",
    "4e6f1044 08080100 00000010 55555555",
    "4e6f1044 080f0001 00008000 00000010",
    "4e6f1044 08080001 00008000 00020000 08010001 00008000 00020004",
    "4e6f1044 080f0001 00008000",
    "4e6f1022 08030002 8000 0010 0012",
    "4e6f1044",
    "4e6f1044 0a0f0202 00010000 11111111 22222222 00008000 00010000 00010000",
    "4e6f1044 080f0004 00008000 00010000 00020000 00020004 00020008",
    "4e6f1044 080f0001 00008000 00020000",
    "4e6f1044 080f0101 00000020 4e6f1044 00008000 00000020",
    "4e6f2144 12345678",
    "4e6f1044 080f0001 00008000 00000020",
    "4e6f1144 00000003",
    "4e6f1044 800f0000 080f0001 00008000 00000020",
    "4e6f1044 00050001 00008000 00000020 080f0001 00008000 00000020",
    "4e6f1044 0a0f0200 00000020 66666666",
    "4e6f1044 080f0202 00000020 77777777 88888888 00008000 00000020 00000024",
    "4e6f1044 000f0003 00008000 00040004 00100000 00040004",
    "4e6f1044 480f0002 00008000 00000009 00000004",
    "4e6f11ff 0000",
    "4e6f16ff 12345678",
    "4e6f1144 00000004",
    "4e6f2044 080f0001 00008000 00000020",
    "4e6f1044 080f0001 00008000 00000020",
    "4e6f1048 080f0001 00008000 00000020",
    "4e6f1040 080f0001 00008000 00000020",
    "4e6f1044 480f0002 00008000 00000008 0000000c",
    "4e6f2944 12345678",
    "4e6f1844 190f0100 00000020 99999999",
    "4e6f1041 08010003 00008000 00020001 00020002 00020003",
    "4e6f1048 00000000 08ff0002 00000000 0000000000008000 0000000000020000 0000000000020008",
    "4e6f1022 0803000180000010 0803000180000012 0803000180000014 0803000180000016",
    "4e6f1044 000f0100 00100000 11111111 480f0001 00008000 00000004",
    "4e6f1044 480f0001 00008000 00000004",
    "4e6f1042 48030004 00008000 00000008 0000000a 0000000c 0000000e",
    "4e6f1044 480f0001 00008000 0000002c",
    "4e6f1044 080f0001 00008000 00000020",
    "4e6f1044 080f0100 00000020 12121212 080f0001 00008000 00000020 190f0001 00008000 00000020",
};

static const char *const segments[] = {
    "4e6f1144 00000001",          "080f0001 00008000 00", "020004",
    "080f0001 00008000 00020000", "080f0001 00008000 00",
};

/* Reads closer to each other than |packets| are. */
static const char *const burst[] = {
    "4e6f1044 080f0001 00008000 00020000",
    "4e6f1044 080f0001 00008002 00020004",
    "4e6f1044 080f0001 00008004 00020008",
};

#define DEEP 200 /* words of one record */

typedef struct transcript {
    uint8_t bytes[16384];
    size_t len;
} transcript;

/* What comes back within a while, each answer with its length and who got it. */
static void note_answers(transcript *out, gw_transport *t, uint8_t who)
{
    for (;;) {
        uint8_t buf[2048];
        size_t len = 0;
        gw_recv_status status =
            t->ops->recv(t, buf, sizeof(buf), &len, t->ops->now(t) + 1000000, NULL, NULL);
        gw_writer w = gw_writer_over(out->bytes + out->len, sizeof(out->bytes) - out->len);
        gw_write_be(&w, status, 1);
        if (status == GW_RECV_DATA) {
            gw_write_be(&w, who, 1);
            gw_write_be(&w, len, 2);
            gw_write_bytes(&w, buf, len);
        }
        assert_false(w.full);
        out->len += w.len;
        if (status != GW_RECV_DATA)
            return;
    }
}

/* A record that writes more than some can, one that reads as many, a packet that is longer than
 * some take, and one that is as long as can be. */
static void go_deep(transcript *out, gw_transport *t)
{
    static uint64_t words[255];
    uint64_t base = 0x20000;
    uint8_t buf[1472];
    for (unsigned i = 0; i < GW_ARRAY_LEN(words); i++)
        words[i] = i + 1;
    const gw_eb_operation ops[] = {
        {.writes = words, .num_writes = DEEP, .write_base = 0x100, .flags = GW_EB_CYC},
        {.reads = (const uint64_t[]){0x100, 0x104}, .num_reads = 2, .flags = GW_EB_CYC},
        {.reads = words, .num_reads = DEEP, .flags = GW_EB_CYC},
        {.writes = words, .num_writes = 255, .write_base = 0x100},
        {.writes = words, .num_writes = 60, .write_base = 0x100},
        {.reads = &base, .num_reads = 1, .flags = GW_EB_CYC},
        {.writes = words, .num_writes = 255, .write_base = 0x100},
        {.writes = words, .num_writes = 105, .write_base = 0x100},
        {.reads = &base, .num_reads = 1, .flags = GW_EB_CYC},
    };
    static const unsigned ends[] = {1, 2, 3, 6, 9};
    for (unsigned i = 0, k = 0; i < GW_ARRAY_LEN(ends); i++) {
        gw_eb_builder b;
        assert_true(gw_eb_build_packet(&b, buf, sizeof(buf), 0x44, NULL));
        for (; k < ends[i]; k++) {
            gw_eb_operation op = ops[k];
            op.byte_enable = 0x0f;
            assert_true(gw_eb_build_record(&b, &op));
        }
        assert_true(t->ops->send(t, buf, gw_eb_build_end(&b, false)));
        note_answers(out, t, 5);
    }
}

static void converse(transcript *out, const gw_mutant *mutant)
{
    char why[256];
    gw_peer_config config = {.mutant = mutant};
    out->len = 0;
    gw_mem *mem = gw_mem_start(gw_board_by_role("etherbone-slave"), &config, why, sizeof(why));
    assert_non_null(mem);
    gw_transport *first = gw_mem_connect(mem, 0, false, why, sizeof(why));
    gw_transport *t = gw_mem_connect(mem, 0, false, why, sizeof(why));
    say(first, "4e6f1144 00000007");
    note_answers(out, first, 1);
    for (size_t i = 0; i < GW_ARRAY_LEN(packets); i++) {
        say(t, packets[i]);
        note_answers(out, t, 2);
        note_answers(out, first, 1);
    }
    say(first, "4e6e1044 080f0001 00008000 00000020");
    say(t, "4e6f1044 080f0001 00008000 00000020");
    note_answers(out, t, 2);
    note_answers(out, first, 1);
    go_deep(out, t);
    for (size_t i = 0; i < GW_ARRAY_LEN(burst); i++)
        say(t, burst[i]);
    note_answers(out, t, 2);
    gw_transport *stream = gw_mem_connect(mem, 0, true, why, sizeof(why));
    for (size_t i = 0; i < GW_ARRAY_LEN(segments); i++) {
        uint8_t bytes[64];
        (void)!stream->ops->send(stream, bytes, unhex(bytes, segments[i]));
        note_answers(out, stream, 3);
    }
    gw_transport *beside = gw_mem_connect(mem, 0, true, why, sizeof(why));
    say(beside, "4e6f1144 00000002 080f0001 00008000 00020000");
    note_answers(out, beside, 6);
    gw_transport *refused = gw_mem_connect(mem, 0, true, why, sizeof(why));
    say(refused, "4e6f1104 00000001");
    note_answers(out, refused, 4);
    gw_transport *narrow = gw_mem_connect(mem, 0, true, why, sizeof(why));
    say(narrow, "4e6f1142 00000003");
    note_answers(out, narrow, 7);
    gw_mem_stop(mem);
    gw_transport_close(first);
    gw_transport_close(t);
    gw_transport_close(stream);
    gw_transport_close(beside);
    gw_transport_close(refused);
    gw_transport_close(narrow);
}

static bool is_same(const transcript *a, const transcript *b)
{
    return a->len == b->len && memcmp(a->bytes, b->bytes, a->len) == 0;
}

/* From the good board, and from each other. */
static void every_mutant_differs(void **state)
{
    (void)state;
    const gw_board *board = gw_board_by_role("etherbone-slave");
    size_t num = board->num_mutants;
    transcript *good = calloc(num + 2, sizeof(*good));
    assert_non_null(good);
    transcript *bad = good + 2;
    converse(&good[0], NULL);
    converse(&good[1], NULL);
    assert_true(is_same(&good[0], &good[1]));
    for (size_t i = 0; i < num; i++) {
        if (board->mutants[i].wire != 0)
            continue; /* it differs in its Ethernet port, which is not there */
        converse(&bad[i], &board->mutants[i]);
        if (is_same(&bad[i], good))
            fail_msg("%s does what the good board does", board->mutants[i].id);
        for (size_t k = 0; k < i; k++)
            if (board->mutants[k].wire == 0 && is_same(&bad[i], &bad[k]))
                fail_msg("%s does what %s does", board->mutants[i].id, board->mutants[k].id);
    }
    free(good);
}

/* What a board says where others say something else. */
typedef struct otherwise {
    const char *mutant; /* NULL: the good board */
    const char *reply;
} otherwise;

static void expect(const char *dialect, const char *request, const otherwise *boards, size_t num)
{
    for (size_t i = 0; i < num; i++) {
        gw_transport *t = talk_to("etherbone-slave", boards[i].mutant, dialect, false);
        ask(t, request, boards[i].reply);
        gw_transport_close(t);
    }
}

/* LiteX counts the flags of records from the other end; its core sends none back. */
static void flags_are_lost_one_by_one_in_litex(void **state)
{
    static const otherwise boards[] = {
        {NULL, "4e6f1044 00000000 000f0100 00008000 c0de0000"},
        {"m-wrong-probe-id", "4e6f1444 00000000 700f0100 00008000 c0de0000"},
        {"m-cyc-not-copied", "4e6f1444 00000000 600f0100 00008000 c0de0000"},
        {"m-bca-not-mapped", "4e6f1444 00000000 500f0100 00008000 c0de0000"},
        {"m-rff-not-mapped", "4e6f1444 00000000 300f0100 00008000 c0de0000"},
        {"m-byte-enable-cut", "4e6f1444 00000000 700f0100 00008000 c0de0000"},
    };
    (void)state;
    expect("litex", "4e6f1044 00000000 150f0001 00008000 00020000", boards, GW_ARRAY_LEN(boards));
}

/* BaseRetAddr may be wider than addresses are. */
static void base_is_misread_whole(void **state)
{
    static const otherwise boards[] = {
        {NULL, "4e6f1414 080f0200 00020000 11111111 00000000"},
        {"m-mixed-record-misread", "4e6f1414 080f0200 00020000 c0de0000 11111111"},
    };
    (void)state;
    expect(NULL, "4e6f1014 080f0102 00000010 11111111 00020000 00000010 00000020", boards,
           GW_ARRAY_LEN(boards));
}

static bool is_must(const gw_rule *rule)
{
    return rule->level == GW_MUST;
}

static bool has_one_fault(const gw_mutant *mutant)
{
    unsigned faults = mutant->mutation != NULL;
    for (unsigned number = 0; number < 128; number++)
        faults += gw_mutant_has(mutant, number);
    for (unsigned number = 0; number < 32; number++)
        faults += mutant->wire >> number & 1;
    return faults == 1;
}

static void every_mutant_names_its_rules(void **state)
{
    (void)state;
    for (size_t b = 0; b < gw_num_boards; b++) {
        const gw_board *board = gw_boards[b];
        for (size_t i = 0; i < board->num_mutants; i++) {
            const gw_mutant *m = &board->mutants[i];
            bool must = false;
            assert_int_equal(strncmp(m->id, "m-", 2), 0);
            assert_ptr_equal(gw_mutant_by_id(board, m->id), m);
            assert_true(has_one_fault(m));
            assert_non_null(m->rules[0]);
            for (size_t r = 0; m->rules[r] != NULL; r++) {
                const gw_rule *rule = gw_format_rule(board->format, m->rules[r]);
                if (rule == NULL) {
                    fail_msg("%s names %s, which is no rule", m->id, m->rules[r]);
                    return;
                }
                must = must || is_must(rule);
            }
            /* The list says which ones only break what should be. */
            assert_int_equal(must, strstr(m->what, "(SHOULD)") == NULL);
            for (size_t k = 0; k < i; k++) {
                assert_string_not_equal(board->mutants[k].id, m->id);
                /* Mutations of their own are compared by what they do, above. */
                assert_true(m->mutation != NULL || board->mutants[k].faults != m->faults ||
                            board->mutants[k].more_faults != m->more_faults ||
                            board->mutants[k].wire != m->wire);
            }
        }
    }
}

static void names_are_found(void **state)
{
    (void)state;
    const gw_board *board = NULL;
    gw_peer_config config = {0};
    char why[256] = "";
    assert_true(
        gw_peer_find("etherbone-slave", "m-no-pr", "gsi", &board, &config, why, sizeof(why)));
    assert_string_equal(board->role, "etherbone-slave");
    assert_string_equal(config.mutant->id, "m-no-pr");
    assert_string_equal(config.dialect->name, "gsi");
    assert_true(gw_peer_find("etherbone-master", "", NULL, &board, &config, why, sizeof(why)));
    assert_null(config.mutant);
    assert_null(config.dialect);

    assert_false(gw_peer_find("etherbone-slav", NULL, NULL, &board, &config, why, sizeof(why)));
    assert_string_equal(
        why, "no software board 'etherbone-slav'; did you mean 'etherbone-slave'? `goldwire "
             "peer --list' lists them");
    assert_false(
        gw_peer_find("etherbone-slave", "m-no-nr", NULL, &board, &config, why, sizeof(why)));
    assert_non_null(strstr(why, "did you mean 'm-no-nr-in-reply'?"));
    assert_false(gw_peer_find("etherbone-slave", NULL, "gis", &board, &config, why, sizeof(why)));
    assert_string_equal(
        why, "no dialect 'gis'; did you mean 'gsi'? known: strict litex gsi libetherbone");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_mutant_differs),
        cmocka_unit_test(flags_are_lost_one_by_one_in_litex),
        cmocka_unit_test(base_is_misread_whole),
        cmocka_unit_test(every_mutant_names_its_rules),
        cmocka_unit_test(names_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
