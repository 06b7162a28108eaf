"""Trees of many files to mod_dav: a second run with nothing to do, and what memory they take."""

import shutil

from Harness.files import expect, make_tree, replace
from Harness.line import Line, speed_line
from Harness.measure import interleaved, median

FILES = 100  # In each folder.


def unchanged(place):
    """20,000 files that are there already."""
    folders = 200
    source = place.scratch / "tree"
    make_tree(source, folders, FILES, 100)
    shutil.copytree(source, place.apache.folder / "tree", copy_function=shutil.copyfile)
    address = f"{place.apache.location}/tree"
    work = f"{folders * FILES:,} files that are there already"

    def ours():
        return place.copy("-r", source, address)

    def rclone():
        return place.rclone("copy", place.apache.url, "--transfers", 16, source, ":webdav:tree")

    requests = place.apache.requests(ours)
    if any(request.startswith("PUT") for request in requests):
        raise RuntimeError("files were sent again")
    each = len(requests) / (folders + 1)
    mine, theirs = interleaved(ours, rclone)
    return [
        speed_line("unchanged", work, mine, theirs, "rclone"),
        Line("unchanged.requests", f"{work}: requests", f"{each:.3f} a folder", "", each, " a folder"),
    ]


def memory(place):
    """The largest peak of uploading 1,000, 10,000 and 100,000 files, as a multiple of the smallest."""
    counts = (1_000, 10_000, 100_000)
    target = place.apache.folder / "tree"

    def uploading(count):
        source = place.scratch / str(count)
        make_tree(source, count // FILES, FILES, 100)

        def upload():
            replace(target)
            return place.copy("-r", source, f"{place.apache.location}/tree")
        return upload

    uploads = [uploading(count) for count in counts]
    peaks = [median(costs, "memory") for costs in interleaved(*uploads, rounds=1)]
    expect(target, counts[-1], counts[-1] * 100)
    shown = ", ".join(f"{peak / 1e6:.0f} MB" for peak in peaks)
    growth = max(peaks) / min(peaks)
    return [Line("memory.growth", "memory at 1,000, 10,000 and 100,000 files", shown, "", growth, "×")]
