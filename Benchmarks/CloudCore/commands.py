"""A vault's queued commands beside the transfer engine with the same files."""

import statistics

from Harness.files import make_tree
from Harness.line import Line

FOLDERS, FILES, SIZE = 20, 500, 1024
ROUNDS = 5


def commands(place):
    """10,000 uploads of 1 KiB, queued in a vault, to mod_dav."""
    source = place.scratch / "tree"
    make_tree(source, FOLDERS, FILES, SIZE)
    took = {"transfer": [], "commands": []}
    for line in place.output(place.programs / "CommandTimes", source, f"{place.apache.url}/", ROUNDS).splitlines():
        name, value = line.split()
        took[name].append(float(value))
    rates = [engine / queued for engine, queued in zip(took["transfer"], took["commands"])]
    shown = {name: f"{statistics.median(values):.2f} s" for name, values in took.items()}
    return [
        Line("commands.speed", f"{FOLDERS * FILES:,} queued uploads of 1 KiB to mod_dav", shown["commands"],
             f"transfer engine {shown['transfer']}", statistics.median(rates), "×"),
    ]
