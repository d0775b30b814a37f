#!/bin/sh
# Builds the container image fluglog:VERSION, also tagged fluglog:latest, for one processor.
#
#   packaging/container/build.sh [amd64|arm64]
#
# With podman, docker or buildah, the first that is installed; ENGINE names another, with options if it needs some.
set -eu
cd "$(dirname "$0")/../.."

architecture=${1:-amd64}
engine=${ENGINE:-$(tests/need.sh buildah podman docker buildah)}
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
context=target/container/$architecture

packaging/container/context.sh "$context" "$architecture"
# The health check exists only in docker's image format, which podman and buildah use on request.
case $engine in
*docker*) format= ;;
*) format='--format docker' ;;
esac
# Unquoted on purpose: both may hold several words, or none.
# shellcheck disable=SC2086
$engine build $format --platform "linux/$architecture" --build-arg "TARGETARCH=$architecture" --build-arg "VERSION=$version" \
    --file packaging/container/Containerfile --tag "fluglog:$version" --tag fluglog:latest "$context"
