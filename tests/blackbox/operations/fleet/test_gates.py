"""Gates: the group `gates`."""

import pytest
from azure.core.exceptions import HttpResponseError, ResourceExistsError
from azure.mgmt.containerservicefleet.models import GateConfiguration, GatePatch, GatePatchProperties

from clients import PRINCIPAL
from estate import FLEET, stage, state

from ..conditions import unchanged


@pytest.fixture
def gates(estate):
    """The operations of gates; a started run waits at two of them, before a stage of one member each."""
    estate.fleet()
    estate.bulk("m-", 1, groups=["all"])
    only = stage("only", "all")
    only.before_gates = [GateConfiguration(type="Approval", display_name=name) for name in ["board", "owner"]]
    estate.create_run("it", estate.strategy("gated", only))
    estate.act("it", "start")
    estate.service.advance("PT1S")
    return estate.fleets.gates


def completing():
    return GatePatch(properties=GatePatchProperties(state="Completed"))


def listed(estate, gates, **options):
    """The gates by the name that people see."""
    return {gate.properties.display_name: gate for gate in gates.list_by_fleet(estate.group, FLEET, **options)}


def test_a_run_goes_on_when_its_gates_are_completed(estate, gates):
    waiting = listed(estate, gates, filter="state eq Pending and gateType eq Approval")
    assert sorted(waiting) == ["board", "owner"]
    for gate in waiting.values():
        read = gates.get(estate.group, FLEET, gate.name)
        assert (read.as_dict(), read.properties.target.id) == (gate.as_dict(), estate.run("it").id)
        done = gates.begin_update(estate.group, FLEET, gate.name, completing(), **unchanged(gate)).result()
        assert (done.properties.state, done.system_data.created_by) == ("Completed", PRINCIPAL)
        again = gates.begin_update(estate.group, FLEET, gate.name, completing()).result()
        assert again.e_tag == done.e_tag
    assert listed(estate, gates, filter="state eq Pending") == {}
    estate.service.advance("PT1H")
    assert state(estate.run("it")) == "Completed"


def test_gates_are_listed_page_by_page(estate, gates):
    pages = gates.list_by_fleet(estate.group, FLEET, top=1).by_page()
    (first,) = next(pages)
    rest = gates.list_by_fleet(estate.group, FLEET).by_page(continuation_token=pages.continuation_token)
    ((second,),) = rest
    assert first.name < second.name


def test_a_gate_is_not_opened_again_nor_completed_once_skipped(estate, gates):
    board, owner = (listed(estate, gates)[name] for name in ["board", "owner"])
    with pytest.raises(HttpResponseError) as refused:
        body = GatePatch(properties=GatePatchProperties(state="Pending"))
        gates.begin_update(estate.group, FLEET, board.name, body).result()
    assert refused.value.status_code == 400
    estate.act("it", "skip", {"targets": [{"type": "Stage", "name": "only"}]})
    assert gates.get(estate.group, FLEET, owner.name).properties.state == "Skipped"
    with pytest.raises(ResourceExistsError) as refused:
        gates.begin_update(estate.group, FLEET, owner.name, completing()).result()
    assert refused.value.error.code == "OperationNotAllowed"
