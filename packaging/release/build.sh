#!/bin/sh
# Collects everything that is published in target/release-files, from the builds of `make release`. The folder is an apt
# repository too.
#
# SIGNING_KEY, an ASCII-armoured secret OpenPGP key without a passphrase, signs the repository and the sums if it is set;
# ADDRESS is where the files will be published.
# The same sources and tools give the same bytes; SOURCE_DATE_EPOCH is the only time in them.
set -eu
cd "$(dirname "$0")/../.."

SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH LC_ALL=C
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
files=target/release-files

rm -rf "$files"
mkdir -p "$files"
for architecture in x86_64 aarch64 armv7; do
    install -m 755 "target/static/fluglog-$architecture" "$files/fluglog-$version-linux-$architecture"
done
for architecture in amd64 arm64 armhf; do
    cp "target/debian/fluglog_$version-1_$architecture.deb" "$files/"
done
for architecture in amd64 arm64; do
    cp "target/container/fluglog-image-$architecture.tar" "$files/fluglog-$version-image-$architecture.tar"
done
git archive --prefix="fluglog-$version/" HEAD | gzip -9 --no-name >"$files/fluglog-$version-source.tar.gz"
for parts in rust npm; do
    cp "target/package/fluglog-$parts.cdx.json" "$files/fluglog-$version-$parts.cdx.json"
done
gzip --decompress --stdout embed/licenses.txt.gz >"$files/fluglog-$version-licenses.txt"
packaging/release/repository.sh "$files"
packaging/release/sign.sh "$files"
ls -l "$files"
