#!/bin/sh
# Signs the apt repository and the sums of a folder with the secret key in SIGNING_KEY: InRelease, Release.gpg,
# SHA256SUMS.asc, and the public key fluglog.asc. Without a key it does nothing.
#
#   packaging/release/sign.sh FOLDER
set -eu
cd "$(dirname "$0")/../.."

if [ -z "${SIGNING_KEY:-}" ]; then
    echo "Not signed: SIGNING_KEY is not set." >&2
    exit 0
fi
gpg=$(tests/need.sh gpg gpg)
cd "$1"
GNUPGHOME=$(mktemp -d)
export GNUPGHOME
trap 'gpgconf --kill all; rm -rf "$GNUPGHOME"' EXIT
printf '%s\n' "$SIGNING_KEY" | "$gpg" --batch --quiet --import
sign() { "$gpg" --batch --yes --quiet --armor --faked-system-time "$SOURCE_DATE_EPOCH!" "$@"; }
sign --output InRelease --clearsign Release
sign --output Release.gpg --detach-sign Release
sign --output SHA256SUMS.asc --detach-sign SHA256SUMS
"$gpg" --batch --armor --export >fluglog.asc
