"""Bad requests: each answer is an ARM error that says what was wrong, and nothing changes."""

import uuid

import pytest

from estate import FLEET

VERSION = "api-version=2026-06-02-preview"


def refused(answer, status, code):
    """Checks the shape of an error answer; returns its error."""
    assert answer.status_code == status, answer.text
    assert answer.headers["Content-Type"].startswith("application/json")
    error = answer.json()["error"]
    assert error["code"] == answer.headers["x-ms-error-code"] == code, answer.text
    assert error["message"]
    assert answer.headers["x-ms-request-id"] and answer.headers["x-ms-correlation-request-id"]
    return error


def put_strategy(estate, stages, **options):
    path = estate.path(f"fleets/{FLEET}/updateStrategies/it?{VERSION}")
    return estate.service.call("PUT", path, json={"properties": {"strategy": {"stages": stages}}}, **options)


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("", "MissingApiVersionParameter"),
        ("api-version=yesterday", "InvalidApiVersionParameter"),
        ("api-version=2019-01-01", "NoRegisteredProviderFound"),
    ],
)
def test_the_api_version_is_checked(estate, query, code):
    refused(estate.service.call("GET", estate.path(f"fleets/{FLEET}?{query}")), 400, code)


def test_what_is_missing_is_not_found(estate):
    error = refused(estate.service.call("GET", estate.path(f"fleets/none?{VERSION}")), 404, "ResourceNotFound")
    assert "none" in error["message"]
    children = estate.path(f"fleets/none/members?{VERSION}")
    refused(estate.service.call("GET", children), 404, "ParentResourceNotFound")


def test_unknown_routes_and_methods_are_arm_errors_too(estate):
    unknown = estate.service.call("GET", "/nowhere")
    assert unknown.status_code == 404 and unknown.json()["error"]["code"]
    wrong = estate.service.call("POST", estate.path(f"fleets/{FLEET}?{VERSION}"))
    assert wrong.status_code == 405 and wrong.json()["error"]["code"]
    assert "GET" in wrong.headers["Allow"]


def test_a_subscription_is_a_guid(estate):
    path = f"/subscriptions/mine/providers/Microsoft.ContainerService/fleets?{VERSION}"
    refused(estate.service.call("GET", path), 400, "InvalidSubscriptionId")


@pytest.mark.parametrize("body", ["", "{", "[]", '{"location": 5}', "[" * 500_000])
def test_a_malformed_body_is_refused(estate, body):
    path = estate.path(f"fleets/{FLEET}?{VERSION}")
    answer = estate.service.call("PUT", path, data=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 400, answer.text
    assert answer.json()["error"]["message"]
    assert estate.service.call("GET", path).status_code == 404


def test_a_misspelt_member_is_refused_with_the_nearest_name(estate):
    estate.fleet()
    answer = put_strategy(estate, [{"name": "a", "groups": [{"name": "g", "maxConcurency": "1"}]}])
    error = refused(answer, 400, error_code(answer))
    text = answer.text
    assert "maxConcurency" in text and "maxConcurrency" in text
    assert "stages[0].groups[0]" in text or "stages/0/groups/0" in text, error


def test_all_faults_of_a_body_are_reported_together(estate):
    estate.fleet()
    stages = [
        {"name": "Not A Name", "groups": [{"name": "g"}]},
        {"name": "b", "groups": [{"name": "h"}], "maxConcurrency": "101%"},
        {"name": "c", "groups": []},
    ]
    answer = put_strategy(estate, stages)
    error = refused(answer, 400, error_code(answer))
    assert len(error["details"]) >= 3, error
    assert all(detail["code"] and detail["message"] and detail["target"] for detail in error["details"])


def test_a_run_takes_a_strategy_or_an_id_of_one(estate):
    estate.fleet()
    properties = {
        "updateStrategyId": estate.path(f"fleets/{FLEET}/updateStrategies/it"),
        "strategy": {"stages": [{"name": "a", "groups": [{"name": "g"}]}]},
        "managedClusterUpdate": {"upgrade": {"type": "Full", "kubernetesVersion": "1.36"}},
    }
    path = estate.path(f"fleets/{FLEET}/updateRuns/it?{VERSION}")
    assert estate.service.call("PUT", path, json={"properties": properties}).status_code == 400
    assert estate.service.call("GET", path).status_code == 404


def test_a_cluster_joins_one_fleet_once(estate):
    estate.fleet()
    member = estate.member("first")
    path = estate.path(f"fleets/{FLEET}/members/second?{VERSION}")
    body = {"properties": {"clusterResourceId": member.properties.cluster_resource_id}}
    refused(estate.service.call("PUT", path, json=body), 409, "ClusterAlreadyJoinedAnotherFleet")


def test_a_member_needs_a_cluster_that_exists(estate):
    estate.fleet()
    path = estate.path(f"fleets/{FLEET}/members/it?{VERSION}")
    body = {"properties": {"clusterResourceId": estate.path("managedClusters/none")}}
    refused(estate.service.call("PUT", path, json=body), 400, "ClusterNotFound")


def test_the_callers_ids_come_back(estate):
    correlation, client = str(uuid.uuid4()), str(uuid.uuid4())
    headers = {
        "x-ms-correlation-request-id": correlation,
        "x-ms-client-request-id": client,
        "x-ms-return-client-request-id": "true",
    }
    answer = estate.service.call("GET", estate.path(f"fleets/none?{VERSION}"), headers=headers)
    assert answer.headers["x-ms-correlation-request-id"] == correlation
    assert answer.headers["x-ms-client-request-id"] == client
    assert "Retry-After" not in answer.headers


def error_code(answer):
    """The answer's own code, where several would be right."""
    return answer.json()["error"]["code"]
