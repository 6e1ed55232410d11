//! Any text is a call or refused; any text is an expression with a value or refused.
#![no_main]

use effigy_engine::{Context, Coverage, Inputs, Inspect, Language, Notes};
use effigy_pli::{Code, Options, Program, compile};
use effigy_term::Terms;
use libfuzzer_sys::fuzz_target;
use std::rc::Rc;

const SOURCE: &str = "SEARCH: PROC(A, L, U, X, FOUND, J); DCL A(*) INTEGER; FOUND = 0; J = (L+U)/2; \
    IF X = A(J) THEN FOUND = 1; ELSE CALL SEARCH(A, L, (J), X, FOUND, J); END; F: PROC(N); RETURN (N + 1); END;";

thread_local! {
    static CODE: Rc<Code> = compile("fuzz.pli", SOURCE).expect("it compiles");
}

fuzz_target!(|text: &str| {
    let code = CODE.with(Rc::clone);
    let terms = Terms::new();
    let (inputs, mut coverage, mut notes) = (Inputs::Symbolic, Coverage::default(), Notes::default());
    let mut ctx = Context::new(&terms, &inputs, &mut coverage, &mut notes);
    let call = "SEARCH(A, 1, \"N\", \"X\", FOUND, J)";
    let texts = [text, call];
    for it in texts {
        let Ok(program) = Program::new(Rc::clone(&code), it, Options::default()) else { continue };
        let mut state = program.start(&mut ctx);
        let mut fuel = 3;
        let _ = program.step(&mut ctx, &mut state, &mut fuel);
        let _ = program.step(&mut ctx, &mut state, &mut fuel);
        if let Ok(value) = program.evaluate(&mut ctx, &state, text) {
            program.show(&terms, value);
        }
        let _ = program.assign(&mut ctx, &mut state, "X", text);
        let _ = program.assign(&mut ctx, &mut state, text, "X + 1");
        let _ = program.call(&mut ctx, text);
        program.variables(&mut ctx, &state);
    }
});
