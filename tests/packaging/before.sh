#!/bin/sh
# Builds target/machine/fluglog_1.3.0-1_amd64.deb, a package of an earlier version, from its commit. Only its server is
# tested: it is compiled fast, with the dependencies of the debug build and without the web app, and linked statically
# because the unit forbids loading libraries.
set -eu
cd "$(dirname "$0")/../.."

version=1.3.0
commit=cd71749
package=$PWD/target/machine/fluglog_$version-1_amd64.deb
[ -e "$package" ] && exit 0

repository=$PWD
target=x86_64-unknown-linux-musl
source=$(mktemp -d)
trap 'rm -rf "$source"' EXIT
git archive "$commit" | tar --extract --directory "$source"
cd "$source"
mkdir -p target/static "target/musl/$target/release"
cargo rustc --quiet --locked --bin fluglog --target-dir "$repository/target" -- -C target-feature=+crt-static -C strip=debuginfo
cp "$repository/target/debug/fluglog" target/static/fluglog-x86_64
cp "$repository/target/debug/fluglog" "target/musl/$target/release/fluglog"
ln -s "$repository/target/tools" target/tools
packaging/debian/build.sh amd64
mkdir -p "${package%/*}"
mv "target/debian/${package##*/}" "$package"
