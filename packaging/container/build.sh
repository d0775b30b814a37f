#!/bin/sh
# Writes the container image as target/container/fluglog-image-ARCHITECTURE.tar, from the static binaries of `make static`.
#
#   packaging/container/build.sh [amd64] [arm64]
#
# The archive is an OCI image with the file manifest.json of `docker save`, so that podman, docker and skopeo load it. The
# image holds the binary, a user and an empty data directory, nothing else. Builds from one binary are byte for byte equal.
set -eu
cd "$(dirname "$0")/../.."

[ $# -gt 0 ] || set -- amd64 arm64
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
epoch=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
created=$(date --utc --date="@$epoch" +%Y-%m-%dT%H:%M:%SZ)
# This number never changes: the files in existing volumes belong to it.
user=10001

folder=target/container
layout=$folder/layout
files=$folder/files

# pack ARCHIVE USER OPTION... NAME...: adds files to an archive, without anything of this machine.
pack() {
    archive=$1
    owner=$2
    shift 2
    tar --append --file "$archive" --format ustar --sort name --mtime "@$epoch" --numeric-owner --owner "$owner" --group "$owner" "$@"
}
# store FILE: moves it to its place, which is named by its digest, and prints that.
store() {
    digest=$(sha256sum "$1" | cut -d ' ' -f 1)
    mv "$1" "$layout/blobs/sha256/$digest"
    echo "$digest"
}
size() { stat --format %s "$layout/blobs/sha256/$1"; }

for architecture in "$@"; do
    case $architecture in
    amd64) binary=target/static/fluglog-x86_64 ;;
    arm64) binary=target/static/fluglog-aarch64 ;;
    *)
        echo "no image for $architecture: amd64 and arm64 there are" >&2
        exit 2
        ;;
    esac
    rm -rf "$layout" "$files"
    mkdir -p "$layout/blobs/sha256" "$files/etc" "$files/data"
    echo "fluglog:x:$user:$user:Fluglog:/data:/sbin/nologin" >"$files/etc/passwd"
    echo "fluglog:x:$user:" >"$files/etc/group"
    cp "$binary" "$files/fluglog"

    layer=$folder/layer.tar
    rm -f "$layer"
    pack "$layer" 0 --mode u=rwX,go=rX --directory "$files" etc fluglog
    pack "$layer" $user --mode 0700 --directory "$files" data
    unpacked=$(sha256sum "$layer" | cut -d ' ' -f 1)
    gzip -9 --no-name --force "$layer"
    layer=$(store "$layer.gz")

    # OCI has no health check; docker reads it all the same.
    cat >"$folder/config.json" <<CONFIGURATION
{
  "created": "$created",
  "architecture": "$architecture",
  "os": "linux",
  "config": {
    "User": "$user:$user",
    "ExposedPorts": { "8080/tcp": {} },
    "Env": ["FLUGLOG_DATA_DIR=/data"],
    "Entrypoint": ["/fluglog"],
    "Cmd": ["serve"],
    "Volumes": { "/data": {} },
    "StopSignal": "SIGTERM",
    "Healthcheck": { "Test": ["CMD", "/fluglog", "status"], "Interval": 60000000000, "Timeout": 10000000000, "StartPeriod": 10000000000 },
    "Labels": {
      "org.opencontainers.image.title": "Fluglog",
      "org.opencontainers.image.description": "Flight log for hobby drone pilots and their clubs",
      "org.opencontainers.image.licenses": "MIT",
      "org.opencontainers.image.version": "$version"
    }
  },
  "rootfs": { "type": "layers", "diff_ids": ["sha256:$unpacked"] },
  "history": [{ "created": "$created", "created_by": "packaging/container/build.sh" }]
}
CONFIGURATION
    config=$(store "$folder/config.json")
    cat >"$folder/manifest" <<MANIFEST
{
  "schemaVersion": 2,
  "mediaType": "application/vnd.oci.image.manifest.v1+json",
  "config": { "mediaType": "application/vnd.oci.image.config.v1+json", "digest": "sha256:$config", "size": $(size "$config") },
  "layers": [{ "mediaType": "application/vnd.oci.image.layer.v1.tar+gzip", "digest": "sha256:$layer", "size": $(size "$layer") }]
}
MANIFEST
    manifest=$(store "$folder/manifest")
    echo '{ "imageLayoutVersion": "1.0.0" }' >"$layout/oci-layout"
    # named TAG: the entry of the index that gives the image this name.
    named() {
        cat <<ENTRY
{
      "mediaType": "application/vnd.oci.image.manifest.v1+json",
      "digest": "sha256:$manifest",
      "size": $(size "$manifest"),
      "platform": { "architecture": "$architecture", "os": "linux" },
      "annotations": { "io.containerd.image.name": "docker.io/library/fluglog:$1", "org.opencontainers.image.ref.name": "$1" }
    }
ENTRY
    }
    cat >"$layout/index.json" <<INDEX
{
  "schemaVersion": 2,
  "mediaType": "application/vnd.oci.image.index.v1+json",
  "manifests": [$(named "$version"), $(named latest)]
}
INDEX
    cat >"$layout/manifest.json" <<DOCKER
[{ "Config": "blobs/sha256/$config", "RepoTags": ["fluglog:$version", "fluglog:latest"], "Layers": ["blobs/sha256/$layer"] }]
DOCKER
    image=$folder/fluglog-image-$architecture.tar
    rm -f "$image"
    pack "$image" 0 --mode u=rwX,go=rX --directory "$layout" blobs index.json manifest.json oci-layout
    rm -r "$layout" "$files"
    ls -l "$image"
done
