"""What the SFTP servers here by asyncssh have in common: SCRIPT PORT HOST_KEY FOLDER USER PASSWORD."""

import asyncio
import os
import sys
from pathlib import Path

import asyncssh


class Files(asyncssh.SFTPServer):
    # The library's own takes targets that are not absolute for ones outside of the folder.
    def readlink(self, path):
        return os.readlink(self.map_path(path))


def serve(files=None, session=None):
    """Serves the folder with a subclass of Files, or each caller with a session of its own, for the user with the password
    or with a key."""
    port, key, folder, user, password = sys.argv[1:]

    class Server(asyncssh.SSHServer):
        def connection_made(self, connection):
            self.connection = connection

        def password_auth_supported(self):
            return True

        def validate_password(self, username, given):
            return (username, given) == (user, password)

        def session_requested(self):
            return bool(session) and (self.connection.create_server_channel(encoding=None), session())

    def factory(channel):
        return files(channel, chroot=folder.encode())

    async def main():
        await asyncssh.create_server(
            Server, "127.0.0.1", int(port), server_host_keys=[key], sftp_factory=factory if files else None,
            authorized_client_keys=str(Path(key).with_name("authorized_keys")), reuse_address=True)
        await asyncio.get_running_loop().create_future()

    asyncio.run(main())
