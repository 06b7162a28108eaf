"""Copies within one file system, beside cp."""

from Harness.files import expect, make_file, make_tree, replace
from Harness.line import time_line
from Harness.measure import interleaved

SIZE = 1 << 30


def file(place):
    """1 GiB."""
    source = place.scratch / "big"
    make_file(source, SIZE)
    return [compared(place, "local-file", "1 GiB, local", source, ["cp"])]


def tree(place):
    """20,000 files of 1 KiB."""
    source = place.scratch / "tree"
    make_tree(source, 200, 100, 1024)
    line = compared(place, "local-tree", "20,000 × 1 KiB, local", source, ["cp", "-r"])
    expect(place.scratch / "copy", 20_000, 20_000 * 1024)
    return [line]


def compared(place, key, work, source, peer):
    target = place.scratch / "copy"

    def ours():
        replace(target)
        return place.copy(*peer[1:], source, target)

    def theirs():
        replace(target)
        return place.run(*peer, source, target)

    return time_line(key, work, *interleaved(ours, theirs), " ".join(peer))
