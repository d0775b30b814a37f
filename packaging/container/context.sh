#!/bin/sh
# Makes the build context of the Containerfile: exactly the files that the image holds.
#
#   packaging/container/context.sh FOLDER [amd64|arm64]...
#
# The static binaries have to be there (make static).
set -eu
cd "$(dirname "$0")/../.."

folder=$1
shift
[ $# -gt 0 ] || set -- amd64 arm64

rm -rf "$folder"
mkdir -p "$folder/etc" "$folder/data"
echo 'fluglog:x:10001:10001:Fluglog:/data:/sbin/nologin' >"$folder/etc/passwd"
echo 'fluglog:x:10001:' >"$folder/etc/group"
for name in "$@"; do
    case $name in
    amd64) architecture=x86_64 ;;
    arm64) architecture=aarch64 ;;
    *)
        echo "no static binary for $name: amd64 and arm64 there are" >&2
        exit 2
        ;;
    esac
    cp "target/static/fluglog-$architecture" "$folder/fluglog-$name"
done
