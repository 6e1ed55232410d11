//! The reader on what compilers write, and on what nobody should.

use effigy_llvm::reader::read;

const TEXT: &str = include_str!("../reader/module.ll");

#[test]
fn constructs_of_old_and_new_versions_are_read() {
    let module = read(TEXT.as_bytes()).expect("the module is well-formed");
    let names: Vec<&str> = module.globals.iter().map(|it| &*it.name).collect();
    assert!(names.contains(&"main") && names.contains(&"a quoted name"), "{names:?}");
}

/// A small generator of numbers: the same mutations on every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % bound.max(1)
    }
}

#[test]
fn mutated_files_are_read_or_refused_with_a_place() {
    let mut numbers = Numbers(1);
    let lines = TEXT.lines().count() as u32;
    for _ in 0..2000 {
        let mut text = TEXT.as_bytes().to_vec();
        for _ in 0..1 + numbers.below(3) {
            let at = numbers.below(text.len());
            match numbers.below(5) {
                0 => text.truncate(at),
                1 => {
                    if let Some(byte) = text.get_mut(at) {
                        *byte ^= 1 << numbers.below(8);
                    }
                }
                2 => {
                    let end = (at + numbers.below(40)).min(text.len());
                    text.drain(at..end);
                }
                3 => {
                    let end = (at + numbers.below(60)).min(text.len());
                    let copy = text[at..end].to_vec();
                    let to = numbers.below(text.len());
                    text.splice(to..to, copy);
                }
                _ => {
                    let junk: &[&[u8]] = &[b"(", b"}", b"[999999999999 x i8]", b"%", b"@", b"\"", b"<", b"i0", b"\xff"];
                    let chosen = junk[numbers.below(junk.len())];
                    text.splice(at..at, chosen.iter().copied());
                }
            }
        }
        let texts = [("mutated.ll".to_owned(), text.clone())];
        match read(&text) {
            // What is read can be laid out and linked, or is refused by name.
            Ok(_) => drop(effigy_llvm::load(&texts, effigy_llvm::Options::default())),
            Err(error) => assert!(error.line >= 1 && error.line <= lines + 60, "{error}"),
        }
    }
}

#[test]
fn nesting_is_bounded() {
    let deep = format!("@x = global {}i8{} zeroinitializer", "[1 x ".repeat(100_000), "]".repeat(100_000));
    let error = read(deep.as_bytes()).expect_err("too deep");
    assert!(error.message.contains("nest more than"), "{error}");
}
