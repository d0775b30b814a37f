#!/bin/sh
# Searches for inputs that make a parser fail: run.sh SECONDS [TARGET...] with the seconds per target; without a
# target, all in targets.rs. Inputs found are added to the seeds, which every test run tries again.
set -eu
cd "$(dirname "$0")"
seconds=$1
shift
build=$(cd ../.. && pwd)/target/fuzz
host=$(rustc -vV | sed -n 's/^host: //p')

# Coverage in the form that libFuzzer reads, using only the stable compiler.
coverage="-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters"
coverage="$coverage -Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares"
# With an explicit target triple the flags don't apply to build scripts, which couldn't be linked with them. The
# program's lock file determines the versions; libFuzzer's own are added.
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
