//! The answers that the workers of a fleet share: a board of finds, each under the name of its question.
//!
//! Knows: how a question is taken and told over a fleet; that whoever can write to the server may have written anything.
//! Never: what a question says.

use crate::progress::warn;
use effigy_bmc::{Others, Question, Told};
use effigy_fleet::{Cursor, Find, Fleet, FleetError, MOST_INPUT, News, Report};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

/// The news are read so often, at most.
const OFTEN: Duration = Duration::from_millis(10);

/// So many news of one call.
const NEWS: usize = 256;

/// Without an answer of the server it is asked again after this time.
const AWAY: Duration = Duration::from_secs(2);

/// The board, as one worker sees it.
pub(crate) struct Board {
    lot: u64,
    seen: RefCell<BoardState>,
}

struct BoardState {
    fleet: Box<dyn Fleet>,
    since: Cursor,
    told: HashMap<Question, Told>,
    /// The queries that other workers have reserved.
    taken: HashSet<Question>,
    mine: HashSet<Question>,
    /// When the server is asked again.
    next: Instant,
    /// The server did not answer last time.
    away: bool,
    /// Whether the user was told that the server is away.
    warned: bool,
}

impl Board {
    pub(crate) fn new(fleet: Box<dyn Fleet>, lot: u64) -> Board {
        let seen = BoardState {
            fleet,
            since: Cursor::default(),
            told: HashMap::new(),
            taken: HashSet::new(),
            mine: HashSet::new(),
            next: Instant::now(),
            away: false,
            warned: false,
        };
        Board { lot, seen: RefCell::new(seen) }
    }
}

impl BoardState {
    /// Whether it is not worth asking yet.
    fn is_away(&self) -> bool {
        self.away && Instant::now() < self.next
    }

    /// Who is not heard is not waited for: the check goes on alone.
    fn heard<T>(&mut self, answer: Result<T, FleetError>) -> Option<T> {
        match answer {
            Ok(it) => {
                (self.next, self.away) = (Instant::now() + OFTEN, false);
                Some(it)
            }
            Err(error) => {
                (self.next, self.away) = (Instant::now() + AWAY, true);
                if !self.warned {
                    warn(&format!("{error}; the check goes on without the others"));
                    self.warned = true;
                }
                None
            }
        }
    }

    /// Whether the find was new, where the server answers.
    fn push(&mut self, find: Find) -> Option<bool> {
        let pushed = self.fleet.push(&Report { finds: vec![find], ..Report::default() });
        self.heard(pushed).map(|it| it.finds > 0)
    }

    fn take(&mut self, question: Question) -> bool {
        self.read();
        if self.mine.contains(&question) || self.is_away() {
            return true;
        }
        if self.taken.contains(&question) {
            return false;
        }
        let is_mine = self.push(Find { key: Key::Took(question).text(), input: Vec::new() }).unwrap_or(true);
        if is_mine {
            self.mine.insert(question)
        } else {
            self.taken.insert(question)
        };
        is_mine
    }

    fn read(&mut self) {
        while Instant::now() >= self.next {
            let news = self.fleet.news(&self.since, NEWS);
            let Some((news, since)) = self.heard(news) else { return };
            let is_all = news.len() < NEWS;
            self.since = since;
            for it in news {
                let News::Found(find) = it else { continue };
                match Key::read(&find.key) {
                    Some(Key::Took(question)) if !self.mine.contains(&question) => {
                        self.taken.insert(question);
                    }
                    Some(Key::Told(question)) => {
                        if let Ok(told) = serde_json::from_slice(&find.input) {
                            self.told.entry(question).or_insert(told);
                        }
                    }
                    _ => {}
                }
            }
            if is_all {
                return;
            }
            self.next = Instant::now();
        }
    }
}

impl Others for Board {
    fn told(&self, of: Question) -> Option<Told> {
        let mut seen = self.seen.borrow_mut();
        seen.read();
        seen.told.get(&of).cloned()
    }

    fn take(&self, question: Question) -> bool {
        self.seen.borrow_mut().take(question)
    }

    fn tell(&self, question: Question, told: &Told) {
        let mut seen = self.seen.borrow_mut();
        let Ok(input) = serde_json::to_vec(told) else { return };
        if input.len() <= MOST_INPUT && !seen.is_away() {
            seen.push(Find { key: Key::Told(question).text(), input });
        }
    }

    fn lot(&self) -> u64 {
        self.lot
    }
}

/// The name of a find.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Key {
    Took(Question),
    Told(Question),
}

impl Key {
    fn text(self) -> Vec<u8> {
        let (word, question) = match self {
            Key::Took(it) => ("took", it),
            Key::Told(it) => ("told", it),
        };
        let steps = question.steps.map_or("-".to_owned(), |it| it.to_string());
        format!("{word} {:032x} {steps}", question.formula).into_bytes()
    }

    fn read(key: &[u8]) -> Option<Key> {
        let text = std::str::from_utf8(key).ok()?;
        let mut words = text.split(' ');
        let (word, formula, steps) = (words.next()?, words.next()?, words.next()?);
        let steps = if steps == "-" { None } else { Some(steps.parse().ok()?) };
        let question = Question { formula: u128::from_str_radix(formula, 16).ok()?, steps };
        let res = match word {
            "took" => Key::Took(question),
            "told" => Key::Told(question),
            _ => return None,
        };
        (res.text() == key).then_some(res)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use effigy_engine::SymbolValue;
    use effigy_fleet::LocalFleet;

    fn question(formula: u128) -> Question {
        Question { formula, steps: Some(2000) }
    }

    #[test]
    fn a_question_is_taken_once_and_its_answer_is_for_all() {
        let fleet = LocalFleet::default();
        let boards: Vec<Board> = (0..3).map(|it| Board::new(Box::new(fleet.clone()), it)).collect();
        assert!(boards[0].take(question(7)) && boards[0].take(question(7)));
        assert!(!boards[1].take(question(7)) && boards[2].take(question(8)));
        assert_eq!(boards[1].told(question(7)), None);
        let told = Told::Sat(vec![SymbolValue { name: "x".to_owned(), value: "5".to_owned() }]);
        boards[0].tell(question(7), &told);
        std::thread::sleep(2 * OFTEN);
        for board in &boards {
            assert_eq!(board.told(question(7)), Some(told.clone()));
            assert_eq!(board.told(question(8)), None);
        }
    }

    #[test]
    fn what_is_no_answer_is_none() {
        for key in ["", "told", "told 0 -", "took 00000000000000000000000000000007 x", "told -7 -", "a b c d"] {
            assert_eq!(Key::read(key.as_bytes()), None, "{key}");
        }
        let mut fleet = LocalFleet::default();
        let find = Find { key: Key::Told(question(7)).text(), input: b"{\"sat\":7}".to_vec() };
        fleet.push(&Report { finds: vec![find], ..Report::default() }).expect("a find");
        assert_eq!(Board::new(Box::new(fleet), 0).told(question(7)), None);
    }
}
