/* SPDX-License-Identifier: BSD-2-Clause */
/* Software boards. A board is a state machine without I/O and without a clock: the same code is
 * served over sockets, stepped in memory under virtual time, and fuzzed. */
#ifndef GOLDWIRE_BOARDS_PEER_H
#define GOLDWIRE_BOARDS_PEER_H

#include "goldwire/base.h"
#include "goldwire/format.h"
#include "goldwire/ib.h"
#include "harness/board.h"
#include "harness/transport.h"

typedef enum gw_peer_event_kind {
    GW_PEER_START = 0, /* once, before anything else */
    GW_PEER_OPEN,      /* a connection (stream link), a new sender (datagram link), or, for a board
                          that calls us, the party it shall call */
    GW_PEER_BYTES,     /* one datagram, or bytes of a stream */
    GW_PEER_TIMER,     /* the deadline that step returned has come */
    GW_PEER_CLOSE,     /* that connection is gone */
} gw_peer_event_kind;

typedef struct gw_peer_event {
    uint8_t kind;              /* gw_peer_event_kind */
    uint8_t link;              /* index in gw_board.links */
    bool stream;               /* bytes of a stream, not a datagram */
    uint32_t conn;             /* who: below GW_PEER_MAX_CONNS, reused after GW_PEER_CLOSE */
    const gw_endpoint *here;   /* the board's own address on that connection, and ... */
    const gw_endpoint *there;  /* ... that of the other side; NULL when there is no connection */
    const gw_adapter *adapter; /* an InfiniBand adapter that has names of its own for us, or NULL */
    size_t carries;            /* bytes that a datagram has at most on the way to the other side; 0:
                                  as many as it can have, or nobody knows */
    const uint8_t *data;
    size_t len;
    size_t padding; /* bytes behind |data| that fill up the Ethernet frame it came in; 0: none, or
                       nobody sees the frame */
} gw_peer_event;

/* gw_peer_out takes what a board sends during one step. Bytes are copied before the call returns.
 * After close the host tells GW_PEER_CLOSE, as it does whenever a connection ends: one for each
 * GW_PEER_OPEN. */
typedef struct gw_peer_out gw_peer_out;
struct gw_peer_out {
    void (*send)(gw_peer_out *out, unsigned link, uint32_t conn, const uint8_t *data, size_t len);
    void (*close)(gw_peer_out *out, unsigned link, uint32_t conn);
};

#define GW_PEER_NEVER INT64_MAX
#define GW_PEER_MAX_CONNS 64
#define GW_PEER_MAX_LINKS 8

/* gw_mutant is a board with one fault, laid over the good one as data. */
typedef struct gw_mutant {
    const char *id; /* "m-wrong-probe-id" */
    const char *const
        *rules;           /* broken rules, NULL at the end; the first is the one it was made for */
    const char *what;     /* what is wrong with it */
    uint64_t faults;      /* bits that the board knows: faults 0 to 63, and ... */
    uint64_t more_faults; /* ... 64 to 127, of a board that has so many */
    uint32_t wire;        /* faults of its Ethernet port (GW_ETHER_BIT in harness/ether.h) */
    const void *mutation; /* filters and policy that the board lays over itself, in a type of its
                             own; NULL: none */
} gw_mutant;

/* GW_FAULT sets the bit of fault |number|, a constant, in an initialiser of gw_mutant. */
#define GW_FAULT(number)                                                                           \
    .faults = (number) < 64 ? UINT64_C(1) << (number) % 64 : 0,                                    \
    .more_faults = (number) < 64 ? 0 : UINT64_C(1) << (number) % 64

/* gw_mutant_has says whether |mutant| has fault |number|; NULL, the good board, has none. */
static inline bool gw_mutant_has(const gw_mutant *mutant, unsigned number)
{
    if (mutant == NULL)
        return false;
    return ((number < 64 ? mutant->faults : mutant->more_faults) >> number % 64 & 1) != 0;
}

/* gw_peer_config is how a board is set up. */
typedef struct gw_peer_config {
    const gw_dialect *dialect; /* NULL: strict */
    const gw_mutant *mutant;   /* NULL: none */
    const void *setup;         /* the board's own, from its file; NULL: the default */
    uint64_t memory_seed;
    uint32_t registers_at; /* where the link "regs" has what else begins at 0; a multiple of 8 */
    uint32_t hurry;        /* what the board waits by itself is divided by this; 0: by nothing */
    bool random_memory;    /* memory starts with whatever |memory_seed| gives, not with zeros */
} gw_peer_config;

typedef struct gw_board {
    const char *role; /* "etherbone-slave" */
    const char *blurb;
    const char *const *links; /* link names, NULL at the end; the first is the default */
    uint32_t datagram_links;  /* bit i: link i never is a byte stream */
    uint32_t stream_links;    /* bit i: link i always is one */
    uint32_t same_port_links; /* bit i: both ends of link i use one port number, so they need two
                                 addresses */
    uint32_t roce_links;      /* bit i: link i is RoCEv2: each party has one address and, as far as
                                 it is not ours, the port 4791 */
    uint32_t ethernet_links;  /* bit i: link i is an Ethernet port where frames can be told: a
                                 station  with an address of its own */
    const gw_mutant *mutants;
    size_t num_mutants;
    const gw_format *format;
    const gw_board_file *file; /* what it declares, as fpga_harness/boards/ROLE.yaml says it, but
                                  for where it is */
    bool calls_us;             /* a master: it opens the conversation */
    bool waits;                /* it asks again, or gives up, by a clock of its own, which
                                  gw_peer_config.hurry has run faster */
    bool numbered;             /* it has a number of its own, by which others call it */
    size_t size;               /* bytes of state, aligned for uint64_t */
    /* init prepares the state; |config| outlives the peer. False with a text in |why|. */
    bool (*init)(void *state, const gw_peer_config *config, char *why, size_t why_cap);
    /* step handles one event at |now_ns| and returns when it wants GW_PEER_TIMER, or GW_PEER_NEVER.
     */
    int64_t (*step)(void *state, const gw_peer_event *event, int64_t now_ns, gw_peer_out *out);
    /* done says whether a board that calls us has finished what it came for; NULL: never. */
    bool (*done)(const void *state);
    /* report writes a line for people about what the board did, "" for nothing, and says whether
     * it is satisfied with the other side; NULL: nothing to tell. */
    bool (*report)(void *state, char *text, size_t cap);
    void (*fini)(void *state);
    /* open_setup reads the board's own file for gw_peer_config.setup; NULL, with a text in |why|
     * that names file, line and column, when it is wrong. NULL: the board has no file. */
    void *(*open_setup)(const char *path, char *why, size_t why_cap);
    void (*close_setup)(void *setup);
} gw_board;

/* gw_boards lists all boards; gw_num_boards how many. */
extern const gw_board *const gw_boards[];
extern const size_t gw_num_boards;

/* gw_board_by_role returns the board called |role|, or NULL. */
const gw_board *gw_board_by_role(const char *role);

/* gw_board_num_links returns how many links |board| has. */
unsigned gw_board_num_links(const gw_board *board);

/* gw_board_link_streams says whether link |link| is a byte stream where those that may be either
 * are (|stream|), or are not. */
bool gw_board_link_streams(const gw_board *board, unsigned link, bool stream);

/* gw_board_may_stream says whether |board| has a link that may be either. */
bool gw_board_may_stream(const gw_board *board);

/* gw_board_ethernet_link returns the first of |board|'s ethernet_links; false when it has none. */
bool gw_board_ethernet_link(const gw_board *board, unsigned *link);

/* gw_board_link_scheme returns "tcp", "roce" or "udp": what the URL of link |link| begins with when
 * links that may be streams are (|stream|). */
const char *gw_board_link_scheme(const gw_board *board, unsigned link, bool stream);

/* gw_peer_roce_port returns the port that a RoCEv2 party at port |here| answers to. At the port
 * that RoCEv2 has that is the same one, whatever port the other side sends from; elsewhere that. */
static inline uint16_t gw_peer_roce_port(uint16_t here, uint16_t there)
{
    return here == GW_ROCE_PORT ? here : there;
}

/* gw_board_link_format returns what link |link| speaks: the board's format, or EtherBone on a link
 * called "regs". */
const gw_format *gw_board_link_format(const gw_board *board, unsigned link);

/* gw_mutant_by_id returns that mutant of |board|, or NULL. */
const gw_mutant *gw_mutant_by_id(const gw_board *board, const char *id);

/* gw_peer_find finds a board, and what of |config| has a name: |mutant| and |dialect| may be NULL
 * or empty for none. False with a text in |why| that suggests the nearest name. */
GW_MUST_USE bool gw_peer_find(const char *role, const char *mutant, const char *dialect,
                              const gw_board **board, gw_peer_config *config, char *why,
                              size_t why_cap);

/* gw_peer_wait returns how long a board waits by itself, where it usually does so for |usual_ns|.
 */
static inline int64_t gw_peer_wait(const gw_peer_config *config, int64_t usual_ns)
{
    return config->hurry > 1 ? usual_ns / config->hurry : usual_ns;
}

/* gw_peer_hurry sets |config|->hurry to |times|; 0: not said. False with a text in |why| when
 * |board| waits for nobody. */
GW_MUST_USE bool gw_peer_hurry(gw_peer_config *config, const gw_board *board, uint32_t times,
                               char *why, size_t why_cap);

#endif
