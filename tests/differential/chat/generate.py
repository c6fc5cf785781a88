"""Renders models' chat templates with transformers, and writes the texts as cases for `ChatTemplate`.

    python generate.py TEMPLATES FOLDER

TEMPLATES is the folder `trl/chat_templates` of the wheel of trl. Written are `templates.json`, `conversations.json` and `cases.jsonl`,
and for the templates that mark it, which are those for training, `masks.jsonl`: the ranges of bytes that the model generates.
"""

import datetime
import json
import logging
import pathlib
import re
import sys

import transformers.utils.chat_template_utils as transformers_templates
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast
from transformers.processing_utils import ProcessorMixin

from conversations import CONVERSATIONS, VARIABLES

TOKENS = {"bos_token": "<s>", "eos_token": "</s>"}
# The tag around what the model generates.
MARKED = re.compile(r"{%-?\s*generation\b")


class Clock(datetime.datetime):
    """The time of every case."""

    @classmethod
    def now(cls, tz=None):
        return cls(2025, 7, 6, 9, 5, 3)


def tokenizer():
    """A tokenizer with a token for each byte, besides the named tokens."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    backend = Tokenizer(models.BPE(vocab={char: at for at, char in enumerate(alphabet)}, merges=[]))
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    return PreTrainedTokenizerFast(tokenizer_object=backend, **TOKENS)


def variables(template):
    """None of the variables, and each value of those that the template reads."""
    yield {}
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


def normalized(template, messages):
    """The messages as the model's processor passes them to its tokenizer, if it has one."""
    if "'image'" in template or '"image"' in template:
        (messages,), _ = ProcessorMixin._normalize_conversations(None, messages)
    return messages


def render(tokens, template, messages, tools, **options):
    try:
        return {"text": tokens.apply_chat_template(messages, tools, chat_template=template, tokenize=False, **options)}
    except Exception as error:  # A template fails with any of Python's errors.
        return {"error": f"{type(error).__name__}: {error}"}


def generated_bytes(tokens, template, messages, tools, **options):
    """The ranges of bytes whose tokens transformers marks as generated."""
    options = {"chat_template": template, "return_assistant_tokens_mask": True, **options}
    out = tokens.apply_chat_template(messages, tools, **options)
    lengths = {tokens.convert_tokens_to_ids(text): len(text) for text in TOKENS.values()}
    ranges, at = [], 0
    for token, generated in zip(out["input_ids"], out["assistant_masks"], strict=True):
        end = at + lengths.get(token, 1)
        if generated and ranges and ranges[-1][1] == at:
            ranges[-1][1] = end
        elif generated:
            ranges.append([at, end])
        at = end
    return ranges


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
    with open(folder / "cases.jsonl", "w") as cases, open(folder / "masks.jsonl", "w") as masks:
        for name, source in sources.items():
            for conversation, (messages, tools) in CONVERSATIONS.items():
                messages = normalized(source, messages)
                for chosen in variables(source):
                    case = {"template": name, "conversation": conversation, "variables": json.dumps(chosen)}
                    for flags in options(messages):
                        found = render(tokens, source, messages, tools, **chosen, **flags)
                        print(json.dumps({**case, **flags, **found}), file=cases)
                        if MARKED.search(source) and not flags and "text" in found:
                            generated = generated_bytes(tokens, source, messages, tools, **chosen)
                            print(json.dumps({**case, "text": found["text"], "generated": generated}), file=masks)


if __name__ == "__main__":
    main()
