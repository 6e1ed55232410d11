//! What coverage counts of a closure: the places where it asks, and how it is answered there.
//!
//! Knows: places and the number of their answers. Never: which were reached (the engine's coverage does).
//! An expression has one place for what it asks, and one for each purpose ([`Purpose`]): two sums in a row, `a + b + c`,
//! begin at one column and have one purpose, and are one place.
//! Lines on which nothing is asked are not counted: nobody sees a native program come to them.

use crate::place::place_of;
use crate::question::{Answer, AnsweredQuestion, Purpose, Question};
use effigy_engine::{Coverage, Place, Site};
use std::collections::HashMap;
use std::panic::Location;

/// A place where something is asked, or one of the answers there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QuestionSite {
    /// The place of the question in the source.
    pub place: Place,
    /// It is one of the answers.
    pub branch: bool,
}

/// The sites by number. A place gets its number when it is first reached.
#[derive(Debug, Default)]
pub(crate) struct Sites {
    sites: Vec<QuestionSite>,
    /// The number of the place; those of its answers follow it.
    known: HashMap<(&'static Location<'static>, u32, Purpose), u32>,
}

impl Sites {
    /// Marks what was asked, and how it was answered.
    pub(crate) fn reach(&mut self, asked: &AnsweredQuestion, coverage: &mut Coverage) {
        let ways = ways(&asked.question);
        let first = self.place(asked.place, ways, purpose(&asked.question));
        coverage.reach(Site(first));
        match asked.answer {
            Answer::Side(side) if side < ways => drop(coverage.reach(Site(first + 1 + side))),
            _ => {}
        }
    }

    /// Marks a place where something is asked.
    pub(crate) fn ask(&mut self, question: &Question, place: &'static Location<'static>, coverage: &mut Coverage) {
        coverage.reach(Site(self.place(place, ways(question), purpose(question))));
    }

    fn place(&mut self, place: &'static Location<'static>, ways: u32, purpose: Purpose) -> u32 {
        let sites = &mut self.sites;
        *self.known.entry((place, ways, purpose)).or_insert_with(|| {
            let first = sites.len() as u32;
            let site = |branch| QuestionSite { place: place_of(place), branch };
            sites.push(site(false));
            sites.extend((0..ways).map(|_| site(true)));
            first
        })
    }

    /// All of them, by number.
    pub(crate) fn all(&self) -> Vec<QuestionSite> {
        self.sites.clone()
    }
}

fn purpose(question: &Question) -> Purpose {
    match question {
        Question::Decide(_, purpose) => *purpose,
        _ => Purpose::Condition,
    }
}

/// So many answers are counted one by one.
fn ways(question: &Question) -> u32 {
    match question {
        Question::Decide(..) => 2,
        Question::Among(of) => of.len() as u32,
        Question::Choose(count) => *count,
        Question::Value(_) | Question::Witness(_) | Question::Watched(..) => 0,
        Question::Assume(_) | Question::Check(_) => 0,
    }
}
