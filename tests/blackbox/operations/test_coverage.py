"""The table itself: whatever was not seen to work fails the run."""

import json

import pytest
from azure.core import MatchConditions

from . import coverage


class Group:
    """An operations group of a client that there is not."""

    def get(self, name):
        """Takes no eTag."""

    def begin_delete(self, name, *, etag=None, match_condition=None):
        """Takes one."""


class Client:
    def __init__(self):
        self._config, self.things = None, Group()


@pytest.fixture
def record():
    return coverage.Record(Client())


def test_an_operation_is_missing_until_it_succeeds(record):
    assert record.as_dict() == {"things.begin_delete": "MISSING", "things.get": "MISSING"}
    record.succeeded("things.get")
    assert record.as_dict() == {"things.begin_delete": "MISSING", "things.get": "yes"}


def test_one_that_takes_an_etag_has_to_heed_it(record):
    record.succeeded("things.begin_delete")
    assert record.verdict("things.begin_delete") == "NO ETAG"
    record.succeeded("things.begin_delete", MatchConditions.IfNotModified)
    assert record.verdict("things.begin_delete") == "NO ETAG"
    record.refused_stale("things.begin_delete")
    assert record.verdict("things.begin_delete") == "yes"


def write(folder, verdict, clients=coverage.CLIENTS):
    for client in clients:
        (folder / f"{client}.json").write_text(json.dumps({"things.get": verdict}))


@pytest.mark.parametrize(("verdict", "code"), [("yes", 0), ("404", 0), ("MISSING", 1), ("NO ETAG", 1)])
def test_a_missing_operation_fails_the_run(tmp_path, verdict, code):
    write(tmp_path, verdict)
    assert coverage.main(tmp_path) == code


def test_a_client_that_nothing_is_known_of_fails_the_run(tmp_path, capsys):
    write(tmp_path, "yes", coverage.CLIENTS[1:])
    assert coverage.main(tmp_path) == 1
    assert f"nothing is known of {coverage.CLIENTS[0]}" in capsys.readouterr().out


def test_python_s_and_node_s_spellings_meet_in_one_row():
    assert coverage.row("fleetMembers.listByFleet") == coverage.row("fleet_members.list_by_fleet")
    assert coverage.row("fleets.begin_delete") == coverage.row("fleets.delete")
