"""Managed clusters through the official SDK: versions, and what writes leave behind."""

import pytest
from azure.core.exceptions import HttpResponseError
from azure.mgmt.containerservice.models import TagsObject

from estate import LOCATION


@pytest.fixture
def clusters(estate):
    """The operations of clusters; one cluster, `it`, is there."""
    estate.cluster("it")
    return estate.aks.managed_clusters


def test_a_write_renews_the_etags_of_the_pools_too(estate, clusters):
    before = clusters.get(estate.group, "it")
    patched = clusters.begin_update_tags(estate.group, "it", TagsObject(tags={"team": "shop"})).result()
    assert patched.e_tag != before.e_tag
    assert clusters.get(estate.group, "it").agent_pool_profiles[0].e_tag != before.agent_pool_profiles[0].e_tag


def test_a_raised_version_upgrades_the_control_plane(estate, clusters):
    body = clusters.get(estate.group, "it")
    body.kubernetes_version = "1.36"
    clusters.begin_create_or_update(estate.group, "it", body, polling=False)
    estate.service.advance("PT5M")
    found = clusters.get(estate.group, "it")
    assert found.current_kubernetes_version.startswith("1.36.")
    assert found.agent_pool_profiles[0].current_orchestrator_version.startswith("1.35.")


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
        with pytest.raises(HttpResponseError) as error:
            clusters.begin_create_or_update(estate.group, "it", body)
        assert error.value.status_code == 400


def test_node_image_versions_of_a_region(estate):
    """The SDK has no operation for them; clients that show them send the request themselves."""
    path = f"/subscriptions/{estate.subscription}/providers/Microsoft.ContainerService/locations/{LOCATION}"
    answer = estate.service.call("GET", f"{path}/nodeImageVersions?api-version=2026-08-01")
    assert answer.status_code == 200
    assert "AKSUbuntu-2204gen2containerd-202611.02.0" in answer.text
