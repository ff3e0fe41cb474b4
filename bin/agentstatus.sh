#!/bin/sh
# Starts the search command that this file, or the one that reads it, is named after: on the runtime that ships with the app,
# else on $ML_EXTENSION_NODE, else on node of the PATH.
# splunkd's own libraries and OpenSSL settings would disturb it. A word on stderr would end the search: errors go into it.
unset LD_LIBRARY_PATH OPENSSL_CONF
case $0 in */*) here=${0%/*} ;; *) here=. ;; esac
name=${0##*/}
node=$here/runtime/linux_x86_64/node
if [ ! -x "$node" ]; then
  node=${ML_EXTENSION_NODE:-$(command -v node)} || node=
  if [ -z "$node" ]; then
    said='{"finished":true,"error":"ml_extension: no Node runtime: install one (version 26) or set ML_EXTENSION_NODE"}'
    printf 'chunked 1.0,%d,0\n%s' ${#said} "$said"
    exit 1
  fi
fi
exec "$node" --no-warnings "$here/${name%.sh}.mjs" 2>/dev/null
