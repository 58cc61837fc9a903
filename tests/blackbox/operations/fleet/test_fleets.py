"""Fleets: the group `fleets`."""

import pytest
from azure.core.exceptions import HttpResponseError, ResourceExistsError, ResourceNotFoundError
from azure.mgmt.containerservicefleet.models import Fleet, FleetHubProfile, FleetPatch, ManagedServiceIdentity

from estate import FLEET, LOCATION

from ..conditions import MISSING, PRESENT, unchanged


def put(estate, name=FLEET, *, condition=MISSING, **members):
    body = Fleet(location=LOCATION, **members)
    return estate.fleets.fleets.begin_create_or_update(estate.group, name, body, **condition).result()


def test_a_fleet_is_made_read_replaced_patched_and_deleted(estate):
    fleets = estate.fleets.fleets
    made = put(estate, tags={"env": "test"})
    assert (made.name, made.location, made.tags) == (FLEET, LOCATION, {"env": "test"})
    assert (made.properties.provisioning_state, made.properties.hub_profile) == ("Succeeded", None)
    assert fleets.get(estate.group, FLEET).as_dict() == made.as_dict()

    again = put(estate, condition=PRESENT)
    replaced = put(estate, tags={"env": "prod"}, condition=unchanged(again))
    assert (replaced.id, replaced.tags, replaced.e_tag != made.e_tag) == (made.id, {"env": "prod"}, True)
    patch = FleetPatch(tags={"team": "shop"}, identity=ManagedServiceIdentity(type="SystemAssigned"))
    patched = fleets.begin_update(estate.group, FLEET, patch, **unchanged(replaced)).result()
    assert (patched.tags, patched.identity.type) == ({"team": "shop"}, "SystemAssigned")
    assert patched.identity.principal_id

    assert fleets.begin_delete(estate.group, FLEET, **unchanged(patched)).result() is None
    with pytest.raises(ResourceNotFoundError) as missing:
        fleets.get(estate.group, FLEET)
    assert missing.value.error.code == "ResourceNotFound"


def test_fleets_are_listed_by_group_and_page_by_page_by_subscription(estate):
    fleets = estate.fleets.fleets
    names = ["a", "b", "c"]
    for name in names:
        put(estate, name)
    assert [fleet.name for fleet in fleets.list_by_resource_group(estate.group)] == names
    pages = fleets.list_by_subscription(top=2).by_page()
    assert [fleet.name for fleet in next(pages)] == names[:2]
    rest = fleets.list_by_subscription().by_page(continuation_token=pages.continuation_token)
    assert [[fleet.name for fleet in page] for page in rest] == [names[2:]]


def test_a_hub_has_credentials_and_a_hubless_fleet_has_none(estate):
    fleets = estate.fleets.fleets
    put(estate)
    with pytest.raises(HttpResponseError) as refused:
        fleets.list_credentials(estate.group, FLEET)
    assert (refused.value.status_code, refused.value.error.code) == (400, "HubProfileRequired")
    hub = put(estate, "hub", hub_profile=FleetHubProfile(dns_prefix="hub"))
    (kubeconfig,) = fleets.list_credentials(estate.group, "hub").kubeconfigs
    assert hub.properties.hub_profile.fqdn in bytes(kubeconfig.value).decode()


def test_a_fleet_does_not_move(estate):
    put(estate)
    body = Fleet(location="eastus")
    with pytest.raises(ResourceExistsError) as refused:
        estate.fleets.fleets.begin_create_or_update(estate.group, FLEET, body)
    assert (refused.value.status_code, refused.value.error.code) == (409, "InvalidResourceLocation")
