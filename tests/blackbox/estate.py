"""A resource group of one test's own: clusters, a fleet with members, strategies and runs in the SDKs' terms."""

import uuid

from azure.mgmt.containerservice.models import (
    ManagedCluster,
    ManagedClusterAgentPoolProfile,
    ManagedClusterIdentity,
)
from azure.mgmt.containerservicefleet.models import (
    Fleet,
    FleetMember,
    FleetUpdateStrategy,
    ManagedClusterUpdate,
    ManagedClusterUpgradeSpec,
    UpdateGroup,
    UpdateRun,
    UpdateRunStrategy,
    UpdateStage,
)

from clients import aks_client, fleet_client

LOCATION = "westeurope"
FROM_VERSION = "1.35"
TO_VERSION = "1.36"
FLEET = "estate"
#: A control plane takes five minutes, then a pool of one node three.
UPGRADE = "PT8M"


class Estate:
    """One subscription, one group, one fleet."""

    def __init__(self, service):
        self.service = service
        self.subscription = str(uuid.uuid4())
        self.group = f"rg-{uuid.uuid4().hex[:8]}"
        self.connect()

    def connect(self):
        """New clients: after a restart the service is on another port."""
        self.fleets = fleet_client(self.service, self.subscription)
        self.aks = aks_client(self.service, self.subscription)

    def path(self, rest):
        """The URL path of a resource of the provider in the group."""
        group = f"/subscriptions/{self.subscription}/resourceGroups/{self.group}"
        return f"{group}/providers/Microsoft.ContainerService/{rest}"

    def fleet(self):
        return self.fleets.fleets.begin_create_or_update(self.group, FLEET, Fleet(location=LOCATION)).result()

    def cluster(self, name, **options):
        pool = ManagedClusterAgentPoolProfile(
            name="system", mode="System", os_type="Linux", vm_size="Standard_D2s_v5", count=1
        )
        body = ManagedCluster(
            location=LOCATION,
            dns_prefix=name,
            identity=ManagedClusterIdentity(type="SystemAssigned"),
            kubernetes_version=FROM_VERSION,
            agent_pool_profiles=[pool],
        )
        return self.aks.managed_clusters.begin_create_or_update(self.group, name, body, **options).result()

    def member(self, name, group=None, **options):
        """A member whose cluster has its name; makes the cluster, too."""
        body = FleetMember(cluster_resource_id=self.cluster(name).id, group=group)
        return self.fleets.fleet_members.begin_create(self.group, FLEET, name, body, **options).result()

    def bulk(self, prefix, count, **options):
        """Many clusters at once, each a member of the fleet."""
        body = {
            "subscriptionId": self.subscription,
            "resourceGroup": self.group,
            "namePrefix": prefix,
            "count": count,
            "regions": [LOCATION],
            "kubernetesVersion": FROM_VERSION,
            "pools": [{"name": "system", "mode": "System", "osType": "Linux", "vmSize": "Standard_D2s_v5", "count": 1}],
            "fleet": FLEET,
            **options,
        }
        return self.service.simulator("POST", "/clusters", body)

    def strategy(self, name, *stages, **options):
        body = FleetUpdateStrategy(strategy=UpdateRunStrategy(stages=list(stages)))
        return self.fleets.fleet_update_strategies.begin_create_or_update(
            self.group, FLEET, name, body, **options
        ).result()

    def create_run(self, name, strategy=None, **options):
        """A Full run to the newer version; one by one over all members without a strategy."""
        upgrade = ManagedClusterUpgradeSpec(type="Full", kubernetes_version=TO_VERSION)
        body = UpdateRun(
            update_strategy_id=strategy and strategy.id,
            managed_cluster_update=ManagedClusterUpdate(upgrade=upgrade),
        )
        return self.runs.begin_create_or_update(self.group, FLEET, name, body, **options).result()

    @property
    def runs(self):
        return self.fleets.update_runs

    def act(self, name, action, *body, **options):
        """Starts, stops or skips parts of a run; the run as the answer shows it."""
        return getattr(self.runs, f"begin_{action}")(self.group, FLEET, name, *body, **options).result()

    def run(self, name):
        return self.runs.get(self.group, FLEET, name)

    def version(self, cluster):
        """The control plane's and the pool's minor version; they must agree."""
        found = self.aks.managed_clusters.get(self.group, cluster)
        pool = found.agent_pool_profiles[0].current_orchestrator_version
        assert found.current_kubernetes_version == pool, cluster
        return ".".join(pool.split(".")[:2])


def stage(name, *groups, wait=None, concurrency=None):
    """A stage of groups that are named or made with `group`."""
    groups = [entry if isinstance(entry, UpdateGroup) else UpdateGroup(name=entry) for entry in groups]
    return UpdateStage(name=name, groups=groups, after_stage_wait_in_seconds=wait, max_concurrency=concurrency)


def group(name, concurrency):
    """A group with its own concurrency."""
    return UpdateGroup(name=name, max_concurrency=concurrency)


def state(part):
    """The state of a run, stage, group, wait or member."""
    status = part.properties.status if hasattr(part, "properties") else part
    return status.status.state


def members(run):
    """The members of a run by name."""
    groups = (group for stage in run.properties.status.stages for group in stage.groups)
    return {member.name: member for group in groups for member in group.members}


def states(run):
    """The state of each member of a run."""
    return {name: state(member) for name, member in members(run).items()}
