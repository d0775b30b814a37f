#!/bin/sh
# Makes an apt repository of a folder with Debian packages: Packages, Packages.gz and Release, in the folder itself. Names are
# without `./`, which not every server that hands out files understands.
#
#   packaging/release/repository.sh FOLDER
set -eu
cd "$(dirname "$0")/../.."

ftparchive=$(tests/need.sh apt-utils apt-ftparchive)
cd "$1"
"$ftparchive" packages . | sed "s#^Filename: \./#Filename: #" >Packages
gzip -9 --no-name --keep --force Packages
date=$(LC_ALL=C date --utc --rfc-email --date="@$SOURCE_DATE_EPOCH")
# Written elsewhere: it lists what lies in the folder.
release=$(mktemp)
"$ftparchive" \
    -o APT::FTPArchive::Release::Origin=Fluglog \
    -o APT::FTPArchive::Release::Label=Fluglog \
    -o APT::FTPArchive::Release::Architectures='amd64 arm64 armhf' \
    -o APT::FTPArchive::Release::Date="$date" \
    -o APT::FTPArchive::MD5=false -o APT::FTPArchive::SHA1=false \
    release . >"$release"
chmod 644 "$release"
mv "$release" Release
