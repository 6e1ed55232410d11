//! Both judges, that of a solver and that of a prover in scopes, against all values of three small words.
//!
//! Knows: random conditions over words of two bits, and their truth by arithmetic on `u8`. Never: how a judge answers.

use super::{ProofJudge, Verifier, VerifierState};
use crate::sigma::{Layer, Learnt};
use crate::verify::Phase;
use crate::{Config, Inference, Member};
use effigy_contracts::program::{Method, MethodId, Program, Span};
use effigy_engine::{Engine, Entailment, Judge, JudgeQuestion, Trail};
use effigy_solver::prover::ProverConfig;
use effigy_solver::{Answer, QueryBudget, SolverConfig, chain};
use effigy_term::{BvOp, BvValue, Sort, SymbolKind, Term, Terms, Width};
use effigy_testing::requirements;
use effigy_walk::Search;
use std::sync::Arc;

/// The values of three words.
type Values = [u8; 3];

/// A word of two bits.
#[derive(Clone, Debug)]
enum Word {
    Variable(usize),
    Constant(u8),
    Sum(Box<Word>, Box<Word>),
    Product(Box<Word>, Box<Word>),
    Quotient(Box<Word>, Box<Word>),
}

/// A condition on words.
#[derive(Clone, Debug)]
enum Condition {
    Same(Word, Word),
    Less(Word, Word),
    Not(Box<Condition>),
    Both(Box<Condition>, Box<Condition>),
    Either(Box<Condition>, Box<Condition>),
}

/// Knuth's generator; its high bits are the better ones.
struct Random(u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % count
    }
}

impl Word {
    fn random(random: &mut Random, depth: u32) -> Word {
        let part = |random: &mut Random| Box::new(Word::random(random, depth - 1));
        match if depth == 0 { random.below(3) } else { random.below(6) } {
            0 | 1 => Word::Variable(random.below(3)),
            2 => Word::Constant(random.below(4) as u8),
            3 => Word::Sum(part(random), part(random)),
            4 => Word::Product(part(random), part(random)),
            _ => Word::Quotient(part(random), part(random)),
        }
    }

    fn value(&self, values: Values) -> u8 {
        let of = |it: &Word| it.value(values);
        match self {
            Word::Variable(index) => values[*index],
            Word::Constant(value) => *value,
            Word::Sum(a, b) => (of(a) + of(b)) % 4,
            Word::Product(a, b) => (of(a) * of(b)) % 4,
            // By zero it is all ones, as SMT-LIB has it.
            Word::Quotient(a, b) => of(a).checked_div(of(b)).unwrap_or(3),
        }
    }

    fn term(&self, terms: &Terms) -> Term {
        let width = Width::of(2);
        let of = |it: &Word| it.term(terms);
        match self {
            Word::Variable(index) => {
                terms.of_symbol(terms.symbol(&format!("w{index}"), Sort::BitVec(width), SymbolKind::Input))
            }
            Word::Constant(value) => terms.bv(BvValue::from_u64(width, u64::from(*value))),
            Word::Sum(a, b) => terms.bv_add(of(a), of(b)),
            Word::Product(a, b) => terms.bv_mul(of(a), of(b)),
            Word::Quotient(a, b) => terms.bv_op(BvOp::UDiv, of(a), of(b)),
        }
    }
}

impl Condition {
    fn random(random: &mut Random, depth: u32) -> Condition {
        let part = |random: &mut Random| Box::new(Condition::random(random, depth - 1));
        match if depth == 0 { random.below(2) } else { random.below(5) } {
            0 => Condition::Same(Word::random(random, 1), Word::random(random, 1)),
            1 => Condition::Less(Word::random(random, 1), Word::random(random, 1)),
            2 => Condition::Not(part(random)),
            3 => Condition::Both(part(random), part(random)),
            _ => Condition::Either(part(random), part(random)),
        }
    }

    fn holds(&self, values: Values) -> bool {
        match self {
            Condition::Same(a, b) => a.value(values) == b.value(values),
            Condition::Less(a, b) => a.value(values) < b.value(values),
            Condition::Not(it) => !it.holds(values),
            Condition::Both(a, b) => a.holds(values) && b.holds(values),
            Condition::Either(a, b) => a.holds(values) || b.holds(values),
        }
    }

    fn term(&self, terms: &Terms) -> Term {
        match self {
            Condition::Same(a, b) => terms.eq(a.term(terms), b.term(terms)),
            Condition::Less(a, b) => terms.bv_ult(a.term(terms), b.term(terms)),
            Condition::Not(it) => terms.not(it.term(terms)),
            Condition::Both(a, b) => terms.and(a.term(terms), b.term(terms)),
            Condition::Either(a, b) => terms.or(a.term(terms), b.term(terms)),
        }
    }
}

fn all_values() -> impl Iterator<Item = Values> {
    (0..64u8).map(|it| [it % 4, it / 4 % 4, it / 16])
}

/// What is known in a state, and what is asked there.
struct Case<'a> {
    facts: Vec<Condition>,
    state: VerifierState<'a>,
    goal: Condition,
}

/// How often a judge answered, and how often it said that it does not know.
#[derive(Default)]
struct Counts {
    answers: u32,
    unknown: u32,
}

/// What is wrong with the answers of a judge on a case.
fn wrong<'a>(
    judge: &mut dyn Judge<VerifierState<'a>>,
    terms: &Terms,
    case: &Case<'a>,
    trail: &Trail,
    counts: &mut Counts,
) -> Option<String> {
    let known: Vec<Values> = all_values().filter(|&it| case.facts.iter().all(|fact| fact.holds(it))).collect();
    let cond = case.goal.term(terms);
    let question = JudgeQuestion { state: &case.state, trail, cond, budget: QueryBudget::default() };
    let feasible = judge.feasible(terms, &question);
    let can_hold = known.iter().any(|&it| case.goal.holds(it));
    let is_right = match &feasible {
        Answer::Sat(_) => can_hold,
        Answer::Unsat => !can_hold,
        Answer::Unknown(_) => true,
    };
    let entails = judge.entails(terms, &question);
    let follows = known.iter().all(|&it| case.goal.holds(it));
    let is_right = is_right
        && match &entails {
            Entailment::Holds => follows,
            Entailment::Fails(_) => !follows,
            Entailment::Unknown(_) => true,
        };
    counts.answers += 2;
    counts.unknown += u32::from(matches!(feasible, Answer::Unknown(_)));
    counts.unknown += u32::from(matches!(entails, Entailment::Unknown(_)));
    (!is_right).then(|| format!("{:?} ⊢ {:?}: {feasible:?}, {entails:?}", case.facts, case.goal))
}

fn config() -> Config {
    Config {
        prover: ProverConfig { smt: "z3 -in".to_owned(), steps: 1_000_000, local: true, interrupt: Arc::default() },
        errors: 1,
        steps: 1_000_000,
        time: None,
        trace: false,
        counterexample: false,
        inference: Inference { contracts: false, close: 0, open: false, functions: false },
        merge_after: None,
        search: Search::Dfs,
        seed: 1,
    }
}

/// A program with one method without a body.
fn program() -> Program {
    let method = Method {
        name: "m".into(),
        variables: Vec::new(),
        parameters: 0,
        results: 0,
        labels: Vec::new(),
        pre: Vec::new(),
        post: Vec::new(),
        body: None,
        span: Span::default(),
    };
    Program { methods: vec![method], ..Program::default() }
}

/// States of one walk: three that have begun alike, two of them on the sides of a branch.
fn cases<'a>(start: &VerifierState<'a>, terms: &Terms, random: &mut Random) -> Vec<Case<'a>> {
    let mut some = || Condition::random(random, 2);
    let (first, branch, later) = (some(), some(), some());
    let fact = |it: &Condition| Layer { learnt: vec![Learnt::Fact(it.term(terms))], ..Layer::default() };
    let other = Condition::Not(Box::new(branch.clone()));
    let mut begun = start.clone();
    begun.sigma.push(fact(&first));
    let (mut on_one, mut on_other) = (begun.clone(), begun.clone());
    on_one.sigma.push(Layer::branch(branch.term(terms)));
    on_one.sigma.push(fact(&later));
    on_other.sigma.push(Layer::branch(other.term(terms)));
    vec![
        Case { facts: vec![first.clone()], state: begun, goal: some() },
        Case { facts: vec![first.clone(), branch, later], state: on_one, goal: some() },
        Case { facts: vec![first, other], state: on_other, goal: some() },
    ]
}

#[test]
fn judges_say_what_all_values_say() {
    let terms = Terms::new();
    let (program, config) = (program(), config());
    let verifier = Verifier::quiet(&program, Member::Method(MethodId(0)), &config);
    assert!(verifier.prepare(&terms).is_ok());
    let start = verifier.start_of(&terms, Phase::Body);
    let mut solver = chain(&SolverConfig::default());
    let mut engine = Engine { terms: &terms, solver: &mut *solver, budget: QueryBudget::default() };
    let random = &mut Random(1);
    let (mut of_solver, mut of_prover) = (Counts::default(), Counts::default());
    for _ in 0..100 {
        let mut cases = cases(&start, &terms, random);
        // The prover goes from state to state in any order.
        for _ in 0..cases.len() {
            let case = cases.remove(random.below(cases.len()));
            let trail = &Trail { witness: None, ..Trail::new() };
            let wrong_prover = wrong(&mut ProofJudge(&verifier), &terms, &case, trail, &mut of_prover);
            assert_eq!(wrong_prover, None, "the prover");
            let mut trail = Trail::new();
            let mut exists = true;
            for fact in &case.facts {
                match engine.assume(&trail, fact.term(&terms)) {
                    Some(it) => trail = it,
                    None => exists = false,
                }
            }
            let can_be = all_values().any(|it| case.facts.iter().all(|fact| fact.holds(it)));
            assert_eq!(exists, can_be, "{:?}", case.facts);
            if exists {
                assert_eq!(wrong(&mut engine, &terms, &case, &trail, &mut of_solver), None, "the solver");
            }
        }
    }
    assert_eq!(of_solver.unknown, 0, "words of two bits are decided");
    // A prover does not look for models: that something is feasible it does not say.
    let most_unknown = if requirements::has("z3") { of_prover.answers / 2 } else { of_prover.answers };
    assert!(of_prover.unknown <= most_unknown, "{} of {} answers", of_prover.unknown, of_prover.answers);
}

#[test]
fn a_question_has_a_limit_of_time() {
    if !requirements::has("z3") {
        return;
    }
    let terms = Terms::new();
    let (program, config) = (program(), config());
    let verifier = Verifier::quiet(&program, Member::Method(MethodId(0)), &config);
    assert!(verifier.prepare(&terms).is_ok());
    let start = verifier.start_of(&terms, Phase::Body);
    let word = |index| Word::Variable(index).term(&terms);
    // (a + b)·c = a·c + b·c, which is not seen without a solver.
    let left = terms.bv_mul(terms.bv_add(word(0), word(1)), word(2));
    let right = terms.bv_add(terms.bv_mul(word(0), word(2)), terms.bv_mul(word(1), word(2)));
    let cond = terms.eq(left, right);
    assert_eq!(terms.as_bool(cond), None);
    let trail = Trail { witness: None, ..Trail::new() };
    let asked = |time| {
        let budget = QueryBudget { steps: None, time };
        let question = JudgeQuestion { state: &start, trail: &trail, cond, budget };
        ProofJudge(&verifier).entails(&terms, &question)
    };
    assert!(matches!(asked(Some(std::time::Duration::ZERO)), Entailment::Unknown(_)));
    // The limit is the question's own.
    assert_eq!(asked(None), Entailment::Holds);
}
