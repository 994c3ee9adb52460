#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# check_schema.sh SOURCES PROGRAM: the tables of docs/scenarios.md are what the schema says, and every shipped scenario is valid
# by the JSON Schema that editors get, in which a misspelled field is not. Without Python's jsonschema and yaml that part is skipped.
set -euo pipefail
sources=$1 program=$2

if ! "$program" schema --page "$sources/docs/scenarios.md" | cmp - "$sources/docs/scenarios.md"; then
    echo "docs/scenarios.md is not up to date; dunlin schema --page docs/scenarios.md prints it as it should be" >&2
    exit 1
fi
python=
for candidate in python3 /usr/bin/python3; do
    if "$candidate" -c 'import jsonschema, yaml' 2>/dev/null; then python=$candidate; fi
done
if [[ -z $python ]]; then
    echo "no jsonschema for Python: only the page was checked"
    [[ -z ${CI:-} ]] # there, everything is checked
    exit
fi
"$program" schema | "$python" -c '
import glob, json, jsonschema, sys, yaml
schema = json.load(sys.stdin)
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
class Loader(yaml.SafeLoader): pass
Loader.add_implicit_resolver("tag:yaml.org,2002:float", __import__("re").compile(r"^[-+]?[0-9.]+[eE][-+]?[0-9]+$"), list("-+0123456789."))
paths = glob.glob(sys.argv[1] + "/harness/scenarios/*.yaml")
assert len(paths) > 30, "no scenarios"
for path in paths:
    validator.validate(yaml.load(open(path), Loader))
for wrong in ("{wrold: {}}", "{world: {boundary: torus}}", "{species: [{drag: 2}]}", "{behaviours: [{}]}", "{interactions: [{cohesion: {}}]}"):
    assert not validator.is_valid(yaml.safe_load(wrong)), wrong
print(len(paths), "scenarios are valid")
' "$sources"
