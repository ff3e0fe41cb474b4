#!/bin/sh
# Read by the launchers of REST drivers: starts the driver that the launcher is named after. Where no Node fits, this script
# answers in its place, in the same protocol, until one does.
case $0 in */*) . "${0%/*}/runtime.sh" ;; *) . ./runtime.sh ;; esac
name=${0##*/}

# A number of the protocol: digits and a line end; empty lines before it do not count.
number() {
  while IFS= read -r size; do
    case $size in '') ;; *[!0-9]*) return 1 ;; *) return 0 ;; esac
  done
  return 1
}

# A string of the protocol, which nobody here needs.
skip() {
  number && head -c "$size" >/dev/null
}

# The length counts bytes.
frame() (
  LC_ALL=C
  printf '%d\n%s' ${#1} "$1"
)

# Reads one packet and answers it. Fails at the end of the input.
answer() {
  # The opcode is one byte; line ends before it do not count.
  while opcode=$(head -c 1 | od -An -tu1 | tr -d ' ') && [ "$opcode" = 10 ]; do :; done
  [ -n "$opcode" ] || return 1
  if [ $((opcode & 1)) = 1 ]; then
    number || return 1
    pieces=$((size + 1))
    while [ $pieces -gt 0 ]; do
      skip || return 1
      pieces=$((pieces - 1))
    done
    frame ''
  fi
  if [ $((opcode & 2)) = 2 ]; then
    skip || return 1
    read -r id </proc/sys/kernel/random/uuid || id=none
    said=$(quoted "$problem")
    todo=$(quoted "$remedy")
    printf '{"level":"error","event":"no runtime","request_id":"%s","cause":"%s","remedy":"%s"}\n' "$id" "$said" "$todo" >&2
    text="{\"status\":\"fail\",\"message\":\"$said\",\"error_code\":\"runtime_missing\",\"remedy\":\"$todo\""
    text="$text,\"request_id\":\"$id\",\"messages\":[{\"type\":\"ERROR\",\"text\":\"$said: $todo\"}]}"
    frame "{\"status\":503,\"payload\":$text,\"headers\":[[\"Content-Type\",\"application/json; charset=UTF-8\"]]}"
  fi
}

# What is installed meanwhile serves from the next request on.
until find_node; do answer || exit 0; done
[ -z "$broken" ] ||
  printf '{"level":"warn","event":"another runtime","cause":"%s","node":"%s"}\n' "$(quoted "$broken")" "$(quoted "$node")" >&2
# The young generation is kept small: a driver never gives back what a long list once took.
exec "$node" --max-semi-space-size=2 "$here/${name%.sh}.mjs"
