"""Agent pools and snapshots of them through the official SDK."""

import pytest
from azure.core import MatchConditions
from azure.core.exceptions import HttpResponseError, ResourceModifiedError, ResourceNotFoundError
from azure.mgmt.containerservice.models import AgentPool, CreationData, Snapshot, TagsObject

from estate import LOCATION
from test_managed_clusters import STALE, refused

NEWER = "AKSUbuntu-2204gen2containerd-202701.{}.0"


@pytest.fixture
def pools(estate):
    """The operations of pools; the cluster `it` has a pool `work` besides its System pool."""
    estate.cluster("it")
    put(estate, "work")
    return estate.aks.agent_pools


def put(estate, name, body=None, **options):
    body = body or AgentPool(mode="User", os_type="Linux", os_sku="Ubuntu", vm_size="Standard_D2s_v5", count=2)
    return estate.aks.agent_pools.begin_create_or_update(estate.group, "it", name, body, **options).result()


def publish(estate, number):
    """A newer image, everywhere; each number is published once, since a module's tests share the catalogue."""
    image = NEWER.format(number)
    estate.service.simulator("POST", "/releases", {"kind": "NodeImage", "version": image})
    return image


def test_a_pool_is_read_as_it_was_made(estate, pools):
    found = pools.get(estate.group, "it", "work")
    assert (found.name, found.count, found.mode, found.os_type) == ("work", 2, "User", "Linux")
    assert found.current_orchestrator_version.startswith("1.35.")
    assert found.node_image_version.startswith("AKSUbuntu-2204gen2containerd-")
    assert (found.provisioning_state, bool(found.e_tag)) == ("Succeeded", True)
    assert [pool.name for pool in pools.list(estate.group, "it")] == ["system", "work"]


def test_a_pool_is_scaled_and_only_its_own_etag_is_renewed(estate, pools):
    cluster, body = estate.aks.managed_clusters.get(estate.group, "it"), pools.get(estate.group, "it", "work")
    body.count = 5
    scaled = put(estate, "work", body)
    assert (scaled.count, scaled.e_tag != body.e_tag) == (5, True)
    assert estate.aks.managed_clusters.get(estate.group, "it").e_tag == cluster.e_tag


def test_preconditions_of_put_and_delete(estate, pools):
    stale = {"etag": STALE, "match_condition": MatchConditions.IfNotModified}
    body = pools.get(estate.group, "it", "work")
    with pytest.raises(ResourceModifiedError):
        put(estate, "work", body, **stale)
    with pytest.raises(ResourceModifiedError):
        pools.begin_delete(estate.group, "it", "work", **stale).result()
    with pytest.raises(HttpResponseError) as error:
        put(estate, "work", body, match_condition=MatchConditions.IfMissing)
    assert error.value.status_code == 412
    current = {"etag": body.e_tag, "match_condition": MatchConditions.IfNotModified}
    current["etag"] = put(estate, "work", body, **current).e_tag
    pools.begin_delete(estate.group, "it", "work", **current).result()


def test_a_pool_is_deleted_but_not_the_last_system_pool(estate, pools):
    pools.begin_delete(estate.group, "it", "work").result()
    with pytest.raises(ResourceNotFoundError):
        pools.get(estate.group, "it", "work")
    assert refused(pools.begin_delete, estate.group, "it", "system") == (409, "OperationNotAllowed")


def test_the_node_image_is_upgraded_to_the_newest(estate, pools):
    image = publish(estate, "01")
    assert pools.get_upgrade_profile(estate.group, "it", "work").latest_node_image_version == image
    pools.begin_upgrade_node_image_version(estate.group, "it", "work", polling=False)
    estate.service.advance("PT1H")
    assert pools.get(estate.group, "it", "work").node_image_version == image
    assert pools.get(estate.group, "it", "system").node_image_version != image


def test_an_upgrade_of_a_pool_that_hangs_is_aborted(estate, pools):
    assert refused(pools.begin_abort_latest_operation, estate.group, "it", "work") == (409, "OperationNotAllowed")
    image = publish(estate, "02")
    estate.service.simulator("PUT", f"/behaviors{estate.path('managedClusters/it')}", {"hang": True})
    pools.begin_upgrade_node_image_version(estate.group, "it", "work", polling=False)
    estate.service.advance("P1D")
    pools.begin_abort_latest_operation(estate.group, "it", "work").result()
    found = pools.get(estate.group, "it", "work")
    assert (found.provisioning_state, found.node_image_version == image) == ("Canceled", False)
    assert estate.aks.managed_clusters.get(estate.group, "it").provisioning_state == "Succeeded"


@pytest.mark.parametrize("name", ["Work", "1work", "averylongname1", "wo-rk"])
def test_a_name_that_is_none_is_refused(estate, pools, name):
    body = AgentPool(mode="User", count=1)
    path = estate.path(f"managedClusters/it/agentPools/{name}?api-version=2026-08-01")
    answer = estate.service.call("PUT", path, json=body.as_dict())
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "InvalidResourceName")


def test_a_snapshot_keeps_a_pool_s_image_and_makes_pools_like_it(estate, pools):
    snapshots, work = estate.aks.snapshots, pools.get(estate.group, "it", "work")
    body = Snapshot(location=LOCATION, creation_data=CreationData(source_resource_id=work.id))
    made = snapshots.create_or_update(estate.group, "golden", body)
    assert made.node_image_version == work.node_image_version
    assert made.kubernetes_version == work.current_orchestrator_version
    publish(estate, "03")
    like = AgentPool(mode="User", count=1, creation_data=CreationData(source_resource_id=made.id))
    assert put(estate, "like", like).node_image_version == work.node_image_version


def test_snapshots_are_listed_tagged_and_deleted(estate, pools):
    snapshots, work = estate.aks.snapshots, pools.get(estate.group, "it", "work")
    body = Snapshot(location=LOCATION, creation_data=CreationData(source_resource_id=work.id))
    snapshots.create_or_update(estate.group, "golden", body)
    assert [found.name for found in snapshots.list_by_resource_group(estate.group)] == ["golden"]
    assert [found.name for found in snapshots.list()] == ["golden"]
    assert snapshots.update_tags(estate.group, "golden", TagsObject(tags={"keep": "yes"})).tags == {"keep": "yes"}
    assert snapshots.get(estate.group, "golden").tags == {"keep": "yes"}
    snapshots.delete(estate.group, "golden")
    with pytest.raises(ResourceNotFoundError):
        snapshots.get(estate.group, "golden")
