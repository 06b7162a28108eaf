"""A collection's reply to PROPFIND with Depth 1, byte for byte as mod_dav writes it (allprop, 800 bytes an entry)."""

HEAD = b"""\
<?xml version="1.0" encoding="utf-8"?>
<D:multistatus xmlns:D="DAV:">
<D:response xmlns:lp1="DAV:" xmlns:lp2="http://apache.org/dav/props/">
<D:href>%s</D:href>
<D:propstat>
<D:prop>
<lp1:resourcetype><D:collection/></lp1:resourcetype>
<lp1:creationdate>2026-01-01T12:00:00Z</lp1:creationdate>
<lp1:getlastmodified>Thu, 01 Jan 2026 12:00:00 GMT</lp1:getlastmodified>
<lp1:getetag>"1000-64749d2a5d5c8"</lp1:getetag>
<D:getcontenttype>httpd/unix-directory</D:getcontenttype>
</D:prop>
<D:status>HTTP/1.1 200 OK</D:status>
</D:propstat>
</D:response>
"""

ENTRY = b"""\
<D:response xmlns:lp1="DAV:" xmlns:lp2="http://apache.org/dav/props/">
<D:href>%s</D:href>
<D:propstat>
<D:prop>
<lp1:resourcetype/>
<lp1:creationdate>2026-01-01T12:%02d:%02dZ</lp1:creationdate>
<lp1:getcontentlength>%d</lp1:getcontentlength>
<lp1:getlastmodified>Thu, 01 Jan 2026 12:%02d:%02d GMT</lp1:getlastmodified>
<lp1:getetag>"%x-64749d2a%05x"</lp1:getetag>
<lp2:executable>F</lp2:executable>
<D:supportedlock>
<D:lockentry>
<D:lockscope><D:exclusive/></D:lockscope>
<D:locktype><D:write/></D:locktype>
</D:lockentry>
<D:lockentry>
<D:lockscope><D:shared/></D:lockscope>
<D:locktype><D:write/></D:locktype>
</D:lockentry>
</D:supportedlock>
<D:lockdiscovery/>
<D:getcontenttype>image/jpeg</D:getcontenttype>
</D:prop>
<D:status>HTTP/1.1 200 OK</D:status>
</D:propstat>
</D:response>
"""

TAIL = b"</D:multistatus>\n"


def multistatus(collection, count):
    """Yields the reply in pieces: `collection`, a path with a slash at its end, and `count` files in no order."""
    yield HEAD % collection
    piece = []
    for position in range(count):
        number = position * 7919 % count  # 7919 is prime, so each number comes once unless it divides `count`.
        minute, second = number // 60 % 60, number % 60
        href = b"%sIMG%%20%06d%%20summer.jpg" % (collection, number)
        piece.append(ENTRY % (href, minute, second, number * 37, minute, second, number * 37, number))
        if len(piece) == 100:
            yield b"".join(piece)
            piece.clear()
    yield b"".join(piece) + TAIL
