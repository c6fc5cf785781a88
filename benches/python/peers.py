"""Renders prompts with one of Python's libraries, as often as it is told: `peers.py LIBRARY`.

The first line of the input is a case, as JSON; the answer is the text that it makes, as JSON. Each further line is a
number of repetitions; the answer is how many nanoseconds one took. Nothing is measured but the library's own call.
"""

import importlib.util
import json
import logging
import os
import sys
import time
import types

logging.disable(logging.CRITICAL)


def lazyllm(case):
    from lazyllm import AlpacaPrompter, ChatPrompter

    classes = {"alpaca": AlpacaPrompter, "chat": ChatPrompter}
    prompter = classes[case["layout"]](case["instruction"], **case["options"])
    prompter._set_model_configs(**case["keys"])
    return lambda: prompter.generate_prompt(*case["call"])


def adalflow(case):
    # The packages' `__init__` would import clients of models, and load vocabularies from the network.
    root = importlib.util.find_spec("adalflow").submodule_search_locations[0]
    for name in ["adalflow", "adalflow.core", "adalflow.optim", "adalflow.utils"]:
        package = types.ModuleType(name)
        package.__path__ = [os.path.join(root, *name.split(".")[1:])]
        sys.modules[name] = package
    from adalflow.core.base_data_class import DataClass

    sys.modules["adalflow.core"].DataClass = DataClass
    from adalflow.core.prompt_builder import Prompt

    prompt = Prompt(template=case["template"])
    return lambda: prompt(**case["values"])


def transformers(case):
    # What `apply_chat_template(…, tokenize=False)` of every tokenizer calls.
    from transformers.utils.chat_template_utils import render_jinja_template

    def render():
        rendered = render_jinja_template(
            [case["messages"]], chat_template=case["template"], add_generation_prompt=True, **case["tokens"]
        )
        return rendered[0][0] if isinstance(rendered, tuple) else rendered[0]

    return render


def main():
    library = {"lazyllm": lazyllm, "adalflow": adalflow, "transformers": transformers}[sys.argv[1]]
    line = sys.stdin.readline()
    if not line:
        # The installation is tried.
        case = {"layout": "alpaca", "instruction": "", "options": {}, "keys": {}, "template": "", "messages": [], "tokens": {}}
        library(case)
        return
    work = library(json.loads(line))
    print(json.dumps(work()), flush=True)
    for line in sys.stdin:
        times = int(line)
        began = time.perf_counter_ns()
        for _ in range(times):
            work()
        print((time.perf_counter_ns() - began) / times, flush=True)


main()
