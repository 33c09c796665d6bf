#!/usr/bin/env python3
"""Counts the instructions that one token costs, and compares them with the numbers of
instruction-counts.json: unlike seconds they do not depend on what else the machine does.

A short and a longer run of the same work on one thread, under valgrind: their difference, divided
by the tokens between them, is free of what loading costs. valgrind knows no AVX-512, so the avx2
and the portable kernels are counted. More instructions than the tolerance allows are a regression
(exit code 1); fewer ones should be recorded with --update. Then Benchmarks/check-allocations.sh
sees to it that decoding allocates nothing. Needs valgrind, and `swift build -c release` before.

examples:
  check-instructions.py
  check-instructions.py --only "avx2 Q4_0"     cases whose name begins so
  check-instructions.py --update               record what is counted now
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
RELEASE = HERE.parent / ".build" / "release"
RECORD = HERE / "instruction-counts.json"
MODEL = HERE.parent / "Fixtures" / "tiny-chat" / "gguf" / "tiny-chat-q4_k_m.gguf"
TOLERANCE = 0.03
KERNELS = ["avx2", "portable"]
TYPES = ["Q4_K_M", "Q4_0", "Q8_0"]
# Arguments of `bench --once`: a short and a longer run, and the tokens between them.
WORKS = {
    "decode": (["-p", "1", "-n", "2"], ["-p", "1", "-n", "10"], 8),
    "prefill": (["-p", "32"], ["-p", "64"], 32),
}


def instructions(model: Path, kernels: str, options: list[str]) -> int:
    program = [RELEASE / "bench", "--once", "-m", model, "-t", "1", "--kernels", kernels, *options]
    valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    # Without random hashes loading costs the same each time.
    environment = os.environ | {"SWIFT_DETERMINISTIC_HASHING": "1"}
    result = subprocess.run(valgrind + program, capture_output=True, text=True, env=environment)
    count = re.search(r"Collected : (\d+)", result.stderr)
    if result.returncode != 0 or not count:
        sys.exit(f"valgrind failed:\n{result.stderr}")
    return int(count.group(1))


def models(folder: Path) -> dict[str, Path]:
    """The bundled model, and the same in other types."""
    files = {"Q4_K_M": MODEL}
    for kind in TYPES[1:]:
        files[kind] = folder / f"{kind}.gguf"
        command = [RELEASE / "leap", "quantize", MODEL, files[kind], kind]
        subprocess.run(command, check=True, capture_output=True)
    return files


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="cases whose names begin so")
    parser.add_argument("--update", action="store_true", help="record what is counted now")
    arguments = parser.parse_args()
    recorded = json.loads(RECORD.read_text()) if RECORD.exists() else {}
    counts, failed, improved = dict(recorded), False, False
    print(f"{'instructions per token':26} {'recorded':>12} {'now':>12}  change")
    with tempfile.TemporaryDirectory() as folder:
        files = models(Path(folder))
        for kernels in KERNELS:
            for kind in TYPES:
                for work, (short, long, tokens) in WORKS.items():
                    name = f"{kernels} {kind} {work}"
                    if not name.startswith(arguments.only):
                        continue
                    few, many = (instructions(files[kind], kernels, w) for w in (short, long))
                    counts[name] = (many - few) // tokens
                    known = recorded.get(name)
                    change = counts[name] / known - 1 if known else None
                    verdict = ""
                    if change is None:
                        verdict, failed = "not recorded", True
                    elif change > TOLERANCE:
                        verdict, failed = f"{change:+.1%} REGRESSION", True
                    elif change < -TOLERANCE:
                        verdict, improved = f"{change:+.1%} improved", True
                    else:
                        verdict = f"{change:+.1%}"
                    print(f"{name:26} {known or '-':>12} {counts[name]:>12}  {verdict}", flush=True)
    allocations = subprocess.run(["bash", HERE / "check-allocations.sh"])
    failed = failed or allocations.returncode != 0
    if arguments.update:
        RECORD.write_text(json.dumps(counts, indent=2) + "\n")
        print(f"recorded in {RECORD}")
        return 0
    if improved:
        print("fewer instructions: record them with --update")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
