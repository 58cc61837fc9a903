"""`az aks`: clusters, pools, maintenance configurations, snapshots, and the eTags of each."""

import pytest

FROM_VERSION, TO_VERSION = "1.35", "1.36"


@pytest.fixture
def cluster(az, group):
    """A cluster with one pool; the words that name it."""
    made = az(f"aks create -g {group} -n web --kubernetes-version {FROM_VERSION} --node-count 1 --no-ssh-key", "--if-none-match", "*")
    assert made["provisioningState"] == "Succeeded" and made["agentPoolProfiles"][0]["eTag"]
    assert made["systemData"]["createdByType"] == "Application"
    return f"-g {group} -n web"


def of(cluster):
    """The words that name a cluster, for commands on what is in it."""
    return cluster.replace("-n ", "--cluster-name ")


def test_a_cluster_is_changed_by_whoever_has_its_etag(az, cluster):
    etag = az(f"aks show {cluster}")["eTag"]
    assert "PreconditionFailed" in az.refused(f"aks update {cluster} --tags a=b --if-match other")
    changed = az(f"aks update {cluster} --tags a=b --if-match {etag}")
    assert changed["tags"] == {"a": "b"} and changed["eTag"] != etag
    assert "PreconditionFailed" in az.refused(f"aks update {cluster} --tags c=d", "--if-none-match", "*")
    assert "PreconditionFailed" in az.refused(f"aks delete {cluster} --yes --if-match {etag}")
    az(f"aks delete {cluster} --yes --if-match {changed['eTag']}")
    assert "was not found" in az.refused(f"aks show {cluster}")
    az(f"aks delete {cluster} --yes --if-match {etag}")


def test_a_cluster_is_a_resource_like_any_other(az, cluster, group):
    found = az(f"resource list -g {group} --resource-type Microsoft.ContainerService/managedClusters")
    assert [resource["name"] for resource in found] == ["web"]
    shown = az(f"resource show --ids {found[0]['id']}")
    assert shown["properties"]["currentKubernetesVersion"].startswith(FROM_VERSION)
    az(f"resource tag --ids {found[0]['id']} --tags a=b")
    assert [resource["name"] for resource in az("resource list --tag a=b")] == ["web"]
    az(f"resource delete --ids {found[0]['id']}")
    assert az(f"resource list -g {group}") == []


def test_a_cluster_is_upgraded(service, az, cluster):
    versions = {found["version"] for found in az("aks get-versions -l westeurope")["values"]}
    assert {FROM_VERSION, TO_VERSION} <= versions
    offered = az(f"aks get-upgrades {cluster}")["controlPlaneProfile"]["upgrades"]
    assert any(found["kubernetesVersion"].startswith(TO_VERSION) for found in offered)
    az(f"aks upgrade {cluster} --kubernetes-version {TO_VERSION} --yes --no-wait")
    assert az(f"aks show {cluster}")["provisioningState"] != "Succeeded"
    service.advance("PT1H")
    az(f"aks wait {cluster} --updated --interval 1 --timeout 10")
    upgraded = az(f"aks show {cluster}")
    assert upgraded["currentKubernetesVersion"].startswith(TO_VERSION)
    assert upgraded["agentPoolProfiles"][0]["currentOrchestratorVersion"].startswith(TO_VERSION)


def test_a_cluster_is_stopped_started_and_entered(az, cluster, tmp_path):
    az(f"aks stop {cluster}")
    assert az(f"aks show {cluster}")["powerState"]["code"] == "Stopped"
    az(f"aks start {cluster}")
    assert az(f"aks show {cluster}")["powerState"]["code"] == "Running"
    az(f"aks get-credentials {cluster} --file {tmp_path / 'config'}")
    assert "current-context: web" in (tmp_path / "config").read_text()


def test_pools_have_etags_of_their_own(service, az, cluster):
    pools = of(cluster)
    before = az(f"aks show {cluster}")["eTag"]
    made = az(f"aks nodepool add {pools} -n work --node-count 1 --mode User", "--if-none-match", "*")
    assert "PreconditionFailed" in az.refused(f"aks nodepool update {pools} -n work --labels a=b --if-match other")
    changed = az(f"aks nodepool update {pools} -n work --labels a=b --if-match {made['eTag']}")
    assert changed["nodeLabels"] == {"a": "b"} and changed["eTag"] != made["eTag"]
    assert az(f"aks nodepool scale {pools} -n work --node-count 2")["count"] == 2
    az(f"aks nodepool upgrade {pools} -n work --node-image-only --no-wait")
    service.advance("PT1H")
    etag = az(f"aks nodepool show {pools} -n work")["eTag"]
    assert az(f"aks show {cluster}")["eTag"] == before
    assert [pool["name"] for pool in az(f"aks nodepool list {pools}")] == ["nodepool1", "work"]
    assert "PreconditionFailed" in az.refused(f"aks nodepool delete {pools} -n work --if-match {made['eTag']}")
    az(f"aks nodepool delete {pools} -n work --if-match {etag}")
    assert len(az(f"aks nodepool list {pools}")) == 1


def test_maintenance_is_planned(az, cluster):
    windows = of(cluster)
    az(f"aks maintenanceconfiguration add {windows} -n default --weekday Monday --start-hour 1")
    changed = az(f"aks maintenanceconfiguration update {windows} -n default --weekday Tuesday --start-hour 2")
    assert changed["timeInWeek"] == [{"day": "Tuesday", "hourSlots": [2]}]
    assert az(f"aks maintenanceconfiguration show {windows} -n default")["timeInWeek"] == changed["timeInWeek"]
    assert [found["name"] for found in az(f"aks maintenanceconfiguration list {windows}")] == ["default"]
    az(f"aks maintenanceconfiguration delete {windows} -n default")
    assert az(f"aks maintenanceconfiguration list {windows}") == []


def test_a_pools_image_is_kept_as_a_snapshot(az, cluster, group):
    pool = az(f"aks nodepool show {of(cluster)} -n nodepool1")
    made = az(f"aks nodepool snapshot create -g {group} -n kept --nodepool-id {pool['id']}")
    assert made["nodeImageVersion"] == pool["nodeImageVersion"]
    assert [found["name"] for found in az(f"aks nodepool snapshot list -g {group}")] == ["kept"]
    az(f"aks nodepool snapshot delete -g {group} -n kept --yes")
    assert "was not found" in az.refused(f"aks nodepool snapshot show -g {group} -n kept")
