"""The process: signals, sudden death, and who may share its store."""

import json
import subprocess

from estate import FLEET, FROM_VERSION, TO_VERSION, Estate, group, members, stage, state, states
from service import Service


def started_run(estate):
    """Twelve members, four at a time, started."""
    estate.fleet()
    estate.bulk("m-", 12, groups=["all"])
    strategy = estate.strategy("four", stage("only", group("all", "4"), concurrency="4"))
    estate.create_run("it", strategy)
    return estate.runs.begin_start(estate.group, FLEET, "it").result()


def operations(run):
    """The operation of each member that has one."""
    return {name: member.operation_id for name, member in members(run).items() if member.operation_id}


def test_a_run_survives_a_kill_and_no_member_is_upgraded_twice(own_service):
    estate = Estate(own_service)
    started_run(estate)
    # The control planes of the first four are done, their pools are not.
    own_service.advance("PT6M")
    before = estate.run("it")
    now = own_service.simulator("GET", "/clock")["now"]
    assert sorted(states(before).values()) == ["NotStarted"] * 8 + ["Running"] * 4

    own_service.kill()
    own_service.start()
    estate.connect()

    assert own_service.simulator("GET", "/clock")["now"] == now
    assert states(estate.run("it")) == states(before)
    own_service.advance("PT2M")
    half = estate.run("it")
    assert sorted(states(half).values()) == ["Completed"] * 4 + ["NotStarted"] * 4 + ["Running"] * 4

    own_service.kill()
    own_service.start()
    estate.connect()

    # Two more rounds of eight minutes and not a minute more: whoever was upgraded twice would be late.
    own_service.advance("PT16M")
    done = estate.run("it")
    assert state(done) == "Completed"
    assert set(states(done).values()) == {"Completed"}
    assert {estate.version(name) for name in members(done)} == {TO_VERSION}
    assert operations(before).items() <= operations(half).items() <= operations(done).items()
    assert len(set(operations(done).values())) == 12
    own_service.stop()


def test_a_run_goes_on_after_an_orderly_restart(own_service):
    estate = Estate(own_service)
    started_run(estate)
    own_service.stop()
    own_service.start()
    estate.connect()
    assert estate.version("m-0") == FROM_VERSION
    own_service.advance("PT24M")
    assert state(estate.run("it")) == "Completed"
    own_service.stop()


def test_a_second_process_on_the_store_of_a_manual_clock_refuses_to_start(own_service, tmp_path):
    second = Service(own_service.database_url, tmp_path / "second.log").launch()
    try:
        assert second.process.wait(timeout=20) != 0
    except subprocess.TimeoutExpired:
        second.kill()
        raise
    assert second.output().strip(), "it must say why"
    assert own_service.call("GET", "/readyz").status_code == 200


def test_the_process_tells_its_health_and_its_metrics(own_service):
    assert own_service.call("GET", "/livez").status_code == 200
    assert own_service.call("GET", "/readyz").status_code == 200
    text = own_service.call("GET", "/metrics").text
    assert "fleetplane_http_requests_total" in text and text.endswith("# EOF\n")
    own_service.stop()


def test_the_simulator_can_be_left_out(tmp_path):
    service = Service("sqlite::memory:", tmp_path / "service.log", "--no-simulator-api", "--log-format=json").start()
    assert service.call("GET", "/simulator/clock").status_code == 404
    service.stop()
    for line in service.output().splitlines():
        json.loads(line)
