"""One file measured with both engines in turns, every figure written down as it is made."""

import datetime
import json
import sys
import time
from pathlib import Path
from statistics import median

import report
from engines import Ours, Peer, Settings, Test

SPEED_TESTS = [Test(64, 0), Test(512, 0), Test(2048, 0), Test(0, 128), Test(0, 128, 2048)]
QUICK_SPEED_TESTS = [Test(64, 0), Test(0, 16), Test(0, 16, 128)]
FIRST_TOKEN, MEMORY = Test(1, 0), Test(512, 0)
# Settings of llama.cpp among which the fastest is taken, once for prompts, once for generation.
PROMPT_SETTINGS = [Settings(rows, flash) for rows in (512, 256, 128) for flash in (-1, 0)]
GENERATION_SETTINGS = [Settings(512, flash) for flash in (-1, 0)]


def progress(text):
    print(f"{datetime.datetime.now():%H:%M:%S} {text}", file=sys.stderr, flush=True)


def busy_share(seconds=0.3) -> float:
    """How much of the machine others use while both engines rest."""

    def sample():
        fields = Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]
        ticks = [int(field) for field in fields]
        return sum(ticks), ticks[3] + ticks[4]  # idle and waiting for disks

    total, idle = sample()
    time.sleep(seconds)
    total_after, idle_after = sample()
    return 1 - (idle_after - idle) / max(1, total_after - total)


class Journal:
    """Every measurement is written down as it is made, so that a run can be resumed."""

    def __init__(self, path: Path, fresh: bool):
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        if fresh:
            path.unlink(missing_ok=True)
        lines = path.read_text().splitlines() if path.exists() else []
        self.entries = {}
        for line in lines:
            try:
                entry = json.loads(line)
            except ValueError:
                continue  # cut short by an interruption
            self.entries[tuple(entry["key"])] = entry["value"]

    def measured(self, *key, measure):
        if key not in self.entries:
            value = measure()
            with open(self.path, "a") as file:
                file.write(json.dumps({"key": key, "value": value}) + "\n")
            self.entries[key] = value
        return self.entries[key]


class Comparison:
    """One file with one build of llama.cpp and the same kind of kernels of ours."""

    def __init__(self, arguments, journal, program, python, file, build):
        self.arguments, self.journal = arguments, journal
        self.file, self.build = file, build
        self.busy = []
        self.ours = Ours(program, file, arguments.threads, None if build == "native" else build)
        with open(file, "rb") as data:  # into the system's cache
            while data.read(1 << 24):
                pass
        self.peer = Peer(python, file, arguments.threads)

    def run(self) -> dict:
        quick = self.arguments.quick
        tests, bandwidth = {}, []
        tuning, prompt, generate = {}, Settings(), Settings()
        if not quick:
            tuning, prompt, generate = self.tune()
        for test in QUICK_SPEED_TESTS if quick else SPEED_TESTS:
            settings = prompt if test.prompt else generate
            pairs = self.pairs(
                test.name, lambda: self.ours.speed(test),
                lambda: {"speed": self.peer.speed(test, settings)})
            facts = [pair["ours"] for pair in pairs]
            bandwidth += [fact["bandwidth"] for fact in facts]
            tests[test.name] = report.summarise(pick(pairs, "speed"))
            if test.generate and facts[0]["bytes_per_token"] > 64 << 20:  # not held in caches
                tests[test.name]["read_share"] = median(
                    fact["speed"] * fact["bytes_per_token"] / fact["bandwidth"] for fact in facts)
        self.peer.close()
        for test, figures in [
            (FIRST_TOKEN, {"first token": "seconds"}),
            (MEMORY, {"peak memory": "peak", "of it anonymous": "anonymous"}),
        ]:
            pairs = self.pairs(
                " and ".join(figures), lambda: self.ours.once(test),
                lambda: self.peer.once(test, prompt))
            for figure, field in figures.items():
                tests[figure] = report.summarise(pick(pairs, field), higher_is_better=False)
        return {
            "name": self.file.stem, "build": self.build, "kernels": facts[0]["kernels"],
            "tests": tests, "bandwidth": median(bandwidth), "busy": self.busy, "tuning": tuning,
            "settings": {"prompt": str(prompt), "generate": str(generate)},
        }

    def pairs(self, name, ours, peer) -> list[dict]:
        """Both engines in turns, the first one changing from pair to pair."""
        pairs = []
        for turn in range(self.arguments.repetitions):
            def measure():
                busy = busy_share()
                order = [("ours", ours), ("peer", peer)]
                pair = {who: run() for who, run in (order if turn % 2 else order[::-1])}
                return pair | {"busy": busy}
            pairs.append(
                self.journal.measured(self.file.name, self.build, name, turn, measure=measure))
            progress(f"{self.file.stem} {self.build} {name}: pair {turn + 1} of "
                     f"{self.arguments.repetitions}")
        self.busy += [pair["busy"] for pair in pairs]
        return pairs

    def tune(self):
        """The best settings for the peer: medians of three turns over all of them."""
        best, speeds = [], {}
        for test, choices in [
            (Test(512, 0), PROMPT_SETTINGS), (Test(0, 32, 2048), GENERATION_SETTINGS),
        ]:
            samples = {settings: [] for settings in choices}
            for settings in choices:
                for turn in range(3):
                    samples[settings].append(self.journal.measured(
                        self.file.name, self.build, test.name, str(settings), turn,
                        measure=lambda: self.peer.speed(test, settings)))
                speeds[f"{test.name}, {settings}"] = median(samples[settings])
                progress(f"{self.file.stem} {self.build} llama.cpp {test.name}, {settings}: "
                         f"{median(samples[settings]):.1f} tokens/s")
            best.append(max(choices, key=lambda settings: median(samples[settings])))
        return speeds, *best


def pick(pairs, field):
    return [{who: pair[who][field] for who in ("ours", "peer")} for pair in pairs]
