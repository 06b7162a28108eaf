"""An SSH server that lets in whoever answers its two questions (keyboard-interactive, RFC 4256) and serves FOLDER by SFTP:
asking.py PORT HOST_KEY FOLDER USER PASSWORD

sshd asks questions only through PAM, which takes root.
"""

import asyncio
import sys

import asyncssh


class Server(asyncssh.SSHServer):
    def password_auth_supported(self):
        return False

    def public_key_auth_supported(self):
        return False

    def kbdint_auth_supported(self):
        return True

    def get_kbdint_challenge(self, username, lang, submethods):
        return "", "Two questions", "", [("Secret word: ", False), ("Sum of 1 and 2: ", True)]

    def validate_kbdint_response(self, username, responses):
        return username == user and responses == [password, "3"]


async def main():
    await asyncssh.create_server(
        Server, "127.0.0.1", int(port), server_host_keys=[key],
        sftp_factory=lambda channel: asyncssh.SFTPServer(channel, chroot=folder.encode()))
    await asyncio.get_running_loop().create_future()


port, key, folder, user, password = sys.argv[1:]
asyncio.run(main())
