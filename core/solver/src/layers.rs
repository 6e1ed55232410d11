//! The layers of the chain: each answers what it can and hands the rest down. A file each, declared once, in `table`.

mod table;

mod cache;
mod domains;
mod independence;
mod linear;
mod log;
mod model_minimizer;
mod over;
mod ranges;
mod syntactic;
mod validate;
mod witness;

pub(crate) use log::Log;
pub use table::{LayerKind, LayerSet};
