/* SPDX-License-Identifier: BSD-2-Clause */
/* Opening a capture file: what it is, and a text for people when it cannot be read. */
#include "reader.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "goldwire/text.h"

/* How much of a file of unknown type is shown. */
#define SHOWN_BYTES 8

/* ERF has no magic number, so it is asked last. */
static const gw_reader *const readers[] = {&gw_reader_pcapng, &gw_reader_pcap, &gw_reader_erf};

static const char *name_of(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

static void say_errno(const char *path, int error, char *why, size_t cap)
{
    const char *name = name_of(path);

    switch (error) {
    case ENOENT:
        (void)snprintf(why, cap, "%s: no such file", name);
        return;
    case EISDIR:
        (void)snprintf(why, cap, "%s: is a directory; name a capture file in it", name);
        return;
    case EACCES:
        (void)snprintf(why, cap, "%s: permission denied; reading it needs other rights", name);
        return;
    case EINTR: /* opening a pipe waits for whoever writes to it */
        (void)snprintf(why, cap, "%s: interrupted, before anybody wrote to it", name);
        return;
    default:
        (void)snprintf(why, cap, "%s: cannot be read: %s", name, strerror(error));
    }
}

/* What reading came to. */
static void say_failure(const char *path, const gw_input *in, char *why, size_t cap)
{
    uint64_t offset;
    const char *fault = gw_input_fault(in, &offset);

    if (fault == NULL)
        say_errno(path, in->error, why, cap);
    else
        (void)snprintf(why, cap, "%s: byte %" PRIu64 ": %s", name_of(path), offset, fault);
}

static void say_unknown(const char *path, gw_cursor start, bool unpacked, char *why, size_t cap)
{
    const char *name = name_of(path);
    const size_t len = gw_cursor_left(&start);
    char hex[2 * SHOWN_BYTES + 1];

    if (len == 0) {
        (void)snprintf(why, cap, "%s: %s empty; a capture has at least a header", name,
                       unpacked ? "what it unpacks to is" : "is");
        return;
    }
    const gw_packer *packer = gw_packer_of(start);
    if (packer != NULL) {
        (void)snprintf(why, cap,
                       "%s: %scompressed with %s, %s; unpack it and read from a pipe: %s FILE |",
                       name, unpacked ? "what it unpacks to is " : "", packer->name,
                       unpacked ? "once more" : packer->missing, packer->command);
        return;
    }
    gw_text text = gw_text_over(hex, sizeof(hex));
    gw_text_bytes(&text, start.p, len);
    (void)snprintf(why, cap,
                   "%s: first bytes %s%s, not pcap, pcapng or ERF; "
                   "if Wireshark opens it, editcap -F pcapng converts it",
                   name, unpacked ? "of what it unpacks to " : "", hex);
}

/* Opens |path| for reading. -1 and errno on failure. */
static int open_input(const char *path, bool *owned)
{
    *owned = strcmp(path, "-") != 0;
    if (!*owned)
        return STDIN_FILENO;
    return open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
}

/* Finds the reader for the file that |capture| has open. */
static bool choose_reader(gw_capture *capture)
{
    for (size_t i = 0; i < GW_ARRAY_LEN(readers); i++) {
        if (!readers[i]->matches(&capture->in))
            continue;
        capture->reader = readers[i];
        return true;
    }
    return false;
}

gw_capture *gw_capture_open(const char *path, char *why, size_t why_cap)
{
    bool owned;
    int fd = open_input(path, &owned);
    struct stat st;

    if (fd < 0) {
        say_errno(path, errno, why, why_cap);
        return NULL;
    }
    gw_capture *capture = calloc(1, sizeof(*capture));
    if (capture == NULL || !gw_input_init(&capture->in, fd, owned)) {
        say_errno(path, ENOMEM, why, why_cap);
        free(capture);
        if (owned)
            (void)close(fd);
        return NULL;
    }
    if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode)) {
        say_errno(path, EISDIR, why, why_cap);
        gw_capture_close(capture);
        return NULL;
    }
    if (!gw_input_unpack(&capture->in)) {
        say_errno(path, ENOMEM, why, why_cap);
        gw_capture_close(capture);
        return NULL;
    }
    bool known = choose_reader(capture);
    if (!known && capture->in.error != 0) {
        say_failure(path, &capture->in, why, why_cap);
        gw_capture_close(capture);
        return NULL;
    }
    if (!known) {
        say_unknown(path, gw_input_want(&capture->in, SHOWN_BYTES), capture->in.unpacker != NULL,
                    why, why_cap);
        gw_capture_close(capture);
        return NULL;
    }
    if (!capture->reader->open(capture)) {
        say_errno(path, ENOMEM, why, why_cap);
        gw_capture_close(capture);
        return NULL;
    }
    return capture;
}

gw_capture_status gw_capture_next(gw_capture *capture, gw_frame *frame)
{
    if (capture->status != GW_CAPTURE_FRAME)
        return capture->status;
    *frame = (gw_frame){.number = capture->num_frames + 1};
    capture->status = capture->reader->next(capture, frame);
    if (capture->status == GW_CAPTURE_FRAME)
        capture->num_frames++;
    return capture->status;
}

void gw_capture_on_idle(gw_capture *capture, void (*idle)(void *ctx), void *ctx)
{
    capture->in.idle = idle;
    capture->in.idle_ctx = ctx;
}

uint64_t gw_capture_lost(gw_capture *capture)
{
    return capture->reader->lost != NULL ? capture->reader->lost(capture) : 0;
}

uint64_t gw_capture_repeated(const gw_capture *capture)
{
    return capture->repeated;
}

const char *gw_capture_error(const gw_capture *capture)
{
    return capture->error;
}

void gw_capture_close(gw_capture *capture)
{
    if (capture == NULL)
        return;
    if (capture->reader != NULL)
        capture->reader->close(capture);
    gw_input_free(&capture->in);
    free(capture);
}
