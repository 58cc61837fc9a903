"""Managed clusters through the official SDK: every operation of the simulated surface, and what each leaves behind."""

import pytest
from azure.core import MatchConditions
from azure.core.exceptions import HttpResponseError, ResourceModifiedError, ResourceNotFoundError
from azure.mgmt.containerservice.models import TagsObject

from estate import LOCATION

STALE = '"00000000-0000-0000-0000-000000000000"'


@pytest.fixture
def clusters(estate):
    """The operations of clusters; one cluster, `it`, is there."""
    estate.cluster("it")
    return estate.aks.managed_clusters


def refused(call, *args, **options):
    """The status and the code of a call that must fail; what it is polled for counts, too."""
    with pytest.raises(HttpResponseError) as error:
        answer = call(*args, **options)
        if hasattr(answer, "result"):
            answer.result()
    return error.value.status_code, error.value.error.code


def test_a_cluster_is_read_as_it_was_made(estate, clusters):
    found = clusters.get(estate.group, "it")
    assert (found.location, found.kubernetes_version, found.dns_prefix) == (LOCATION, "1.35", "it")
    assert found.current_kubernetes_version.startswith("1.35.")
    assert (found.provisioning_state, found.power_state.code) == ("Succeeded", "Running")
    assert [pool.name for pool in found.agent_pool_profiles] == ["system"]
    assert found.e_tag and found.system_data.created_by == "casey@example.com"


def test_clusters_are_listed_by_group_and_by_subscription(estate, clusters):
    estate.cluster("other")
    assert {found.name for found in clusters.list_by_resource_group(estate.group)} == {"it", "other"}
    assert {found.name for found in clusters.list()} == {"it", "other"}


def test_tags_are_replaced_by_patch(estate, clusters):
    before = clusters.get(estate.group, "it")
    patched = clusters.begin_update_tags(estate.group, "it", TagsObject(tags={"team": "shop"})).result()
    assert patched.tags == {"team": "shop"}
    assert patched.e_tag != before.e_tag
    assert clusters.get(estate.group, "it").agent_pool_profiles[0].e_tag != before.agent_pool_profiles[0].e_tag


def test_a_stopped_cluster_says_so_until_it_is_started(estate, clusters):
    clusters.begin_stop(estate.group, "it").result()
    assert clusters.get(estate.group, "it").power_state.code == "Stopped"
    clusters.begin_start(estate.group, "it").result()
    assert clusters.get(estate.group, "it").power_state.code == "Running"


def test_an_upgrade_that_hangs_is_aborted(estate, clusters):
    assert refused(clusters.begin_abort_latest_operation, estate.group, "it") == (409, "OperationNotAllowed")
    estate.service.simulator("PUT", f"/behaviors{estate.path('managedClusters/it')}", {"hang": True})
    body = clusters.get(estate.group, "it")
    body.kubernetes_version = "1.36"
    clusters.begin_create_or_update(estate.group, "it", body, polling=False)
    estate.service.advance("P1D")
    assert clusters.get(estate.group, "it").provisioning_state == "Updating"
    assert refused(clusters.begin_stop, estate.group, "it") == (409, "OperationNotAllowed")
    clusters.begin_abort_latest_operation(estate.group, "it").result()
    aborted = clusters.get(estate.group, "it")
    assert aborted.provisioning_state == "Canceled"
    assert aborted.current_kubernetes_version.startswith("1.35.")


def test_a_raised_version_upgrades_the_control_plane(estate, clusters):
    body = clusters.get(estate.group, "it")
    body.kubernetes_version = "1.36"
    clusters.begin_create_or_update(estate.group, "it", body, polling=False)
    estate.service.advance("PT5M")
    found = clusters.get(estate.group, "it")
    assert found.current_kubernetes_version.startswith("1.36.")
    assert found.agent_pool_profiles[0].current_orchestrator_version.startswith("1.35.")


def test_the_upgrade_profile_offers_the_next_minor_and_no_further(estate, clusters):
    profile = clusters.get_upgrade_profile(estate.group, "it").control_plane_profile
    offered = {upgrade.kubernetes_version for upgrade in profile.upgrades}
    assert profile.kubernetes_version.startswith("1.35.")
    assert any(version.startswith("1.36.") for version in offered)
    assert not any(version.startswith("1.37.") for version in offered)


@pytest.mark.parametrize("role", ["user", "admin"])
def test_credentials_hold_a_kubeconfig_of_the_cluster(estate, clusters, role):
    answer = getattr(clusters, f"list_cluster_{role}_credentials")(estate.group, "it")
    (kubeconfig,) = answer.kubeconfigs
    text = bytes(kubeconfig.value).decode()
    assert "clusters" in text and "it" in text


def test_a_deleted_cluster_is_gone_and_deleting_it_again_is_fine(estate, clusters):
    clusters.begin_delete(estate.group, "it").result()
    with pytest.raises(ResourceNotFoundError):
        clusters.get(estate.group, "it")
    clusters.begin_delete(estate.group, "it").result()


def test_preconditions_of_put_patch_and_delete(estate, clusters):
    stale = {"etag": STALE, "match_condition": MatchConditions.IfNotModified}
    body = clusters.get(estate.group, "it")
    tags = TagsObject(tags={"team": "shop"})
    with pytest.raises(ResourceModifiedError):
        clusters.begin_create_or_update(estate.group, "it", body, **stale).result()
    with pytest.raises(ResourceModifiedError):
        clusters.begin_update_tags(estate.group, "it", tags, **stale).result()
    with pytest.raises(ResourceModifiedError):
        clusters.begin_delete(estate.group, "it", **stale).result()
    missing = {"match_condition": MatchConditions.IfMissing}
    assert refused(clusters.begin_create_or_update, estate.group, "it", body, **missing)[0] == 412
    current = {"etag": clusters.get(estate.group, "it").e_tag, "match_condition": MatchConditions.IfNotModified}
    patched = clusters.begin_update_tags(estate.group, "it", tags, **current).result()
    current["etag"] = patched.e_tag
    clusters.begin_delete(estate.group, "it", **current).result()


@pytest.mark.parametrize(
    "change, target",
    [
        ({"location": "atlantis"}, "location"),
        ({"kubernetes_version": "1.99"}, "properties.kubernetesVersion"),
        ({"agent_pool_profiles": []}, "properties.agentPoolProfiles"),
    ],
)
def test_what_cannot_be_is_refused_with_its_place(estate, clusters, change, target):
    body = clusters.get(estate.group, "it")
    for name, value in change.items():
        setattr(body, name, value)
    with pytest.raises(HttpResponseError) as error:
        clusters.begin_create_or_update(estate.group, "other", body).result()
    assert error.value.status_code == 400
    assert error.value.error.target == target


def test_a_minor_is_neither_jumped_nor_taken_back(estate, clusters):
    body = clusters.get(estate.group, "it")
    for version in ["1.37", "1.34"]:
        body.kubernetes_version = version
        assert refused(clusters.begin_create_or_update, estate.group, "it", body)[0] == 400


def test_kubernetes_versions_of_a_region(estate):
    answer = estate.aks.managed_clusters.list_kubernetes_versions(LOCATION)
    minors = {found.version: found for found in answer.values_property}
    assert {"1.35", "1.36", "1.37"} <= set(minors)
    assert minors["1.36"].patch_versions


def test_node_image_versions_of_a_region(estate):
    """The SDK has no operation for them; clients that show them send the request themselves."""
    path = f"/subscriptions/{estate.subscription}/providers/Microsoft.ContainerService/locations/{LOCATION}"
    answer = estate.service.call("GET", f"{path}/nodeImageVersions?api-version=2026-08-01")
    assert answer.status_code == 200
    assert "AKSUbuntu-2204gen2containerd-202611.02.0" in answer.text
