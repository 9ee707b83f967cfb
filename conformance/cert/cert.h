/* SPDX-License-Identifier: BSD-2-Clause */
/* The certificate of a run: cert.json names the tool, the catalogue, the board, and every file of
 * the evidence by its SHA-256. cert.sha256 holds the digest of cert.json, as sha256sum -c reads it;
 * cert.json.minisig its signature, when somebody signed. docs/certificate.md describes all three.
 */
#ifndef GOLDWIRE_CERT_H
#define GOLDWIRE_CERT_H

#include "cert/digest.h"
#include "cert/keys.h"
#include "report/report.h"

#define GW_CERT_SCHEMA "goldwire/certificate/1"
#define GW_CERT_FILE "cert.json"
#define GW_CERT_DIGEST_FILE "cert.sha256"
#define GW_CERT_SIGNATURE_FILE "cert.json.minisig"
#define GW_CERT_CATALOGUE_FILE "catalogue.json"

/* More than this is no evidence of ours, and not read. */
#define GW_CERT_MAX_BYTES (4u << 20)        /* of cert.json */
#define GW_CERT_MAX_FILE_BYTES (1ull << 30) /* of one file it names */
#define GW_CERT_MAX_FILES 16384

/* gw_cert_store writes catalogue.json and the certificate of everything that now lies in the output
 * folder of |report|, signed with |key| (NULL: unsigned), and the digest of cert.json into
 * |digest|. False with a text in |why|. */
GW_MUST_USE bool gw_cert_store(char digest[GW_DIGEST_TEXT], const gw_report *report,
                               const gw_secret_key *key, char *why, size_t why_cap);

/* gw_cert_comment writes what the signature's trusted comment says of a certificate. */
void gw_cert_comment(char *out, size_t cap, const char *digest);

/* gw_cert_tool_digest writes the digest of the program that runs. False with a text in |why|. */
GW_MUST_USE bool gw_cert_tool_digest(char out[GW_DIGEST_TEXT], uint64_t *size, char *why,
                                     size_t why_cap);

/* gw_cert_catalogue_digest writes the digest of the catalogue of |suite| with |traces|, as
 * gw_catalogue_of has it. False when memory fails. */
GW_MUST_USE bool gw_cert_catalogue_digest(char out[GW_DIGEST_TEXT], const gw_suite *suite,
                                          const json_t *traces);

#endif
