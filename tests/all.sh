#!/usr/bin/env bash
# Everything that must hold before a change lands: formatting, lints, unit and integration tests on SQLite and on a
# throw-away Postgres, the OpenAPI documents, and the official Python SDKs against the real binary. Sets up what it
# needs (Postgres and Python packages) and ends with one line, `N passed, N failed`.
#
# Needs Rust, a C compiler and Python 3. TEST_DATABASE_URL (whose user may create databases) replaces the throw-away
# Postgres. Everything is built once, in the profile and with the features of the tests.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
for part in tests/lib/*.sh; do . "$part"; done

target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
cache=$target/test-setup
logs=$(mktemp -d)
trap 'stop_postgres; rm -rf "$logs"' EXIT
trap 'exit 130' INT TERM
mkdir -p "$cache"
# A developer's settings must not reach the binary under test.
unset DATABASE_URL "${!FLEETPLANE_@}"
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

blackbox() {
  local log=$logs/blackbox.log outcome
  venv "$cache/blackbox-venv" tests/blackbox/requirements.txt || return 1
  FLEETPLANE_BINARY=$target/debug/fleetplane "$cache/blackbox-venv/bin/python" -m pytest tests/blackbox -p no:cacheprovider \
    --color=no 2>&1 | tee "$log"
  outcome=$?
  count_pytest "$log"
  return $outcome
}

step 'formatting' cargo fmt --check
step 'lints' lints
step 'build' build
step 'Postgres server' postgres
step 'Rust tests' rust_tests
step 'Rust tests ran on Postgres' postgres_leg
step 'OpenAPI documents' "$target/debug/fleetplane" openapi --check
step 'SDK tests' blackbox
summarise
