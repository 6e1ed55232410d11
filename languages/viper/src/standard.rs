//! What `import <path>` names: the orders of Viper's own library, in our words.
//!
//! Knows: the paths of the library and which of its files there are here. Never: what a measure proves.
//!
//! A file that is not here (ADTs) is one of the library all the same: its import is unsupported, and no mistake.

/// A file of the standard library.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standard {
    /// The text of the file, in our own words.
    Text(&'static str),
    /// Viper has it, we do not.
    Unsupported,
}

macro_rules! texts {
    ($($path:literal)*) => { [$(($path, include_str!(concat!("standard/", $path)))),*] };
}

/// The files that we have, by path.
const TEXTS: [(&str, &str); 13] = texts! {
    "decreases/all.vpr"
    "decreases/bool.vpr"
    "decreases/declaration.vpr"
    "decreases/int.vpr"
    "decreases/multiset.vpr"
    "decreases/perm.vpr"
    "decreases/predicate_instance.vpr"
    "decreases/predicate_instance_nested.vpr"
    "decreases/rational.vpr"
    "decreases/ref.vpr"
    "decreases/seq.vpr"
    "decreases/set.vpr"
    "predicateinstance/pi.vpr"
};

/// The files of Viper that we do not have.
const OTHERS: [&str; 2] = ["adt/contains.vpr", "adt/derives.vpr"];

/// The file of the standard library that a path names.
pub fn standard(path: &str) -> Option<Standard> {
    let text = TEXTS.iter().find(|it| it.0 == path).map(|it| Standard::Text(it.1));
    text.or_else(|| OTHERS.contains(&path).then_some(Standard::Unsupported))
}
