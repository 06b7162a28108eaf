"""An SFTP server without extensions whose REALPATH only tidies paths up (Go's pkg/sftp, paramiko), for USER with PASSWORD:
lexical.py PORT HOST_KEY FOLDER USER PASSWORD
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
    def realpath(self, path):
        return os.path.normpath(b"/" + path.lstrip(b"/"))

    # The library's own takes targets that are not absolute for ones outside of the folder.
    def readlink(self, path):
        return os.readlink(self.map_path(path))


async def main():
    asyncssh.sftp.SFTPServerHandler._extensions = []
    await asyncssh.create_server(
        Server, "127.0.0.1", int(port), server_host_keys=[key],
        sftp_factory=lambda channel: Files(channel, chroot=folder.encode()))
    await asyncio.get_running_loop().create_future()


port, key, folder, user, password = sys.argv[1:]
asyncio.run(main())
