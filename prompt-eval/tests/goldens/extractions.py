"""What lm-evaluation-harness 0.4.13, OpenCompass 0.5.4 and SQuAD's script extract from answers, as one JSON line for each answer.

`run` installs the packages, compares what they extract with the files that the repository keeps, and tests more answers:

    python extractions.py packages answers 2000 > extractions.jsonl
    python extractions.py packages choices 2000 > choices.jsonl
    python extractions.py packages answers 100000 7 > more.jsonl        # from another seed

The packages import much that is not needed, so that their functions are read from their files and run alone.
A line of `choices` is a list: the choices of a row, their log-likelihoods, the index of the correct one, and `acc`, `acc_norm` and `acc_bytes`.
A line of `answers` is a list: the answer; the gold answer of GSM8K with which it is compared; what `strict-match`, `flexible-extract` and
`gsm8k_postprocess` extract, each followed by 1 if that is the gold answer; `first_option_postprocess`; and SQuAD's normalisation.
"""

import ast
import json
import random
import re
import string
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np

packages = Path(sys.argv[1])


def functions(file, *names, of=None):
    """Runs the definitions of these names in a file of the packages, or in a class of it."""
    tree = ast.parse((packages / file).read_text())
    scope = {"re": re, "np": np, "string": string, "Filter": object, "BaseEvaluator": object, "utils": SimpleNamespace(softmax=lambda _: None)}
    if of is not None:
        (tree,) = [node for node in tree.body if getattr(node, "name", None) == of]
    for node in tree.body:
        if getattr(node, "name", None) in names:
            node.decorator_list = []
            exec("from __future__ import annotations\n" + ast.unparse(node), scope)
    return [scope[name] for name in names]


(RegexFilter,) = functions("lm_eval/filters/extraction.py", "RegexFilter")
(exact_match,) = functions("lm_eval/api/metrics.py", "exact_match_hf_evaluate")
(process_results,) = functions("lm_eval/api/task.py", "process_results", of="ConfigurableTask")
(first_option_postprocess,) = functions("opencompass/utils/text_postprocessors.py", "first_option_postprocess")
gsm8k_postprocess, Gsm8kEvaluator = functions("opencompass/datasets/gsm8k.py", "gsm8k_postprocess", "Gsm8kEvaluator")

# lm_eval/tasks/gsm8k/gsm8k.yaml
STRICT = RegexFilter(r"#### (\-?[0-9\.\,]+)")
FLEXIBLE = RegexFilter(r"(-?[$0-9.,]{2,})|(-?[0-9]+)", group_select=-1)
IGNORED = [",", r"\$", r"(?s).*#### ", r"\.$"]


def filtered(regex, answer):
    return regex.apply([[answer]], [{}])[0][0]


def is_match(text, gold):
    found = exact_match([text], [gold], regexes_to_ignore=IGNORED, ignore_case=True, ignore_punctuation=False)
    return int(found["exact_match"])


def normalize_answer(s):
    """https://rajpurkar.github.io/SQuAD-explorer/, evaluate-v2.0.py"""
    def remove_articles(text):
        regex = re.compile(r"\b(a|an|the)\b", re.UNICODE)
        return re.sub(regex, " ", text)

    def white_space_fix(text):
        return " ".join(text.split())

    def remove_punc(text):
        exclude = set(string.punctuation)
        return "".join(ch for ch in text if ch not in exclude)

    return white_space_fix(remove_articles(remove_punc(s.lower())))


PARTS = [
    "The answer is ", "the answer is: ", "The correct answer is ", "The correct option is ", "Answer: ", "ANSWER : ", "answer is option ", "The answer to the question is ",
    "答案是", "答案：", "答案 : ", "答案为", "答案选项是", "答案应该选", "故选", "选择", "因此", "所以", "只有选项", "说法错误的是", "选项", "正确", "是正确的", "显然", "所以答",
    "A", "B", "C", "D", "A", "B", "C", "D", "E", "a", "b", "(A)", "(B)", "**C**", "\\boxed{D}", "\\boxed{B}", "[A]", "A.", "B:", "C,", "D。", " A ", " B.", "，C", "：D", "option C", "Option A",
    "It is not A.", "Vitamin A helps", "A student asked.", "C++", "A or B", "A/B", "Because",
    "1", "2", "72", "3.5", "-4", "1,234", "$18", "$1,234.50", "#### 72", "#### -5", "#### 1,234.", "#### ", "####72", "5.", ".5", "10^5", "1/2", "50%", "7 2", "−3", "3-4", "1.", "1. ", "1.B", "100.00",
    "７２", "٣", "²", "½", "Ⅳ", "inf", "Question: 9", "Question:", "Question", "#### 7 or 8", "$", "$$", ",", ".", "..", "-", "--", "1e5", "12:30", "2024-05-06", "1_000",
    "the", "The", "a", "an", "A cat", "the-cat", "don't", "théâtre", "the’s", "“the end”", "\u3000", "\u00a0", " ", "  ", "\t", "\n", "\n\n", "\r\n", "\u2028", "x = ", "so ", "and ", "步骤1. ", "İ", "ß", "Σ", "_the_", "the\u0301",
]
GOLDS = ["18", "72", "-5", "1,234", "1234", "0", "3", "100", "5"]


def answers(chance, count):
    for _ in range(count):
        answer = "".join(chance.choice(PARTS) + chance.choice(["", "", " ", " ", "\n"]) for _ in range(chance.randint(0, 7)))
        gold = chance.choice(GOLDS)
        # The right answer often enough.
        if chance.random() < 0.3:
            answer += chance.choice(["#### ", "The answer is ", "= ", "= $"]) + gold + chance.choice(["", ".", "\n"])
        # The gold answers of the dataset have a calculation before them.
        whole = f"1 + 1 = <<1+1=2>>2\n#### {gold}"
        strict, flexible, gsm8k = filtered(STRICT, answer), filtered(FLEXIBLE, answer), gsm8k_postprocess(answer)
        line = [
            answer,
            gold,
            strict,
            is_match(strict, whole),
            flexible,
            is_match(flexible, whole),
            gsm8k,
            # gsm8k_dataset_postprocess removes the commas of the gold answer.
            int(Gsm8kEvaluator().is_equal(gsm8k, gold.replace(",", ""))),
            first_option_postprocess(answer, "ABCD"),
            normalize_answer(answer),
        ]
        print(json.dumps(line, ensure_ascii=False))


# A task of the kind `multiple_choice`, without what its figures do not depend on.
METRICS = ["acc", "acc_norm", "acc_bytes"]
TASK = SimpleNamespace(
    config=SimpleNamespace(process_results=None),
    OUTPUT_TYPE="multiple_choice",
    _metric_fn_list=dict.fromkeys(METRICS),
    multiple_input=False,
    multiple_target=False,
    doc_to_choice=lambda doc: doc["choices"],
    doc_to_target=lambda doc: doc["gold"],
)
WORDS = ["A", "no", "yes", "water", "the sea", "théâtre", "ééé", "答案", "水", "naïve", "a longer answer of several words", "½", "🦀", "1,234", "-5"]


def choices(chance, count):
    for _ in range(count):
        texts = [" ".join(chance.choices(WORDS, k=chance.randint(1, 3))) for _ in range(chance.randint(2, 5))]
        texts = list(dict.fromkeys(texts))
        if len(texts) < 2:
            texts = ["yes", "no"]
        # Short numbers, of which some are equal: of equal choices the first is chosen.
        scores = [-chance.choice([chance.randint(1, 6), chance.randint(1, 4000) / 100]) for _ in texts]
        gold = chance.randrange(len(texts))
        found = process_results(TASK, {"choices": texts, "gold": gold}, [(score, False) for score in scores])
        print(json.dumps([texts, scores, gold, *[int(found[metric]) for metric in METRICS]], ensure_ascii=False))


chance = random.Random(int(sys.argv[4]) if len(sys.argv) > 4 else 1)
{"answers": answers, "choices": choices}[sys.argv[2]](chance, int(sys.argv[3]))
