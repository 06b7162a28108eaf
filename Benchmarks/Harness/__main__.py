"""Benchmarks/run: measures the rows, prints the table, compares it with the bars."""

import argparse
import signal
import sys
from contextlib import ExitStack

from . import report
from .place import Place
from .rows import ROWS


def main():
    parser = argparse.ArgumentParser(prog="Benchmarks/run", epilog="rows: " + " ".join(ROWS))
    parser.add_argument("--check", action="store_true", help="exit with 1 if a value is beyond its bar")
    parser.add_argument("rows", nargs="*", metavar="ROW", help="measure these instead of all")
    arguments = parser.parse_args()
    if unknown := [name for name in arguments.rows if name not in ROWS]:
        parser.error(f"no row {unknown[0]!r}; there are: {' '.join(ROWS)}")

    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # Leaving each block on the way.
    bars = report.Bars()
    machine = report.machine()
    lines = []
    failures = []
    with ExitStack() as places:
        for name in arguments.rows or ROWS:
            print(f"Measuring {name}.", file=sys.stderr)
            try:
                place = Place()
                places.callback(place.remove)
                with place:
                    lines += ROWS[name](place)
            except (RuntimeError, OSError) as error:
                failures.append(f"{name}: {error}")
    table = report.table([report.cells(line, bars) for line in lines])
    print(machine, table, *failures, sep="\n\n")
    if not arguments.rows and not failures:
        report.write_results(table, machine)
    missed = [line for line in lines if not bars.holds(line)]
    return 1 if failures or (arguments.check and missed) else 0


sys.exit(main())
