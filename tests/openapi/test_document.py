"""The document itself."""

import json

import pytest
from openapi_spec_validator import validate

from recorded import EXAMPLES, OPENAPI

DOCUMENT = json.loads((OPENAPI / "fleetplane.json").read_text())
OPERATIONS = {
    operation["operationId"]: operation
    for methods in DOCUMENT["paths"].values()
    for operation in methods.values()
}


def test_the_document_is_one_of_its_version():
    validate(DOCUMENT)


@pytest.mark.parametrize("name", sorted(OPERATIONS))
def test_an_operation_is_described_and_has_an_example(name):
    operation = OPERATIONS[name]
    assert operation["summary"] and operation["description"]
    example = EXAMPLES[name]
    response = operation["responses"][str(example["response"]["status"])]
    if "body" in example["response"]:
        (content,) = response["content"].values()
        assert content["example"] == example["response"]["body"]
    if "body" in example["request"]:
        assert operation["requestBody"]["content"]["application/json"]["example"] == example["request"]["body"]
