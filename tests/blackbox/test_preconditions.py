"""eTags through the official SDKs: what a stale, a current and a wildcard condition do to each kind of resource."""

import copy
from concurrent.futures import ThreadPoolExecutor

import pytest
from azure.core import MatchConditions
from azure.core.exceptions import HttpResponseError, ResourceModifiedError
from azure.mgmt.containerservicefleet.models import Fleet

from estate import FLEET, LOCATION, stage

STALE = '"00000000-0000-0000-0000-000000000000"'
PATHS = {
    "fleet": f"fleets/{FLEET}",
    "strategy": f"fleets/{FLEET}/updateStrategies/it",
    "run": f"fleets/{FLEET}/updateRuns/it",
    "member": f"fleets/{FLEET}/members/it",
    "cluster": "managedClusters/it",
}


def put(estate, kind, **condition):
    """Creates or replaces a resource of the kind by PUT."""
    calls = {
        "fleet": lambda: estate.fleets.fleets.begin_create_or_update(
            estate.group, FLEET, Fleet(location=LOCATION), **condition
        ).result(),
        "strategy": lambda: estate.strategy("it", stage("only", "group"), **condition),
        "run": lambda: estate.create_run("it", **condition),
        "member": lambda: estate.member("it", **condition),
        "cluster": lambda: estate.cluster("it", **condition),
    }
    return calls[kind]()


def status_of(call, *args, **condition):
    """The status of a call that must fail."""
    with pytest.raises(HttpResponseError) as refused:
        call(*args, **condition)
    return refused.value.status_code, refused.value.error.code


@pytest.fixture(params=list(PATHS))
def kind(request):
    return request.param


@pytest.fixture
def present(estate, kind):
    """A resource of the kind, in a fleet."""
    if kind != "fleet":
        estate.fleet()
    return put(estate, kind)


def test_a_stale_etag_is_refused_and_changes_nothing(estate, kind, present):
    with pytest.raises(ResourceModifiedError) as refused:
        put(estate, kind, etag=STALE, match_condition=MatchConditions.IfNotModified)
    assert refused.value.status_code == 412
    assert refused.value.error.code == "PreconditionFailed"
    assert present.e_tag.strip('"') in refused.value.error.message
    url = estate.path(PATHS[kind])
    version = "2026-08-01" if kind == "cluster" else "2026-06-02-preview"
    body = estate.service.call("GET", f"{url}?api-version={version}").json()
    assert body["eTag"] == present.e_tag


def test_the_current_etag_is_accepted_and_renewed(estate, kind, present):
    again = put(estate, kind, etag=present.e_tag, match_condition=MatchConditions.IfNotModified)
    assert again.e_tag != present.e_tag
    assert status_of(put, estate, kind, etag=present.e_tag, match_condition=MatchConditions.IfNotModified)[0] == 412


def test_only_if_missing_refuses_what_exists(estate, kind, present):
    assert status_of(put, estate, kind, match_condition=MatchConditions.IfMissing) == (412, "PreconditionFailed")


def test_only_if_present_refuses_what_is_missing(estate, kind):
    if kind != "fleet":
        estate.fleet()
    assert status_of(put, estate, kind, match_condition=MatchConditions.IfPresent) == (412, "PreconditionFailed")
    assert put(estate, kind, match_condition=MatchConditions.IfMissing).e_tag


def test_a_run_is_not_started_with_a_stale_etag(estate):
    estate.fleet()
    run = estate.create_run("it")
    stale = {"etag": STALE, "match_condition": MatchConditions.IfNotModified}
    with pytest.raises(ResourceModifiedError):
        estate.runs.begin_start(estate.group, FLEET, "it", **stale).result()
    assert estate.run("it").e_tag == run.e_tag


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
