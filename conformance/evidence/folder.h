/* SPDX-License-Identifier: BSD-2-Clause */
/* The folder of a run, which somebody else may have arranged: no link in it is followed, nothing
 * but ordinary files is read, and no name leads out of it. */
#ifndef GOLDWIRE_EVIDENCE_FOLDER_H
#define GOLDWIRE_EVIDENCE_FOLDER_H

#include "goldwire/base.h"

#define GW_FOLDER_PATH 512 /* bytes of a path inside the folder, with the terminator */

/* gw_folder_open opens the folder |path| itself, which may be a link. A descriptor, or -1 with a
 * text in |why|. */
int gw_folder_open(const char *path, char *why, size_t why_cap);

/* gw_folder_path_is_plain says whether |path| names something below a folder: parts between single
 * slashes, none of them "." or "..", no control characters, and short enough. */
GW_MUST_USE bool gw_folder_path_is_plain(const char *path);

typedef enum gw_folder_status {
    GW_FOLDER_OK = 0,
    GW_FOLDER_MISSING,
    GW_FOLDER_ODD, /* a link, a device, a folder, a name that leads elsewhere */
    GW_FOLDER_FAILED,
} gw_folder_status;

/* gw_folder_file opens the ordinary file |path| below |folder| for reading. The caller closes *fd.
 * Any other status comes with a text in |why|. */
GW_MUST_USE gw_folder_status gw_folder_file(int *fd, uint64_t *size, int folder, const char *path,
                                            char *why, size_t why_cap);

/* gw_folder_read reads the file |path| below |folder|, at most |max| bytes, and terminates it. The
 * caller frees *out. */
GW_MUST_USE gw_folder_status gw_folder_read(char **out, size_t *len, int folder, const char *path,
                                            size_t max, char *why, size_t why_cap);

/* gw_folder_visit_fn is told of each thing below a folder, of a folder before what is in it. It
 * returns whether to go on. */
typedef bool (*gw_folder_visit_fn)(void *arg, const char *path, bool is_dir, bool is_file);

/* gw_folder_walk visits everything below |folder|, eight levels deep, links not followed. False
 * with a text in |why| when a folder cannot be read, lies deeper, or a path is too long. */
GW_MUST_USE bool gw_folder_walk(int folder, gw_folder_visit_fn visit, void *arg, char *why,
                                size_t why_cap);

#endif
