"""Members: the group `fleet_members`."""

import pytest
from azure.core.exceptions import HttpResponseError, ResourceExistsError, ResourceNotFoundError
from azure.mgmt.containerservicefleet.models import (
    FleetMember,
    FleetMemberProperties,
    FleetMemberUpdate,
    FleetMemberUpdateProperties,
)

from estate import FLEET

from ..conditions import MISSING, unchanged


@pytest.fixture
def members(estate):
    """The operations of members; there is a fleet."""
    estate.fleet()
    return estate.fleets.fleet_members


def put(estate, name, cluster_id, *, condition=MISSING, **properties):
    body = FleetMember(properties=FleetMemberProperties(cluster_resource_id=cluster_id, **properties))
    return estate.fleets.fleet_members.begin_create(estate.group, FLEET, name, body, **condition).result()


def test_a_member_joins_is_read_replaced_patched_and_leaves(estate, members):
    cluster = estate.cluster("it")
    made = put(estate, "it", cluster.id, group="canary", labels={"tier": "web"})
    assert (made.name, made.properties.cluster_resource_id, made.properties.group) == ("it", cluster.id, "canary")
    assert (made.properties.provisioning_state, made.properties.labels["tier"]) == ("Succeeded", "web")
    assert members.get(estate.group, FLEET, "it").as_dict() == made.as_dict()

    replaced = put(estate, "it", cluster.id, group="prod", condition=unchanged(made))
    assert (replaced.properties.group, "tier" in replaced.properties.labels) == ("prod", False)

    patch = FleetMemberUpdate(properties=FleetMemberUpdateProperties(labels={"tier": "db"}))
    patched = members.begin_update(estate.group, FLEET, "it", patch, **unchanged(replaced)).result()
    assert (patched.properties.group, patched.properties.labels["tier"]) == ("prod", "db")

    assert members.begin_delete(estate.group, FLEET, "it", **unchanged(patched)).result() is None
    with pytest.raises(ResourceNotFoundError):
        members.get(estate.group, FLEET, "it")
    assert estate.aks.managed_clusters.get(estate.group, "it").id == cluster.id


def test_members_are_listed_page_by_page_and_by_group(estate, members):
    estate.bulk("m-", 5, groups=["even", "odd"])
    pages = members.list_by_fleet(estate.group, FLEET, top=2).by_page()
    first = [member.name for member in next(pages)]
    rest = members.list_by_fleet(estate.group, FLEET, top=2).by_page(continuation_token=pages.continuation_token)
    assert [first, *([member.name for member in page] for page in rest)] == [["m-0", "m-1"], ["m-2", "m-3"], ["m-4"]]
    odd = members.list_by_fleet(estate.group, FLEET, filter="group eq odd")
    assert [member.name for member in odd] == ["m-1", "m-3"]


def test_a_cluster_has_to_be_there_and_joins_once(estate, members):
    with pytest.raises(HttpResponseError) as refused:
        put(estate, "it", estate.path("managedClusters/none"))
    assert (refused.value.status_code, refused.value.error.code) == (400, "ClusterNotFound")
    first = estate.member("first")
    with pytest.raises(ResourceExistsError) as refused:
        put(estate, "second", first.properties.cluster_resource_id)
    assert (refused.value.status_code, refused.value.error.code) == (409, "ClusterAlreadyJoinedAnotherFleet")
