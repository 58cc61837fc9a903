"""Update strategies: the group `fleet_update_strategies`."""

import pytest
from azure.core.exceptions import HttpResponseError, ResourceNotFoundError

from estate import FLEET, group, stage

from ..conditions import MISSING, unchanged


@pytest.fixture
def strategies(estate):
    """The operations of strategies; there is a fleet."""
    estate.fleet()
    return estate.fleets.fleet_update_strategies


def test_a_strategy_is_made_read_replaced_and_deleted(estate, strategies):
    stages = [stage("canary", group("canary", "1"), wait=3600), stage("prod", "eu", "us", concurrency="50%")]
    made = estate.strategy("it", *stages, **MISSING)
    assert (made.name, made.properties.provisioning_state) == ("it", "Succeeded")
    canary, prod = made.properties.strategy.stages
    assert (canary.after_stage_wait_in_seconds, canary.groups[0].max_concurrency) == (3600, "1")
    assert ([entry.name for entry in prod.groups], prod.max_concurrency) == (["eu", "us"], "50%")
    assert strategies.get(estate.group, FLEET, "it").as_dict() == made.as_dict()

    replaced = estate.strategy("it", stage("all", "everyone"), **unchanged(made))
    assert [entry.name for entry in replaced.properties.strategy.stages] == ["all"]

    assert strategies.begin_delete(estate.group, FLEET, "it", **unchanged(replaced)).result() is None
    with pytest.raises(ResourceNotFoundError):
        strategies.get(estate.group, FLEET, "it")


def test_strategies_are_listed_page_by_page(estate, strategies):
    for name in ["c", "a", "b"]:
        estate.strategy(name, stage("all", "everyone"))
    pages = strategies.list_by_fleet(estate.group, FLEET, top=1).by_page()
    assert [strategy.name for strategy in next(pages)] == ["a"]
    rest = strategies.list_by_fleet(estate.group, FLEET).by_page(continuation_token=pages.continuation_token)
    assert [[strategy.name for strategy in page] for page in rest] == [["b"], ["c"]]


def test_stages_of_one_name_are_refused_with_their_place(estate, strategies):
    with pytest.raises(HttpResponseError) as refused:
        estate.strategy("it", stage("same", "a"), stage("Same", "b"))
    assert refused.value.status_code == 400
    assert "stages[1]" in str(refused.value.error.target)
