//! Random C programs with two threads, and all that they can do, found by trying every interleaving.
//!
//! Knows: mutexes, atomic and ordinary variables, one step at a time. Never: vector clocks, sleep sets; a data race is here
//! what it is in a textbook: a state in which two threads are both about to access one variable.

use std::collections::BTreeSet;
use std::fmt::Write as _;

/// How many variables of each kind there are.
const VARIABLES: usize = 2;

/// Steps of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ThreadStep {
    /// Locks this mutex.
    Lock(usize),
    /// Unlocks this mutex.
    Unlock(usize),
    /// The thread's own register is what this ordinary variable is.
    Read(usize),
    /// This ordinary variable is the register and one.
    Write(usize),
    /// The same of an atomic variable.
    AtomicRead(usize),
    AtomicWrite(usize),
    /// Adds one to this atomic variable; the register is what it was.
    AtomicAdd(usize),
    /// Exchanges an atomic variable that is 0 for 2.
    AtomicExchange(usize),
    /// Adds to the thread's result what is in its register.
    Sum,
}

/// A program of two threads.
#[derive(Clone, Debug)]
pub struct ThreadProgram {
    threads: [Vec<ThreadStep>; 2],
}

/// What a program can do.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ThreadResults {
    /// The exit codes of runs that end.
    pub codes: BTreeSet<i32>,
    /// Some interleaving has a data race.
    pub races: bool,
    /// Some interleaving ends in a deadlock.
    pub deadlocks: bool,
}

/// A state of an interleaving.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
struct InterleavingState {
    next: [usize; 2],
    registers: [u8; 2],
    sums: [u8; 2],
    ordinary: [u8; VARIABLES],
    atomic: [u8; VARIABLES],
    /// The thread that holds each mutex.
    holders: [Option<usize>; VARIABLES],
}

impl ThreadProgram {
    /// The program that these numbers describe.
    pub fn new(numbers: &[u8]) -> ThreadProgram {
        let half = numbers.len() / 2;
        let (a, b) = numbers.split_at(half);
        ThreadProgram { threads: [steps(a), steps(b)] }
    }

    /// The C source text of the program.
    pub fn text(&self) -> String {
        let mut res = "#include <pthread.h>\n#include <stdatomic.h>\nstatic unsigned char v[2], sums[2];\n\
             static atomic_uchar a[2];\nstatic pthread_mutex_t m[2];\n"
            .to_owned();
        for (number, steps) in self.threads.iter().enumerate() {
            let _ = writeln!(res, "static void *thread{number}(void *unused) {{\n  unsigned char r = 0, sum = 0;");
            for step in steps {
                let text = match step {
                    ThreadStep::Lock(it) => format!("pthread_mutex_lock(&m[{it}]);"),
                    ThreadStep::Unlock(it) => format!("pthread_mutex_unlock(&m[{it}]);"),
                    ThreadStep::Read(it) => format!("r = v[{it}];"),
                    ThreadStep::Write(it) => format!("v[{it}] = r + 1;"),
                    ThreadStep::AtomicRead(it) => format!("r = atomic_load(&a[{it}]);"),
                    ThreadStep::AtomicWrite(it) => format!("atomic_store(&a[{it}], r + 1);"),
                    ThreadStep::AtomicAdd(it) => format!("r = atomic_fetch_add(&a[{it}], 1);"),
                    ThreadStep::AtomicExchange(it) => {
                        format!("r = 0; atomic_compare_exchange_strong(&a[{it}], &r, 2);")
                    }
                    ThreadStep::Sum => "sum = sum * 3 + r;".to_owned(),
                };
                let _ = writeln!(res, "  {text}");
            }
            let _ = writeln!(res, "  sums[{number}] = sum;\n  return unused;\n}}");
        }
        res.push_str(
            "int main(void) {\n  pthread_t t[2];\n  pthread_mutex_init(&m[0], 0);\n  pthread_mutex_init(&m[1], 0);\n  \
             pthread_create(&t[0], 0, thread0, 0);\n  pthread_create(&t[1], 0, thread1, 0);\n  pthread_join(t[0], 0);\n  \
             pthread_join(t[1], 0);\n  unsigned code = v[0] + 3 * v[1] + 5 * a[0] + 7 * a[1] + 11 * sums[0] + 13 * sums[1];\n  \
             return code & 255;\n}\n",
        );
        res
    }

    /// All that the program can do.
    pub fn results(&self) -> ThreadResults {
        let mut res = ThreadResults::default();
        let mut seen = BTreeSet::new();
        let mut waiting = vec![InterleavingState::default()];
        while let Some(state) = waiting.pop() {
            if !seen.insert(state.clone()) {
                continue;
            }
            let able: Vec<usize> = (0..2).filter(|&it| self.can_move(&state, it)).collect();
            if able.len() == 2 && self.next(&state, 0).zip(self.next(&state, 1)).is_some_and(|(a, b)| conflict(a, b)) {
                res.races = true;
            }
            if able.is_empty() {
                if (0..2).all(|it| self.next(&state, it).is_none()) {
                    res.codes.insert(code(&state));
                } else {
                    res.deadlocks = true;
                }
            }
            waiting.extend(able.into_iter().map(|it| self.moved(&state, it)));
        }
        res
    }

    fn next(&self, state: &InterleavingState, thread: usize) -> Option<ThreadStep> {
        self.threads[thread].get(state.next[thread]).copied()
    }

    fn can_move(&self, state: &InterleavingState, thread: usize) -> bool {
        match self.next(state, thread) {
            None => false,
            Some(ThreadStep::Lock(it)) => state.holders[it].is_none(),
            Some(_) => true,
        }
    }

    fn moved(&self, state: &InterleavingState, thread: usize) -> InterleavingState {
        let mut res = state.clone();
        res.next[thread] += 1;
        let register = state.registers[thread];
        match self.next(state, thread) {
            None => {}
            Some(ThreadStep::Lock(it)) => res.holders[it] = Some(thread),
            Some(ThreadStep::Unlock(it)) => res.holders[it] = None,
            Some(ThreadStep::Read(it)) => res.registers[thread] = state.ordinary[it],
            Some(ThreadStep::Write(it)) => res.ordinary[it] = register.wrapping_add(1),
            Some(ThreadStep::AtomicRead(it)) => res.registers[thread] = state.atomic[it],
            Some(ThreadStep::AtomicWrite(it)) => res.atomic[it] = register.wrapping_add(1),
            Some(ThreadStep::AtomicAdd(it)) => {
                res.registers[thread] = state.atomic[it];
                res.atomic[it] = state.atomic[it].wrapping_add(1);
            }
            Some(ThreadStep::AtomicExchange(it)) => {
                // The register gets what is there where that is not what was expected.
                res.registers[thread] = state.atomic[it];
                if state.atomic[it] == 0 {
                    res.atomic[it] = 2;
                }
            }
            Some(ThreadStep::Sum) => res.sums[thread] = state.sums[thread].wrapping_mul(3).wrapping_add(register),
        }
        res
    }
}

/// Whether two steps that are both due are a data race.
fn conflict(a: ThreadStep, b: ThreadStep) -> bool {
    match (a, b) {
        (ThreadStep::Write(a), ThreadStep::Read(b) | ThreadStep::Write(b))
        | (ThreadStep::Read(a), ThreadStep::Write(b)) => a == b,
        _ => false,
    }
}

fn code(state: &InterleavingState) -> i32 {
    let factors = [(state.ordinary, [1, 3]), (state.atomic, [5, 7]), (state.sums, [11, 13])];
    let sum: i32 =
        factors.iter().flat_map(|(values, by)| values.iter().zip(by)).map(|(&it, by)| i32::from(it) * by).sum();
    sum & 255
}

/// The steps that some numbers describe. A thread locks no mutex that it holds, and unlocks in the end what it does.
fn steps(numbers: &[u8]) -> Vec<ThreadStep> {
    let mut res = Vec::new();
    let mut held: Vec<usize> = Vec::new();
    for &number in numbers {
        let (kind, which) = (number % 10, usize::from(number / 10) % VARIABLES);
        res.push(match kind {
            0..=2 if !held.contains(&which) => {
                held.push(which);
                ThreadStep::Lock(which)
            }
            0..=2 => {
                held.retain(|it| *it != which);
                ThreadStep::Unlock(which)
            }
            // Most ordinary accesses are made under a mutex, so that not every program has a race.
            3 | 4 if held.is_empty() && number % 4 != 0 => ThreadStep::AtomicAdd(which),
            3 => ThreadStep::Read(which),
            4 => ThreadStep::Write(which),
            5 => ThreadStep::AtomicRead(which),
            6 => ThreadStep::AtomicWrite(which),
            7 => ThreadStep::AtomicAdd(which),
            8 => ThreadStep::AtomicExchange(which),
            _ => ThreadStep::Sum,
        });
    }
    res.extend(held.into_iter().rev().map(ThreadStep::Unlock));
    res
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_update_under_a_mutex_is_not_lost() {
        let update = vec![ThreadStep::Lock(0), ThreadStep::Read(0), ThreadStep::Write(0), ThreadStep::Unlock(0)];
        let locked = ThreadProgram { threads: [update.clone(), update] };
        let expected = ThreadResults { codes: BTreeSet::from([2]), races: false, deadlocks: false };
        assert_eq!(locked.results(), expected);
        let update = vec![ThreadStep::Read(0), ThreadStep::Write(0)];
        let bare = ThreadProgram { threads: [update.clone(), update] };
        assert!(bare.results().races && bare.results().codes == BTreeSet::from([1, 2]));
    }

    #[test]
    fn two_orders_of_two_mutexes_are_a_deadlock() {
        let both = |a, b| vec![ThreadStep::Lock(a), ThreadStep::Lock(b), ThreadStep::Unlock(b), ThreadStep::Unlock(a)];
        assert!(ThreadProgram { threads: [both(0, 1), both(1, 0)] }.results().deadlocks);
        assert!(!ThreadProgram { threads: [both(0, 1), both(0, 1)] }.results().deadlocks);
    }
}
