"""eTags through the official SDK: repeated deletes, unchanged resources and races."""

import copy
from concurrent.futures import ThreadPoolExecutor

import pytest
from azure.core import MatchConditions
from azure.core.exceptions import ResourceModifiedError

from estate import FLEET, stage

STALE = '"00000000-0000-0000-0000-000000000000"'


def test_a_delete_needs_the_current_etag_and_may_be_repeated(estate):
    estate.fleet()
    strategies = estate.fleets.fleet_update_strategies
    found = estate.strategy("it", stage("only", "group"))
    with pytest.raises(ResourceModifiedError):
        strategies.begin_delete(
            estate.group, FLEET, "it", etag=STALE, match_condition=MatchConditions.IfNotModified
        ).result()
    current = {"etag": found.e_tag, "match_condition": MatchConditions.IfNotModified}
    strategies.begin_delete(estate.group, FLEET, "it", **current).result()
    strategies.begin_delete(estate.group, FLEET, "it", **current).result()
    assert list(strategies.list_by_fleet(estate.group, FLEET)) == []


def test_an_unchanged_resource_is_not_sent_again(estate):
    found = estate.fleet()
    path = estate.path(f"fleets/{FLEET}?api-version=2026-06-01")
    first = estate.service.call("GET", path)
    assert first.headers["ETag"] == first.json()["eTag"] == found.e_tag
    again = estate.service.call("GET", path, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_of_concurrent_writes_with_one_etag_exactly_one_succeeds(estate):
    estate.fleet()
    found = estate.strategy("it", stage("only", "group"))
    writers = 8

    def write(number):
        own = copy.copy(estate)
        own.connect()
        condition = {"etag": found.e_tag, "match_condition": MatchConditions.IfNotModified}
        try:
            own.strategy("it", stage(f"stage-{number}", "group"), **condition)
            return 200
        except ResourceModifiedError as refused:
            return refused.status_code

    with ThreadPoolExecutor(writers) as pool:
        answers = sorted(pool.map(write, range(writers)))
    assert answers == [200] + [412] * (writers - 1)
