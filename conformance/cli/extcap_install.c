/* SPDX-License-Identifier: BSD-2-Clause */
/* A link by the name under which the command is Wireshark's to call. */
#include "cli/extcap_install.h"

#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/verb.h"
#include "evidence/clean.h"

#define PATH 4096

static int complain(const char *what, const char *why)
{
    fprintf(stderr, "goldwire extcap: ");
    gw_put_plain(stderr, what);
    fprintf(stderr, ": %s\n", why);
    return GW_EXIT_TOOL;
}

static const char *home_of_user(void)
{
    const char *home = getenv("HOME");
    const struct passwd *user = home == NULL || home[0] != '/' ? getpwuid(getuid()) : NULL;
    return user != NULL ? user->pw_dir : home;
}

/* Makes |path| and what it is in; false with errno. */
static bool make_folder(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        bool made = mkdir(path, 0755) == 0 || errno == EEXIST;
        *slash = '/';
        if (!made)
            return false;
    }
    return mkdir(path, 0755) == 0 || errno == EEXIST;
}

/* An older link is replaced, a file of that name is somebody else's. */
static bool link_there(const char *program, const char *path)
{
    struct stat status;
    if (lstat(path, &status) == 0 && S_ISLNK(status.st_mode))
        (void)unlink(path);
    return symlink(program, path) == 0;
}

static int install_in(const char *program, const char *home, const char *folder)
{
    char path[PATH];
    int len = snprintf(path, sizeof(path), "%s%s", home, folder);
    if (len < 0 || (size_t)len + sizeof("/" GW_EXTCAP_LINK) > sizeof(path))
        return complain(home, "the path is too long");
    if (!make_folder(path))
        return complain(path, strerror(errno));
    (void)snprintf(path + len, sizeof(path) - (size_t)len, "/" GW_EXTCAP_LINK);
    if (!link_there(program, path))
        return complain(path, strerror(errno));
    gw_put_plain(stdout, path);
    printf("\n");
    return GW_EXIT_OK;
}

int gw_extcap_install(void)
{
    char program[PATH];
    const char *home = home_of_user();
    ssize_t len = readlink("/proc/self/exe", program, sizeof(program) - 1);
    if (len <= 0)
        return complain("/proc/self/exe", strerror(errno));
    program[len] = '\0';
    if (home == NULL || home[0] != '/')
        return complain("HOME", "where does this user live?");
    /* Until 4.0 Wireshark looks among its settings, later among its plugins. */
    const char *settings = getenv("XDG_CONFIG_HOME");
    bool moved = settings != NULL && settings[0] == '/';
    int code = install_in(program, moved ? settings : home,
                          moved ? "/wireshark/extcap" : "/.config/wireshark/extcap");
    if (code == GW_EXIT_OK)
        code = install_in(program, home, "/.local/lib/wireshark/extcap");
    if (code == GW_EXIT_OK)
        printf("Wireshark offers what runs in its list of interfaces when it is started next.\n");
    return code;
}
