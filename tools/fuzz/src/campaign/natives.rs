//! The loops of a campaign: one process each, started again when it is gone.
//!
//! Knows: which start of which loop a record is of, what the loops say of themselves together. Never: what is done with
//! a record.

use super::{Event, failed};
use crate::Board;
use crate::account::{Config, FuzzError};
use crate::board::{HELD, MOST_ASSUMPTIONS, REACHED};
use crate::child::{Native, Settings};
use std::sync::mpsc::Sender;

/// Deaths of a loop without a find between them.
const MOST_DEATHS: u32 = 3;

/// One native fuzzing loop, over all its starts.
#[derive(Default)]
pub(super) struct Loop {
    native: Option<Native>,
    /// The number of times that the loop was started.
    pub(super) starts: u64,
    /// Its numbers of inputs as numbers of files, for this start.
    pub(super) numbers: Vec<u64>,
    /// The boards of earlier starts, summed up.
    before: Board,
    /// What became of each assumption in earlier starts.
    assumptions: Vec<u8>,
    deaths: u32,
}

impl Loop {
    /// Takes in what its program says of itself, and ends that.
    fn take(&mut self) {
        if let Some(native) = self.native.take() {
            self.before = sum(&self.before, &native.board());
            let now = native.assumptions();
            self.assumptions.resize(now.len().max(self.assumptions.len()), 0);
            self.assumptions.iter_mut().zip(now).for_each(|(all, it)| *all |= it);
        }
    }
}

/// The native loops of the campaign.
pub(super) struct Natives {
    pub(super) all: Vec<Loop>,
}

impl Natives {
    pub(super) fn new(jobs: u32) -> Natives {
        Natives { all: (0..jobs.max(1)).map(|_| Loop::default()).collect() }
    }

    /// Starts a loop, with all that is known.
    pub(super) fn begin<'i>(
        &mut self,
        at: usize,
        config: &Config,
        events: &Sender<Event>,
        inputs: impl Iterator<Item = &'i [u8]>,
    ) -> Result<(), FuzzError> {
        let room = config.scratch.join(format!("loop{at}"));
        std::fs::create_dir_all(&room).map_err(failed(&room))?;
        let board = config.scratch.join(format!("board{at}"));
        let one = &mut self.all[at];
        let settings = Settings {
            program: &config.program,
            board: &board,
            room: &room,
            kind: config.kind,
            isolate: config.isolate || config.kind.needs_processes(),
            most: config.most,
            timeout: config.timeout,
            memory: config.memory,
            seed: config.seed.wrapping_add(1_000_003 * at as u64),
        };
        one.starts += 1;
        one.numbers.clear();
        let events = events.clone();
        let tell = move |start, record| events.send(Event::Record(at, start, record)).is_ok();
        let native = Native::start(&settings, one.starts, tell).map_err(failed(&config.program))?;
        for bytes in inputs {
            native.give(bytes, 0);
        }
        native.gave_all();
        one.native = Some(native);
        Ok(())
    }

    /// A loop has ended by itself.
    pub(super) fn is_gone(&mut self, at: usize) -> Result<(), FuzzError> {
        let one = &mut self.all[at];
        one.deaths += 1;
        if one.deaths >= MOST_DEATHS {
            let why = "nothing was told";
            return Err(FuzzError::Dies(why.to_owned()));
        }
        one.take();
        Ok(())
    }

    /// Records that the loop has found something: it is alive.
    pub(super) fn lives(&mut self, at: usize) {
        self.all[at].deaths = 0;
    }

    /// Gives an input to a loop; by its number it is known when it was run.
    pub(super) fn give(&self, at: usize, bytes: &[u8], stage: u32) -> u64 {
        self.all[at].native.as_ref().map_or(0, |it| it.give(bytes, stage))
    }

    /// Gives an input to all loops but one.
    pub(super) fn give_others(&self, but: Option<usize>, bytes: &[u8], stage: u32) {
        for at in (0..self.all.len()).filter(|it| Some(*it) != but) {
            self.give(at, bytes, stage);
        }
    }

    /// Whether a loop has run an input that it was given, and all that came of it was told.
    pub(super) fn has_run(&self, at: usize, number: u64) -> bool {
        let one = &self.all[at];
        let Some(native) = &one.native else { return false };
        // First whether it was run, then how many finds there are: the other way round one could be missed.
        native.board().given >= number && one.numbers.len() as u64 >= native.board().entries
    }

    /// What the loops say of themselves, with what they said before they were started again.
    pub(super) fn board(&self) -> Board {
        let of = |it: &Loop| match &it.native {
            Some(native) => sum(&it.before, &native.board()),
            None => it.before,
        };
        let boards: Vec<Board> = self.all.iter().map(of).collect();
        boards.iter().skip(1).fold(boards[0], |sum_of, it| sum(&sum_of, it))
    }

    /// Ends all loops and waits for their processes.
    pub(super) fn end(&mut self) {
        self.all.iter_mut().for_each(Loop::take);
    }

    /// The assumptions that some loop has reached and none has passed, by their numbers. The loops have ended.
    pub(super) fn never_held(&self) -> Vec<usize> {
        let of = |at: usize| self.all.iter().filter_map(|it| it.assumptions.get(at)).fold(0, |all, it| all | it);
        (0..MOST_ASSUMPTIONS).filter(|at| of(*at) & (REACHED | HELD) == REACHED).collect()
    }
}

/// Counts add up; what is known of the program is that of the last one.
fn sum(before: &Board, now: &Board) -> Board {
    let mut finds = before.finds;
    finds.iter_mut().zip(now.finds).for_each(|(sum, it)| *sum += it);
    Board {
        runs: before.runs + now.runs,
        edges: before.edges.max(now.edges),
        crashes: before.crashes + now.crashes,
        hangs: before.hangs + now.hangs,
        memory: before.memory + now.memory,
        workers: before.workers + now.workers,
        solve_runs: before.solve_runs + now.solve_runs,
        unstable: before.unstable + now.unstable,
        exits: before.exits + now.exits,
        edges_seen: before.edges_seen.max(now.edges_seen),
        classes_seen: before.classes_seen.max(now.classes_seen),
        finds,
        ..*now
    }
}
