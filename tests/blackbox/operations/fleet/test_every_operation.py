"""What holds for every operation of the fleet SDK alike."""

import pytest

from ..sweep import MissingResources, UnmetConditions, conditional, needing
from .population import populate


@pytest.fixture(scope="module")
def populated(service):
    return populate(service)


@pytest.mark.parametrize("operation", conditional("fleet"), ids=str)
class TestConditions(UnmetConditions):
    sdk = "fleet"


@pytest.mark.parametrize(("operation", "missing"), needing("fleet"), ids=str)
class TestMissing(MissingResources):
    sdk = "fleet"
