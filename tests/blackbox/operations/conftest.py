"""Each scenario with the plain and with the asynchronous client; at the end, the record of what they did."""

from pathlib import Path

import pytest

from . import coverage
from .driver import Driver

RECORDS = pytest.StashKey[coverage.Records]()


def pytest_configure(config):
    config.stash[RECORDS] = coverage.Records()


@pytest.fixture(params=["sync", "async"])
def driver(request, pytestconfig):
    driver = Driver(request.param, pytestconfig.stash[RECORDS])
    yield driver
    driver.close()


def pytest_sessionfinish(session):
    if coverage.FOLDER:
        session.config.stash[RECORDS].write(Path(coverage.FOLDER))
