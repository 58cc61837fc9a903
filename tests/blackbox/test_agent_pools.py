"""Agent pools and snapshots of them through the official SDK."""

import pytest
from azure.mgmt.containerservice.models import AgentPool, CreationData, Snapshot

from estate import LOCATION

NEWER = "AKSUbuntu-2204gen2containerd-202701.01.0"


@pytest.fixture
def pools(estate):
    """The operations of pools; the cluster `it` has a pool `work` besides its System pool."""
    estate.cluster("it")
    put(estate, "work")
    return estate.aks.agent_pools


def put(estate, name, body=None, **options):
    body = body or AgentPool(mode="User", os_type="Linux", os_sku="Ubuntu", vm_size="Standard_D2s_v5", count=2)
    return estate.aks.agent_pools.begin_create_or_update(estate.group, "it", name, body, **options).result()


def test_a_pool_is_scaled_and_only_its_own_etag_is_renewed(estate, pools):
    cluster, body = estate.aks.managed_clusters.get(estate.group, "it"), pools.get(estate.group, "it", "work")
    body.count = 5
    scaled = put(estate, "work", body)
    assert (scaled.count, scaled.e_tag != body.e_tag) == (5, True)
    assert estate.aks.managed_clusters.get(estate.group, "it").e_tag == cluster.e_tag


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
    estate.service.simulator("POST", "/releases", {"kind": "NodeImage", "version": NEWER})
    like = AgentPool(mode="User", count=1, creation_data=CreationData(source_resource_id=made.id))
    assert put(estate, "like", like).node_image_version == work.node_image_version
