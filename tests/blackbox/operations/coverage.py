"""Which operation of which client was seen to work: recorded by each test run, shown in one table at the end.

What there is to cover is read off the clients themselves: the public methods of their operations groups. An operation
is covered when it succeeded (a poller gave its result, a list was walked to its end); one that takes an eTag also has
to have succeeded under the current one and to have been refused under a stale one.

`python coverage.py FOLDER` prints the table of all records in a folder; its exit code is 1 when something is missing.
"""

import inspect
import json
import os
import re
import sys
from collections import defaultdict
from importlib import metadata
from pathlib import Path

#: Where a run leaves its records: one file for each client.
FOLDER = os.environ.get("OPERATIONS_RECORD")
#: The clients that the service is held to.
CLIENTS = [
    "fleet 4.1.0b1 sync",
    "fleet 4.1.0b1 async",
    "fleet 4.0.0 sync",
    "fleet 4.0.0 async",
    "aks 41.8.0 sync",
    "aks 41.8.0 async",
    "fleet 2.0.0 node",
]
PACKAGES = {"fleet": "azure-mgmt-containerservicefleet", "aks": "azure-mgmt-containerservice"}
COVERED, NOT_SERVED, MISSING, NO_ETAG, ABSENT = "yes", "404", "MISSING", "NO ETAG", "-"


def operations(client):
    """The operations of a client, each as `group.method` with the method itself."""
    for group, operations in vars(client).items():
        if not group.startswith("_"):
            for name, method in inspect.getmembers(operations, callable):
                if not name.startswith("_"):
                    yield f"{group}.{name}", method


def takes_etag(method):
    """Whether an operation can be made to depend on an eTag."""
    return "match_condition" in inspect.signature(method).parameters


class Record:
    """What one client was seen to do."""

    def __init__(self, client):
        self.needed = {name: takes_etag(method) for name, method in operations(client)}
        self.seen = defaultdict(set)

    def succeeded(self, operation, match_condition=None):
        self.seen[operation] |= {"succeeded", match_condition and match_condition.name}

    def refused_stale(self, operation):
        self.seen[operation].add("refused stale")

    def not_served(self, operation):
        self.seen[operation].add("not served")

    def verdict(self, operation):
        """The operation's cell of the table."""
        seen = self.seen[operation]
        if "not served" in seen:
            return NOT_SERVED
        if "succeeded" not in seen:
            return MISSING
        if self.needed[operation] and not {"IfNotModified", "refused stale"} <= seen:
            return NO_ETAG
        return COVERED

    def as_dict(self):
        return {operation: self.verdict(operation) for operation in self.needed}


class Records:
    """The records of all clients of a test run."""

    def __init__(self):
        self.by_client = {}

    def of(self, sdk, mode, client):
        """The record of the clients of this SDK and mode."""
        name = f"{sdk} {metadata.version(PACKAGES[sdk])} {mode}"
        if name not in self.by_client:
            self.by_client[name] = Record(client)
        return self.by_client[name]

    def write(self, folder):
        """Leaves a file for each client in a folder."""
        for name, record in self.by_client.items():
            (folder / f"{name}.json").write_text(json.dumps(record.as_dict(), indent=1))


def row(operation):
    """An operation's name in the table, where Python's and Node's spellings meet."""
    snake = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", operation).lower()
    return snake.replace(".begin_", ".")


def table(columns):
    """The lines of the table; `columns` are cells by row by client."""
    operations = sorted({row for cells in columns.values() for row in cells})
    names, modes = zip(*(client.rsplit(" ", 1) for client in columns))
    rows = [["operation", *names], ["", *modes]]
    rows += [[row, *(cells.get(row, ABSENT) for cells in columns.values())] for row in operations]
    widths = [max(map(len, column)) for column in zip(*rows)]
    for row in rows:
        yield " | ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip()


def main(folder):
    """Prints the table of the records in a folder; the exit code."""
    columns = dict.fromkeys(CLIENTS, {})
    for path in Path(folder).glob("*.json"):
        columns[path.stem] = {row(name): verdict for name, verdict in json.loads(path.read_text()).items()}
    print(*table(columns), sep="\n")
    cells = [verdict for cells in columns.values() for verdict in cells.values()]
    print(f"{len(cells)} operations of {len(columns)} clients: {cells.count(COVERED)} covered,", end=" ")
    print(f"{cells.count(NOT_SERVED)} not served and refused as such (404)")
    silent = [client for client, cells in columns.items() if not cells]
    for client in silent:
        print(f"nothing is known of {client}")
    return 1 if silent or set(cells) - {COVERED, NOT_SERVED} else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
