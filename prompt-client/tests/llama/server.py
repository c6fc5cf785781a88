"""Runs llama.cpp's server with the tiny model for a number of seconds, on a free port of the loopback."""
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


def main(seconds):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "tiny.gguf"
        model.write(str(path))
        params = xllamacpp.CommonParams()
        params.model.path = str(path)
        params.hostnames = ["127.0.0.1"]
        params.port = free_port()
        params.n_ctx = 2 * model.CONTEXT
        params.n_parallel = 2
        params.cpuparams.n_threads = 1
        params.use_jinja = True
        params.warmup = False
        params.verbosity = 1  # errors only
        server = xllamacpp.Server(params)  # returns once it listens; the server ends with the process
        print(f"http://127.0.0.1:{params.port}/v1", flush=True)
        time.sleep(seconds)
        del server


if __name__ == "__main__":
    main(float(sys.argv[1]))
