"""Two processes on one Postgres: what a killed one was at, the other takes over."""

import re
import time

import pytest

from database import database
from estate import FLEET, TO_VERSION, Estate, group, members, stage, state, states
from service import Service

#: The longest that a killed process's run may stand, in seconds (its lease lasts ten).
TAKEOVER = 15
#: The wait after the only stage, in seconds; the holder dies within it.
WAIT = 12


@pytest.fixture
def replicas(tmp_path):
    with database("postgres", tmp_path) as url:
        services = [Service(url, tmp_path / f"{name}.log", clock="real").start() for name in ("first", "second")]
        yield services
        for service in services:
            if service.running():
                service.kill()


def leases(service):
    """How many runs the process holds, by its own account."""
    found = re.search(r"^fleetplane_scheduler_leases (\d+)", service.call("GET", "/metrics").text, re.MULTILINE)
    return int(found.group(1))


def until(condition, seconds):
    """Looks 100 ms apart; whether it came true in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.1)
    return False


def test_a_killed_process_s_run_is_taken_over(replicas):
    estate = Estate(replicas[0])
    estate.fleet()
    estate.bulk("m-", 3, groups=["all"])
    for name in ("m-0", "m-1", "m-2"):
        path = estate.path(f"managedClusters/{name}")
        behavior = {"controlPlaneMinutes": 0, "poolBatchMinutes": 0}
        replicas[0].simulator("PUT", f"/behaviors{path}", behavior)
    estate.create_run("it", estate.strategy("waits", stage("only", group("all", "3"), wait=WAIT, concurrency="3")))
    estate.runs.begin_start(estate.group, FLEET, "it").result()

    assert until(lambda: any(leases(service) for service in replicas), WAIT), "nobody holds the run"
    holder, other = sorted(replicas, key=leases, reverse=True)
    holder.kill()

    survivor = Estate(other)
    survivor.subscription, survivor.group = estate.subscription, estate.group
    survivor.connect()
    assert state(survivor.run("it")) == "Running"
    assert until(lambda: state(survivor.run("it")) == "Completed", WAIT + TAKEOVER)
    run = survivor.run("it")
    assert states(run) == dict.fromkeys(members(run), "Completed")
    assert {survivor.version(name) for name in members(run)} == {TO_VERSION}
    other.stop()


def test_a_simulated_clock_is_refused_while_two_processes_share_the_database(replicas):
    answer = replicas[0].call("PUT", "/simulator/clock", json={"mode": "manual"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "OperationNotAllowed")
    replicas[1].stop()
    replicas[0].simulator("PUT", "/clock", {"mode": "manual"})
    replicas[1].launch()
    assert replicas[1].process.wait(timeout=20) != 0
    assert "one process at a time" in replicas[1].output()
