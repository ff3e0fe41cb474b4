#!/usr/bin/env bash
# Runs the README's commands on an empty Debian: a minimal system with Node and npm, and nothing else.
# usage: tools/emptyDebian.sh [folder]     as root, with debootstrap; the default folder is a new temporary one
# The folder is kept, so that a second run needs no download. Exit code: that of `npm test`.
set -euo pipefail
if [[ ${1:-} == --help ]]; then sed -n '2,4s/^# //p' "$0"; exit; fi
project=$(cd "$(dirname "$0")/.." && pwd)
root=${1:-$(mktemp -d)}
mkdir -p "$root"

if [[ ! -x $root/usr/bin/npm ]]; then
  debootstrap --variant=minbase --include=ca-certificates stable "$root" http://deb.debian.org/debian
  chroot "$root" apt-get -qq install -y --no-install-recommends nodejs npm
fi
cp /etc/resolv.conf "$root/etc/resolv.conf"
# A site with a certificate authority of its own.
cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"

rm -rf "$root/work"
git clone -q "$project" "$root/work"
mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev"
trap 'umount "$root/proc" "$root/dev"' EXIT

run() { chroot "$root" env -i HOME=/root PATH=/usr/bin:/bin LANG=C.UTF-8 NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt sh -c "cd /work && $1"; }
run 'node --version && npm ci'
run 'npm test'
