//! What `import <path>` names: the files of Viper's own library, in our words.
//!
//! Knows: the paths of the library. Never: what a measure proves.

macro_rules! texts {
    ($($path:literal)*) => { [$(($path, include_str!(concat!("standard/", $path)))),*] };
}

/// The files by path.
const TEXTS: [(&str, &str); 15] = texts! {
    "adt/contains.vpr"
    "adt/derives.vpr"
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

/// The text of the file of the standard library that a path names.
pub fn standard(path: &str) -> Option<&'static str> {
    TEXTS.iter().find(|it| it.0 == path).map(|it| it.1)
}
