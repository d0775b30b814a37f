#!/bin/sh
# Makes target/machine/RELEASE: a minimal Debian with systemd, copies of which the package tests boot. Made only once,
# from Debian's packages; needs root. Other packages that the documents name wait in apt's cache, because the machines have
# no network that leads out.
#
#   tests/packaging/debian.sh RELEASE...
set -eu
cd "$(dirname "$0")/../.."

named="nginx-light caddy age"
for release in "$@"; do
    base=target/machine/$release
    if [ ! -e "$base/.complete" ]; then
        tests/need.sh debootstrap debootstrap >/dev/null
        rm -rf "$base"
        mkdir -p target/machine
        debootstrap --variant=minbase --include=systemd,systemd-sysv,dbus,sudo "$release" "$base" >&2
        touch "$base/.complete"
    fi
    if [ ! -e "$base/.cached" ]; then
        # shellcheck disable=SC2086 # several names
        chroot "$base" sh -c "apt-get clean && apt-get update && apt-get install --yes --no-install-recommends --download-only $named" >&2
        touch "$base/.cached"
    fi
done
