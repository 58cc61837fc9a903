"""Auto-upgrade profiles through the official SDK: asked for a run, and followed by a release."""

import pytest
from azure.mgmt.containerservicefleet.models import AutoUpgradeProfile, AutoUpgradeProfileProperties

from estate import FLEET, Estate, stage, state, states

PROFILE = "follow"


def put(estate, **properties):
    body = AutoUpgradeProfile(properties=AutoUpgradeProfileProperties(**properties))
    return estate.fleets.auto_upgrade_profiles.begin_create_or_update(estate.group, FLEET, PROFILE, body).result()


def get(estate):
    return estate.fleets.auto_upgrade_profiles.get(estate.group, FLEET, PROFILE)


def generate(estate):
    """The id of the generated run, and the headers of the answer."""
    headers = {}
    poller = estate.fleets.auto_upgrade_profile_operations.begin_generate_update_run(
        estate.group, FLEET, PROFILE, raw_response_hook=lambda answer: headers.update(answer.http_response.headers)
    )
    return poller.result().id, {name.lower(): value for name, value in headers.items()}


def publish(estate, version):
    estate.service.simulator("POST", "/releases", {"kind": "KubernetesVersion", "version": version})


def with_members(estate):
    """The estate with a fleet of two members at the newest patch of Stable's minor, one in each ring."""
    estate.fleet()
    estate.bulk("c", 2, kubernetesVersion="1.36.4", groups=["canary", "prod"])
    return estate


def rings(estate):
    return estate.strategy("rings", stage("canary", "canary"), stage("prod", "prod"))


@pytest.fixture
def followed(estate):
    return with_members(estate)


def test_a_run_is_generated_once_and_waits_for_its_start(followed):
    put(followed, channel="Stable", disabled=True)
    run, headers = generate(followed)
    assert "x-ms-fleetplane-existing" not in headers
    again, headers = generate(followed)
    assert (again, headers.get("x-ms-fleetplane-existing")) == (run, "true")
    made = followed.run(run.rsplit("/", 1)[1])
    assert state(made) == "NotStarted"
    assert made.properties.auto_upgrade_profile_id == get(followed).id


def test_a_release_is_rolled_out_by_itself_once_whatever_happens(own_service):
    """Published twice, with the process killed in between."""
    estate = with_members(Estate(own_service))
    put(estate, channel="Stable", update_strategy_id=rings(estate).id)
    publish(estate, "1.36.5")
    own_service.kill()
    own_service.start()
    estate.connect()
    publish(estate, "1.36.5")
    own_service.advance("P1D")

    [run] = estate.runs.list_by_fleet(estate.group, FLEET)
    assert run.properties.managed_cluster_update.upgrade.kubernetes_version == "1.36.5"
    assert run.properties.auto_upgrade_profile_id == get(estate).id
    assert state(run) == "Completed"
    assert states(run) == {"c0": "Completed", "c1": "Completed"}
    assert estate.aks.managed_clusters.get(estate.group, "c1").current_kubernetes_version == "1.36.5"
    status = get(estate).properties.auto_upgrade_profile_status
    assert (status.last_trigger_status, status.last_trigger_upgrade_versions) == ("Succeeded", ["1.36.5"])
    assert run.name in status.last_trigger_message
