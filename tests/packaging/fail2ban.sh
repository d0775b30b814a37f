#!/bin/sh
# Checks that Debian's fail2ban finds exactly the wrong guesses in Fluglog's log, with the client's address.
set -eu
cd "$(dirname "$0")/../.."

regex=$(tests/need.sh fail2ban fail2ban-regex)
filter=$PWD/packaging/fail2ban/filter.d/fluglog.conf
log=$(mktemp)
trap 'rm "$log"' EXIT
user=0198b6f0-1111-7000-8000-000000000000

# found LINE: the address that the filter finds in a log line.
found() {
    echo "2026-11-22T10:00:00Z WARN  $1" >"$log"
    "$regex" --out ip "$log" "$filter" 2>/dev/null || true
}
expect() {
    if [ "$(found "$2")" != "$1" ]; then
        echo "expected '$1', found '$(found "$2")' in: $2" >&2
        exit 1
    fi
}

expect 203.0.113.9 "access refused: wrong password; user $user; client 203.0.113.9"
expect 203.0.113.9 "access refused: wrong password; user unknown; client 203.0.113.9"
expect 2001:db8::9 "access refused: wrong number; user $user; client 2001:db8::9"
# reasons FUNCTION: the texts that the program logs with this function.
reasons() {
    grep -rhoE "access_log::$1\(\"[^\"]+\"" src | sed 's/.*("//; s/"$//; s/ /_/g' | sort -u
}
for reason in $(reasons guessed); do
    expect 203.0.113.9 "access refused: $(echo "$reason" | tr _ ' '); user unknown; client 203.0.113.9"
done
# Other refusals, such as those caused by another site's page, aren't guesses.
for reason in $(reasons refused); do
    expect "" "access refused: $(echo "$reason" | tr _ ' '); user $user; client 203.0.113.9"
done
expect "" "access ended: logout; user $user; client 203.0.113.9"
expect "" "POST /app/access refused: wrong password; user unknown; client 203.0.113.9 404 0 ms"
echo "fail2ban finds what it must"
