/* SPDX-License-Identifier: BSD-2-Clause */
/* in_process MODEL_SH CORE BOARD_YAML SEED: the whole catalogue of the core that cores/model.sh
 * makes a library of, stepped in this process, through the ports that the board file names. Prints
 * "VERDICT ID", a line each. Exit status 77: Verilator is not installed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "boards/peer.h"
#include "device/describe.h"
#include "device/dut_sim.h"
#include "goldwire/format.h"
#include "model_testing.h"
#include "ports/ports.h"
#include "run/select.h"

/* in_process is a target whose board is a model; |target| has to stay its first member. */
typedef struct in_process {
    gw_target target;
    gw_url urls[GW_TARGET_LINKS];
} in_process;

static void give_up(const char *what)
{
    fprintf(stderr, "in_process: %s\n", what);
    exit(1);
}

static gw_transport *open_link(gw_target *target, unsigned link, int64_t timeout_ns,
                               bool *unreachable, char *why, size_t why_cap)
{
    const in_process *here = (const in_process *)target;
    const gw_raw_setup ends = {
        .local = {.family = GW_FAMILY_IPV4, .ip = {10, 0, 0, 1}, .port = 50000},
        .remote = {.family = GW_FAMILY_IPV4, .ip = {10, 0, 0, 2}, .port = 60368}};
    (void)timeout_ns;
    *unreachable = gw_sim_lost(target->sim, why, why_cap) ||
                   !gw_dut_sim_fits(target->sim, &here->urls[link], why, why_cap);
    if (*unreachable)
        return NULL;
    return gw_dut_sim_connect(target->sim, &here->urls[link], &ends, &target->links[link], why,
                              why_cap);
}

static int64_t now_of(gw_target *target)
{
    return gw_sim_now(target->sim);
}

static bool reset_wire(gw_target *target, char *why, size_t why_cap)
{
    return gw_sim_reset(target->sim, target->settle_ns, why, why_cap);
}

/* The links of |role|, where |board| says that they are. */
static void lay_links(in_process *here, const gw_board_file *board, const gw_board *role)
{
    char why[256] = "";
    here->target.num_links = gw_board_num_links(role);
    for (unsigned i = 0; i < here->target.num_links; i++) {
        gw_target_link *link = &here->target.links[i];
        link->name = role->links[i];
        for (size_t j = 0; j < board->num_links; j++) {
            if (strcmp(board->links[j].name, link->name) != 0)
                continue;
            if (!gw_url_parse(&here->urls[i], board->links[j].url, why, sizeof(why)))
                give_up(why);
            link->present = true;
        }
    }
}

/* Whether each case was decided; what is printed is compared. */
static bool run_all(gw_target *target, const gw_board_file *board, const gw_suite *suite,
                    uint64_t seed)
{
    char why[256] = "";
    gw_case_list all = {0};
    gw_run run = {0};
    if (!gw_select(&all, suite, NULL, 0) || !gw_select_more(&all, &gw_port_suite, NULL, 0))
        give_up("out of memory");
    gw_run_setup setup = {.suite = suite,
                          .board = board,
                          .dialect = gw_dialect_by_name(suite->format, board->dialect),
                          .target = target,
                          .cases = all.cases,
                          .num_cases = all.num,
                          .seed = seed};
    if (!gw_run_cases(&run, &setup, why, sizeof(why)))
        give_up(why);
    for (size_t i = 0; i < run.num_results; i++)
        printf("%s %s\n", gw_verdict_name(run.results[i].verdict), run.results[i].which->id);
    fprintf(stderr, "in_process: %zu cases, %lld ns simulated\n", run.num_results,
            (long long)gw_sim_now(target->sim));
    bool answered = run.answered;
    gw_run_free(&run);
    gw_case_list_free(&all);
    return answered;
}

int main(int argc, char **argv)
{
    char why[512] = "";
    test_model model;
    gw_board_file board;
    if (argc != 5)
        give_up("MODEL_SH CORE BOARD_YAML SEED are wanted");
    int status = load_model(&model, argv[1], argv[2], why, sizeof(why));
    if (status != 0) {
        fprintf(stderr, "in_process: %s\n", why);
        return status;
    }
    if (!gw_board_load(&board, argv[3], why, sizeof(why)))
        give_up(why);
    const gw_suite *suite = gw_suite_by_role(board.role);
    if (suite == NULL || !gw_describe_check(&board, argv[3], suite, why, sizeof(why)))
        give_up(why);
    in_process here = {.target = {.open = open_link,
                                  .reset = reset_wire,
                                  .now = now_of,
                                  .near = true,
                                  .virtual_time = true}};
    lay_links(&here, &board, gw_board_by_role(board.role));
    gw_dut_sim_pace(&here.target, &board.pace);
    here.target.sim = attach_model(&model, why, sizeof(why));
    if (here.target.sim == NULL)
        give_up(why);
    bool answered = run_all(&here.target, &board, suite, strtoull(argv[4], NULL, 0));
    gw_sim_free(here.target.sim);
    unload_model(&model);
    return answered ? 0 : 1;
}
