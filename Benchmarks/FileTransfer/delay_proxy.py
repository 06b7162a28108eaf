"""A TCP proxy to a port on this machine that is MILLISECONDS away, there and back: delay_proxy.py PORT MILLISECONDS

Prints its own port. It delays bytes and does not slow them: how many are under way is not limited.
"""

import asyncio
import sys
from collections import deque


class Side(asyncio.Protocol):
    """One of a connection's two ends: what it receives, the other side sends half a round trip later."""

    def __init__(self, other=None):
        self.other = other
        self.transport = None
        self.under_way = deque()
        self.usable = 0

    def connection_made(self, transport):
        self.transport = transport
        if self.other is None:
            self.usable = loop.time() + 2 * one_way  # A handshake takes a round trip.
            self.connecting = loop.create_task(loop.create_connection(lambda: Side(self), "127.0.0.1", port))
        else:
            self.other.other = self

    def data_received(self, data):
        self.pass_on(data)

    def connection_lost(self, _):
        self.pass_on(None)

    def pass_on(self, data):
        self.under_way.append(data)
        loop.call_at(max(loop.time(), self.usable) + one_way, self.arrive)

    def arrive(self):
        data = self.under_way.popleft()
        if data is None:
            self.other.transport.close()
        else:
            self.other.transport.write(data)


async def main():
    server = await loop.create_server(Side, "127.0.0.1", 0, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


port = int(sys.argv[1])
one_way = float(sys.argv[2]) / 2000
loop = asyncio.new_event_loop()
loop.run_until_complete(main())
