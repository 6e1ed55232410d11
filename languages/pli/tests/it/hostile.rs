//! Texts that ask for too much, and texts that are nearly programs: they are refused, or read and explored within
//! limits. Nothing here may panic, overflow the stack or take long: what takes more than linear time does not come back.

use effigy_engine::{Budget, Context, Coverage, Feasibility, Inputs, Inspect, Language, Notes};
use effigy_explore::{Config, PathEnd, Sink, explore};
use effigy_pli::{Arrays, Code, Options, Program, State, any_call, call_of, compile};
use effigy_solver::{QueryBudget, SolverConfig, chain};
use effigy_term::Terms;
use effigy_testing::grammar_mutation::Mutator;
use effigy_testing::reader_trial::{corpus, try_reader_times};
use effigy_walk::{Exploration, Search};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The stack of a main thread.
const STACK: usize = 8 << 20;

fn with_a_usual_stack(run: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(STACK).spawn(run).expect("a thread").join().expect("no panic");
}

/// Keeps the last state, and looks at each one as a report does.
struct Look<'a> {
    program: &'a Program,
    terms: &'a Terms,
    last: Option<State>,
}

impl Sink<State> for Look<'_> {
    fn ended(&mut self, end: &PathEnd<'_, State>) {
        with_context(self.terms, |ctx| {
            let results = self.program.results(ctx, end.state);
            assert!(results.len() <= 1 + end.state.frame.procedure.slots.len() + 100_000);
            self.program.variables(ctx, end.state);
        });
        for cond in end.trail.condition.conjuncts() {
            self.program.show(self.terms, cond);
        }
        self.last = Some(end.state.clone());
    }
}

fn with_context<T>(terms: &Terms, run: impl FnOnce(&mut Context<'_>) -> T) -> T {
    let (inputs, mut coverage, mut notes) = (Inputs::Symbolic, Coverage::default(), Notes::default());
    run(&mut Context::new(terms, &inputs, &mut coverage, &mut notes))
}

fn walk(program: &Program, terms: &Terms, statements: u64) -> (Exploration, Option<State>) {
    // No process is started: what the layers in the process cannot answer stays unknown.
    let mut solver = chain(&SolverConfig { smt: "false".to_owned(), ..SolverConfig::default() });
    let budget = Budget {
        bugs: None,
        time: None,
        memory: None,
        paths: Some(12),
        steps: Some(statements * 12),
        path_steps: Some(statements),
        depth: Some(24),
        interrupt: Arc::default(),
    };
    let query = QueryBudget { steps: Some(20_000), time: None };
    let config = Config { search: Search::Dfs, seed: 1, budget, query, values: 4, feasibility: Feasibility::Branch };
    let mut look = Look { program, terms, last: None };
    let exploration = explore(program, terms, &mut *solver, &config, &mut (), &mut look);
    (exploration, look.last)
}

fn explore_call(code: &Rc<Code>, call: &str, options: Options, statements: u64) {
    if let Ok(program) = Program::new(Rc::clone(code), call, options) {
        walk(&program, &Terms::new(), statements);
    }
}

/// Compiles a text; what compiles is explored a little, every procedure of it.
fn survive(text: &str) -> bool {
    match compile("hostile.pli", text) {
        Err(errors) => {
            assert!(!errors.errors.is_empty());
            assert!(!errors.to_string().is_empty());
            for it in &errors.errors {
                assert!(!it.message.is_empty());
                assert!(text.get(it.span.start as usize..).is_some(), "{it:?}");
            }
            false
        }
        Ok(code) => {
            explore_call(&code, &any_call(&code), Options::default(), 200);
            for procedure in code.procedures.iter().take(2) {
                let call = call_of(&code, &procedure.name).expect("the procedure is there");
                let options = Options { arrays: Arrays::Cases, width: Some(8), ..Options::default() };
                explore_call(&code, &call, options, 60);
            }
            true
        }
    }
}

/// Mutants of each kind of text: what is read here takes little time.
const MUTANTS: usize = 2_000;

/// Words of the language, and what it has no place for.
const WORDS: &[&str] = &[
    "(",
    ")",
    ";",
    ":",
    ",",
    "*",
    "**",
    "=",
    "¬",
    "¬=",
    "=>",
    "⊃",
    "←",
    "\"",
    "\"X\"",
    "α₁",
    "'",
    "/*",
    "*/",
    "&",
    "|",
    "-",
    "0",
    "1",
    "99999999999999999999",
    "END",
    "END;",
    "DO;",
    "DO",
    "DO I = 1 TO",
    "BY",
    "WHILE (",
    "IF",
    "THEN",
    "ELSE",
    "GO TO",
    "L:",
    "P: PROC;",
    "DCL",
    "A(*)",
    "A(0:9)",
    "INITIAL((9) 0)",
    "STATIC",
    "RETURN",
    "CALL",
    "FORALL K",
    "EXISTS",
    "OLD(",
    "HBOUND(A)",
    "ABS(",
    "MOD(",
    "READ(",
    "WRITE(",
    "ASSUME",
    "PROVE",
    "ASSERT",
    "\0",
    "é",
    "☃",
    "\u{feff}",
];

#[test]
fn mutated_programs_are_refused_or_explored() {
    let compiled = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&compiled);
    try_reader_times("pli", MUTANTS, corpus("pli", "pli"), WORDS, move |text| {
        counter.fetch_add(usize::from(survive(&String::from_utf8_lossy(text))), Ordering::Relaxed);
    });
    let compiled = compiled.load(Ordering::Relaxed);
    assert!(compiled > 100, "only {compiled} mutants compiled");
}

#[test]
fn mutated_calls_are_refused_or_explored() {
    let calls = [
        "SEARCH(A, 1, 5, \"X\", FOUND, J)",
        "DCL B(0:9) INTEGER INITIAL(1, -2, (3) 4), N INTEGER INITIAL(\"N\"); CALL SEARCH(B, N, N + 4, 3, F, (J));",
        "TEST (200) SEARCH(A, \"N\", \"N\"+4, ABS(\"X\"), FOUND, J)",
    ];
    let accepted = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&accepted);
    let source = std::fs::read_to_string(search()).expect("search.pli");
    try_reader_times("pli-calls", MUTANTS, calls, WORDS, move |call| {
        let code = compile("search.pli", &source).expect("it compiles");
        match Program::new(code, &String::from_utf8_lossy(call), Options::default()) {
            Ok(program) => {
                counter.fetch_add(1, Ordering::Relaxed);
                walk(&program, &Terms::new(), 60);
            }
            Err(errors) => assert!(!errors.to_string().is_empty()),
        }
    });
    let accepted = accepted.load(Ordering::Relaxed);
    assert!(accepted > 50, "only {accepted} calls were accepted");
}

fn search() -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/pli/search.pli")
}

#[test]
fn mutated_expressions_have_a_value_or_an_error() {
    let expressions = [
        "L <= U & FOUND = 0 => A(J) ¬= X",
        "FORALL I, K (1 <= I & I <= K & K <= 9 => A(I) <= A(K))",
        "EXISTS I (1 <= I & I <= 5 & A(I) = 3) | ¬(OLD(L) = MOD(L, 3))",
        "A(J+1)*(L+U)/2 - ABS(X) ** 2 + MIN(L, MAX(U, REM(X, 3)))",
        "A(HBOUND(A)) + \"N\" + α₁",
    ];
    with_a_usual_stack(move || {
        let code = compile("search.pli", &std::fs::read_to_string(search()).expect("search.pli")).expect("it compiles");
        let program = Program::new(code, "SEARCH(A, 1, 5, \"X\", FOUND, J)", Options::default()).expect("a call");
        let terms = Terms::new();
        // In the middle of the procedure, and where it has not begun.
        let mut states: Vec<State> = (1..12).filter_map(|it| walk(&program, &terms, it).1).collect();
        states.retain(|it| program.depth(it) == 1);
        states.push(with_context(&terms, |ctx| program.start(ctx)));
        assert!(states.len() > 5, "{}", states.len());
        let mut mutator = Mutator::new(3, expressions, WORDS);
        let mut evaluated = 0;
        for round in 0..2 * MUTANTS {
            let [text, target] = [mutator.mutant(), mutator.mutated(b"A(J+1)")];
            let [text, target] = [text, target].map(|it| String::from_utf8_lossy(&it).into_owned());
            let mut state = states[round % states.len()].clone();
            with_context(&terms, |ctx| {
                if let Ok(value) = program.evaluate(ctx, &state, &text) {
                    evaluated += 1;
                    program.show(&terms, value);
                }
                let _ = program.assign(ctx, &mut state, &target, &text);
                let _ = program.assign(ctx, &mut state, "X", &text);
                program.variables(ctx, &state);
                let _ = program.call(ctx, &text);
            });
        }
        assert!(evaluated > 100, "only {evaluated} were evaluated");
    });
}

#[test]
fn nesting_is_bounded_wherever_it_occurs() {
    with_a_usual_stack(|| {
        let many = 100_000;
        let program = |body: &str| format!("P: PROCEDURE (X, Y);\n{body}\nEND;\n");
        let around = |open: &str, middle: &str, close: &str| {
            program(&format!("{}{middle}{}", open.repeat(many), close.repeat(many)))
        };
        let texts = [
            program(&format!("X = {}1{};", "(".repeat(many), ")".repeat(many))),
            program(&format!("X = {}", "(".repeat(many))),
            program(&format!("X = {}1;", "-".repeat(many))),
            program(&format!("IF {}X = 1 THEN;", "¬".repeat(many))),
            program(&format!("X = {}1;", "2**".repeat(many))),
            program(&format!("X = {}1{};", "ABS(".repeat(many), ")".repeat(many))),
            program(&format!("X = {}1{};", "P(".repeat(many), ", 1)".repeat(many))),
            program(&format!("X = 1{};", " + 1".repeat(many))),
            program(&format!("X = 1{};", " * X".repeat(many))),
            program(&format!("IF X = 1{} THEN;", " & X = 1".repeat(many))),
            program(&format!("IF {}X = 1 THEN;", "X = 1 => ".repeat(many))),
            program(&format!("IF X = 1{} THEN;", " = 1".repeat(many))),
            program(&format!("ASSERT {}X = 1{};", "FORALL K (".repeat(many), ")".repeat(many))),
            program(&format!("ASSERT (FORALL {}K (K = 1));", "K, ".repeat(many))),
            around("DO; ", "X = 1;", " END;"),
            around("DO WHILE (X > 1); ", "X = 1;", " END;"),
            around("DO I = 1 TO 5; ", "X = 1;", " END;"),
            around("IF X = 1 THEN ", "X = 1;", ""),
            around("IF X = 1 THEN DO; ", "X = 1;", " END;"),
            around("IF X = 1 THEN; ELSE ", "X = 1;", ""),
            around("L: P: PROCEDURE (X); ", "X = 1;", " END;"),
            around("DCL (", "X", ");"),
            program(&format!("{}X = 1;", "DO; ".repeat(many))),
        ];
        for text in texts {
            let errors = compile("deep.pli", &text).err();
            match errors {
                // FORALL K, K, ... and labels are wide, not deep.
                None => assert!(text.contains("FORALL K, ")),
                Some(errors) => {
                    let told = errors.to_string();
                    assert!(errors.errors.len() <= 3, "{}", told.chars().take(2000).collect::<String>());
                }
            }
        }
    });
}

#[test]
fn wide_texts_are_read_in_linear_time() {
    with_a_usual_stack(|| {
        let program = |body: &str| format!("P: PROCEDURE (X, Y);\n{body}\nEND;\n");
        let many = 50_000;
        let numbered = |line: &dyn Fn(usize) -> String| program(&(0..many).map(line).collect::<String>());
        let texts = [
            ("statements on one line", program(&"X = 1;".repeat(many))),
            ("lines", program(&"X = 1;\n".repeat(many))),
            ("variables", numbered(&|it| format!("V{it} = {it};"))),
            ("declarations", numbered(&|it| format!("DCL V{it} INTEGER;"))),
            ("labels", numbered(&|it| format!("L{it}: GO TO L{it};"))),
            (
                "labels of one statement",
                program(&format!("{} X = 1;", (0..many).map(|it| format!("L{it}: ")).collect::<String>())),
            ),
            ("procedures", (0..many).map(|it| format!("P{it}: PROCEDURE (X); X = P{it}(X); END;\n")).collect()),
            (
                "parameters",
                format!("P: PROCEDURE ({}X); X = 1; END;", (0..many).map(|it| format!("X{it}, ")).collect::<String>()),
            ),
            ("targets", program(&format!("{}X = 1;", "X, ".repeat(many)))),
            ("loops", program(&"DO I = 1 TO X; X = I; END; ".repeat(many))),
            ("a long name", program(&format!("{} = 1;", "X".repeat(many)))),
            ("a long symbol", program(&format!("X = \"{}\";", "X".repeat(many)))),
            ("a comment", program(&format!("/* {} */ X = 1;", "x".repeat(many)))),
        ];
        for (what, text) in texts {
            let compiled = compile("wide.pli", &text);
            assert!(compiled.is_ok(), "{what}: {}", compiled.err().map(|it| it.to_string()).unwrap_or_default());
        }
        let wrong = [
            ("rubbish", program(&"☃ ".repeat(many))),
            ("signs", program(&")".repeat(many))),
            ("words", program(&"X ".repeat(many))),
            ("unknown labels", program(&"GO TO NOWHERE;".repeat(many))),
            ("unfinished quotes", program(&"X = \";".repeat(many))),
            ("a long number", program(&format!("X = {};", "9".repeat(many)))),
            ("nothing but spaces", " ".repeat(many)),
            ("initial values", program(&format!("DCL X1 INTEGER INITIAL({}1);", "(100000) 1, ".repeat(many)))),
            ("a giant file", "X".repeat(5 << 20)),
        ];
        for (what, text) in wrong {
            let told = compile("wide.pli", &text).expect_err(what).to_string();
            assert!(!told.is_empty() && told.len() < 100_000, "{what}: {} bytes", told.len());
        }
    });
}

#[test]
fn programs_that_ask_for_too_much_end() {
    with_a_usual_stack(|| {
        let bodies = [
            "X = 2**2**2**2**2**2;",
            "X = 10**1000000000;",
            "X = (-1)**99999999999999999999;",
            "X = 2**(-1);",
            "X = X**1000000000; Y = X**1000000000; IF X = Y THEN X = 1;",
            "X = X**Y; X = X**Y; IF X > 3 THEN X = 1; IF Y > 3 THEN X = 2;",
            "X = (X + Y + \"A\" + \"B\" + \"C\" + \"D\")**16; X = X**16; IF X > 1 THEN X = 1;",
            "L: X = X * X; GO TO L;",
            "L: X = X * X + Y; GO TO L;",
            "X = 2 * \"A\"; L: X = X * X; GO TO L;",
            "X = 2; L: X = X * X; GO TO L;",
            "X = 2; L: X = X ** X; GO TO L;",
            "L: X = X + X; GO TO L;",
            "Y = 1; L: X = X + Y; Y = X + Y; GO TO L;",
            "L: X = X / 3 + X; GO TO L;",
            "L: X = ABS(X) - MOD(X, Y) + REM(Y, X); GO TO L;",
            "L: X = MIN(X, MAX(Y, X * Y)); GO TO L;",
            "L: GO TO L;",
            "L: ; GO TO L;",
            "DO WHILE (1 = 1); END;",
            "DO I = 1 BY 0; END;",
            "DO I = 1 TO 99999999999999999999; END;",
            "DO I = 1 TO X BY Y; END;",
            "DO I = 1 TO 5; I = 1; END;",
            "CALL P(X, Y);",
            "CALL P(X + 1, (Y));",
            "X = P(X, P(Y, 1));",
            "DCL A(1:99999999999999) INTEGER INITIAL((100000) 0); X = A(X);",
            "DCL A(99999999999999999999) INTEGER INITIAL(1); A(X) = Y; X = A(Y);",
            "DCL A(5:1) INTEGER; A(X) = 1;",
            "DCL A(5:1) INTEGER INITIAL(1);",
            "DCL A(X:Y) INTEGER; A(X) = 1; Y = A(Y);",
            "DCL A(-5:-1) INTEGER; A(-5) = 1; Y = A(-5);",
            "DCL A(10) INTEGER; L: A(MOD(X, 10) + 1) = X; X = A(MOD(Y, 10) + 1) + X; GO TO L;",
            "DCL A(0:99) INTEGER; DO I = 0 TO 99; A(I) = I * X; END; IF A(X) = A(Y) THEN X = 1;",
            "DCL A(10) INTEGER STATIC INITIAL((10) 1); A(X) = 2; CALL P(A(X), A(Y));",
            "ASSERT (FORALL I (1 <= I & I <= 99999999999 => X > I));",
            "ASSERT (FORALL I (1 <= I & I <= 2000 => FORALL K (1 <= K & K <= 2000 => X > I * K)));",
            "ASSERT (FORALL I, K, L, M, N, O (I + K + L = M * N ** O));",
            "ASSERT (X / 0 = 1 & MOD(X, 0) = 1 & 0 ** (-1) = X);",
            "L: READ (X); IF X > 1 THEN GO TO L;",
            "L: WRITE (X, Y, X ** Y); GO TO L;",
            "IF X / Y > 1 THEN X = 1 / (X - Y);",
            "IF X * X = 2 THEN X = 1; IF X * X * X + Y * Y * Y = 33 THEN X = 2;",
            "X = \"X|Y\" + \"a b\" + \"\\\"; IF X ** Y > \"|\" THEN X = 1;",
        ];
        for body in bodies {
            let text = format!("P: PROCEDURE (X, Y);\n{body}\nEND;\n");
            assert!(compile("much.pli", &text).is_ok(), "{body}");
            survive(&text);
            let code = compile("much.pli", &text).expect("it compiles");
            for call in ["P(1, 2)", "P(\"X\", \"X\")", "P(\"READ(1)\", 3)"] {
                explore_call(&code, call, Options::default(), 120);
                explore_call(&code, call, Options { width: Some(32), ..Options::default() }, 60);
            }
        }
    });
}

/// Terms that grow with every statement: what walks them may not recurse without bound.
#[test]
fn long_runs_make_deep_terms() {
    with_a_usual_stack(|| {
        let bodies = [
            "L: X = X / 3 + Y; N = N + 1; IF N < 5000 THEN GO TO L; IF X > 7 THEN Y = 1;",
            "L: X = ABS(X - 1); N = N + 1; IF N < 5000 THEN GO TO L; IF X > 7 THEN Y = 1;",
            "DCL A(10) INTEGER INITIAL((10) 0); L: A(MOD(X + N, 10) + 1) = N; N = N + 1; IF N < 5000 THEN GO TO L; \
             IF A(Y) > 7 THEN Y = 1;",
            "M: ; IF N < 5000 THEN DO; N = N + 1; CALL P(X, Y, N); END; IF X > 7 THEN Y = 1;",
        ];
        for body in bodies {
            let text = format!("P: PROCEDURE (X, Y, N);\n{body}\nEND;\n");
            let code = compile("deep.pli", &text).expect(body);
            let call = "DCL N INTEGER INITIAL(0); CALL P(\"X\", \"Y\", N)";
            explore_call(&code, call, Options::default(), 100_000);
        }
    });
}

#[test]
fn an_array_and_a_number_with_one_name_are_two_inputs() {
    let code =
        compile("p.pli", "P: PROCEDURE (A, N); DCL A(*) INTEGER; IF A(1) = N THEN N = 1; END;").expect("it compiles");
    explore_call(&code, "P(A, \"A\")", Options::default(), 100);
}
