"""Gates through the official SDK: a strategy of approvals and a scheduled start, from the first cluster to the last."""

import json
from pathlib import Path

import pytest
from azure.core.exceptions import ResourceExistsError
from azure.mgmt.containerservicefleet.models import FleetUpdateStrategy, GatePatch, GatePatchProperties

from clients import PRINCIPAL
from estate import FLEET, state

STRATEGY = Path(__file__).parent.parent / "it" / "scenarios" / "strategies" / "strategy-gates.json"


@pytest.fixture
def gated(estate):
    """Six clusters and the run `rollout` by the strategy of the file, started."""
    estate.fleet()
    estate.bulk("c", 6, groups=["test", "prod-eu", "prod-us"])
    body = FleetUpdateStrategy(json.loads(STRATEGY.read_text()))
    strategy = estate.fleets.fleet_update_strategies.begin_create_or_update(
        estate.group, FLEET, "gates", body
    ).result()
    estate.create_run("rollout", strategy)
    estate.act("rollout", "start")
    return estate


def pending(estate):
    return list(estate.fleets.gates.list_by_fleet(estate.group, FLEET, filter="state eq Pending"))


def complete(estate, gate, **options):
    body = GatePatch(properties=GatePatchProperties(state="Completed"))
    return estate.fleets.gates.begin_update(estate.group, FLEET, gate.name, body, **options).result()


def test_a_run_with_gates_goes_to_its_end_by_approvals(gated):
    seen = []
    for _ in range(30):
        gated.service.advance("P1D")
        for gate in pending(gated):
            if gate.properties.gate_type == "Approval":
                seen.append(gate.properties.display_name)
                approved = complete(gated, gate)
                assert approved.properties.state == "Completed"
                assert approved.system_data.created_by == PRINCIPAL
    assert seen == ["smoke tests passed", "change board", "sign-off"]
    run = gated.run("rollout")
    assert state(run) == "Completed"
    assert all(gated.version(f"c{n}") == "1.36" for n in range(6))


def test_a_scheduled_start_can_be_taken_early_and_a_skipped_gate_not_at_all(gated):
    for _ in range(2):
        gated.service.advance("P1D")
        for gate in pending(gated):
            if gate.properties.gate_type == "Approval":
                complete(gated, gate)
    (scheduled,) = pending(gated)
    assert scheduled.properties.gate_type == "ScheduledStart"
    assert scheduled.properties.scheduled_start_properties.absolute_start_time.isoweekday() == 7
    complete(gated, scheduled)
    assert state(gated.run("rollout")) == "Running"
    gated.service.advance("P1D")
    (sign_off,) = pending(gated)
    gated.act("rollout", "skip", {"targets": [{"type": "Stage", "name": "prod"}]})
    assert gated.fleets.gates.get(gated.group, FLEET, sign_off.name).properties.state == "Skipped"
    with pytest.raises(ResourceExistsError):
        complete(gated, sign_off)
