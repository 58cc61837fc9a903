"""One service a module and backend, one resource group a test."""

import os

import pytest

from database import BACKENDS, database
from estate import Estate
from service import Service

# A proxy of the machine has no business between the tests and loopback.
os.environ["NO_PROXY"] = "127.0.0.1"


@pytest.fixture(scope="module", params=BACKENDS)
def backend(request):
    return request.param


@pytest.fixture(scope="module")
def durations():
    """How long the module's service takes for operations other than upgrades: `zero` or `simulated`."""
    return "zero"


@pytest.fixture(scope="module")
def service(backend, durations, tmp_path_factory):
    """A service shared by a module's tests; at the end it must leave on SIGTERM with exit code 0."""
    folder = tmp_path_factory.mktemp(backend)
    with database(backend, folder) as url:
        service = Service(url, folder / "service.log", durations=durations).start()
        yield service
        service.stop()


@pytest.fixture
def own_service(backend, tmp_path):
    """A service that one test may kill and start again."""
    with database(backend, tmp_path) as url:
        service = Service(url, tmp_path / "service.log").start()
        yield service
        if service.running():
            service.kill()


@pytest.fixture
def estate(service):
    return Estate(service)
