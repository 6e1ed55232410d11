//! Words of the language: which names it has for itself, and what a name looks like without bars.
//!
//! Knows: letters. Never: meanings.

/// Whether the name belongs to the language: it cannot be declared.
pub(crate) fn is_reserved(name: &str) -> bool {
    matches!(
        name,
        "true"
            | "false"
            | "not"
            | "and"
            | "or"
            | "xor"
            | "=>"
            | "="
            | "distinct"
            | "ite"
            | "let"
            | "forall"
            | "exists"
            | "match"
            | "par"
            | "!"
            | "_"
            | "as"
    )
}

/// What a name without bars is made of.
pub(crate) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"~!@$%^&*_-+=<>.?/".contains(&byte)
}
