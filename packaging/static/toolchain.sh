#!/bin/sh
# Prints the path of a Rust compiler that can build for musl without rustup: Debian's own, unpacked into a cache folder,
# never installed. packaging/static/build.sh builds its standard library for musl from source.
#
#   packaging/static/toolchain.sh FOLDER
#
# It needs apt-get, but not root: the packages are downloaded and unpacked, not installed.
set -eu

folder=$1
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
rustc=$folder/rustc
if [ -e "$folder/.complete" ]; then
    echo "$rustc"
    exit 0
fi

depends_of() {
    apt-cache depends "$1" | sed -n "s/^ *Depends: \($2\)\$/\1/p" | head -n 1
}

# Named without their versions, which change with Debian's security updates.
library=$(depends_of libstd-rust-web-dev 'libstd-rust-web-[0-9.]*')
llvm=$(depends_of "${library:-none}" 'libllvm[0-9]*')
if [ -z "$library" ] || [ -z "$llvm" ]; then
    echo "Debian's package rustc-web is not known here (apt-get update?). With rustup: rustup target add TARGET" >&2
    exit 1
fi

rm -rf "$folder/packages" "$folder/root"
mkdir -p "$folder/packages" "$folder/root"
(cd "$folder/packages" && apt-get download rustc-web libstd-rust-web-dev rust-web-src "$library" "$llvm") >&2
for package in "$folder"/packages/*.deb; do
    dpkg -x "$package" "$folder/root"
done
rm -r "$folder/packages"

# The place where cargo looks for the sources of the standard library.
source=$(find "$folder/root/usr/src" -maxdepth 1 -name 'rustc-*' | head -n 1)
mkdir -p "$folder/root/usr/lib/rustlib/src"
ln -sfn "$source" "$folder/root/usr/lib/rustlib/src/rust"

libraries=$(echo "$folder"/root/usr/lib/*-linux-gnu)
cat >"$rustc" <<WRAPPER
#!/bin/sh
LD_LIBRARY_PATH=$libraries:$folder/root/usr/lib exec $folder/root/usr/bin/rustc --sysroot $folder/root/usr "\$@"
WRAPPER
chmod +x "$rustc"
"$rustc" --version >&2
touch "$folder/.complete"
echo "$rustc"
