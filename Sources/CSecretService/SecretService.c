#include "CSecretService.h"

#ifdef FP_SECRET_SERVICE
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

// What is used of libsecret's and GLib's stable interfaces, declared here: neither their headers nor a link to them is needed,
// and a program that never asks for a secret loads nothing.
typedef struct Error Error;

typedef struct {
    const char *name;
    int flags;
    struct {
        const char *name;
        int type;
    } attributes[32];
    int reserved;
    void *reservedPointers[7];
} Schema;

enum { sessionBus = 2 };

static const Schema schema = {
    .name = "swift-file-providers.Credential", .attributes = {{.name = "id", .type = 0}}};

static struct {
    char *(*lookup)(const Schema *, void *, Error **, ...);
    int (*store)(const Schema *, const char *, const char *, const char *, void *, Error **, ...);
    int (*clear)(const Schema *, void *, Error **, ...);
    void (*freePassword)(char *);
    void (*freeError)(Error *);
    void *(*bus)(int, void *, Error **);
    void (*setExitOnClose)(void *, int);
    int isThere;
} library;

static void load(void) {
    void *secret = dlopen("libsecret-1.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!secret) return;
    // A library's symbols are looked for in what it depends on, too.
    *(void **)&library.lookup = dlsym(secret, "secret_password_lookup_sync");
    *(void **)&library.store = dlsym(secret, "secret_password_store_sync");
    *(void **)&library.clear = dlsym(secret, "secret_password_clear_sync");
    *(void **)&library.freePassword = dlsym(secret, "secret_password_free");
    *(void **)&library.freeError = dlsym(secret, "g_error_free");
    *(void **)&library.bus = dlsym(secret, "g_bus_get_sync");
    *(void **)&library.setExitOnClose = dlsym(secret, "g_dbus_connection_set_exit_on_close");
    library.isThere = library.lookup && library.store && library.clear && library.freePassword && library.freeError
        && library.bus && library.setExitOnClose;
}

/// Frees an error; whether there was none.
static int isFine(Error *error) {
    if (error) library.freeError(error);
    return !error;
}

/// Loads libsecret and connects to the session bus, whose end is not to be this program's.
static int isReachable(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    if (!library.isThere) return 0;
    Error *error = NULL;
    void *bus = library.bus(sessionBus, NULL, &error);
    if (bus) library.setExitOnClose(bus, 0);
    return isFine(error) && bus;
}

char *FPSecretLookup(const char *name) {
    if (!isReachable()) return NULL;
    Error *error = NULL;
    char *secret = library.lookup(&schema, NULL, &error, "id", name, NULL);
    return isFine(error) ? secret : NULL;
}

int FPSecretStore(const char *name, const char *label, const char *secret) {
    if (!isReachable()) return 0;
    Error *error = NULL;
    int isKept = library.store(&schema, NULL, label, secret, NULL, &error, "id", name, NULL);
    return isFine(error) && isKept;
}

void FPSecretErase(const char *name) {
    if (!isReachable()) return;
    Error *error = NULL;
    library.clear(&schema, NULL, &error, "id", name, NULL);
    isFine(error);
}

void FPSecretFree(char *secret) { library.freePassword(secret); }
#endif
