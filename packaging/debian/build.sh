#!/bin/sh
# Builds the Debian packages target/debian/fluglog_VERSION_ARCHITECTURE.deb, from the static binaries of `make static`.
#
#   packaging/debian/build.sh [amd64] [arm64] [armhf]
#
# Manual page, completions and the explained settings come from the binary itself. Builds from equal binaries are byte for byte equal.
set -eu
cd "$(dirname "$0")/../.."

[ $# -gt 0 ] || set -- amd64 arm64 armhf
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH
umask 022

tools=$PWD/target/tools
cargo install --quiet --locked --root "$tools" cargo-deb@3.8.0
PATH=$tools/bin:$PATH

# The binary for this machine, which generates the files that are the same for all.
fluglog=target/static/fluglog-$(uname -m)
rm -rf target/package
mkdir -p target/package/completions
"$fluglog" man >target/package/fluglog.1
"$fluglog" completions bash >target/package/completions/fluglog.bash
"$fluglog" completions zsh >target/package/completions/_fluglog
"$fluglog" completions fish >target/package/completions/fluglog.fish
"$fluglog" init --data-dir target/package/data >/dev/null
mv target/package/data/fluglog.toml target/package/fluglog.toml
rm -r target/package/data
packaging/debian/documents.sh target/package/doc
packaging/release/parts.sh

for name in "$@"; do
    case $name in
    amd64) target=x86_64-unknown-linux-musl ;;
    arm64) target=aarch64-unknown-linux-musl ;;
    armhf) target=armv7-unknown-linux-musleabihf ;;
    *)
        echo "no static binary for $name: amd64, arm64 and armhf there are" >&2
        exit 2
        ;;
    esac
    CARGO_TARGET_DIR=target/musl cargo deb --quiet --no-build --no-strip --locked --target "$target" --output target/debian/
done
ls -l target/debian/*.deb
