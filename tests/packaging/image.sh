#!/bin/sh
# Tests the container image: it contains only its own files, and it serves, keeps data and refuses an unusable volume,
# with the command lines of the READMEs. Needs root; runs Debian's podman with separate storage and network.
#
#   tests/packaging/image.sh NODE        (after `make static`)
set -eu
cd "$(dirname "$0")/../.."

if [ -z "${FLUGLOG_IMAGE_TEST:-}" ]; then
    for program in podman runc podman-compose iptables; do
        tests/need.sh "$program" "$program" >/dev/null
    done
    FLUGLOG_IMAGE_TEST=$(mktemp -d)
    export FLUGLOG_IMAGE_TEST
    status=0
    unshare --net -- "$0" "$@" || status=$?
    rm -r "$FLUGLOG_IMAGE_TEST"
    exit $status
fi

node=$PWD/$1
folder=$FLUGLOG_IMAGE_TEST
unset FLUGLOG_IMAGE_TEST
ip link set lo up

# This way podman needs neither systemd nor a new network, and the machine's own images stay untouched.
cat >"$folder/containers.conf" <<CONFIGURATION
[containers]
netns = "host"
default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "none"
CONFIGURATION
cat >"$folder/storage.conf" <<CONFIGURATION
[storage]
driver = "vfs"
graphroot = "$folder/storage"
runroot = "$folder/run"
CONFIGURATION
export CONTAINERS_CONF="$folder/containers.conf" CONTAINERS_STORAGE_CONF="$folder/storage.conf"

# The READMEs use docker, which runs health checks itself; podman would need a running systemd for them.
mkdir "$folder/bin"
cat >"$folder/bin/docker" <<'SHIM'
#!/bin/sh
command=$1
shift
[ "$command" != run ] || set -- --no-healthcheck "$@"
[ "$command" != compose ] || exec podman-compose --podman-run-args=--no-healthcheck "$@"
exec podman "$command" "$@"
SHIM
chmod +x "$folder/bin/docker"
PATH=$folder/bin:$PATH

fail() {
    echo "$*" >&2
    docker logs fluglog >&2 2>&1 || true
    exit 1
}

# Best effort: the containers may not exist.
trap 'docker rm --force fluglog fluglog-backup >/dev/null 2>&1 || true' EXIT

packaging/container/build.sh amd64 >"$folder/build.log" 2>&1 || fail "$(cat "$folder/build.log")"
podman load --input target/container/fluglog-image-amd64.tar >"$folder/build.log" 2>&1 || fail "$(cat "$folder/build.log")"

container=$(podman create fluglog)
files=$(podman export "$container" | tar --list | sort | tr '\n' ' ')
podman rm "$container" >/dev/null
[ "$files" = 'data/ etc/ etc/group etc/passwd fluglog ' ] || fail "the image holds: $files"
podman image inspect fluglog | tr -d ' \n' >"$folder/image.json"
for expected in '"User":"10001:10001"' '"Volumes":{"/data":{}}' '"Test":["CMD","/fluglog","status"]'; do
    grep -qF "$expected" "$folder/image.json" || fail "the image lacks $expected"
done
echo "ok  the image: $files"

cp packaging/container/compose.yaml "$folder"
cd "$folder"
"$node" "$OLDPWD/tests/packaging/image.mts"
cd "$OLDPWD"

# A volume that belongs to another user: an error with the user's number, and no fallback.
mkdir -m 700 "$folder/foreign"
status=0
docker run --rm --volume "$folder/foreign:/data" fluglog >"$folder/refusal" 2>&1 || status=$?
[ "$status" -eq 78 ] || fail "exit code $status: $(cat "$folder/refusal")"
grep -q 10001 "$folder/refusal" || fail "the number is not named: $(cat "$folder/refusal")"
[ -z "$(ls -A "$folder/foreign")" ] || fail "something was written into the foreign volume"
echo "ok  a foreign volume: $(cat "$folder/refusal")"
