/* SPDX-License-Identifier: BSD-2-Clause */
/* Inside the software EtherBone master: a script of tasks, each some packets and what must come
 * back. A task whose answers do not come, or are wrong, is repeated a few times: over UDP any
 * packet may be lost. */
#ifndef GOLDWIRE_FORMATS_ETHERBONE_MASTER_BOARD_H
#define GOLDWIRE_FORMATS_ETHERBONE_MASTER_BOARD_H

#include "boards/map.h"
#include "boards/patience.h"
#include "boards/peer.h"
#include "formats/etherbone/master/mutants/mutation.h"
#include "goldwire/etherbone.h"

#define GW_EB_NUM_MASTER_MUTANTS 38

#define GW_EB_MASTER_SLOTS 16  /* reads outstanding */
#define GW_EB_MASTER_VALUES 16 /* of one read */

/* One record's reads: where their results are to go, and what has come. */
struct gw_eb_slot {
    uint16_t base; /* BaseRetAddr */
    uint8_t flags; /* of the request */
    uint8_t count;
    uint8_t received;
    uint64_t values[GW_EB_MASTER_VALUES];
};

typedef enum gw_eb_master_phase {
    MASTER_IDLE = 0,
    MASTER_PROBING,
    MASTER_WORKING,
    MASTER_DONE,
} gw_eb_master_phase;

typedef struct gw_eb_script gw_eb_script;

struct gw_eb_master {
    const gw_eb_map *map;
    const gw_peer_config *config;
    const gw_dialect *dialect;
    const gw_eb_master_mutation *mutation; /* without filters in the good board */
    gw_eb_master_policy policy;
    void *codec; /* state of gw_etherbone.stream; NULL over UDP */
    gw_peer_out *out;
    int64_t now;
    int64_t deadline;
    gw_patience patience; /* over UDP */
    int64_t sent_ns;      /* when the last probe or the present task was, the last time */
    uint8_t phase;        /* gw_eb_master_phase */
    uint8_t widths;       /* agreed */
    uint8_t offered;      /* by the other side */
    bool stream;
    gw_eb_layout layout;
    uint32_t probe_id;
    uint16_t next_return;
    unsigned tries; /* of the probe, or of the present task */
    unsigned repeated;
    unsigned num_done;
    unsigned num_failed;
    const gw_eb_script *script;
    size_t task; /* index in the script */
    const char *failed;
    gw_eb_slot slots[GW_EB_MASTER_SLOTS];
    size_t num_slots;
    gw_eb_builder builder;
    bool hung;    /* a mutant's end */
    uint64_t sdb; /* what the SDB pointer said */
    uint8_t packet[GW_EB_MASTER_WRONG_MAX];
    gw_eb_master_kept kept;
};

/* gw_eb_master_slot returns the slot that |record| answers: by its address, flags as they follow
 * from the request. NULL: none does. */
gw_eb_slot *gw_eb_master_slot(gw_eb_master *m, const gw_eb_record *record);

/* gw_eb_task is one entry of the script. */
typedef struct gw_eb_task {
    const char *name;
    /* fits says whether the task makes sense with this board and these widths; NULL: always. */
    bool (*fits)(const gw_eb_master *m);
    /* send sends the packets and opens the slots for what they read. */
    void (*send)(gw_eb_master *m);
    /* check judges the values once all slots are full. */
    bool (*check)(gw_eb_master *m);
} gw_eb_task;

/* gw_eb_script is what a master does, in order. */
struct gw_eb_script {
    const gw_eb_task *tasks;
    size_t num_tasks;
};

/* gw_eb_script_for returns the script of masters that speak |dialect|. */
const gw_eb_script *gw_eb_script_for(const gw_dialect *dialect);

/* gw_eb_master_begin starts a packet (over TCP a run of records). */
void gw_eb_master_begin(gw_eb_master *m);

/* gw_eb_master_add adds a record, filling in the byte enables when they are 0 and, when it reads,
 * a fresh return address with a slot for the results. */
void gw_eb_master_add(gw_eb_master *m, gw_eb_operation op);

/* gw_eb_master_new_try says that what comes for earlier tries and tasks is not waited for. */
void gw_eb_master_new_try(gw_eb_master *m);

/* gw_eb_master_send finishes the packet and sends it. A packet without reads says NR. */
void gw_eb_master_send(gw_eb_master *m);

extern const gw_mutant gw_eb_master_mutants[GW_EB_NUM_MASTER_MUTANTS];
extern const gw_board gw_eb_master_board;

#endif
