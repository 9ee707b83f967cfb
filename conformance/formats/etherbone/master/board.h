/* SPDX-License-Identifier: BSD-2-Clause */
/* Inside the software EtherBone master: a script of tasks, each some packets and what must come
 * back. A task whose answers do not come, or are wrong, is repeated a few times: over UDP any
 * packet may be lost. */
#ifndef GOLDWIRE_FORMATS_ETHERBONE_MASTER_BOARD_H
#define GOLDWIRE_FORMATS_ETHERBONE_MASTER_BOARD_H

#include "boards/map.h"
#include "boards/peer.h"
#include "goldwire/etherbone.h"

/* One bit a fault, each tested at one place. */
typedef enum gw_eb_master_fault {
    MASTER_FAULT_RESERVED = 0,
    MASTER_FAULT_LONG_PROBE,
    MASTER_FAULT_ANY_PROBE_ID,
    MASTER_FAULT_SEVERAL_WIDTHS,
    MASTER_FAULT_NO_PADDING,
    MASTER_FAULT_NR_WITH_READS,
    MASTER_FAULT_WRONG_COUNT,
    MASTER_FAULT_CYC_EVERYWHERE,
    MASTER_FAULT_NO_CYC,
    MASTER_FAULT_BYTE_ENABLES,
    MASTER_FAULT_NO_ZERO_FILL,
    MASTER_FAULT_BY_ORDER,
    MASTER_FAULT_HEADERS,
    MASTER_FAULT_UNALIGNED_CONFIG,
    MASTER_FAULT_DIRTY_PADDING,
    MASTER_FAULT_NO_PROBE_RETRY,
    MASTER_FAULT_ENDLESS_PROBES,
    MASTER_FAULT_PROBE_BURST,
    MASTER_FAULT_IGNORES_OFFER,
    MASTER_FAULT_LAST_RECORD,
    MASTER_FAULT_REUSES_RETURN,
    MASTER_FAULT_ANY_MODE,
    MASTER_FAULT_WAITS_FOR_EVER,
    MASTER_FAULT_LATE_STATUS,
    MASTER_FAULT_LONG_PACKETS,
    MASTER_FAULT_ECHOES,
    MASTER_FAULT_ID_SWAPPED,
    MASTER_FAULT_LONG_PROBE_AGAIN,
    MASTER_FAULT_NR_AGAIN,
    MASTER_FAULT_VERSION_HEARD,
    MASTER_FAULT_WIDTHS_HEARD,
    MASTER_FAULT_ANY_MAGIC,
    MASTER_FAULT_TAKES_CUT,
    MASTER_FAULT_ALWAYS_FIXED,
    MASTER_FAULT_DEAF,
    MASTER_FAULT_HANGS_ON_ZEROS,
    MASTER_FAULT_SHY,
    GW_EB_NUM_MASTER_MUTANTS /* one a fault */
} gw_eb_master_fault;

#define GW_EB_MASTER_SLOTS 16        /* reads outstanding */
#define GW_EB_MASTER_VALUES 16       /* of one read */
#define GW_EB_MASTER_PACKET_MAX 1472 /* UDP payload that is not fragmented ... */
#define GW_EB_MASTER_WRONG_MAX 3072  /* ... and what a mutant may send all the same */

/* One record's reads: where their results are to go, and what has come. */
typedef struct gw_eb_slot {
    uint16_t base; /* BaseRetAddr */
    uint8_t flags; /* of the request */
    uint8_t count;
    uint8_t received;
    uint64_t values[GW_EB_MASTER_VALUES];
} gw_eb_slot;

typedef enum gw_eb_master_phase {
    MASTER_IDLE = 0,
    MASTER_PROBING,
    MASTER_WORKING,
    MASTER_DONE,
} gw_eb_master_phase;

typedef struct gw_eb_script gw_eb_script;

typedef struct gw_eb_master {
    const gw_eb_map *map;
    const gw_dialect *dialect;
    const gw_mutant *mutant; /* NULL: none */
    void *codec;             /* state of gw_etherbone.stream; NULL over UDP */
    gw_peer_out *out;
    int64_t now;
    int64_t deadline;
    uint8_t phase;   /* gw_eb_master_phase */
    uint8_t widths;  /* agreed */
    uint8_t offered; /* by the other side */
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
    bool startled;    /* the last packet made no sense */
    bool hung;        /* a mutant's end */
    uint8_t heard[4]; /* the last packet header that came, for mutants that take it over */
    uint64_t sdb;     /* what the SDB pointer said */
    uint8_t packet[GW_EB_MASTER_WRONG_MAX];
} gw_eb_master;

static inline bool gw_eb_master_faulty(const gw_eb_master *m, gw_eb_master_fault fault)
{
    return gw_mutant_has(m->mutant, fault);
}

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

/* gw_eb_master_mend copies a datagram of |len| bytes, at least 4, and changes what a mutant does
 * not mind. Returns the length of the copy, at most 8 more. */
size_t gw_eb_master_mend(const gw_eb_master *m, uint8_t copy[GW_EB_MASTER_PACKET_MAX],
                         const uint8_t *data, size_t len);

extern const gw_mutant gw_eb_master_mutants[GW_EB_NUM_MASTER_MUTANTS];
extern const gw_board gw_eb_master_board;

#endif
