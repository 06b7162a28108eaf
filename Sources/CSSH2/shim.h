// libssh2 for Swift: the macros that it cannot see, and those that read a type's size, as functions.

#ifndef CSSH2_SHIM_H
#define CSSH2_SHIM_H

#include <libssh2.h>
#include <string.h>

/// Has libssh2 receive by a function of ours; it is given the session's `abstract`.
typedef LIBSSH2_RECV_FUNC((*fp_ssh_receiver));
static inline void fp_ssh_receive_by(LIBSSH2_SESSION *session, fp_ssh_receiver receiver) {
    libssh2_session_callback_set(session, LIBSSH2_CALLBACK_RECV, (void *)receiver);
}

/// Opens a session channel with a window of so many bytes.
static inline LIBSSH2_CHANNEL *fp_ssh_open(LIBSSH2_SESSION *session, unsigned int window) {
    return libssh2_channel_open_ex(
        session, "session", sizeof("session") - 1, window, LIBSSH2_CHANNEL_PACKET_DEFAULT, NULL, 0);
}

/// Asks for a subsystem.
static inline int fp_ssh_subsystem(LIBSSH2_CHANNEL *channel, const char *name) {
    return libssh2_channel_process_startup(
        channel, "subsystem", sizeof("subsystem") - 1, name, (unsigned int)strlen(name));
}

/// Tells the server why the session ends.
static inline int fp_ssh_disconnect(LIBSSH2_SESSION *session) {
    return libssh2_session_disconnect_ex(session, SSH_DISCONNECT_BY_APPLICATION, "", "");
}

#endif
