/* SPDX-License-Identifier: BSD-2-Clause */
/* What the parts of the Level-1 farm's session share: tables of fixed size in the caller's memory,
 * whose oldest entries give way. */
#ifndef L1FARM_SESSION_H
#define L1FARM_SESSION_H

#include "core/lookup/chains.h"
#include "l1farm/internal.h"

enum {
    L1_SHOTS = 256,   /* fragments that are compared with each other */
    L1_PLACES = 4096, /* of the table of buffers, nodes and tags */
    L1_PROBES = 8,    /* places that an entry of it may have */
    L1_EVENTS = 4096, /* events on their way to a decision */
    L1_UNITS = 256,   /* readout units */
    L1_PARTS = 8,     /* events of a unit whose bursts are told apart */
    L1_RINGLETS = 64, /* rows, and columns */
    L1_COPIES = 64,   /* datagrams of a tunnel that one may be a copy of */
    L1_SENDS = 64,    /* least room for SCI packets */
    L1_SENDS_MOST = 1 << 20,
};

/* A fragment that was sent. */
typedef struct l1_shot {
    uint64_t frame; /* 0: none */
    uint32_t step;
    uint16_t dest;
    uint16_t event;
    uint16_t len;
    uint16_t column; /* and row: of the torus that the session has laid out */
    uint8_t row;
    uint8_t ru;
    uint8_t buffer;
} l1_shot;

/* Which parts of an event's fragment were sent. */
typedef struct l1_parts {
    uint64_t sent; /* bit k: a burst to byte 64 * k, of 4096; 0: nothing is known */
    uint16_t event;
} l1_parts;

/* A readout unit: which of its last 64 events it sent. */
typedef struct l1_readout {
    l1_parts parts[L1_PARTS];
    uint64_t seen;  /* bit k: event newest - k */
    uint64_t frame; /* of the newest; 0: nothing yet */
    uint16_t newest;
    uint16_t age;  /* how many events the newest is after the first that was captured, at most 64 */
    uint32_t step; /* of the newest */
    uint16_t dest; /* of the newest */
    bool everywhere; /* it sends to more than one node, as far as it is captured */
    bool udp;        /* its fragments come through a tunnel, which may lose them */
} l1_readout;

/* What a readout unit was told. */
typedef struct l1_list {
    uint64_t known; /* bit k: descriptor k was captured */
    uint8_t num;    /* of descriptors; 0: not known */
    bool named;     /* tags name its destinations */
    bool vague;     /* it was told through a tunnel: what has come of that nobody knows */
} l1_list;

/* The tag lines of a readout unit. */
typedef struct l1_lines {
    uint32_t least, most;   /* tags that it holds: what came before the capture is not known */
    bool in_seen, out_seen; /* the line is in the capture */
    bool next_busy, busy;
} l1_lines;

/* What a place of the table is about. */
typedef enum l1_topic {
    L1_NOBODY = 0,
    L1_BUFFER, /* key: node, buffer */
    L1_NODE,   /* key: node, buffer, interface: its results */
    L1_TAGGED, /* key: destination, readout unit, interface */
} l1_topic;

typedef struct l1_place {
    uint64_t frame;
    uint64_t touched;
    uint32_t interface;
    uint32_t ntries;
    uint16_t id;
    uint16_t sub;
    uint16_t event;
    uint8_t topic; /* l1_topic */
    bool released;
} l1_place;

/* An event on its way. */
typedef struct l1_event {
    uint64_t entered; /* frames; 0: not yet */
    uint64_t order;   /* counts entries; 0: not told */
    uint64_t decided;
    uint64_t timed_out;
    uint32_t step;
    uint32_t timed_step; /* of its time-out */
    uint16_t event;
    bool sent; /* a fragment of it was captured */
} l1_event;

/* An SCI send packet that was seen. */
typedef struct l1_send {
    gw_l1_sci sci; /* its data are gone */
    uint64_t frame;
    uint64_t echo; /* frames; 0: not yet */
    uint64_t response;
    int64_t time_ns;
    uint32_t interface;
    uint32_t start;
    uint32_t crc; /* over all of its bytes but the flow control */
    bool busy;    /* the last echo was: it is to be sent again */
    bool answers; /* it is a response itself */
} l1_send;

/* A datagram of a tunnel. */
typedef struct l1_datagram {
    uint64_t content; /* and its ends; 0: none */
    int64_t time_ns;
} l1_datagram;

typedef struct l1_session {
    int64_t give_up_ns;
    bool lossless;  /* no tunnel loses or repeats anything */
    uint64_t clock; /* counts messages */
    const gw_dialect *dialect;
    uint64_t last_decision; /* frame; 0: none */
    uint16_t last_decided;  /* event */
    uint64_t last_order;    /* of its entry */
    uint64_t entries;       /* of events, as far as they were told */
    uint32_t next_shot;
    const gw_l1_profile *laid_out; /* whose torus |shots| have their rows and columns of */
    l1_shot shots[L1_SHOTS];
    l1_readout units[L1_UNITS];
    l1_lines lines[L1_UNITS];
    l1_list lists[L1_UNITS];
    uint32_t ordered[L1_UNITS][GW_L1_DESCRIPTORS]; /* buffers of descriptors that are known */
    bool releases;                                 /* the capture shows when buffers are released */
    bool tags;                                     /* there may be places that are L1_TAGGED */
    uint32_t next_datagram;
    l1_datagram datagrams[L1_COPIES]; /* the last ones */
    uint32_t told[2][L1_RINGLETS];    /* time step, less one, up to which a ringlet was reported */
    l1_place places[L1_PLACES];
    l1_event events[L1_EVENTS];
    size_t room;         /* places in |sends|, a ring: */
    size_t first;        /* the oldest packet ... */
    size_t count;        /* ... and how many there are */
    gw_chains by_sender; /* of |sends|, by ringlet, source and transaction ID: the newest of each */
    l1_send sends[];
} l1_session;

#define L1_SEND_BYTES (sizeof(l1_send) + GW_CHAINS_BYTES)

/* gw_l1_find_place returns the entry of |topic| and key, a fresh one (frame 0) when there is none.
 */
l1_place *gw_l1_find_place(l1_session *s, l1_topic topic, uint16_t id, uint16_t sub,
                           uint32_t interface);

/* gw_l1_is_copy says whether the path may have made |m| of a datagram before: it loses and repeats
 * what the farm's links do not. */
bool gw_l1_is_copy(l1_session *s, const gw_message *m);

/* gw_l1_take_subevent judges a fragment, which |udp| says came through a tunnel, against the
 * schedule; gw_l1_take_release notes that a buffer may be used again; gw_l1_schedule_end reports
 * what units never sent. gw_l1_forget_readout forgets what unit |ru| sent and holds: it begins
 * anew; gw_l1_forget_schedule what all did, and were told. */
void gw_l1_take_subevent(l1_session *s, const gw_judge *judge, const gw_l1_unit *u, bool udp,
                         const gw_l1_profile *profile);
void gw_l1_take_release(l1_session *s, const gw_l1_shim *shim);
void gw_l1_schedule_end(l1_session *s, gw_verdict_sink *sink);
void gw_l1_forget_readout(l1_session *s, uint8_t ru);
void gw_l1_forget_schedule(l1_session *s);

/* gw_l1_take_descriptors, of |u| in |m|, and gw_l1_take_list_end note what readout units are told;
 * gw_l1_was_ordered says whether unit |ru| was told to come back to a buffer |apart| events after
 * it used it. */
void gw_l1_take_descriptors(l1_session *s, const gw_message *m, const gw_l1_unit *u,
                            const gw_l1_profile *profile);
void gw_l1_take_list_end(l1_session *s, uint8_t ru, uint32_t descs);
bool gw_l1_was_ordered(const l1_session *s, uint8_t ru, uint16_t apart);

/* gw_l1_take_edge and gw_l1_take_tag judge TagNet. */
void gw_l1_take_edge(l1_session *s, const gw_judge *judge, const gw_l1_edge *e, uint32_t start);
void gw_l1_take_tag(l1_session *s, const gw_judge *judge, const gw_l1_unit *u, uint32_t interface,
                    const gw_l1_profile *profile);

/* gw_l1_take_result judges a node's result, gw_l1_take_entry notes an event's entry,
 * gw_l1_take_decision judges what a decision unit sends, |udp|: through a tunnel. */
void gw_l1_take_result(l1_session *s, const gw_judge *judge, const gw_l1_unit *u, bool udp,
                       uint32_t interface);
void gw_l1_take_entry(l1_session *s, uint64_t frame, const gw_l1_shim *shim,
                      const gw_l1_profile *profile);
void gw_l1_take_decision(l1_session *s, const gw_judge *judge, const gw_l1_shim *shim, bool udp,
                         const gw_l1_profile *profile);

/* gw_l1_take_sci judges an SCI packet, |symbols| of its |sci->len| bytes, at byte |start|;
 * gw_l1_sci_advance gives up what waited for too long, gw_l1_sci_end everything. */
void gw_l1_take_sci(l1_session *s, const gw_judge *judge, const gw_message *m, const gw_l1_sci *sci,
                    const uint8_t *symbols, uint32_t start, const gw_l1_profile *profile);
void gw_l1_sci_advance(l1_session *s, int64_t now_ns, gw_verdict_sink *sink);
void gw_l1_sci_end(l1_session *s, gw_verdict_sink *sink);

#endif
