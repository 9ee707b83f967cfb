/* SPDX-License-Identifier: BSD-2-Clause */
/* Looking things up in suites. */
#include <string.h>

#include "run/case.h"

/* The first case at or after the start of group |group|. */
static const gw_case *first_of(const gw_suite *suite, size_t group)
{
    for (; group < suite->num_groups; group++)
        if (suite->groups[group][0].id != NULL)
            return suite->groups[group];
    return NULL;
}

const gw_case *gw_suite_next(const gw_suite *suite, const gw_case *previous)
{
    if (previous == NULL)
        return first_of(suite, 0);
    if (previous[1].id != NULL)
        return previous + 1;
    for (size_t i = 0; i < suite->num_groups; i++)
        for (const gw_case *c = suite->groups[i]; c->id != NULL; c++)
            if (c == previous)
                return first_of(suite, i + 1);
    return NULL;
}

const gw_case *gw_suite_case(const gw_suite *suite, const char *id)
{
    for (const gw_case *c = gw_suite_next(suite, NULL); c != NULL; c = gw_suite_next(suite, c))
        if (strcmp(c->id, id) == 0)
            return c;
    return NULL;
}

bool gw_suite_owes(const gw_suite *suite, const gw_rule *rule)
{
    for (const char *const *f = suite->families; *f != NULL; f++)
        if (strncmp(rule->id, *f, strlen(*f)) == 0)
            return true;
    return false;
}

bool gw_case_tests(const gw_case *one, const char *rule)
{
    for (const char *const *id = one->rules; *id != NULL; id++)
        if (strcmp(*id, rule) == 0)
            return true;
    return false;
}

unsigned gw_suite_tried(const gw_suite *suite, const char *rule)
{
    unsigned tried = 0;
    for (const gw_case *c = gw_suite_next(suite, NULL); c != NULL; c = gw_suite_next(suite, c))
        if (gw_case_tests(c, rule))
            tried |= c->negative ? GW_NEGATIVE : GW_POSITIVE;
    return tried;
}

const char *gw_suite_exception(const gw_suite *suite, const char *rule, gw_polarity polarity)
{
    for (size_t i = 0; i < suite->num_exceptions; i++) {
        const gw_exception *one = &suite->exceptions[i];
        if ((one->lacks & polarity) == polarity && strcmp(one->rule, rule) == 0)
            return one->reason;
    }
    return NULL;
}
