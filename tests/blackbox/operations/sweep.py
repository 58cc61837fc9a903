"""What holds for every operation alike: what conditions that do not hold, and what is missing, come to.

The operations are read off the clients; a call is put together from the names of its parameters.
"""

import inspect
import re

import pytest
from azure.core import MatchConditions
from azure.core.exceptions import HttpResponseError, ResourceExistsError, ResourceModifiedError, ResourceNotFoundError

from clients import connect

from .conditions import MISSING, PRESENT, STALE
from .coverage import operations, takes_etag
from .driver import KINDS

#: The parameters that carry a body.
BODIES = {"resource", "properties", "body", "parameters", "machines", "request_payload", "trusted_access_role_binding"}
#: What an operation's name says it does; `list_credentials` and its like are no lists of resources.
VERBS = {"create": "create(_or_update)?", "list": "list(_by_.+)?", "delete": "delete"}
#: A name that nothing has, fit for every type.
NOBODY = "00000000-0000-0000-0000-000000000000"


class Nowhere:
    """A service that is never called."""

    url = "http://127.0.0.1"


class Target:
    """An operation, and the resources to call it on: their names by the parameters that take them."""

    def __init__(self, client, operation, names):
        self.group, self.name = operation.name.split(".")
        self.client, self.operation = client, operation
        self.operations = getattr(client, self.group)
        self.names = names

    def call(self, names=None, **options):
        """Calls it and waits for its end; a body is empty, since what is refused here is so before it is read."""
        names = names or self.names
        given = [{} if name in BODIES else names[name] for name in self.operation.parameters]
        answer = getattr(self.operations, self.name)(*given, **options)
        if hasattr(answer, "by_page"):
            return list(answer)
        return answer.result() if hasattr(answer, "result") else answer

    def read(self):
        """The resource as it is."""
        return self.operations.get(*[self.names[name] for name in self.operation.path])

    def without(self, parameter):
        """The names with one that nothing has."""
        return {**self.names, parameter: NOBODY}


class Operation:
    """An operation of an SDK, as its signature tells it."""

    def __init__(self, name, method):
        self.name = name
        self.takes_etag = takes_etag(method)
        found = inspect.signature(method).parameters.values()
        self.parameters = [parameter.name for parameter in found if parameter.kind is parameter.POSITIONAL_OR_KEYWORD]

    @property
    def path(self):
        """The parameters that name the resource, its parents first."""
        return [name for name in self.parameters if name not in BODIES]

    def does(self, *verbs):
        """Whether it does one of these: create, list or delete."""
        name = self.name.split(".")[1].removeprefix("begin_")
        return any(re.fullmatch(VERBS[verb], name) for verb in verbs)

    def __str__(self):
        return self.name


def offered(sdk):
    """The operations of an SDK."""
    return [Operation(*found) for found in operations(connect(KINDS[sdk, "sync"], Nowhere, NOBODY))]


def conditional(sdk):
    """The operations that take an eTag."""
    return [operation for operation in offered(sdk) if operation.takes_etag]


def needing(sdk, besides=()):
    """The operations, but for some, each with every parameter that names what has to be there."""
    return [
        (operation, parameter)
        for operation in offered(sdk)
        if operation.name not in besides
        # A group is made by what is written into it, and what is to be created is not there as a rule.
        for parameter in (operation.path[1:-1] if operation.does("create") else operation.path[1:])
    ]


class Sweep:
    """Tests of each `operation` of an `sdk` on what is `populated`."""

    recorded = True

    @pytest.fixture
    def target(self, operation, driver, populated):
        estate, names = populated
        return Target(driver.client(self.sdk, estate.service, estate.subscription, self.recorded), operation, names)


class UnmetConditions(Sweep):
    """Of operations that take an eTag: a condition that does not hold is refused, and nothing changes."""

    @pytest.fixture(autouse=True)
    def nothing_changes(self, target):
        before = target.read().as_dict()
        yield
        assert target.read().as_dict() == before

    def test_a_stale_etag_is_refused(self, target):
        with pytest.raises(ResourceModifiedError) as refused:
            target.call(etag=STALE, match_condition=MatchConditions.IfNotModified)
        assert (refused.value.status_code, refused.value.error.code) == (412, "PreconditionFailed")
        assert target.read().e_tag.strip('"') in refused.value.error.message

    def test_only_where_there_is_nothing_refuses_what_is_there(self, target):
        with pytest.raises(ResourceExistsError) as refused:
            target.call(**MISSING)
        assert (refused.value.status_code, refused.value.error.code) == (412, "PreconditionFailed")

    def test_only_where_there_is_something_makes_nothing(self, target):
        names = target.without(target.operation.path[-1])
        if target.operation.does("delete"):
            assert target.call(names, **PRESENT) is None
            return
        with pytest.raises(ResourceNotFoundError) as refused:
            target.call(names, **PRESENT)
        expected = (412, "PreconditionFailed") if target.operation.does("create") else (404, "ResourceNotFound")
        assert (refused.value.status_code, refused.value.error.code) == expected

    def test_only_where_it_was_modified_is_no_condition_of_a_write(self, target):
        with pytest.raises(HttpResponseError) as refused:
            target.call(etag=STALE, match_condition=MatchConditions.IfModified)
        assert (refused.value.status_code, refused.value.error.code) == (400, "BadRequest")


class MissingResources(Sweep):
    """Of operations with a parameter, `missing`, that names a resource or parent that is not there."""

    #: Deleting what is missing does not show that deleting works.
    recorded = False

    def test_what_is_missing_is_not_found_and_may_be_deleted(self, target, missing):
        names = target.without(missing)
        if target.operation.does("delete"):
            assert target.call(names) is None
            return
        with pytest.raises(ResourceNotFoundError) as refused:
            target.call(names)
        expected = "ParentResourceNotFound" if target.operation.does("create", "list") else "ResourceNotFound"
        assert (refused.value.status_code, refused.value.error.code) == (404, expected)
