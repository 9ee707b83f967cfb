/* SPDX-License-Identifier: BSD-2-Clause */
/* Registers over EtherBone. */
#include "regs.h"

#include <stdio.h>
#include <string.h>

bool gw_regs_init(gw_regs *regs, const gw_regs_block *blocks, size_t num,
                  const gw_wb_registers *registers, char *why, size_t why_cap)
{
    gw_peer_config config = {.setup = &regs->map};

    memset(&regs->map, 0, sizeof(regs->map));
    regs->map.sdb = GW_REGS_SDB;
    regs->map.widths = GW_EB_32BIT << 4 | GW_EB_32BIT;
    for (; regs->map.num_regions < num; regs->map.num_regions++) {
        gw_eb_region *region = &regs->map.regions[regs->map.num_regions];
        const gw_regs_block *block = &blocks[regs->map.num_regions];
        (void)snprintf(region->name, sizeof(region->name), "%s", block->name);
        region->address = block->address;
        region->size = block->size;
        region->kind = GW_EB_REGION_REGISTERS;
    }
    if (!gw_eb_slave_board.init(&regs->slave, &config, why, why_cap))
        return false;
    regs->slave.bus.registers = *registers;
    return true;
}

void gw_regs_step(gw_regs *regs, const gw_peer_event *event, gw_peer_out *out)
{
    (void)gw_eb_slave_board.step(&regs->slave, event, 0, out);
}

void gw_regs_fini(gw_regs *regs)
{
    gw_eb_slave_board.fini(&regs->slave);
}
