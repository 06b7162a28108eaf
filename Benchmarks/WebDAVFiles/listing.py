"""A collection of 300,000 files listed, beside rclone."""

from pathlib import Path

from Harness.line import memory_line
from Harness.measure import interleaved

ENTRIES = 300_000
SERVER = Path(__file__).with_name("listing_server.py")


def listing(place):
    """Memory of listing as the reply arrives, and of sorting what came."""
    with place.helper(SERVER, ENTRIES) as port:
        address = f"127.0.0.1:{port}/dav/"
        check(place.output(place.fp, "ls", f"dav://{address}"))
        streamed, sorted_, theirs = interleaved(
            lambda: place.run(place.fp, "ls", f"dav://{address}"),
            lambda: place.run(place.fp, "ls", "-l", "--sort", "name", f"dav://{address}"),
            lambda: place.rclone("lsf", f"http://{address}", ":webdav:"))
    return [
        memory_line("listing.streamed", f"{ENTRIES:,} entries streamed", streamed, theirs, "rclone"),
        memory_line("listing.sorted", f"{ENTRIES:,} entries sorted, with their details", sorted_, theirs, "rclone"),
    ]


def check(names):
    if len(set(names.splitlines())) != ENTRIES:
        raise RuntimeError(f"{len(set(names.splitlines()))} names instead of {ENTRIES}")
