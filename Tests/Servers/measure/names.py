"""Which file names survive."""

import html
import http.client
import urllib.parse

from server import question, short

NAMES = {
    "space": "a b", "NFC": "caf\u00e9", "NFD": "cafe\u0301", "emoji": "\U0001f642", "CJK": "\u4f60\u597d", "%": "100%",
    "%20": "a%20b", "%41": "100%41", "%2F": "a%2Fb", "+": "a+b", "#": "a#b", "?": "a?b", ";": "a;b", "&": "a&b",
    ":": "a:b", "*": "a*b", "quotes": "a'b\"c", "<>": "a<b>c", "\\": "a\\b", "|": "a|b", "~": "~a",
    "leading space": " a", "trailing space": "a ", "leading dot": ".a", "trailing dot": "a.", ".htaccess": ".htaccess",
    "newline": "a\nb", "CR": "a\rb", "tab": "a\tb", "\\x01": "a\x01b", "\\x7f": "a\x7fb",
    "255 bytes": "x" * 255, "255 bytes CJK": "\u4f60" * 85, "not UTF-8": b"a\xffb",
}


def problem(server, name):
    """What went wrong with a file of that name, or None."""
    raw = name if isinstance(name, bytes) else name.encode()
    encoded = urllib.parse.quote_from_bytes(raw, safe="")
    try:
        answer = server.put(encoded, b"here")
    except (OSError, http.client.HTTPException) as error:
        return type(error).__name__
    if answer.status >= 300:
        return f"PUT {answer}"
    if server.on_disk() != [raw]:
        return f"stored as `{short(b' '.join(server.on_disk()))}`"
    hrefs = [html.unescape(href.strip()) for href in server.propfind("", Depth="1").hrefs()]
    listed = [urllib.parse.unquote_to_bytes(href)[len(server.address.path):] for href in hrefs]
    if raw not in listed:
        return f"listed as `{listed[-1].decode()}`" if any(listed) else "not listed"
    if server.content(encoded) != "here":
        return f"GET {server.content(encoded)}"
    moved = server.move(encoded, urllib.parse.quote_from_bytes(raw[:249], safe="") + "z")
    return None if moved.status in (201, 204) else f"MOVE {moved}"


@question
def survivors(server):
    """names that do not survive PUT, PROPFIND, GET, MOVE"""
    cells = []
    for label, name in NAMES.items():
        found = problem(server, name)
        server.clear()
        if found:
            cells.append(f"{label}: {found}")
    return "; ".join(cells) or "all survive"


@question
def side_by_side(server):
    """NFC and NFD, `a` and `A` in one collection"""
    for name in ("caf%C3%A9", "cafe%CC%81", "a", "A"):
        server.put(name)
    return f"{len(server.on_disk())} of 4 files"
