# Sourced: steps, and the count of tests that the summary line gives.

passed=0
failed=0
broken=()
left_out=()

# step NAME COMMAND…: runs it under a heading; a failure is noted and the next step still runs.
step() {
  local name=$1 failed_before=$failed began=$SECONDS
  shift
  printf '\n== %s\n' "$name"
  if "$@"; then
    printf -- '-- %s: ok (%d s)\n' "$name" $((SECONDS - began))
  else
    printf -- '-- %s: FAILED (%d s)\n' "$name" $((SECONDS - began))
    broken+=("$name")
    # A step that is no test, or broke before its tests, counts as one failure: the summary never looks green.
    [ "$failed" -gt "$failed_before" ] || failed=$((failed + 1))
  fi
}

# number_before WORD TEXT: the number in front of the word in the text, 0 where there is none.
number_before() {
  local number
  number=$(grep -oE "[0-9]+ $1" <<<"$2" | tail -n 1 | grep -oE '^[0-9]+') || number=0
  echo "$number"
}

# count_nextest LOG: adds the tests of cargo-nextest's summary.
count_nextest() {
  local summary run ok
  summary=$(grep -E '^ +Summary \[' "$1" | tail -n 1)
  run=$(number_before 'tests? run' "$summary")
  ok=$(number_before passed "$summary")
  passed=$((passed + ok))
  failed=$((failed + run - ok))
}

# count_libtest LOG: adds the tests of each `test result:` line of cargo test.
count_libtest() {
  local line
  while read -r line; do
    passed=$((passed + $(number_before passed "$line")))
    failed=$((failed + $(number_before failed "$line")))
  done < <(grep '^test result:' "$1")
}

# count_pytest LOG: adds the tests of pytest's last line; a fixture that broke is a failure.
count_pytest() {
  local summary
  summary=$(grep -E ' in [0-9.]+s' "$1" | tail -n 1)
  passed=$((passed + $(number_before passed "$summary")))
  failed=$((failed + $(number_before failed "$summary") + $(number_before 'errors?' "$summary")))
}

# count_node LOG: adds the tests of the closing lines of node --test, as in `ℹ pass 12`.
count_node() {
  local ok bad
  ok=$(awk 'NF == 3 && $2 == "pass" { count = $3 } END { print count + 0 }' "$1")
  bad=$(awk 'NF == 3 && ($2 == "fail" || $2 == "cancelled") { count += $3 } END { print count + 0 }' "$1")
  passed=$((passed + ok))
  failed=$((failed + bad))
}

# not_run WHAT: notes what was left out; the summary repeats it, for nothing may look tested that was not.
not_run() {
  echo "NOT RUN: $1"
  left_out+=("$1")
}

# summarise: the closing line, and the exit code.
summarise() {
  echo
  [ ${#left_out[@]} -eq 0 ] || printf 'NOT RUN: %s\n' "${left_out[@]}"
  [ ${#broken[@]} -eq 0 ] || printf 'failed: %s\n' "${broken[@]}"
  echo "$passed passed, $failed failed"
  [ ${#broken[@]} -eq 0 ] && [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}
