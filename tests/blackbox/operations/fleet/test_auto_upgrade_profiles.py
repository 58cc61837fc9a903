"""Auto-upgrade profiles: the groups `auto_upgrade_profiles` and `auto_upgrade_profile_operations`."""

import pytest
from azure.core.exceptions import HttpResponseError, ResourceExistsError, ResourceNotFoundError
from azure.mgmt.containerservicefleet.models import (
    AutoUpgradeNodeImageSelection,
    AutoUpgradeProfile,
    AutoUpgradeProfileProperties,
)

from estate import FLEET, state

from ..conditions import MISSING, unchanged


@pytest.fixture
def profiles(estate):
    """The operations of profiles; the fleet has two members that are behind channel Stable."""
    estate.fleet()
    estate.bulk("m-", 2, kubernetesVersion="1.35")
    return estate.fleets.auto_upgrade_profiles


def put(estate, name="it", *, condition=MISSING, **properties):
    body = AutoUpgradeProfile(properties=AutoUpgradeProfileProperties(**properties))
    profiles = estate.fleets.auto_upgrade_profiles
    return profiles.begin_create_or_update(estate.group, FLEET, name, body, **condition).result()


def test_a_profile_is_made_read_replaced_and_deleted(estate, profiles):
    selection = AutoUpgradeNodeImageSelection(type="Consistent")
    made = put(estate, channel="Stable", disabled=True, node_image_selection=selection)
    assert (made.name, made.properties.channel, made.properties.disabled) == ("it", "Stable", True)
    assert made.properties.node_image_selection.type == "Consistent"
    assert made.properties.provisioning_state == "Succeeded"
    assert profiles.get(estate.group, FLEET, "it").as_dict() == made.as_dict()
    replaced = put(estate, channel="NodeImage", condition=unchanged(made))
    assert (replaced.properties.channel, bool(replaced.properties.disabled)) == ("NodeImage", False)
    assert profiles.begin_delete(estate.group, FLEET, "it", **unchanged(replaced)).result() is None
    with pytest.raises(ResourceNotFoundError):
        profiles.get(estate.group, FLEET, "it")


def test_profiles_are_listed_page_by_page(estate, profiles):
    for name in ["a", "b"]:
        put(estate, name, channel="Stable")
    pages = profiles.list_by_fleet(estate.group, FLEET, top=1).by_page()
    assert [profile.name for profile in next(pages)] == ["a"]
    rest = profiles.list_by_fleet(estate.group, FLEET).by_page(continuation_token=pages.continuation_token)
    assert [[profile.name for profile in page] for page in rest] == [["b"]]


def test_a_run_is_generated_from_a_profile(estate, profiles):
    generate = estate.fleets.auto_upgrade_profile_operations.begin_generate_update_run
    profile = put(estate, channel="Stable", disabled=True)
    made = generate(estate.group, FLEET, "it").result()
    run = estate.run(made.id.rsplit("/", 1)[1])
    assert (run.id, state(run), run.properties.auto_upgrade_profile_id) == (made.id, "NotStarted", profile.id)
    assert run.properties.managed_cluster_update.upgrade.kubernetes_version.startswith("1.36.")


def test_a_channel_takes_what_belongs_to_it_and_a_run_needs_members(estate, profiles):
    with pytest.raises(HttpResponseError) as refused:
        put(estate, channel="TargetKubernetesVersion")
    assert (refused.value.status_code, refused.value.error.target) == (400, "properties.targetKubernetesVersion")
    put(estate, channel="Stable")
    for number in range(2):
        estate.fleets.fleet_members.begin_delete(estate.group, FLEET, f"m-{number}").result()
    with pytest.raises(ResourceExistsError) as refused:
        estate.fleets.auto_upgrade_profile_operations.begin_generate_update_run(estate.group, FLEET, "it")
    assert refused.value.error.code == "NoMembersToUpgrade"
