"""An SFTP server whose READLINK answers for everything, with the path that was asked about, while LSTAT follows links and
SYMLINK is not supported (copyparty)."""

import asyncssh

from asyncssh_server import Files, serve


class EchoingFiles(Files):
    def lstat(self, path):
        return self.stat(path)

    def readlink(self, path):
        return path

    def symlink(self, oldpath, newpath):
        raise asyncssh.SFTPOpUnsupported("there are no links")


asyncssh.sftp.SFTPServerHandler._extensions = []
serve(EchoingFiles)
