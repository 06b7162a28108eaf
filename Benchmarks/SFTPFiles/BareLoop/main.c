// Copies one file by libssh2's own SFTP in a blocking loop, as its examples do, with a buffer that lets it pipeline:
// BareLoop get|put PORT USER KEY REMOTE LOCAL. What our transport costs shows beside it. Checks no host key.

#include <arpa/inet.h>
#include <fcntl.h>
#include <libssh2.h>
#include <libssh2_sftp.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BUFFER = 1 << 20 };

/// A connection to the port on this machine.
static int connected(int port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int descriptor = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
    if (descriptor < 0 || connect(descriptor, (struct sockaddr *)&address, sizeof address) != 0) return -1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    return descriptor;
}

/// Everything that the file on the server holds, into the local one.
static int get(LIBSSH2_SFTP_HANDLE *remote, int local, char *buffer) {
    ssize_t count;
    while ((count = libssh2_sftp_read(remote, buffer, BUFFER)) > 0)
        if (write(local, buffer, (size_t)count) != count) return 1;
    return count != 0;
}

/// Everything that the local file holds, into the one on the server.
static int put(LIBSSH2_SFTP_HANDLE *remote, int local, char *buffer) {
    ssize_t count;
    while ((count = read(local, buffer, BUFFER)) > 0)
        for (ssize_t done = 0, sent; done < count; done += sent)
            if ((sent = libssh2_sftp_write(remote, buffer + done, (size_t)(count - done))) < 0) return 1;
    return count != 0;
}

int main(int argc, char **argv) {
    if (argc != 7) return 64;
    int gets = strcmp(argv[1], "get") == 0, socket = connected(atoi(argv[2]));
    if (socket < 0 || libssh2_init(0) != 0) return 1;
    LIBSSH2_SESSION *session = libssh2_session_init();
    if (!session || libssh2_session_handshake(session, socket) != 0 ||
        libssh2_userauth_publickey_fromfile(session, argv[3], NULL, argv[4], "") != 0) {
        fprintf(stderr, "BareLoop: no session\n");
        return 1;
    }
    LIBSSH2_SFTP *sftp = libssh2_sftp_init(session);
    unsigned long flags = gets ? LIBSSH2_FXF_READ : LIBSSH2_FXF_WRITE | LIBSSH2_FXF_CREAT | LIBSSH2_FXF_TRUNC;
    LIBSSH2_SFTP_HANDLE *remote = sftp ? libssh2_sftp_open(sftp, argv[5], flags, 0644) : NULL;
    int local = gets ? open(argv[6], O_WRONLY | O_CREAT | O_TRUNC, 0644) : open(argv[6], O_RDONLY);
    char *buffer = malloc(BUFFER);
    if (!remote || local < 0 || !buffer) return 1;
    int status = gets ? get(remote, local, buffer) : put(remote, local, buffer);
    if (libssh2_sftp_close(remote) != 0) status = 1;
    free(buffer);
    close(local);
    libssh2_sftp_shutdown(sftp);
    libssh2_session_disconnect(session, "");
    libssh2_session_free(session);
    return status;
}
