#!/bin/sh
# Copies both READMEs, the documents beside this folder and what all of them link to below packaging/ into a folder, for
# the package's /usr/share/doc/fluglog. Links to the sources lead nowhere there: their text stays.
#
#   packaging/debian/documents.sh FOLDER
set -eu
cd "$(dirname "$0")/../.."

mkdir -p "$1"
cp -R --parents README.md README.de.md packaging/docs "$1/"
documents=$(find README.md README.de.md packaging/docs -name '*.md')
for document in $documents; do
    perl -0777 -ne 'print "$1\n" while m{\]\((?!\w+:)([^)\#:]+)}g' "$document" | while read -r link; do
        linked=$(realpath --canonicalize-missing --relative-to=. "$(dirname "$document")/$link")
        case $linked in
        # A page of its own comes with the files that it links to.
        packaging/*.md) linked=$(dirname "$linked") ;;
        packaging/*) ;;
        *) continue ;;
        esac
        cp -R --parents "$linked" "$1/"
    done
done
for document in $documents; do
    (
        cd "$1/$(dirname "$document")"
        perl -0777 -pi -e 's{(?<!!)\[([^\]]*)\]\(([^):\#]+)[^):]*\)}{-e $2 ? $& : $1}ge' "$(basename "$document")"
    )
done
