/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of claims, and the comparison of what is said with what is shown. */
#include "harness/claims.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define AT(member) offsetof(gw_claims, member), sizeof(((gw_claims *)NULL)->member)
#define SLAVE "etherbone-slave"
#define MASTER "etherbone-master"

const gw_claim_field gw_claim_fields[] = {
    {"address_widths", "etherbone-", NULL, 0, AT(address_widths), GW_CLAIM_WIDTHS, false,
     "widths of its addresses in bits, a list of 8, 16, 32, 64"},
    {"port_widths", "etherbone-", NULL, 0, AT(port_widths), GW_CLAIM_WIDTHS, false,
     "widths of its data in bits, a list of 8, 16, 32, 64"},
    {"tcp", "etherbone-", NULL, 0, AT(tcp), GW_CLAIM_FLAG, false,
     "it speaks EtherBone over TCP as well"},
    {"config_space", SLAVE, SLAVE, 0, AT(config_space), GW_CLAIM_FLAG, false,
     "it has the config space with the error register"},
    {"sdb", SLAVE, SLAVE, 0, AT(sdb), GW_CLAIM_FLAG, false,
     "config register 8 points to an SDB table"},
    {"zero_filled_reply", SLAVE, NULL, 0, AT(zero_filled_reply), GW_CLAIM_FLAG, false,
     "replies have their request's length"},
    {"long_cycles", MASTER, MASTER, 0, AT(long_cycles), GW_CLAIM_FLAG, false,
     "it holds bus cycles over several records"},
    {"max_payload", SLAVE, NULL, UINT32_MAX, AT(max_payload), GW_CLAIM_LIMIT, false,
     "the most bytes of one UDP packet"},
    {"pipeline", SLAVE, NULL, UINT32_MAX, AT(pipeline), GW_CLAIM_LIMIT, false,
     "how many requests may be outstanding"},
    {"edac", "textarossa-", "textarossa-", 0, AT(edac), GW_CLAIM_FLAG, false,
     "it makes and checks check bytes when the host switches that on"},
    {"revision", "textarossa-", NULL, UINT32_MAX, AT(revision), GW_CLAIM_ID, false,
     "what its REVISION_REG holds"},
    {"forwarding", "op2p-", "op2p-", 0, AT(forwarding), GW_CLAIM_FLAG, false,
     "it keeps packets for other nodes for its host"},
    {"gaps", "op2p-", NULL, 0, AT(gaps), GW_CLAIM_FLAG, false,
     "its adapter makes gaps inside frames and puts flow control into them"},
    {"status_qpn", "ims-buf", "ims-buf", 0xffffff, AT(status_qpn), GW_CLAIM_ID, false,
     "the queue pair that takes requests, which Workers know beforehand"},
    {"status_qkey", "ims-buf", NULL, UINT32_MAX, AT(status_qkey), GW_CLAIM_ID, true,
     "the queue key that goes with it; 0 when left out"},
    {"images", "ims-worker", "ims-worker", 0, AT(images), GW_CLAIM_FLAG, false,
     "each of its frames is one image"},
    {"version", "ims-", NULL, UINT16_MAX, AT(version), GW_CLAIM_ID, false,
     "of its protocol: 0x0101 is 1.1"},
    {"frame_bytes", "ims-worker", NULL, UINT32_MAX, AT(frame_bytes), GW_CLAIM_LIMIT, false,
     "bytes of a frame, but for the last one"},
    {"packet_bytes", "ims-worker", NULL, UINT32_MAX, AT(packet_bytes), GW_CLAIM_LIMIT, false,
     "bytes of data in its largest packet"},
    {"response_us", "", NULL, 60000000, AT(response_us), GW_CLAIM_LIMIT, false,
     "99 of 100 answers come within so many microseconds"},
    {"response_timeout_ms", "ims-worker", NULL, UINT32_MAX, AT(response_timeout_ms), GW_CLAIM_LIMIT,
     true,
     "it sends a frame again after so many milliseconds without a response; "
     "20 s when left out"},
    {"node", "op2p- l1-ru l1-cn", NULL, UINT16_MAX, AT(node), GW_CLAIM_ID, false,
     "its id, or the number that it tells whoever listens"},
};
const size_t gw_num_claim_fields = GW_ARRAY_LEN(gw_claim_fields);

/* |prefixes| are words between single spaces, none for every role; NULL: for no role. */
static bool begins_with(const char *role, const char *prefixes)
{
    for (const char *p = prefixes; p != NULL;) {
        size_t len = strcspn(p, " ");
        if (strncmp(role, p, len) == 0)
            return true;
        p = p[len] == ' ' ? p + len + 1 : NULL;
    }
    return false;
}

bool gw_claim_of_role(const gw_claim_field *field, const char *role)
{
    return begins_with(role, field->roles);
}

bool gw_claim_must(const gw_claim_field *field, const char *role)
{
    return begins_with(role, field->must);
}

uint32_t gw_claim_get(const gw_claims *claims, const gw_claim_field *field)
{
    const uint8_t *at = (const uint8_t *)claims + field->offset;
    uint16_t half;
    uint32_t whole;

    if (field->size == 1)
        return *at;
    if (field->size == sizeof(half)) {
        memcpy(&half, at, sizeof(half));
        return half;
    }
    memcpy(&whole, at, sizeof(whole));
    return whole;
}

void gw_claim_set(gw_claims *claims, const gw_claim_field *field, uint32_t value)
{
    uint8_t *at = (uint8_t *)claims + field->offset;
    uint16_t half = (uint16_t)value;

    if (field->size == 1)
        *at = (uint8_t)value;
    else if (field->size == sizeof(half))
        memcpy(at, &half, sizeof(half));
    else
        memcpy(at, &value, sizeof(value));
}

/* What both say: the common widths, the smaller number, yes only when both say yes. */
static uint32_t common(const gw_claim_field *field, uint32_t claimed, uint32_t shown)
{
    if (field->kind == GW_CLAIM_WIDTHS)
        return claimed & shown;
    return claimed < shown ? claimed : shown;
}

static gw_claim_verdict judge(const gw_claim_check *check)
{
    bool set = check->field->kind == GW_CLAIM_WIDTHS;

    if (check->claimed == 0 || check->shown == 0)
        return GW_CLAIM_UNSEEN;
    if (check->claimed == check->shown)
        return GW_CLAIM_AGREES;
    if (check->field->kind == GW_CLAIM_ID || check->used == 0)
        return GW_CLAIM_CONTRADICTS;
    bool over = set ? (check->claimed & ~check->shown) != 0 : check->claimed > check->shown;
    return over ? GW_CLAIM_OVER : GW_CLAIM_UNDER;
}

gw_claim_check gw_claim_compare(const gw_claim_field *field, const gw_claims *claimed,
                                const gw_claims *shown)
{
    gw_claim_check check = {.field = field,
                            .claimed = gw_claim_get(claimed, field),
                            .shown = gw_claim_get(shown, field)};

    if (check.claimed == 0 || check.shown == 0)
        check.used = check.claimed | check.shown;
    else
        check.used = common(field, check.claimed, check.shown);
    check.verdict = (uint8_t)judge(&check);
    return check;
}

const char *gw_claim_verdict_name(gw_claim_verdict verdict)
{
    static const char *const names[] = {
        [GW_CLAIM_UNSEEN] = "unseen",
        [GW_CLAIM_AGREES] = "agrees",
        [GW_CLAIM_OVER] = "over-claim",
        [GW_CLAIM_UNDER] = "under-claim",
        [GW_CLAIM_CONTRADICTS] = "contradiction",
    };
    return (unsigned)verdict < GW_ARRAY_LEN(names) ? names[verdict] : "?";
}

const char *gw_claim_text(const gw_claim_field *field, uint32_t value, char *out, size_t cap)
{
    size_t len = 0;

    if (value == 0) {
        (void)snprintf(out, cap, "?");
    } else if (field->kind == GW_CLAIM_FLAG) {
        (void)snprintf(out, cap, "%s", value == GW_CLAIM_YES ? "yes" : "no");
    } else if (field->kind == GW_CLAIM_LIMIT) {
        (void)snprintf(out, cap, "%" PRIu32, value);
    } else if (field->kind == GW_CLAIM_ID) {
        (void)snprintf(out, cap, "0x%0*" PRIx32, 2 * field->size, value);
    } else {
        for (unsigned bits = 8; bits <= 64 && len < cap; bits *= 2)
            if ((value & (bits / 8)) != 0)
                len += (size_t)snprintf(out + len, cap - len, "%s%u", len > 0 ? "/" : "", bits);
        if (len < cap)
            (void)snprintf(out + len, cap - len, " bit");
    }
    return out;
}
