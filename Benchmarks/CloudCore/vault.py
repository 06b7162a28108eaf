"""A vault's figures beside raw GRDB and raw arrays over the same rows."""

import collections
import statistics

from Harness.line import Line


def _figures(place, folders, files):
    figures = collections.defaultdict(list)
    for line in place.output(place.programs / "VaultTimes", folders, files).splitlines():
        name, value = line.split()
        figures[name].append(float(value))
    return {name: statistics.median(values) for name, values in figures.items()}


def vault(place):
    """A folder of 100,000 items: reading it, filling it, following changes in it."""
    took = _figures(place, 1, 100_000)
    milliseconds = {name: f"{value * 1e3:.0f} ms" for name, value in took.items()}
    return [
        Line("vault.all", "100,000 results from the database", milliseconds["all"],
             f"raw GRDB {milliseconds['raw']}", took["all"] / took["raw"], "×"),
        Line("vault.first", "the first 1,000 of them", milliseconds["first"],
             f"all {milliseconds['all']}", took["first"] / took["all"], "×"),
        Line("vault.again", "100,000 unchanged entries taken over again", milliseconds["ingest-again"],
             f"the first time {milliseconds['ingest']}", took["ingest-again"] / took["ingest"], "×"),
        Line("vault.changes", "the change set of 1,000 changes in 100,000", milliseconds["changes"],
             f"from scratch {milliseconds['from-scratch']}", took["changes"] / took["from-scratch"], "×"),
    ]


def million(place):
    """1,000,000 items in 1,000 folders: opening, one folder, search by name, memory."""
    took = _figures(place, 1_000, 1_000)
    return [
        Line("million.open", "a vault of 1,000,000 items opened", "", "", took["open"] * 1e3, "ms"),
        Line("million.folder", "one folder of 1,000", "", "", took["all"] * 1e3, "ms"),
        Line("million.search", "names that contain a text", "", "", took["search"] * 1e3, "ms"),
        Line("million.search-prefix", "names that begin with a text", "", "", took["search-prefix"] * 1e3, "ms"),
        Line("million.memory", "memory after all that", "", "", took["memory"], "MiB"),
    ]
