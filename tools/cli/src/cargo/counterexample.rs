//! A bug of a harness with the values that lead to it, as Rust.
//!
//! Knows: how `effigy run --json` tells a bug. Never: where a test is written (`written_tests`).

use effigy_report::test_case::{TestBug, TestInput};

/// A bug, and inputs that lead to it.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Counterexample {
    pub(super) bug: TestBug,
    pub(super) inputs: Vec<TestInput>,
    /// Its class is a panic.
    pub(super) is_panic: bool,
    /// It does not rest on what was made up of the world outside.
    pub(super) is_certain: bool,
}

impl Counterexample {
    /// The bug of a document; `None` where that is not one.
    pub(super) fn of(found: &serde_json::Value) -> Option<Counterexample> {
        let bug: TestBug = serde_json::from_value(found.clone()).ok()?;
        let inputs: Vec<TestInput> = serde_json::from_value(found["inputs"].clone()).unwrap_or_default();
        let (is_panic, is_certain) = (bug.kind == "panic", !bug.possible && found["assumed"] != true);
        Some(Counterexample { bug, inputs, is_panic, is_certain })
    }

    /// The values, a line each: `a: u8 = 50`.
    pub(super) fn values(&self) -> Vec<String> {
        let line = |it: &TestInput| match &it.ty {
            Some(ty) => format!("{}: {ty} = {}", it.name, it.display()),
            None => format!("{} = {}", it.name, it.display()),
        };
        self.inputs.iter().map(line).collect()
    }

    /// The name of its test: the same for the same values. `harness` is the path of the harness.
    pub(super) fn test_name(&self, harness: &str) -> String {
        let values = self.inputs.iter().flat_map(|it| it.bytes.bytes().chain(*b";"));
        let bytes = harness.bytes().chain(values);
        let harness = last_part(harness);
        let hash =
            bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, it| (hash ^ u64::from(it)).wrapping_mul(0x100_0000_01b3));
        format!("effigy_{harness}_{hash:016x}")
    }

    /// A test that runs the harness on these values. `library` is the crate that the harness uses.
    pub(super) fn test(&self, harness: &str, library: &str) -> String {
        // `cargo test` knows neither of the crates; `cargo effigy playback` does.
        let cfg = if library == "kani" { "kani" } else { "effigy" };
        let name = self.test_name(harness);
        let harness = last_part(harness);
        let mut res = format!("/// {}\n#[cfg({cfg})]\n#[test]\nfn {name}() {{\n", one_line(&self.bug.message));
        res.push_str("    let values = std::vec![\n");
        for (input, value) in self.inputs.iter().zip(self.values()) {
            let bytes: Vec<String> = input.to_bytes().unwrap_or_default().iter().map(u8::to_string).collect();
            res.push_str(&format!("        // {}\n        std::vec![{}],\n", one_line(&value), bytes.join(", ")));
        }
        res.push_str(&format!("    ];\n    {library}::concrete_playback_run(values, {harness});\n}}\n"));
        res
    }
}

/// The name of a function in its module.
fn last_part(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path)
}

/// A text as one line of a comment.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
