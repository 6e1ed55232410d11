//! SAVE costs a handle, not a copy of the world (King 1976, section 6). A test of its own, since it measures the process.

use effigy_engine::{Context, Coverage, Inputs, Language, Notes, Step};
use effigy_pli::{Options, Program, compile};
use effigy_term::Terms;

fn resident_bytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    Some(text.split_whitespace().nth(1)?.parse::<u64>().ok()? * 4096)
}

#[test]
fn ten_thousand_saved_states_of_a_thousand_variables_are_small() {
    let variables: String = (0..1000).map(|it| format!("V{it} = {it};\n")).collect();
    let source = format!("P: PROCEDURE;\n{variables}L: V1 = V1 + 1; V2 = V1; V500 = V2; GO TO L;\nEND;\n");
    let program =
        Program::new(compile("p.pli", &source).expect("it compiles"), "P", Options::default()).expect("a call");
    let terms = Terms::new();
    let (inputs, mut coverage, mut notes) = (Inputs::Symbolic, Coverage::default(), Notes::default());
    let mut ctx = Context::new(&terms, &inputs, &mut coverage, &mut notes);
    let mut state = program.start(&mut ctx);
    let mut go = |state: &mut _, statements: u64| {
        let mut fuel = statements;
        while fuel > 0 {
            assert!(matches!(program.step(&mut ctx, state, &mut fuel), Step::Next));
        }
    };
    go(&mut state, 1100);
    assert!(state.cells.size() >= 1000, "all variables have their values");
    let Some(before) = resident_bytes() else { return };
    let mut saved = Vec::new();
    for _ in 0..10_000 {
        saved.push(state.clone());
        go(&mut state, 4);
    }
    let grown = resident_bytes().unwrap_or(0).saturating_sub(before);
    assert!(grown < 200 << 20, "10,000 states took {} MB", grown >> 20);
    // Each is still what it was.
    assert!(saved.windows(2).all(|it| it[0].clock < it[1].clock));
}
