"""Update runs: the group `update_runs`."""

import pytest
from azure.core.exceptions import HttpResponseError, ResourceExistsError, ResourceNotFoundError
from azure.mgmt.containerservicefleet.models import SkipProperties, SkipTarget

from estate import FLEET, TO_VERSION, UPGRADE, stage, state, states

from ..conditions import MISSING, unchanged


@pytest.fixture
def runs(estate):
    """The operations of runs; the fleet has two members, one in each group."""
    estate.fleet()
    estate.bulk("m-", 2, groups=["canary", "prod"])
    return estate.fleets.update_runs


def staged(estate):
    """The strategy of one group after the other."""
    return estate.strategy("rings", stage("canary", "canary"), stage("prod", "prod"))


def test_a_run_is_made_read_replaced_and_deleted(estate, runs):
    made = estate.create_run("it", **MISSING)
    assert (made.name, made.properties.provisioning_state, state(made)) == ("it", "Succeeded", "NotStarted")
    assert made.properties.managed_cluster_update.upgrade.kubernetes_version == TO_VERSION
    assert runs.get(estate.group, FLEET, "it").as_dict() == made.as_dict()

    strategy = staged(estate)
    replaced = estate.create_run("it", strategy, **unchanged(made))
    assert replaced.properties.update_strategy_id == strategy.id
    assert [entry.name for entry in replaced.properties.status.stages] == ["canary", "prod"]

    assert runs.begin_delete(estate.group, FLEET, "it", **unchanged(replaced)).result() is None
    with pytest.raises(ResourceNotFoundError):
        runs.get(estate.group, FLEET, "it")


def test_a_run_is_started_stopped_and_skipped_by_its_etag(estate, runs):
    run = estate.create_run("it", staged(estate))
    run = estate.act("it", "start", **unchanged(run))
    assert (state(run), states(run)) == ("Running", {"m-0": "Running", "m-1": "NotStarted"})
    # Until the cluster's upgrade has really begun, a stop takes the decision to begin it back.
    estate.service.advance("PT1S")
    run = estate.act("it", "stop", **unchanged(estate.run("it")))
    assert state(run) == "Stopping"
    estate.service.advance(UPGRADE)
    run = estate.run("it")
    assert (state(run), estate.version("m-0")) == ("Stopped", TO_VERSION)

    targets = SkipProperties(targets=[SkipTarget(type="Member", name="m-1")])
    run = estate.act("it", "skip", targets, **unchanged(run))
    assert states(run) == {"m-0": "Completed", "m-1": "Skipped"}
    estate.act("it", "start")
    assert state(estate.run("it")) == "Completed"


def test_runs_are_listed_page_by_page(estate, runs):
    for name in ["a", "b", "c"]:
        estate.create_run(name)
    pages = runs.list_by_fleet(estate.group, FLEET, top=2).by_page()
    assert [run.name for run in next(pages)] == ["a", "b"]
    rest = runs.list_by_fleet(estate.group, FLEET).by_page(continuation_token=pages.continuation_token)
    assert [[run.name for run in page] for page in rest] == [["c"]]


def test_what_the_state_or_the_fleet_forbids_is_refused(estate, runs):
    estate.create_run("it")
    with pytest.raises(ResourceExistsError) as refused:
        estate.act("it", "stop")
    assert (refused.value.status_code, refused.value.error.code) == (409, "OperationNotAllowed")
    nobody = SkipProperties(targets=[SkipTarget(type="Member", name="nobody")])
    with pytest.raises(HttpResponseError) as refused:
        estate.act("it", "skip", nobody)
    assert refused.value.status_code == 400
