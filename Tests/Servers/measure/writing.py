"""PUT, MKCOL, DELETE, partial writes, conditions and locks."""

import os
import socket
import time

from server import put_head, question, yes

WRONG = '"wrong"'


@question
def mkcol(server):
    """MKCOL new / without final slash / existing / no parent / over a file"""
    server.put("file")
    return " / ".join(str(server.mkcol(name)) for name in ("d/", "e", "d/", "no/parent/", "file/"))


@question
def put(server):
    """PUT new / replacing / no parent / onto a collection, with and without slash"""
    server.mkcol("d/")
    plain = " / ".join(str(server.put(name)) for name in ("f", "f", "no/parent", "d/"))
    return f"{plain}, {server.put('d')}"


@question
def put_reply(server):
    """PUT's reply: `ETag` (and is it GET's?) · `Last-Modified` · `Location`"""
    headers = server.put("f").headers
    tag = headers["ETag"]
    shown = "no" if not tag else "yes, GET's" if tag == server.get("f").headers["ETag"] else "yes, not GET's"
    return f"{shown} · {yes(headers['Last-Modified'])} · {yes(headers['Location'])}"


@question
def chunked(server):
    """20 × PUT of 100 kB without length (chunked)"""
    sizes, answer = [], None
    for turn in range(20):
        answer = server.put(f"f{turn}", iter([b"n" * 50_000] * 2), Transfer_Encoding="chunked")
        sizes.append(os.path.getsize(server.path(f"f{turn}")))
    wrong = sum(size != 100_000 for size in sizes)
    return f"{answer}, **{wrong} of 20 truncated**, {min(sizes)} bytes" if wrong else str(answer)


@question
def expect(server):
    """`Expect: 100-continue` before a PUT"""
    with socket.create_connection((server.address.hostname, server.address.port), timeout=5) as link:
        link.sendall(put_head(server, "f", 3, "Expect: 100-continue\r\n"))
        try:
            return link.recv(4096).split(b"\r\n")[0].decode().removeprefix("HTTP/1.1 ")
        except socket.timeout:
            return "nothing for 5 s"


@question
def create_only(server):
    """PUT `If-None-Match: *` onto an existing file / a new one"""
    server.put("f")
    answer = server.put("f", b"new", If_None_Match="*")
    return f"{answer}, {server.kept('f')} / {server.put('g', If_None_Match='*')}"


@question
def replace_only(server):
    """PUT `If-Match` wrong / right at once, after 2.5 s / on a missing file · DELETE, MOVE with a wrong one"""
    server.put("f")
    wrong = f"{server.put('f', b'new', If_Match=WRONG)}, {server.kept('f')}"
    server.put("f")
    right = server.put("f", b"new", If_Match=server.get("f").headers["ETag"])
    time.sleep(2.5)
    later = server.put("f", b"new", If_Match=server.get("f").headers["ETag"])
    missing = server.put("missing", If_Match=WRONG)
    remove = server.delete("f", If_Match=WRONG)
    server.put("g")
    return f"{wrong} / {right}, {later} / {missing} · {remove}, {server.move('g', 'h', If_Match=WRONG)}"


@question
def unmodified_since(server):
    """PUT `If-Unmodified-Since` in the past"""
    server.put("f")
    answer = server.put("f", b"new", If_Unmodified_Since="Sat, 01 Jan 2000 00:00:00 GMT")
    return f"{answer}, {server.kept('f')}"


@question
def content_range(server):
    """PUT `Content-Range`: inside 0123456789 / at the end of 0123 / from 0 of a missing file"""
    server.put("f", b"0123456789")
    inside = server.put("f", b"xyz", Content_Range="bytes 4-6/10")
    server.put("g", b"0123")
    end = server.put("g", b"xyz", Content_Range="bytes 4-6/7")
    fresh = server.put("h", b"xyz", Content_Range="bytes 0-2/7")
    return f"{inside}, {server.content('f')} / {end}, {server.content('g')} / {fresh}, {server.content('h')}"


@question
def patch(server):
    """PATCH of 0123456789 with `X-Update-Range: bytes=4-6` / `append` (sabre)"""
    server.put("f", b"0123456789")
    kind = "application/x-sabredav-partialupdate"
    inside = server.ask("PATCH", "f", b"xyz", Content_Type=kind, X_Update_Range="bytes=4-6")
    shown = server.content("f")
    end = server.ask("PATCH", "f", b"end", Content_Type=kind, X_Update_Range="append")
    return f"{inside}, {shown} / {end}, {server.content('f')}"


@question
def remove(server):
    """DELETE file / non-empty collection / the same without slash / missing / file with slash"""
    server.put("f")
    server.put("g")
    for name in ("d", "e"):
        server.mkcol(name + "/")
        server.put(name + "/f")
    return " / ".join(str(server.delete(name)) for name in ("f", "d/", "e", "missing", "g/"))


@question
def remove_partly(server):
    """DELETE of a collection `d` whose child `d/x/f` cannot be removed, `d/z` can"""
    server.mkcol("d/")
    server.mkcol("d/x/")
    server.put("d/x/f")
    server.put("d/z")
    os.chmod(server.path("d/x"), 0o555)
    answer = server.delete("d/")
    left = " ".join(item.decode() for item in server.on_disk())
    os.chmod(server.path("d/x"), 0o755)
    return f"{answer.full}, child {'' if 'd/x' in answer.text else 'not '}named, left: {left}"


@question
def hidden(server):
    """`.a` in a collection: listed · PROPFIND of itself · gone after DELETE of the collection"""
    server.mkcol("d/")
    server.put("d/.a")
    listed = "d/.a" in server.propfind("d/", Depth="1").text
    itself = server.propfind("d/.a", Depth="0")
    return f"{yes(listed)} · {itself} · {server.delete('d/')}, {yes(not server.on_disk())}"


@question
def lock(server):
    """LOCK file · LOCK new name · without the token: PUT, MOVE onto it, DELETE · with it: PUT · UNLOCK"""
    body = '<lockinfo xmlns="DAV:"><lockscope><exclusive/></lockscope><locktype><write/></locktype></lockinfo>'
    server.put("f")
    server.put("a")
    answer = server.ask("LOCK", "f", body, Depth="0", Timeout="Second-60")
    fresh = server.ask("LOCK", "g", body, Depth="0", Timeout="Second-60")
    made = ", empty file made" if os.path.exists(server.path("g")) else ""
    refused = f"{server.put('f')}, {server.move('a', 'f')}, {server.delete('f')}"
    token = answer.headers["Lock-Token"]
    allowed = server.put("f", If=f"({token})")
    ended = server.ask("UNLOCK", "f", Lock_Token=token)
    server.ask("UNLOCK", "g", Lock_Token=fresh.headers["Lock-Token"])
    return f"{answer} · {fresh}{made} · {refused} · {allowed} · {ended}"
