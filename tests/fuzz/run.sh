#!/bin/sh
# Looks for inputs that a parser fails on: run.sh SECONDS [TARGET...], so many seconds for each target (all of
# targets.rs without one). A found input goes to its seeds, where every test run tries it again.
set -eu
cd "$(dirname "$0")"
seconds=$1
shift
build=$(cd ../.. && pwd)/target/fuzz
host=$(rustc -vV | sed -n 's/^host: //p')

# Coverage as libFuzzer reads it. All of this is in the stable compiler.
coverage="-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters"
coverage="$coverage -Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares"
# With a named target the flags don't reach build scripts, which can't be linked with them. The program's lock file says
# the versions; libFuzzer's own are added.
cp ../../Cargo.lock libfuzzer/Cargo.lock
RUSTFLAGS="--cfg fuzzing $coverage" CARGO_TARGET_DIR=$build \
	cargo build --manifest-path libfuzzer/Cargo.toml --release --target "$host"

[ $# -gt 0 ] || set -- $(sed -n 's/^    ("\([a-z_]*\)", .*/\1/p' targets.rs)
for target; do
	mkdir -p "$build/corpus/$target"
	echo "== $target"
	log=$build/$target.log
	FUZZ_TARGET=$target "$build/$host/release/fuzz" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 -max_len=65536 \
		-artifact_prefix="seeds/$target/found-" "$build/corpus/$target" "seeds/$target" >"$log" 2>&1 || {
		grep -E 'panicked|ERROR|SUMMARY|Test unit written' "$log"
		exit 1
	}
	grep -E '^Done' "$log"
done
