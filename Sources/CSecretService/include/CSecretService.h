#ifndef FILE_PROVIDERS_C_SECRET_SERVICE_H
#define FILE_PROVIDERS_C_SECRET_SERVICE_H

// A desktop's keyring by libsecret, which is loaded when it is first needed.
// Without the package trait SecretService this is empty.

/// How a request to the keyring ended.
typedef enum {
    FPSecretDone,
    FPSecretMissing,      ///< Nothing is kept by that name.
    FPSecretUnavailable,  ///< There is no libsecret, no session bus, or no keyring on it.
    FPSecretRefused,      ///< The keyring said no: it stayed locked, for example.
} FPSecretOutcome;

#define FP_SECRET_MESSAGE_LENGTH 256

/// Looks a secret up. The text is to be freed with FPSecretFree.
FPSecretOutcome FPSecretLookup(const char *name, char **secret, char message[FP_SECRET_MESSAGE_LENGTH]);

/// Keeps a secret in the default keyring, in the place of an earlier one; people see the label.
FPSecretOutcome FPSecretStore(
    const char *name, const char *label, const char *secret, char message[FP_SECRET_MESSAGE_LENGTH]);

/// Forgets a secret.
FPSecretOutcome FPSecretErase(const char *name, char message[FP_SECRET_MESSAGE_LENGTH]);

/// Overwrites and frees what a lookup has returned.
void FPSecretFree(char *secret);

#endif
