"""What is left when a PUT fails: the connection cut, the server killed, the disk full."""

import os
import re
import socket
import subprocess
import time

from server import put_head, question

SIZE = 4 << 20


def half_sent(server, name):
    """A connection on which half of a PUT has been sent."""
    link = socket.create_connection((server.address.hostname, server.address.port), timeout=10)
    link.sendall(put_head(server, name, SIZE))
    link.sendall(b"n" * (SIZE // 2))
    time.sleep(0.5)
    return link


def cut(link, reset=False):
    if reset:
        link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    link.close()
    time.sleep(1.5)


def strays(server, *expected, folder=None):
    """The files on disk that nobody asked for, in words; random endings as dots."""
    extra = [item.decode() for item in server.on_disk(folder) if item.decode() not in expected]
    names = ", ".join(re.sub(r"\w{6}$", "……", name) for name in extra)
    return f", stray: {names}" if extra else ""


@question
def cut_new(server):
    """PUT of a new 4 MiB file cut at 2 MiB: GET meanwhile · after close · after reset"""
    link = half_sent(server, "f")
    meanwhile = server.content("f") + strays(server, "f")
    cut(link)
    closed = server.content("f") + strays(server, "f")
    cut(half_sent(server, "g"), reset=True)
    return f"{meanwhile} · {closed} · {server.content('g')}{strays(server, 'f', 'g')}"


@question
def cut_replace(server):
    """PUT replacing a file cut at 2 MiB: old file meanwhile · after close · after reset"""
    server.put("f")
    link = half_sent(server, "f")
    meanwhile = server.kept("f")
    cut(link)
    closed = server.kept("f")
    server.put("f")
    cut(half_sent(server, "f"), reset=True)
    return f"{meanwhile} · {closed} · {server.kept('f')}"


@question
def crash(server):
    """server killed (SIGKILL) in the middle of a PUT replacing a file: after a restart"""
    server.put("f")
    link = half_sent(server, "f")
    control = os.environ["FP_TEST_CONTROL"]
    subprocess.run([control, "kill", server.name], check=True)
    link.close()
    subprocess.run([control, "start", server.name], check=True)
    extra = strays(server, "f")
    listed = ", listed" if len(server.propfind("", Depth="1").hrefs()) > 2 else ""
    return server.kept("f") + extra + (listed if extra else "")


@question
def disk_full(server):
    """PUT of 20 MB onto a full disk: new · replacing a file"""
    if not server.small_url:
        return "not measured"

    def ask(method, name, body=None):
        try:
            return server.ask(method, name, body, base=server.small_url)
        except OSError as error:
            return type(error).__name__
        finally:
            time.sleep(0.5)  # nginx frees its temporary file after it has answered

    def left(name):
        answer = ask("GET", name)
        return f"{len(answer.body)} bytes left" if answer.status == 200 else "nothing left"

    large = b"n" * 20_000_000
    new = f"{ask('PUT', 'f', large)}, {left('f')}{strays(server, 'f', folder=server.small_folder)}"
    ask("DELETE", "f")
    ask("PUT", "g", b"old")
    replacing = ask("PUT", "g", large)
    fate = "kept" if ask("GET", "g").body == b"old" else f"old file lost, {left('g')}"
    ask("DELETE", "g")
    return f"{new} · {replacing}, {fate}"
