//! Scripts that want to be read for ever, or into all memory, or into the stack.

use effigy_smtlib::{QueryForm, ReadLimits, Reader, Script, ScriptCommand, ScriptError, ScriptSession, Splitter};
use effigy_solver::{Backend, QueryBudget, SolverConfig, chain};
use effigy_term::Terms;
use effigy_testing::reader_trial::{corpus, try_reader_times};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Reads a script in one piece; how many commands were understood, and the error that ended it.
fn read(text: &str) -> (usize, Option<ScriptError>) {
    let terms = Terms::new();
    let mut splitter = Splitter::new();
    let limits = ReadLimits { terms: 200_000, ..ReadLimits::default() };
    let mut reader = Reader::new(&terms, limits);
    splitter.push(text.as_bytes());
    let mut count = 0;
    loop {
        match splitter.next_command() {
            Ok(Some(written)) => match reader.command(written) {
                Ok(_) => count += 1,
                Err(error) => return (count, Some(error)),
            },
            Ok(None) => return (count, splitter.finish().err()),
            Err(error) => return (count, Some(error)),
        }
    }
}

/// Runs on a small stack, and soon.
fn soon(text: String) -> (usize, Option<String>) {
    let since = Instant::now();
    let worker = std::thread::Builder::new().stack_size(1 << 20).spawn(move || read(&text));
    let (count, error) = worker.expect("a thread").join().expect("no panic");
    assert!(since.elapsed() < Duration::from_secs(30), "{:?}", since.elapsed());
    (count, error.map(|it| it.to_string()))
}

#[test]
fn terms_of_any_depth_are_read() {
    let depth = 300_000;
    let (open, close) = ("(not ".repeat(depth), ")".repeat(depth));
    assert_eq!(soon(format!("(assert {open}true{close})")), (1, None));
    let (open, close) = ("(let ((x true)) ".repeat(depth), ")".repeat(depth));
    assert_eq!(soon(format!("(assert {open}x{close})")), (1, None));
    let (open, close) = ("(! ".repeat(depth), " :note 1)".repeat(depth));
    assert_eq!(soon(format!("(assert {open}true{close})")), (1, None));
    let open = "(and ".repeat(depth);
    assert_eq!(soon(format!("(assert {open}")), (0, Some("1:1: the script ends within a command".to_owned())));
}

#[test]
fn doublings_are_small_or_refused() {
    // Each name is twice the one before; shared, it is one term.
    let lets: String = (0..5000).map(|it| format!("(let ((x{} (bvmul x{it} x{it}))) ", it + 1)).collect();
    let script = format!("(declare-const x0 (_ BitVec 8))(assert {lets}(= x0 x5000){})", ")".repeat(5000));
    assert_eq!(soon(script), (2, None));
    // A number that squares itself.
    let lets: String = (0..60).map(|it| format!("(let ((n{} (* n{it} n{it}))) ", it + 1)).collect();
    let script = format!("(assert (let ((n0 3)) {lets}(= n60 5)){})", ")".repeat(60));
    let (count, error) = soon(script);
    assert!(count == 0 && error.as_ref().is_some_and(|it| it.contains("the limit is")), "{error:?}");
    // A definition that doubles its argument's place.
    let mut script = String::from("(declare-fun g (Bool Bool) Bool)(declare-fun h (Bool) Bool)");
    script.push_str("(define-fun f0 ((a Bool)) Bool (h a))");
    for it in 0..40 {
        script.push_str(&format!("(define-fun f{} ((a Bool)) Bool (g (f{it} a) (f{it} (h a))))", it + 1));
        script.push_str(&format!("(define-fun k{} ((a Bool)) Bool (g (f{} a) (f{it} (g a a))))", it + 1, it + 1));
    }
    let (_, error) = soon(script);
    assert!(error.is_none_or(|it| it.contains("the limit is")));
    // A sort that doubles.
    let mut script = String::from("(define-sort S0 (A) (Array A A))");
    (0..40).for_each(|it| script.push_str(&format!("(define-sort S{} (A) (S{it} (S{it} A)))", it + 1)));
    let (_, error) = soon(script);
    assert!(error.as_ref().is_some_and(|it| it.contains("the limit is")), "{error:?}");
}

#[test]
fn widths_digits_and_lists_are_bounded() {
    let refused = [
        "(declare-const x (_ BitVec 4000000000))".to_owned(),
        "(declare-const x (_ BitVec 99999999999999999999999))".to_owned(),
        "(declare-const x (_ BitVec 60000))(assert (= x ((_ repeat 60000) x)))".to_owned(),
        "(declare-const x (_ BitVec 60000))(assert (= x (concat x x)))".to_owned(),
        "(declare-const x (_ BitVec 8))(assert (= x ((_ zero_extend 4294967295) x)))".to_owned(),
        format!("(assert (= #b{} #b0))", "1".repeat(1 << 20)),
        format!("(assert (= 1 {}))", "1".repeat(1 << 20)),
        format!("(assert (= 1.0 0.{}))", "1".repeat(1 << 20)),
        format!("(assert (= (_ bv{} 8) #x00))", "1".repeat(1 << 20)),
        format!("(assert (distinct {}))", "true ".repeat(1 << 18)),
        "(push 4000000000)".to_owned(),
        "(declare-const x (_ FloatingPoint 31 24))".to_owned(),
        "(declare-const x (_ FloatingPoint 4294967295 4294967295))".to_owned(),
        "(declare-const x (_ FloatingPoint 8 99999999999999999999))".to_owned(),
        "(declare-const x (_ BitVec 60000))(assert (fp.isNaN (fp #b0 #b010 x)))".to_owned(),
        "(declare-const x Float32)(assert (= x ((_ to_fp 8 4097) RNE x)))".to_owned(),
        "(declare-const x Float32)(assert (= #b1 ((_ fp.to_ubv 4294967295) RNE x)))".to_owned(),
        // The largest number of a format as a fraction.
        "(assert (= 1.0 (fp.to_real (fp #b0 #b111111111111111111111111111110 #b1))))".to_owned(),
        format!("(declare-const x {}Bool{})", "(Array Bool ".repeat(100_000), ")".repeat(100_000)),
    ];
    for script in refused {
        let start: String = script.chars().take(60).collect();
        let (_, error) = soon(script);
        assert!(error.is_some(), "{start}");
    }
    // Exponents that are far apart, digits that are many.
    let large = "(_ FloatingPoint 30 4096)";
    let script = format!(
        "(define-fun a () {large} ((_ to_fp 30 4096) RTP (/ 1 3)))
         (define-fun b () {large} (fp.div RNE a ((_ to_fp 30 4096) RTZ (fp #b0 #b111111111111111111111111111110 #b1))))
         (assert (fp.lt b (fp.fma RTP a b (fp.rem (fp.sqrt RNE a) (fp.add RTN a b))) a))
         (assert (= ((_ fp.to_sbv 65536) RNE a) ((_ fp.to_sbv 65536) RTN (fp.roundToIntegral RTZ b))))"
    );
    assert_eq!(soon(format!("(set-logic QF_FP){script}")), (5, None));
    let (open, close) = ("(fp.sqrt RNE (fp.sqrt RNA ".repeat(20_000), "))".repeat(20_000));
    assert_eq!(soon(format!("(declare-const x Float16)(assert (fp.isNaN {open}x{close}))")), (2, None));
    // As many bits as are asked for, in a circle.
    let script = "(declare-const x (_ BitVec 8))(assert (= x ((_ rotate_left 4294967295) x)))";
    assert_eq!(soon(script.to_owned()), (2, None));
}

#[test]
fn what_is_no_script_has_a_place() {
    let cases = [
        ("", None),
        ("; only this", None),
        ("check-sat", Some("1:1: a command was expected, not `c`")),
        ("\n  )", Some("2:3: a command was expected, not `)`")),
        ("()", Some("1:2: a command was expected, not `)`")),
        ("(\"check-sat\")", Some("1:2: a command was expected, not `\\\"check-sat\\\"`")),
        ("(assert)", Some("1:8: another argument was expected, not `)`")),
        ("(assert true false)", Some("1:14: `)` was expected, not `false`")),
        ("(assert ())", Some("1:10: a function or an operator was expected, not `)`")),
        ("(assert (let () true))", Some("1:15: a binding was expected, not `)`")),
        ("(assert (let ((x true)) ))", Some("1:25: a term was expected, not `)`")),
        ("(assert\n (and true\n  |a b|))", Some("3:3: nothing is called `a b` here")),
        (
            "(assert (bvadd #x1 #b0))",
            Some("1:10: `bvadd` takes 2 bitvectors of one width, not (_ BitVec 4) (_ BitVec 1)"),
        ),
        ("(assert #x1)", Some("1:9: a term of sort Bool was expected, not (_ BitVec 4)")),
        ("(assert #x)", Some("1:9: a number was expected, not `#x`")),
        ("(assert 1a)", Some("1:9: a number was expected, not `1a`")),
        (
            "(assert ((_ extract 4 0) #x1))",
            Some("1:10: `(_ extract 4 0)` takes a bitvector that has these bits, not (_ BitVec 4)"),
        ),
        ("(declare-const true Bool)", Some("1:16: `true` has a meaning already")),
        ("(declare-const x Bool)\n(declare-const x Bool)", Some("2:16: `x` has a meaning already")),
        ("(pop)", Some("1:2: so many levels are not open")),
        ("(assert (! true))", Some("1:16: an attribute was expected, not `)`")),
        ("(declare-datatypes () ())", Some("1:2: `declare-datatypes` is not supported")),
        ("(assert (_ bv4 2))", Some("1:12: a number of 2 bits was expected, not 3 bits")),
        ("(assert (as x Bool))", Some("1:13: nothing is called `x` here")),
        (
            "(declare-const x Float32)\n(assert (bvult x #x00000000))",
            Some("2:10: `bvult` takes 2 bitvectors of one width, not (_ FloatingPoint 8 24) (_ BitVec 32)"),
        ),
        (
            "(declare-const x Float32)\n(assert (= x #x00000000))",
            Some("2:10: `=` takes at least 2 of one sort, not (_ FloatingPoint 8 24) (_ BitVec 32)"),
        ),
        (
            "(declare-const x Float32)(assert (fp.lt x\n (fp.add RNE x #x00000000)))",
            Some(
                "2:3: `fp.add` takes a rounding mode and 2 floats of one format, not RoundingMode (_ FloatingPoint 8 24) (_ BitVec 32)",
            ),
        ),
        (
            "(declare-const x Float16)(assert (fp.lt x (_ +oo 8 8)))",
            Some(
                "1:35: `fp.lt` takes at least 2 floats of one format, not (_ FloatingPoint 5 11) (_ FloatingPoint 8 8)",
            ),
        ),
        (
            "(declare-const x Float16)(assert (fp.eq x (fp.sqrt #b000 x)))",
            Some("1:44: `fp.sqrt` takes a rounding mode and a float, not (_ BitVec 3) (_ FloatingPoint 5 11)"),
        ),
        (
            "(assert (fp.isNaN ((_ to_fp 5 11) #xff)))",
            Some(
                "1:20: `(_ to_fp 5 11)` takes a bitvector of 16 bits, or a rounding mode and a float, a Real or a bitvector, not (_ BitVec 8)",
            ),
        ),
        (
            "(declare-fun f (Float16) Bool)(assert (f #x0000))",
            Some("1:40: `f` takes (_ FloatingPoint 5 11), not (_ BitVec 16)"),
        ),
        (
            "(declare-const a (Array Float16 RoundingMode))(assert (= RNE (select a #x0000)))",
            Some(
                "1:63: `select` takes an array and an index of it, not (Array (_ FloatingPoint 5 11) RoundingMode) (_ BitVec 16)",
            ),
        ),
        (
            "(declare-const a (Array Bool Float16))(declare-const b (Array Bool Float16))(assert (= a b))",
            Some("1:86: `=` of arrays of floats is not supported"),
        ),
        ("(declare-fun f ((Array Bool Float16)) Bool)", Some("1:14: a function of arrays of floats is not supported")),
        (
            "(declare-const x Float16)(assert (= 1.0 (fp.to_real x)))",
            Some("1:42: `fp.to_real` of what is not a constant is not supported"),
        ),
        (
            "(declare-const r Real)(assert (fp.isNaN ((_ to_fp 5 11) RNE r)))",
            Some("1:42: `to_fp` of a Real that is not a constant is not supported"),
        ),
        (
            "(declare-const x (_ FloatingPoint 1 5))",
            Some("1:35: a format of at least 2 bits of exponent and 2 of significand was expected, not 1 and 5"),
        ),
        (
            "(assert (fp.isNaN (_ NaN 8)))",
            Some("1:26: a format, as bits of exponent and significand, was expected, not `8`"),
        ),
        (
            "(define-fun f () Float32 (_ NaN 11 53))",
            Some("1:26: a term of sort (_ FloatingPoint 8 24) was expected, not (_ FloatingPoint 11 53)"),
        ),
        ("(assert (str.++ \"a\"))", Some("1:17: the theory of strings is not supported")),
    ];
    for (script, expected) in cases {
        assert_eq!(read(script).1.map(|it| it.to_string()).as_deref(), expected, "{script}");
    }
}

#[test]
fn names_that_are_no_text_are_refused_and_texts_that_are_none_are_not() {
    let terms = Terms::new();
    let mut reader = Reader::new(&terms, ReadLimits::default());
    let mut splitter = Splitter::new();
    splitter.push(b"(set-info :source |caf\xe9|) (declare-const |caf\xe9| Bool)");
    let written = splitter.next_command().expect("a command").expect("a command");
    assert!(matches!(reader.command(written), Ok(ScriptCommand::Noted)));
    let written = splitter.next_command().expect("a command").expect("a command");
    let error = reader.command(written).expect_err("two such names could look alike").to_string();
    assert!(error.contains("a name in UTF-8 was expected"), "{error}");
}

#[test]
fn a_reader_is_stopped_from_outside() {
    let terms = Terms::new();
    let limits = ReadLimits { stop: Box::new(|| Some("enough")), ..ReadLimits::default() };
    let mut reader = Reader::new(&terms, limits);
    let mut splitter = Splitter::new();
    splitter.push(format!("(assert {}true{})", "(not ".repeat(1000), ")".repeat(1000)).as_bytes());
    let written = splitter.next_command().expect("a command").expect("a command");
    assert!(reader.command(written).expect_err("it is stopped").to_string().contains("enough"));
}

/// Carries a script out, in the process.
fn answered(text: &str) -> Option<ScriptError> {
    let config = SolverConfig { backend: Backend::Bits, ..SolverConfig::default() };
    let terms = Terms::new();
    let mut solver = chain(&config);
    let budget = QueryBudget { steps: Some(1000), time: Some(Duration::from_secs(1)) };
    let session = ScriptSession::new(&terms, &mut *solver, budget, QueryForm::Grown);
    let limits = ReadLimits { terms: 50_000, ..ReadLimits::default() };
    let mut script = Script::new(Reader::new(&terms, limits), session);
    script.feed(text.as_bytes(), &mut |_| {}).err().or_else(|| script.finish().err())
}

/// Words as the language has them, to be put where they do not belong.
const WORDS: &[&str] = &[
    "(",
    ")",
    "(_ bv7 3)",
    "#b1",
    "#x0f",
    "x",
    "f",
    "a",
    "true",
    "let",
    "(let ((x y)) x)",
    "!",
    "_",
    "as",
    "forall",
    "(as const (Array Bool Bool))",
    "extract",
    "(_ extract 3 1)",
    "(_ repeat 9)",
    "select",
    "store",
    "=",
    "distinct",
    "ite",
    "and",
    "bvadd",
    "bvsmod",
    "concat",
    "|",
    "\"",
    ";",
    ":named",
    "(check-sat)",
    "(get-model)",
    "(push 3)",
    "(pop 2)",
    "(reset)",
    "999999999999",
    "0.5",
    "Bool",
    "(_ BitVec 3)",
    "(Array Bool Bool)",
    "Int",
    "RoundingMode",
    "(_ FloatingPoint 3 4)",
    "(_ NaN 3 4)",
    "(_ -zero 3 4)",
    "(_ to_fp 3 4)",
    "(_ to_fp_unsigned 2 2)",
    "(_ fp.to_sbv 3)",
    "(fp #b1 #b010 #b101)",
    "fp.add",
    "fp.min",
    "fp.lt",
    "fp.isNormal",
    "fp.to_real",
    "RNE",
];

#[test]
fn mutants_of_the_corpus_are_answered_or_refused_at_a_place() {
    let counts = Arc::new([AtomicUsize::new(0), AtomicUsize::new(0)]);
    let counters = Arc::clone(&counts);
    // What is read here takes little time.
    try_reader_times("smtlib", 2_000, corpus("smt", "smt2"), WORDS, move |text| {
        let text = String::from_utf8_lossy(text);
        let error = answered(&text);
        counters[usize::from(error.is_some())].fetch_add(1, Ordering::Relaxed);
        let Some(error) = error else { return };
        let lines = 1 + text.matches('\n').count();
        assert!((1..=lines).contains(&error.place.line), "{error}");
        assert!(!error.to_string().contains("a bug of the solver"), "{error}");
    });
    let [understood, refused] = [0, 1].map(|it| counts[it].load(Ordering::Relaxed));
    assert!(refused > 100 && understood > 100, "{refused} {understood}");
}
