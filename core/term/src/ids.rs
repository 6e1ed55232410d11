//! Indices into tables, each kind a type of its own.
//!
//! Knows: the macro that declares them. Never: what the tables hold.

/// Declares index types: `ids! { /// Index into ... ClassId, /// Index into ... FieldId }`.
#[macro_export]
macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub struct $name(pub u32);
        impl $name {
            /// The index into the table of its kind.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )* };
}
