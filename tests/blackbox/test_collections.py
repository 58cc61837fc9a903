"""Lists through the official SDKs: pages, their links, and walking them while the collection changes."""

import pytest

from estate import FLEET


@pytest.fixture
def crowded(estate):
    """A fleet of 250 members."""
    estate.fleet()
    estate.bulk("m-", 250)
    return estate


def test_every_member_is_listed_once_over_several_pages(crowded):
    pages = crowded.fleets.fleet_members.list_by_fleet(crowded.group, FLEET, top=100).by_page()
    names = [[member.name for member in page] for page in pages]
    assert [len(page) for page in names] == [100, 100, 50]
    flat = [name for page in names for name in page]
    assert flat == sorted(f"m-{number}" for number in range(250))


def test_the_last_page_has_no_link(crowded):
    path = crowded.path(f"fleets/{FLEET}/members?api-version=2026-06-01&$top=200")
    first = crowded.service.call("GET", path).json()
    assert first["nextLink"].startswith(f"{crowded.service.url}/subscriptions/")
    rest = crowded.service.call("GET", first["nextLink"].removeprefix(crowded.service.url)).json()
    assert (len(first["value"]), len(rest["value"])) == (200, 50)
    assert "nextLink" not in rest


def test_a_walk_sees_all_that_was_there_throughout(crowded):
    before = {f"m-{number}" for number in range(250)}
    pages = crowded.fleets.fleet_members.list_by_fleet(crowded.group, FLEET, top=100).by_page()
    seen = [member.name for member in next(pages)]
    crowded.fleets.fleet_members.begin_delete(crowded.group, FLEET, seen[0]).result()
    crowded.bulk("a-", 5)
    seen += [member.name for page in pages for member in page]
    assert len(seen) == len(set(seen))
    assert before <= set(seen)
