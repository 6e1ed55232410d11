//! A formula over bitvectors as clauses in the format of DIMACS.
//!
//! Knows: the format, the variables of gates. Never: how clauses are solved.

use super::blast::Blaster;
use super::cadical::Literal;
use super::gates::Bit;
use super::sat::{Watch, each_clause};
use effigy_term::{Node, Term, Terms};
use rustc_hash::FxHashMap;
use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The clauses that can be satisfied exactly if `goal` can, with the variables of its inputs as comments, the lowest bit
/// first.
///
/// # Errors
/// What is not made of bits.
pub fn dimacs(terms: &Terms, goal: Term) -> Result<String, String> {
    let watch = Watch { deadline: None, interrupt: Arc::new(AtomicBool::new(false)) };
    let roots = match terms.node(goal) {
        Node::And(parts) => parts.to_vec(),
        _ => vec![goal],
    };
    let mut blaster = Blaster::new();
    let mut asserted = blaster.truths(terms, &roots, &watch)?;
    asserted.extend_from_slice(blaster.axioms());
    let gates = blaster.gates();
    // The constant is a variable, too: a formula may be one.
    let mut variables: FxHashMap<u32, Literal> = FxHashMap::default();
    let mut cone: Vec<u32> = gates.cone(asserted.iter()).into_iter().chain([0]).collect();
    cone.sort_unstable();
    cone.dedup();
    for gate in &cone {
        variables.insert(*gate, Literal::positive(variables.len())?);
    }
    let literal = |bit: Bit| variables[&bit.gate()].negated_if(bit.is_negated());
    let mut clauses = String::new();
    let mut count = 0u64;
    let mut add = |clause: &[Literal]| {
        clause.iter().for_each(|it| {
            let _ = write!(clauses, "{} ", it.number());
        });
        clauses.push_str("0\n");
        count += 1;
    };
    add(&[literal(Bit::TRUE)]);
    for gate in cone.iter().filter(|it| **it != 0) {
        each_clause(gates.gate(*gate), variables[gate], literal, &mut add);
    }
    asserted.into_iter().for_each(|it| add(&[literal(it)]));
    let mut res = String::new();
    for (name, bits) in blaster.inputs(terms) {
        let number = |bit: &Bit| match variables.get(&bit.gate()) {
            Some(_) => literal(*bit).number().to_string(),
            None => "-".to_owned(),
        };
        let _ = writeln!(res, "c {name} {}", bits.iter().map(number).collect::<Vec<_>>().join(" "));
    }
    let _ = writeln!(res, "p cnf {} {count}", variables.len());
    res.push_str(&clauses);
    Ok(res)
}
