"""Running commands, and what they took."""

import os
import statistics
import time
from dataclasses import dataclass

ROUNDS = 5


@dataclass
class Cost:
    """What a command took: seconds of wall and processor time, and bytes at the peak."""

    wall: float
    processor: float
    memory: int


def run(command, environment, output="/dev/null"):
    """Runs a command to its end and returns its cost; raises when it fails.

    GNU time is in between because the kernel counts the memory of the process that a program was started from: without
    it, no peak would be below this driver's own.
    """
    errors, peak = f"{environment['TMPDIR']}/errors", f"{environment['TMPDIR']}/peak"
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644),
        (os.POSIX_SPAWN_OPEN, 2, errors, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644),
    ]
    command = ["time", "--format=%M", f"--output={peak}", *map(str, command)]
    began = time.monotonic()
    process = os.posix_spawnp(command[0], command, environment, file_actions=actions)
    _, status, usage = os.wait4(process, 0)
    wall = time.monotonic() - began
    if status != 0:
        with open(errors, errors="replace") as file:
            said = "".join(file.readlines()[-5:])
        raise RuntimeError(f"{' '.join(command[3:9])} … ended with {os.waitstatus_to_exitcode(status)}: {said}")
    with open(peak) as file:
        return Cost(wall, usage.ru_utime + usage.ru_stime, int(file.read()) * 1024)


def interleaved(*contenders, rounds=ROUNDS):
    """Calls each contender once to warm up, then all of them in turn, `rounds` times.

    Returns a list of costs for each contender, so that those with the same index stand side by side.
    """
    for contender in contenders:
        contender()
    costs = [[contender() for contender in contenders] for _ in range(rounds)]
    return [list(column) for column in zip(*costs)]


def median(costs, field="wall"):
    """The median of one field."""
    return statistics.median(getattr(cost, field) for cost in costs)


def ratio(ours, theirs, field="wall"):
    """The median of each pair's ratio, which suffers less from a busy machine than the ratio of the medians."""
    return statistics.median(getattr(a, field) / getattr(b, field) for a, b in zip(ours, theirs))
