"""COPY and MOVE."""

import http.client
import os
import threading

from server import question


def each_way(server, method):
    """New, onto an existing file with each Overwrite header, onto itself, into a missing parent."""
    def fresh(*names):
        for name in names:
            server.put(name)

    cells = []
    for target, headers in (("new", {}), ("b", {"Overwrite": "F"}), ("b", {"Overwrite": "T"}), ("b", {})):
        fresh("a", "b")
        cells.append(str(server.move("a", target, method, **headers)))
    fresh("a")
    cells.append(f"{server.move('a', 'a', method)}, {server.kept('a')}")
    fresh("a")
    answer = server.move("a", "no/b", method)
    fate = "parent made" if os.path.exists(server.path("no/b")) else server.kept("a")
    return " / ".join([*cells, f"{answer}, {fate}"])


@question
def copy(server):
    """COPY file: new / onto existing with `Overwrite: F` / `T` / no header / onto itself / no parent"""
    return each_way(server, "COPY")


@question
def move(server):
    """MOVE file: new / onto existing with `Overwrite: F` / `T` / no header / onto itself / no parent"""
    return each_way(server, "MOVE")


@question
def move_folder(server):
    """MOVE collection: new / Destination without slash / into its own child / onto a file / onto a collection (`T`)"""
    def fresh(name):
        server.mkcol(name + "/")
        server.put(name + "/f")

    for name in "abcde":
        fresh(name)
    server.put("file")
    cells = [str(server.move("a/", "new/")), str(server.move("b/", "other"))]
    answer = server.move("c/", "c/d/")
    cells.append(f"{answer}, {'kept' if os.path.exists(server.path('c/f')) else '**all lost**'}")
    cells.append(str(server.move("d/", "file", Overwrite="T")))
    fresh("d")
    cells.append(str(server.move("d/", "e/", Overwrite="T")))
    return " / ".join(cells)


@question
def file_over_folder(server):
    """MOVE file onto a non-empty collection, `Overwrite: T`"""
    server.mkcol("d/")
    server.put("d/f")
    server.put("a")
    answer = server.move("a", "d", Overwrite="T")
    return f"{answer}, collection {'kept' if os.path.exists(server.path('d/f')) else 'lost'}"


def misses_while(server, change):
    """How many of the reads of `f` did not find all of it while `change` was made 300 times."""
    reads, misses, done, body = 0, 0, threading.Event(), server.get("f").body

    def read():
        nonlocal reads, misses
        while not done.is_set():
            try:
                misses += server.get("f").body != body
            except (OSError, http.client.HTTPException):
                misses += 1
            reads += 1

    reader = threading.Thread(target=read)
    reader.start()
    for _ in range(300):
        change()
    done.set()
    reader.join()
    return f"{misses} of {reads}"


@question
def put_gap(server):
    """300 times PUT of 64 KiB onto `f`, read all the while: reads that did not find all of `f`"""
    server.put("f", b"n" * 65536)
    return misses_while(server, lambda: server.put("f", b"n" * 65536))


@question
def move_gap(server):
    """300 times PUT of `a` and MOVE onto `f`, read all the while: reads that did not find `f`"""
    server.put("f")
    return misses_while(server, lambda: (server.put("a"), server.move("a", "f", Overwrite="T")))
