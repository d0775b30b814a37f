#!/bin/sh
# Checks that a release can be signed with any key, also with one younger than the last commit, and reproducibly, and that
# the README's lines check it.
set -eu
cd "$(dirname "$0")/../.."

repository=$PWD
gpg=$(tests/need.sh gpg gpg)
temporary=$(mktemp -d)
GNUPGHOME=$temporary/keys
export GNUPGHOME
trap 'gpgconf --kill all; GNUPGHOME=$temporary/reader gpgconf --kill all; rm -rf "$temporary"' EXIT
mkdir -m 700 "$GNUPGHOME"
"$gpg" --batch --quiet --passphrase "" --quick-generate-key "Fluglog <fluglog@example.org>" ed25519 sign
SIGNING_KEY=$("$gpg" --batch --armor --export-secret-keys)
export SIGNING_KEY

for epoch in 1700000000 "$(($(date +%s) + 86400))"; do
    for folder in one two; do
        mkdir "$temporary/$folder"
        echo "Origin: Fluglog" >"$temporary/$folder/Release"
        env SOURCE_DATE_EPOCH="$epoch" ADDRESS=https://fluglog.example.org/ packaging/release/sign.sh "$temporary/$folder"
    done
    diff -r "$temporary/one" "$temporary/two"
    cd "$temporary/one"
    sha256sum --quiet --check SHA256SUMS
    # gpg reports that the signature is from the future, and that it is good.
    "$gpg" --batch --quiet --ignore-time-conflict --verify SHA256SUMS.asc SHA256SUMS 2>/dev/null
    "$gpg" --batch --quiet --ignore-time-conflict --verify InRelease 2>/dev/null
    if [ "$epoch" = 1700000000 ]; then
        # The README's lines, but GitHub's, with the keyring of somebody who has just downloaded the files.
        mkdir -m 700 "$temporary/reader"
        sed -n '/^```console$/,/^```$/p' "$repository/README.md" | grep -e '^sha256sum' -e '^gpg' >"$temporary/lines"
        [ "$(wc -l <"$temporary/lines")" -eq 2 ]
        GNUPGHOME=$temporary/reader sh -e "$temporary/lines" >/dev/null 2>"$temporary/said" || {
            cat "$temporary/said" >&2
            exit 1
        }
    fi
    cd - >/dev/null
    rm -r "$temporary/one" "$temporary/two"
done
echo "ok  signatures of a key that is younger than the commit, and of one that is older, and the lines of the README that check them"
