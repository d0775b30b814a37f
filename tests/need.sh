#!/bin/sh
# Prints the path of a program that tests or measurements need; installs its Debian package first if it is missing.
#
#   tests/need.sh PACKAGE PROGRAM...    the first PROGRAM that exists wins
#
# Standard output has only the path; apt-get's output goes to standard error. Knows only Debian's packages.
set -eu

package=$1
shift

find_program() {
    for program in "$@"; do
        command -v "$program" && return 0
    done
    return 1
}

find_program "$@" && exit 0

as_root=
[ "$(id -u)" -eq 0 ] || as_root=sudo

if ! command -v apt-get >/dev/null || { [ -n "$as_root" ] && ! command -v sudo >/dev/null; }; then
    echo "$1 is missing and can't be installed here without apt-get and root or sudo: please install it yourself and run this again." >&2
    exit 1
fi

echo "$1 is missing: installing Debian's package '$package'." >&2
if ! { $as_root apt-get update && $as_root env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends "$package"; } >&2; then
    echo "$1 is missing and apt-get could not install the package '$package': please install it yourself and run this again." >&2
    exit 1
fi

find_program "$@"
