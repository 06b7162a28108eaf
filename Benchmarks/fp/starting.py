"""What it costs to start."""

from Harness.files import make_tree
from Harness.line import Line
from Harness.measure import interleaved, median

ROUNDS = 15


def start(place):
    """Processor time of doing next to nothing."""
    folder = place.scratch / "folder"
    make_tree(folder, 5, 4, 10)
    version, ls, rclone_version, lsf = interleaved(
        lambda: place.run(place.fp, "--version"),
        lambda: place.run(place.fp, "ls", folder),
        lambda: place.run("rclone", "--version"),
        lambda: place.run("rclone", "lsf", folder),
        rounds=ROUNDS)
    return [
        line("start.version", "fp --version", version, rclone_version),
        line("start.ls", "fp ls of a small folder", ls, lsf),
    ]


def line(key, work, ours, theirs):
    mine, peer = (median(costs, "processor") * 1000 for costs in (ours, theirs))
    return Line(key, f"{work}: processor time", f"{mine:.1f} ms", f"rclone {peer:.1f} ms", mine, " ms")
