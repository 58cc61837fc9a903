"""One service for all operations. SQLite is enough: the Rust tests hold each answer on both stores against the document."""

import pytest

from recorded import Estate
from service import Service


@pytest.fixture(scope="module")
def estate(tmp_path_factory):
    """A service with resources of every type; at the end it must leave on SIGTERM with exit code 0."""
    log = tmp_path_factory.mktemp("service") / "service.log"
    service = Service("sqlite::memory:", log, "--dev-identity").start()
    yield Estate(service)
    service.stop()
