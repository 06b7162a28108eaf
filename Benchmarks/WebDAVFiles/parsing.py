"""A listing's reply turned into entries, beside libxml2 doing nothing with it."""

import statistics

from Harness.line import Line
from WebDAVFiles.multistatus import multistatus

ENTRIES = 100_000
PIECE = 64 << 10  # libxml2 is slower with larger ones.
ARRIVING = (64 << 10, 512 << 10)
ROUNDS = 5


def parse(place):
    """As many bytes a second as our decoder and as libxml2 with empty callbacks take."""
    reply = place.scratch / "reply.xml"
    with open(reply, "wb") as file:
        for piece in multistatus(b"/dav/", ENTRIES):
            file.write(piece)
    megabytes = reply.stat().st_size / 1e6

    def seconds(program, piece):
        time, count = place.output(place.programs / program, reply, piece).split()
        if int(count) < ENTRIES:
            raise RuntimeError(f"{program} found {count} entries")
        return float(time)

    lines = []
    for piece in ARRIVING:
        pairs = [(seconds("DecodePages", piece), seconds("EmptyCallbacks", PIECE)) for _ in range(ROUNDS + 1)][1:]
        mine, theirs = (megabytes / statistics.median(column) for column in zip(*pairs))
        lines.append(
            Line(
                f"parse.{piece >> 10}.speed",
                f"{ENTRIES:,} entries ({megabytes:.0f} MB) in pieces of {piece >> 10} KiB",
                f"{mine:.0f} MB/s", f"libxml2, empty callbacks {theirs:.0f} MB/s",
                statistics.median(peer / own for own, peer in pairs), "×"))
    return lines
