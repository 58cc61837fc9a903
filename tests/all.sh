#!/usr/bin/env bash
# Everything that must hold before a change lands: formatting, lints, unit and integration tests on SQLite and on a
# throw-away Postgres, the OpenAPI document, and the official SDKs for Python and Node, `az` and schemathesis against the real
# binary. Sets up what it needs (Postgres, packages of Python and Node) and ends with one line, `N passed, N failed`.
#
# Needs Rust, a C compiler, Python 3 and Node 20. TEST_DATABASE_URL (whose user may create databases) replaces the throw-away
# Postgres. FLEETPLANE_AZ_FLEET_EXTENSION names the folder of the az extension `fleet` (src/fleet of azure-cli-extensions);
# without it no `az fleet` command runs. Everything is built once, in the profile and with the features of the tests.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
for part in tests/lib/*.sh; do . "$part"; done

target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
cache=$target/test-setup
logs=$(mktemp -d)
operations=$logs/operations
trap 'stop_postgres; rm -rf "$logs"' EXIT
trap 'exit 130' INT TERM
mkdir -p "$cache" "$operations"
fleet_extension=${FLEETPLANE_AZ_FLEET_EXTENSION:-}
# A developer's settings must not reach the binary under test.
unset DATABASE_URL INSTA_UPDATE "${!FLEETPLANE_@}"
features=(--features test-util)

lints() { cargo clippy --locked --all-targets "${features[@]}" -- -D warnings; }

# The binary with them: integration tests make Cargo build it. `cargo build` alone would build most dependencies once
# more, with the features they have without the dev-dependencies.
build() { cargo test --locked --no-run "${features[@]}"; }

postgres() {
  [ -n "${TEST_DATABASE_URL:-}" ] || start_postgres "$cache" || return 1
  echo "TEST_DATABASE_URL=${TEST_DATABASE_URL%%:*}://…@${TEST_DATABASE_URL##*@}"
}

rust_tests() {
  local log=$logs/rust.log outcome
  if cargo nextest --version >/dev/null 2>&1; then
    cargo nextest run --locked --no-fail-fast --color never --status-level pass "${features[@]}" 2>&1 | tee "$log"
    outcome=$?
    count_nextest "$log"
  else
    cargo test --locked --no-fail-fast "${features[@]}" 2>&1 | tee "$log"
    outcome=$?
    count_libtest "$log"
  fi
  return $outcome
}

# The integration tests that use TEST_DATABASE_URL stand in modules named `postgres`. Both runners name each test that
# ran; unit tests of the adapter have no server and do not count.
postgres_leg() {
  local ran
  ran=$(awk '
    / Running / { integration = /tests\/it\// }
    /^ *(PASS|FAIL) .*fleetplane::it .*postgres::/ { ran++ }
    integration && /^test .*postgres::.* (ok|FAILED)$/ { ran++ }
    END { print ran + 0 }' "$logs/rust.log")
  echo "$ran Rust tests ran on Postgres"
  [ "$ran" -gt 0 ]
}

# sdk_tests NAME ARGUMENT…: black-box tests with the official SDKs; the operations they covered are noted for the table.
sdk_tests() {
  local log=$logs/$1.log outcome
  FLEETPLANE_BINARY=$target/debug/fleetplane OPERATIONS_RECORD=$operations "$cache/blackbox-venv/bin/python" -m pytest "${@:2}" \
    -p no:cacheprovider --color=no 2>&1 | tee "$log"
  outcome=$?
  count_pytest "$log"
  return $outcome
}

python_sdks() {
  venv "$cache/blackbox-venv" tests/blackbox/requirements.txt || return 1
  sdk_tests blackbox tests/blackbox
}

# The fleet SDK's stable version has another default api-version. It lies over the preview, for their names agree; one
# store is enough, since no store knows of api-versions.
stable_python_sdk() {
  overlay "$cache/stable-sdk" tests/blackbox/requirements-stable.txt "$cache/blackbox-venv" || return 1
  PYTHONPATH=$cache/stable-sdk sdk_tests stable tests/blackbox/operations/fleet -k sqlite
}

node_sdk() {
  local log=$logs/node.log outcome
  node_packages "$cache" tests/node || return 1
  (cd tests/node && FLEETPLANE_BINARY=$target/debug/fleetplane OPERATIONS_RECORD=$operations node --test \
    --test-reporter=spec) 2>&1 | tee "$log"
  outcome=$?
  count_node "$log"
  return $outcome
}

az_program() {
  local log=$logs/az.log outcome
  venv "$cache/az-venv" tests/az/requirements.txt || return 1
  [ -n "$fleet_extension" ] || not_run 'az fleet: FLEETPLANE_AZ_FLEET_EXTENSION names no folder'
  FLEETPLANE_BINARY=$target/debug/fleetplane FLEETPLANE_AZ_FLEET_EXTENSION=$fleet_extension \
    "$cache/az-venv/bin/python" -m pytest tests/az -p no:cacheprovider --color=no 2>&1 | tee "$log"
  outcome=$?
  count_pytest "$log"
  return $outcome
}

# Requests made up from the OpenAPI document, against the real binary.
contract() {
  local log=$logs/contract.log outcome
  venv "$cache/contract-venv" tests/openapi/requirements.txt || return 1
  FLEETPLANE_BINARY=$target/debug/fleetplane "$cache/contract-venv/bin/python" -m pytest tests/openapi -p no:cacheprovider \
    -o pythonpath=tests/blackbox --color=no --quiet 2>&1 | tee "$log"
  outcome=$?
  count_pytest "$log"
  return $outcome
}

coverage() { python3 tests/blackbox/operations/coverage.py "$operations"; }

step 'formatting' cargo fmt --check
step 'lints' lints
step 'build' build
step 'Postgres server' postgres
step 'Rust tests' rust_tests
step 'Rust tests ran on Postgres' postgres_leg
step 'OpenAPI documents' "$target/debug/fleetplane" openapi --check
step 'Python SDKs' python_sdks
step 'Python SDK, stable version' stable_python_sdk
step 'Node SDK' node_sdk
step 'operations covered' coverage
step 'az' az_program
step 'OpenAPI contract' contract
summarise
