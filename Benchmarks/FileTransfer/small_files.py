"""2,000 files of 1 KiB to and from mod_dav, beside rclone and curl, on loopback and 20 ms away."""

from pathlib import Path

from Harness.files import expect, make_tree, replace
from Harness.line import Line, speed_line
from Harness.measure import interleaved

FOLDERS, FILES, SIZE = 20, 100, 1024
COUNT = FOLDERS * FILES
WORK = f"{COUNT:,} × 1 KiB"
PROXY = Path(__file__).with_name("delay_proxy.py")
DELAY = 20  # Milliseconds, there and back.


def upload(place):
    """Into an empty folder."""
    return uploads(place, "upload", f"{WORK} to mod_dav", place.apache.url, place.apache.location)


def download(place):
    """Into an empty folder."""
    return downloads(place, "download", f"{WORK} from mod_dav", place.apache.url, place.apache.location)


def upload_delayed(place):
    """Into an empty folder, far away."""
    with place.helper(PROXY, place.apache.url.split(":")[2].split("/")[0], DELAY) as port:
        url, location = place.apache.through(port)
        return uploads(place, "upload-delayed", f"{WORK} to mod_dav, {DELAY} ms away", url, location)


def download_delayed(place):
    """From a folder far away."""
    with place.helper(PROXY, place.apache.url.split(":")[2].split("/")[0], DELAY) as port:
        url, location = place.apache.through(port)
        return downloads(place, "download-delayed", f"{WORK} from mod_dav, {DELAY} ms away", url, location)


def uploads(place, key, work, url, location):
    source = place.scratch / "tree"
    make_tree(source, FOLDERS, FILES, SIZE)
    target = place.apache.folder / "tree"
    names = [path.relative_to(source) for path in sorted(source.glob("*/*"))]
    listed = curl_list(place, [("upload-file", source / name, f"{url}/tree/{name}") for name in names])

    def ours():
        replace(target)
        return place.copy("-r", source, f"{location}/tree")

    def rclone():
        replace(target)
        return place.rclone("copy", url, "--transfers", 16, source, ":webdav:tree")

    def curl():
        replace(target)
        for folder in ("tree", *(f"tree/{path.name}" for path in source.iterdir())):
            place.apache.make_folder(folder)
        return curl_all(place, listed)

    requests = len(place.apache.requests(ours))
    expect(target, COUNT, COUNT * SIZE)
    return lines(key, work, requests, *interleaved(ours, rclone, curl))


def downloads(place, key, work, url, location):
    source = place.apache.folder / "tree"
    make_tree(source, FOLDERS, FILES, SIZE)
    target = place.scratch / "tree"
    names = [path.relative_to(source) for path in sorted(source.glob("*/*"))]
    listed = curl_list(place, [("output", target / name, f"{url}/tree/{name}") for name in names])

    def ours():
        replace(target)
        return place.copy("-r", f"{location}/tree", target)

    def rclone():
        replace(target)
        return place.rclone("copy", url, "--transfers", 16, ":webdav:tree", target)

    def curl():
        replace(target)
        for folder in source.iterdir():
            (target / folder.name).mkdir(parents=True)
        return curl_all(place, listed)

    requests = len(place.apache.requests(ours))
    expect(target, COUNT, COUNT * SIZE)
    return lines(key, work, requests, *interleaved(ours, rclone, curl))


def curl_list(place, transfers):
    """A file that makes curl do all the transfers."""
    path = place.scratch / "transfers"
    with open(path, "x") as file:
        for option, name, url in transfers:
            file.write(f'{option} = "{name}"\nurl = "{url.replace(" ", "%20")}"\n')
    return path


def curl_all(place, transfers):
    return place.run(
        "curl", "--silent", "--fail", "--parallel", "--parallel-max", 16, "--config", transfers)


def lines(key, work, requests, mine, rclone, curl):
    each = requests / COUNT
    return [
        speed_line(f"{key}.rclone", work, mine, rclone, "rclone"),
        speed_line(f"{key}.curl", work, mine, curl, "curl -Z"),
        Line(f"{key}.requests", f"{work}: requests", f"{each:.3f} a file", "", each, " a file"),
    ]
