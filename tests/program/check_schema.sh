#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# check_schema.sh SOURCES PROGRAM: the tables of docs/scenarios.md and docs/experiments.md are what the schemas say, and every shipped
# scenario and study is valid by the JSON Schema that editors get, in which a misspelled field is not. Without Python's jsonschema and yaml that part is skipped.
set -euo pipefail
sources=$1 program=$2

check_page() { # PAGE OPTION ...
    if "$program" schema "${@:2}" --page "$sources/$1" | cmp - "$sources/$1"; then return; fi
    echo "$1 is not up to date; dunlin schema ${*:2} --page $1 prints it as it should be" >&2
    exit 1
}
check_page docs/scenarios.md
check_page docs/experiments.md --study
python=
for candidate in python3 /usr/bin/python3; do
    if "$candidate" -c 'import jsonschema, yaml' 2>/dev/null; then python=$candidate; fi
done
if [[ -z $python ]]; then
    echo "no jsonschema for Python: only the page was checked"
    [[ -z ${CI:-} ]] # there, everything is checked
    exit
fi
check_files() { # FILES LEAST WRONG ... < SCHEMA: the files are valid; the WRONG texts are not
    "$python" -c "$script" "$sources/harness/scenarios/$1" "${@:2}"
}
script='
import glob, json, jsonschema, sys, yaml
schema = json.load(sys.stdin)
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
class Loader(yaml.SafeLoader): pass
Loader.add_implicit_resolver("tag:yaml.org,2002:float", __import__("re").compile(r"^[-+]?[0-9.]+[eE][-+]?[0-9]+$"), list("-+0123456789."))
paths = glob.glob(sys.argv[1])
assert len(paths) >= int(sys.argv[2]), "too few files"
for path in paths:
    validator.validate(yaml.load(open(path), Loader))
for wrong in sys.argv[3:]:
    assert not validator.is_valid(yaml.safe_load(wrong)), wrong
print(len(paths), "files are valid")
'
"$program" schema | check_files '*.yaml' 31 '{wrold: {}}' '{world: {boundary: torus}}' '{species: [{drag: 2}]}' '{behaviours: [{}]}' '{interactions: [{cohesion: {}}]}' \
    '{behaviours: [{contain: {margin: 1, margins: [1, 2]}}]}'
"$program" schema --study | check_files 'studies/*.yaml' 3 '{scenario: a, parameters: [], seeds: 1, measure: [{metrik: agents}]}' \
    '{scenario: a, parameters: [], measure: [{metric: agents}]}' '{scenario: a, parameters: [{path: steps}], seeds: 1, measure: [{metric: agents}]}'
