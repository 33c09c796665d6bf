#!/usr/bin/env bash
# Feeds a parser with mutated input under libFuzzer and AddressSanitizer, both of which come with
# the Swift toolchain. Inputs that crash it are left in the working folder it names.
#
# Usage: Tests/Fuzz/run.sh GGUF|JSON|Persistence [SECONDS]      (60 seconds unless told)
set -euo pipefail
root="$(cd "$(dirname "$0")/../.." && pwd)"
target="${1:-}"
seconds="${2:-60}"
case "$target" in
  GGUF) seeds=("$root"/Fixtures/text/rand-untied-q4_0.gguf) ;;
  JSON) seeds=("$root"/Fixtures/samplers/golden.json "$root"/Fixtures/kernels/index.json) ;;
  Persistence) seeds=("$root"/Fixtures/persistence/small.snapshot) ;;
  *) sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
work="${TMPDIR:-/tmp}/leap-swift-fuzz-$target"
mkdir -p "$work/corpus"
cp "${seeds[@]}" "$work/corpus/"
swiftc -O -sanitize=fuzzer,address -parse-as-library -module-name "Fuzz$target" \
  "$root"/Sources/"$target"/*.swift "$root/Tests/Fuzz/${target}Fuzzer.swift" -o "$work/fuzz" \
  > "$work/compile.log" 2>&1 || { cat "$work/compile.log" >&2; exit 1; }
cd "$work"
echo "working folder: $work"
# Swift's own crash report would take the signal before libFuzzer can save the input.
SWIFT_BACKTRACE=enable=no ./fuzz -max_total_time="$seconds" -max_len=65536 -print_final_stats=1 \
  corpus 2>&1 | grep -vE 'NEW|REDUCE|pulse' | tail -n 25
