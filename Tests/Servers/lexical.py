"""An SFTP server without extensions whose REALPATH only tidies paths up (Go's pkg/sftp, paramiko)."""

import os

import asyncssh

from asyncssh_server import Files, serve


class TidyingFiles(Files):
    def realpath(self, path):
        return os.path.normpath(b"/" + path.lstrip(b"/"))


asyncssh.sftp.SFTPServerHandler._extensions = []
serve(TidyingFiles)
