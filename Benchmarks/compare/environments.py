"""Private Python environments with llama-cpp-python, built here from its source distribution."""

import os
import subprocess
import sys
from pathlib import Path

VERSION = "0.3.36"

# CMake definitions of each build; only `images` has what is not for text. `avx2` has the
# instructions of our kernels of that name.
BUILDS = {
    "native": "-DLLAVA_BUILD=OFF -DGGML_NATIVE=ON",
    "images": "-DLLAVA_BUILD=ON -DGGML_NATIVE=ON",
    "avx2": " ".join(
        ["-DLLAVA_BUILD=OFF -DGGML_NATIVE=OFF"]
        + [f"-DGGML_{name}=ON" for name in ("SSE42", "AVX", "AVX2", "FMA", "F16C", "BMI2")]
        + [
            f"-DGGML_{name}=OFF"
            for name in ("AVX_VNNI", "AVX512", "AVX512_VBMI", "AVX512_VNNI", "AVX512_BF16")
        ]
    ),
}


def cache_folder() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "leap-swift" / "compare"


def python_of(build: str, version: str) -> Path:
    """The interpreter of the environment, which is made first where it is missing."""
    folder = cache_folder() / f"venv-{build}"
    python = folder / "bin" / "python3"
    if installed_version(python) == version:
        return python
    folder.parent.mkdir(parents=True, exist_ok=True)
    log = cache_folder() / f"install-{build}.log"
    print(f"building llama-cpp-python {version} ({build}); log: {log}", file=sys.stderr)
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    definitions = f"{BUILDS[build]} {os.environ.get('CMAKE_ARGS', '')}".strip()
    command = [python, "-m", "pip", "install", "--verbose", "--no-cache-dir"]
    command += ["--no-binary", "llama-cpp-python", f"llama-cpp-python=={version}"]
    with open(log, "w") as output:
        result = subprocess.run(
            command, env=os.environ | {"CMAKE_ARGS": definitions}, stdout=output, stderr=output
        )
    if result.returncode != 0 or installed_version(python) != version:
        sys.exit(f"llama-cpp-python {version} ({build}) could not be built, see {log}")
    return python


def installed_version(python: Path) -> str | None:
    if not python.exists():
        return None
    code = "import importlib.metadata as m; print(m.version('llama-cpp-python'))"
    result = subprocess.run([python, "-c", code], capture_output=True, text=True)
    return result.stdout.strip() if result.returncode == 0 else None
