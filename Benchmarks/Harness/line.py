"""Lines of the table."""

from dataclasses import dataclass

from .measure import median, ratio


@dataclass
class Line:
    """One measured value with a bar, and how it came about."""

    key: str  # in thresholds.json
    work: str
    ours: str
    peer: str
    value: float
    unit: str  # "×" for a ratio of ours to the peer's, or of the peer's to ours where the bar is "at least"


def time_line(key, work, ours, peer, name):
    """How long ours takes, as a part of the peer's time."""
    return Line(f"{key}.time", work, shown(ours), f"{name} {shown(peer)}", ratio(ours, peer), "×")


def speed_line(key, work, ours, peer, name):
    """How many times as fast as the peer ours is."""
    return Line(f"{key}.speed", work, shown(ours), f"{name} {shown(peer)}", ratio(peer, ours), "×")


def memory_line(key, work, ours, peer=None, name=None):
    """The peak of ours, in MB."""
    beside = f"{name} {megabytes(peer):.0f} MB" if peer else ""
    return Line(f"{key}.memory", f"{work}: memory", f"{megabytes(ours):.0f} MB", beside, megabytes(ours), " MB")


def megabytes(costs):
    """The median of the peaks, in 10⁶ bytes."""
    return median(costs, "memory") / 1e6


def shown(costs):
    """Wall and processor time."""
    return f"{median(costs):.2f} s (CPU {median(costs, 'processor'):.2f})"
