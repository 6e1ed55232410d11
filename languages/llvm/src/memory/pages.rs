//! Groups of objects that paths share until one of them writes.
//!
//! Knows: what is kept of an object that is forgotten. Never: what an object is.

use super::{Object, ObjectId};
use std::rc::Rc;

/// So many objects are copied together when one of them is written on one of two paths that share it.
pub(super) const PAGE: usize = 32;

/// For each object the binary logarithm of what its address is a multiple of.
type Alignments = [u8; PAGE];

/// That of no object.
const NONE: u8 = u8::MAX;

/// A group of objects.
#[derive(Clone, Debug)]
pub(super) struct Page {
    /// `None` is an object of a finished call that nobody needs to remember, or of none yet.
    pub(super) objects: [Option<Object>; PAGE],
    /// Those of forgotten objects: their pointers are numbers all the same.
    alignments: Alignments,
}

impl Page {
    fn new() -> Page {
        Page { objects: [const { None }; PAGE], alignments: [NONE; PAGE] }
    }

    fn is_forgotten(&self) -> bool {
        self.objects.iter().all(Option::is_none)
    }
}

#[derive(Clone, Debug)]
enum Place {
    /// No object was ever here.
    Empty,
    Kept(Rc<Page>),
    /// Every object is forgotten.
    Forgotten(Rc<Alignments>),
}

/// All pages of a path.
#[derive(Clone, Default, Debug)]
pub(super) struct Pages(Vec<Place>);

fn at(id: ObjectId) -> (usize, usize) {
    (id.0 as usize / PAGE, id.0 as usize % PAGE)
}

impl Pages {
    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// A page of which something is kept.
    #[inline]
    pub(super) fn page(&self, index: usize) -> Option<&Rc<Page>> {
        match self.0.get(index)? {
            Place::Kept(page) => Some(page),
            _ => None,
        }
    }

    /// An object, dead or alive, if it is kept.
    #[inline]
    pub(super) fn get(&self, id: ObjectId) -> Option<&Object> {
        let (page, slot) = at(id);
        self.page(page)?.objects[slot].as_ref()
    }

    /// An object, to change it.
    #[inline]
    pub(super) fn get_mut(&mut self, id: ObjectId) -> Option<&mut Object> {
        let (page, slot) = at(id);
        match self.0.get_mut(page)? {
            Place::Kept(page) => Rc::make_mut(page).objects[slot].as_mut(),
            _ => None,
        }
    }

    /// What a forgotten object was aligned to, as the binary logarithm.
    #[inline]
    pub(super) fn alignment(&self, id: ObjectId) -> u8 {
        let (page, slot) = at(id);
        let known = match self.0.get(page) {
            Some(Place::Kept(page)) => page.alignments[slot],
            Some(Place::Forgotten(all)) => all[slot],
            Some(Place::Empty) | None => NONE,
        };
        if known == NONE { 0 } else { known }
    }

    /// Puts an object in its place.
    pub(super) fn put(&mut self, id: ObjectId, object: Object) {
        let (page, slot) = at(id);
        if page >= self.0.len() {
            self.0.resize(page + 1, Place::Empty);
        }
        let place = &mut self.0[page];
        if !matches!(place, Place::Kept(_)) {
            let alignments = if let Place::Forgotten(all) = place { **all } else { [NONE; PAGE] };
            *place = Place::Kept(Rc::new(Page { alignments, ..Page::new() }));
        }
        if let Place::Kept(page) = place {
            Rc::make_mut(page).objects[slot] = Some(object);
        }
    }

    /// Forgets an object; the next one will have the number `next`.
    pub(super) fn forget(&mut self, id: ObjectId, next: ObjectId) {
        let (page, slot) = at(id);
        let Some(place) = self.0.get_mut(page) else { return };
        let Place::Kept(kept) = place else { return };
        let changed = Rc::make_mut(kept);
        if let Some(object) = changed.objects[slot].take() {
            changed.alignments[slot] = object.align;
        }
        let is_past = (page + 1) * PAGE <= next.0 as usize;
        if is_past && kept.is_forgotten() {
            *place = Place::Forgotten(Rc::new(kept.alignments));
        }
    }

    /// All objects that are kept, in the order of their numbers.
    pub(super) fn objects(&self) -> impl Iterator<Item = (ObjectId, &Object)> {
        (0..self.len()).flat_map(move |at| {
            let objects = self.page(at).into_iter().flat_map(|it| it.objects.iter().enumerate());
            objects.filter_map(move |(slot, it)| Some((ObjectId((at * PAGE + slot) as u32), it.as_ref()?)))
        })
    }

    /// Joins what `other` has to these pages; an object that both have is what `joined` makes of the two.
    ///
    /// # Errors
    /// Those of `joined`.
    pub(super) fn join<E>(
        &mut self,
        other: &Pages,
        mut joined: impl FnMut(ObjectId, &Object, &Object) -> Result<Option<Object>, E>,
    ) -> Result<(), E> {
        if self.len() < other.len() {
            self.0.resize(other.len(), Place::Empty);
        }
        for (at, (mine, theirs)) in self.0.iter_mut().zip(&other.0).enumerate() {
            match (&mut *mine, theirs) {
                (_, Place::Empty) => {}
                (Place::Empty, theirs) => *mine = theirs.clone(),
                (Place::Forgotten(all), Place::Forgotten(others)) => {
                    if !Rc::ptr_eq(all, others) {
                        *all = Rc::new(least(all, others));
                    }
                }
                (Place::Kept(page), Place::Forgotten(others)) => {
                    let alignments = least(&page.alignments, others);
                    if alignments != page.alignments {
                        Rc::make_mut(page).alignments = alignments;
                    }
                }
                (Place::Forgotten(all), Place::Kept(page)) => {
                    let alignments = least(all, &page.alignments);
                    *mine = Place::Kept(Rc::new(Page { alignments, ..(**page).clone() }));
                }
                (Place::Kept(page), Place::Kept(theirs)) if Rc::ptr_eq(page, theirs) => {}
                (Place::Kept(page), Place::Kept(theirs)) => {
                    let mut both: Page = (**page).clone();
                    both.alignments = least(&page.alignments, &theirs.alignments);
                    for slot in 0..PAGE {
                        match (&page.objects[slot], &theirs.objects[slot]) {
                            (Some(a), Some(b)) => {
                                let id = ObjectId((at * PAGE + slot) as u32);
                                if let Some(object) = joined(id, a, b)? {
                                    both.objects[slot] = Some(object);
                                }
                            }
                            (None, Some(only)) => both.objects[slot] = Some(only.clone()),
                            (_, None) => {}
                        }
                    }
                    *page = Rc::new(both);
                }
            }
        }
        Ok(())
    }
}

/// What holds for both; of an object that only one of them has, what holds there.
fn least(a: &Alignments, b: &Alignments) -> Alignments {
    std::array::from_fn(|at| a[at].min(b[at]))
}
