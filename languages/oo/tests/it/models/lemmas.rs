//! The lemmas about expressions: substitution (2.1, 3.3, 4.4) and δ (4.3).

use super::agreement::no_locals;
use super::follow::{Answer, kind_of};
use super::generate::{Generator, Layer, make};
use super::harness::{Case, check};
use super::inputs::term_value;
use super::show;
use super::theorems::{machine, model_of, path_of, run_of, words};
use effigy_contracts::Span;
use effigy_oo::run::concrete::{End, Locals, evaluate};
use effigy_oo::run::forward::{Forward, Updates};
use effigy_oo::run::memory::{At, Memory};
use effigy_oo::run::program::*;
use effigy_oo::run::traces::{Action, Substitution, Traces};
use effigy_oo::run::vocabulary::{Instance, Translation};
use effigy_term::eval::Evaluator;
use effigy_term::{Term, Terms};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The same case with another main statement.
fn with_main(case: &Case, kinds: Vec<StmtKind>) -> Case {
    let mut program = (*case.program).clone();
    let mut stmt = |kind| {
        let id = StmtId(program.statements.len() as u32);
        let span = Span { line: id.0 + 1, ..Span::default() };
        program.statements.push(StmtInfo { span, routine: Program::MAIN });
        Stmt { kind: Rc::new(kind), id }
    };
    let body: Vec<Stmt> = kinds.into_iter().map(&mut stmt).collect();
    program.routines[Program::MAIN.index()].body = body.into();
    let (valuation, schedule) = (case.valuation.clone(), Vec::new());
    Case { program: Rc::new(program), semantics: case.semantics, valuation, schedule, moves: 10, seed: case.seed }
}

/// A global variable of this type.
fn variable(program: &Program, typ: &Type) -> Option<VarId> {
    (0..program.variables.len() as u32).map(VarId).find(|it| {
        let variable = program.variable(*it);
        variable.global && !variable.temporary && variable.typ == *typ
    })
}

/// Lemma 4.3: V(e) ≠ ⊥ iff V(δ(e)) = true; δ(e) is what `x := e` asks for. And the first condition that does not hold is
/// what is wrong.
fn delta(case: &Case) -> Result<(), String> {
    let mut random = Generator::over(&case.program, case.seed);
    for _ in 0..4 {
        let types = random.types();
        let Some(typ) = random.numbers.one_of(&types).cloned() else { continue };
        let expr = random.expr(&typ, 4);
        let Some(var) = variable(&case.program, &typ) else { continue };
        let case = with_main(case, vec![StmtKind::Assign(Target::Var(var), expr.clone())]);
        let value = evaluate(&case.program, case.semantics, &case.valuation, &Locals::new(), &expr);
        let run = run_of(&case, &case.valuation);
        let terms = Terms::new();
        let model = model_of(&case, &terms, &case.valuation, &run);
        let path = path_of(&case, &machine(&case, Traces::default()), &terms, &model)?;
        let defined = path.answers.iter().all(|it| !matches!(it, Answer::Required(false)))
            && !matches!(path.end, super::follow::SymbolicEnd::Fault(..));
        let text = case.program.show(&expr);
        if value.is_ok() != defined {
            return Err(format!("{text} is {value:?}, and its δ is {defined}"));
        }
        let kind = match &path.end {
            super::follow::SymbolicEnd::Fault(kind, _) => Some(*kind),
            _ => None,
        };
        if value.as_ref().err().and_then(|it| kind_of(*it)) != kind {
            return Err(format!("{text} is {value:?}, and δ says {kind:?}"));
        }
    }
    Ok(())
}

#[test]
fn lemma_4_3_an_expression_has_a_value_iff_its_delta_holds() {
    for layer in [Layer::Arrays, Layer::Objects] {
        check(layer, 400, &delta);
    }
}

/// What lemma 4.4 compares: e' behind `h := ...` in the state before, by substitution.
struct Substituted<'a> {
    case: &'a Case,
    terms: &'a Terms,
    words: &'a effigy_oo::run::vocabulary::ProgramSymbols,
}

impl Substituted<'_> {
    fn at(&self) -> At<'_> {
        let (program, semantics) = (&*self.case.program, self.case.semantics);
        At { translation: Translation { terms: self.terms, program, words: self.words, semantics }, instance: 0 }
    }

    /// e'[h := e] or e'[h := x][x := new C], one substitution after the other.
    fn before(&self, expr: &Expr, actions: &[Action]) -> Term {
        let with = Substitution::new(self.at().translation);
        actions.iter().fold(Traces::default().shown(self.at(), expr), |of, action| match action {
            Action::Test(_) => of,
            Action::Assign { place, value, .. } => with.assigned(of, *place, *value),
            Action::New(symbol, _) => with.created(of, *symbol),
        })
    }
}

/// Lemma 4.4: V[h := V(e)](e') = V(e'[h := e]), and V[x := new C](e') = V(e'[x := new C]), where neither is ⊥.
fn substitution(case: &Case) -> Result<(), String> {
    let mut random = Generator::over(&case.program, case.seed);
    let types = random.types();
    let Some(typ) = random.numbers.one_of(&types).cloned() else { return Ok(()) };
    let target = random.target(&typ, 2);
    let class = match typ {
        Type::Object(class) if case.program.class(class).element.is_none() => Some(class),
        _ => None,
    };
    let value = random.expr(&typ, 2);
    let kind = match class.filter(|_| random.numbers.once_in(2)) {
        Some(class) => StmtKind::New(target.clone(), class),
        None => StmtKind::Assign(target.clone(), value.clone()),
    };
    let case = with_main(case, vec![kind.clone()]);
    let run = run_of(&case, &case.valuation);
    if run.end != End::Completed {
        return Ok(());
    }
    let terms = Terms::new();
    let words = words(&case, &terms);
    let substituted = Substituted { case: &case, terms: &terms, words: &words };
    let mut trace = Traces::default();
    match &kind {
        StmtKind::New(target, class) => {
            trace.create(substituted.at(), target, *class, None);
        }
        _ => {
            trace.assign(substituted.at(), &target, &value, &make(ExprKind::Bool(true)));
        }
    }
    let actions: Vec<Action> = trace.actions().copied().collect();
    let model = model_of(&case, &terms, &case.valuation, &run);
    for _ in 0..6 {
        let Some(typ) = random.numbers.one_of(&types).cloned() else { continue };
        let expr = random.expr(&typ, 3);
        let Ok(expected) = evaluate(&case.program, case.semantics, &run.valuation, &Locals::new(), &expr) else {
            continue;
        };
        let found = Evaluator::new(&terms, &model).value(substituted.before(&expr, &actions));
        if found != Some(term_value(&expected)) {
            let (text, expected) = (case.program.show(&expr), show::value(&expected));
            let stmt = case.program.show_statement(&case.program.routine(Program::MAIN).body[0]);
            return Err(format!("behind {stmt}, {text} is {expected}; its substitution is {found:?}"));
        }
    }
    Ok(())
}

#[test]
fn lemma_4_4_substitution() {
    for layer in [Layer::Arrays, Layer::Objects] {
        check(layer, 600, &substitution);
    }
}

/// The local substitutions of the open calls, outermost first.
fn closures(path: &super::follow::Followed<Forward>) -> BTreeMap<Instance, BTreeMap<VarId, Term>> {
    let mut res: BTreeMap<Instance, BTreeMap<VarId, Term>> = BTreeMap::new();
    for ((var, instance), term) in path.state.memory.substitution() {
        if instance > 0 {
            res.entry(instance).or_default().insert(var, term);
        }
    }
    res
}

/// Lemmas 2.1 and 3.3, V ∘ θ(e) = V(eθ) with θ = τ ∪ σ, and the stacks of theorem 3.6, Γ = V • Δ, in the middle of runs.
fn closures_agree(case: &Case) -> Result<(), String> {
    let mut case =
        Case { valuation: case.valuation.clone(), schedule: Vec::new(), program: Rc::clone(&case.program), ..*case };
    let whole = run_of(&case, &case.valuation);
    for moves in 1..=whole.steps {
        case.moves = moves;
        let run = run_of(&case, &case.valuation);
        if run.end != End::OutOfSteps || run.frames.len() < 2 {
            continue;
        }
        let (terms, forward, traces) =
            (Terms::new(), machine(&case, Forward::new(Updates::Stores)), machine(&case, Traces::default()));
        let model = model_of(&case, &terms, &case.valuation, &run);
        let path = path_of(&case, &forward, &terms, &model)?;
        let trace = path_of(&case, &traces, &terms, &model)?;
        let closures = closures(&path);
        if closures.len() != run.frames.len() - 1 {
            return Err(format!(
                "after {moves} moves {} calls are open, and {} closures",
                run.frames.len() - 1,
                closures.len()
            ));
        }
        let mut evaluator = Evaluator::new(&terms, &model);
        for (frame, (instance, closure)) in run.frames[1..].iter().zip(&closures) {
            for (var, term) in closure {
                no_locals(&terms, *term)?;
                let (found, expected) = (evaluator.value(*term), frame.get(var).map(term_value));
                if found != expected {
                    let name = case.program.name_of(*var);
                    return Err(format!("after {moves} moves {name} is {expected:?}, its substitution {found:?}"));
                }
            }
            let mut random = Generator::over(&case.program, case.seed + moves as u64);
            random.visible.extend(frame.keys());
            for _ in 0..3 {
                let types = random.types();
                let Some(typ) = random.numbers.one_of(&types).cloned() else { continue };
                let expr = random.expr(&typ, 3);
                let value = evaluate(&case.program, case.semantics, &run.valuation, frame, &expr);
                let Ok(expected) = value.as_ref().map(term_value) else { continue };
                let in_forward = At { translation: forward.translation(&terms, &path.state), instance: *instance };
                let in_traces = At { translation: traces.translation(&terms, &trace.state), instance: *instance };
                let found = [path.state.memory.value(in_forward, &expr), trace.state.memory.value(in_traces, &expr)];
                for term in found {
                    no_locals(&terms, term)?;
                    let found = evaluator.value(term);
                    if found.as_ref() != Some(&expected) {
                        let text = case.program.show(&expr);
                        return Err(format!("after {moves} moves {text} is {expected:?}, its substitution {found:?}"));
                    }
                }
            }
        }
    }
    Ok(())
}

#[test]
fn lemmas_2_1_and_3_3_substitution_in_open_calls() {
    for layer in [Layer::Procedures, Layer::Objects] {
        check(layer, 150, &closures_agree);
    }
}
