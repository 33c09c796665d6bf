#!/usr/bin/env bash
# Feeds a parser with mutated input under libFuzzer and AddressSanitizer, both of which come with
# the Swift toolchain. Inputs that crash it are left in the working folder it names.
#
# Usage: Tests/Fuzz/run.sh GGUF|JSON|Persistence|ToolCalls [SECONDS]      (60 seconds unless told)
set -euo pipefail
root="$(cd "$(dirname "$0")/../.." && pwd)"
target="${1:-}"
seconds="${2:-60}"
# The modules that the target imports.
modules=()
case "$target" in
  GGUF) seeds=("$root"/Fixtures/text/rand-untied-q4_0.gguf) ;;
  JSON) seeds=("$root"/Fixtures/samplers/golden.json "$root"/Fixtures/kernels/index.json) ;;
  Persistence) seeds=("$root"/Fixtures/persistence/small.snapshot) ;;
  ToolCalls) seeds=("$root"/Tests/Fuzz/Seeds/ToolCalls/*) modules=(JSON) ;;
  *) sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
work="${TMPDIR:-/tmp}/leap-swift-fuzz-$target"
mkdir -p "$work/corpus"
cp "${seeds[@]}" "$work/corpus/"
compile() {
  swiftc -O -sanitize=fuzzer,address -parse-as-library -I "$work" "$@" > "$work/compile.log" 2>&1 \
    || { cat "$work/compile.log" >&2; exit 1; }
}
objects=()
for module in ${modules[@]+"${modules[@]}"}; do
  compile -module-name "$module" -wmo -c -emit-module \
    -emit-module-path "$work/$module.swiftmodule" "$root"/Sources/"$module"/*.swift \
    -o "$work/$module.o"
  objects+=("$work/$module.o")
done
compile -module-name "Fuzz$target" "$root"/Sources/"$target"/*.swift \
  "$root/Tests/Fuzz/${target}Fuzzer.swift" ${objects[@]+"${objects[@]}"} -o "$work/fuzz"
words=()
if [ -f "$root/Tests/Fuzz/Seeds/$target.dict" ]; then
  words=(-dict="$root/Tests/Fuzz/Seeds/$target.dict")
fi
cd "$work"
echo "working folder: $work"
# Swift's own crash report would take the signal before libFuzzer can save the input.
SWIFT_BACKTRACE=enable=no ./fuzz -max_total_time="$seconds" -max_len=65536 -print_final_stats=1 \
  ${words[@]+"${words[@]}"} corpus 2>&1 | grep -vE 'NEW|REDUCE|pulse' | tail -n 25
