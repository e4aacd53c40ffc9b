"""Checks schema files against the JSON Schema of their language, as an editor does.

usage: check-json-schema.py <schema.json> < paths, one a line

Prints for each path a line: 'good', or 'bad' and the reason. YAML is read with the scalars of YAML 1.2
(its core schema), which editors go by.
"""

import json
import re
import sys

import jsonschema
import yaml


class Loader(yaml.CSafeLoader):
    """libyaml's reader without the guesses of YAML 1.1."""

    yaml_implicit_resolvers = {}


SCALARS = [
    ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    ("int", r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+", "-+0123456789"),
    ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", "-+.0123456789"),
    ("null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
]
for name, pattern, first in SCALARS:
    Loader.add_implicit_resolver(
        "tag:yaml.org,2002:" + name, re.compile(f"^(?:{pattern})$"), list(first)
    )


def mapping(loader, node):
    # The keys of JSON are text.
    return {key.value: loader.construct_object(value, deep=True) for key, value in node.value}


Loader.add_constructor("tag:yaml.org,2002:map", mapping)


def problem(path, validator):
    try:
        with open(path, "rb") as file:
            documents = list(yaml.load_all(file, Loader))
    except (yaml.YAMLError, AttributeError, UnicodeDecodeError, ValueError) as error:
        return "not YAML: " + str(error)
    for document in documents:
        error = jsonschema.exceptions.best_match(validator.iter_errors(document))
        if error is not None:
            return error.message
    return None


with open(sys.argv[1], encoding="utf-8") as file:
    schema = json.load(file)
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
for line in sys.stdin:
    reason = problem(line.rstrip("\n"), validator)
    print("good" if reason is None else "bad " + " ".join(reason.split())[:200])
