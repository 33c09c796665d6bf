"""Judges lines of {"schema": ..., "output": "..."} by the jsonschema package."""

import json
import re
import sys

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend


def refuse_constant(name):
    raise ValueError(f"{name} is not JSON")


def pattern(validator, pattern, instance, schema):
    """As in ECMAScript: classes are ASCII, and `$` is the end of the text."""
    translated = re.sub(r"(?<!\\)\$", r"\\Z", pattern)
    translated = re.sub(r"\\u\{([0-9a-fA-F]+)\}", lambda m: chr(int(m[1], 16)), translated)
    if validator.is_type(instance, "string") and not re.search(translated, instance, re.ASCII):
        yield ValidationError(f"{instance!r} does not match {pattern!r}")


Validator = extend(Draft202012Validator, {"pattern": pattern})
validators = {}
count = 0
faults = 0
with open(sys.argv[1], encoding="utf-8") as lines:
    for line in lines:
        entry = json.loads(line)
        key = json.dumps(entry["schema"])
        if key not in validators:
            Draft202012Validator.check_schema(entry["schema"])
            validators[key] = Validator(
                entry["schema"], format_checker=Draft202012Validator.FORMAT_CHECKER)
        count += 1
        try:
            value = json.loads(entry["output"], parse_constant=refuse_constant)
            error = next(validators[key].iter_errors(value), None)
        except ValueError as failure:
            error = failure
        if error is not None:
            faults += 1
            if faults <= 20:
                print(f"{entry['output']!r}\n  by {key}\n  {error}\n", file=sys.stderr)
print(f"{count - faults} of {count} outputs of {len(validators)} schemas are valid")
sys.exit(1 if faults or not count else 0)
