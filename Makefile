# Everything that a developer does, one command each. A new machine needs Rust, npm and make; each target installs the
# rest (packages, the Node that the UI is pinned to, Chromium). The builds themselves are configured in cargo, Vite and
# Playwright.

.DEFAULT_GOAL := help
.NOTPARALLEL:
MAKEFLAGS += --no-print-directory
.PHONY: help run build dev static deb image release licenses test test-rust test-ui test-browser fuzz soak bench screenshots fmt clean
.PHONY: test-dependencies test-units test-static test-package test-image test-release test-proxies test-contract

# The time for each target of `fuzz`.
FUZZ_SECONDS ?= 60

# The time for the pilots of `soak`.
SOAK_MINUTES ?= 60

# Invented requests for each call in `test-contract`.
CASES ?= 30

# The data folder of `run` and `dev`, and the address of `run`.
DATA ?= data
LISTEN ?= 0.0.0.0:8080

# The Node and the Biome that ui/package.json pins, also used outside of ui/.
NODE := $(CURDIR)/ui/node_modules/.bin/node
BIOME := $(CURDIR)/ui/node_modules/.bin/biome
PLAYWRIGHT := node_modules/@playwright/test/cli.js

# The debug binary, without what only the tests depend on.
BUILD := cargo build --locked
# The debug binary as `test-rust` has built it: a test beside it makes cargo choose the features of the dependencies for
# tests, so that nothing is compiled again.
TESTED := $(BUILD) --bin fluglog --test upgrade

# The files that the Rust tests generate: the types of the UI, and the document of the calls.
GENERATED := ui/src/api/generated embed/api
# Without the generated types: every `cargo test` writes them, and they don't change the built UI.
UI_SOURCES := $(shell find ui \( -name node_modules -o -name generated \) -prune -o -type f -print)

help: ## This list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "make %-13s %s\n", $$1, $$2}' Makefile

# The debug profile compiles several times faster than the release build.
run: embed/ui/index.html ## Build what has changed and serve ./data on port 8080 (DATA=..., LISTEN=... for others)
	$(BUILD)
	@exec target/debug/fluglog serve --data-dir $(DATA) --listen $(LISTEN)

build: embed/ui/index.html ## The release binary with the UI inside: target/release/fluglog
	cargo build --release

dev: embed/ui/index.html ## Server and Vite together: http://localhost:5173/app/ follows every change of ui/
	$(BUILD)
	@target/debug/fluglog serve --data-dir $(DATA) --listen 127.0.0.1:8080 & server=$$!; \
	(cd ui && exec $(NODE) node_modules/vite/bin/vite.js) & vite=$$!; \
	trap 'trap "" INT TERM; kill $$server $$vite 2>/dev/null; wait' EXIT; trap 'exit 0' INT TERM; \
	wait $$vite

# The only time in what is built.
static deb image release test-release: export SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct)

static: embed/ui/index.html ## Static binaries for x86_64, aarch64 and armv7 in target/static (ARCHITECTURES=... for one)
	packaging/static/build.sh $(ARCHITECTURES)

deb: static ## Debian packages for amd64, arm64 and armhf in target/debian
	packaging/debian/build.sh

image: embed/ui/index.html ## The container image fluglog for this machine, loaded into podman or docker
	packaging/static/build.sh $$(uname -m)
	packaging/container/build.sh $$(dpkg --print-architecture)
	$$(tests/need.sh podman podman docker) load --input target/container/fluglog-image-$$(dpkg --print-architecture).tar

release: deb ## Everything that is published, in target/release-files (signed with SIGNING_KEY)
	packaging/container/build.sh
	packaging/release/build.sh

licenses: packages ## The list of `fluglog --licenses` anew, after a change of the dependencies
	$(NODE) packaging/licenses/list.mts

# Runs a command and records its seconds for the last line of `make test`.
SECONDS := $(CURDIR)/target/test-seconds
timed = @echo '$(2)'; from=$$(date +%s); $(2) && mkdir -p target && echo "$(1) $$(($$(date +%s) - from)) s" >>$(SECONDS)

# Clippy in the compiler's place lints what it builds for the tests, so that each dependency is compiled once. A warning is an
# error. The second variable is what `cargo clippy -- -D warnings` sets.
test-rust test-browser: export RUSTC_WORKSPACE_WRAPPER := clippy-driver
test-rust test-browser: export CLIPPY_ARGS := -Dwarnings__CLIPPY_HACKERY__

# These tests wait for servers, locks and disks a third of their time: others run meanwhile.
test-rust: export RUST_TEST_THREADS ?= $(shell expr 2 '*' $$(getconf _NPROCESSORS_ONLN))

# Each kind of Rust test is timed by itself; tests without a line of their own run as "other".
RUST_KINDS := api cli faults
OTHER_TESTS := $(filter-out $(RUST_KINDS),$(patsubst tests/%.rs,%,$(wildcard tests/*.rs)) $(patsubst tests/%/main.rs,%,$(wildcard tests/*/main.rs)))

test: ## Every check that a change has to pass, set-up included
	@rm -f $(SECONDS)
	$(call timed,set-up,$(MAKE) packages chromium embed/ui/index.html)
	$(call timed,dependencies,$(MAKE) test-dependencies)
	@$(MAKE) test-rust
	$(call timed,UI,$(MAKE) test-ui)
	$(call timed,browser,$(MAKE) test-browser)
	@awk '{ total += $$(NF - 1); parts = parts between $$0; between = ", " } \
		END { print "Where the time went: " parts "; " total " s in all" }' $(SECONDS)

test-dependencies: packages ## Licences, origin and known weaknesses of what the program and its UI are made of
	tests/dependencies.sh

test-rust: embed/ui/index.html ## Format, lints, Rust tests, and that what is generated from Rust is up to date
	cargo fmt --all --check
	@rm -rf target/generated-before && mkdir -p target/generated-before && cp -R $(GENERATED) target/generated-before
	$(call timed,lints and build,cargo test --locked --no-run --all-targets)
	$(call timed,rules,cargo test --locked --lib --bins)
	$(call timed,HTTP,cargo test --locked --test api)
	$(call timed,command line,cargo test --locked --test cli)
	$(call timed,faults,cargo test --locked --test faults)
	$(call timed,other,cargo test --locked $(addprefix --test ,$(OTHER_TESTS)))
	@for folder in $(GENERATED); do diff -r target/generated-before/$${folder##*/} $$folder || \
		{ echo "$$folder was out of date and has been written anew: look at it and commit it."; exit 1; }; done

test-ui: packages embed/ui/index.html ## Biome, TypeScript and unit tests of ui/, the same checks for the browser tests
	npm --prefix ui run check
	npm --prefix ui test
	cd tests && $(BIOME) ci .
	npm --prefix tests/browser run check

test-browser: packages chromium embed/ui/index.html ## The whole product in Chromium, as a phone and as a desktop (TESTS=... for some)
	$(TESTED)
	cd tests/browser && CHROMIUM=$$(../chromium.sh) $(NODE) $(PLAYWRIGHT) test $(TESTS)

test-units: ## The systemd units are valid and confine the service
	tests/packaging/units.sh

test-static: packages ## The static binaries run, those for other processors in qemu (after `make static`)
	@tests/need.sh file file
	@for binary in target/static/fluglog-*; do \
		processor=$${binary##*-} runner=; [ $$processor != armv7 ] || processor=arm; \
		[ $$processor = $$(uname -m) ] || runner=$$(tests/need.sh qemu-user-static qemu-$$processor-static) || exit 1; \
		env FLUGLOG_BIN=$(CURDIR)/$$binary $${runner:+FLUGLOG_RUNNER=$$runner} $(NODE) tests/packaging/static.mts || exit 1; \
	done

test-proxies: packages embed/ui/index.html ## Behind Debian's nginx and Caddy, with the files of packaging/https, as root
	$(BUILD)
	tests/packaging/proxies.sh ui/node_modules/.bin/node

test-image: packages ## The container image in use, with Debian's podman, as root (after `make static`)
	tests/packaging/image.sh ui/node_modules/.bin/node

test-release: packages ## What `make release` left is whole, and a second run gives the same bytes, the binary in another folder too
	tests/packaging/sign.sh
	tests/packaging/release.sh

# The static binary in the memory of a machine with 512 MB, and the screens of a pilot's day there.
SMALL_MACHINE = FLUGLOG_BIN=$(CURDIR)/target/static/fluglog-$$(uname -m) FLUGLOG_RUNNER=$(CURDIR)/tests/packaging/small.sh
WALK := $(addsuffix .spec.ts,specs/story specs/images specs/documents specs/imports specs/flights specs/charging specs/equipment specs/logs)

# In an isolated network: the package listens on port 8080.
test-package: packages chromium ## The Debian package and the repository on booted Debian 12 and 13, and 512 MB of memory, as root (after `make release`)
	tests/packaging/fail2ban.sh
	tests/packaging/debian.sh bookworm trixie
	tests/packaging/before.sh
	env $(SMALL_MACHINE) $(NODE) tests/packaging/memory.mts
	cd tests/browser && CHROMIUM=$$(../chromium.sh) $(SMALL_MACHINE) $(NODE) $(PLAYWRIGHT) test --project=phone $(WALK)
	@tests/need.sh systemd-container systemd-nspawn && tests/need.sh openssl openssl
	unshare --net -- sh -c 'ip link set lo up && $(NODE) tests/packaging/package.mts && $(NODE) tests/packaging/repository.mts'

# Fetches Schemathesis from PyPI into a temporary folder.
test-contract: embed/ui/index.html ## Schemathesis drives the document of the calls against a running server (CASES=30 for each call)
	$(BUILD)
	tests/contract/run.sh $(CASES)

fuzz: embed/ui/index.html ## Look for inputs that a parser fails on, FUZZ_SECONDS=60 for each target (TARGETS=... for some)
	tests/fuzz/run.sh $(FUZZ_SECONDS) $(TARGETS)

# Then the long form of the damages and power cuts.
soak: embed/ui/index.html ## Twenty pilots, kills and backups for SOAK_MINUTES=60, drawn in target/soak.svg; then damages and power cuts
	SOAK_MINUTES=$(SOAK_MINUTES) cargo test --locked --test faults -- --ignored --nocapture soak
	FLUGLOG_DAMAGES=300 cargo test --locked --test faults damage::a_wrong_bit -- --nocapture
	FLUGLOG_DAMAGES=120 cargo test --locked --test faults damage::after_an_unclean_stop -- --nocapture
	FLUGLOG_DAMAGES=125 cargo test --locked --test faults damage::a_damaged_file -- --nocapture
	FLUGLOG_DAMAGES=10000 cargo test --locked --test faults lost_pages -- --nocapture
	FLUGLOG_CUTS=3000 cargo test --locked --package fluglog-store power_cut

bench: packages tests/bench/node_modules/.installed chromium build ## Size, memory, times and syncs against their limits: tests/bench/README.md
	@tests/need.sh strace strace && tests/need.sh nginx-light /usr/sbin/nginx && tests/need.sh libvips-tools vips
	CHROMIUM=$$(tests/chromium.sh) FLUGLOG_BIN=$(CURDIR)/target/release/fluglog $(NODE) tests/bench/bench.mts $(FIGURES)

screenshots: packages chromium embed/ui/index.html ## Make the pictures of the READMEs anew, from demo data
	$(BUILD)
	CHROMIUM=$$(tests/chromium.sh) $(NODE) tests/browser/screenshots.ts

fmt: packages ## Format everything
	cargo fmt --all
	npm --prefix ui run format
	cd tests && $(BIOME) check --write .

clean: ## Remove everything that was built or installed, but no data
	cargo clean
	rm -rf embed/ui ui/node_modules tests/browser/node_modules tests/browser/test-results

# The prerequisites of the targets above.

.PHONY: packages chromium

packages: ui/node_modules/.installed tests/browser/node_modules/.installed

chromium:
	@tests/chromium.sh

%/node_modules/.installed: %/package.json %/package-lock.json
	cd $* && npm ci
	@touch $@

embed/ui/index.html: ui/node_modules/.installed $(UI_SOURCES)
	npm --prefix ui run build
