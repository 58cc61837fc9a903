"""Requests that are made up from the document: whatever they are, the answers are as the document says.

For each operation there are the recorded example, the boundaries of its parameters and body, and so many requests at
random, some as they should be, some not; always the same ones. Most of them name what there is, so that they get further
than "not found".
"""

import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis import checks, openapi
from schemathesis.specs.openapi import checks as openapi_checks

from recorded import OPENAPI

#: Requests at random for each operation.
EXAMPLES = 5
CHECKS = [
    checks.not_a_server_error,
    openapi_checks.status_code_conformance,
    openapi_checks.content_type_conformance,
    openapi_checks.response_headers_conformance,
    openapi_checks.response_schema_conformance,
    openapi_checks.unsupported_method,
    openapi_checks.allow_header_conformance,
]

schema = openapi.from_path(OPENAPI / "fleetplane.json")


@schema.parametrize()
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_the_answers_are_as_the_document_says(case, estate):
    case.validate_response(estate.call(case), checks=CHECKS)
