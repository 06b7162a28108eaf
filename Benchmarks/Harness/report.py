"""The table, the verdicts, and the file of results."""

import datetime
import json
import os
import re
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
COLUMNS = ("work", "ours", "peer", "ratio", "bar", "verdict")


class Bars:
    """The bars of thresholds.json: `{"KEY": {"at most": 1.0}}` or `"at least"`."""

    def __init__(self):
        self._bars = json.loads((HERE / "thresholds.json").read_text())

    def text(self, line):
        """The bar, for people; nothing for a line that only informs."""
        if line.key not in self._bars:
            return ""
        (kind, bar), = self._bars[line.key].items()
        return f"{'≤' if kind == 'at most' else '≥'} {bar}{line.unit}"

    def holds(self, line):
        """Whether the value is within its bar; a line without one is."""
        if line.key not in self._bars:
            return True
        (kind, bar), = self._bars[line.key].items()
        return line.value <= bar if kind == "at most" else line.value >= bar


def cells(line, bars):
    """A line of the table."""
    value = f"{line.value:.1f}" if line.value >= 10 else f"{line.value:.2f}"
    ratio = f"{value}{line.unit}" if line.unit == "×" else ""
    bar = bars.text(line)
    verdict = ("met" if bars.holds(line) else "MISSED") if bar else ""
    return line.work, line.ours or f"{value} {line.unit}", line.peer, ratio, bar, verdict


def table(rows):
    """Markdown that also reads well on a terminal."""
    rows = [COLUMNS, *rows]
    widths = [max(len(row[column]) for row in rows) for column in range(len(COLUMNS))]
    lines = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |" for row in rows]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(lines)


def machine():
    """What was measured on, and with which versions of the peers."""
    information = Path("/proc/cpuinfo").read_text()
    model = re.search(r"model name\s*: (.*)", information)
    names = [os.cpu_count(), "cores of", model[1] if model else os.uname().machine]
    versions = [version(["curl", "--version"]), version(["rclone", "version"]), version(["cp", "--version"])]
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    load = os.getloadavg()[0]
    return (
        f"{' '.join(map(str, names))}, {memory:.0f} GiB, Linux {os.uname().release.split('-')[0]}; "
        f"{', '.join(versions)}; load of the machine before: {load:.1f}"
    )


def version(command):
    """The first line of what `command` says, up to the version."""
    line = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[0]
    return re.match(r".*?\d+(\.\d+)+", line)[0].replace("(GNU coreutils) ", "")


def write_results(text, machine_then):
    """Replaces RESULTS.md by the table of a full run."""
    (HERE / "RESULTS.md").write_text(
        f"# Results\n\nThe last full run of `Benchmarks/run`, {datetime.date.today()}.\n\n{machine_then}\n\n{text}\n\n"
        "Medians of interleaved runs after one to warm up, five where nothing else is said. A ratio is the median of the\n"
        "pairs' ratios: ours ÷ peer's under a bar of “at most”, peer's ÷ ours over one of “at least”. MB are 10⁶ bytes.\n"
    )
