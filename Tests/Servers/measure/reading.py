"""OPTIONS, PROPFIND, GET, properties and times."""

import os
import re

from server import question, short, yes


@question
def identity(server):
    """`Server` · `DAV` · `MS-Author-Via`"""
    headers = server.ask("OPTIONS", "").headers
    return " · ".join(", ".join(headers.get_all(key, ["none"])) for key in ("Server", "DAV", "MS-Author-Via"))


@question
def allow(server):
    """`Allow` of the root"""
    headers = server.ask("OPTIONS", "").headers
    return ", ".join(sorted(set(re.split(", ?", ", ".join(headers.get_all("Allow", ["none"]))))))


@question
def depth(server):
    """PROPFIND Depth infinity · no Depth · Depth 1 without final slash"""
    server.mkcol("d/")
    server.mkcol("d/e/")
    server.put("d/e/f")

    def shown(answer):
        return f"{answer}, {len(answer.hrefs())} of 3" if answer.status == 207 else str(answer)

    return " · ".join([shown(server.propfind("d/", Depth="infinity")), shown(server.propfind("d/")),
                       str(server.propfind("d", Depth="1"))])


@question
def hrefs(server):
    """href of a collection and of a file `a b%é` in it"""
    server.mkcol("d/")
    server.put("d/a%20b%25%C3%A9")
    return " ".join(f"`{href.strip()}`" for href in server.propfind("d/", Depth="1").hrefs())


@question
def dates(server):
    """getlastmodified · creationdate · getcontenttype of `f.txt`, digits as 9"""
    server.put("f.txt")
    answer = server.propfind("f.txt", "<getlastmodified/><creationdate/><getcontenttype/>", Depth="0")
    values = [answer.value(key) or "none" for key in ("getlastmodified", "creationdate", "getcontenttype")]
    return " · ".join([re.sub(r"\d", "9", values[0]), re.sub(r"\d", "9", values[1]), values[2]])


@question
def etag(server):
    """`ETag` of a fresh file in GET, hex digits as 9 · in PROPFIND · changed at once by a PUT of the same size"""
    server.put("f", b"aaaa")
    first = server.get("f").headers["ETag"]
    shown = server.propfind("f", Depth="0").value("getetag")
    server.put("f", b"bbbb")
    second = server.get("f").headers["ETag"]
    place = "none" if not shown else "the same" if shown == first else "without quotes" if shown in first else shown
    return f"`{re.sub('[0-9a-f]', '9', first)}` · {place} · {yes(first != second)}"


@question
def etag_folder(server):
    """ETag of a collection · changes when a child is added · when a grandchild is"""
    server.mkcol("d/")
    server.mkcol("d/e/")

    def read():
        return server.propfind("d/", Depth="0").value("getetag")

    first = read()
    if not first:
        return "none"
    server.put("d/f")
    second = read()
    server.put("d/e/f")
    return f"yes · {yes(first != second)} · {yes(second != read())}"


@question
def quota(server):
    """quota-available-bytes · quota-used-bytes of the root"""
    answer = server.propfind("", "<quota-available-bytes/><quota-used-bytes/>", Depth="0")
    return " · ".join(yes(answer.value(key)) for key in ("quota-available-bytes", "quota-used-bytes"))


@question
def ranges(server):
    """GET of 0123456789: `bytes=2-4` / `-3` / `5-` / `20-` / two ranges / `If-Range` with a wrong ETag"""
    server.put("f", b"0123456789")

    def got(**headers):
        answer = server.get("f", **headers)
        return f"{answer} {short(answer.body)}" if answer.status < 400 and len(answer.body) <= 10 else str(answer)

    spans = [got(Range="bytes=" + span) for span in ("2-4", "-3", "5-", "20-", "0-1,4-5")]
    return " / ".join([*spans, got(Range="bytes=2-4", If_Range='"wrong"')])


@question
def not_modified(server):
    """GET `If-None-Match` with the ETag · `If-Modified-Since` with the date"""
    server.put("f")
    headers = server.get("f").headers
    since = headers["Last-Modified"]
    return f"{server.get('f', If_None_Match=headers['ETag'])} · {server.get('f', If_Modified_Since=since)}"


@question
def get_folder(server):
    """GET of a collection, with and without slash · of a file with slash"""
    server.mkcol("d/")
    server.put("f")
    return f"{server.get('d/')}, {server.get('d')} · {server.get('f/')}"


@question
def mtime_header(server):
    """PUT with `X-OC-Mtime: 1000000000`"""
    answer = server.put("f", X_OC_Mtime="1000000000")
    stored = "time set" if os.stat(server.path("f")).st_mtime == 1e9 else "time unchanged"
    return f"{answer}, {stored}, {answer.headers.get('X-OC-MTime') or 'not acknowledged'}"


@question
def mtime_properties(server):
    """PROPPATCH getlastmodified · Win32LastModifiedTime · ownCloud's lastmodified"""
    date, cells = "Sun, 09 Sep 2001 01:46:40 GMT", []
    for prop, value, space in (("getlastmodified", date, "DAV:"),
                               ("Win32LastModifiedTime", date, "urn:schemas-microsoft-com:"),
                               ("lastmodified", "1000000000", "http://owncloud.org/ns")):
        server.put("f")
        answer = server.proppatch("f", prop, value, space)
        stored = "time set" if os.stat(server.path("f")).st_mtime == 1e9 else "unchanged"
        cells.append(f"{answer.full}, {stored}")
    return " · ".join(cells)


@question
def dead_property(server):
    """PROPPATCH of an own property · read back · kept by MOVE"""
    server.put("f")
    answer = server.proppatch("f", "colour", "blue", "urn:example")

    def blue(name):
        return yes(server.propfind(name, '<x:colour xmlns:x="urn:example"/>', Depth="0").value("colour") == "blue")

    first = blue("f")
    server.move("f", "g")
    return f"{answer.full} · {first} · {blue('g')}"


@question
def keep_alive(server):
    """answers after which the connection stays open: PUT, PROPFIND, GET, DELETE, MKCOL, 404"""
    connection, closing = server.connect(), []
    for method, name, body in (("PUT", "f", b"x"), ("PROPFIND", "f", None), ("GET", "f", None), ("DELETE", "f", None),
                               ("MKCOL", "d/", None), ("GET", "missing", None)):
        connection.request(method, server.address.path + name, body, {"Depth": "0"})
        response = connection.getresponse()
        response.read()
        if response.will_close:
            closing.append(f"{method} {response.status}")
    connection.close()
    return f"not {', '.join(closing)}" if closing else "all"
