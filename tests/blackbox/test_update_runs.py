"""A staged run through the official SDK: its order, its waits, stop, skip, failure and another try."""

import pytest
from azure.core.exceptions import ResourceExistsError
from azure.mgmt.containerservicefleet.models import SkipProperties, SkipTarget

from estate import FROM_VERSION, TO_VERSION, UPGRADE, group, members, stage, state, states


@pytest.fixture
def staged(estate):
    """One canary, two in production; an hour between the stages; the run `rollout` is not started."""
    estate.fleet()
    estate.member("canary-0", "canary")
    estate.member("prod-0", "prod")
    estate.member("prod-1", "prod")
    strategy = estate.strategy(
        "canary-prod", stage("canary", "canary", wait=3600), stage("prod", group("prod", "1"))
    )
    estate.create_run("rollout", strategy)
    return estate


def act(estate, action, *body, **options):
    return estate.act("rollout", action, *body, **options)


def skip(estate, kind, name):
    return act(estate, "skip", SkipProperties(targets=[SkipTarget(type=kind, name=name)]))


def test_a_created_run_waits_for_its_start(staged):
    run = staged.run("rollout")
    assert state(run) == "NotStarted"
    assert [entry.name for entry in run.properties.status.stages] == ["canary", "prod"]
    staged.service.advance("PT1H")
    assert states(staged.run("rollout")) == dict.fromkeys(["canary-0", "prod-0", "prod-1"], "NotStarted")


def test_stages_run_in_order_and_clusters_really_move(staged):
    run = act(staged, "start")
    assert state(run) == "Running"
    assert states(run) == {"canary-0": "Running", "prod-0": "NotStarted", "prod-1": "NotStarted"}

    staged.service.advance(UPGRADE)
    canary, prod = staged.run("rollout").properties.status.stages
    assert states(staged.run("rollout"))["canary-0"] == "Completed"
    assert (state(canary), state(canary.after_stage_wait_status), state(prod)) == ("Running", "Running", "NotStarted")
    assert (staged.version("canary-0"), staged.version("prod-0")) == (TO_VERSION, FROM_VERSION)

    staged.service.advance("PT59M")
    assert state(staged.run("rollout").properties.status.stages[1]) == "NotStarted"
    staged.service.advance("PT1M")
    assert states(staged.run("rollout")) == {"canary-0": "Completed", "prod-0": "Running", "prod-1": "NotStarted"}

    staged.service.advance(UPGRADE)
    assert states(staged.run("rollout")) == {"canary-0": "Completed", "prod-0": "Completed", "prod-1": "Running"}
    staged.service.advance(UPGRADE)
    run = staged.run("rollout")
    assert state(run) == "Completed"
    assert {state(entry) for entry in run.properties.status.stages} == {"Completed"}
    assert {staged.version(name) for name in members(run)} == {TO_VERSION}
    elapsed = run.properties.status.status.completed_time - run.properties.status.status.start_time
    assert elapsed.total_seconds() == (3 * 8 + 60) * 60


def test_a_stopped_run_finishes_what_runs_and_goes_on_when_started(staged):
    act(staged, "start")
    # Until the cluster's upgrade has really begun, a stop takes the decision to begin it back.
    staged.service.advance("PT1S")
    run = act(staged, "stop")
    assert (state(run), states(run)["canary-0"]) == ("Stopping", "Stopping")
    staged.service.advance(UPGRADE)
    run = staged.run("rollout")
    assert state(run) == "Stopped"
    assert states(run) == {"canary-0": "Completed", "prod-0": "NotStarted", "prod-1": "NotStarted"}
    staged.service.advance("P1D")
    assert staged.version("prod-0") == FROM_VERSION

    act(staged, "start")
    staged.service.advance("PT2H")
    assert state(staged.run("rollout")) == "Completed"
    assert staged.version("prod-1") == TO_VERSION


def test_a_skipped_member_keeps_its_version(staged):
    run = skip(staged, "Member", "prod-0")
    assert states(run)["prod-0"] == "Skipped"
    act(staged, "start")
    staged.service.advance("PT2H")
    run = staged.run("rollout")
    assert state(run) == "Completed"
    assert states(run) == {"canary-0": "Completed", "prod-0": "Skipped", "prod-1": "Completed"}
    assert (staged.version("prod-0"), staged.version("prod-1")) == (FROM_VERSION, TO_VERSION)


def test_skipping_the_wait_starts_the_next_stage_at_once(staged):
    act(staged, "start")
    staged.service.advance(UPGRADE)
    skip(staged, "AfterStageWait", "canary")
    staged.service.advance("PT1S")
    assert states(staged.run("rollout"))["prod-0"] == "Running"


def test_a_failed_upgrade_fails_the_run_and_another_start_tries_again(staged):
    cluster = staged.path("managedClusters/canary-0")
    failure = {"at": "AgentPool:system", "times": 1, "code": "PodDrainFailure", "message": "a pod would not go"}
    staged.service.simulator("PUT", f"/behaviors{cluster}", {"failures": [failure]})
    act(staged, "start")
    staged.service.advance(UPGRADE)
    run = staged.run("rollout")
    assert (state(run), run.properties.status.failure_count) == ("Failed", 1)
    first = members(run)["canary-0"]
    assert (state(first), first.status.error.code) == ("Failed", "PodDrainFailure")
    assert state(members(run)["prod-0"]) == "NotStarted"

    act(staged, "start")
    staged.service.advance("PT2H")
    run = staged.run("rollout")
    assert (state(run), run.properties.status.failure_count or 0) == ("Completed", 0)
    assert members(run)["canary-0"].operation_id != first.operation_id


def test_an_action_the_state_forbids_is_a_conflict(staged):
    with pytest.raises(ResourceExistsError) as refused:
        act(staged, "stop")
    assert refused.value.status_code == 409
    assert refused.value.error.code == "OperationNotAllowed"
    assert "NotStarted" in refused.value.error.message


def test_system_data_names_the_principal_of_the_token(staged):
    data = staged.run("rollout").system_data
    assert (data.created_by, data.created_by_type) == ("casey@example.com", "User")
