#!/bin/sh
# The alert action: splunkd starts it with --execute and writes the payload to stdin.
case $0 in */*) . "${0%/*}/runtime.sh" ;; *) . ./runtime.sh ;; esac
if ! find_node; then
  # splunkd logs a line at the level that it begins with.
  printf 'ERROR ml_agent: %s: %s\n' "$problem" "$remedy" >&2
  exit 2
fi
exec "$node" --no-warnings "$here/lib/alert.mjs" "$@"
