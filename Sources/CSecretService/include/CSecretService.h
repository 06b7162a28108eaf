#ifndef FILE_PROVIDERS_C_SECRET_SERVICE_H
#define FILE_PROVIDERS_C_SECRET_SERVICE_H

// A desktop's keyring by libsecret, which is loaded when it is first needed.
// Without the package trait SecretService this is empty.

/// Looks a secret up; NULL when there is none, or no keyring, or it stays locked. To be freed with FPSecretFree.
char *FPSecretLookup(const char *name);

/// Keeps a secret in the default keyring, in the place of an earlier one; people see the label. Returns 0 when there is no
/// keyring, or it stays locked.
int FPSecretStore(const char *name, const char *label, const char *secret);

/// Forgets a secret, if the keyring can be asked to.
void FPSecretErase(const char *name);

/// Overwrites and frees what a lookup has returned.
void FPSecretFree(char *secret);

#endif
