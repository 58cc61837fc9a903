"""The fleet SDK's client under test; clusters are made with the plain client of the other SDK."""

import pytest
from azure.mgmt.containerservicefleet import models

from estate import Estate

# Not in every version of the SDK.
collect_ignore = [] if hasattr(models, "ClusterMeshProfile") else ["test_cluster_mesh_profiles.py"]


@pytest.fixture
def estate(service, driver):
    estate = Estate(service)
    estate.fleets = driver.client("fleet", service, estate.subscription)
    return estate
