//! `effigy cargo` on workspaces of a few lines: which harnesses are found, how they end, and what is made of failures.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A workspace in a folder of its own.
struct Workspace {
    folder: PathBuf,
}

impl Workspace {
    fn new(name: &str, files: &[(&str, &str)]) -> Workspace {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cargo").join(name);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a folder");
        for (path, text) in files {
            let path = folder.join(path);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(path, text).expect("a file");
        }
        Workspace { folder }
    }

    /// The exit code and standard output of `effigy cargo` with these words; both outputs where that is empty.
    fn run(&self, words: &[&str]) -> (Option<i32>, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_effigy"));
        command.arg("cargo").args(words).current_dir(&self.folder);
        command.env_remove("CARGO_TARGET_DIR").env_remove("RUSTFLAGS").env("CARGO_NET_OFFLINE", "true");
        // What this test is built with is none of the workspace's.
        for (name, _) in std::env::vars_os().filter(|it| it.0.to_string_lossy().starts_with("CARGO_PROFILE_")) {
            command.env_remove(name);
        }
        let output = command.output().expect("effigy runs");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let errors = String::from_utf8_lossy(&output.stderr);
        (output.status.code(), if text.is_empty() { errors.into_owned() } else { text })
    }

    fn json(&self, words: &[&str]) -> serde_json::Value {
        let words: Vec<&str> = words.iter().copied().chain(["--json"]).collect();
        let text = self.run(&words).1;
        serde_json::from_str(&text).unwrap_or_else(|_| panic!("{text}"))
    }

    /// The result of each harness, by name.
    fn results(&self, words: &[&str]) -> Vec<(String, String)> {
        let document = self.json(words);
        let text = |it: &serde_json::Value| it.as_str().unwrap_or_default().to_owned();
        let all = document["harnesses"].as_array().cloned().unwrap_or_default();
        all.iter().map(|it| (text(&it["name"]), text(&it["result"]))).collect()
    }
}

const MANIFEST: &str = "[package]\nname = \"shop\"\nversion = \"0.0.0\"\nedition = \"2021\"\nbuild = \"build.rs\"\n\
                        [features]\nsale = []\n[workspace]\nmembers = [\"price\"]\n[dependencies]\nprice = { path = \"price\" }\n";

/// The build script runs on this machine, and is no part of what is looked at.
const BUILD: &str =
    "fn main() { println!(\"cargo::rustc-cfg=built\"); println!(\"cargo::rustc-check-cfg=cfg(built)\"); }";

const LIBRARY: &str = r#"
fn total(a: u8, b: u8) -> u8 {
    if cfg!(feature = "sale") { a / 2 + b / 2 } else { price::sum(a, b) }
}

#[cfg(kani)]
mod hidden {
    #[kani::proof]
    #[kani::unwind(3)]
    fn totals() {
        assert!(cfg!(built));
        let (a, b) = (kani::any::<u8>(), kani::any::<u8>());
        kani::assume(a > 100);
        super::total(a, b);
    }

    #[derive(kani::Arbitrary, Clone, Copy, PartialEq, Debug)]
    enum Size {
        Small,
        Of(u8),
        Box { width: i8, full: bool },
    }

    #[kani::proof]
    fn sizes() {
        let size: Size = kani::any();
        kani::cover!(size == Size::Of(7));
        assert!(size != Size::Box { width: -5, full: true }, "found {size:?}");
    }

    #[kani::proof]
    #[kani::should_panic]
    fn panics() {
        let index: usize = kani::any();
        let _ = [1, 2, 3][index];
    }

    #[kani::proof]
    #[kani::should_panic]
    fn never_panics() {
        let _: u8 = kani::any();
    }

    #[kani::proof]
    #[kani::should_panic]
    fn aborts() {
        let index: u8 = kani::any();
        assert!(index != 200);
        let _ = unsafe { [1, 2, 3].get_unchecked(usize::from(index % 4)) };
    }

    #[kani::proof]
    #[kani::stub(a, b)]
    fn stubs() {}

    #[kani::proof]
    fn impossible() {
        let a: u8 = kani::any();
        kani::assume(a > 3);
        kani::assume(a < 3);
        panic!("nobody comes here");
    }
}

#[cfg(test)]
mod tests {
    #[cfg(effigy)]
    #[effigy_harness::proof]
    fn in_tests() {
        let text: String = effigy_harness::bounded_any::<String, 2>();
        assert!(text.chars().count() <= text.len());
    }

    #[test]
    fn plain() {}
}
"#;

const PRICE: &str = r#"
/// What both cost.
pub fn sum(a: u8, b: u8) -> u8 {
    a + b
}

#[cfg(kani)]
#[kani::proof]
fn of_nothing() {
    let a = kani::any();
    assert_eq!(sum(a, 0), a);
}
"#;

fn shop(name: &str) -> Workspace {
    let files = [("Cargo.toml", MANIFEST), ("build.rs", BUILD), ("src/lib.rs", LIBRARY), ("price/src/lib.rs", PRICE)];
    let price = "[package]\nname = \"price\"\nversion = \"0.0.0\"\nedition = \"2024\"\n";
    Workspace::new(name, &[&files[..], &[("price/Cargo.toml", price)]].concat())
}

#[test]
fn harnesses_of_a_workspace_end_as_they_should() {
    let shop = shop("results");
    let expected = [
        // What is undefined is no panic.
        ("shop::hidden::aborts", "failed"),
        ("shop::hidden::impossible", "undecided"),
        ("shop::hidden::never_panics", "failed"),
        ("shop::hidden::panics", "ok"),
        ("shop::hidden::sizes", "failed"),
        ("shop::hidden::stubs", "refused"),
        ("shop::hidden::totals", "failed"),
        ("shop::tests::in_tests", "ok"),
    ];
    let expected: Vec<_> = expected.map(|it| (it.0.to_owned(), it.1.to_owned())).into();
    assert_eq!(shop.results(&[]), expected);
    // A second time nothing is built, and all is the same; the members of a workspace are packages of their own.
    let all = shop.results(&["--workspace"]);
    assert_eq!((all.len(), all[0].clone()), (9, ("price::of_nothing".to_owned(), "ok".to_owned())));
    // Features are cargo's.
    let sale = shop.results(&["--features", "sale", "--harness", "hidden::totals", "--exact"]);
    assert_eq!(sale, [("shop::hidden::totals".to_owned(), "ok".to_owned())]);
    assert_eq!(shop.run(&["-p", "price", "-q"]).0, Some(0));
    assert_eq!(shop.run(&["--harness", "nothing"]).0, Some(2));
}

#[test]
fn checked_at_once_they_end_as_path_by_path() {
    let shop = shop("bmc");
    let some = ["--workspace", "--harness", "of_nothing", "--harness", "panics", "--harness", "totals"];
    let by_path = shop.results(&some);
    let at_once = shop.results(&[&some[..], &["--bmc"]].concat());
    let results: Vec<_> = by_path.iter().map(|it| it.1.as_str()).collect();
    assert_eq!((results, &at_once), (vec!["ok", "failed", "ok", "failed"], &by_path));
}

/// A library and a program may have harnesses of one name.
#[test]
fn harnesses_of_one_name_are_two() {
    let proof = "#[cfg(kani)]\n#[kani::proof]\nfn check() {\n    let a: u8 = kani::any();\n    assert!(LAW);\n}\n";
    let twins = Workspace::new(
        "twins",
        &[
            ("Cargo.toml", "[package]\nname = \"twins\"\nversion = \"0.0.0\"\nedition = \"2021\"\n[workspace]\n"),
            ("src/lib.rs", &proof.replace("LAW", "a / 2 < 128")),
            ("src/main.rs", &format!("fn main() {{ }}\n{}", proof.replace("LAW", "a < 200"))),
            ("tests/other.rs", "#[test]\nfn plain() {}\n"),
        ],
    );
    let document = twins.json(&["--replay"]);
    assert_eq!(
        (&document["passed"], &document["failed"]),
        (&serde_json::json!(1), &serde_json::json!(1)),
        "{document}"
    );
    assert_eq!(document["replayed"]["different"], serde_json::json!([]), "{document}");
}

#[test]
fn failures_have_values_and_tests() {
    let shop = shop("failures");
    let document = shop.json(&["--harness", "sizes"]);
    let bug = &document["harnesses"][0]["bugs"][0];
    assert_eq!(bug["bug"]["message"], "the program panics: found Box { width: -5, full: true }", "{document}");
    assert_eq!(bug["bug"]["place"]["file"], "src/lib.rs");
    let types: Vec<_> = bug["inputs"].as_array().into_iter().flatten().map(|it| it["type"].clone()).collect();
    assert_eq!(types, ["u16", "i8", "bool"]);
    assert!(document["harnesses"][0]["covered"][0].as_str().is_some_and(|it| it.contains("size == Size::Of(7)")));
    let (code, text) = shop.run(&["--harness", "totals", "--harness", "sizes", "--write-tests"]);
    assert_eq!((code, text.matches("wrote the test").count()), (Some(101), 2), "{text}");
    // They are there once, and fail natively as they were predicted to.
    let (_, text) = shop.run(&["--harness", "totals", "--write-tests"]);
    assert_eq!(text.matches("wrote the test").count(), 0, "{text}");
    let (code, text) = shop.run(&["playback", "--", "effigy_totals"]);
    assert_eq!(code, Some(101), "{text}");
    assert!(text.contains("attempt to add with overflow") && text.contains("1 failed"), "{text}");
}

#[test]
fn every_path_does_natively_what_was_predicted() {
    let shop = shop("replay");
    let document = shop.json(&["--replay", "--workspace"]);
    let replayed = &document["replayed"];
    assert_eq!(replayed["different"], serde_json::json!([]), "{replayed}");
    assert!(replayed["as_predicted"].as_u64() > Some(10), "{replayed}");
}

#[test]
fn what_does_not_compile_is_cargos_to_say() {
    let broken = Workspace::new(
        "broken",
        &[
            ("Cargo.toml", "[package]\nname = \"broken\"\nversion = \"0.0.0\"\nedition = \"2021\"\n[workspace]\n"),
            ("src/lib.rs", "#[kani::proof]\nfn takes(_: u8) {}\n"),
        ],
    );
    let (code, text) = broken.run(&[]);
    assert_eq!(code, Some(101), "{text}");
    assert!(text.contains("a harness has neither parameters nor type parameters"), "{text}");
    // Not in the target folder: cargo looks for a package in the folders above, and would find ours.
    let none = Workspace { folder: std::env::temp_dir().join(format!("effigy-no-package-{}", std::process::id())) };
    std::fs::create_dir_all(&none.folder).expect("a folder");
    let (code, text) = none.run(&[]);
    let _ = std::fs::remove_dir_all(&none.folder);
    assert_eq!(code, Some(2), "{text}");
}
