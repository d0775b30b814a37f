#!/bin/sh
# Makes target/machine/RELEASE: a minimal Debian with systemd, copies of which the package tests boot. Made only once,
# from Debian's packages; needs root.
#
#   tests/packaging/debian.sh RELEASE...
set -eu
cd "$(dirname "$0")/../.."

for release in "$@"; do
    base=target/machine/$release
    [ ! -e "$base/.complete" ] || continue
    tests/need.sh debootstrap debootstrap >/dev/null
    rm -rf "$base"
    mkdir -p target/machine
    debootstrap --variant=minbase --include=systemd,systemd-sysv,dbus,sudo "$release" "$base" >&2
    touch "$base/.complete"
done
