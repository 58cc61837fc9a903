"""Managed namespaces: the group `fleet_managed_namespaces`."""

import pytest
from azure.core.exceptions import HttpResponseError, ResourceNotFoundError
from azure.mgmt.containerservicefleet.models import (
    Fleet,
    FleetHubProfile,
    FleetManagedNamespace,
    FleetManagedNamespacePatch,
    FleetManagedNamespaceProperties,
    ManagedNamespaceProperties,
    ResourceQuota,
)

from estate import FLEET, LOCATION

from ..conditions import MISSING, unchanged


@pytest.fixture
def namespaces(estate):
    """The operations of namespaces; the fleet has a hub."""
    body = Fleet(location=LOCATION, hub_profile=FleetHubProfile(dns_prefix="hub"))
    estate.fleets.fleets.begin_create_or_update(estate.group, FLEET, body).result()
    return estate.fleets.fleet_managed_namespaces


def put(estate, name="it", *, condition=MISSING, quota=None):
    inner = ManagedNamespaceProperties(labels={"env": "prod"}, default_resource_quota=quota)
    properties = FleetManagedNamespaceProperties(
        adoption_policy="Never", delete_policy="Keep", managed_namespace_properties=inner
    )
    body = FleetManagedNamespace(location=LOCATION, properties=properties)
    namespaces = estate.fleets.fleet_managed_namespaces
    return namespaces.begin_create_or_update(estate.group, FLEET, name, body, **condition).result()


def test_a_namespace_is_made_read_replaced_patched_and_deleted(estate, namespaces):
    made = put(estate)
    assert (made.name, made.location, made.properties.delete_policy) == ("it", LOCATION, "Keep")
    assert made.properties.provisioning_state == "Succeeded"
    labels = made.properties.managed_namespace_properties.labels
    assert labels == {"env": "prod", "fleet.azure.com/managed-by": "arm"}
    assert namespaces.get(estate.group, FLEET, "it").as_dict() == made.as_dict()

    replaced = put(estate, quota=ResourceQuota(cpu_request="500m", cpu_limit="1"), condition=unchanged(made))
    assert replaced.properties.managed_namespace_properties.default_resource_quota.cpu_limit == "1"

    patch = FleetManagedNamespacePatch(tags={"team": "shop"})
    patched = namespaces.begin_update(estate.group, FLEET, "it", patch, **unchanged(replaced)).result()
    assert (patched.tags, patched.properties.adoption_policy) == ({"team": "shop"}, "Never")

    assert namespaces.begin_delete(estate.group, FLEET, "it", **unchanged(patched)).result() is None
    with pytest.raises(ResourceNotFoundError):
        namespaces.get(estate.group, FLEET, "it")


def test_namespaces_are_listed_page_by_page(estate, namespaces):
    for name in ["a", "b", "c"]:
        put(estate, name)
    pages = namespaces.list_by_fleet(estate.group, FLEET, params={"$top": 2}).by_page()
    assert [namespace.name for namespace in next(pages)] == ["a", "b"]
    rest = namespaces.list_by_fleet(estate.group, FLEET).by_page(continuation_token=pages.continuation_token)
    assert [[namespace.name for namespace in page] for page in rest] == [["c"]]


def test_a_request_above_its_limit_is_refused(estate, namespaces):
    with pytest.raises(HttpResponseError) as refused:
        put(estate, quota=ResourceQuota(cpu_request="2", cpu_limit="1"))
    assert (refused.value.status_code, refused.value.error.code) == (400, "InvalidParameter")
