/* SPDX-License-Identifier: BSD-2-Clause */
/* The YAML reader: values, positions, and what it refuses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/temporary_testing.h"
#include "harness/yaml.h"

static const char *const region_keys[] = {"name", "address", "type", NULL};

static gw_yaml *parse(const char *text)
{
    char why[512] = "";
    gw_yaml *yaml = gw_yaml_parse("m.yaml", text, strlen(text), why, sizeof(why));
    if (yaml == NULL)
        fail_msg("%s", why);
    return yaml;
}

static void refuse(const char *text, size_t len, const char *expected)
{
    char why[512] = "";
    gw_yaml *yaml = gw_yaml_parse("m.yaml", text, len, why, sizeof(why));
    assert_null(yaml);
    assert_string_equal(why, expected);
}

static void refuse_text(const char *text, const char *expected)
{
    refuse(text, strlen(text), expected);
}

static void reads_values(void **state)
{
    (void)state;
    gw_yaml *yaml = parse("name: ram\n"
                          "size: 0x10000\n"
                          "top: 18446744073709551615\n"
                          "open: true\n"
                          "type: \"fifo\"\n"
                          "list: [1, {name: b}, [3]]\n");
    const gw_yaml_node *root = gw_yaml_root(yaml);
    static const char *const types[] = {"ram", "fifo", NULL};
    const char *name = NULL;
    uint64_t size = 0;
    uint64_t top = 0;
    uint64_t absent = 7;
    bool open = false;
    unsigned type = 9;
    assert_true(gw_yaml_string(yaml, gw_yaml_need(yaml, root, "name"), &name));
    assert_true(gw_yaml_u64(yaml, gw_yaml_get(root, "size"), UINT32_MAX, &size));
    assert_true(gw_yaml_u64(yaml, gw_yaml_get(root, "top"), UINT64_MAX, &top));
    assert_true(gw_yaml_u64(yaml, gw_yaml_get(root, "absent"), UINT64_MAX, &absent));
    assert_true(gw_yaml_bool(yaml, gw_yaml_get(root, "open"), &open));
    assert_true(gw_yaml_choice(yaml, gw_yaml_get(root, "type"), types, &type));
    assert_string_equal(name, "ram");
    assert_int_equal(size, 0x10000);
    assert_true(top == UINT64_MAX);
    assert_int_equal(absent, 7);
    assert_true(open);
    assert_int_equal(type, 1);

    const gw_yaml_node *list = gw_yaml_get(root, "list");
    assert_true(gw_yaml_sequence(yaml, list));
    unsigned line, column;
    gw_yaml_place_of(list, &line, &column);
    assert_int_equal(line, 6);
    const gw_yaml_node *one = gw_yaml_first(list);
    assert_int_equal(gw_yaml_kind_of(one), GW_YAML_SCALAR);
    assert_null(gw_yaml_key(one));
    const gw_yaml_node *two = gw_yaml_next(one);
    assert_int_equal(gw_yaml_kind_of(two), GW_YAML_MAPPING);
    assert_string_equal(gw_yaml_key(gw_yaml_first(two)), "name");
    const gw_yaml_node *three = gw_yaml_next(two);
    assert_int_equal(gw_yaml_kind_of(three), GW_YAML_SEQUENCE);
    assert_null(gw_yaml_next(three));
    assert_null(gw_yaml_error(yaml));
    gw_yaml_close(yaml);
}

static void names_the_nearest_key(void **state)
{
    (void)state;
    gw_yaml *yaml = parse("name: a\n  \n  \nadress: 1\n");
    assert_false(gw_yaml_keys(yaml, gw_yaml_root(yaml), region_keys));
    assert_string_equal(gw_yaml_error(yaml), "m.yaml:4:1: unknown key 'adress'; did you mean "
                                             "'address'? allowed: name, address, type");
    gw_yaml_close(yaml);

    yaml = parse("quux: 1\n");
    assert_false(gw_yaml_keys(yaml, gw_yaml_root(yaml), region_keys));
    assert_string_equal(gw_yaml_error(yaml),
                        "m.yaml:1:1: unknown key 'quux'; allowed: name, address, type");
    gw_yaml_close(yaml);
}

static void bad_values_say_where(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *expected;
    } numbers[] = {
        {"v: 12k", "m.yaml:1:4: '12k' is no number: write 4096 or 0x1000"},
        {"v: -1", "m.yaml:1:4: '-1' is no number: write 4096 or 0x1000"},
        {"v: 0x", "m.yaml:1:4: '0x' is no number: write 4096 or 0x1000"},
        {"v: 256", "m.yaml:1:4: 256 is too large: at most 255 (0xff)"},
        {"v: 99999999999999999999",
         "m.yaml:1:4: 99999999999999999999 is too large: at most 255 (0xff)"},
        {"v:\n  - 1", "m.yaml:2:3: a number is expected, not a list"},
        {"w: 1", "m.yaml:1:1: the key 'v' is missing"},
    };
    for (size_t i = 0; i < GW_ARRAY_LEN(numbers); i++) {
        gw_yaml *yaml = parse(numbers[i].text);
        uint64_t value = 42;
        assert_false(gw_yaml_u64(yaml, gw_yaml_need(yaml, gw_yaml_root(yaml), "v"), 255, &value));
        assert_string_equal(gw_yaml_error(yaml), numbers[i].expected);
        assert_int_equal(value, 42);
        gw_yaml_close(yaml);
    }

    gw_yaml *yaml = parse("v: yes\nw: \"a\\e[31m\"\nx: fif\ny:\n");
    const gw_yaml_node *root = gw_yaml_root(yaml);
    bool flag = false;
    assert_false(gw_yaml_bool(yaml, gw_yaml_get(root, "v"), &flag));
    assert_string_equal(gw_yaml_error(yaml), "m.yaml:1:4: true or false is expected, not 'yes'");
    /* The first error stays. */
    assert_false(gw_yaml_fail(yaml, root, "another"));
    assert_string_equal(gw_yaml_error(yaml), "m.yaml:1:4: true or false is expected, not 'yes'");
    gw_yaml_close(yaml);

    yaml = parse("w: \"a\\e[31m\"\n");
    const char *text = NULL;
    assert_false(gw_yaml_string(yaml, gw_yaml_get(gw_yaml_root(yaml), "w"), &text));
    assert_non_null(strstr(gw_yaml_error(yaml), "control character (0x1b)"));
    gw_yaml_close(yaml);

    yaml = parse("y:\n");
    assert_false(gw_yaml_string(yaml, gw_yaml_get(gw_yaml_root(yaml), "y"), &text));
    assert_string_equal(gw_yaml_error(yaml), "m.yaml:1:1: a text is expected here");
    gw_yaml_close(yaml);

    static const char *const types[] = {"ram", "fifo", NULL};
    unsigned type = 9;
    yaml = parse("x: fif\n");
    assert_false(gw_yaml_choice(yaml, gw_yaml_get(gw_yaml_root(yaml), "x"), types, &type));
    assert_string_equal(gw_yaml_error(yaml),
                        "m.yaml:1:4: unknown word 'fif'; did you mean 'fifo'? allowed: ram, fifo");
    gw_yaml_close(yaml);

    yaml = parse("a\n");
    assert_false(gw_yaml_keys(yaml, gw_yaml_root(yaml), region_keys));
    assert_string_equal(gw_yaml_error(yaml), "m.yaml:1:1: a mapping with the keys name, address, "
                                             "type is expected, not a value");
    gw_yaml_close(yaml);
}

static void errors_cannot_steer_a_terminal(void **state)
{
    (void)state;
    gw_yaml *yaml = parse("a: \"k\\e[2J\"\n");
    bool yes = false;
    assert_false(gw_yaml_bool(yaml, gw_yaml_get(gw_yaml_root(yaml), "a"), &yes));
    assert_null(strchr(gw_yaml_error(yaml), 0x1b));
    assert_non_null(strstr(gw_yaml_error(yaml), "not 'k?[2J'"));
    gw_yaml_close(yaml);
}

static void refuses_what_is_not_used(void **state)
{
    (void)state;
    refuse_text("a: &x [1]\nb: *x\n",
                "m.yaml:2:5: aliases (*name) are not used here; write the value out");
    refuse_text("a: 1\na: 2\n", "m.yaml:2:1: the key 'a' is there twice");
    refuse_text("a: 1\n---\nb: 2\n", "m.yaml:2:1: a second document; one is expected");
    refuse_text("? [a]\n: b\n", "m.yaml:1:3: a key must be a plain text");
    refuse_text("a: !!str x\n", "m.yaml:1:10: tags (!name) are not used here");
    refuse_text("", "m.yaml: nothing to read: empty, or not YAML");
    refuse("a: \"b\\0c\"\n", strlen("a: \"b\\0c\"\n"), "m.yaml:1:5: a text holds a zero byte");
    refuse_text("a: 1\n# caf\xe9\n", "m.yaml:2:6: byte 0xe9 is not UTF-8; save the file as UTF-8");
    refuse_text("a: \xc0\x80\n", "m.yaml:1:4: byte 0xc0 is not UTF-8; save the file as UTF-8");
    refuse_text("a: \xed\xa0\x80\n", "m.yaml:1:4: byte 0xed is not UTF-8; save the file as UTF-8");
    refuse_text("a: \xc3", "m.yaml:1:4: byte 0xc3 is not UTF-8; save the file as UTF-8");
    refuse_text("a: caf\xc3\xa9 \x1b[2J\n", "m.yaml:1:9: control character (0x1b)");
    refuse_text("\"a\\e[2J\": 1\n", "m.yaml:1:2: the key holds a control character (0x1b)");
    refuse_text("b: 1\na: >0-\n", "m.yaml:2:1: what follows here is not YAML");
    refuse_text("%YAML 1.2\n---\na: 1\n", "m.yaml:1:1: directives (%NAME) are not used here");
    refuse_text("%\x86", "m.yaml:1:1: directives (%NAME) are not used here");
}

static void refuses_too_much(void **state)
{
    (void)state;
    char deep[GW_YAML_MAX_DEPTH + 1];
    memset(deep, '[', sizeof(deep));
    refuse(deep, sizeof(deep), "m.yaml:1:17: nested deeper than 16 levels");

    size_t len = 2 * ((size_t)GW_YAML_MAX_CHILDREN + 1);
    char *wide = malloc(len + 2);
    assert_non_null(wide);
    for (size_t i = 1; i <= len; i++)
        wide[i] = i % 2 != 0 ? '1' : ',';
    wide[0] = '[';
    wide[len] = ']';
    refuse(wide, len + 1, "m.yaml:1:8194: more than 4096 entries in one list");
    free(wide);

    char *large = calloc(1, GW_YAML_MAX_SIZE + 1);
    assert_non_null(large);
    memset(large, ' ', GW_YAML_MAX_SIZE + 1);
    refuse(large, GW_YAML_MAX_SIZE + 1, "m.yaml: longer than 1048576 bytes");
    free(large);
}

static void syntax_errors_have_a_place(void **state)
{
    (void)state;
    static const char *const broken[] = {"a: [1, 2\nb: {", "%FOO\n@",    "\"",
                                         "{a: ]}",         "\t- a\n  b", "\xff\xfe\x01"};
    for (size_t i = 0; i < GW_ARRAY_LEN(broken); i++) {
        char why[512] = "";
        assert_null(gw_yaml_parse("m.yaml", broken[i], strlen(broken[i]), why, sizeof(why)));
        assert_int_equal(strncmp(why, "m.yaml:", 7), 0);
    }
}

/* Whatever the bytes, the reader ends, and frees what it took. */
static void any_bytes_end(void **state)
{
    (void)state;
    static const char good[] = "regions:\n- {name: ram, address: 0x10, list: [1, 2, \"a b\"]}\n"
                               "- name: fifo\n  type: |\n    text\n";
    uint32_t random = 1;
    unsigned read = 0;
    for (unsigned round = 0; round < 20000; round++) {
        char text[sizeof(good)];
        memcpy(text, good, sizeof(good));
        for (unsigned i = 0; i < 1 + round % 3; i++) {
            random = random * 1664525 + 1013904223;
            text[(random >> 8) % (sizeof(good) - 1)] = (char)(random >> 24);
        }
        char why[512];
        gw_yaml *yaml = gw_yaml_parse("m.yaml", text, sizeof(good) - 1, why, sizeof(why));
        if (yaml != NULL)
            read++;
        gw_yaml_close(yaml);
    }
    assert_uint_in_range(read, 1, 19999);
}

static void opens_files(void **state)
{
    (void)state;
    char why[512] = "";
    assert_null(gw_yaml_open("/nonexistent/x.yaml", why, sizeof(why)));
    assert_string_equal(why, "/nonexistent/x.yaml: No such file or directory");
    assert_null(gw_yaml_open("/", why, sizeof(why)));
    assert_string_equal(why, "/: Is a directory");

    gw_temporary file;
    assert_true(gw_temporary_file(&file, "a: 1\n"));
    gw_yaml *yaml = gw_yaml_open(file.path, why, sizeof(why));
    unlink(file.path);
    assert_non_null(yaml);
    assert_non_null(gw_yaml_get(gw_yaml_root(yaml), "a"));
    gw_yaml_close(yaml);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_values),
        cmocka_unit_test(names_the_nearest_key),
        cmocka_unit_test(bad_values_say_where),
        cmocka_unit_test(errors_cannot_steer_a_terminal),
        cmocka_unit_test(refuses_what_is_not_used),
        cmocka_unit_test(refuses_too_much),
        cmocka_unit_test(syntax_errors_have_a_place),
        cmocka_unit_test(any_bytes_end),
        cmocka_unit_test(opens_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
