#!/bin/sh
# Checks that the output of `make release` is complete and reproducible: made anew from the same binaries under another
# umask, time zone and language it has the same bytes, and so has the x86_64 binary built from a copy of the sources in
# another folder.
#
#   tests/packaging/release.sh        (after `make release` of what is committed)
set -eu
cd "$(dirname "$0")/../.."

fail() {
    echo "$*" >&2
    exit 1
}

files=target/release-files
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT

for name in linux-x86_64 linux-aarch64 linux-armv7 image-amd64.tar image-arm64.tar source.tar.gz rust.cdx.json npm.cdx.json licenses.txt; do
    [ -s "$files/fluglog-$version-$name" ] || fail "fluglog-$version-$name is missing"
done
for architecture in amd64 arm64 armhf; do
    package=$files/fluglog_$version-1_$architecture.deb
    [ "$(dpkg-deb --field "$package" Architecture) $(dpkg-deb --field "$package" Version)" = "$architecture $version-1" ] ||
        fail "$package says: $(dpkg-deb --info "$package")"
    grep -qF "Filename: ${package##*/}" "$files/Packages" || fail "the repository lacks $package"
done
(cd "$files" && sha256sum --quiet --check SHA256SUMS)
(cd "$files" && find . -type f ! -name 'SHA256SUMS*' | wc -l) >"$temporary/count"
[ "$(wc -l <"$files/SHA256SUMS")" -eq "$(cat "$temporary/count")" ] || fail "SHA256SUMS doesn't name every file"
echo "ok  $(cat "$temporary/count") files and their sums"

tar --extract --gzip --file "$files/fluglog-$version-source.tar.gz" --directory "$temporary"
git archive HEAD | tar --list | grep -v '/$' | sort >"$temporary/committed"
(cd "$temporary/fluglog-$version" && find . -type f -printf '%P\n' | sort) | cmp - "$temporary/committed"
echo "ok  the source archive"

for parts in rust:redb:fluglog npm:react:fluglog-ui; do
    list=$files/fluglog-$version-${parts%%:*}.cdx.json
    whose=${parts##*:} parts=${parts#*:}
    ui/node_modules/.bin/node -e '
        const [file, part, whose, folder] = process.argv.slice(1);
        const text = require("node:fs").readFileSync(file, "utf8");
        const list = JSON.parse(text);
        if (list.bomFormat !== "CycloneDX" || !list.components.some(({ name }) => name === part)) throw new Error(file);
        if (list.metadata.component.name !== whose) throw new Error(`${file} is the list of ${list.metadata.component.name}`);
        if (text.includes(folder)) throw new Error(`${file} names a folder of this machine`);
    ' "$list" "${parts%:*}" "$whose" "$PWD"
done
grep -q '^redb ' "$files/fluglog-$version-licenses.txt" || fail "the licences lack redb"
echo "ok  the lists of parts and licences"

cp "$files/SHA256SUMS" "$temporary/before"
(
    umask 077
    export TZ=Asia/Tokyo LANG=C
    packaging/debian/build.sh
    packaging/container/build.sh
    packaging/release/build.sh
) >"$temporary/log" 2>&1 || fail "$(cat "$temporary/log")"
diff "$temporary/before" "$files/SHA256SUMS" || fail "a second run gave other bytes"
echo "ok  a second run gives the same bytes"

for binary in target/static/fluglog-*; do
    ! grep -qF -e "$PWD" -e "$HOME/.cargo" "$binary" || fail "$binary names a folder of this machine"
done
git clone --quiet . "$temporary/elsewhere"
make --directory "$temporary/elsewhere" static ARCHITECTURES=x86_64 >"$temporary/log" 2>&1 || fail "$(cat "$temporary/log")"
cmp "$temporary/elsewhere/target/static/fluglog-x86_64" target/static/fluglog-x86_64
echo "ok  the same binary from another folder"
