"""Long-running operations on a clock that runs: az polls until they end. Every call is the program, as users have it."""

import pytest

import cli
from database import database
from service import Service


@pytest.fixture
def running_clock(authority, tmp_path, monkeypatch):
    """A service on which a minute takes a tenth of a second, to which `az`, with a home of its own, is signed in."""
    monkeypatch.setenv("AZURE_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.setenv("IDENTITY_ENDPOINT", "")
    with database("sqlite", tmp_path) as url:
        settings = {"clock": "scaled:600", "durations": "simulated", "tls": authority}
        service = Service(url, tmp_path / "service.log", "--dev-identity", **settings).start()
        cli.sign_in("running", service.url)
        yield
        service.stop()


def az(line):
    return cli.program(*line.split())


@pytest.mark.usefixtures("running_clock")
def test_az_waits_for_what_takes_time():
    az("group create -n rg -l westeurope")
    made = az("aks create -g rg -n web --kubernetes-version 1.35 --node-count 1 --no-ssh-key")
    assert made["provisioningState"] == "Succeeded"
    upgraded = az("aks upgrade -g rg -n web --kubernetes-version 1.36 --yes")
    assert upgraded["currentKubernetesVersion"].startswith("1.36")
    az("aks delete -g rg -n web --yes --no-wait")
    az("aks wait -g rg -n web --deleted --interval 1 --timeout 60")
    az("group delete -n rg --yes")
    assert az("group exists -n rg") is False
