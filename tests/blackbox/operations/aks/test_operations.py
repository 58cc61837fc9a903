"""What the provider can do: the group `operations`."""


def test_every_action_has_a_name_and_texts_for_people(estate):
    found = {operation.name: operation for operation in estate.aks.operations.list()}
    stop = found["Microsoft.ContainerService/managedClusters/stop/action"]
    assert stop.provider and stop.resource and stop.description
    assert "Microsoft.ContainerService/managedClusters/agentPools/read" in found
