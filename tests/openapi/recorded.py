"""What there is when an operation is tried: the resources that `openapi/examples.json` makes, made again when they are gone."""

import json
import zlib
from pathlib import Path
from urllib.parse import urlsplit

import requests

OPENAPI = Path(__file__).resolve().parents[2] / "openapi"
EXAMPLES = json.loads((OPENAPI / "examples.json").read_text())

#: What makes everything that there is, in an order in which it can be made.
MAKING = [
    "ResourceGroups_CreateOrUpdate",
    "ManagedClusters_CreateOrUpdate",
    "AgentPools_CreateOrUpdate",
    "MaintenanceConfigurations_CreateOrUpdate",
    "Snapshots_CreateOrUpdate",
    "Fleets_CreateOrUpdate",
    "FleetMembers_Create",
    "FleetUpdateStrategies_CreateOrUpdate",
    "AutoUpgradeProfiles_CreateOrUpdate",
    "ClusterMeshProfiles_CreateOrUpdate",
    "FleetManagedNamespaces_CreateOrUpdate",
    "UpdateRuns_CreateOrUpdate",
    "UpdateRuns_Start",
]


#: A scaled clock goes no faster, clusters made at once are no more than this.
MAX_SCALE = 1000
MAX_CLUSTERS = 5


PROVIDER = "/subscriptions/11111111-2222-3333-4444-555555555555/resourceGroups/rg/providers/Microsoft.ContainerService"
#: Texts in bodies that no schema can tell: what is known to the service.
KNOWN = {
    "location": "westeurope",
    "kubernetesVersion": "1.36",
    "orchestratorVersion": "1.36",
    "clusterResourceId": f"{PROVIDER}/managedClusters/c1",
    "sourceResourceId": f"{PROVIDER}/managedClusters/c1/agentPools/work",
    "updateStrategyId": f"{PROVIDER}/fleets/fleet1/updateStrategies/careful",
}


class Estate:
    """One service and what is in it."""

    def __init__(self, service):
        self.service = service
        self.url = service.url
        self.session = requests.Session()
        self.prepared = None
        self.names = {}

    def call(self, case):
        """Sends a case, made one that gets somewhere and that ends; what is missing for it is made before."""
        operation = case.operation.definition.raw["operationId"]
        if self.prepared != operation:
            self._make()
        self._name(case)
        if isinstance(case.body, dict):
            _bound(operation, case.body)
        answer = case.call(base_url=self.url, session=self.session)
        takes_away = operation.endswith("_Delete") and answer.status_code in (200, 202)
        self.prepared = None if takes_away else operation
        return answer

    def _play(self, operation):
        """Sends an example's request; what is there already stays."""
        request = EXAMPLES[operation]["request"]
        headers = {"If-None-Match": "*"} if request["method"] == "PUT" else {}
        return self._send(request["method"], request["url"], json=request.get("body"), headers=headers)

    def _send(self, method, path, **options):
        return self.session.request(method, self.url + path, timeout=60, **options)

    def _make(self):
        """All resources that are missing. What was tried before may leave conflicts behind, as a started run."""
        assert self._send("PUT", "/simulator/clock", json={"mode": "manual"}).ok
        for step in MAKING:
            answer = self._play(step)
            assert answer.ok or answer.status_code in (409, 412), f"{step}: {answer.status_code} {answer.text}"
            if "Azure-AsyncOperation" in answer.headers:
                self.names["operationId"] = urlsplit(answer.headers["Azure-AsyncOperation"]).path.split("/")[-1]
        gates = self._play("Gates_ListByFleet").json()["value"]
        if gates:
            self.names["gateName"] = gates[0]["name"]

    def _name(self, case):
        """Names what there is, without preconditions, in three of four cases; the fourth is as it was made up."""
        parameters = case.operation.definition.raw.get("parameters", [])
        recorded = {parameter["name"]: parameter.get("example") for parameter in parameters if "name" in parameter}
        made_up = [*case.path_parameters.values(), case.headers.get("If-Match")]
        if zlib.crc32(repr(made_up).encode()) % 4 == 0:
            return
        for name in case.path_parameters:
            case.path_parameters[name] = self.names.get(name, recorded[name])
        for name in ("If-Match", "If-None-Match"):
            case.headers.pop(name, None)
        _know(case.body)


def _know(body):
    """Puts known texts into the place of others."""
    if isinstance(body, list):
        for item in body:
            _know(item)
    if isinstance(body, dict):
        for name, value in body.items():
            if isinstance(value, str):
                body[name] = KNOWN.get(name, value)
            else:
                _know(value)


def _bound(operation, body):
    """Keeps the simulator from work without end. What is no number, duration or time stays."""
    if operation == "Simulator_MakeClusters" and isinstance(body.get("count"), int):
        body["count"] = min(body["count"], MAX_CLUSTERS)
    if operation == "Simulator_SetClock" and isinstance(body.get("scale"), (int, float)):
        body["scale"] = min(body["scale"], MAX_SCALE)
    if operation == "Simulator_AdvanceClock":
        if str(body.get("by")).startswith("P"):
            body["by"] = "PT1H"
        if str(body.get("to"))[:4].isdigit():
            body["to"] = "2026-12-01T00:00:00Z"
