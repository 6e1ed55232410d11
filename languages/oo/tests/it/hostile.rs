//! Any text is read or refused, without a panic, in bounded time.

use effigy_contracts::concrete::{ConcreteBudget, run};
use effigy_oo::{ErrorId, read};
use std::fs;
use std::path::Path;

fn first_error(text: &str) -> String {
    let errors = read("hostile.oo", text).expect_err("this should not be read");
    assert!(!errors.is_empty());
    errors[0].to_string()
}

#[test]
fn deep_nesting_is_an_error() {
    for (open, close) in [("(", ")"), ("!", ""), ("- ", ""), ("old(", ")"), ("true ==> ", ""), ("true ? true : ", "")] {
        let text = format!("assert {}true{};", open.repeat(10_000), close.repeat(10_000));
        assert!(first_error(&text).contains("nested too deeply"), "{open}");
    }
    let blocks = "{".repeat(10_000);
    assert!(first_error(&blocks).contains("nested too deeply"));
    let ifs = format!("if (true) {{}} {}", "else if (true) {} ".repeat(10_000));
    assert!(first_error(&ifs).contains("nested too deeply"));
    let fields = format!("assert x{} = 1;", ".f".repeat(10_000));
    assert!(first_error(&fields).contains("nested too deeply"));
}

#[test]
fn the_deepest_that_is_allowed_is_read() {
    let text = format!("assert {}true{};", "(".repeat(150), ")".repeat(150));
    read("deep.oo", &text).expect("150 levels");
    let text = format!("assert {}true;", "!".repeat(150));
    read("deep.oo", &text).expect("150 levels");
}

#[test]
fn long_rows_do_not_become_deep_trees() {
    let sum = format!("int x := {}1;", "1 + ".repeat(100_000));
    assert!(first_error(&sum).contains("use parentheses"));
    let conjunction = format!("assert {}true;", "true && ".repeat(100_000));
    read("long.oo", &conjunction).expect("balanced");
    let separated = format!("assert {}true;", "true * ".repeat(100_000));
    read("long.oo", &separated).expect("balanced");
    let product = format!("int x := {}1;", "1 * ".repeat(100_000));
    assert!(first_error(&product).contains("use parentheses"));
}

#[test]
fn chained_comparisons_do_not_double() {
    let mut text = "1".to_owned();
    for _ in 0..90 {
        text = format!("(0 <= {text} + 1 + 2 + 3 + 4 + 5 + 6 <= 9 ? 1 : 0)");
    }
    read("nested.oo", &format!("int x := {text};")).expect("nested chains");
}

#[test]
fn a_megabyte_is_read_in_bounded_time() {
    let text = "int x := 0;\n".to_owned() + &"x := x + 1;\n".repeat(90_000);
    read("long.oo", &text).expect("a long main routine");
}

#[test]
fn nonsense_is_refused_with_a_place() {
    for text in ["class", "class C {", "/*", "§", "class C { int }", "9a", "x := ;", "&", "\u{0}", "a.b", "new", "acc"]
    {
        let errors = read("nonsense.oo", text).expect_err(text);
        assert_eq!(errors[0].id, ErrorId::Parser, "{text}");
        assert!(errors[0].span.line >= 1, "{text}");
    }
    assert!(read("empty.oo", "").expect("nothing").main.is_none());
}

#[test]
fn nested_lengths_do_not_double() {
    let mut index = "0".to_owned();
    for _ in 0..60 {
        index = format!("a[{index}].length");
    }
    read("nested.oo", &format!("int[][] a := new int[1][]; int x := {index};")).expect("nested lengths");
}

/// The corpus, token by token: a token may hold no space.
fn corpus() -> Vec<Vec<String>> {
    let mut res = Vec::new();
    for folder in ["verified", "failing"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/oo").join(folder);
        let mut paths: Vec<_> =
            fs::read_dir(folder).expect("the corpus").map(|it| it.expect("a file").path()).collect();
        paths.sort();
        for path in paths {
            let text = fs::read_to_string(path).expect("text");
            let code: Vec<&str> = text.lines().map(|it| it.split("//").next().unwrap_or("")).collect();
            let mut spaced = String::new();
            for c in code.join("\n").chars() {
                let alone = "(){}[];,.".contains(c);
                spaced.push_str(&if alone { format!(" {c} ") } else { c.to_string() });
            }
            res.push(spaced.split_whitespace().map(str::to_owned).collect());
        }
    }
    res
}

#[test]
fn mutants_of_the_corpus_are_read_or_refused_and_run_or_stopped() {
    let programs = corpus();
    // A generator of our own: the same mutants on every machine.
    let mut state = 1u64;
    let mut below = |n: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % n.max(1)
    };
    let mut readable = 0;
    for _ in 0..4000 {
        let mut tokens = programs[below(programs.len())].clone();
        for _ in 0..1 + below(4) / 3 {
            let at = below(tokens.len());
            // Names for names and signs for signs: more of the mutants are programs then.
            let is_name = |it: &String| it.starts_with(|c: char| c.is_alphanumeric());
            let alike: Vec<&String> = tokens.iter().filter(|it| is_name(it) == is_name(&tokens[at])).collect();
            let token = alike[below(alike.len())].clone();
            match below(6) {
                0 => drop(tokens.remove(at)),
                1 => tokens.insert(at, token),
                _ => tokens[at] = token,
            }
        }
        let text = tokens.join(" ");
        match read("mutant.oo", &text) {
            Ok(reading) => {
                readable += 1;
                if let Some(main) = reading.main {
                    let _ = run(&reading.program, main, &[], ConcreteBudget::of(20_000));
                }
            }
            Err(errors) => assert!(!errors.is_empty(), "{text}"),
        }
    }
    assert!(readable > 200, "only {readable} mutants were read: the test says little");
}
