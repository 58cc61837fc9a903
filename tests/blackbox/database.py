"""The databases a service is tried on: a SQLite file, and a Postgres database of its own that is dropped at the end."""

import os
import uuid
from contextlib import contextmanager
from urllib.parse import urlsplit

import pg8000.native
import pytest

BACKENDS = ["sqlite", "postgres"]


@contextmanager
def database(backend, folder):
    """The URL of a new, empty database."""
    if backend == "sqlite":
        yield f"sqlite://{folder / 'fleetplane.db'}"
        return
    server = os.environ.get("TEST_DATABASE_URL")
    if not server:
        pytest.fail("TEST_DATABASE_URL must name a Postgres server; tests/all.sh starts one")
    name = f"blackbox_{uuid.uuid4().hex}"
    _on_server(server, f"CREATE DATABASE {name}")
    try:
        yield urlsplit(server)._replace(path=f"/{name}").geturl()
    finally:
        _on_server(server, f"DROP DATABASE {name} WITH (FORCE)")


def _on_server(url, statement):
    parts = urlsplit(url)
    connection = pg8000.native.Connection(
        user=parts.username or "postgres",
        password=parts.password,
        host=parts.hostname,
        port=parts.port or 5432,
        database=parts.path.lstrip("/") or "postgres",
    )
    try:
        connection.run(statement)
    finally:
        connection.close()
