/* SPDX-License-Identifier: BSD-2-Clause */
/* The board under test: found at a URL, or one of our own software boards, started here. */
#ifndef GOLDWIRE_DEVICE_DUT_H
#define GOLDWIRE_DEVICE_DUT_H

#include "boards/peer.h"
#include "harness/board.h"
#include "run/run.h"

/* gw_dut is a board under test. */
typedef struct gw_dut gw_dut;

/* gw_dut_place says where a link of the board is. */
typedef struct gw_dut_place {
    const char *link; /* "": the first one */
    const char *url;
} gw_dut_place;

/* gw_dut_open makes ready to reach the board at |num| places, 1 at least: udp:, tcp:, or one peer:,
 * which starts the board with all its links. |role| is a board of the same role, whose links it
 * has; NULL for one link. With |serve| the board calls us: the URL is where we listen, or the peer:
 * that shall call. NULL with a text in |why| when a URL is wrong or a software board does not
 * start. */
gw_dut *gw_dut_open(const gw_dut_place *places, size_t num, const gw_board *role, bool serve,
                    char *why, size_t why_cap);

/* gw_carriage is what the links of a software board are, as far as they may be either. */
typedef enum gw_carriage {
    GW_CARRY_UDP = 0,
    GW_CARRY_TCP,
    GW_CARRY_RAW, /* the first of its ethernet_links is a station on an Ethernet */
} gw_carriage;

/* gw_carriage_name returns "udp", "tcp" or "raw"; gw_carriage_fits says whether |board| has a link
 * that differs from one over UDP. */
const char *gw_carriage_name(gw_carriage carriage);
bool gw_carriage_fits(const gw_board *board, gw_carriage carriage);

/* gw_dut_in_memory starts |board| with |mutant| (NULL: none) under virtual time. */
gw_dut *gw_dut_in_memory(const gw_board *board, const gw_mutant *mutant, gw_carriage carriage,
                         char *why, size_t why_cap);

/* gw_dut_behind does so at the end of a path on which |path| happens. The run is not told: it finds
 * out by itself, or not at all. */
gw_dut *gw_dut_behind(const gw_board *board, const gw_mutant *mutant, gw_carriage carriage,
                      const gw_impairment *path, char *why, size_t why_cap);

/* gw_dut_wire opens the software board of |dut| once more, with the same mutant and dialect, as a
 * station on an Ethernet: in memory where |dut| is, else on a cable of our own. NULL with an empty
 * |why| when it is none of ours, has no Ethernet port, or is on one already; NULL with a text, one
 * line, where the system refuses. */
gw_dut *gw_dut_wire(const gw_dut *dut, char *why, size_t why_cap);

/* gw_dut_target returns what a run needs to reach the board. It lives as long as |dut|. */
gw_target *gw_dut_target(gw_dut *dut);

/* gw_dut_peer returns the software board that the URL named, or NULL for somebody else's. */
const gw_board *gw_dut_peer(const gw_dut *dut);

/* gw_dut_use_dialect says in which dialect somebody else's board is spoken to: it decides which
 * port of ours the board answers to. To be called before the board is first spoken to. */
void gw_dut_use_dialect(gw_dut *dut, const gw_dialect *dialect);

/* gw_dut_use_pace says how long the board may take: |pace| is what its board file says.
 * To be called before the board is first spoken to. */
void gw_dut_use_pace(gw_dut *dut, const gw_board_pace *pace);

/* gw_dut_wave_to has the simulators of |dut| write their waves into the folder |dir|, which is made
 * when it is not there. False with a text in |why|: a board that is not simulated, a folder that
 * cannot be made. */
GW_MUST_USE bool gw_dut_wave_to(gw_dut *dut, const char *dir, char *why, size_t why_cap);

/* gw_dut_own_address lets |url| begin at the port number that it leads to, at another address, as a
 * board has to be spoken to that answers to its own port only. On a loopback that is the |nth|
 * address of many. A URL that says where it begins is left alone. */
void gw_dut_own_address(gw_url *url, unsigned nth);

/* gw_dut_dialect returns the dialect that the URL named, or was chosen; NULL: none. */
const gw_dialect *gw_dut_dialect(const gw_dut *dut);

/* gw_dut_registers_at returns where the software board that the URL named has its registers. */
uint32_t gw_dut_registers_at(const gw_dut *dut);

/* gw_dut_hurry returns by how many times less than usual the software board that the URL named
 * waits by itself; 1: as usual. */
uint32_t gw_dut_hurry(const gw_dut *dut);

/* gw_dut_where returns where the board is, for people: the URL, with the real port where we wait.
 * It lives as long as |dut|. */
const char *gw_dut_where(const gw_dut *dut);

/* gw_dut_close stops what was started; NULL is allowed. */
void gw_dut_close(gw_dut *dut);

#endif
