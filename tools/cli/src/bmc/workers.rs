//! Several workers of one check: threads of this process, processes of a fleet.
//!
//! Knows: that each walks the program by itself, and that the questions are shared. Never: what is asked, what is
//! reported.

use super::board::Board;
use crate::STACK;
use crate::args::BmcArgs;
use crate::build_identity::{build_identity, hex};
use crate::frontend::{Plan, ReportHooks};
use crate::progress::warn;
use crate::solver::of_one_question;
use crate::{Failure, fleet};
use effigy_bmc::{Account, Others};
use effigy_fleet::{Build, Fleet, LocalFleet, MOST_BITS};
use effigy_solver::chain;
use sha2::{Digest, Sha256};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Those with whom a check is shared.
type With<'a> = Option<&'a dyn Others>;

/// Makes a check, `own`, while others of this process or of the fleet help with its questions.
pub(super) fn together<P: Plan>(
    plan: &P,
    args: &BmcArgs,
    own: impl FnOnce(With<'_>) -> Option<Account>,
) -> Result<Option<Account>, Failure> {
    let shared: Box<dyn Fleet> = match args.shared.fleet {
        Some(_) => fleet::join(&args.shared, build(plan)?)?,
        None if args.jobs > 1 => Box::new(LocalFleet::default()),
        None => return Ok(own(None)),
    };
    let first = u64::from(std::process::id()) << 8;
    let over = Arc::new(AtomicBool::new(false));
    std::thread::scope(|scope| {
        let mut others = Vec::new();
        for number in 1..args.jobs {
            let board = Board::new(shared.another().map_err(Failure::of)?, first + u64::from(number));
            let over = Arc::clone(&over);
            let thread = std::thread::Builder::new().stack_size(STACK);
            let body = move || helps(plan, args, board, &over);
            others.push(thread.spawn_scoped(scope, body).map_err(Failure::of)?);
        }
        let board = Board::new(shared, first);
        let res = own(Some(&board));
        over.store(true, Ordering::Relaxed);
        for other in others {
            match other.join() {
                Ok(Ok(())) => {}
                Ok(Err(failure)) => warn(&format!("a worker gave up: {failure}")),
                Err(_) => warn("a worker has died; the others have done its work"),
            }
        }
        Ok(res)
    })
}

/// The same check, of which only the answers count.
fn helps<P: Plan>(plan: &P, args: &BmcArgs, board: Board, over: &Arc<AtomicBool>) -> Result<(), Failure> {
    let language = plan.merging_language()?;
    let about = plan.about(&language);
    let solver = of_one_question(&args.solver, over)?;
    let (terms, mut solver) = (solver.terms(), chain(&solver));
    let bound = |it: &effigy_engine::Turning| super::bound(args, it);
    let config = effigy_bmc::Config { bound: &bound, others: Some(&board), ..super::config(args, &about, over) };
    language.check_bounded(&terms, &mut *solver, &config);
    Ok(())
}

/// The campaign of all who check the same program: their questions may differ, each has its own name.
fn build<P: Plan>(plan: &P) -> Result<Build, Failure> {
    let mut hash = Sha256::new();
    hash.update(b"bmc");
    hash.update(build_identity()?);
    hash.update(plan.fingerprint().to_le_bytes());
    Ok(Build { hash: hex(&hash.finalize()), bits: MOST_BITS })
}
