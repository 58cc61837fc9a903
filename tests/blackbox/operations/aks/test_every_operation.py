"""What holds for every operation of the AKS SDK alike, served or not."""

import pytest
from azure.core.exceptions import ResourceNotFoundError

from ..sweep import MissingResources, Sweep, UnmetConditions, conditional, needing, offered
from .not_served import NOT_SERVED
from .population import populate


@pytest.fixture(scope="module")
def populated(service):
    return populate(service)


@pytest.mark.parametrize("operation", conditional("aks"), ids=str)
class TestConditions(UnmetConditions):
    sdk = "aks"


@pytest.mark.parametrize(("operation", "missing"), needing("aks", besides=NOT_SERVED), ids=str)
class TestMissing(MissingResources):
    sdk = "aks"


@pytest.mark.parametrize("operation", [found for found in offered("aks") if found.name in NOT_SERVED], ids=str)
class TestNotServed(Sweep):
    sdk = "aks"

    def test_what_is_not_served_is_no_resource_type(self, target):
        with pytest.raises(ResourceNotFoundError) as refused:
            target.call({parameter: target.names.get(parameter, "none") for parameter in target.operation.path})
        assert (refused.value.status_code, refused.value.error.code) == (404, "InvalidResourceType")
        target.client.record.not_served(target.operation.name)


def test_the_list_of_what_is_not_served_names_operations_of_the_sdk():
    assert NOT_SERVED.keys() <= {operation.name for operation in offered("aks")}
