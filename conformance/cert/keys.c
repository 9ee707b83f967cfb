/* SPDX-License-Identifier: BSD-2-Clause */
/* Keys and signatures in minisign's files. A signature file has four lines: an untrusted comment,
 * base64 of "ED", the key's number and the signature of the BLAKE2b of the file; a trusted comment,
 * and base64 of the signature of the first signature and that comment. */
#include "cert/keys.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ID_BYTES 8
#define HASH_BYTES 64
#define SIGNATURE_BYTES crypto_sign_ed25519_BYTES
#define KEY_FILE_MAX 1024

/* The parts of a secret key file. */
#define SECRET_BYTES 158
#define SECRET_KDF 2 /* "Sc" behind a password, two zeros without one */
#define SECRET_ID 54
#define SECRET_KEY 62

static const char untrusted[] = "untrusted comment: ";
static const char trusted[] = "trusted comment: ";

static const char *encode(char *out, size_t cap, const uint8_t *data, size_t len)
{
    return sodium_bin2base64(out, cap, data, len, sodium_base64_VARIANT_ORIGINAL);
}

/* Takes base64 of exactly |want| bytes that fills the text. */
static bool decode(uint8_t *out, size_t want, const char *text, size_t text_len)
{
    size_t len;
    return sodium_base642bin(out, want, text, text_len, NULL, &len, NULL,
                             sodium_base64_VARIANT_ORIGINAL) == 0 &&
           len == want;
}

/* ---- key files ---- */

static bool read_key_file(char *out, size_t cap, const char *path, struct stat *st, char *why,
                          size_t why_cap)
{
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0) {
        (void)snprintf(why, why_cap, "%s: %s", path, strerror(errno));
        return false;
    }
    bool ok = fstat(fd, st) == 0 && S_ISREG(st->st_mode);
    ssize_t len = ok ? read(fd, out, cap - 1) : -1;
    (void)close(fd);
    if (len < 0) {
        (void)snprintf(why, why_cap, "%s is no ordinary file", path);
        return false;
    }
    out[len] = '\0';
    return true;
}

/* The line after the comment; *len without its end. NULL when there is no comment. */
static const char *key_line(const char *text, size_t *len)
{
    if (strncmp(text, untrusted, strlen(untrusted)) != 0)
        return NULL;
    const char *line = strchr(text, '\n');
    if (line == NULL)
        return NULL;
    line++;
    *len = strcspn(line, "\r\n");
    return line;
}

static bool parse_secret(gw_secret_key *out, const char *text, const char *path, char *why,
                         size_t why_cap)
{
    uint8_t raw[SECRET_BYTES];
    uint8_t seed[crypto_sign_ed25519_SEEDBYTES];
    uint8_t expected[crypto_sign_ed25519_SECRETKEYBYTES];
    size_t len = 0;
    const char *line = key_line(text, &len);
    bool ok = line != NULL && decode(raw, sizeof(raw), line, len) && memcmp(raw, "Ed", 2) == 0;
    bool locked = ok && memcmp(raw + SECRET_KDF, "\0", 2) != 0;
    if (ok && !locked) {
        memcpy(out->open.id, raw + SECRET_ID, ID_BYTES);
        memcpy(out->bytes, raw + SECRET_KEY, sizeof(out->bytes));
        /* A slip in the file must not make signatures that nobody can check. */
        (void)crypto_sign_ed25519_sk_to_seed(seed, out->bytes);
        (void)crypto_sign_ed25519_seed_keypair(out->open.bytes, expected, seed);
        ok = sodium_memcmp(expected, out->bytes, sizeof(expected)) == 0;
    }
    sodium_memzero(raw, sizeof(raw));
    sodium_memzero(seed, sizeof(seed));
    sodium_memzero(expected, sizeof(expected));
    if (locked)
        (void)snprintf(why, why_cap,
                       "%s: the key needs a password, for which goldwire does not ask; "
                       "`goldwire keygen' and `minisign -G -W' make one without",
                       path);
    else if (!ok)
        (void)snprintf(why, why_cap, "%s holds no secret key of goldwire or minisign", path);
    return ok && !locked;
}

static bool parse_public(gw_public_key *out, const char *text, size_t len)
{
    uint8_t raw[2 + ID_BYTES + sizeof(out->bytes)];
    if (!decode(raw, sizeof(raw), text, len) || memcmp(raw, "Ed", 2) != 0)
        return false;
    memcpy(out->id, raw + 2, ID_BYTES);
    memcpy(out->bytes, raw + 2 + ID_BYTES, sizeof(out->bytes));
    return true;
}

/* Whose bytes are no secret, whoever may read them. */
static bool is_public(const char *text)
{
    gw_public_key key;
    size_t len = 0;
    const char *line = key_line(text, &len);
    return line != NULL && parse_public(&key, line, len);
}

bool gw_secret_key_load(gw_secret_key *out, const char *path, char *why, size_t why_cap)
{
    char text[KEY_FILE_MAX];
    struct stat st;
    memset(out, 0, sizeof(*out));
    if (!read_key_file(text, sizeof(text), path, &st, why, why_cap))
        return false;
    bool public = is_public(text);
    bool private = !public && (st.st_mode & (S_IRWXG | S_IRWXO)) == 0;
    if (public)
        (void)snprintf(why, why_cap,
                       "%s is a public key, which only verifies; signing needs the secret key that "
                       "was made with it",
                       path);
    else if (!private)
        (void)snprintf(why, why_cap,
                       "%s: others may use this secret key (mode %03o); make a new one, or chmod "
                       "600 it",
                       path, (unsigned)st.st_mode & 0777);
    bool ok = private && parse_secret(out, text, path, why, why_cap);
    sodium_memzero(text, sizeof(text));
    if (!ok)
        gw_secret_key_wipe(out);
    return ok;
}

void gw_secret_key_wipe(gw_secret_key *key)
{
    sodium_memzero(key, sizeof(*key));
}

void gw_public_key_text(const gw_public_key *key, char out[GW_KEY_TEXT])
{
    uint8_t raw[2 + ID_BYTES + sizeof(key->bytes)] = {'E', 'd'};
    memcpy(raw + 2, key->id, ID_BYTES);
    memcpy(raw + 2 + ID_BYTES, key->bytes, sizeof(key->bytes));
    (void)encode(out, GW_KEY_TEXT, raw, sizeof(raw));
}

bool gw_public_key_parse(gw_public_key *out, const char *text)
{
    return parse_public(out, text, strlen(text));
}

bool gw_public_key_load(gw_public_key *out, const char *text, char *why, size_t why_cap)
{
    char file[KEY_FILE_MAX];
    struct stat st;
    size_t len = 0;
    if (gw_public_key_parse(out, text))
        return true;
    if (!read_key_file(file, sizeof(file), text, &st, why, why_cap))
        return false;
    const char *line = key_line(file, &len);
    if (line != NULL && parse_public(out, line, len))
        return true;
    (void)snprintf(why, why_cap, "%s holds no public key of goldwire or minisign", text);
    return false;
}

void gw_public_key_id(const gw_public_key *key, char out[GW_KEY_ID_TEXT])
{
    uint8_t turned[ID_BYTES];
    for (size_t i = 0; i < ID_BYTES; i++)
        turned[i] = key->id[ID_BYTES - 1 - i];
    (void)sodium_bin2hex(out, GW_KEY_ID_TEXT, turned, sizeof(turned));
    for (char *p = out; *p != '\0'; p++)
        if (*p >= 'a')
            *p = (char)(*p - 'a' + 'A');
}

static bool write_new(const char *path, unsigned mode, const char *text, char *why, size_t why_cap)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    if (fd < 0) {
        (void)snprintf(why, why_cap, "cannot make %s: %s", path, strerror(errno));
        return false;
    }
    size_t len = strlen(text);
    ssize_t written = write(fd, text, len);
    bool ok = written == (ssize_t)len;
    if (written >= 0 && !ok)
        errno = ENOSPC; /* the file took a part of it, and the kernel does not say why */
    int error = errno;
    if (close(fd) != 0)
        ok = false;
    else
        errno = error;
    if (ok)
        return true;
    (void)snprintf(why, why_cap, "cannot write %s: %s", path, strerror(errno));
    /* Half a key is none, and would stand in the way of the next attempt. */
    (void)unlink(path);
    return false;
}

static bool write_secret(const gw_secret_key *key, const char *path, char *why, size_t why_cap)
{
    uint8_t raw[SECRET_BYTES] = {'E', 'd', 0, 0, 'B', '2'};
    char base64[sodium_base64_ENCODED_LEN(SECRET_BYTES, sodium_base64_VARIANT_ORIGINAL)];
    char text[KEY_FILE_MAX];
    memcpy(raw + SECRET_ID, key->open.id, ID_BYTES);
    memcpy(raw + SECRET_KEY, key->bytes, sizeof(key->bytes));
    (void)snprintf(text, sizeof(text), "%sgoldwire secret key\n%s\n", untrusted,
                   encode(base64, sizeof(base64), raw, sizeof(raw)));
    bool ok = write_new(path, 0600, text, why, why_cap);
    sodium_memzero(raw, sizeof(raw));
    sodium_memzero(base64, sizeof(base64));
    sodium_memzero(text, sizeof(text));
    return ok;
}

static bool write_public(const gw_public_key *key, const char *path, char *why, size_t why_cap)
{
    char base64[GW_KEY_TEXT];
    char id[GW_KEY_ID_TEXT];
    char text[KEY_FILE_MAX];
    gw_public_key_text(key, base64);
    gw_public_key_id(key, id);
    (void)snprintf(text, sizeof(text), "%sgoldwire public key %s\n%s\n", untrusted, id, base64);
    return write_new(path, 0644, text, why, why_cap);
}

bool gw_keys_make(gw_public_key *out, const char *name, char *why, size_t why_cap)
{
    gw_secret_key key;
    char secret_path[4096];
    char public_path[4096];
    if (snprintf(secret_path, sizeof(secret_path), "%s.key", name) >= (int)sizeof(secret_path) ||
        snprintf(public_path, sizeof(public_path), "%s.pub", name) >= (int)sizeof(public_path)) {
        (void)snprintf(why, why_cap, "the name is too long");
        return false;
    }
    if (sodium_init() < 0) {
        (void)snprintf(why, why_cap, "no source of random numbers");
        return false;
    }
    randombytes_buf(key.open.id, ID_BYTES);
    (void)crypto_sign_ed25519_keypair(key.open.bytes, key.bytes);
    *out = key.open;
    bool ok = write_secret(&key, secret_path, why, why_cap);
    gw_secret_key_wipe(&key);
    if (!ok)
        return false;
    ok = write_public(out, public_path, why, why_cap);
    if (!ok)
        (void)unlink(secret_path);
    return ok;
}

/* ---- signatures ---- */

/* What the second signature is over: the first one, and the comment. Returns its length. */
static size_t comment_block(uint8_t out[GW_SIGNATURE_TEXT], const uint8_t *signature,
                            const char *comment)
{
    size_t len = strnlen(comment, GW_SIGNATURE_TEXT / 2);
    memcpy(out, signature, SIGNATURE_BYTES);
    memcpy(out + SIGNATURE_BYTES, comment, len);
    return SIGNATURE_BYTES + len;
}

static void render(char out[GW_SIGNATURE_TEXT], const gw_public_key *key, const uint8_t *signature,
                   const uint8_t *global, const char *comment)
{
    uint8_t raw[2 + ID_BYTES + SIGNATURE_BYTES] = {'E', 'D'};
    char first[sodium_base64_ENCODED_LEN(sizeof(raw), sodium_base64_VARIANT_ORIGINAL)];
    char second[sodium_base64_ENCODED_LEN(SIGNATURE_BYTES, sodium_base64_VARIANT_ORIGINAL)];
    memcpy(raw + 2, key->id, ID_BYTES);
    memcpy(raw + 2 + ID_BYTES, signature, SIGNATURE_BYTES);
    (void)snprintf(out, GW_SIGNATURE_TEXT, "%ssignature of a goldwire certificate\n%s\n%s%s\n%s\n",
                   untrusted, encode(first, sizeof(first), raw, sizeof(raw)), trusted, comment,
                   encode(second, sizeof(second), global, SIGNATURE_BYTES));
}

void gw_sign(const gw_secret_key *key, const void *data, size_t len, const char *comment,
             char out[GW_SIGNATURE_TEXT])
{
    uint8_t hash[HASH_BYTES];
    uint8_t signature[SIGNATURE_BYTES];
    uint8_t global[SIGNATURE_BYTES];
    uint8_t block[GW_SIGNATURE_TEXT];
    (void)crypto_generichash(hash, sizeof(hash), data, len, NULL, 0);
    (void)crypto_sign_ed25519_detached(signature, NULL, hash, sizeof(hash), key->bytes);
    size_t block_len = comment_block(block, signature, comment);
    (void)crypto_sign_ed25519_detached(global, NULL, block, block_len, key->bytes);
    render(out, &key->open, signature, global, comment);
}

/* The line |number| of |text|, from 0; *len without its end. */
static const char *line_of(const char *text, unsigned number, size_t *len)
{
    for (; number > 0; number--) {
        text = strchr(text, '\n');
        if (text == NULL)
            return NULL;
        text++;
    }
    *len = strcspn(text, "\n");
    return text;
}

bool gw_signature_holds(const gw_public_key *key, const void *data, size_t len, const char *comment,
                        const char *text)
{
    uint8_t raw[2 + ID_BYTES + SIGNATURE_BYTES];
    uint8_t global[SIGNATURE_BYTES];
    uint8_t hash[HASH_BYTES];
    uint8_t block[GW_SIGNATURE_TEXT];
    char again[GW_SIGNATURE_TEXT];
    size_t first_len = 0;
    size_t second_len = 0;
    const char *first = line_of(text, 1, &first_len);
    const char *second = line_of(text, 3, &second_len);
    if (first == NULL || second == NULL || !decode(raw, sizeof(raw), first, first_len) ||
        !decode(global, sizeof(global), second, second_len))
        return false;
    const uint8_t *signature = raw + 2 + ID_BYTES;
    /* The lines around the signatures are nobody's word: they must be as we write them. */
    render(again, key, signature, global, comment);
    if (strcmp(again, text) != 0)
        return false;
    (void)crypto_generichash(hash, sizeof(hash), data, len, NULL, 0);
    if (crypto_sign_ed25519_verify_detached(signature, hash, sizeof(hash), key->bytes) != 0)
        return false;
    size_t block_len = comment_block(block, signature, comment);
    return crypto_sign_ed25519_verify_detached(global, block, block_len, key->bytes) == 0;
}
