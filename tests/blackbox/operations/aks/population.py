"""One resource of each type of the AKS SDK, for what holds for every operation alike."""

from azure.mgmt.containerservice.models import (
    CreationData,
    MaintenanceConfiguration,
    MaintenanceWindow,
    Schedule,
    Snapshot,
    WeeklySchedule,
)

from estate import LOCATION, Estate

CONFIGURATION = "aksManagedAutoUpgradeSchedule"
NEWER = "AKSUbuntu-2204gen2containerd-202701.{}.0"


def window(duration=8):
    """A maintenance configuration: Saturday nights, for these hours."""
    weekly = WeeklySchedule(interval_weeks=1, day_of_week="Saturday")
    return MaintenanceConfiguration(
        maintenance_window=MaintenanceWindow(
            schedule=Schedule(weekly=weekly), duration_hours=duration, utc_offset="+01:00", start_time="22:00"
        )
    )


def snapshot(estate):
    """A snapshot of the pool of the cluster `it`."""
    pool = estate.path("managedClusters/it/agentPools/system")
    return Snapshot(location=LOCATION, creation_data=CreationData(source_resource_id=pool))


def publish(estate):
    """A newer node image than any other, everywhere: a module's tests share the catalogue."""
    known = str(estate.service.simulator("GET", "/catalogue"))
    image = next(image for image in map(NEWER.format, range(10, 100)) if image not in known)
    estate.service.simulator("POST", "/releases", {"kind": "NodeImage", "version": image})
    return image


def populate(service):
    """An estate, and the names of what is in it by the parameters that take them."""
    estate = Estate(service)
    estate.cluster("it")
    estate.aks.maintenance_configurations.create_or_update(estate.group, "it", CONFIGURATION, window())
    estate.aks.snapshots.create_or_update(estate.group, "it", snapshot(estate))
    return estate, {
        "resource_group_name": estate.group,
        "resource_name": "it",
        "agent_pool_name": "system",
        "config_name": CONFIGURATION,
        "location": LOCATION,
    }
