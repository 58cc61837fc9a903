"""What the provider can do: the group `operations`."""


def test_every_action_has_a_name_and_texts_for_people(estate):
    found = {operation.name: operation for operation in estate.fleets.operations.list()}
    start = found["Microsoft.ContainerService/fleets/updateRuns/start/action"]
    assert start.display.provider and start.display.resource and start.display.description
    assert "Microsoft.ContainerService/fleets/read" in found
