"""A vault's queued commands beside the transfer engine with the same files."""

from Harness.files import make_tree
from Harness.line import speed_line
from Harness.measure import Cost

FOLDERS, FILES, SIZE = 20, 500, 1024
ROUNDS = 5


def commands(place):
    """10,000 uploads of 1 KiB, queued in a vault, to mod_dav."""
    source = place.scratch / "tree"
    make_tree(source, FOLDERS, FILES, SIZE)
    took = {"transfer": [], "commands": []}
    for line in place.output(place.programs / "CommandTimes", source, f"{place.apache.url}/", ROUNDS).splitlines():
        name, wall, processor = line.split()
        took[name].append(Cost(float(wall), float(processor), memory=0))
    return [
        speed_line("commands", f"{FOLDERS * FILES:,} queued uploads of 1 KiB to mod_dav", took["commands"],
                   took["transfer"], "transfer engine"),
    ]
