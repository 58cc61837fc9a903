"""Snapshots of pools: the group `snapshots`."""

import pytest
from azure.core.exceptions import HttpResponseError, ResourceNotFoundError
from azure.mgmt.containerservice.models import CreationData, Snapshot, TagsObject

from estate import LOCATION

from .population import snapshot


@pytest.fixture
def snapshots(estate):
    """The operations of snapshots; the cluster `it` is there to take them of."""
    estate.cluster("it")
    return estate.aks.snapshots


def test_a_snapshot_is_made_read_tagged_and_deleted(estate, snapshots):
    made = snapshots.create_or_update(estate.group, "golden", snapshot(estate))
    (pool,) = estate.aks.agent_pools.list(estate.group, "it")
    assert (made.name, made.node_image_version) == ("golden", pool.node_image_version)
    assert made.kubernetes_version == pool.current_orchestrator_version
    assert snapshots.get(estate.group, "golden").as_dict() == made.as_dict()
    assert snapshots.update_tags(estate.group, "golden", TagsObject(tags={"keep": "yes"})).tags == {"keep": "yes"}
    assert snapshots.delete(estate.group, "golden") is None
    with pytest.raises(ResourceNotFoundError):
        snapshots.get(estate.group, "golden")


def test_snapshots_are_listed_page_by_page_by_group_and_by_subscription(estate, snapshots):
    for name in ["a", "b", "c"]:
        snapshots.create_or_update(estate.group, name, snapshot(estate))
    for listed in [snapshots.list, lambda **options: snapshots.list_by_resource_group(estate.group, **options)]:
        pages = listed(params={"$top": 2}).by_page()
        assert [found.name for found in next(pages)] == ["a", "b"]
        rest = listed().by_page(continuation_token=pages.continuation_token)
        assert [[found.name for found in page] for page in rest] == [["c"]]


def test_there_has_to_be_a_pool(estate, snapshots):
    pool = estate.path("managedClusters/it/agentPools/none")
    body = Snapshot(location=LOCATION, creation_data=CreationData(source_resource_id=pool))
    with pytest.raises(HttpResponseError) as refused:
        snapshots.create_or_update(estate.group, "golden", body)
    assert refused.value.status_code == 400
    assert refused.value.error.target == "properties.creationData.sourceResourceId"
