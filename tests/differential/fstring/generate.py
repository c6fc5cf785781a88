"""Writes templates in the notation of Python's formats, each with what Python and LangChain render, for the test `fstring`.

Python and LangChain have to agree on each. What Python refuses, and what is more than a name in braces, has no expected text.
"""
import argparse
import pathlib
import random
import re
import string

from langchain_core.prompts import PromptTemplate

VALUES = {"question": "Why {not} {{so}}?", "name": "Ada", "_x1": "<b> \\ $", "price": "3.5", "问题": "什么?"}
PIECES = [
    "{question}", "{name}", "{_x1}", "{price}", "{问题}", "{{", "}}", "{{{name}}}", "{{{{name}}}}", "{{name}}",
    '{{"answer": "{question}"}}', "{{ question }}", "<document>", "</document>", "\\", "\n", "\r\n", " ", "text",
    "$", "%", "$5", "{{}}", "\\frac{{a}}{{b}}", "[", "]", "é", "🦀", "\t", "#", ": ", "Question: ", "'", '"',
]
WRONG = [
    "{", "}", "{}", "{0}", "{name!r}", "{price:.2f}", "{name:>10}", "{ name }", "{name.upper}", "{name[0]}", "{other}",
    '{"a": 1}', "{name!r:>3}", "{na me}", "{question", "name}", "{% if name %}",
]
RECORD, UNIT, REFUSED = "\x1e", "\x1f", "\x15"


def expected(template):
    """What Python renders, or `None` if it refuses the template or a field is more than a name."""
    try:
        fields = [field for field in string.Formatter().parse(template) if field[1] is not None]
        text = template.format(**VALUES)
    except (ValueError, KeyError, IndexError, AttributeError, TypeError):
        return None
    for _, name, spec, conversion in fields:
        if spec or conversion or not re.fullmatch(r"[^\W\d]\w*", name):
            return None
    rendered = PromptTemplate.from_template(template, template_format="f-string").format(**VALUES)
    assert rendered == text, template
    return text


def case(rng):
    pieces = rng.choices(PIECES, k=rng.randrange(1, 12))
    if rng.random() < 0.35:
        pieces.insert(rng.randrange(len(pieces) + 1), rng.choice(WRONG))
    return "".join(pieces)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=2000)
    arguments = parser.parse_args()
    records, rendered = [UNIT.join(name + UNIT + value for name, value in VALUES.items())], 0
    for index in range(arguments.count):
        template = case(random.Random(f"{arguments.seed}/{index}"))
        text = expected(template)
        rendered += text is not None
        records.append(template + UNIT + (REFUSED if text is None else text))
    arguments.file.write_text(RECORD.join(records), encoding="utf-8", newline="")
    print(f"{arguments.count} templates: Python and LangChain render {rendered}, {arguments.count - rendered} are refused")


main()
