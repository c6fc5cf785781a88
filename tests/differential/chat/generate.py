"""Renders models' chat templates with transformers, and writes the texts as cases for `ChatTemplate`.

    python generate.py TEMPLATES FOLDER

TEMPLATES is the folder `trl/chat_templates` of the wheel of trl. Written are `templates.json`, `conversations.json` and `cases.jsonl`.
"""

import datetime
import json
import logging
import pathlib
import sys

import transformers.utils.chat_template_utils as transformers_templates
from tokenizers import Tokenizer, models
from transformers import PreTrainedTokenizerFast
from transformers.processing_utils import ProcessorMixin

from conversations import CONVERSATIONS, VARIABLES

TOKENS = {"bos_token": "<s>", "eos_token": "</s>"}


class Clock(datetime.datetime):
    """The time of every case."""

    @classmethod
    def now(cls, tz=None):
        return cls(2025, 7, 6, 9, 5, 3)


def tokenizer():
    """A tokenizer that renders templates, and has no text to split."""
    return PreTrainedTokenizerFast(tokenizer_object=Tokenizer(models.BPE()), **TOKENS)


def variables(name, template):
    """None of the variables, and each value of those that the template reads. Templates for training are like those of their models."""
    yield {}
    if name.endswith("_training"):
        return
    read = transformers_templates._get_template_variables(template)
    for name, values in VARIABLES.items():
        if name in read:
            for value in values:
                yield {name: value}


def options(messages):
    yield {}
    yield {"add_generation_prompt": True}
    if messages[-1]["role"] == "assistant":
        yield {"continue_final_message": True}


def render(tokens, template, conversation, **options):
    messages, tools = conversation
    if "'image'" in template or '"image"' in template:
        # The model has a processor, which calls the tokenizer with these messages.
        (messages,), _ = ProcessorMixin._normalize_conversations(None, messages)
    try:
        return {"text": tokens.apply_chat_template(messages, tools, chat_template=template, tokenize=False, **options)}
    except Exception as error:  # A template fails with any of Python's errors.
        return {"error": f"{type(error).__name__}: {error}"}


def main():
    templates, folder = map(pathlib.Path, sys.argv[1:])
    logging.disable(logging.WARNING)
    transformers_templates.datetime = Clock
    tokens = tokenizer()
    folder.mkdir(parents=True, exist_ok=True)
    sources = {path.stem: path.read_text(encoding="utf-8") for path in sorted(templates.glob("*.jinja"))}
    (folder / "templates.json").write_text(json.dumps(sources))
    (folder / "conversations.json").write_text(
        json.dumps({name: [json.dumps(part) for part in parts] for name, parts in CONVERSATIONS.items()})
    )
    with open(folder / "cases.jsonl", "w") as cases:
        for name, source in sources.items():
            for conversation, (messages, tools) in CONVERSATIONS.items():
                for chosen in variables(name, source):
                    case = {"template": name, "conversation": conversation, "variables": json.dumps(chosen)}
                    for flags in options(messages):
                        found = render(tokens, source, (messages, tools), **chosen, **flags)
                        print(json.dumps({**case, **flags, **found}), file=cases)


if __name__ == "__main__":
    main()
