#!/bin/sh
# Builds the Debian packages target/debian/fluglog_VERSION_ARCHITECTURE.deb, from the static binaries of `make static`.
#
#   packaging/debian/build.sh [amd64] [arm64]
#
# Manual page, completions and the explained settings come from the binary itself, the parts list from Cargo.lock.
set -eu
cd "$(dirname "$0")/../.."

[ $# -gt 0 ] || set -- amd64 arm64

tools=$PWD/target/tools
cargo install --quiet --locked --root "$tools" cargo-deb@3.8.0 cargo-cyclonedx@0.5.9
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

for name in "$@"; do
    case $name in
    amd64) target=x86_64-unknown-linux-musl ;;
    arm64) target=aarch64-unknown-linux-musl ;;
    *)
        echo "no static binary for $name: amd64 and arm64 there are" >&2
        exit 2
        ;;
    esac
    # cargo-cyclonedx writes beside Cargo.toml and nowhere else.
    cargo cyclonedx --quiet --format json --target "$target" --override-filename .fluglog.cdx
    # Removes the path of this folder.
    sed "s#path+file://$PWD#path+file:///fluglog#" .fluglog.cdx.json >target/package/fluglog.cdx.json
    rm .fluglog.cdx.json
    CARGO_TARGET_DIR=target/musl cargo deb --quiet --no-build --no-strip --locked --target "$target" --output target/debian/
done
ls -l target/debian/*.deb
