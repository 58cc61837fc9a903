"""Cluster mesh profiles: the group `cluster_mesh_profiles`."""

import pytest
from azure.core.exceptions import ResourceExistsError, ResourceNotFoundError
from azure.mgmt.containerservicefleet.models import (
    ClusterMeshProfile,
    ClusterMeshProfileProperties,
    MemberSelector,
)

from estate import FLEET

from ..conditions import MISSING, unchanged


@pytest.fixture
def meshes(estate):
    """The operations of meshes; the fleet has two members, only the first of which is labelled `tier=web`."""
    estate.fleet()
    estate.bulk("m-", 2, labels=[{"tier": "web"}, {"tier": "db"}])
    return estate.fleets.cluster_mesh_profiles


def put(estate, name="it", *, selector="tier=web", condition=MISSING):
    properties = ClusterMeshProfileProperties(member_selector=MemberSelector(by_label=selector))
    meshes, body = estate.fleets.cluster_mesh_profiles, ClusterMeshProfile(properties=properties)
    return meshes.begin_create_or_update(estate.group, FLEET, name, body, **condition).result()


def connected(estate, name="it"):
    """The members of the mesh."""
    found = estate.fleets.fleet_members.list_by_fleet(estate.group, FLEET, filter=f"clusterMeshProfile eq {name}")
    return [member.name for member in found]


def test_a_mesh_is_made_applied_read_emptied_and_deleted(estate, meshes):
    made = put(estate)
    assert (made.name, made.properties.status.state, connected(estate)) == ("it", "NotConnected", [])
    assert meshes.get(estate.group, FLEET, "it").as_dict() == made.as_dict()

    applied = meshes.begin_apply(estate.group, FLEET, "it", **unchanged(made)).result()
    assert (applied.properties.status.state, connected(estate)) == ("Connected", ["m-0"])
    with pytest.raises(ResourceExistsError) as refused:
        meshes.begin_delete(estate.group, FLEET, "it")
    assert refused.value.status_code == 409

    emptied = put(estate, selector="tier=none", condition=unchanged(applied))
    assert emptied.properties.member_selector.by_label == "tier=none"
    emptied = meshes.begin_apply(estate.group, FLEET, "it").result()
    assert connected(estate) == []
    assert meshes.begin_delete(estate.group, FLEET, "it", **unchanged(emptied)).result() is None
    with pytest.raises(ResourceNotFoundError):
        meshes.get(estate.group, FLEET, "it")


def test_meshes_are_listed_page_by_page(estate, meshes):
    for name in ["a", "b"]:
        put(estate, name)
    pages = meshes.list_by_fleet(estate.group, FLEET, params={"$top": 1}).by_page()
    assert [mesh.name for mesh in next(pages)] == ["a"]
    rest = meshes.list_by_fleet(estate.group, FLEET).by_page(continuation_token=pages.continuation_token)
    assert [[mesh.name for mesh in page] for page in rest] == [["b"]]
