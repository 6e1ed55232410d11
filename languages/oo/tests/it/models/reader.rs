//! The text of a program does what the program does from which it was written: its reader is held to the concrete
//! semantics.

use super::generate::{self, LAYERS};
use super::harness::INPUTS;
use super::{inputs, text};
use effigy_oo::run::concrete::{End, Object, Run, Valuation, Value, run};
use effigy_oo::run::program::*;
use std::collections::BTreeMap;

/// More than any of them makes, unless it has no end.
const MOVES: usize = 400;

/// The same valuation of another program with the same names.
fn renamed(from: &Program, to: &Program, valuation: &Valuation) -> Option<Valuation> {
    let var = |id: &VarId| {
        let name = &from.variable(*id).name;
        (0..).map(VarId).zip(&to.variables).find(|it| it.1.global && it.1.name == *name).map(|it| it.0)
    };
    let class = |id: ClassId| {
        let name = &from.class(id).name;
        (0..).map(ClassId).zip(&to.classes).find(|it| it.1.name == *name).map(|it| it.0)
    };
    let field = |id: &FieldId| {
        let (name, class) = (&from.field(*id).name, class(from.field(*id).class)?);
        to.class(class).fields.iter().find(|it| to.field(**it).name == *name).copied()
    };
    let mut res = Valuation::default();
    for (id, value) in valuation.globals.iter().filter(|it| !from.variable(*it.0).temporary) {
        res.globals.insert(var(id)?, value.clone());
    }
    for (id, map) in &valuation.maps {
        res.maps.insert(var(id)?, map.clone());
    }
    for (id, object) in &valuation.heap.objects {
        let mut fields: BTreeMap<FieldId, Value> = BTreeMap::new();
        for (id, value) in &object.fields {
            fields.insert(field(id)?, value.clone());
        }
        let object = Object { class: class(object.class)?, fields, items: object.items.clone() };
        res.heap.objects.insert(*id, object);
    }
    Some(res)
}

fn end(run: &Run) -> String {
    match run.end {
        End::Fault { fault, .. } => format!("{fault:?}"),
        end => format!("{end:?}"),
    }
}

#[test]
fn a_text_does_what_its_program_does() {
    for layer in LAYERS {
        let mut compared = 0;
        let programs = u64::from(effigy_programs::cases(300));
        for number in 0..programs {
            let written = generate::program(layer, number);
            let text = text::text(&written, number % 2 == 0);
            let read = effigy_oo::run::read("random.oo", &text).unwrap_or_else(|it| panic!("{}\n{text}", it[0]));
            for input in 0..INPUTS {
                let valuation = inputs::valuation(&written, number * INPUTS + input);
                let semantics = Semantics { paper: input % 2 == 1 };
                // Moves differ, since declarations are; so schedules do, and threads move one after the other.
                let meant = run(&written, semantics, &valuation, &[], MOVES);
                let valuation = renamed(&written, &read, &valuation).expect("the same names");
                let found = run(&read, semantics, &valuation, &[], MOVES);
                if meant.end == End::OutOfSteps || found.end == End::OutOfSteps {
                    continue;
                }
                compared += 1;
                assert_eq!(end(&found), end(&meant), "{layer:?} {number}\n{text}");
                let last = renamed(&written, &read, &meant.valuation).expect("the same names");
                let found = renamed(&read, &read, &found.valuation).expect("its own names");
                assert_eq!(found, last, "{layer:?} {number}\n{text}");
            }
        }
        assert!(compared > programs * INPUTS / 2, "{layer:?} {compared}");
    }
}
