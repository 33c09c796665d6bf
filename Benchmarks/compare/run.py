#!/usr/bin/env python3
"""Compares leap-swift's speed and memory with llama.cpp's, side by side on the same files."""

import argparse
import datetime
import hashlib
import json
import os
import platform
import re
import subprocess
import sys
from pathlib import Path
from statistics import median

import environments
import report
from comparison import Comparison, Journal, progress

ROOT = Path(__file__).resolve().parents[2]
DESCRIPTION = f"""{__doc__}

Makes a private environment with llama-cpp-python, built from source (the first time, some
15 minutes for each build), and synthetic models; measures both engines in turns; writes
DATE-CPU.md and .json. Build leap-swift first: swift build -c release. An interrupted run goes on
where it was when it is started again. Leave the machine alone while it runs."""
EXAMPLES = """examples:
  run.py                                   everything (about two hours)
  run.py --quick                           does it work? (minutes)
  run.py --models lfm2-1.2b --types Q4_0,Q8_0 --kernels native
  run.py --files model.gguf --kernels avx2 --threads 4
  run.py --version 0.3.35                  another llama-cpp-python"""


def parse_arguments():
    def names(text):
        return [name for name in text.split(",") if name]

    parser = argparse.ArgumentParser(
        description=DESCRIPTION, epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--models", type=names, default=["lfm2-350m", "lfm2-1.2b"],
        help="shapes of synthetic models (default lfm2-350m,lfm2-1.2b)")
    add("--types", type=names, default=["Q4_0", "Q4_K_M", "Q8_0"],
        help="their weight types (default Q4_0,Q4_K_M,Q8_0)")
    add("--files", nargs="+", type=Path, help="measure these GGUF files instead")
    add("--kernels", type=names, default=["native", "avx2"],
        help="native, avx2 or both (default): our kernels and llama.cpp's build")
    add("--threads", type=int, default=2, help="for both engines (default 2)")
    add("--repetitions", type=int, default=5, help="pairs per measurement (default 5)")
    add("--version", default=environments.VERSION,
        help=f"of llama-cpp-python (default {environments.VERSION})")
    add("--quick", action="store_true", help="one small model, short tests, 2 pairs, no tuning")
    add("--fresh", action="store_true", help="forget what an interrupted run has measured")
    add("--output", type=Path, help="folder of results (default Benchmarks/results)")
    arguments = parser.parse_args()
    if unknown := set(arguments.kernels) - {"native", "avx2"}:
        parser.error(f"--kernels knows native and avx2, not {', '.join(unknown)}")
    if arguments.threads < 1 or arguments.repetitions < 1:
        parser.error("--threads and --repetitions are at least 1")
    if arguments.quick:
        arguments.models, arguments.types = arguments.models[:1], arguments.types[:1]
        arguments.repetitions = 2
    return arguments


def output_of(*command) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, cwd=ROOT).stdout.strip()
    except OSError:
        return ""


def synthetic_files(arguments, program) -> list[Path]:
    """Those of `bench --synthetic`, which makes them in its cache where they are missing."""
    folder = environments.cache_folder().parent / "synthetic"
    files = []
    for shape in arguments.models:
        for kind in arguments.types:
            command = [program, "--synthetic", shape, "--quant", kind, "--once"]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            files.append(max(folder.glob(f"{shape}-{kind}-v*.gguf"), key=os.path.getmtime))
    return files


def processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def main():
    arguments = parse_arguments()
    program = ROOT / ".build" / "release" / "bench"
    if not program.exists():
        sys.exit("build leap-swift first: swift build -c release")
    pythons = {
        build: environments.python_of(build, arguments.version) for build in arguments.kernels}
    files = arguments.files or synthetic_files(arguments, program)
    # What was measured with another program or other settings is not mixed in.
    identity = hashlib.sha256(program.read_bytes())
    for name in ("comparison.py", "engines.py", "peer.py"):
        identity.update(Path(__file__).with_name(name).read_bytes())
    identity.update(repr((arguments.version, arguments.threads, arguments.quick)).encode())
    journal = Journal(
        environments.cache_folder() / f"run-{identity.hexdigest()[:12]}.jsonl", arguments.fresh)
    progress(f"measurements: {journal.path}")

    models, builds = [], {}
    for file in files:
        for build in arguments.kernels:
            comparison = Comparison(arguments, journal, program, pythons[build], file, build)
            builds[build] = comparison.peer.facts | {"cmake": environments.BUILDS[build]}
            models.append(comparison.run())
    revision = output_of("git", "describe", "--always", "--dirty")
    result = {
        "date": f"{datetime.date.today()}", "threads": arguments.threads,
        "bandwidth": median(model["bandwidth"] for model in models),
        "machine": {
            "processor": processor(), "cores": os.cpu_count(),
            "kernel": f"{platform.system()} {platform.release()}"},
        "ours": {
            "revision": revision,
            "compiler": output_of("swift", "--version").partition("\n")[0]},
        "peer": {"compiler": output_of("c++", "--version").partition("\n")[0], "builds": builds},
        "models": models,
        "measurements": [
            {"key": key, "value": value} for key, value in journal.entries.items()],
    }
    folder = arguments.output or ROOT / "Benchmarks" / "results"
    folder.mkdir(parents=True, exist_ok=True)
    slug = re.sub(r"[^a-z0-9]+", "-", processor().lower().replace("(r)", "")).strip("-")
    name = f"{result['date']}-{slug}" + ("-quick" if arguments.quick else "")
    (folder / f"{name}.json").write_text(json.dumps(result, indent=1) + "\n")
    (folder / f"{name}.md").write_text(report.markdown(result))
    progress(f"wrote {folder / name}.md and .json")
    print(report.summary_table(models))


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
    except (RuntimeError, OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"error: {error}")
