"""The plain and the asynchronous client behind one surface, that of the plain one; what they do is recorded."""

import asyncio
import inspect

import azure.mgmt.containerservice as aks
import azure.mgmt.containerservice.aio as aks_aio
import azure.mgmt.containerservicefleet as fleet
import azure.mgmt.containerservicefleet.aio as fleet_aio
from azure.core.exceptions import ResourceModifiedError

from clients import connect

from .coverage import Record

KINDS = {
    ("fleet", "sync"): fleet.ContainerServiceFleetMgmtClient,
    ("fleet", "async"): fleet_aio.ContainerServiceFleetMgmtClient,
    ("aks", "sync"): aks.ContainerServiceClient,
    ("aks", "async"): aks_aio.ContainerServiceClient,
}


class Driver:
    """Clients of one mode, `sync` or `async`; the latter's coroutines run on a loop of the driver's."""

    def __init__(self, mode, records):
        self.mode = mode
        self.loop = asyncio.new_event_loop()
        self.records = records
        self.clients = []

    def client(self, sdk, service, subscription, recorded=True):
        """A client of an SDK, `fleet` or `aks`."""
        client = connect(KINDS[sdk, self.mode], service, subscription)
        self.clients.append(client)
        record = self.records.of(sdk, self.mode, client) if recorded else Record(client)
        return Client(client, record, self.settle)

    def settle(self, answer):
        """The value itself, or what it comes to where it has to be awaited."""
        return self.loop.run_until_complete(answer) if inspect.isawaitable(answer) else answer

    def close(self):
        """Closes the clients' connections."""
        for client in self.clients:
            self.settle(client.close())
        self.loop.close()


class Client:
    """A client; its attributes are its operations groups."""

    def __init__(self, client, record, settle):
        self._client, self.record, self._settle = client, record, settle

    def __getattr__(self, group):
        return Group(group, getattr(self._client, group), self.record, self._settle)


class Group:
    """An operations group; its attributes are its operations."""

    def __init__(self, name, group, record, settle):
        self._name, self._group, self.record, self._settle = name, group, record, settle

    def __getattr__(self, operation):
        def call(*arguments, **options):
            def succeeded():
                self.record.succeeded(f"{self._name}.{operation}", options.get("match_condition"))

            try:
                answer = self._settle(getattr(self._group, operation)(*arguments, **options))
            except ResourceModifiedError:
                self.record.refused_stale(f"{self._name}.{operation}")
                raise
            if hasattr(answer, "by_page"):
                return Items(answer, self._settle, succeeded)
            if hasattr(answer, "polling_method"):
                return Poller(answer, self._settle, succeeded)
            succeeded()
            return answer

        return call


class Poller:
    """A poller; the operation has succeeded once its result is there."""

    def __init__(self, poller, settle, succeeded):
        self._poller, self._settle, self._succeeded = poller, settle, succeeded

    def result(self):
        result = self._settle(self._poller.result())
        self._succeeded()
        return result

    def wait(self):
        self._settle(self._poller.wait())

    def __getattr__(self, name):
        return getattr(self._poller, name)


class Items:
    """A list; the operation has succeeded once its last item was seen."""

    def __init__(self, items, settle, succeeded):
        self._items, self._settle, self._succeeded = items, settle, succeeded

    def __iter__(self):
        yield from walk(self._items, self._settle)
        self._succeeded()

    def by_page(self, continuation_token=None):
        return Pages(self._items.by_page(continuation_token), self._settle, self._succeeded)


class Pages:
    """The pages of a list, each a list itself; `continuation_token` leads to the page that comes next."""

    def __init__(self, pages, settle, succeeded):
        self._pages, self._settle = pages, settle
        self._walk = self._to_the_end(succeeded)

    def _to_the_end(self, succeeded):
        for page in walk(self._pages, self._settle):
            yield list(walk(page, self._settle))
        succeeded()

    def __iter__(self):
        return self._walk

    def __next__(self):
        return next(self._walk)

    @property
    def continuation_token(self):
        return self._pages.continuation_token


def walk(items, settle):
    """Iterates over what may have to be awaited."""
    if not hasattr(items, "__aiter__"):
        yield from items
        return
    items = items.__aiter__()
    while True:
        try:
            yield settle(items.__anext__())
        except StopAsyncIteration:
            return
