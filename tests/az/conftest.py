"""One service a backend, with HTTPS and a development identity, and `az` signed in to it."""

import os
import sys
import uuid
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "blackbox"))

import cli
from database import BACKENDS, database
from service import Service

#: The folder of the extension `fleet`, which no package registry has.
EXTENSION = os.environ.get("FLEETPLANE_AZ_FLEET_EXTENSION")
collect_ignore = [] if EXTENSION else ["test_fleet_extension.py"]


def pytest_terminal_summary(terminalreporter):
    """What did not run must be seen."""
    if not EXTENSION:
        terminalreporter.section("NOT RUN: az fleet", sep="!", bold=True)
        terminalreporter.line("FLEETPLANE_AZ_FLEET_EXTENSION names no folder of the az extension 'fleet' (src/fleet of")
        terminalreporter.line("azure-cli-extensions), so test_fleet_extension.py was left out: no az fleet command ran.")


@pytest.fixture(scope="session")
def authority(tmp_path_factory):
    """The folder of the authority that all services share."""
    folder = tmp_path_factory.mktemp("authority")
    home = tmp_path_factory.mktemp("home")
    cli.prepare(home, folder)
    if EXTENSION:
        cli.add_extension(home, "fleet", Path(EXTENSION))
    return folder


@pytest.fixture(scope="session", params=BACKENDS)
def service(request, authority, tmp_path_factory):
    """A service on a manual clock, whose operations take no time but for upgrades."""
    folder = tmp_path_factory.mktemp(request.param)
    with database(request.param, folder) as url:
        service = Service(url, folder / "service.log", "--dev-identity", tls=authority).start()
        service.accounts = cli.sign_in(request.param, service.url)
        yield service
        service.stop()


@pytest.fixture(scope="session")
def az(service):
    """`az`, signed in."""
    return cli.Az()


@pytest.fixture
def group(az):
    """A resource group of the test's own, as az shows it; its name for `-g`."""
    name = f"rg-{uuid.uuid4().hex[:8]}"
    az(f"group create -n {name} -l westeurope")
    return name
