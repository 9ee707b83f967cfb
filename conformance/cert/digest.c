/* SPDX-License-Identifier: BSD-2-Clause */
/* SHA-256 of files and texts, with libsodium. */
#include "cert/digest.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PIECE 65536

static void finish(char out[GW_DIGEST_TEXT], crypto_hash_sha256_state *state)
{
    uint8_t digest[crypto_hash_sha256_BYTES];
    crypto_hash_sha256_final(state, digest);
    sodium_bin2hex(out, GW_DIGEST_TEXT, digest, sizeof(digest));
}

void gw_digest_bytes(char out[GW_DIGEST_TEXT], const void *data, size_t len)
{
    crypto_hash_sha256_state state;
    crypto_hash_sha256_init(&state);
    crypto_hash_sha256_update(&state, data, len);
    finish(out, &state);
}

bool gw_digest_fd(char out[GW_DIGEST_TEXT], uint64_t *size, int fd, uint64_t max, char *why,
                  size_t why_cap)
{
    uint8_t piece[PIECE];
    crypto_hash_sha256_state state;
    crypto_hash_sha256_init(&state);
    for (*size = 0; *size <= max;) {
        ssize_t got = read(fd, piece, sizeof(piece));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            (void)snprintf(why, why_cap, "cannot be read: %s", strerror(errno));
            return false;
        }
        if (got == 0) {
            finish(out, &state);
            return true;
        }
        crypto_hash_sha256_update(&state, piece, (unsigned long long)got);
        *size += (uint64_t)got;
    }
    (void)snprintf(why, why_cap, "has more than %" PRIu64 " bytes", max);
    return false;
}

bool gw_digest_path(char out[GW_DIGEST_TEXT], uint64_t *size, const char *path, uint64_t max,
                    char *why, size_t why_cap)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        (void)snprintf(why, why_cap, "cannot be opened: %s", strerror(errno));
        return false;
    }
    bool ok = gw_digest_fd(out, size, fd, max, why, why_cap);
    (void)close(fd);
    return ok;
}

bool gw_digest_is(const char *text)
{
    return strlen(text) == GW_DIGEST_TEXT - 1 &&
           strspn(text, "0123456789abcdef") == GW_DIGEST_TEXT - 1;
}
