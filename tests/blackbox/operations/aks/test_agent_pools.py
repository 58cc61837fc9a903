"""Agent pools: the group `agent_pools`."""

import pytest
from azure.core.exceptions import ResourceExistsError, ResourceNotFoundError
from azure.mgmt.containerservice.models import AgentPool

from ..conditions import MISSING, unchanged

from .population import publish


@pytest.fixture
def pools(estate):
    """The operations of pools; the cluster `it` is there with its pool `system`."""
    estate.cluster("it")
    return estate.aks.agent_pools


def put(estate, name="work", *, count=2, condition=MISSING):
    body = AgentPool(mode="User", os_type="Linux", os_sku="Ubuntu", vm_size="Standard_D2s_v5", count=count)
    return estate.aks.agent_pools.begin_create_or_update(estate.group, "it", name, body, **condition).result()


def test_a_pool_is_made_read_scaled_and_deleted(estate, pools):
    made = put(estate)
    assert (made.name, made.count, made.mode, made.provisioning_state) == ("work", 2, "User", "Succeeded")
    assert made.current_orchestrator_version.startswith("1.35.")
    assert pools.get(estate.group, "it", "work").as_dict() == made.as_dict()
    scaled = put(estate, count=5, condition=unchanged(made))
    assert (scaled.count, scaled.e_tag != made.e_tag) == (5, True)
    assert pools.begin_delete(estate.group, "it", "work", **unchanged(scaled)).result() is None
    with pytest.raises(ResourceNotFoundError):
        pools.get(estate.group, "it", "work")
    with pytest.raises(ResourceExistsError) as refused:
        pools.begin_delete(estate.group, "it", "system")
    assert (refused.value.status_code, refused.value.error.code) == (409, "OperationNotAllowed")


def test_pools_are_listed_page_by_page(estate, pools):
    put(estate)
    pages = pools.list(estate.group, "it", params={"$top": 1}).by_page()
    assert [pool.name for pool in next(pages)] == ["system"]
    rest = pools.list(estate.group, "it").by_page(continuation_token=pages.continuation_token)
    assert [[pool.name for pool in page] for page in rest] == [["work"]]


def test_the_node_image_on_offer_is_what_an_upgrade_brings(estate, pools):
    image = publish(estate)
    assert pools.get_upgrade_profile(estate.group, "it", "system").latest_node_image_version == image
    begun = pools.begin_upgrade_node_image_version(estate.group, "it", "system")
    estate.service.advance("PT1H")
    begun.result()
    assert pools.get(estate.group, "it", "system").node_image_version == image


def test_an_upgrade_that_hangs_is_aborted(estate, pools):
    image = publish(estate)
    estate.service.simulator("PUT", f"/behaviors{estate.path('managedClusters/it')}", {"hang": True})
    pools.begin_upgrade_node_image_version(estate.group, "it", "system", polling=False)
    estate.service.advance("P1D")
    assert pools.get(estate.group, "it", "system").provisioning_state == "Updating"
    assert pools.begin_abort_latest_operation(estate.group, "it", "system").result() is None
    found = pools.get(estate.group, "it", "system")
    assert (found.provisioning_state, found.node_image_version == image) == ("Canceled", False)
