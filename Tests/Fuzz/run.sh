#!/usr/bin/env bash
# Feeds a parser with mutated input under libFuzzer and AddressSanitizer, both of which come with
# the Swift toolchain. Inputs that crash it are left in the working folder it names.
#
# Usage: Tests/Fuzz/run.sh GGUF|JSON|Persistence|ToolCalls|Grammar|Pattern|Images|Audio [SECONDS]
#        (60 seconds unless told)
set -euo pipefail
root="$(cd "$(dirname "$0")/../.." && pwd)"
target="${1:-}"
seconds="${2:-60}"
# The module under test, those that it imports, and what the target needs beside itself.
module="$target"
imports=()
helpers=()
libraries=()
case "$target" in
  GGUF) seeds=("$root"/Fixtures/text/rand-untied-q4_0.gguf) ;;
  JSON) seeds=("$root"/Fixtures/samplers/golden.json "$root"/Fixtures/kernels/index.json) ;;
  Persistence) seeds=("$root"/Fixtures/persistence/small.snapshot) ;;
  ToolCalls) seeds=("$root"/Tests/Fuzz/Seeds/ToolCalls/*) imports=(JSON) ;;
  Grammar | Pattern)
    seeds=("$root"/Tests/Fuzz/Seeds/"$target"/*) module=Grammar imports=(JSON Sampling)
    helpers=("$root/Tests/Fuzz/GrammarWalk.swift") ;;
  Images)
    seeds=("$root"/Fixtures/vision/decode/*.jpg "$root"/Tests/Fuzz/Seeds/Images/*)
    libraries=(-I "$root/Sources/CTurboJPEG" -I "$root/Sources/CPNG") ;;
  Audio) seeds=("$root"/Fixtures/audio/wav/cases/*.wav) ;;
  *) sed -n '2,7s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
work="${TMPDIR:-/tmp}/leap-swift-fuzz-$target"
mkdir -p "$work/corpus"
cp "${seeds[@]}" "$work/corpus/"
compile() {
  swiftc -O -wmo -sanitize=fuzzer,address -parse-as-library -I "$work" "$@" > "$work/compile.log" 2>&1 \
    || { cat "$work/compile.log" >&2; exit 1; }
}
sources() { find "$root/Sources/$1" -name '*.swift'; }
objects=()
for import in ${imports[@]+"${imports[@]}"}; do
  compile -module-name "$import" -c -emit-module \
    -emit-module-path "$work/$import.swiftmodule" $(sources "$import") -o "$work/$import.o"
  objects+=("$work/$import.o")
done
compile -module-name "Fuzz$target" $(sources "$module") "$root/Tests/Fuzz/${target}Fuzzer.swift" \
  ${helpers[@]+"${helpers[@]}"} ${objects[@]+"${objects[@]}"} \
  ${libraries[@]+"${libraries[@]}"} -o "$work/fuzz"
words=()
if [ -f "$root/Tests/Fuzz/Seeds/$target.dict" ]; then
  words=(-dict="$root/Tests/Fuzz/Seeds/$target.dict")
fi
cd "$work"
echo "working folder: $work"
# Swift's own crash report would take the signal before libFuzzer can save the input.
SWIFT_BACKTRACE=enable=no ./fuzz -max_total_time="$seconds" -max_len=65536 -print_final_stats=1 \
  ${words[@]+"${words[@]}"} corpus 2>&1 | grep -vE 'NEW|REDUCE|pulse' | tail -n 25
