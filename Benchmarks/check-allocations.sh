#!/usr/bin/env bash
# Counts the heap allocations of decoding, which must not grow with the number of tokens: runs the
# same benchmark for 20 and for 120 tokens under valgrind and compares.
#
# Needs valgrind (Debian's package of that name). Usage, after `swift build -c release`:
#   Benchmarks/check-allocations.sh [MODEL]
set -euo pipefail
root="$(cd "$(dirname "$0")/.." && pwd)"
model="${1:-$root/Fixtures/tiny-chat/gguf/tiny-chat-q4_k_m.gguf}"

allocations() {
  # valgrind does not know AVX-512, so the portable kernels run.
  valgrind --tool=memcheck --leak-check=no "$root/.build/release/bench" --once \
    -m "$model" -n "$1" -t 2 --kernels portable 2>&1 |
    sed -n 's/.*total heap usage: \([0-9,]*\) allocs.*/\1/p' | tr -d ,
}

few="$(allocations 20)"
many="$(allocations 120)"
echo "allocations: $few for 20 tokens, $many for 120 tokens"
[ "$many" -eq "$few" ] || { echo "FAILED: decoding allocates" >&2; exit 1; }
