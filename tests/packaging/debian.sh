#!/bin/sh
# Makes target/machine/debian: a minimal Debian with systemd, of which the package test boots a copy. Made once, from
# Debian's own packages; needs root.
set -eu
cd "$(dirname "$0")/../.."

release=bookworm
base=target/machine/debian
[ -e "$base/.complete" ] && exit 0

tests/need.sh debootstrap debootstrap >/dev/null
rm -rf "$base"
mkdir -p target/machine
debootstrap --variant=minbase --include=systemd,systemd-sysv,dbus,sudo "$release" "$base" >&2
touch "$base/.complete"
