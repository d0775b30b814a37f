#!/bin/sh
# Runs Schemathesis with the OpenAPI document against a running server, with a session and without: run.sh [CASES] with
# the number of generated requests per call, besides those at the limits of its fields. No answer may be a server error
# or missing in the document. Needs the debug binary. Schemathesis is installed from PyPI into a temporary folder.
set -eu
cd "$(dirname "$0")"
cases=${1:-30}
version=4.32.5
root=$(cd ../.. && pwd)
program=$root/target/debug/fluglog
login='email=anna@example.org&password=Propeller-17'

python=$(../need.sh python3-venv python3)
curl=$(../need.sh curl curl)
place=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$place"' EXIT
# Schemathesis stores earlier findings in its working directory.
cp schemathesis.toml hooks.py "$place"
cd "$place"
"$python" -m venv "$place/python"
"$place/python/bin/pip" install --quiet --disable-pip-version-check "schemathesis==$version"

FLUGLOG_LIMITS__LOGIN_WAIT_SECONDS=0.1 "$program" serve --data-dir "$place/data" --listen 127.0.0.1:0 >"$place/greeting" 2>"$place/log" &
server=$!
until url=$(grep -o 'http://[0-9.:]*' "$place/greeting"); do
	kill -0 "$server" 2>/dev/null || { cat "$place/log"; exit 1; }
	sleep 0.05
done
echo Propeller-17 | "$program" user add --data-dir "$place/data" --email anna@example.org --nickname Anna --password-stdin

log_in() {
	"$curl" -s -o "$place/answer" -c "$place/cookies" -d "$login" "$url/app/api/Login"
	FLUGLOG_SESSION=$(awk '$6 == "session" { print $7 }' "$place/cookies")
	export FLUGLOG_SESSION
}

# made CALL ...: the id in the answer to a call.
made() {
	call=$1
	shift
	"$curl" -s -b "$place/cookies" "$@" "$url/app/api/$call" | grep -oE '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}' | head -n 1
}

drive() {
	"$place/python/bin/schemathesis" run "$root/embed/api/openapi.json" --url "$url" \
		--phases examples,coverage,fuzzing --max-examples "$cases" --no-color "$@"
}

log_in
copter=$(made SaveNewEquipment -d 'equipment={"type":0,"name":"Falke"}')
battery=$(made SaveNewEquipment -d 'equipment={"type":1,"name":"Akku"}')
flight=$(made CreateFlight -d "config={\"copter\":\"$copter\",\"equipments\":[\"$battery\"]}")
document_id=$(made UploadUserDocument -F file=@hooks.py)
log=$(made SaveFlightLog -F "dpfId=$flight" -F info=Wind -F 'time=10.05.2026 18:05')
FLUGLOG_IDS=$(printf '{"copter":"%s","battery":"%s","flight":"%s","document":"%s","log":"%s"}' "$copter" "$battery" "$flight" "$document_id" "$log")
export FLUGLOG_IDS

echo '== with a login'
drive --exclude-path-regex '/(Delete.*|Log[oO]ut.*|SavePassword|CheckLoginToken)$'
echo '== deleting, and the end of the login'
drive --include-path-regex '/(Delete.*|SavePassword|CheckLoginToken)$'
drive --include-path-regex '/Log[oO]ut.*$'
echo '== without a login'
FLUGLOG_SESSION=none drive

if grep -E 'ERROR|panic' "$place/log"; then
	echo 'The server logged an error.'
	exit 1
fi
