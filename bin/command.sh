# Read by the launchers of the search commands: starts the command that the launcher is named after. Any text on stderr would
# end the search, so failures are reported in the protocol.
exec 2>/dev/null
case $0 in */*) . "${0%/*}/runtime.sh" ;; *) . ./runtime.sh ;; esac
name=${0##*/}
if ! find_node; then
  # The first chunk is getinfo: its header says how long it is.
  IFS=', ' read -r _ _ metadata body && head -c $((metadata + body)) >/dev/null
  said="{\"finished\":true,\"error\":\"ml_extension: $(quoted "$problem: $remedy")\"}"
  LC_ALL=C
  printf 'chunked 1.0,%d,0\n%s' ${#said} "$said"
  exit 1
fi
exec "$node" --no-warnings "$here/command.mjs" "${name%.sh}"
