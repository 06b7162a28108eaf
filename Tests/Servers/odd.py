"""An SFTP server with others' manners.

LSTAT follows links (ProFTPD, paramiko), SYMLINK takes its paths in the draft's order (asyncssh itself, with clients that it
does not know), nothing sets attributes, which is refused (sshd with -P setstat,fsetstat) or, in folders called
"unheeding", ignored (object stores), and what is called "kept" cannot be removed.
"""

import os

import asyncssh

from asyncssh_server import Files, serve


class OddFiles(Files):
    def lstat(self, path):
        return self.stat(path)

    def setstat(self, path, attrs):
        if b"/unheeding/" not in path:
            raise asyncssh.SFTPPermissionDenied("attributes stay as they are")

    def fsetstat(self, file_obj, attrs):
        self.setstat(file_obj.name, attrs)

    def remove(self, path):
        if os.path.basename(path) == b"kept":
            raise asyncssh.SFTPPermissionDenied("it is kept")
        return super().remove(path)


serve(OddFiles)
