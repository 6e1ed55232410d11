//! What a session says when the solver cannot tell, and when the user interrupts it.

use effigy_debug::{Config, Session};
use effigy_solver::{Answer, Query, Reason, Solver, SolverConfig, Statistics, chain};
use effigy_term::Terms;
use effigy_testing::counter::{Cond, Expr, Line, Program};
use std::sync::atomic::Ordering;

/// A solver that gives up whatever it is asked.
struct GivesUp;

impl Solver for GivesUp {
    fn check(&mut self, _terms: &Terms, _query: &Query<'_>) -> Answer {
        Answer::Unknown(Reason::Steps)
    }

    fn statistics(&self, _into: &mut Statistics) {}
}

/// `x0 = input; unless x0 < 3 goto 3; print x0`
fn branch() -> Program {
    let lines =
        vec![Line::Input(0), Line::Unless(Cond::Less(Expr::Var(0), Expr::Const(3)), 3), Line::Print(Expr::Var(0))];
    Program { bits: 8, variables: 1, lines }
}

const UNKNOWN: &str = "the solver could not tell";

#[test]
fn unknown_is_said_and_never_taken_for_an_answer() {
    let program = branch();
    let terms = Terms::new();
    let mut solver = GivesUp;
    let mut session = Session::new(&program, &terms, &mut solver, Config::default());
    let said = session.execute("go");
    // One side has the path's model; of the other nothing is known, and both are offered.
    assert!(said.text.contains("go true") && said.text.contains("go false"), "{}", said.text);
    assert!(said.text.contains(UNKNOWN), "{}", said.text);
    let said = session.execute("prove (x0 < 3)");
    assert_eq!(said.text, "unknown: the solver's step limit was reached");
    let said = session.execute("break if (x0 = 7); go false");
    assert!(!said.error && said.text.contains(UNKNOWN), "{}", said.text);
    let said = session.execute("undo; assume (x0 > 9)");
    assert!(!said.error && said.text.contains(UNKNOWN), "{}", said.text);
    let said = session.execute("witness");
    assert!(said.error && said.text.contains(UNKNOWN), "{}", said.text);
    let said = session.execute("test (10)");
    assert!(said.text.contains("not known to be possible"), "{}", said.text);
}

#[test]
fn an_interrupt_stops_a_command_and_is_forgotten() {
    let program = Program { bits: 8, variables: 1, lines: vec![Line::Input(0), Line::Goto(1)] };
    let terms = Terms::new();
    let config = Config::default();
    let interrupt = config.interrupt.clone();
    let mut solver = chain(&SolverConfig { interrupt: interrupt.clone(), ..SolverConfig::default() });
    let mut session = Session::new(&program, &terms, &mut *solver, config);
    session.execute("step");
    let flag = interrupt.clone();
    let other = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(20));
        flag.store(true, Ordering::Relaxed);
    });
    let said = session.execute("go");
    other.join().expect("the thread ends");
    assert_eq!(said.text, "interrupted\n1  goto 1");
    assert!(!said.error && !interrupt.load(Ordering::Relaxed));
    interrupt.store(true, Ordering::Relaxed);
    assert!(session.execute("test (1000)").text.ends_with("interrupted; not all paths are listed"));
    assert_eq!(session.execute("step").text, "1  goto 1");
    // What was interrupted can be undone like anything else.
    assert!(!session.execute("undo; undo; undo").error);
    assert_eq!(session.execute("where").text, "0  x0 = input");
}
