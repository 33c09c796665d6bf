#!/usr/bin/env bash
# Judges constrained outputs by Python's `jsonschema` (Draft 2020-12, formats asserted): a second
# opinion beside the validator of the tests. Installs it into a virtual environment of its own in
# the user's cache folder.
#
# Usage: Tests/scripts/jsonschema/check.sh [OUTPUTS.jsonl]
#
# Each line of the file is {"schema": ..., "output": "..."}. Without a file the outputs are those of
# the random-output tests; LEAP_LONG_TESTS=1 makes 300 schemas with 100 outputs each.
set -euo pipefail
root="$(cd "$(dirname "$0")/../../.." && pwd)"
environment="${XDG_CACHE_HOME:-$HOME/.cache}/leap-swift/jsonschema"
if [ ! -x "$environment/bin/python" ]; then
  python3 -m venv "$environment"
fi
"$environment/bin/python" -c 'import jsonschema, rfc3339_validator' 2> /dev/null ||
  "$environment/bin/pip" install --quiet --disable-pip-version-check 'jsonschema[format-nongpl]'
outputs="${1:-}"
if [ -z "$outputs" ]; then
  outputs="$(mktemp "${TMPDIR:-/tmp}/leap-schema-outputs.XXXXXX")"
  trap 'rm -f "$outputs"' EXIT
  (cd "$root" && LEAP_SCHEMA_OUTPUTS="$outputs" swift test --filter RandomOutputTests)
fi
"$environment/bin/python" "$(dirname "$0")/check.py" "$outputs"
