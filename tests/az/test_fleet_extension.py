"""`az fleet`: every command of the extension. Left out, and said so, where there is no extension."""

import json

import pytest

FROM_VERSION, TO_VERSION = "1.35", "1.36"


@pytest.fixture
def fleet(az, group):
    """A fleet with a hub and a cluster in each of two groups; the words for commands on what is in it."""
    made = az(f"fleet create -g {group} -n shop -l westeurope --enable-hub --tags a=b")
    assert (made["provisioningState"], made["tags"]) == ("Succeeded", {"a": "b"})
    for name in ["canary", "prod"]:
        cluster = f"-g {group} -n {name} --kubernetes-version {FROM_VERSION} --node-count 1 --no-ssh-key"
        made = az(f"aks create {cluster}")
        az(f"fleet member create -g {group} -f shop -n {name} --update-group {name} --member-cluster-id {made['id']}")
    return f"-g {group} -f shop"


def stages(*names, **members):
    """The stages of a strategy, each of the group of its name; `members` are further members of the first."""
    made = [{"name": name, "groups": [{"name": name}]} for name in names]
    made[0] |= members
    return json.dumps({"stages": made})


def run_state(az, fleet, run):
    return az(f"fleet updaterun show {fleet} -n {run}")["status"]["status"]["state"]


def test_fleets_are_made_changed_and_deleted(az, group):
    named = f"-g {group} -n plain"
    assert az(f"fleet create {named}")["hubProfile"] is None
    az(f"fleet create -g {group} -n hub --enable-hub --enable-managed-identity --no-wait")
    az(f"fleet wait -g {group} --fleet-name hub --created --interval 1 --timeout 10")
    assert az(f"fleet update {named} --tags c=d")["tags"] == {"c": "d"}
    assert az(f"fleet update {named} --enable-managed-identity")["identity"]["type"] == "SystemAssigned"
    assert az(f"fleet update {named} --enable-managed-identity false")["identity"]["type"] == "None"
    before = az(f"fleet show {named}")["eTag"]
    assert az(f"fleet reconcile {named}")["eTag"] != before
    assert [found["name"] for found in az(f"fleet list -g {group}")] == ["hub", "plain"]
    assert {"hub", "plain"} <= {found["name"] for found in az("fleet list")}
    assert "HubProfileRequired" in az.refused(f"fleet get-credentials {named} --file -")
    az(f"fleet delete {named} --yes")
    az(f"fleet delete -g {group} -n hub --yes --no-wait")
    az(f"fleet wait -g {group} --fleet-name hub --deleted --interval 1 --timeout 10")
    assert "was not found" in az.refused(f"fleet show {named}")


def test_credentials_lead_to_the_hub_and_to_members(az, group, fleet, tmp_path):
    for name, words in [("hub", ""), ("member", "--member canary")]:
        az(f"fleet get-credentials -g {group} -n shop {words} --file {tmp_path / name}")
        assert "current-context:" in (tmp_path / name).read_text()
    az(f"fleet namespace create {fleet} -n team")
    az(f"fleet namespace get-credentials {fleet} -n team --file {tmp_path / 'namespace'}")
    assert "namespace: team" in (tmp_path / "namespace").read_text()


def test_members_join_change_and_leave(az, group, fleet):
    members = f"fleet member {{}} {fleet}"
    changed = az(members.format("update") + " -n canary --update-group early --labels", "tier=web")
    assert (changed["group"], changed["labels"]["tier"]) == ("early", "web")
    assert az(members.format("show") + " -n canary")["eTag"] == changed["eTag"]
    assert az(members.format("reconcile") + " -n canary")["eTag"] != changed["eTag"]
    assert [found["name"] for found in az(members.format("list"))] == ["canary", "prod"]
    nowhere = az(members.format("show") + " -n prod")["clusterResourceId"] + "-gone"
    assert "ClusterNotFound" in az.refused(members.format("create") + f" -n gone --member-cluster-id {nowhere}")
    az(members.format("delete") + " -n canary --yes")
    az(members.format("delete") + " -n prod --yes --no-wait")
    assert az(members.format("list")) == []
    cluster = az(f"aks show -g {group} -n prod")["id"]
    az(members.format("create") + f" -n prod --no-wait --member-cluster-id {cluster}")
    az(f"fleet member wait -g {group} --fleet-name shop --fleet-member-name prod --created --interval 1 --timeout 10")


def test_a_run_goes_through_its_gates(service, az, group, fleet):
    gate = [{"displayName": "look", "type": "Approval"}]
    az(f"fleet updatestrategy create {fleet} -n gated --stages", stages("canary", "prod", afterGates=gate))
    az(f"fleet updatestrategy wait {fleet} --update-strategy-name gated --created --interval 1 --timeout 10")
    assert [found["name"] for found in az(f"fleet updatestrategy list {fleet}")] == ["gated"]
    target = f"--upgrade-type Full --kubernetes-version {TO_VERSION} --node-image-selection Latest"
    made = az(f"fleet updaterun create {fleet} -n up {target} --update-strategy-name gated")
    strategy = az(f"fleet updatestrategy show {fleet} -n gated")
    assert (made["updateStrategyId"], made["strategy"]) == (strategy["id"], strategy["strategy"])
    az(f"fleet updaterun start {fleet} -n up")
    service.advance("PT1H")
    assert run_state(az, fleet, "up") == "Pending"
    gates = az(f"fleet gate list {fleet} --state-filter Pending")
    assert [found["displayName"] for found in gates] == ["look"]
    assert az(f"fleet gate approve {fleet} --gate-name {gates[0]['name']}")["state"] == "Completed"
    assert az(f"fleet gate update {fleet} --gate-name {gates[0]['name']} --gate-state Completed")["state"] == "Completed"
    assert az(f"fleet gate show {fleet} --gate-name {gates[0]['name']}")["state"] == "Completed"
    service.advance("PT1H")
    assert run_state(az, fleet, "up") == "Completed"
    assert az(f"aks show -g {group} -n prod")["currentKubernetesVersion"].startswith(TO_VERSION)
    az(f"fleet updatestrategy delete {fleet} -n gated --yes")
    assert az(f"fleet updatestrategy list {fleet}") == []


def test_a_run_is_stopped_skipped_and_deleted(service, az, fleet):
    made = f"fleet updaterun create {fleet} -n up --upgrade-type ControlPlaneOnly --kubernetes-version {TO_VERSION} --stages"
    az(made, stages("canary", "prod", afterStageWaitInSeconds=86400))
    az(f"fleet updaterun wait {fleet} --update-run-name up --created --interval 1 --timeout 10")
    az(f"fleet updaterun start {fleet} -n up --no-wait")
    assert "OperationNotAllowed" in az.refused(f"fleet updaterun start {fleet} -n up")
    az(f"fleet updaterun skip {fleet} -n up --targets AfterStageWait:canary Group:prod")
    az(f"fleet updaterun stop {fleet} -n up")
    service.advance("PT1H")
    assert run_state(az, fleet, "up") == "Stopped"
    assert [found["name"] for found in az(f"fleet updaterun list {fleet}")] == ["up"]
    az(f"fleet updaterun delete {fleet} -n up --yes")
    assert az(f"fleet updaterun list {fleet}") == []


def test_profiles_generate_runs(az, fleet):
    made = az(f"fleet autoupgradeprofile create {fleet} -n stable --channel Stable --node-image-selection Latest")
    assert (made["channel"], made["disabled"]) == ("Stable", False)
    pinned = f"--channel TargetKubernetesVersion --target-kubernetes-version {FROM_VERSION} --lts --disabled"
    assert az(f"fleet autoupgradeprofile create {fleet} -n pinned {pinned}")["longTermSupport"] is True
    named = "--auto-upgrade-profile-name stable"
    az(f"fleet autoupgradeprofile wait {fleet} {named} --created --interval 1 --timeout 10")
    assert az(f"fleet autoupgradeprofile show {fleet} -n stable")["eTag"] == made["eTag"]
    run = az(f"fleet autoupgradeprofile generate-update-run {fleet} -n stable")["id"]
    assert run in [found["id"] for found in az(f"fleet updaterun list {fleet}")]
    az(f"fleet autoupgradeprofile delete {fleet} -n pinned --yes")
    assert [found["name"] for found in az(f"fleet autoupgradeprofile list {fleet}")] == ["stable"]


def test_namespaces_are_made_changed_and_deleted(az, fleet):
    quota = "--cpu-requests 1000m --cpu-limits 2000m --memory-requests 500Mi --memory-limits 1Gi"
    policies = "--ingress-policy AllowSameNamespace --egress-policy AllowAll --delete-policy Delete --adoption-policy Never"
    placed = "--labels a=b --annotations c=d --member-cluster-names canary prod"
    made = az(f"fleet namespace create {fleet} -n team {quota} {policies} {placed}")
    assert made["managedNamespaceProperties"]["defaultResourceQuota"]["cpuLimit"] == "2000m"
    assert az(f"fleet namespace update {fleet} -n team --tags e=f")["tags"] == {"e": "f"}
    assert az(f"fleet namespace show {fleet} -n team")["tags"] == {"e": "f"}
    az(f"fleet namespace create {fleet} -n other --no-wait")
    az(f"fleet namespace wait {fleet} -n other --created --interval 1 --timeout 10")
    assert [found["name"] for found in az(f"fleet namespace list {fleet}")] == ["other", "team"]
    az(f"fleet namespace delete {fleet} -n team --yes")
    az(f"fleet namespace delete {fleet} -n other --yes --no-wait")
    assert az(f"fleet namespace list {fleet}") == []


def test_every_command_succeeded_above(az):
    """Last in this file: what the extension has, and no test above did, would go unnoticed."""
    az("fleet list")
    commands = az.commands("fleet")
    assert "fleet list" in commands
    assert commands - az.succeeded == set()
