"""What the SFTP servers here by asyncssh have in common: SCRIPT PORT HOST_KEY FOLDER USER PASSWORD."""

import asyncio
import os
import sys

import asyncssh


class Files(asyncssh.SFTPServer):
    # The library's own takes targets that are not absolute for ones outside of the folder.
    def readlink(self, path):
        return os.readlink(self.map_path(path))


def serve(files):
    """Serves the folder with a subclass of Files, for the user with the password."""
    port, key, folder, user, password = sys.argv[1:]

    class Server(asyncssh.SSHServer):
        def password_auth_supported(self):
            return True

        def validate_password(self, username, given):
            return (username, given) == (user, password)

    async def main():
        await asyncssh.create_server(
            Server, "127.0.0.1", int(port), server_host_keys=[key],
            sftp_factory=lambda channel: files(channel, chroot=folder.encode()))
        await asyncio.get_running_loop().create_future()

    asyncio.run(main())
