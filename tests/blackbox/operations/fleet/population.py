"""A fleet with one resource of each type, for what holds for every operation alike."""

from azure.mgmt.containerservicefleet import models
from azure.mgmt.containerservicefleet.models import AutoUpgradeProfile, Fleet, FleetHubProfile, GateConfiguration

from estate import FLEET, LOCATION, Estate, stage


def populate(service):
    """An estate, and the names of what is in it by the parameters that take them."""
    estate = Estate(service)
    hub = Fleet(location=LOCATION, hub_profile=FleetHubProfile(dns_prefix="hub"))
    estate.fleets.fleets.begin_create_or_update(estate.group, FLEET, hub).result()
    estate.bulk("m-", 1, groups=["all"])
    gated = stage("only", "all")
    gated.before_gates = [GateConfiguration(type="Approval")]
    estate.create_run("it", estate.strategy("it", gated))
    estate.act("it", "start")
    estate.service.advance("PT1S")
    (gate,) = estate.fleets.gates.list_by_fleet(estate.group, FLEET)
    profile = AutoUpgradeProfile({"properties": {"channel": "Stable", "disabled": True}})
    estate.fleets.auto_upgrade_profiles.begin_create_or_update(estate.group, FLEET, "it", profile).result()
    namespace = {"location": LOCATION, "properties": {"adoptionPolicy": "Never", "deletePolicy": "Keep"}}
    estate.fleets.fleet_managed_namespaces.begin_create_or_update(estate.group, FLEET, "it", namespace).result()
    if hasattr(models, "ClusterMeshProfile"):
        estate.fleets.cluster_mesh_profiles.begin_create_or_update(
            estate.group, FLEET, "it", {"properties": {"memberSelector": {"byLabel": "a=b"}}}
        ).result()
    return estate, {
        "resource_group_name": estate.group,
        "fleet_name": FLEET,
        "fleet_member_name": "m-0",
        "update_strategy_name": "it",
        "update_run_name": "it",
        "gate_name": gate.name,
        "auto_upgrade_profile_name": "it",
        "managed_namespace_name": "it",
        "cluster_mesh_profile_name": "it",
    }
