//! The bytes of a text.
//!
//! Knows: UTF-8. Never: what a text is compared with.

use super::SymStr;
use crate::sym::Sym;
use effigy_session::Session;

/// The last character that is one byte, two, three.
const LAST: [char; 3] = ['\u{7f}', '\u{7ff}', '\u{ffff}'];

/// So many bytes characters are, without asking.
#[track_caller]
pub(super) fn length(chars: &[Sym<char>]) -> Sym<usize> {
    let of = |it: &Sym<char>| {
        LAST.into_iter().fold(Sym::plain(1usize), |sum, last| sum.wrapping_add(it.greater(last).cast::<usize>()))
    };
    chars.iter().fold(Sym::plain(0usize), |sum, it| sum.wrapping_add(of(it)))
}

impl SymStr {
    /// So many bytes it is, without asking.
    #[track_caller]
    pub fn len(&self) -> Sym<usize> {
        length(&self.chars)
    }

    /// Its bytes; asks how many each character is, where they are not all of ASCII.
    #[track_caller]
    pub fn bytes(&self) -> std::vec::IntoIter<Sym<u8>> {
        let mut res = Vec::new();
        for it in &self.chars {
            let above = LAST.map(|last| it.greater(last));
            let size = 1 + match above.map(Sym::as_plain) {
                [Some(a), Some(b), Some(c)] => usize::from(a) + usize::from(b) + usize::from(c),
                _ => {
                    let [one, two, three] = above;
                    let session = Session::current();
                    session.decide_among(&[!one, one & !two, two & !three, three].map(|it| it.term(&session)))
                }
            };
            let code = it.code();
            // Six bits in each byte but the first, which tells how many there are.
            let rest = |place: usize| code.wrapping_shr(6 * place as u32).cast::<u8>();
            let mark = [0u8, 0xc0, 0xe0, 0xf0][size - 1];
            res.push(rest(size - 1) | mark);
            res.extend((0..size - 1).rev().map(|place| (rest(place) & 0x3f) | 0x80));
        }
        res.into_iter()
    }

    /// The bytes of the text, as [`SymStr::bytes`] has them.
    #[track_caller]
    pub fn into_bytes(self) -> Vec<Sym<u8>> {
        self.bytes().collect()
    }
}
