//! A place within a sentence.

/// ` at FILE:LINE`, to stand behind what is there; nothing where the line is unknown, as in code that a compiler made.
pub fn at(file: &str, line: u32) -> String {
    if line == 0 { String::new() } else { format!(" at {file}:{line}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_place_is_left_out() {
        assert_eq!((at("", 0), at("a.c", 3)), (String::new(), " at a.c:3".to_owned()));
    }
}
