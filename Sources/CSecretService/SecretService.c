#include "CSecretService.h"

#ifdef FP_SECRET_SERVICE
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

// What is used of libsecret's and GLib's stable interfaces, declared here: neither their headers nor a link to them is needed,
// and a program that never asks for a secret loads nothing.
typedef struct {
    unsigned domain;
    int code;
    char *message;
} Error;

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
    const char *(*quarkName)(unsigned);
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
    *(void **)&library.quarkName = dlsym(secret, "g_quark_to_string");
    *(void **)&library.bus = dlsym(secret, "g_bus_get_sync");
    *(void **)&library.setExitOnClose = dlsym(secret, "g_dbus_connection_set_exit_on_close");
    library.isThere = library.lookup && library.store && library.clear && library.freePassword && library.freeError
        && library.quarkName && library.bus && library.setExitOnClose;
}

/// Loads libsecret and connects to the session bus, whose end is not to be this program's.
static int prepare(char *message) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    message[0] = 0;
    if (!library.isThere) {
        snprintf(message, FP_SECRET_MESSAGE_LENGTH, "libsecret is not installed");
        return 0;
    }
    Error *error = NULL;
    void *bus = library.bus(sessionBus, NULL, &error);
    if (bus) library.setExitOnClose(bus, 0);
    if (error) {
        snprintf(message, FP_SECRET_MESSAGE_LENGTH, "%s", error->message);
        library.freeError(error);
    }
    return bus != NULL;
}

/// An error of the bus is about the way to the keyring, any other one is the keyring's own.
static FPSecretOutcome explain(Error *error, char *message) {
    const char *domain = library.quarkName(error->domain);
    int isBus = domain && (strstr(domain, "g-dbus-error") || strstr(domain, "g-io-error"));
    snprintf(message, FP_SECRET_MESSAGE_LENGTH, "%s", error->message);
    library.freeError(error);
    return isBus ? FPSecretUnavailable : FPSecretRefused;
}

FPSecretOutcome FPSecretLookup(const char *name, char **secret, char message[FP_SECRET_MESSAGE_LENGTH]) {
    if (!prepare(message)) return FPSecretUnavailable;
    Error *error = NULL;
    *secret = library.lookup(&schema, NULL, &error, "id", name, NULL);
    if (error) return explain(error, message);
    return *secret ? FPSecretDone : FPSecretMissing;
}

FPSecretOutcome FPSecretStore(
    const char *name, const char *label, const char *secret, char message[FP_SECRET_MESSAGE_LENGTH]
) {
    if (!prepare(message)) return FPSecretUnavailable;
    Error *error = NULL;
    int isDone = library.store(&schema, NULL, label, secret, NULL, &error, "id", name, NULL);
    if (error) return explain(error, message);
    return isDone ? FPSecretDone : FPSecretRefused;
}

FPSecretOutcome FPSecretErase(const char *name, char message[FP_SECRET_MESSAGE_LENGTH]) {
    if (!prepare(message)) return FPSecretUnavailable;
    Error *error = NULL;
    int wasThere = library.clear(&schema, NULL, &error, "id", name, NULL);
    if (error) return explain(error, message);
    return wasThere ? FPSecretDone : FPSecretMissing;
}

void FPSecretFree(char *secret) { library.freePassword(secret); }
#endif
