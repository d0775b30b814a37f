#!/bin/sh
# Builds the static binaries: target/static/fluglog-ARCHITECTURE, for x86_64 and aarch64 unless others are named.
#
#   packaging/static/build.sh [x86_64] [aarch64]
#
# With rustup's musl targets if they are installed, else with Debian's compiler and a standard library built from source
# (toolchain.sh). The web app must be built before. All downloads stay below target/.
set -eu
cd "$(dirname "$0")/../.."

[ $# -gt 0 ] || set -- x86_64 aarch64
tools=$PWD/target/static-tools

if ! cmp -s packaging/static/requirements.txt "$tools/requirements.txt"; then
    rm -rf "$tools"
    python3 -m venv "$tools" || {
        echo "python3 can't make a virtual environment: on Debian, apt install python3-venv" >&2
        exit 1
    }
    "$tools/bin/pip" install --quiet --disable-pip-version-check --requirement packaging/static/requirements.txt
    cp packaging/static/requirements.txt "$tools/requirements.txt"
fi
PATH=$tools/bin:$PATH

has_target() {
    ls "$(rustc --print target-libdir --target "$1")"/libstd-*.rlib >/dev/null 2>&1
}

mkdir -p target/static
for architecture in "$@"; do
    target=$architecture-unknown-linux-musl
    export CARGO_TARGET_DIR="$PWD/target/musl"
    if has_target "$target"; then
        cargo-zigbuild build --release --locked --target "$target"
    else
        rustc=$(packaging/static/toolchain.sh target/static-toolchain)
        # RUSTC_BOOTSTRAP lets a stable compiler build its own standard library. Zig provides the start files, so the
        # compiler must not add its own (the link would fail on rcrt1.o).
        RUSTC=$rustc RUSTC_BOOTSTRAP=1 cargo-zigbuild rustc -Zbuild-std=std,panic_unwind \
            --release --locked --bin fluglog --target "$target" -- -C link-self-contained=no
    fi
    # Renamed into place: a running binary can't be overwritten.
    cp "target/musl/$target/release/fluglog" "target/static/.fluglog-$architecture"
    mv "target/static/.fluglog-$architecture" "target/static/fluglog-$architecture"
    ls -l "target/static/fluglog-$architecture"
done
