/* SPDX-License-Identifier: BSD-2-Clause */
/* Takes what a run hands round for what somebody else may have written, and writes it as pcapng the
 * way evidence is written. */
#include "running/onlooker.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "evidence/clean.h"
#include "evidence/evidence.h"
#include "running/record.h"

#define LINES 64 /* connections whose bytes are counted */
#define LINKS 32 /* names of links */
#define LONGEST (sizeof(gw_record) + GW_RECORD_TEXT + (size_t)2 * GW_RECORD_BYTES)

/* How far the bytes of a connection are known. */
typedef struct progress {
    bool known[2];
    uint16_t line;
    uint32_t next[2];
} progress;

struct gw_onlooker {
    int fd;
    gw_evidence_file *out;
    gw_evidence one; /* the packet that came */
    gw_evidence_packet packet;
    gw_ip_style style;
    char links[LINKS][sizeof(((gw_record *)0)->link)];
    unsigned num_links;
    progress lines[LINES];
    uint64_t lost;
    int64_t time_ns;
    uint8_t *record;
};

static void free_onlooker(gw_onlooker *o)
{
    if (o->fd >= 0)
        (void)close(o->fd);
    free(o->record);
    free(o);
}

static bool join(gw_onlooker *o, const gw_running_entry *entry, char *why, size_t why_cap)
{
    o->fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (o->fd >= 0 &&
        connect(o->fd, (const struct sockaddr *)&entry->address, sizeof(entry->address)) == 0)
        return true;
    bool gone = errno == ECONNREFUSED || errno == ENOENT;
    (void)snprintf(why, why_cap, "%s: %s", entry->name,
                   gone              ? "this run has ended"
                   : errno == EAGAIN ? "too many wait to look on already"
                                     : strerror(errno));
    return false;
}

gw_onlooker *gw_onlooker_begin(const gw_running_entry *entry, FILE *file, char *why, size_t why_cap)
{
    if (entry->version != GW_RUNNING_VERSION) {
        (void)snprintf(why, why_cap,
                       "%s: that is another version of goldwire, which hands packets on otherwise",
                       entry->name);
        return NULL;
    }
    gw_onlooker *o = calloc(1, sizeof(*o));
    uint8_t *record = malloc(LONGEST);
    if (o == NULL || record == NULL) {
        (void)snprintf(why, why_cap, "out of memory");
        free(o);
        free(record);
        return NULL;
    }
    o->fd = -1;
    o->record = record;
    if (!join(o, entry, why, why_cap)) {
        free_onlooker(o);
        return NULL;
    }
    o->out = gw_evidence_create(file);
    if (o->out != NULL)
        return o;
    (void)snprintf(why, why_cap, "the capture cannot be written");
    free_onlooker(o);
    return NULL;
}

int gw_onlooker_fd(const gw_onlooker *onlooker)
{
    return onlooker->fd;
}

uint64_t gw_onlooker_lost(const gw_onlooker *onlooker)
{
    return onlooker->lost;
}

/* ---- what comes ---- */

/* Names outlive the file that tells of them. */
static const char *keep_link(gw_onlooker *o, const char *name)
{
    for (unsigned i = 0; i < o->num_links; i++)
        if (strcmp(o->links[i], name) == 0)
            return o->links[i];
    if (o->num_links == LINKS)
        return o->links[LINKS - 1];
    (void)memcpy(o->links[o->num_links], name, strlen(name) + 1);
    return o->links[o->num_links++];
}

/* Whether |r|, the beginning of |len| bytes, can be a packet. */
static bool is_packet(const gw_record *r, size_t len)
{
    size_t body = len - sizeof(*r) - r->text_len;
    bool inside = r->data_at != r->frame_len || r->len == 0;
    return r->len <= GW_RECORD_BYTES && r->frame_len <= GW_RECORD_BYTES &&
           r->data_at <= r->frame_len && r->kind_of_packet <= GW_EVIDENCE_FRAME &&
           (r->dir == GW_DIR_IN || r->dir == GW_DIR_OUT) &&
           memchr(r->link, '\0', sizeof(r->link)) != NULL &&
           (inside ? body == r->frame_len && r->len <= r->frame_len - r->data_at
                   : body == (size_t)r->frame_len + r->len);
}

static void take_packet(gw_onlooker *o, const gw_record *r, uint8_t *bytes)
{
    o->style = (gw_ip_style){.ttl = r->ttl,
                             .may_fragment = (r->flags & GW_RECORD_MAY_FRAGMENT) != 0,
                             .no_udp_checksum = (r->flags & GW_RECORD_NO_CHECKSUM) != 0};
    o->packet =
        (gw_evidence_packet){.time_ns = r->time_ns,
                             .local = r->local,
                             .remote = r->remote,
                             .data = r->data_at,
                             .len = r->len,
                             .frame_len = r->frame_len,
                             .line = r->line,
                             .dir = r->dir,
                             .kind = r->kind_of_packet,
                             .stream = (r->flags & GW_RECORD_STREAM) != 0,
                             .wire = (r->flags & GW_RECORD_WIRE) != 0,
                             .regs = (r->flags & GW_RECORD_REGS) != 0,
                             .link = keep_link(o, r->link),
                             .style = (r->flags & GW_RECORD_STYLED) != 0 ? &o->style : NULL};
    o->one.packets = &o->packet;
    o->one.num_packets = 1;
    o->one.bytes = bytes;
    o->time_ns = r->time_ns;
}

/* Bytes of a connection that were lost leave a gap. What is known of it begins with the first. */
static void look_for_gap(gw_onlooker *o, const gw_record *r)
{
    progress *line = &o->lines[r->line % LINES];
    unsigned side = r->dir == GW_DIR_OUT;
    bool opens = r->kind_of_packet == GW_EVIDENCE_OPEN;
    if ((r->flags & GW_RECORD_STREAM) == 0 || r->frame_len > 0)
        return;
    if (opens || line->line != r->line)
        *line = (progress){.line = r->line, .known = {opens, opens}};
    uint32_t gap = r->position - line->next[side];
    if (line->known[side] && gap != 0 && gap <= INT32_MAX)
        gw_evidence_skip(o->out, r->line, (gw_direction)r->dir, gap);
    line->known[side] = true;
    line->next[side] = r->position + (r->kind_of_packet == GW_EVIDENCE_BYTES ? r->len : 0);
}

static bool write_packet(gw_onlooker *o, const gw_record *r, const char *text)
{
    char comment[2 * GW_RECORD_TEXT];
    char clean[2 * GW_RECORD_TEXT];
    int len = 0;
    if (r->dropped > o->lost)
        len = snprintf(comment, sizeof(comment),
                       "before this %" PRIu64 " packets are lacking: they came too fast%s",
                       r->dropped - o->lost, r->text_len > 0 ? "\n" : "");
    o->lost = r->dropped > o->lost ? r->dropped : o->lost;
    (void)snprintf(comment + len, sizeof(comment) - (size_t)len, "%.*s", (int)r->text_len, text);
    look_for_gap(o, r);
    return gw_evidence_append(o->out, &o->one,
                              comment[0] != '\0' ? gw_clean(clean, sizeof(clean), comment) : NULL);
}

static gw_look refuse(const char *text, size_t len, char *why, size_t why_cap)
{
    char said[GW_RECORD_TEXT + 1];
    (void)snprintf(said, sizeof(said), "%.*s", (int)len, text);
    (void)gw_clean(why, why_cap, said);
    return GW_LOOK_REFUSED;
}

static gw_look take(gw_onlooker *o, size_t len, char *why, size_t why_cap)
{
    static const char unclear[] = "what the run hands on is not understood";
    gw_record r;
    if (len < sizeof(r))
        return refuse(unclear, sizeof(unclear) - 1, why, why_cap);
    memcpy(&r, o->record, sizeof(r));
    const char *text = (const char *)o->record + sizeof(r);
    if (r.text_len > GW_RECORD_TEXT || r.text_len > len - sizeof(r))
        return refuse(unclear, sizeof(unclear) - 1, why, why_cap);
    if (r.kind == GW_RECORD_REFUSED)
        return refuse(text, r.text_len, why, why_cap);
    if (r.kind == GW_RECORD_GREETING) {
        /* A board that nobody knows is one whose packets are shown as what they are. */
        if (!gw_announcement_read(&o->one.board, text, r.text_len))
            o->one.board = (gw_announcement){.format = NULL};
        return GW_LOOK_NOTHING;
    }
    if (r.kind == GW_RECORD_OVER) {
        o->lost = r.dropped > o->lost ? r.dropped : o->lost;
        return GW_LOOK_OVER;
    }
    if (r.kind != GW_RECORD_PACKET || !is_packet(&r, len))
        return refuse(unclear, sizeof(unclear) - 1, why, why_cap);
    take_packet(o, &r, o->record + sizeof(r) + r.text_len);
    return write_packet(o, &r, text) ? GW_LOOK_PACKET : GW_LOOK_UNWRITTEN;
}

gw_look gw_onlooker_look(gw_onlooker *onlooker, char *why, size_t why_cap)
{
    ssize_t len = recv(onlooker->fd, onlooker->record, LONGEST, MSG_DONTWAIT);
    if (len > 0)
        return take(onlooker, (size_t)len, why, why_cap);
    if (len < 0 && (errno == EAGAIN || errno == EINTR))
        return GW_LOOK_NOTHING;
    return GW_LOOK_OVER;
}

bool gw_onlooker_end(gw_onlooker *onlooker)
{
    if (onlooker == NULL)
        return true;
    bool ok =
        onlooker->lost == 0 || gw_evidence_lost(onlooker->out, onlooker->time_ns, onlooker->lost);
    ok = gw_evidence_close(onlooker->out) && ok;
    free_onlooker(onlooker);
    return ok;
}
