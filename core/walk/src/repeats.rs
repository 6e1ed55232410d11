//! Whether a path that does not fork comes to a state again: then it never ends.
//!
//! Knows: one state, to compare later ones with. Never: when two states are the same
//! ([`effigy_engine::Language::comes_again`]).
//! Source: Brent 1980: a cycle is found with one state that is remembered, for twice as long each time.

/// A path that does not fork, and a state in which it was.
#[derive(Clone, Debug)]
pub struct Repeats<S> {
    before: S,
    /// How often it was compared with that, and how often it is.
    compared: u32,
    often: u32,
}

impl<S: Clone> Repeats<S> {
    /// Of a path that stands at this state.
    pub fn new(state: &S) -> Repeats<S> {
        Repeats { before: state.clone(), compared: 0, often: 1 }
    }

    /// Whether the path, which stands here now, has come to a state again.
    pub fn goes_round(&mut self, now: &S, is_same: impl FnOnce(&S, &S) -> bool) -> bool {
        if is_same(&self.before, now) {
            return true;
        }
        self.compared += 1;
        if self.compared == self.often {
            *self = Repeats { before: now.clone(), compared: 0, often: self.often.saturating_mul(2) };
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_of_any_length_is_found_after_any_beginning() {
        for (beginning, length) in [(0, 1), (3, 1), (0, 7), (100, 64), (1000, 3)] {
            let at = |step: u32| step.min(beginning + (step.saturating_sub(beginning)) % length);
            let mut repeats = Repeats::new(&at(0));
            let found = (1..5000).find(|it| repeats.goes_round(&at(*it), |a, b| a == b)).expect("a round");
            assert!(found <= 3 * (beginning + length) + 2, "{beginning} {length} {found}");
        }
        let mut repeats = Repeats::new(&0);
        assert!(!(1..5000).any(|it| repeats.goes_round(&it, |a, b| a == b)));
    }
}
