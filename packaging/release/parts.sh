#!/bin/sh
# Lists the parts of the program in the form of CycloneDX: target/package/fluglog-rust.cdx.json and fluglog-npm.cdx.json.
# The web app's packages have to be installed (make packages).
set -eu
cd "$(dirname "$0")/../.."

SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH
tools=$PWD/target/tools
cargo install --quiet --locked --root "$tools" cargo-cyclonedx@0.5.9
mkdir -p target/package

# Without the path of this folder. cargo-cyclonedx writes beside each Cargo.toml and nowhere else.
PATH=$tools/bin:$PATH cargo cyclonedx --quiet --format json --target all --override-filename .fluglog.cdx
sed "s#path+file://$PWD#path+file:///fluglog#" .fluglog.cdx.json >target/package/fluglog-rust.cdx.json
rm .fluglog.cdx.json src/*/.fluglog.cdx.json

# Of the web app the parts that are built in. `npm sbom --omit dev` would leave out React, because the tests need it too. npm
# names the list after the folder.
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
mkdir "$temporary/fluglog-ui"
cp ui/package.json ui/package-lock.json ui/.npmrc "$temporary/fluglog-ui/"
npm --prefix "$temporary/fluglog-ui" --loglevel error pkg delete devDependencies
npm --prefix "$temporary/fluglog-ui" --loglevel error install --silent --offline --ignore-scripts --package-lock-only

# npm numbers each list at random and writes the time.
time=$(date --utc --date="@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)
npm --prefix "$temporary/fluglog-ui" --loglevel error sbom --package-lock-only --sbom-format cyclonedx |
    sed "/\"serialNumber\":/d; s/\"timestamp\": \".*\"/\"timestamp\": \"$time\"/" >target/package/fluglog-npm.cdx.json
