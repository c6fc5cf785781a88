"""What the default templates of LightRAG's and AdalFlow's releases make of some values: `renders.json`.

    git clone https://github.com/SylphAI-Inc/AdalFlow.git
    python3 -m venv venv && venv/bin/pip install jinja2==3.1.6
    venv/bin/python make.py AdalFlow

Each template is read from the package that holds it (with pip, which needs the network), or at the commit that
introduced it where no package does. It is rendered as `Prompt` renders it: with its environment, and with `None` for
each variable that is not given. All packages are asked for their text, so that none is missed.
"""
import hashlib
import itertools
import json
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import jinja2
import jinja2.meta

assert jinja2.__version__ == "3.1.6", jinja2.__version__

# The texts, each by the layout that says it here, and the first and the last place that holds it.
PACKAGES = {
    "ADALFLOW": ("adalflow", "1.0.5a1", "1.1.3"),
    "ADALFLOW_0_2": ("adalflow", "0.2.0b1", "1.0.4"),
    "LIGHTRAG": ("lightrag", "0.0.0a16", "0.1.0b6"),
    "LIGHTRAG_2024_07": ("lightrag", "0.0.0a8", "0.0.0a15"),
    "LIGHTRAG_2024_06": ("lightrag", "0.0.0a1", "0.0.0a7"),
}
COMMITS = {"LIGHTRAG_2024_05": "5fbc9a56", "LIGHTRAG_2024_05_16": "f8b8b62e"}

ENVIRONMENT = jinja2.Environment(
    undefined=jinja2.StrictUndefined, trim_blocks=True, keep_trailing_newline=True, lstrip_blocks=True)

TEXTS = {
    "task_desc_str": "Plan a trip.",
    "input_format_str": "A city.",
    "output_format_str": 'JSON: {"days": 3}',
    "tools_str": ["search", "book"],
    "examples_str": "Rome: 2 days\n",
    "chat_history_str": "User: Hi\nYou: Hello",
    "context_str": "Line one.\n\n  Line two.",
    "input_str": "Where to?",
    "steps_str": "1. Read.",
}
# Values that Python takes for false, and some that it does not.
EDGES = ["", " ", "0", 0, 7, 1.0, False, True, [], ["it's", 'a "b"'], {}, {"k": None, "n": 1e20}, None, "a\r\nb", "{{ x }}"]


def text_of(source):
    """The default template that a module holds."""
    module = {}
    exec(source, module)
    texts = [text for name, text in module.items() if name.startswith("DEFAULT_") and isinstance(text, str)]
    assert len(texts) == 1, list(module)
    return texts[0]


def of_package(name, version, folder):
    command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", folder, f"{name}=={version}"]
    subprocess.run(command, check=True)
    [wheel] = Path(folder).glob(f"{name}-{version}-*.whl")
    with zipfile.ZipFile(wheel) as files:
        return text_of(files.read(f"{name}/core/default_prompt_template.py"))


def of_commit(repository, commit):
    command = ["git", "-C", repository, "show", f"{commit}:core/default_prompt_template.py"]
    return text_of(subprocess.run(command, check=True, capture_output=True).stdout)


def templates(repository):
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for layout, (package, first, last) in PACKAGES.items():
            texts = {of_package(package, version, folder) for version in (first, last)}
            assert len(texts) == 1, f"{package} {first} and {last} differ"
            found[layout] = {"of": f"{package} {first} to {last}", "text": texts.pop()}
    for layout, commit in COMMITS.items():
        found[layout] = {"of": f"commit {commit}", "text": of_commit(repository, commit)}
    for template in found.values():
        template["sha256"] = hashlib.sha256(template["text"].encode()).hexdigest()
    return found


def calls():
    """Names and values: each section alone, each with the next, all of them, and every edge in some sections."""
    yield "nothing", {}
    for name in TEXTS:
        yield f"only {name}", {name: TEXTS[name]}
    for one, other in itertools.pairwise(TEXTS):
        yield f"{one} and {other}", {one: TEXTS[one], other: TEXTS[other]}
    yield "all", TEXTS
    for index, edge in enumerate(EDGES):
        yield f"edge {index}", {"task_desc_str": edge, "context_str": edge, "steps_str": edge, "input_str": "Where to?"}
        yield f"edge {index} asked", {"input_str": edge, "tools_str": edge}


def render(template, values):
    """The text; the names that the template has no place for are dropped by the original without a word."""
    text = template["text"]
    names = jinja2.meta.find_undeclared_variables(ENVIRONMENT.parse(text))
    values = dict(values)
    if "query_str" in names:
        values["query_str"] = values.pop("input_str", None)
    dropped = sorted(name for name, value in values.items() if name not in names and value)
    given = {name: values.get(name) for name in names}
    return {"text": ENVIRONMENT.from_string(text).render(**given), "dropped": dropped}


def main():
    found = templates(sys.argv[1])
    cases = [
        {"id": f"{layout}: {name}", "layout": layout, "call": values, **render(found[layout], values)}
        for layout in found
        for name, values in calls()
    ]
    out = {"about": {"templates": found, "jinja2": jinja2.__version__}, "cases": cases}
    path = Path(__file__).parent / "renders.json"
    path.write_text(json.dumps(out, indent=1, ensure_ascii=False) + "\n")
    print(len(found), "templates,", len(cases), "cases")


main()
