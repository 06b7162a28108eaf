"""1 GiB between a file and Apache, beside curl."""

from Harness.files import expect, make_file, replace
from Harness.line import memory_line, time_line
from Harness.measure import interleaved

SIZE = 1 << 30


def get(place):
    """Downloads."""
    make_file(place.apache.folder / "big", SIZE)
    target = place.scratch / "big"

    def ours():
        replace(target)
        return place.copy(f"{place.apache.location}/big", target)

    def curl():
        replace(target)
        return place.run("curl", "--silent", "--fail", "--output", target, f"{place.apache.url}/big")

    mine, theirs = interleaved(ours, curl)
    return lines("get", "1 GiB from Apache", mine, theirs)


def put(place):
    """Uploads."""
    source = place.scratch / "big"
    make_file(source, SIZE)
    target = place.apache.folder / "big"

    def ours():
        replace(target)
        return place.copy(source, f"{place.apache.location}/big")

    def curl():
        replace(target)
        return place.run("curl", "--silent", "--fail", "--upload-file", source, f"{place.apache.url}/big")

    mine, theirs = interleaved(ours, curl)
    expect(place.apache.folder, 1, SIZE)
    return lines("put", "1 GiB to Apache", mine, theirs)


def lines(key, work, mine, theirs):
    return [time_line(key, work, mine, theirs, "curl"), memory_line(key, work, mine, theirs, "curl")]
