//! Questions to z3, with the options that Silicon sets.

use effigy_term::print::SmtPrinter;
use effigy_term::{Term, Terms};
use std::io::Write;
use std::process::{Command, Stdio};

/// A script of its own that asks whether the facts contradict one another.
pub fn query(terms: &Terms, facts: &[Term], mbqi: bool, resources: u64) -> String {
    let mut script = format!(
        "(reset)\n(set-option :auto_config false)\n(set-option :smt.mbqi {mbqi})\n(set-option :smt.case_split 3)\n\
         (set-option :smt.delay_units true)\n(set-option :type_check true)\n(set-option :smt.qi.eager_threshold 100)\n\
         (set-option :smt.arith.solver 2)\n(set-option :smt.qi.max_multi_patterns 1000)\n\
         (set-option :rlimit {resources})\n"
    );
    let mut printer = SmtPrinter::new();
    for &fact in facts {
        let name = printer.define(terms, fact, &mut script);
        script.push_str(&format!("(assert {name})\n"));
    }
    script.push_str("(check-sat)\n");
    script
}

/// The answer of Z3 to each query, in order.
pub fn answers(queries: &[String]) -> Vec<String> {
    let mut z3 = Command::new("z3")
        .args(["-smt2", "-in"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("z3 is installed");
    let mut input = z3.stdin.take().expect("it was asked for");
    let script = queries.concat();
    let writer = std::thread::spawn(move || input.write_all(script.as_bytes()).expect("z3 reads its input"));
    let output = z3.wait_with_output().expect("z3 ends");
    writer.join().expect("the script is written");
    let text = String::from_utf8_lossy(&output.stdout);
    let answers: Vec<String> = text.lines().map(str::to_owned).collect();
    assert!(answers.iter().all(|it| ["sat", "unsat", "unknown"].contains(&it.as_str())), "{text}");
    assert_eq!(answers.len(), queries.len());
    answers
}
