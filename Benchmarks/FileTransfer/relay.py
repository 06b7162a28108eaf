"""1 GiB from one WebDAV server to another, beside rclone."""

from Harness.files import expect, make_file, replace
from Harness.line import memory_line, time_line
from Harness.measure import interleaved

SIZE = 1 << 30


def relay(place):
    """Apache to nginx."""
    make_file(place.apache.folder / "big", SIZE)
    target = place.nginx.folder / "big"
    remotes = [f":webdav,url='{place.apache.url}':big", f":webdav,url='{place.nginx.url}':big"]

    def ours():
        replace(target)
        return place.copy(f"{place.apache.location}/big", f"{place.nginx.location}/big")

    def rclone():
        replace(target)
        return place.run("rclone", "copyto", *remotes)

    mine, theirs = interleaved(ours, rclone)
    expect(place.nginx.folder, 1, SIZE)
    work = "1 GiB from Apache to nginx"
    return [time_line("relay", work, mine, theirs, "rclone"), memory_line("relay", work, mine, theirs, "rclone")]
