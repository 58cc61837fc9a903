"""Managed namespaces and cluster meshes through the official SDK."""

import pytest
from azure.core.exceptions import HttpResponseError
from azure.mgmt.containerservicefleet.models import (
    ClusterMeshProfile,
    ClusterMeshProfileProperties,
    ClusterResourcePlacementSpec,
    Fleet,
    FleetHubProfile,
    FleetManagedNamespace,
    FleetManagedNamespacePatch,
    FleetManagedNamespaceProperties,
    FleetMemberUpdate,
    FleetMemberUpdateProperties,
    ManagedNamespaceProperties,
    MemberSelector,
    PlacementPolicy,
    PlacementProfile,
    PropagationPolicy,
    ResourceQuota,
)

from estate import FLEET, LOCATION


@pytest.fixture
def hub(estate):
    """A fleet with a hub and one member."""
    body = Fleet(location=LOCATION, hub_profile=FleetHubProfile(dns_prefix="hub"))
    estate.fleets.fleets.begin_create_or_update(estate.group, FLEET, body).result()
    estate.member("m-0")
    return estate


@pytest.fixture
def namespaces(hub):
    return hub.fleets.fleet_managed_namespaces


def namespace(*members, quota=None):
    """A namespace that is placed on members by name, or on all."""
    policy = PlacementPolicy(placement_type="PickFixed", cluster_names=list(members)) if members else None
    placement = PlacementProfile(default_cluster_resource_placement=ClusterResourcePlacementSpec(policy=policy))
    return FleetManagedNamespace(
        location=LOCATION,
        properties=FleetManagedNamespaceProperties(
            adoption_policy="Never",
            delete_policy="Keep",
            managed_namespace_properties=ManagedNamespaceProperties(
                labels={"env": "prod"}, default_resource_quota=quota
            ),
            propagation_policy=PropagationPolicy(type="Placement", placement_profile=placement),
        ),
    )


def put(namespaces, hub, body, **options):
    return namespaces.begin_create_or_update(hub.group, FLEET, "team-a", body, **options).result()


def test_a_patch_changes_what_it_names_and_nothing_else(hub, namespaces):
    put(namespaces, hub, namespace("m-0", quota=ResourceQuota(cpu_request="500m", cpu_limit="1")))
    patch = FleetManagedNamespacePatch({"tags": {"team": "a"}, "properties": {"deletePolicy": "Delete"}})
    patched = namespaces.begin_update(hub.group, FLEET, "team-a", patch).result()
    assert (patched.tags, patched.properties.delete_policy) == ({"team": "a"}, "Delete")
    assert patched.properties.managed_namespace_properties.default_resource_quota.cpu_limit == "1"
    placement = patched.properties.propagation_policy.placement_profile.default_cluster_resource_placement
    assert placement.policy.cluster_names == ["m-0"]


def test_a_namespace_is_refused_where_it_cannot_be_placed(hub, namespaces):
    for body in [namespace("m-9"), namespace(quota=ResourceQuota(cpu_request="2", cpu_limit="1"))]:
        with pytest.raises(HttpResponseError) as refused:
            put(namespaces, hub, body)
        assert (refused.value.status_code, refused.value.error.code) == (400, "InvalidParameter")


def test_a_hubless_fleet_has_no_namespaces(estate):
    estate.fleet()
    with pytest.raises(HttpResponseError) as refused:
        put(estate.fleets.fleet_managed_namespaces, estate, namespace())
    assert (refused.value.status_code, refused.value.error.code) == (400, "HubProfileRequired")


def label(estate, member, **labels):
    body = FleetMemberUpdate(properties=FleetMemberUpdateProperties(labels=labels))
    estate.fleets.fleet_members.begin_update(estate.group, FLEET, member, body).result()


def mesh_ids(estate):
    """The Cilium ids of the connected members by name."""
    found = estate.fleets.fleet_members.list_by_fleet(estate.group, FLEET)
    meshes = {member.name: member.properties.mesh_properties for member in found}
    return {name: mesh.cilium_properties.id for name, mesh in meshes.items() if mesh}


def test_a_mesh_connects_whom_it_selects_when_it_is_applied(estate):
    estate.fleet()
    for name in ["m-0", "m-1", "m-2"]:
        estate.member(name)
        label(estate, name, tier="db" if name == "m-1" else "web")
    meshes = estate.fleets.cluster_mesh_profiles

    def put_mesh(selector):
        properties = ClusterMeshProfileProperties(member_selector=MemberSelector(by_label=selector))
        body = ClusterMeshProfile(properties=properties)
        return meshes.begin_create_or_update(estate.group, FLEET, "mesh", body).result()

    def apply():
        return meshes.begin_apply(estate.group, FLEET, "mesh").result()

    assert put_mesh("tier=web").properties.status.state == "NotConnected"
    assert mesh_ids(estate) == {}
    apply()
    applied = meshes.get(estate.group, FLEET, "mesh").properties.status
    assert (applied.state, applied.last_applied_member_selector.by_label) == ("Connected", "tier=web")
    assert mesh_ids(estate) == {"m-0": 1, "m-2": 2}
    assert [found.name for found in meshes.list_by_fleet(estate.group, FLEET)] == ["mesh"]

    with pytest.raises(HttpResponseError) as refused:
        estate.fleets.fleet_members.begin_delete(estate.group, FLEET, "m-0").result()
    assert (refused.value.status_code, refused.value.error.code) == (409, "MemberBelongsToClusterMesh")
    with pytest.raises(HttpResponseError) as refused:
        meshes.begin_delete(estate.group, FLEET, "mesh").result()
    assert refused.value.status_code == 409

    put_mesh("")
    apply()
    assert mesh_ids(estate) == {}
    estate.fleets.fleet_members.begin_delete(estate.group, FLEET, "m-0").result()
    meshes.begin_delete(estate.group, FLEET, "mesh").result()
    assert list(meshes.list_by_fleet(estate.group, FLEET)) == []
