//! A concolic run of either model has the path and the path condition that the exploration has.

use super::generate::{self, LAYERS};
use super::text;
use effigy_oo::run::forward::{Forward, Updates};
use effigy_oo::run::machine::{Machine, Options};
use effigy_oo::run::memory::Memory;
use effigy_oo::run::program::Semantics;
use effigy_oo::run::traces::Traces;
use effigy_programs::concolic::{Bounds, ConcolicTally, runs_agree};
use std::rc::Rc;

const BOUNDS: Bounds = Bounds { path_steps: 40, paths: 12, inputs: 6 };

fn machine<M: Memory>(text: &str, semantics: Semantics, start: M) -> Machine<M> {
    let program = effigy_oo::run::read("random.oo", text).expect("what is generated is read");
    Machine::new(Rc::new(program), start, Options { semantics, ..Options::default() })
}

#[test]
fn runs_have_the_paths_of_the_exploration() {
    let mut seen = ConcolicTally::default();
    for layer in LAYERS {
        for number in 0..u64::from(effigy_programs::cases(30)) {
            let text = text::text(&generate::program(layer, number), number.is_multiple_of(2));
            let semantics = Semantics { paper: number % 2 == 1 };
            let tried = runs_agree(&machine(&text, semantics, Forward::new(Updates::Stores)), BOUNDS, &mut seen)
                .map_err(|it| format!("forward: {it}"))
                .and_then(|()| {
                    runs_agree(&machine(&text, semantics, Traces::default()), BOUNDS, &mut seen)
                        .map_err(|it| format!("traces: {it}"))
                });
            tried.unwrap_or_else(|it| panic!("{layer:?} {number}: {it}\n{text}"));
        }
    }
    assert!(seen.same > 200 && seen.word_for_word * 10 > seen.same * 9 && seen.bugs > 30, "{seen:?}");
}
