#!/bin/sh
# Checks that a release can be signed with any key, also with one younger than the last commit, and reproducibly.
set -eu
cd "$(dirname "$0")/../.."

gpg=$(tests/need.sh gpg gpg)
temporary=$(mktemp -d)
GNUPGHOME=$temporary/keys
export GNUPGHOME
trap 'gpgconf --kill all; rm -rf "$temporary"' EXIT
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
    cd - >/dev/null
    rm -r "$temporary/one" "$temporary/two"
done
echo "ok  signatures of a key that is younger than the commit, and of one that is older"
