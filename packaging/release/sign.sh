#!/bin/sh
# Writes the sums of a folder's files, SHA256SUMS. With a secret key in SIGNING_KEY it signs the apt repository and the
# sums: InRelease, Release.gpg, SHA256SUMS.asc, and the public key fluglog.asc; and with the repository's address in
# ADDRESS, slash included, it writes the file for /etc/apt/sources.list.d, fluglog.sources.
#
#   packaging/release/sign.sh FOLDER
set -eu
cd "$(dirname "$0")/../.."

gpg=
[ -z "${SIGNING_KEY:-}" ] || gpg=$(tests/need.sh gpg gpg)
cd "$1"
rm -f InRelease Release.gpg SHA256SUMS* fluglog.asc fluglog.sources
if [ -n "$gpg" ]; then
    GNUPGHOME=$(mktemp -d)
    export GNUPGHOME
    trap 'gpgconf --kill all; rm -rf "$GNUPGHOME"' EXIT
    printf '%s\n' "$SIGNING_KEY" | "$gpg" --batch --quiet --import
    # A key signs nothing before it was made, and a subkey may be younger than its key.
    made=$("$gpg" --batch --list-secret-keys --with-colons | awk -F: '/^(sec|ssb):/ && $6 > last { last = $6 } END { print last + 0 }')
    [ "$made" -lt "$SOURCE_DATE_EPOCH" ] || SOURCE_DATE_EPOCH=$made
    sign() { "$gpg" --batch --yes --quiet --armor --faked-system-time "$SOURCE_DATE_EPOCH!" "$@"; }
    sign --output InRelease --clearsign Release
    sign --output Release.gpg --detach-sign Release
    "$gpg" --batch --armor --export >fluglog.asc
    if [ -n "${ADDRESS:-}" ]; then
        printf 'Types: deb\nURIs: %s\nSuites: /\nSigned-By:\n' "$ADDRESS" >fluglog.sources
        # An empty line would end the entry.
        sed 's/^$/./; s/^/ /' fluglog.asc >>fluglog.sources
    fi
else
    echo "Not signed: SIGNING_KEY is not set." >&2
fi
find . -type f ! -name 'SHA256SUMS*' -printf '%P\n' | LC_ALL=C sort | xargs sha256sum >SHA256SUMS
[ -z "$gpg" ] || sign --output SHA256SUMS.asc --detach-sign SHA256SUMS
