#!/usr/bin/env bash
# Checks the object files of the kernel targets for what would make the instruction-set variants
# unsafe or slow:
#  - weak functions that do not carry their own module's name: the linker may merge them with a copy
#    made for another instruction set, which a CPU without the instructions would then run;
#  - global initialisers, which would run before the CPU is known;
#  - calls to library helpers that stand for one instruction each; only the scalar oracle may call
#    fmaf, where it stands for the instruction that the others have.
# Usage, after `swift build -c release`: Benchmarks/check-kernel-symbols.sh [BUILD_FOLDER]
set -euo pipefail
cd "$(dirname "$0")/.."
build="${1:-.build/release}"

modules=(Kernels)
[ "$(uname -m)" = x86_64 ] && modules+=(KernelsAVX2 KernelsAVX512)
helpers='fmaf?|fmal|__extendhfsf2|__truncsfhf2|__gnu_h2f_ieee|__gnu_f2h_ieee|swift_allocObject|swift_retain|swift_release|swift_once|swift_slowAlloc'
failed=0

for module in "${modules[@]}"; do
  shopt -s nullglob
  objects=("$build/$module.build"/*.o)
  if [ ${#objects[@]} -eq 0 ]; then
    echo "no object files of $module in $build: build first" >&2
    exit 1
  fi
  symbols=$(nm "${objects[@]}" 2>/dev/null)
  # Mangled Swift names begin with the length and the name of their module.
  own="\\\$s${#module}${module}"
  # Weak (W, w) and, on other formats, unique (u) symbols are functions here; V and v are data.
  foreign=$(awk '$2 ~ /^[Wwu]$/ { print $3 }' <<<"$symbols" | grep -vE "^$own" | sort -u || true)
  calls=$(
    nm -A "${objects[@]}" 2>/dev/null | grep -vE '/ScalarQuantized[^/]*:.* U fmaf$' |
      awk '$(NF - 1) == "U" { print $NF }' | grep -xE "$helpers" | sort -u || true)
  initialisers=$(awk 'NF == 3 { print $3 }' <<<"$symbols" | grep -E '(_WZ|Wz)$' | sort -u || true)
  for list in "weak functions of other modules:$foreign" "library helpers called:$calls" \
    "global initialisers:$initialisers"; do
    names="${list#*:}"
    if [ -n "$names" ]; then
      failed=1
      echo "$module: ${list%%:*}"
      sed 's/^/  /' <<<"$names"
    fi
  done
done

[ $failed -eq 0 ] && echo "kernel symbols: clean (${modules[*]})"
exit $failed
