#!/usr/bin/env python3
"""Compares the time of encoding a picture with llama.cpp's, in turns on the same encoder."""

import argparse
import json
import subprocess
import sys
from pathlib import Path
from statistics import median

import environments

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__ + " Build leap-swift first: swift build -c release. The encoder has "
        "random weights; llama.cpp is built from source the first time (some 15 minutes).")
    add = parser.add_argument
    add("--types", default="Q8_0,F16", help="weight types (default Q8_0,F16)")
    add("--encoder", default="lfm2-vl-450m", help="a shape of bench --mmproj")
    add("--size", default="512x512", help="of the picture (default 512x512: one tile)")
    add("--threads", type=int, default=2)
    add("--pairs", type=int, default=7)
    add("--flash", type=int, default=-1, help="llama.cpp's flash attention: -1 auto, 0 off, 1 on")
    add("--version", default=environments.VERSION)
    return parser.parse_args()


def synthetic(program: Path, shape: str, kind: str, name: str) -> Path:
    """A file of `bench`, made in the cache where it is missing."""
    path = environments.cache_folder().parent / "synthetic" / f"{name}-compare.gguf"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        command = [program, "--make-synthetic", shape, "--quant", kind, "-o", path]
        subprocess.run(command, check=True)
    return path


def main():
    arguments = parse_arguments()
    program = ROOT / ".build" / "release" / "bench"
    if not program.exists():
        sys.exit("build leap-swift first: swift build -c release")
    python = environments.python_of("images", arguments.version)
    # The peer wants a text model of the same width beside the encoder.
    text = {"lfm2-vl-450m": "lfm2-350m", "lfm2-vl-1.6b": "lfm2-1.2b"}[arguments.encoder]
    model = synthetic(program, text, "Q4_0", f"{text}-Q4_0")
    for kind in arguments.types.split(","):
        encoder = synthetic(
            program, arguments.encoder, kind, f"mmproj-{arguments.encoder}-{kind}")
        command = [python, HERE / "peer_images.py", model, encoder, "--size", arguments.size]
        command += ["--threads", str(arguments.threads), "--flash", str(arguments.flash)]
        peer = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            stderr=subprocess.DEVNULL)
        facts = json.loads(peer.stdout.readline() or "null")
        if facts is None:
            sys.exit(f"llama.cpp failed on {encoder}")
        ours, theirs = [], []
        for _ in range(arguments.pairs):
            options = ["--image", arguments.size, "--mmproj", encoder, "-r", "1", "-o", "json"]
            output = subprocess.run(
                [program, *options, "-t", str(arguments.threads)], capture_output=True, check=True)
            ours.append(json.loads(output.stdout)[0]["encode_seconds"])
            peer.stdin.write("\n")
            peer.stdin.flush()
            theirs.append(json.loads(peer.stdout.readline())["seconds"])
            print(f"{kind}: {ours[-1]:.3f} s, llama.cpp {theirs[-1]:.3f} s", file=sys.stderr)
        peer.stdin.close()
        peer.wait()
        ratio = median(b / a for a, b in zip(ours, theirs))
        print(
            f"{arguments.encoder} {kind}, {arguments.size}, {facts['tokens']} tokens, "
            f"{arguments.threads} threads: {median(ours):.3f} s, llama.cpp {facts['version']} "
            f"{median(theirs):.3f} s, {ratio:.2f} times as fast")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
