"""Long-running operations of the AKS SDK on a clock that stands still: another poller goes on from a token."""

import pytest
from azure.core.exceptions import ResourceNotFoundError
from azure.mgmt.containerservice.models import AgentPool, ManagedCluster

from estate import LOCATION

from ..resuming import resumed
from .population import publish


@pytest.fixture(scope="module")
def durations():
    return "simulated"


@pytest.fixture
def clusters(estate):
    """The operations of clusters; the cluster `c0` is there."""
    estate.bulk("c", 1, fleet=None)
    return estate.aks.managed_clusters


def test_a_cluster_is_made_and_deleted_in_its_time(estate):
    clusters = estate.aks.managed_clusters
    pool = {"name": "system", "mode": "System", "osType": "Linux", "vmSize": "Standard_D2s_v5", "count": 1}
    body = ManagedCluster({"location": LOCATION, "properties": {"agentPoolProfiles": [pool], "dnsPrefix": "it"}})
    made = resumed(estate, clusters.begin_create_or_update, estate.group, "it", body)
    assert (made.name, made.provisioning_state, made.agent_pool_profiles[0].count) == ("it", "Succeeded", 1)
    assert resumed(estate, clusters.begin_delete, estate.group, "it") is None
    with pytest.raises(ResourceNotFoundError):
        clusters.get(estate.group, "it")


def test_a_cluster_is_stopped_and_started_in_its_time(estate, clusters):
    for begin, code in [(clusters.begin_stop, "Stopped"), (clusters.begin_start, "Running")]:
        assert resumed(estate, begin, estate.group, "c0") is None
        assert clusters.get(estate.group, "c0").power_state.code == code


def test_a_pool_is_made_upgraded_and_deleted_in_its_time(estate, clusters):
    pools = estate.aks.agent_pools
    body = AgentPool({"properties": {"mode": "User", "count": 2, "vmSize": "Standard_D2s_v5"}})
    made = resumed(estate, pools.begin_create_or_update, estate.group, "c0", "work", body)
    assert (made.name, made.count, made.provisioning_state) == ("work", 2, "Succeeded")
    image = publish(estate)
    resumed(estate, pools.begin_upgrade_node_image_version, estate.group, "c0", "work")
    assert pools.get(estate.group, "c0", "work").node_image_version == image
    assert resumed(estate, pools.begin_delete, estate.group, "c0", "work") is None
    assert [pool.name for pool in pools.list(estate.group, "c0")] == ["system"]
