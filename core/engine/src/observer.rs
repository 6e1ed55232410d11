//! Observers: what a walk shows to whoever draws it.
//!
//! Knows: the events of a walk. Never: what becomes of them.

use crate::decision::Decision;
use crate::outcome::Outcome;
use crate::path::{PathId, Trail};
use effigy_term::Term;

/// Sees a walk as it happens. All methods do nothing by default.
pub trait Observer {
    /// `child` left `parent` by `decision`, under `cond`. The last child has the parent's own id.
    fn forked(&mut self, parent: PathId, child: PathId, decision: &Decision, cond: Term) {
        let _ = (parent, child, decision, cond);
    }

    /// A path ended.
    fn ended(&mut self, path: PathId, trail: &Trail, outcome: &Outcome) {
        let _ = (path, trail, outcome);
    }
}

/// The observer that sees nothing.
impl Observer for () {}
