"""llama.cpp through the low-level API of llama-cpp-python. Runs inside one of the environments.

    peer.py FILE --threads N              answers commands, one JSON object a line each way
    peer.py FILE --threads N --once C     loads, carries out one command, prints time and memory

A command is {"prompt", "generate", "depth", "ubatch", "flash"}; the answer {"seconds"} covers the
calls of llama_decode up to the last logits, not the filling of the context to `depth`. (With
--once it covers everything but the start of Python.)
"""

import argparse
import ctypes
import json
import random
import sys
import time

import llama_cpp as llama


def memory() -> dict[str, int]:
    """Bytes: the peak and the present resident size, and the part that is no file's."""
    with open("/proc/self/status") as status:
        fields = dict(line.split(":", 1) for line in status)
    names = {"peak": "VmHWM", "resident": "VmRSS", "anonymous": "RssAnon"}
    return {key: int(fields[name].split()[0]) * 1024 for key, name in names.items()}


@llama.llama_log_callback
def ignore_log(level, text, user_data):
    pass


class Context:
    """A context for one kind of measurement, filled to its depth and warmed up."""

    def __init__(self, model, threads: int, command: dict):
        self.command = command
        vocabulary = llama.llama_vocab_n_tokens(llama.llama_model_get_vocab(model))
        draw = random.Random(1)
        length = command["depth"] + command["prompt"] + command["generate"]
        self.tokens = [draw.randrange(vocabulary) for _ in range(length)]
        self.step = command["ubatch"]
        parameters = llama.llama_context_default_params()
        parameters.n_ctx = length
        parameters.n_batch = parameters.n_ubatch = self.step
        parameters.n_threads = parameters.n_threads_batch = threads
        parameters.flash_attn_type = command["flash"]
        self.handle = llama.llama_init_from_model(model, parameters)
        if not self.handle:
            sys.exit("llama.cpp could not make a context")
        self.memory = llama.llama_get_memory(self.handle)
        self.batch = llama.llama_batch_init(self.step, 0, 1)
        self.state = None

    def close(self):
        llama.llama_batch_free(self.batch)
        llama.llama_free(self.handle)

    def decode(self, start: int, end: int, step: int):
        """Evaluates tokens `start..<end` in batches of `step`; every last one gives logits."""
        batch = self.batch
        for first in range(start, end, step):
            count = min(step, end - first)
            for row in range(count):
                batch.token[row] = self.tokens[first + row]
                batch.pos[row] = first + row
                batch.n_seq_id[row] = 1
                batch.seq_id[row][0] = 0
                batch.logits[row] = 0
            batch.logits[count - 1] = first + count == end or step == 1
            batch.n_tokens = count
            if llama.llama_decode(self.handle, batch) != 0:
                sys.exit("llama_decode failed")
            if batch.logits[count - 1]:
                llama.llama_get_logits_ith(self.handle, count - 1)

    def fill(self):
        """Brings the context to its depth; from the second time on by copying the saved state."""
        llama.llama_memory_clear(self.memory, False)
        depth = self.command["depth"]
        if depth == 0:
            return
        if self.state is None:
            self.decode(0, depth, self.step)
            size = llama.llama_state_seq_get_size(self.handle, 0)
            self.state = (ctypes.c_uint8 * size)()
            llama.llama_state_seq_get_data(self.handle, self.state, size, 0)
        elif not llama.llama_state_seq_set_data(self.handle, self.state, len(self.state), 0):
            sys.exit("llama.cpp could not restore a state")

    def measure(self) -> float:
        self.fill()
        depth = self.command["depth"]
        prompted = depth + self.command["prompt"]
        start = time.perf_counter()
        self.decode(depth, prompted, self.step)
        self.decode(prompted, prompted + self.command["generate"], 1)
        return time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--threads", type=int, required=True)
    parser.add_argument("--once", type=json.loads, metavar="C")
    arguments = parser.parse_args()
    before = memory()
    start = time.perf_counter()
    llama.llama_log_set(ignore_log, ctypes.c_void_p(0))
    llama.llama_backend_init()
    parameters = llama.llama_model_default_params()
    model = llama.llama_model_load_from_file(arguments.file.encode(), parameters)
    if not model:
        sys.exit(f"llama.cpp cannot load {arguments.file}")

    if arguments.once:
        Context(model, arguments.threads, arguments.once).measure()
        answer = {"seconds": time.perf_counter() - start, "before": before, "after": memory()}
        print(json.dumps(answer), flush=True)
        return

    information = llama.llama_print_system_info().decode()
    print(json.dumps({"version": llama.__version__, "system": information}), flush=True)
    context = None
    for line in sys.stdin:
        command = json.loads(line)
        if context is None or context.command != command:
            if context:
                context.close()
            context = Context(model, arguments.threads, command)
            context.measure()  # warms up
        print(json.dumps({"seconds": context.measure()}), flush=True)


main()
