//! Which addresses are those of objects, and which objects lie apart.
//!
//! Knows: when objects have lived. Never: what depends on it (`step::placement`).

use super::{FOREVER, Life, Memory, ObjectId, ObjectKind};

impl Memory {
    /// Whether a number is the address of a byte of an object that exists or has existed, or of its end.
    #[inline]
    pub(crate) fn is_address_of_any(&self, number: u64) -> bool {
        let id = number >> 32;
        id != 0 && id < u64::from(self.next) && self.is_in_place(number)
    }

    fn is_in_place(&self, number: u64) -> bool {
        let (id, offset) = ObjectId::of_address(number);
        let size = match self.get(id) {
            Some(object) => object.size.most(),
            // A local variable that is forgotten.
            None => super::UNIT - 1,
        };
        u64::try_from(offset).is_ok_and(|it| it <= size)
    }

    /// What object `id` is, or was, aligned to, as the binary logarithm.
    pub(crate) fn alignment(&self, id: ObjectId) -> u8 {
        self.get(id).map_or_else(|| self.pages.alignment(id), |it| it.align)
    }

    /// Whether two addresses, of different objects, differ wherever these lie.
    pub(crate) fn are_apart(&self, (a, at): (ObjectId, i64), (b, other): (ObjectId, i64)) -> bool {
        if !self.live_together(a, b) {
            return false;
        }
        // Objects that live at one time: only the end of one may be where the other begins. `malloc(0)`, and a function,
        // have an address of their own.
        let size = |id: ObjectId| {
            let (size, kind) = self.get(id).map_or((0, ObjectKind::Stack), |it| (it.size.most(), it.kind));
            size.max(u64::from(kind != ObjectKind::Stack)) as i64
        };
        let (here, there) = (size(a), size(b));
        let inside = (0..=here).contains(&at) && (0..=there).contains(&other);
        inside && !(at == here && other == 0) && !(other == there && at == 0)
    }

    /// Whether two different objects have lived at one time, so that no byte of one can be a byte of the other.
    pub(crate) fn live_together(&self, a: ObjectId, b: ObjectId) -> bool {
        !self.may_follow(a, b) && !self.may_follow(b, a)
    }

    /// Whether `later` may lie where `earlier` was.
    fn may_follow(&self, earlier: ObjectId, later: ObjectId) -> bool {
        let stays = |it: ObjectKind| matches!(it, ObjectKind::Global | ObjectKind::Constant | ObjectKind::Function);
        // Only local variables are forgotten.
        let kind = |id: ObjectId| self.get(id).map_or(ObjectKind::Stack, |it| it.kind);
        if stays(kind(earlier)) || kind(earlier) != kind(later) {
            return false;
        }
        let until = match self.get(earlier) {
            Some(it) if it.life == Life::Live && it.ended.is_none() => FOREVER,
            Some(it) if it.until != FOREVER => it.until,
            _ => ObjectId(earlier.0 + 1),
        };
        later >= until
    }
}
