#!/usr/bin/env bash
# Kills chats at random times while they write to a cache folder and to a session file. Whatever is
# left, the next start must answer as a cold one, leave no temporary file behind and find the
# session whole.
#
# Usage: Tests/scripts/kill-cache.sh [TIMES] [LEAP]      (20 times; .build/release/leap unless told)
set -euo pipefail
root="$(cd "$(dirname "$0")/../.." && pwd)"
times="${1:-20}"
leap="${2:-$root/.build/release/leap}"
model="$root/Fixtures/tiny-chat/gguf/tiny-chat-q4_k_m.gguf"
[ -x "$leap" ] || { echo "$leap is not built: swift build -c release" >&2; exit 2; }
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cache="$work/cache"
session="$work/chat.session"
system="You are a helpful assistant. Answer in one short sentence, please. Be polite, and be brief."

ask() { "$leap" generate -m "$model" --system "$system" -p "$1" --temp 0 -n 24 "${@:2}"; }
leftovers() { find "$work" -name '.leap-*.partial' | wc -l; }
fail() { echo "round $round: $1" >&2; exit 1; }

questions=("Hello!" "My name is Anna." "What is the capital of France?" "Count from 3 to 9.")
round=0
expected=()
for question in "${questions[@]}"; do expected+=("$(ask "$question" 2> "$work/log")"); done
for _ in $(seq 40); do printf '%s\n' "${questions[@]}"; done > "$work/lines"

hits=0 partial=0 sessions=0
for round in $(seq "$times"); do
  "$leap" chat -m "$model" --system "$system $((round % 7))" --temp 0 -n 8 --cache "$cache" \
    --session "$session" < "$work/lines" > /dev/null 2> "$work/log" &
  victim=$!
  milliseconds=$((60 + RANDOM % 1200))
  sleep "$((milliseconds / 1000)).$(printf "%03d" $((milliseconds % 1000)))"
  kill -9 "$victim" 2> /dev/null || fail "the chat ended by itself: $(tail -n 1 "$work/log")"
  wait "$victim" 2> /dev/null || true
  left="$(leftovers)"
  for folder in "$work" "$cache"; do
    [ "$(find "$folder" -maxdepth 1 -name '.leap-*.partial' 2> /dev/null | wc -l)" -le 1 ] \
      || fail "more than one temporary file: $(ls -a "$folder")"
  done
  partial=$((partial + left))

  index=$((round % ${#questions[@]}))
  answer="$(ask "${questions[$index]}" --cache "$cache" 2> "$work/log")" \
    || fail "the next start failed: $(cat "$work/log")"
  [ "$answer" = "${expected[$index]}" ] || fail "another answer: $answer"
  ! grep -q "warning" "$work/log" || fail "$(cat "$work/log")"
  ! grep -q "of them cached" "$work/log" || hits=$((hits + 1))
  [ "$(find "$cache" -name '.leap-*.partial' | wc -l)" -eq 0 ] \
    || fail "a temporary file was not cleaned up"
  if [ -e "$session" ]; then
    "$leap" chat -m "$model" --session "$session" < /dev/null > /dev/null 2> "$work/log" \
      || fail "the session is damaged: $(cat "$work/log")"
    sessions=$((sessions + 1))
    # A session that grows until its context is full would end the chat by itself.
    [ $((round % 5)) -ne 0 ] || rm -f "$session"
  fi
done
echo "$times kills: $hits starts found a state, $sessions a whole session, $partial temporary files"
