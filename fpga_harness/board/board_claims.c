/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the claims of a board file, by the table of claims. */
#include <string.h>

#include "board_read.h"

/* A list of widths in bits becomes EtherBone's width codes. */
static bool read_widths(gw_yaml *yaml, const gw_yaml_node *node, uint32_t *out)
{
    if (!gw_yaml_sequence(yaml, node))
        return false;
    for (const gw_yaml_node *one = gw_yaml_first(node); one != NULL; one = gw_yaml_next(one)) {
        uint64_t bits = 0;
        if (!gw_yaml_u64(yaml, one, 64, &bits))
            return false;
        if (bits != 8 && bits != 16 && bits != 32 && bits != 64)
            return gw_yaml_fail(yaml, one, "width %u, one of 8, 16, 32, 64 expected",
                                (unsigned)bits);
        *out |= (uint32_t)(bits / 8);
    }
    if (*out == 0)
        return gw_yaml_fail(yaml, node, "no width; leave the key out when it is not known");
    return true;
}

static bool read_flag(gw_yaml *yaml, const gw_yaml_node *node, uint32_t *out)
{
    bool yes = false;
    if (!gw_yaml_bool(yaml, node, &yes))
        return false;
    *out = yes ? GW_CLAIM_YES : GW_CLAIM_NO;
    return true;
}

static bool read_number(gw_yaml *yaml, const gw_yaml_node *node, uint32_t max, uint32_t *out)
{
    if (!gw_read_u32(yaml, node, max, out))
        return false;
    return *out != 0 ||
           gw_yaml_fail(yaml, node, "0 claims nothing; leave the key out when it is not known");
}

static bool read_one(gw_yaml *yaml, const gw_yaml_node *node, const gw_claim_field *field,
                     gw_claims *out)
{
    uint32_t value = 0;
    if (node == NULL)
        return true;
    bool ok = field->kind == GW_CLAIM_WIDTHS ? read_widths(yaml, node, &value)
              : field->kind == GW_CLAIM_FLAG ? read_flag(yaml, node, &value)
                                             : read_number(yaml, node, field->max, &value);
    if (ok)
        gw_claim_set(out, field, value);
    return ok;
}

/* Claims that exclude each other, whatever the board shows. */
static bool check_together(gw_yaml *yaml, const gw_yaml_node *map, const gw_board_file *board)
{
    const gw_claims *claims = &board->claims;
    if (claims->sdb == GW_CLAIM_YES && claims->config_space == GW_CLAIM_NO)
        return gw_yaml_fail(yaml, gw_yaml_get(map, "sdb"),
                            "the SDB pointer is a register of the config space, which the board "
                            "is said not to have");
    for (size_t i = 0; claims->tcp == GW_CLAIM_NO && i < board->num_links; i++)
        if (strncmp(board->links[i].url, "tcp:", 4) == 0)
            return gw_yaml_fail(yaml, gw_yaml_get(map, "tcp"),
                                "the board is said to be at %s, and not to speak TCP",
                                board->links[i].url);
    return true;
}

bool gw_read_claims(gw_yaml *yaml, const gw_yaml_node *root, const gw_yaml_node *map,
                    gw_board_file *out)
{
    const char *keys[GW_MAX_CLAIMS + 1] = {NULL};
    size_t num = 0;
    for (size_t i = 0; i < gw_num_claim_fields; i++)
        if (gw_claim_of_role(&gw_claim_fields[i], out->role))
            keys[num++] = gw_claim_fields[i].name;
    if (map != NULL && !gw_yaml_keys(yaml, map, keys))
        return false;
    for (size_t i = 0; i < gw_num_claim_fields; i++) {
        const gw_claim_field *field = &gw_claim_fields[i];
        if (!read_one(yaml, gw_yaml_get(map, field->name), field, &out->claims))
            return false;
    }
    for (size_t i = 0; i < gw_num_claim_fields; i++) {
        const gw_claim_field *field = &gw_claim_fields[i];
        if (gw_claim_must(field, out->role) && gw_claim_get(&out->claims, field) == 0)
            return gw_yaml_fail(yaml, map != NULL ? map : root,
                                "the claim '%s' is missing: cases go by it, and no probe shows it; "
                                "write `%s: true' or `false' under `claims'",
                                field->name, field->name);
    }
    return map == NULL || check_together(yaml, map, out);
}
