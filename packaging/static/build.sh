#!/bin/sh
# Builds the static binaries: target/static/fluglog-ARCHITECTURE, for all that are published unless some are named.
#
#   packaging/static/build.sh [x86_64] [aarch64] [armv7]
#
# With rustup's musl targets if they are installed, else with Debian's compiler and a standard library built from source
# (toolchain.sh). The web app must be built before. All downloads stay below target/. The same sources and tools give the
# same bytes, in whatever folder they lie.
set -eu
cd "$(dirname "$0")/../.."

[ $# -gt 0 ] || set -- x86_64 aarch64 armv7
tools=$PWD/target/static-tools
toolchain=$PWD/target/static-toolchain

if ! cmp -s packaging/static/requirements.txt "$tools/requirements.txt"; then
    rm -rf "$tools"
    tests/need.sh python3-pip pip3 >/dev/null
    python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --target "$tools" \
        --requirement packaging/static/requirements.txt
    cp packaging/static/requirements.txt "$tools/requirements.txt"
fi
export PATH="$tools/bin:$PATH" PYTHONPATH="$tools"

has_target() {
    ls "$(rustc --print target-libdir --target "$1")"/libstd-*.rlib >/dev/null 2>&1
}

# Rust and C write the paths of their sources into the binary: those of this machine are replaced.
registry=${CARGO_HOME:-$HOME/.cargo}/registry
separator=$(printf '\037')
CARGO_ENCODED_RUSTFLAGS=--remap-path-prefix=$PWD=/fluglog$separator--remap-path-prefix=$registry=/cargo$separator--remap-path-prefix=$toolchain=/rust
export CARGO_ENCODED_RUSTFLAGS
# C code also writes the day on which it was compiled, which zig's cache takes over from an earlier build.
CFLAGS="-ffile-prefix-map=$PWD=/fluglog -ffile-prefix-map=$registry=/cargo"
export CFLAGS="$CFLAGS -Wno-builtin-macro-redefined -D__DATE__=\"\" -D__TIME__=\"\""
export CARGO_TARGET_DIR="$PWD/target/musl"

mkdir -p target/static
for architecture in "$@"; do
    target=$architecture-unknown-linux-musl
    [ "$architecture" != armv7 ] || target=${target}eabihf
    # Of the compiler's -static-pie zig takes no notice: -pie makes the binary position-independent, but not on armv7, where
    # zig 0.17 doesn't come to an end.
    pie="-C link-arg=-pie"
    [ "$architecture" != armv7 ] || pie=
    if has_target "$target"; then
        # shellcheck disable=SC2086 # no argument, or two
        cargo-zigbuild rustc --release --locked --bin fluglog --target "$target" -- $pie
    else
        echo "rustup has no target $target here (rustup target add $target): building with Debian's compiler." >&2
        # RUSTC_BOOTSTRAP lets a stable compiler build its own standard library. Zig provides the start files, so the
        # compiler must not add its own (the link would fail on rcrt1.o).
        # shellcheck disable=SC2086 # no argument, or two
        RUSTC=$(packaging/static/toolchain.sh "$toolchain") RUSTC_BOOTSTRAP=1 cargo-zigbuild rustc \
            -Zbuild-std=std,panic_unwind --release --locked --bin fluglog --target "$target" -- -C link-self-contained=no $pie
    fi
    # Renamed into place: a running binary can't be overwritten.
    cp "target/musl/$target/release/fluglog" "target/static/.fluglog-$architecture"
    mv "target/static/.fluglog-$architecture" "target/static/fluglog-$architecture"
    ls -l "target/static/fluglog-$architecture"
done
