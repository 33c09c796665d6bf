"""The two engines behind one interface: speed of a test, and a single run in a fresh process."""

import json
import subprocess
import time
from dataclasses import asdict, dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Test:
    prompt: int
    generate: int
    depth: int = 0

    @property
    def name(self) -> str:
        work = f"pp{self.prompt}" if self.prompt else f"tg{self.generate}"
        return f"{work} @ d{self.depth}" if self.depth else work


@dataclass(frozen=True)
class Settings:
    """What a user of llama.cpp can choose: rows per compute batch, flash attention (-1: auto)."""

    ubatch: int = 512
    flash: int = -1

    def __str__(self) -> str:
        return f"ubatch {self.ubatch}, flash attention {('off', 'on', 'auto')[self.flash]}"


def command_of(test: Test, settings: Settings) -> str:
    return json.dumps(asdict(test) | asdict(settings))


def first_line(command: list) -> tuple[float, dict]:
    """Seconds from starting a process until its first line, and that line."""
    start = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        line = process.stdout.readline()
        seconds = time.perf_counter() - start
        _, errors = process.communicate()
    if process.returncode != 0 or not line:
        raise RuntimeError(f"{command[0]} failed: {errors.decode(errors='replace').strip()}")
    return seconds, json.loads(line)


class Ours:
    """`bench`, one process per measurement: its start evaluates a prompt, which warms it up."""

    def __init__(self, program: Path, file: Path, threads: int, kernels: str | None):
        self.command = [program, "-m", file, "-t", str(threads)]
        if kernels:
            self.command += ["--kernels", kernels]

    def speed(self, test: Test) -> dict:
        options = ["-p", test.prompt, "-n", test.generate, "-d", test.depth, "-r", 1, "-o", "json"]
        command = self.command + [str(option) for option in options]
        output = subprocess.run(command, capture_output=True, text=True)
        if output.returncode != 0:
            raise RuntimeError(f"bench failed: {output.stderr.strip()}")
        row = json.loads(output.stdout)[0]
        return {"speed": row["avg_ts"], "bandwidth": row["read_bytes_per_second"],
                "bytes_per_token": row["bytes_per_token"], "kernels": row["kernels"]}

    def once(self, test: Test) -> dict:
        seconds, memory = first_line(self.command + ["--once", "-p", str(test.prompt)])
        return {"seconds": seconds, "peak": memory["peak_memory_bytes"],
                "anonymous": memory["anonymous_memory_bytes"]}


class Peer:
    """llama.cpp in one process that keeps the model loaded."""

    def __init__(self, python: Path, file: Path, threads: int):
        self.command = [python, HERE / "peer.py", file, "--threads", str(threads)]
        self.process = subprocess.Popen(
            self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.facts = self.answer()

    def answer(self) -> dict:
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError("llama.cpp's process ended early")
        return json.loads(line)

    def speed(self, test: Test, settings: Settings) -> float:
        self.process.stdin.write(command_of(test, settings) + "\n")
        self.process.stdin.flush()
        return (test.prompt or test.generate) / self.answer()["seconds"]

    def once(self, test: Test, settings: Settings) -> dict:
        """The interpreter and its imports count neither as time nor as memory."""
        started, answer = first_line(self.command + ["--once", command_of(test, settings)])
        before, after = answer["before"], answer["after"]
        return {"seconds": answer["seconds"], "seconds_with_python": started,
                "peak": after["peak"] - before["resident"],
                "anonymous": after["anonymous"] - before["anonymous"]}

    def close(self):
        self.process.stdin.close()
        self.process.wait()
