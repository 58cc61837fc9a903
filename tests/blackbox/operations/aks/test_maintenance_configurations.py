"""Maintenance configurations: the group `maintenance_configurations`."""

import pytest
from azure.core.exceptions import HttpResponseError, ResourceNotFoundError

from .population import CONFIGURATION, window

OTHER = "aksManagedNodeOSUpgradeSchedule"


@pytest.fixture
def configurations(estate):
    """The operations of configurations; the cluster `it` is there."""
    estate.cluster("it")
    return estate.aks.maintenance_configurations


def test_a_configuration_is_made_read_replaced_and_deleted(estate, configurations):
    made = configurations.create_or_update(estate.group, "it", CONFIGURATION, window())
    assert (made.name, made.maintenance_window.duration_hours) == (CONFIGURATION, 8)
    assert made.maintenance_window.schedule.weekly.day_of_week == "Saturday"
    assert configurations.get(estate.group, "it", CONFIGURATION).as_dict() == made.as_dict()
    replaced = configurations.create_or_update(estate.group, "it", CONFIGURATION, window(duration=12))
    assert replaced.maintenance_window.duration_hours == 12
    assert configurations.delete(estate.group, "it", CONFIGURATION) is None
    with pytest.raises(ResourceNotFoundError):
        configurations.get(estate.group, "it", CONFIGURATION)


def test_configurations_are_listed_page_by_page(estate, configurations):
    for name in [OTHER, CONFIGURATION]:
        configurations.create_or_update(estate.group, "it", name, window())
    pages = configurations.list_by_managed_cluster(estate.group, "it", params={"$top": 1}).by_page()
    assert [found.name for found in next(pages)] == [CONFIGURATION]
    rest = configurations.list_by_managed_cluster(estate.group, "it")
    rest = rest.by_page(continuation_token=pages.continuation_token)
    assert [[found.name for found in page] for page in rest] == [[OTHER]]


def test_a_window_of_three_hours_is_too_short(estate, configurations):
    with pytest.raises(HttpResponseError) as refused:
        configurations.create_or_update(estate.group, "it", CONFIGURATION, window(duration=3))
    assert refused.value.status_code == 400
    assert refused.value.error.target == "properties.maintenanceWindow.durationHours"
