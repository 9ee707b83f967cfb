/* SPDX-License-Identifier: BSD-2-Clause */
/* Holds XML and HTML of ours to being well formed. */
#ifndef GOLDWIRE_REPORT_MARKUP_TESTING_H
#define GOLDWIRE_REPORT_MARKUP_TESTING_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Elements that open must close, in their order; text and attributes must hold no bare bracket.
 * |voids| are elements that HTML does not close. */
static inline void check_markup(const char *p, const char *const *voids)
{
    char open[32][16] = {{0}};
    unsigned depth = 0;
    while ((p = strchr(p, '<')) != NULL) {
        size_t len = strcspn(p + 1, " />\n");
        bool closing = p[1] == '/';
        const char *name = closing ? p + 2 : p + 1;
        const char *end = strchr(p, '>');
        assert_non_null(end);
        if (closing)
            len = strcspn(name, ">");
        assert_true(len < sizeof(open[0]));
        bool is_void = end[-1] == '/' || p[1] == '?' || p[1] == '!';
        for (const char *const *v = voids; *v != NULL; v++)
            is_void = is_void || (strlen(*v) == len && strncmp(*v, name, len) == 0);
        if (closing) {
            assert_true(depth > 0);
            depth--;
            if (strncmp(open[depth], name, len) != 0 || open[depth][len] != '\0')
                fail_msg("</%.*s> closes <%s>", (int)len, name, open[depth]);
        } else if (!is_void) {
            assert_true(depth < 32);
            memcpy(open[depth], name, len);
            open[depth++][len] = '\0';
        }
        p = end;
    }
    assert_int_equal(depth, 0);
}

/* No id is there twice, and each link inside the page leads to one that is there. */
static inline void check_anchors(const char *text)
{
    char id[128];
    for (const char *p = text; (p = strstr(p, " id=\"")) != NULL;) {
        size_t len = strcspn(p + 5, "\"") + 6;
        assert_true(len < sizeof(id));
        (void)snprintf(id, sizeof(id), "%.*s", (int)len, p);
        p += len;
        if (strstr(p, id) != NULL)
            fail_msg("two elements have%s", id);
    }
    for (const char *p = text; (p = strstr(p, "href=\"#")) != NULL;) {
        p += 7;
        assert_true(strcspn(p, "\"") + 8 < sizeof(id));
        (void)snprintf(id, sizeof(id), " id=\"%.*s\"", (int)strcspn(p, "\""), p);
        if (strstr(text, id) == NULL)
            fail_msg("a link leads nowhere: no%s", id);
    }
}

#endif
