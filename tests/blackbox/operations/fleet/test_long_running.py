"""Long-running operations of the fleet SDK on a clock that stands still: what pollers tell before and after."""

import pytest
from azure.core.exceptions import HttpResponseError, ResourceExistsError, ResourceNotFoundError
from azure.mgmt.containerservicefleet.models import (
    Fleet,
    FleetHubProfile,
    FleetManagedNamespace,
    FleetManagedNamespacePatch,
    FleetMember,
    FleetPatch,
    ManagedServiceIdentity,
)

from estate import FLEET, LOCATION

from ..resuming import resumed

HUB = Fleet(location=LOCATION, hub_profile=FleetHubProfile(dns_prefix="hub"))


@pytest.fixture(scope="module")
def durations():
    return "simulated"


@pytest.fixture
def hub(estate):
    """The estate with a fleet that has a hub."""
    estate.fleets.fleets.begin_create_or_update(estate.group, FLEET, HUB, polling=False)
    estate.service.advance("PT1M")
    return estate


def test_a_fleet_is_made_patched_and_deleted_in_its_time(estate):
    fleets = estate.fleets.fleets
    made = resumed(estate, fleets.begin_create_or_update, estate.group, FLEET, HUB)
    assert (made.name, made.properties.provisioning_state) == (FLEET, "Succeeded")
    patch = FleetPatch(identity=ManagedServiceIdentity(type="SystemAssigned"))
    patched = resumed(estate, fleets.begin_update, estate.group, FLEET, patch)
    assert (patched.id, patched.identity.type) == (made.id, "SystemAssigned")
    assert resumed(estate, fleets.begin_delete, estate.group, FLEET) is None
    with pytest.raises(ResourceNotFoundError):
        fleets.get(estate.group, FLEET)


def test_a_member_joins_and_leaves_in_its_time(hub):
    members = hub.fleets.fleet_members
    hub.bulk("m-", 1, fleet=None)
    body = FleetMember(cluster_resource_id=hub.path("managedClusters/m-0"))
    made = resumed(hub, members.begin_create, hub.group, FLEET, "it", body)
    assert (made.name, made.properties.provisioning_state) == ("it", "Succeeded")
    assert resumed(hub, members.begin_delete, hub.group, FLEET, "it") is None
    assert list(members.list_by_fleet(hub.group, FLEET)) == []


def test_a_namespace_is_made_patched_and_deleted_in_its_time(hub):
    namespaces = hub.fleets.fleet_managed_namespaces
    body = {"location": LOCATION, "properties": {"adoptionPolicy": "Never", "deletePolicy": "Keep"}}
    made = resumed(hub, namespaces.begin_create_or_update, hub.group, FLEET, "it", FleetManagedNamespace(body))
    assert (made.name, made.properties.provisioning_state) == ("it", "Succeeded")
    patch = FleetManagedNamespacePatch(tags={"team": "shop"})
    assert resumed(hub, namespaces.begin_update, hub.group, FLEET, "it", patch).tags == {"team": "shop"}
    assert resumed(hub, namespaces.begin_delete, hub.group, FLEET, "it") is None
    assert list(namespaces.list_by_fleet(hub.group, FLEET)) == []


def test_a_poller_waits_for_the_end(estate):
    begun = estate.fleets.fleets.begin_create_or_update(estate.group, FLEET, HUB)
    assert estate.fleets.fleets.get(estate.group, FLEET).properties.provisioning_state == "Creating"
    estate.service.advance("PT1M")
    begun.wait()
    assert (begun.done(), begun.status()) == (True, "Succeeded")
    assert begun.result().properties.provisioning_state == "Succeeded"


def test_meanwhile_no_other_write_is_taken_but_a_delete_which_wins(estate):
    fleets = estate.fleets.fleets
    begun = fleets.begin_create_or_update(estate.group, FLEET, HUB)
    with pytest.raises(ResourceExistsError) as refused:
        fleets.begin_create_or_update(estate.group, FLEET, HUB)
    assert refused.value.error.code == "OperationNotAllowed"
    assert resumed(estate, fleets.begin_delete, estate.group, FLEET) is None
    with pytest.raises(HttpResponseError):
        begun.result()
    assert begun.status() == "Canceled"
