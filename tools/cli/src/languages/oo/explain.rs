//! `effigy run --explain`: each transition of each path with the name of its rule, as in the paper.

use effigy_engine::readable::operand;
use effigy_explore::{End, PathEnd};
use effigy_oo::run::machine::{Machine, State, Transition};
use effigy_oo::run::memory::Memory;
use effigy_report::leaf::Explanation;
use effigy_report::table::Table;
use effigy_term::Terms;
use effigy_term::plain::plain;
use effigy_term::print::math;

/// What a transition adds to σ, τ and φ, or to ρ.
fn effect<M: Memory>(machine: &Machine<M>, terms: &Terms, transition: &Transition) -> String {
    let forward = M::NAME == "forward";
    let changes: Vec<String> = transition.changes.iter().map(|it| machine.show_change(terms, it)).collect();
    let cond = transition.condition.map(|it| operand(&math(terms, plain(terms, it, &[]))));
    match (forward, changes.is_empty(), cond) {
        (true, false, _) => {
            let local = transition.rule.ends_with(" call") || transition.rule.ends_with("local variable");
            format!("{}[{}]", if local { "τ" } else { "σ" }, changes.join(", "))
        }
        (true, true, Some(cond)) => format!("φ ∧ {cond}"),
        (false, false, _) => format!("ρ · {}", changes.join(" · ")),
        (false, true, Some(cond)) => format!("ρ · {cond}"),
        (_, true, None) => String::new(),
    }
}

fn end_of(end: &End) -> String {
    match end {
        End::Exit { .. } => "ends".to_owned(),
        End::Bug(violation) => format!("{}: {}", violation.kind.0, violation.message),
        End::Silent | End::Infeasible => "dropped: no input takes it, or it does what another does".to_owned(),
        End::GaveUp(it) => it.to_string(),
        End::Cut(limit) => format!("cut: {limit}"),
        End::Undecided { reason, .. } => format!("undecided: {reason}"),
    }
}

/// One path, for a person and as JSON.
pub(super) fn explained<M: Memory>(machine: &Machine<M>, terms: &Terms, end: &PathEnd<'_, State<M>>) -> Explanation {
    Explanation { text: text(machine, terms, end), json: json(machine, terms, end) }
}

fn text<M: Memory>(machine: &Machine<M>, terms: &Terms, end: &PathEnd<'_, State<M>>) -> String {
    let threads = end.state.explained().any(|it| it.thread > 0);
    let mut table = Table { head: vec![String::new(), "rule".to_owned(), "statement".to_owned()], rows: Vec::new() };
    if threads {
        table.head.insert(1, "thread".to_owned());
    }
    table.head.push(if M::NAME == "forward" { "σ, φ" } else { "ρ" }.to_owned());
    for (number, it) in end.state.explained().enumerate() {
        let mut row = vec![(number + 1).to_string()];
        if threads {
            row.push(it.thread.to_string());
        }
        row.extend([it.rule.to_owned(), it.statement.clone(), effect(machine, terms, it)]);
        table.rows.push(row);
    }
    let condition = match machine.path_condition(terms, end.state) {
        Some(path) if matches!(end.end, End::Exit { .. }) => format!(", path(ρ) = {}", math(terms, path)),
        _ => String::new(),
    };
    format!("{}{}{condition}\n", table.render(), end_of(&end.end))
}

fn json<M: Memory>(machine: &Machine<M>, terms: &Terms, end: &PathEnd<'_, State<M>>) -> serde_json::Value {
    let transition = |it: &Transition| {
        let changes = it.changes.iter().map(|it| machine.show_change(terms, it));
        serde_json::json!({
            "rule": it.rule,
            "statement": it.statement,
            "thread": it.thread,
            "changes": changes.collect::<Vec<_>>(),
            "condition": it.condition.map(|it| math(terms, it)),
        })
    };
    serde_json::json!({
        "end": end_of(&end.end),
        "transitions": end.state.explained().map(transition).collect::<Vec<_>>(),
        "path": machine.path_condition(terms, end.state).map(|it| math(terms, it)),
    })
}
