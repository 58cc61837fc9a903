"""The AKS SDK's client under test."""

import pytest

from estate import Estate


@pytest.fixture
def estate(service, driver):
    estate = Estate(service)
    estate.aks = driver.client("aks", service, estate.subscription)
    return estate
