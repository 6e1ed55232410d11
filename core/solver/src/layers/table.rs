//! The layers, each declared once: what switches it, what tells of it and what puts it into the chain read this table.
//!
//! Knows: every layer, and those parts of the backend and of the path condition that are switched in the same way.
//! Never: what is under them.

use super::cache::Cache;
use super::domains::Domains;
use super::independence::Independence;
use super::linear::Linear;
use super::model_minimizer::ModelMinimizer;
use super::over::Over;
use super::ranges::Intervals;
use super::syntactic::Syntactic;
use super::validate::Validate;
use super::witness::OwnModel;
use crate::Solver;

/// A layer of this name over others.
type Above = fn(&'static str, Box<dyn Solver>) -> Box<dyn Solver>;

/// What is declared of a layer.
struct Declaration {
    name: &'static str,
    flag: &'static str,
    alias: Option<&'static str>,
    help: Option<&'static str>,
    default: bool,
    /// `None` for a part of a backend, or of the path condition, which look for themselves whether it is on.
    over: Option<Above>,
}

/// `Kind "name" (or "older-flag"), help: what it is a layer of, default: on or off => how it is put over others`.
macro_rules! layers {
    ($($(#[$doc:meta])* $kind:ident $name:literal $(or $alias:literal)?,
        $(help: $help:literal,)? default: $default:literal => $over:expr;)*) => {
        /// The layers that can be switched, from the top of the chain down.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum LayerKind {
            $($(#[$doc])* $kind,)*
        }

        impl LayerKind {
            /// All of them, from the top of the chain down.
            pub const ALL: &[LayerKind] = &[$(LayerKind::$kind),*];
        }

        const DECLARATIONS: &[Declaration] = &[$(Declaration {
            name: $name,
            flag: concat!("no-", $name),
            alias: [$($alias)?].first().copied(),
            help: [$(concat!("Switch off the layer of ", $help))?].first().copied(),
            default: $default,
            over: $over,
        }),*];
    };
}

layers! {
    /// What the path condition implies is not added to it; a part of the path condition itself.
    Implied "implied", help: "implied conditions (kept out of the path condition)", default: true
        => None;
    /// Constants, and what φ says word for word.
    Syntactic "syntactic" or "no-fast", help: "syntactic answers", default: true
        => Some(|name, below| Box::new(Over::new(name, Syntactic, below)));
    /// The model that the path carries.
    Witness "witness", help: "the model of the path", default: true
        => Some(|name, below| Box::new(Over::new(name, OwnModel, below)));
    /// Only the conjuncts that share symbols with the goal.
    Independence "independence", help: "independent constraints", default: true
        => Some(|name, below| Box::new(Independence::new(name, below)));
    /// Sets of values for symbols of at most 8 bits.
    Domains "domains", help: "small domains", default: true
        => Some(|name, below| Box::new(Over::new(name, Domains, below)));
    /// Intervals and known bits of terms.
    Ranges "ranges", help: "intervals and known bits", default: true
        => Some(|name, below| Box::new(Over::new(name, Intervals, below)));
    /// Answers to earlier queries, by their conjuncts.
    Cache "cache", help: "earlier answers", default: true
        => Some(|name, below| Box::new(Cache::new(name, below)));
    /// Linear arithmetic over unbounded integers.
    Linear "linear", help: "linear arithmetic over integers", default: true
        => Some(|name, below| Box::new(Over::new(name, Linear::default(), below)));
    /// Models of backends in which numbers are near zero, by evaluation.
    Smaller "smaller", help: "model minimization", default: true
        => Some(|name, below| Box::new(ModelMinimizer::new(name, below)));
    /// Evaluation of each model that a backend gives. Off only in tests.
    Validate "validate", default: true
        => Some(|name, below| Box::new(Validate::new(name, below)));
    /// Circuits no wider than the values that φ leaves to their terms; a part of the backend `bits`.
    Narrowing "narrowing", help: "narrow circuits", default: true
        => None;
    /// Equalities substituted in hard queries; a part of the backend `bits`.
    Substitution "substitution", help: "substitution of equalities", default: true
        => None;
    /// Conditional values compared leaf by leaf; a part of the backend `bits`.
    Orders "orders", help: "comparisons of conditional values", default: true
        => None;
    /// A second SAT solver, which simplifies, for what the first does not decide soon; a part of the backend `bits`.
    Escalation "escalation", help: "more effort for hard queries", default: true
        => None;
    /// Of arrays and functions only that is said what a model gets wrong; a part of the backend `bits`.
    Refinement "refinement", help: "array lemmas on demand", default: true
        => None;
}

impl LayerKind {
    fn declaration(self) -> &'static Declaration {
        &DECLARATIONS[self as usize]
    }

    /// The layer's name in statistics (`cache`, `independence`).
    pub fn name(self) -> &'static str {
        self.declaration().name
    }

    /// The option of a command that switches it off, without dashes, and what the option was called before.
    pub fn flag(self) -> (&'static str, Option<&'static str>) {
        (self.declaration().flag, self.declaration().alias)
    }

    /// What is said of the option; `None` for a layer that a command does not switch.
    pub fn help(self) -> Option<&'static str> {
        self.declaration().help
    }

    /// Whether it is no layer over others but a part of what is asked, or of a backend.
    pub fn is_part(self) -> bool {
        self.declaration().over.is_none()
    }

    /// Puts this layer over `below`; `below` itself if it is only a part of one.
    pub(crate) fn over(self, below: Box<dyn Solver>) -> Box<dyn Solver> {
        match self.declaration().over {
            Some(over) => over(self.name(), below),
            None => below,
        }
    }
}

/// The set of layers that are switched on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LayerSet(u32);

impl LayerSet {
    /// No layer: only the backend.
    pub const NONE: LayerSet = LayerSet(0);

    /// This set with `layer` added.
    pub fn with(self, layer: LayerKind) -> LayerSet {
        LayerSet(self.0 | 1 << layer as u32)
    }

    /// These, without one of them.
    pub fn without(self, layer: LayerKind) -> LayerSet {
        LayerSet(self.0 & !(1 << layer as u32))
    }

    /// Whether this layer is one of them.
    pub fn has(self, layer: LayerKind) -> bool {
        self.0 >> layer as u32 & 1 == 1
    }
}

impl Default for LayerSet {
    /// Those that are on unless they are switched off.
    fn default() -> LayerSet {
        let on = LayerKind::ALL.iter().filter(|it| it.declaration().default);
        on.fold(LayerSet::NONE, |res, &it| res.with(it))
    }
}
