"""An SSH server that wants several methods, one after another, and serves FOLDER by SFTP:
steps.py PORT HOST_KEY FOLDER USER PASSWORD

The user's name lists the methods: "password+publickey"; "a/b" accepts either.
sshd reads passwords only as root or through PAM.
"""

import asyncio
import sys
from pathlib import Path

import asyncssh


class Server(asyncssh.SSHServer):
    def connection_made(self, connection):
        succeed = connection.send_userauth_success

        def step():
            del self.steps[0]
            if self.steps:
                connection.send_userauth_failure(True)
            else:
                succeed()

        # The library itself would accept a single method.
        connection.send_userauth_success = step

    def begin_auth(self, username):
        self.steps = username.split("+")
        return True

    def wants(self, method):
        return any(method in step.split("/") for step in self.steps[:1])

    def password_auth_supported(self):
        return self.wants("password")

    def validate_password(self, username, given):
        return given == password

    def public_key_auth_supported(self):
        return self.wants("publickey")

    def validate_public_key(self, username, given):
        return given.public_data in keys

    def kbdint_auth_supported(self):
        return self.wants("keyboard-interactive")

    def get_kbdint_challenge(self, username, lang, submethods):
        return "", "After the password", "", [("One-time password (OATH) for you: ", False)]

    def validate_kbdint_response(self, username, responses):
        return responses == ["123456"]


async def main():
    await asyncssh.create_server(
        Server, "127.0.0.1", int(port), server_host_keys=[key],
        sftp_factory=lambda channel: asyncssh.SFTPServer(channel, chroot=folder.encode()))
    await asyncio.get_running_loop().create_future()


port, key, folder, user, password = sys.argv[1:]
lines = Path(key).with_name("authorized_keys").read_bytes().splitlines()
keys = {asyncssh.import_public_key(line).public_data for line in lines}
asyncio.run(main())
