"""Asks each test server the questions of Tests/Servers/README.md and prints the answers as its table.

    FP_TEST_STATE=~/measure Scripts/test-servers run python3 Tests/Servers/measure [NAME…]

It empties the servers' folders and kills the servers: hence the state of its own.
"""

import http.client
import sys

sys.dont_write_bytecode = True

import reading  # noqa: F401  (these imports register the questions, in the table's order)
import writing  # noqa: F401
import moving  # noqa: F401
import failing  # noqa: F401
import names  # noqa: F401
from server import QUESTIONS, Server


def cell(asked, server):
    server.clear()
    try:
        return asked(server).replace("|", "\\|")
    except (OSError, http.client.HTTPException) as error:
        return f"{type(error).__name__}: {error}"


def main():
    chosen = sys.argv[1:] or ["apache", "sabre", "nginx", "wsgidav", "rclone"]
    servers = [Server(name) for name in chosen]
    print("| |", " | ".join(chosen), "|")
    print("|---" * (len(chosen) + 1) + "|")
    for asked in QUESTIONS:
        print(f"| {asked.__doc__} |", " | ".join(cell(asked, server) for server in servers), "|", flush=True)
    for server in servers:
        server.clear()


main()
