/* SPDX-License-Identifier: BSD-2-Clause */
/* A format's functions of one message, each an entry of its own, over any message of up to
 * PROOF_BYTES bytes. The bytes end where their object ends, so that one read too far leaves it. */
#include "proof/message.h"

static void walk(const gw_message *message, const gw_dialect *dialect)
{
    (void)FORMAT.walk(message, dialect, &items);
}

void proof_walk(void)
{
    over_any(walk);
}

static void check(const gw_message *message, const gw_dialect *dialect)
{
    FORMAT.check(message, dialect, &verdicts);
}

void proof_check(void)
{
    over_any(check);
}

void proof_carried(void)
{
    is_carried = true;
    over_any(check);
}

static void on_access(void *ctx, const gw_memory_access *access)
{
    (void)ctx;
    seen = access->first;
}

static void asks(const gw_message *message, const gw_dialect *dialect)
{
    gw_access_sink sink = {on_access, NULL};

    (void)FORMAT.transaction(message, dialect, &sink);
    if (FORMAT.claims != NULL)
        seen = FORMAT.claims(message);
}

void proof_asks(void)
{
    over_any(asks);
}

static void summary(const gw_message *message, const gw_dialect *dialect)
{
    char line[200];
    gw_text text = gw_text_over(line, sizeof line);

    FORMAT.summary(message, dialect, &text);
}

void proof_summary(void)
{
    over_any(summary);
}

static void portion(const gw_message *message, const gw_dialect *dialect)
{
    gw_portion portion = {0};

    if (FORMAT.portion(message, dialect, &portion) && portion.len > 0)
        seen = portion.data[0] + portion.data[portion.len - 1];
}

void proof_portion(void)
{
    over_any(portion);
}
