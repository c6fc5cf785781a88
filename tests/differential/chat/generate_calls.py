"""Writes the calls of the Berkeley function-calling leaderboard as cases: tools, and calls of them with arguments.

    python generate_calls.py DATA FOLDER

DATA is the folder `bfcl_eval/data` of the wheel of bfcl-eval. Written is `calls.jsonl`. The calls are the first of each possible answer, and
the types of parameters are those of JSON Schema, as the leaderboard itself maps them; an argument of Java and JavaScript is a string.
"""

import json
import pathlib
import sys

CATEGORIES = [
    "simple_python",
    "simple_java",
    "simple_javascript",
    "multiple",
    "parallel",
    "parallel_multiple",
    "live_simple",
    "live_multiple",
    "live_parallel",
    "live_parallel_multiple",
]
TYPES = {"dict": "object", "float": "number", "tuple": "array", "any": None}


def schema(given):
    """A schema with the types of JSON Schema."""
    if isinstance(given, list):
        return [schema(item) for item in given]
    if not isinstance(given, dict):
        return given
    out = {}
    for key, value in given.items():
        if key == "type" and isinstance(value, str):
            value = TYPES.get(value, value)
            if value is None:
                continue
        out[key] = schema(value)
    return out


def strings(parameters):
    """The parameters as strings."""
    properties = {name: {"type": "string", "description": str(given.get("description", ""))} for name, given in parameters["properties"].items()}
    return {**parameters, "properties": properties}


def tool(function, category):
    parameters = function["parameters"]
    if category in ("simple_java", "simple_javascript"):
        parameters = strings(parameters)
    return {"type": "function", "function": {**function, "parameters": schema(parameters)}}


def value(given):
    """The first possible value, inside of objects too. An empty string means that the argument may be left out."""
    if isinstance(given, dict):
        return {name: value(first(values)) for name, values in given.items() if first(values) != ""}
    if isinstance(given, list):
        return [value(item) if isinstance(item, dict) else item for item in given]
    return given


def first(values):
    if not isinstance(values, list):
        return values
    return next((given for given in values if given != ""), "")


def arguments(given, category):
    out = value(given)
    if category in ("simple_java", "simple_javascript"):
        out = {name: given if isinstance(given, str) else json.dumps(given, ensure_ascii=False) for name, given in out.items()}
    return out


def main():
    data, folder = map(pathlib.Path, sys.argv[1:])
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "calls.jsonl", "w") as out:
        for category in CATEGORIES:
            name = f"BFCL_v4_{category}.json"
            questions = [json.loads(line) for line in (data / name).read_text().splitlines()]
            answers = [json.loads(line) for line in (data / "possible_answer" / name).read_text().splitlines()]
            for question, answer in zip(questions, answers, strict=True):
                assert question["id"] == answer["id"]
                tools = [tool(function, category) for function in question["function"]]
                calls = [
                    {"name": name, "arguments": json.dumps(arguments(given, category), ensure_ascii=False)}
                    for call in answer["ground_truth"]
                    for name, given in call.items()
                ]
                print(json.dumps({"id": question["id"], "tools": json.dumps(tools), "calls": calls}), file=out)


if __name__ == "__main__":
    main()
