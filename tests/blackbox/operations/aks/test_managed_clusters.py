"""Managed clusters: the group `managed_clusters`."""

import pytest
from azure.core.exceptions import ResourceExistsError, ResourceNotFoundError
from azure.mgmt.containerservice.models import TagsObject

from estate import FROM_VERSION, LOCATION, TO_VERSION

from ..conditions import MISSING, PRESENT, unchanged


@pytest.fixture
def clusters(estate):
    """The operations of clusters; one cluster, `it`, is there."""
    estate.cluster("it")
    return estate.aks.managed_clusters


def test_a_cluster_is_made_read_replaced_tagged_and_deleted(estate):
    clusters = estate.aks.managed_clusters
    made = estate.cluster("it", **MISSING)
    assert (made.name, made.location, made.kubernetes_version) == ("it", LOCATION, FROM_VERSION)
    assert (made.provisioning_state, made.power_state.code) == ("Succeeded", "Running")
    assert clusters.get(estate.group, "it").as_dict() == made.as_dict()

    again = estate.cluster("it", **PRESENT)
    again.tags = {"env": "test"}
    replaced = clusters.begin_create_or_update(estate.group, "it", again, **unchanged(again)).result()
    assert (replaced.tags, replaced.e_tag != made.e_tag) == ({"env": "test"}, True)

    tags = TagsObject(tags={"team": "shop"})
    tagged = clusters.begin_update_tags(estate.group, "it", tags, **unchanged(replaced)).result()
    assert tagged.tags == {"team": "shop"}

    assert clusters.begin_delete(estate.group, "it", **unchanged(tagged)).result() is None
    with pytest.raises(ResourceNotFoundError):
        clusters.get(estate.group, "it")


def test_clusters_are_listed_page_by_page_by_group_and_by_subscription(estate):
    for name in ["a", "b", "c"]:
        estate.cluster(name)
    clusters = estate.aks.managed_clusters
    for listed in [clusters.list, lambda **options: clusters.list_by_resource_group(estate.group, **options)]:
        pages = listed(params={"$top": 2}).by_page()
        assert [cluster.name for cluster in next(pages)] == ["a", "b"]
        rest = listed().by_page(continuation_token=pages.continuation_token)
        assert [[cluster.name for cluster in page] for page in rest] == [["c"]]


def test_a_cluster_is_stopped_and_started(estate, clusters):
    for action, code in [(clusters.begin_stop, "Stopped"), (clusters.begin_start, "Running")]:
        assert action(estate.group, "it").result() is None
        assert clusters.get(estate.group, "it").power_state.code == code


def test_an_upgrade_that_hangs_is_aborted_and_nothing_else(estate, clusters):
    with pytest.raises(ResourceExistsError) as refused:
        clusters.begin_abort_latest_operation(estate.group, "it")
    assert (refused.value.status_code, refused.value.error.code) == (409, "OperationNotAllowed")
    estate.service.simulator("PUT", f"/behaviors{estate.path('managedClusters/it')}", {"hang": True})
    body = clusters.get(estate.group, "it")
    body.kubernetes_version = TO_VERSION
    clusters.begin_create_or_update(estate.group, "it", body, polling=False)
    estate.service.advance("P1D")
    assert clusters.get(estate.group, "it").provisioning_state == "Updating"
    with pytest.raises(ResourceExistsError) as refused:
        clusters.begin_stop(estate.group, "it")
    assert (refused.value.status_code, refused.value.error.code) == (409, "OperationNotAllowed")
    assert clusters.begin_abort_latest_operation(estate.group, "it").result() is None
    aborted = clusters.get(estate.group, "it")
    assert (aborted.provisioning_state, estate.version("it")) == ("Canceled", FROM_VERSION)


def test_the_next_minor_is_on_offer_in_the_region_and_to_the_cluster(estate, clusters):
    offered = {found.version: found for found in clusters.list_kubernetes_versions(LOCATION).values_property}
    assert set(offered[TO_VERSION].patch_versions) > {"1.36.4"}
    profile = clusters.get_upgrade_profile(estate.group, "it").control_plane_profile
    minors = {upgrade.kubernetes_version.rpartition(".")[0] for upgrade in profile.upgrades}
    assert (profile.kubernetes_version.rpartition(".")[0], minors - {FROM_VERSION}) == (FROM_VERSION, {TO_VERSION})


@pytest.mark.parametrize("role", ["user", "admin"])
def test_credentials_hold_a_kubeconfig_of_the_cluster(estate, clusters, role):
    (kubeconfig,) = getattr(clusters, f"list_cluster_{role}_credentials")(estate.group, "it").kubeconfigs
    assert clusters.get(estate.group, "it").fqdn in bytes(kubeconfig.value).decode()


def test_a_cluster_does_not_move(estate, clusters):
    body = clusters.get(estate.group, "it")
    body.location = "eastus"
    with pytest.raises(ResourceExistsError) as refused:
        clusters.begin_create_or_update(estate.group, "it", body)
    assert (refused.value.status_code, refused.value.error.code) == (409, "InvalidResourceLocation")
