/* SPDX-License-Identifier: BSD-2-Clause */
/* Registers over EtherBone. */
#include "formats/etherbone/slave/registers.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool read_moved(void *board, uint32_t address, uint32_t *value)
{
    const gw_regs *regs = board;
    return regs->registers.read(regs->registers.board, address - regs->at, value);
}

static bool write_moved(void *board, uint32_t address, uint32_t value)
{
    const gw_regs *regs = board;
    return regs->registers.write(regs->registers.board, address - regs->at, value);
}

bool gw_regs_init(gw_regs *regs, const gw_regs_block *blocks, size_t num,
                  const gw_wb_registers *registers, const gw_peer_config *config, char *why,
                  size_t why_cap)
{
    gw_peer_config own = {.setup = &regs->map};

    memset(&regs->map, 0, sizeof(regs->map));
    regs->map.sdb = GW_REGS_SDB;
    regs->map.widths = GW_EB_32BIT << 4 | GW_EB_32BIT;
    for (; regs->map.num_regions < num; regs->map.num_regions++) {
        gw_eb_region *region = &regs->map.regions[regs->map.num_regions];
        const gw_regs_block *block = &blocks[regs->map.num_regions];
        (void)snprintf(region->name, sizeof(region->name), "%s", block->name);
        region->address = (uint64_t)block->address + config->registers_at;
        region->size = block->size;
        region->kind = GW_EB_REGION_REGISTERS;
        if (region->address + region->size > GW_REGS_SDB) {
            (void)snprintf(why, why_cap,
                           "registers at 0x%" PRIx32 ": %s would reach beyond 0x%" PRIx32,
                           config->registers_at, block->name, GW_REGS_SDB);
            return false;
        }
    }
    if (!gw_eb_slave_board.init(&regs->slave, &own, why, why_cap))
        return false;
    regs->registers = *registers;
    regs->at = config->registers_at;
    regs->slave.bus.registers = (gw_wb_registers){regs, read_moved, write_moved};
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
