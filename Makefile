# make demo       builds the command, explores a real program and replays the bugs that it found
# make test       what must hold for every commit
# make test-all   what must hold before a release: the web example, long campaigns, what is shipped
# make lint       formatting, clippy, documentation, licences
# make dist       a tarball and a Python wheel, in target/dist-packages; make test-dist installs and runs both
# make bench      ratios against named peers, in the same run
.PHONY: dist test-dist publish-check demo web test test-web test-all fuzz fleet bench bench-models setup setup-tests lint bless

EFFIGY = target/release/effigy

# Installs what is missing, where it may: a C++ compiler and clang for the demo; z3, redis-server and others for the tests.
setup:
	@xtask/setup demo
setup-tests:
	@xtask/setup tests

# The example has bugs: exit code 1.
demo: setup
	cargo build --release --locked --quiet
	$(EFFIGY) run --out target/demo examples/key_value.c || [ $$? = 1 ]
	$(EFFIGY) replay target/demo

# The same random programs each time: a failure is of the change, not of luck. `make test-all` draws new ones.
# cargo-nextest keeps both cores busy; without it the same tests run by `cargo test`, crate by crate.
NEXTEST = $(shell command -v cargo-nextest >/dev/null && echo nextest)
RUN_TESTS = $(if $(NEXTEST),cargo nextest run,cargo test --tests --no-fail-fast)
# A test that lacks a program says so in this file; with EFFIGY_REQUIRE=all, as in CI, it fails.
SKIPPED = $(CURDIR)/target/skipped-tests
# The web example, which has an object-relational mapper to compile, is of `make test-all`.
NOT_WEB = --workspace --exclude crm --exclude effigy-sea

test: setup-tests
	@mkdir -p target && rm -f $(SKIPPED)
	EFFIGY_SKIPPED=$(SKIPPED) PROPTEST_RNG_SEED=1976 $(RUN_TESTS) $(NOT_WEB)
	cargo test --quiet --doc -p effigy -p effigy-harness -p effigy-session
	@if [ -s $(SKIPPED) ]; then echo "tests skipped for want of a program (make setup-tests installs it):"; sort $(SKIPPED) | uniq -c; fi

# The example application and its tests on a symbolic database.
test-web:
	cargo test --quiet -p crm -p effigy-sea

# The example application on SQLite, with a page in the browser; `make web WEB=--planted` serves it with its faults.
web:
	cargo run --quiet -p crm -- $(WEB)

# Rewrites what the sessions of corpus print, and what readers say of errors; read the diff.
bless:
	EFFIGY_BLESS=1 cargo test -p effigy-cli --test corpus --test it -- cli/ book/ README debug::
	EFFIGY_BLESS=1 cargo test -p effigy-debug -p effigy-pli -p effigy-report

# Licences: `cargo test -p xtask` holds the crates of a release against deny.toml, and THIRD-PARTY-NOTICES.md against
# the lock file, by `cargo tree` and the unpacked crates. CI has no cargo-deny: to build it takes longer than our own
# tests. Where it is installed it also looks at dependencies of tests and of other platforms, and at sources and bans.
lint:
	cargo fmt --all --check
	@if command -v cargo-deny >/dev/null; then cargo deny --all-features --log-level error check licenses bans sources; else echo "no cargo-deny: licences of the release are checked by cargo test -p xtask"; fi
	cargo clippy --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc $(NOT_WEB) --no-deps --quiet

# Random programs that are new each time, more than CI has time for; every searcher and layer; the web example.
test-all: test test-web publish-check test-dist
	EFFIGY_CASES_TIMES=10 cargo test --release -p effigy-term -p effigy-solver -p effigy-explore -p effigy-pli -p effigy-oo -p effigy-viper
	EFFIGY_CASES_TIMES=10 cargo test --release -p effigy-smtlib -p effigy-llvm -p effigy-report -p effigy-feasible -p effigy-debug -p effigy-relations mut
	EFFIGY_PROGRAMS=500 EFFIGY_CASES_TIMES=20 cargo test --release -p effigy-cli
	cargo test -p effigy-fleet --features tls --test it tls::

# A tarball, the line tables of its binary, and a Python wheel; the test needs no more than clang to run them.
dist:
	xtask/dist
test-dist: dist
	xtask/dist --test

# Each package that is published is packed and built from what is packed, in the order of its dependencies; nothing is
# uploaded. Members with `publish = false` are left out.
publish-check:
	cargo publish --dry-run --workspace --locked --allow-dirty

# A minute for each reader, on a stable compiler (without coverage; `cargo +nightly fuzz run` is better).
FUZZ_TARGETS = llvm_reader pli_reader pli_call viper_reader oo_reader solver_output test_reader journal_reader smtlib_reader trace_reader project_reader sql simplify
fuzz:
	CARGO_TARGET_DIR=target/fuzz cargo build --manifest-path fuzz/Cargo.toml
	for it in $(FUZZ_TARGETS); do target/fuzz/debug/$$it -max_total_time=60 -artifact_prefix=target/fuzz/ || exit 1; done

# A server and four workers on this machine, one of which is killed and goes on (book/src/fleet.md).
fleet: setup-tests
	cargo build --release --quiet
	bench/fleet

bench: setup-tests
	cargo build --release --quiet
	bench/run
	bench/solver --ablate=--no-narrowing --ablate=--no-escalation --ablate=--no-refinement

# The two models of symbolic execution of executed .oo programs (book/src/models.md), about twenty-five minutes.
bench-models: setup-tests
	cargo build --release --quiet
	bench/models
