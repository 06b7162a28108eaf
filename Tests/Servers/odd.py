"""An SFTP server with others' manners, for USER with PASSWORD: odd.py PORT HOST_KEY FOLDER USER PASSWORD

LSTAT follows links (ProFTPD, paramiko), SYMLINK takes its paths in the draft's order (asyncssh itself, with clients that it
does not know), nothing sets attributes (sshd with -P setstat,fsetstat), and what is called "kept" cannot be removed.
"""

import asyncio
import os
import sys

import asyncssh


class Server(asyncssh.SSHServer):
    def password_auth_supported(self):
        return True

    def validate_password(self, username, given):
        return (username, given) == (user, password)


class Files(asyncssh.SFTPServer):
    def lstat(self, path):
        return self.stat(path)

    # The library's own takes targets that are not absolute for ones outside of the folder.
    def readlink(self, path):
        return os.readlink(self.map_path(path))

    def setstat(self, path, attrs):
        raise asyncssh.SFTPPermissionDenied("attributes stay as they are")

    def fsetstat(self, file_obj, attrs):
        raise asyncssh.SFTPPermissionDenied("attributes stay as they are")

    def remove(self, path):
        if os.path.basename(path) == b"kept":
            raise asyncssh.SFTPPermissionDenied("it is kept")
        return super().remove(path)


async def main():
    await asyncssh.create_server(
        Server, "127.0.0.1", int(port), server_host_keys=[key],
        sftp_factory=lambda channel: Files(channel, chroot=folder.encode()))
    await asyncio.get_running_loop().create_future()


port, key, folder, user, password = sys.argv[1:]
asyncio.run(main())
