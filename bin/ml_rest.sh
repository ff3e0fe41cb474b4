#!/bin/sh
# Starts the REST driver on the runtime that ships with the app, else on $ML_EXTENSION_NODE, else on node of the PATH.
# splunkd's own libraries and OpenSSL settings would disturb it.
unset LD_LIBRARY_PATH OPENSSL_CONF
case $0 in */*) here=${0%/*} ;; *) here=. ;; esac
node=$here/runtime/linux_x86_64/node
if [ ! -x "$node" ]; then
  node=${ML_EXTENSION_NODE:-$(command -v node)} || node=
  [ -n "$node" ] || { echo "ml_extension: no Node runtime: install one (version 26) or set ML_EXTENSION_NODE" >&2; exit 127; }
fi
exec "$node" "$here/ml_rest.mjs"
