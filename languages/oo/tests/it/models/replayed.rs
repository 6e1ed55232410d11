//! Every path of both models is come to again by its name alone, and crews and interruptions change nothing.

use super::generate::{self, LAYERS};
use super::text;
use effigy_oo::run::forward::{Forward, Updates};
use effigy_oo::run::machine::{Machine, Options};
use effigy_oo::run::memory::Memory;
use effigy_oo::run::program::Semantics;
use effigy_oo::run::traces::Traces;
use effigy_programs::walks::{Bounds, WalkTally, crews_agree, names_lead_back};
use std::rc::Rc;

const BOUNDS: Bounds = Bounds { path_steps: 40, paths: 12, depth: None };

fn machine<M: Memory>(text: &str, semantics: Semantics, start: M) -> Machine<M> {
    let program = effigy_oo::run::read("random.oo", text).expect("what is generated is read");
    Machine::new(Rc::new(program), start, Options { semantics, ..Options::default() })
}

/// Tries a property on random programs of all layers, by their texts.
fn check(programs: u32, property: &mut dyn FnMut(&str, Semantics) -> Result<(), String>) {
    for layer in LAYERS {
        for number in 0..u64::from(effigy_programs::cases(programs)) {
            let text = text::text(&generate::program(layer, number), number.is_multiple_of(2));
            let semantics = Semantics { paper: number % 2 == 1 };
            property(&text, semantics).unwrap_or_else(|it| panic!("{layer:?} {number}: {it}\n{text}"));
        }
    }
}

#[test]
fn names_lead_back_to_their_paths() {
    let mut seen = WalkTally::default();
    check(30, &mut |text, semantics| {
        names_lead_back(&|| machine(text, semantics, Forward::new(Updates::Stores)), BOUNDS, &mut seen)
            .map_err(|it| format!("forward: {it}"))?;
        names_lead_back(&|| machine(text, semantics, Traces::default()), BOUNDS, &mut seen)
            .map_err(|it| format!("traces: {it}"))
    });
    assert!(seen.ends > 200 && seen.bugs > 30 && seen.waiting > 30 && seen.witnesses > 10, "{seen:?}");
}

#[test]
fn crews_and_interruptions_change_nothing() {
    let mut seen = WalkTally::default();
    check(10, &mut |text, semantics| {
        crews_agree(&|| machine(text, semantics, Forward::new(Updates::Stores)), BOUNDS, &mut seen)
            .map_err(|it| format!("forward: {it}"))?;
        crews_agree(&|| machine(text, semantics, Traces::default()), BOUNDS, &mut seen)
            .map_err(|it| format!("traces: {it}"))
    });
    assert!(seen.crews > 30 && seen.forked > 15, "{seen:?}");
}
