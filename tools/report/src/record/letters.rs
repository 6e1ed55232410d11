//! Letters for inputs: a variable and the input that it began with are two things, also where they have one name.
//!
//! Knows: which symbols occur in the states of a tree. Never: how a tree is drawn.
//! Source: Strejček, IA159 Formal Methods for Software Analysis: symbols are α, β, γ, variables are mapped to expressions
//! over them.

use super::{Recorder, Snapshot, conjunction};
use crate::tree::{Letter, State};
use effigy_engine::{Engine, Inspect, Trail};
use effigy_term::print::PathBounds;
use effigy_term::{Symbol, SymbolKind, Term, Terms};
use std::collections::{BTreeMap, BTreeSet};

/// Without those that look as Latin ones.
const GREEK: &str = "αβγδεζηθλμξπρστφχψω";

/// What stands for which symbol.
#[derive(Default)]
pub(super) struct Letters {
    of: BTreeMap<Symbol, Symbol>,
    told: Vec<Letter>,
}

impl Letters {
    pub(super) fn told(self) -> Vec<Letter> {
        self.told
    }

    pub(super) fn rename(&self, terms: &Terms, term: Term) -> Term {
        if self.of.is_empty() {
            return term;
        }
        terms.substitute(term, &mut |it| self.of.get(&it).map(|&letter| terms.of_symbol(letter)))
    }

    /// What φ says of the integers that the program computes, with letters for inputs.
    pub(super) fn bounds(&self, terms: &Terms, trail: &Trail) -> PathBounds {
        let conjuncts = trail.condition.conjuncts().into_iter().map(|it| self.rename(terms, it));
        PathBounds::of(terms, &conjuncts.collect::<Vec<Term>>())
    }
}

impl<L: Inspect> Recorder<'_, L> {
    /// The letters of all inputs, if one of them is called as a variable is.
    pub(super) fn letters(&self) -> Letters {
        let terms = self.terms;
        let mut names: BTreeSet<&str> = BTreeSet::new();
        let mut symbols: Vec<Symbol> = Vec::new();
        let mut seen: BTreeSet<Symbol> = BTreeSet::new();
        let snapshots = self.nodes.iter().flat_map(|it| it.before.iter().chain(&it.after));
        for snapshot in snapshots {
            names.extend(snapshot.memory.iter().map(|it| &*it.name));
            let values = snapshot.memory.iter().flat_map(|it| it.value.terms());
            for term in values.chain(snapshot.trail.condition.conjuncts()) {
                symbols.extend(terms.symbols(term).iter().filter(|it| seen.insert(**it)));
            }
        }
        let of_input = |it: &Symbol| {
            let info = terms.symbol_info(*it);
            matches!(info.kind, SymbolKind::Input | SymbolKind::Fresh)
                && !info.name.starts_with('.')
                && !self.language.is_named_value(terms, *it)
        };
        symbols.retain(of_input);
        if !symbols.iter().any(|it| names.contains(&*terms.symbol_info(*it).name)) {
            return Letters::default();
        }
        let mut res = Letters::default();
        for symbol in symbols {
            let info = terms.symbol_info(symbol);
            // The bytes of one input have one letter.
            let (input, piece) = info.name.find('[').map_or((&*info.name, ""), |at| info.name.split_at(at));
            let known = res.told.iter().position(|it| it.input == input).unwrap_or_else(|| {
                res.told.push(Letter { letter: letter(res.told.len()), input: input.to_owned() });
                res.told.len() - 1
            });
            let name = format!("{}{piece}", res.told[known].letter);
            let renamed = terms.symbol(&name, info.sort, info.kind);
            terms.copy_sign(symbol, renamed);
            res.of.insert(symbol, renamed);
        }
        res
    }
}

/// α, β, ..., ω, α₂, β₂, ...
fn letter(at: usize) -> String {
    let count = GREEK.chars().count();
    let mut res: String = GREEK.chars().nth(at % count).into_iter().collect();
    if at >= count {
        let digits = (at / count + 1).to_string();
        res.extend(digits.bytes().filter_map(|it| char::from_u32('₀' as u32 + u32::from(it - b'0'))));
    }
    res
}

/// Renders states as text, with letters for inputs.
pub(super) struct Words<'w, 'e, L> {
    pub(super) engine: &'w mut Engine<'e>,
    pub(super) language: &'w L,
    pub(super) letters: &'w Letters,
}

impl<L: Inspect> Words<'_, '_, L> {
    pub(super) fn state(&mut self, snapshot: &Snapshot) -> State {
        let terms = self.engine.terms;
        let bounds = self.letters.bounds(terms, &snapshot.trail);
        let mut memory = Vec::new();
        for variable in &snapshot.memory {
            let value = variable.value.text(|it| {
                let term = self.engine.simplified(&snapshot.trail, it);
                self.language.show_on(terms, self.letters.rename(terms, term), &bounds)
            });
            memory.extend(value.map(|it| (variable.name.to_string(), it)));
        }
        let conjuncts = self.engine.readable_in(self.language, &snapshot.trail, &snapshot.assumptions);
        let conjuncts: Vec<Term> = conjuncts.into_iter().map(|it| self.letters.rename(terms, it)).collect();
        let condition = conjunction(terms, self.language, &conjuncts, &bounds);
        State { location: snapshot.location.clone(), memory, condition }
    }
}

#[cfg(test)]
mod tests {
    use super::letter;

    #[test]
    fn there_are_letters_enough() {
        assert_eq!([0, 1, 18, 19, 38].map(letter), ["α", "β", "ω", "α₂", "α₃"]);
    }
}
