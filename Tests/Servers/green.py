"""Green End's SFTP server, behind an SSH server that needs no login shell to start it."""

import asyncio

import asyncssh

from asyncssh_server import serve


class GreenEnd(asyncssh.SSHServerSession):
    def __init__(self):
        self.received = asyncio.Queue()
        self.may_write = asyncio.Event()
        self.may_write.set()

    def connection_made(self, channel):
        self.channel = channel

    def subsystem_requested(self, subsystem):
        return subsystem == "sftp"

    def session_started(self):
        self.task = asyncio.create_task(self.run())

    def data_received(self, data, datatype):
        self.received.put_nowait(data)

    def eof_received(self):
        self.received.put_nowait(b"")

    def connection_lost(self, error):
        self.received.put_nowait(b"")
        self.may_write.set()

    def pause_writing(self):
        self.may_write.clear()

    def resume_writing(self):
        self.may_write.set()

    async def run(self):
        pipe = asyncio.subprocess.PIPE
        program = await asyncio.create_subprocess_exec("/usr/libexec/gesftpserver", stdin=pipe, stdout=pipe)
        feeding = asyncio.create_task(self.feed(program.stdin))
        while data := await program.stdout.read(64 << 10):
            await self.may_write.wait()
            self.channel.write(data)
        feeding.cancel()
        self.channel.exit(await program.wait())

    async def feed(self, stdin):
        while data := await self.received.get():
            stdin.write(data)
            await stdin.drain()
        stdin.close()


serve(session=GreenEnd)
