"""Rows per second of AISBench's own classes: five examples, a dialogue, a meta template for base models.

Its retriever, templates and parser run as they are. PyTorch and mmengine's distribution, which these files name but do
not use for prompts, are empty modules here, so that no gigabyte has to be installed.
"""

import importlib.util
import json
import logging
import sys
import time
import types

from datasets import Dataset

logging.disable(logging.CRITICAL)


def empty(name, **names):
    module = types.ModuleType(name)
    module.__path__ = []
    module.__dict__.update(names)
    sys.modules[name] = module
    return module


class Anything:
    """Whatever an annotation names."""

    def __getattr__(self, name):
        return Anything()

    def __call__(self, *args, **kwargs):
        return Anything()


try:
    import mmengine.dist  # noqa: F401
except Exception:
    import mmengine

    mmengine.dist = empty("mmengine.dist", is_main_process=lambda: True)

import ais_bench.benchmark

ROOT = list(ais_bench.benchmark.__path__)[0]
# The package's `__init__` would import evaluators and models.
empty("ais_bench.benchmark.openicl").__path__ = [f"{ROOT}/openicl"]

from ais_bench.benchmark.openicl.icl_prompt_template.icl_prompt_template import PromptTemplate
from ais_bench.benchmark.openicl.icl_retriever.icl_fix_k_retriever import FixKRetriever


def parser_class():
    """`LMTemplateParser` from its own file: its package would import every model."""
    path = f"{ROOT}/models/local_models/base.py"
    spec = importlib.util.spec_from_file_location("aisbench_base_model", path)
    module = importlib.util.module_from_spec(spec)
    empty("torch", Tensor=Anything)
    spec.loader.exec_module(module)
    del sys.modules["torch"]
    return module.LMTemplateParser


def main():
    config = json.load(open(sys.argv[1]))
    train, test = config["train"], config["test"]
    template = {
        "begin": [
            {"role": "SYSTEM", "fallback_role": "HUMAN", "prompt": config["system"]},
            "</E>",
        ],
        "round": config["round"],
    }
    parser = parser_class()(config["meta_template"])
    for kind, rows in [("datasets", Dataset.from_list), ("dicts", list)]:
        dataset = types.SimpleNamespace(
            train=rows(train), test=rows(test), reader=types.SimpleNamespace(output_column="answer")
        )
        retriever = FixKRetriever(
            dataset,
            fix_id_list=[0, 1, 2, 3, 4],
            ice_template={"type": PromptTemplate, "template": {"round": config["round"]}},
            prompt_template={"type": PromptTemplate, "template": template, "ice_token": "</E>"},
        )
        retriever.is_main_process = False
        best, last = 0.0, ""
        for _ in range(int(sys.argv[2])):
            began = time.process_time()
            length = 0
            for row, ids in enumerate(retriever.retrieve()):
                examples = retriever.generate_ice(ids)
                prompt = retriever.generate_prompt_for_generate_task(row, examples)
                last = parser.parse_template(prompt, mode="gen")
                length += len(last)
            best = max(best, len(test) / (time.process_time() - began))
        print(json.dumps({"rows": kind, "per_second": best, "characters": length, "last": last}))


main()
