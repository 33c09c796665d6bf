#!/usr/bin/env bash
# Compiles every Swift snippet of the LEAP documents against this package, in the language modes of
# Swift 5 and 6, and reads the documents' package manifests.
#
#   check.sh [seeds folder] [--consumer]
#
# --consumer also builds and runs a package that depends on this one, with tools 5.9 and 6.0. It
# builds everything anew, which takes minutes.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
seeds="$root/../shared/seeds" consumer=false
for argument in "$@"; do
  if [ "$argument" = --consumer ]; then consumer=true; else seeds=$argument; fi
done

temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
for name in leap-swift leap-sdk leap-ios; do ln -s "$root" "$temporary/$name"; done

package() { # tools version, dependencies, targets
  printf '// swift-tools-version: %s\nimport PackageDescription\nlet package = Package(\nname: "YourApp",\nplatforms: [.macOS("15.0"), .iOS("18.0")],\n%s,\n%s)\n' "$1" "$2" "$3"
}

if $consumer; then
  mkdir -p "$temporary/consumer/Sources/YourApp" "$temporary/models"
  ln -s "$root/Fixtures/tiny-chat/gguf/tiny-chat-q4_k_m.gguf" "$temporary/models/Tiny-Q4_K_M.gguf"
  cp "$here/Consumer.swift" "$temporary/consumer/Sources/YourApp/main.swift"
  for tools in 5.9 6.0; do
    package "$tools" 'dependencies: [.package(path: "../leap-swift")]' \
      'targets: [.executableTarget(name: "YourApp", dependencies: [.product(name: "LeapSDK", package: "leap-swift")])]' \
      > "$temporary/consumer/Package.swift"
    answer=$(cd "$temporary/consumer" && LEAP_MODELS_DIR="$temporary/models" swift run YourApp 2> "$temporary/log") \
      || { cat "$temporary/log"; exit 1; }
    echo "consumer with tools $tools: $answer"
    [ "$answer" = "The capital of France is Paris." ]
  done
fi

if [ ! -d "$seeds" ]; then
  echo "skipped: there are no documents at $seeds"
  exit 0
fi

# The package manifests of the documents, with this package in place of the original.
mkdir -p "$temporary/manifest"
for rows in 000:83:95 001:21:33; do
  IFS=: read -r seed first last <<< "$rows"
  fragment=$(sed -n "${first},${last}p" "$seeds/${seed}"_*.txt)
  targets=$(sed -n '/^targets/,$p' <<< "$fragment")
  dependencies=$(sed -n '1,/^]/p' <<< "$fragment" | sed -E 's|url: ".*/(leap-[a-z]+)(.git)?", from: "[^"]*"|path: "../\1"|')
  package 6.0 "$dependencies" "$targets" > "$temporary/manifest/Package.swift"
  swift package --package-path "$temporary/manifest" dump-package > /dev/null
  echo "manifest of document $seed: read"
done

# The modules that the snippets import.
(cd "$root" && swift build --target LeapModelDownloader)
build=$(cd "$root" && swift build --show-bin-path)
flags=(-I "$temporary/modules" -I "$build/Modules")
# System libraries that the modules were built with.
for map in "$root"/Sources/*/module.modulemap; do flags+=(-I "$(dirname "$map")"); done
for plugin in "$build"/*-tool; do
  [ -x "$plugin" ] && flags+=(-load-plugin-executable "$plugin#$(basename "$plugin" -tool)")
done
mkdir -p "$temporary/modules" "$temporary/sources"
for module in Combine SwiftUI UIKit AppKit AVFoundation; do
  swiftc -emit-module -parse-as-library -module-name "$module" "${flags[@]}" \
    -emit-module-path "$temporary/modules/$module.swiftmodule" "$here/Stubs/$module.swift"
done

python3 "$here/snippets.py" "$seeds" "$temporary/sources" "${flags[@]}"
