//! Calls of the system that fail, or move fewer bytes than they were asked to.
//!
//! Knows: how many of them a path may have (`--max-fail N`, as KLEE has it), the input that says what becomes of a call,
//! and what each of its values means; `runtime/replay.c` does the same natively. Never: files, what a call does.

use crate::files::Files;
use crate::machine::{Flow, Machine};
use effigy_term::{Term, Width};

/// The input of a call: 0 where nothing happens, a number of bytes where it moves only so many, `-EIO`, `-EINTR`. What is
/// neither is as 0.
const NAME: &str = "io_result";

const WIDTH: Width = Width::W32;

/// What a call may fail with.
const ERRORS: [u64; 2] = [5, 4];

/// What becomes of a call, as far as it was asked.
pub(super) struct Fate(Option<Term>);

impl Machine<'_, '_> {
    /// The fate of a call, where calls of the program may fail and not enough of them have.
    pub(super) fn fate(&mut self, files: &Files) -> Fate {
        let of_library = self.is_in_c_library();
        let may_fail = !of_library && files.failures < self.program.options.max_fail;
        Fate(may_fail.then(|| self.peek_input(NAME, WIDTH)))
    }

    /// What a call fails with, if it does: then no byte moves.
    pub(super) fn failure(&mut self, fate: &Fate) -> Flow<Option<u64>> {
        let Fate(Some(input)) = fate else { return Ok(None) };
        for error in ERRORS {
            let terms = self.ctx.terms;
            if self.decide_term(terms.eq(*input, terms.bv_u64(WIDTH, error.wrapping_neg() & u64::from(u32::MAX))))? {
                return Ok(Some(error));
            }
        }
        Ok(None)
    }

    /// How many of `count` bytes move.
    pub(super) fn moving(&mut self, fate: &Fate, count: u64) -> Flow<u64> {
        let Fate(Some(input)) = fate else { return Ok(count) };
        let terms = self.ctx.terms;
        let bound = |it: u64| terms.bv_u64(WIDTH, it.min(u64::from(u32::MAX)));
        let short = terms.and(terms.bv_ule(bound(1), *input), terms.bv_ult(*input, bound(count)));
        if self.decide_term(short)? { self.choose_value(*input) } else { Ok(count) }
    }

    /// No question is left: the input belongs to the path, and a call that `failed` or came short counts.
    pub(super) fn is_settled(&mut self, fate: Fate, files: &mut Files, failed: bool) {
        if fate.0.is_some() {
            self.input_number(NAME, WIDTH, true);
            files.failures += u64::from(failed);
        }
    }
}
