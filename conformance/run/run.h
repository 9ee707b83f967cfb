/* SPDX-License-Identifier: BSD-2-Clause */
/* One conformance run: pre-flight, cases in their order, verdicts, evidence. */
#ifndef GOLDWIRE_RUN_RUN_H
#define GOLDWIRE_RUN_RUN_H

#include "harness/impair.h"
#include "harness/sim.h"
#include "measure/host.h"
#include "measure/path.h"
#include "measure/timing.h"
#include "run/case.h"

#define GW_RESULT_BYTES 64

#define GW_INTERRUPTED "interrupted" /* the text of a case that the wish to stop left undecided */

/* What is waited where nothing else is said. */
#define GW_RUN_REPLY_NS GW_SECOND
#define GW_RUN_SETTLE_NS (20 * GW_MS)

#define GW_TARGET_LINKS 8
#define GW_RUN_OTHERS 2 /* paths to a board beside the first */

/* gw_target_link is one of the board's links. */
typedef struct gw_target_link {
    const char *name; /* "regs"; "" for the only one */
    bool present;     /* somebody said where it is */
    bool stream;      /* its connections are byte streams */
    bool frames;      /* its connections are stations on an Ethernet, whose frames can be told */
    bool ipv6;        /* ... over IPv6: neither ARP nor IPv4's header is there to be looked at */
    bool single;      /* nobody can tell two of its connections apart: there is one at a time */
} gw_target_link;

/* gw_target is how a run reaches the board. */
typedef struct gw_target gw_target;
struct gw_target {
    /* open connects to link |link| of the board within |timeout_ns|. NULL with a text in |why|;
     * *unreachable tells that the board is at fault, not goldwire. */
    gw_transport *(*open)(gw_target *target, unsigned link, int64_t timeout_ns, bool *unreachable,
                          char *why, size_t why_cap);
    /* restart resets the board, and may move it: connections are opened anew afterwards. NULL when
     * the board cannot be reset from here. */
    bool (*restart)(gw_target *target, char *why, size_t why_cap);
    /* broken says whether the path to the board is broken on our side (no carrier, the interface or
     * its address gone), with a text in |why|. NULL when nobody can tell. */
    bool (*broken)(gw_target *target, char *why, size_t why_cap);
    /* misfit says whether what is there cannot be the board that was described, however long it is
     * waited for, with a text in |why| that says what to mend. NULL when nobody can tell. */
    bool (*misfit)(gw_target *target, char *why, size_t why_cap);
    /* over says whether a board that calls us has finished; NULL when nobody knows. */
    bool (*over)(gw_target *target);
    bool fresh;        /* each opening starts the board's work anew */
    bool virtual_time; /* the transports have a clock of their own, which only waiting moves */
    gw_sim *sim;       /* whose clock that is, of a simulated core: every wait costs; else NULL */
    /* reset pulls the board's reset wire. False with a text in |why| where there is none, or nobody
     * to pull it. NULL: the board has none. */
    bool (*reset)(gw_target *target, char *why, size_t why_cap);
    uint64_t clock_hz; /* of a simulated core; else 0 */
    /* now is the clock that durations are told by; NULL: this machine's. */
    int64_t (*now)(gw_target *target);
    /* mark shows in the board's waves what goes on from here, 32 characters of it; NULL: it has
     * none. */
    void (*mark)(gw_target *target, const char *text);
    /* end lets what runs the board end by itself. False: there is nothing to wait for. NULL:
     * nothing runs it that could. */
    bool (*end)(gw_target *target);
    /* look returns what the signals of the port that link |name| leads to were around |moment|;
     * NULL when nobody knows, and the caller frees it. NULL: no board of that kind. */
    gw_sim_view *(*look)(gw_target *target, const char *name, const gw_sim_moment *moment);
    int64_t reply_ns;  /* how long an answer may take; 0: GW_RUN_REPLY_NS */
    int64_t settle_ns; /* after which silence counts; 0: GW_RUN_SETTLE_NS */
    bool lossy;        /* datagrams may get lost on the path */
    bool near; /* no network is between: memory, or this host's loopback, and nothing impairs it */
    bool far;  /* one is between all the same, and what it does is for the run to find out */
    gw_impairment impairment;              /* what the path to any link is told to do to them */
    gw_target_link links[GW_TARGET_LINKS]; /* the first is the usual one */
    unsigned num_links;                    /* 1 at least */
};

/* gw_excerpt is the beginning of a packet. */
typedef struct gw_excerpt {
    uint8_t bytes[GW_RESULT_BYTES];
    uint32_t kept;
    uint32_t len;  /* of the whole packet */
    char what[96]; /* summed up by its format: "Read 1 @ 0x100"; "" when it cannot be */
} gw_excerpt;

/* gw_result is what became of one case. */
typedef struct gw_result {
    const gw_case *which;
    gw_verdict verdict;
    const gw_rule *rule;   /* broken, or NULL */
    const gw_field *field; /* that differs, or NULL */
    uint64_t expected;     /* of |field| */
    uint64_t got;
    uint32_t offset;      /* first byte concerned */
    unsigned packet;      /* that decided, in the evidence from 1; 0: none, or one not kept */
    unsigned num_packets; /* in the evidence */
    bool repeated;        /* the board had to be recovered, and the case was run again */
    unsigned attempts;    /* how often the case was run, to be sure of the verdict */
    unsigned failures;    /* of them, those that went as the verdict says if it is FAIL or WARN */
    bool waiver_expired;
    bool unsettled;          /* the path may explain it, as far as it was known then */
    bool blocks;             /* what builds on the case cannot be judged, waived or not */
    const gw_waiver *waiver; /* that is about this outcome, or NULL */
    int64_t start_ns;        /* since the run began */
    int64_t duration_ns;
    int64_t at_ns; /* of a simulated board: when that packet passed, or what its ports saw happened,
                      on the simulation's clock; else 0 */
    gw_sim_view *view;        /* the signals of its port around then; NULL: not seen */
    char text[512];           /* why, one sentence or two; "" for a plain pass */
    char notes[768];          /* what was seen where the document leaves a choice, a line each */
    gw_excerpt sent;          /* the last packet sent before the decision */
    gw_excerpt received;      /* the one that decided, or the last one */
    gw_evidence_span decided; /* where |packet| stands in the file of the evidence, and ... */
    gw_evidence_span asked;   /* ... where the last one sent before it does */
    char recovery[160];       /* how the board was brought back, or tried to be; "" */
    char evidence[160];       /* path inside the output folder, or "" */
} gw_result;

/* gw_progress_fn is told before each case; |next| is NULL during the pre-flight. */
typedef void (*gw_progress_fn)(void *arg, size_t done, size_t total, const gw_case *next);

/* gw_keep_fn is given the evidence of each case that ran. False when it cannot be kept, with a text
 * in |why|: that ends the run. */
typedef bool (*gw_keep_fn)(void *arg, const gw_result *result, const gw_evidence *evidence,
                           char *why, size_t why_cap);

/* gw_unwritten_fn is told of evidence that cannot be written, with a text that names it. */
typedef void (*gw_unwritten_fn)(void *arg, const char *why);

/* gw_after_fn is called once when all cases are decided, before the board is left as it was found.
 * |lost| says why nothing can be asked of it any more; "" while it answers. What the function
 * judges is kept from every result. */
typedef void (*gw_after_fn)(gw_ctx *ctx, const char *lost, void *arg);

/* gw_ahead_fn is told what is about to go out on |conn|. False: it must not, with a text in |why|.
 */
typedef bool (*gw_ahead_fn)(void *arg, const gw_connection *conn, const void *data, size_t len,
                            char *why, size_t why_cap);

/* gw_run_setup is what a run needs. Everything outlives the run. */
typedef struct gw_run_setup {
    const gw_suite *suite;
    const gw_board_file *board;
    const gw_dialect *dialect; /* NULL: strict */
    gw_target *target;
    gw_target *const *others; /* other paths to the same board, for cases whose needs |target| does
                                 not meet: as a station on an Ethernet, over TCP, over UDP */
    size_t num_others;
    const gw_case *const *cases; /* selected, in catalogue order */
    size_t num_cases;
    const char *out_dir; /* evidence goes to out_dir/cases; NULL: nowhere */
    bool hooks;          /* the board's hooks may be run */
    uint64_t seed;
    int64_t reply_ns;        /* wait for a reply that must come; 0: as |target| says */
    int64_t settle_ns;       /* wait before silence counts; 0: as |target| says */
    int64_t first_ns;        /* wait for the first sign of life; 0: 500 ms, three times */
    int64_t floor_ns;        /* our own part in what is measured; 0: measured, over sockets */
    int64_t repeat_until_ns; /* of CLOCK_MONOTONIC: from then on no case is repeated because of what
                                its path may do, nothing but cases is sent to learn of that, and no
                                answer is waited for longer than answers usually take; what stays
                                open is INCONC. 0: no matter */
    gw_progress_fn progress; /* may be NULL */
    void *progress_arg;
    bool spin;         /* wait for a moment by looking at the clock, not by sleeping */
    gw_ahead_fn ahead; /* NULL: nobody wants to know what goes out before it does */
    void *ahead_arg;
    gw_keep_fn keep; /* may be NULL */
    void *keep_arg;
    gw_unwritten_fn unwritten; /* may be NULL */
    void *unwritten_arg;
    gw_after_fn after; /* may be NULL */
    void *after_arg;
    struct gw_running *running; /* hands each packet on (running/running.h); may be NULL */
} gw_run_setup;

/* gw_spent is what a run waited for, in nanoseconds of the connections' clocks. What is left of the
 * run is connecting, recovering boards, and goldwire's own work. */
typedef struct gw_spent {
    int64_t answers_ns; /* until something came */
    int64_t silence_ns; /* until it was sure that nothing would */
    int64_t pauses_ns;  /* that a case or a pace asks for */
} gw_spent;

#define GW_MAX_UNTRIED 4

/* gw_untried is something that the board file claims and that nobody named a path to: a PASS says
 * nothing about it. */
typedef struct gw_untried {
    const char *what;   /* the claim: "tcp" */
    unsigned num_cases; /* that are NA for it */
} gw_untried;

/* gw_run is a run's outcome. */
typedef struct gw_run {
    gw_result *results; /* one a selected case, in the same order */
    size_t num_results;
    gw_counts counts;
    bool answered;           /* the board showed a sign of life */
    bool interrupted;        /* goldwire was told to stop (harness/stop.h) before all was decided */
    bool contradicted;       /* it is another one than its file describes: nothing was tested */
    char misfit[240];        /* how it cannot be the one described (gw_target.misfit); "": it can */
    bool late;               /* it answered only when it was given longer than is usual */
    char unserved[200];      /* what it leaves undone although it is there; "": nothing known */
    const char *unserved_by; /* the case that shows that; NULL: none does */
    gw_claim_check claims[GW_MAX_CLAIMS]; /* those that a board of its role makes */
    size_t num_claims;
    char identity[256];  /* what the pre-flight learned */
    char preflight[640]; /* how it went, one sentence */
    int64_t floor_ns;    /* our own part in what was measured */
    gw_host host;        /* whose clock that was; all zeros in virtual time */
    int64_t started_ns;  /* since 1970-01-01 UTC */
    int64_t duration_ns;
    gw_timings timings; /* of the board's answers; none of a board that calls us */
    gw_spent spent;
    gw_path_stats path;                 /* to the board; not measured of one that calls us */
    unsigned num_unwritten;             /* files of the evidence */
    char not_left[240];                 /* why the board is not as it was found; or "" */
    gw_untried untried[GW_MAX_UNTRIED]; /* counts.untried of them */
} gw_run;

/* gw_target_cycle returns which cycle of the clock of a simulated board |time_ns| falls into,
 * counted from 0 at the beginning of its time. */
uint64_t gw_target_cycle(const gw_target *target, int64_t time_ns);

/* gw_run_cases runs the selected cases. False only when memory or |keep| fails, with a text in
 * |why|; whatever the board does is in the results. Once goldwire is told to stop, the case that
 * runs ends, and it and what was not reached are INCONC. Evidence that cannot be written is told
 * and counted, and the run goes on. */
GW_MUST_USE bool gw_run_cases(gw_run *run, const gw_run_setup *setup, char *why, size_t why_cap);

/* gw_run_free frees the results. */
void gw_run_free(gw_run *run);

#endif
