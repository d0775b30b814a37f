#!/bin/sh
# Copies both READMEs and what they link to below packaging/ into a folder, for the package's /usr/share/doc/fluglog. Links
# to the sources lead nowhere there: their text stays.
#
#   packaging/debian/documents.sh FOLDER
set -eu
cd "$(dirname "$0")/../.."

mkdir -p "$1"
cp README.md README.de.md "$1/"
perl -0777 -ne 'print "$1\n" while m{\]\((packaging/[^)\#]+)}g' README.md README.de.md | sort -u | while read -r linked; do
    case $linked in
    # A page of its own comes with the files that it links to.
    *.md) linked=$(dirname "$linked") ;;
    esac
    cp -R --parents "$linked" "$1/"
done
cd "$1"
perl -0777 -pi -e 's{(?<!!)\[([^\]]*)\]\(([^):\#]+)[^):]*\)}{-e $2 ? $& : $1}ge' README.md README.de.md
