"""Twisted Conch's SFTP server, without other rights than its own: PORT HOST_KEY FOLDER USER PASSWORD."""

import sys
from pathlib import Path

from twisted.conch.avatar import ConchUser
from twisted.conch.checkers import InMemorySSHKeyDB, SSHPublicKeyChecker
from twisted.conch.interfaces import IConchUser
from twisted.conch.ssh.factory import SSHFactory
from twisted.conch.ssh.filetransfer import FileTransferServer
from twisted.conch.ssh.keys import Key
from twisted.conch.ssh.session import SSHSession
from twisted.conch.unix import UnixConchUser
from twisted.cred.checkers import InMemoryUsernamePasswordDatabaseDontUse
from twisted.cred.portal import IRealm, Portal
from twisted.internet import reactor
from twisted.python.filepath import FilePath
from zope.interface import implementer

port, key, folder, user, password = sys.argv[1:]


class User(UnixConchUser):
    # The library's own becomes a user of the system for every call.
    def __init__(self):
        ConchUser.__init__(self)
        self.channelLookup[b"session"] = SSHSession
        self.subsystemLookup[b"sftp"] = FileTransferServer

    def getHomeDir(self):
        return FilePath(folder)

    def logout(self):
        pass

    def _runAsUser(self, calls, *arguments):
        for call in calls if isinstance(calls, list) else [(calls, arguments)]:
            result = call[0](*call[1])
        return result


@implementer(IRealm)
class Realm:
    def requestAvatar(self, name, mind, *interfaces):
        return IConchUser, User(), lambda: None


passwords = InMemoryUsernamePasswordDatabaseDontUse(**{user: password.encode()})
lines = Path(key).with_name("authorized_keys").read_bytes().splitlines()
clients = InMemorySSHKeyDB({user.encode(): [Key.fromString(line) for line in lines]})

factory = SSHFactory()
factory.portal = Portal(Realm(), [passwords, SSHPublicKeyChecker(clients)])
hosts = [Key.fromFile(key)]
factory.publicKeys = {host.sshType(): host.public() for host in hosts}
factory.privateKeys = {host.sshType(): host for host in hosts}
reactor.listenTCP(int(port), factory, interface="127.0.0.1")
reactor.run()
