#!/bin/sh
# Tests an admin's ways, as the documents have them, on a booted Debian 12 and 13 with the units as they are shipped and
# another device in the network: admin.mts. Needs root and the package of `make deb ARCHITECTURES=x86_64`.
#
#   tests/packaging/admin.sh NODE RELEASE...
set -eu
cd "$(dirname "$0")/../.."

stores=target/machine/stores
if [ -z "${FLUGLOG_ADMIN_TEST:-}" ]; then
    tests/need.sh systemd-container systemd-nspawn >/dev/null
    tests/need.sh iproute2 ip >/dev/null
    tests/need.sh openssl openssl >/dev/null
    python=$(tests/need.sh python3-venv python3)
    # The targets of backups: a WebDAV and an S3-compatible server, from PyPI.
    if [ ! -e "$stores/.complete" ]; then
        rm -rf "$stores"
        "$python" -m venv "$stores"
        "$stores/bin/pip" install --quiet --disable-pip-version-check wsgidav==4.3.3 cheroot==11.1.2 "moto[s3,server]==5.1.0"
        touch "$stores/.complete"
    fi
    FLUGLOG_ADMIN_TEST=$(mktemp -d)
    export FLUGLOG_ADMIN_TEST
    status=0
    unshare --net --mount -- "$0" "$@" || status=$?
    rm -r "$FLUGLOG_ADMIN_TEST"
    exit $status
fi

node=$1
shift
ip link set lo up
# The machine under the name of the documents, as this device's resolver would find it.
printf '127.0.0.1 localhost\n192.168.77.20 fluglog.example.org\n' >"$FLUGLOG_ADMIN_TEST/hosts"
mount --bind "$FLUGLOG_ADMIN_TEST/hosts" /etc/hosts
"$node" tests/packaging/admin.mts "$@"
