# make demo   sets up, builds, explores a real program and replays a found bug
# make test   runs every test
.PHONY: demo web test test-long fuzz bench setup lint bless

EFFIGY = target/release/effigy

# Installs what is missing, where it can: clang for C programs, z3 for what is not bitvectors.
setup:
	@command -v clang >/dev/null || { [ "$$(id -u)" = 0 ] && apt-get update -qq && apt-get install -y -qq clang; } \
	  || { echo "clang is missing; run: sudo apt-get install clang"; exit 1; }
	@command -v z3 >/dev/null || { [ "$$(id -u)" = 0 ] && apt-get update -qq && apt-get install -y -qq z3; } \
	  || pip install -q z3-solver \
	  || echo "z3 is missing (only needed beyond bitvectors); run: sudo apt-get install z3"

# The example has bugs: exit code 1.
demo: setup
	cargo build --release --quiet
	$(EFFIGY) run --out target/demo examples/key_value.c || [ $$? = 1 ]
	$(EFFIGY) replay target/demo

# The same random programs each time: a failure is of the change, not of luck. `make test-long` draws new ones.
test: setup
	PROPTEST_RNG_SEED=1976 cargo test --workspace
	cargo test --quiet $(CRM)

# A web application and its tests on a symbolic database: a workspace of its own, since nothing else needs what it needs.
CRM = --manifest-path examples/crm/Cargo.toml --target-dir target/crm

# The example application on SQLite, with a page in the browser; `make web WEB=--planted` serves it with its faults.
web:
	cargo run --quiet $(CRM) -- $(WEB)

# Rewrites what the sessions of corpus print, and what readers say of errors; read the diff.
bless:
	EFFIGY_BLESS=1 cargo test -p effigy-cli --test sessions --test debug
	EFFIGY_BLESS=1 cargo test -p effigy-debug -p effigy-pli -p effigy-report

lint:
	cargo fmt --all --check
	cargo clippy --workspace --all-targets -- -D warnings
	cargo fmt --manifest-path examples/crm/Cargo.toml --all --check
	cargo clippy $(CRM) --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --quiet

# More random programs than CI has time for, and new ones each time.
test-long: setup
	EFFIGY_CASES_TIMES=10 cargo test --release -p effigy-term -p effigy-solver -p effigy-explore -p effigy-pli -p effigy-oo -p effigy-viper
	EFFIGY_PROGRAMS=500 cargo test --release -p effigy-cli --test random_c
	EFFIGY_CASES_TIMES=20 cargo test --release -p effigy-cli --test oracle_c --test corpus
	cargo test -p effigy-fleet --features tls --test tls

# A minute for each reader, on a stable compiler (without coverage; `cargo +nightly fuzz run` is better).
FUZZ_TARGETS = llvm_reader pli_reader pli_call viper_reader oo_reader solver_output test_reader journal_reader smtlib_reader trace_reader sql simplify
fuzz:
	CARGO_TARGET_DIR=target/fuzz cargo build --manifest-path fuzz/Cargo.toml
	for it in $(FUZZ_TARGETS); do target/fuzz/debug/$$it -max_total_time=60 -artifact_prefix=target/fuzz/ || exit 1; done

# A server and four workers on this machine, one of which is killed and goes on (book/src/fleet.md).
.PHONY: fleet
fleet: setup
	@command -v redis-server >/dev/null || { [ "$$(id -u)" = 0 ] && apt-get update -qq && apt-get install -y -qq redis-server; } \
	  || { echo "redis-server is missing; run: sudo apt-get install redis-server"; exit 1; }
	cargo build --release --quiet -p effigy-cli
	bench/fleet

bench: setup
	cargo build --release --quiet
	bench/run
	pip install -q bitwuzla z3-solver && bench/solver --ablate=--no-narrowing --ablate=--no-escalation --ablate=--no-refinement

# The two models of symbolic execution of executed .oo programs (book/src/models.md), about twenty-five minutes.
.PHONY: bench-models
bench-models: setup
	cargo build --release --quiet -p effigy-cli
	bench/models
