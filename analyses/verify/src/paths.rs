//! The walk over all paths of a member, and what comes of them.
//!
//! Knows: which path goes on next, when enough was found, what makes a verdict. Never: what a state is, who proves.

use crate::joins::Joining;
use crate::machine::Stop;
use crate::moment::End;
use crate::verifier::{Verifier, VerifierState};
use crate::{Config, Effort, Member, MemberOutcome, Program, Verdict};
use effigy_engine::{Context, Coverage, Event, Inputs, Notes, Path, PathId, Policy, Trail, advance};
use effigy_solver::QueryBudget;
use effigy_term::Terms;
use effigy_walk::Frontier;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// Verifies one member. Deterministic; needs no other member's outcome, and is `Send` with all its arguments: members
/// may be verified in parallel, each call with its own arena of terms.
///
/// The verdict is the same in any order of paths, as far as no budget runs out; which failure is found first is not.
///
/// Inference never makes a proof fail that is one without it: a member that is not verified is tried again with less of
/// it, and only that it is verified then counts.
pub fn verify(program: &Program, member: Member, config: &Config) -> MemberOutcome {
    let start = Instant::now();
    let mut res = verify_once(program, member, config);
    for inference in config.inference.weaker() {
        let steps = config.steps.saturating_sub(res.effort.steps);
        let time = config.time.map(|it| it.saturating_sub(start.elapsed()));
        let is_open = matches!(res.verdict, Verdict::Failed(_) | Verdict::Undecided(_));
        let is_spent = steps == 0 || time.is_some_and(|it| it.is_zero());
        if !is_open || is_spent || config.prover.interrupt.load(Ordering::Relaxed) {
            break;
        }
        let again = Config { inference, steps, time, trace: false, counterexample: false, ..config.clone() };
        let MemberOutcome { verdict, effort, .. } = verify_once(program, member, &again);
        res.effort.steps += effort.steps;
        res.effort.paths += effort.paths;
        res.effort.queries += effort.queries;
        res.effort.checks += effort.checks;
        if let Verdict::Verified = verdict {
            res.verdict = verdict;
        }
    }
    res
}

/// Verifies a member with one choice of what is inferred.
fn verify_once(program: &Program, member: Member, config: &Config) -> MemberOutcome {
    let terms = Terms::new();
    let verifier = Verifier::quiet(program, member, config);
    let mut checks = 0;
    let res = walk_all(&verifier, &terms, config, &mut checks);
    let ended = !matches!(res, Err(_) | Ok(true));
    let failures = verifier.failures(&terms, if ended { config.errors } else { 0 });
    let verdict = match res {
        // What was found is a verdict, whatever came after it.
        _ if !failures.is_empty() => Verdict::Failed(failures),
        Ok(_) | Err(Stop::Infeasible | Stop::Failed(_)) => Verdict::Verified,
        Err(Stop::Undecided(why)) => Verdict::Undecided(why),
        Err(Stop::Unsupported(what, span)) => Verdict::Unsupported(what, span),
    };
    MemberOutcome { member, verdict, effort: Effort { checks, ..verifier.effort(&terms) } }
}

/// Walks all phases, and counts the checks that hold. `true`: so much has failed that no more is looked for.
fn walk_all(verifier: &Verifier<'_>, terms: &Terms, config: &Config, checks: &mut u64) -> Result<bool, Stop> {
    for phase in verifier.prepare(terms)? {
        let mut joining = Joining::new(config.merge_after.filter(|_| verifier.may_merge(phase)));
        if walk(verifier, terms, verifier.start_of(terms, phase), config, &mut joining, checks)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Walks all paths from a start. Where paths are merged, those from a state that verify so are not walked alone.
fn walk<'a>(
    verifier: &Verifier<'a>,
    terms: &Terms,
    start: VerifierState<'a>,
    config: &Config,
    joining: &mut Joining,
    checks: &mut u64,
) -> Result<bool, Stop> {
    let (mut coverage, mut notes, inputs) = (Coverage::default(), Notes::default(), Inputs::Symbolic);
    let mut ctx = Context::new(terms, &inputs, &mut coverage, &mut notes);
    // The prover has budgets of its own.
    let mut policy = Policy::Prove(QueryBudget::default());
    let begin = || {
        let mut frontier = Frontier::new(config.search, config.seed);
        // That a state exists takes more than a model of φ.
        let trail = Trail { witness: None, ..Trail::new() };
        let root = Path { id: PathId(0), state: start.clone(), trail };
        frontier.add(root.id, root, false);
        frontier
    };
    let mut frontier = begin();
    let mut next_id = 1;
    while let Some((id, mut path)) = frontier.select() {
        if joining.is_on() && !verifier.has_failed(terms) && joining.holds(verifier, terms, &path.state) {
            frontier.end(id);
            continue;
        }
        loop {
            match advance(verifier, &mut ctx, &mut path, &mut policy, &mut { FUEL }) {
                Event::Moved | Event::Answered => {}
                Event::Held(_) => *checks += 1,
                // Many paths: once more from the start, where those that meet become one.
                Event::Forked(_) if joining.forked() && !verifier.has_failed(terms) => {
                    frontier = begin();
                    break;
                }
                Event::Forked(forks) => {
                    let fresh = (next_id..).map(PathId);
                    let ids: Vec<PathId> = std::iter::once(id).chain(fresh).take(forks.ways.len()).collect();
                    next_id += ids.len() as u64 - 1;
                    frontier.split(id, &ids);
                    // Depth first takes what is added last: the first side.
                    for (way, id) in forks.ways.into_iter().zip(ids).rev() {
                        frontier.add(id, Path::of_way(verifier, id, path.state.clone(), way), false);
                    }
                    break;
                }
                Event::Ended(_) => match path.state.end() {
                    Some(End::Failed(_)) if verifier.is_closed(terms) => return Ok(true),
                    Some(End::Undecided(why)) => return Err(Stop::Undecided(why.clone())),
                    Some(End::Unsupported(what, span)) => return Err(Stop::Unsupported(what.clone(), *span)),
                    Some(End::Verified | End::Infeasible | End::Failed(_)) => {
                        frontier.end(id);
                        break;
                    }
                    None => return Err(Stop::Undecided("a path has ended without an end".into())),
                },
                // It was reported where it was found, and the path goes on past it.
                Event::Violated(violated) if violated.past.is_some() => {
                    violated.past.into_iter().for_each(|past| path.grant(verifier, past));
                }
                // None of these comes without being asked for; were there one, nothing may be claimed.
                Event::Violated(_) | Event::Undecided(..) | Event::Waits | Event::DoesNotFit => {
                    return Err(Stop::Undecided("a question had no answer".into()));
                }
            }
        }
    }
    Ok(false)
}

/// The pieces of work of one step of the walk, which has nothing to say on the way.
const FUEL: u64 = 1 << 20;
