//! The data layout of a target: sizes and alignments of scalars.
//!
//! Knows: the string `target datalayout = "..."`. Never: types of a module.
//! Source: LLVM Language Reference, "Data Layout".

/// Sizes and alignments, in bytes where not said otherwise.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DataLayout {
    /// Multi-byte values have their low byte first.
    pub little_endian: bool,
    /// The size of a pointer in bits.
    pub pointer_bits: u32,
    /// The alignment of a pointer.
    pub pointer_align: u64,
    /// The least alignment of a structure.
    pub aggregate_align: u64,
    /// Bits and alignment of integers, by bits.
    integers: Vec<(u32, u64)>,
    floats: Vec<(u32, u64)>,
    vectors: Vec<(u32, u64)>,
    /// Address spaces whose pointers have another size.
    other_spaces: Vec<u32>,
}

/// What LLVM assumes of a target that does not say it.
const LLVM_DEFAULTS: &str =
    "e-p:64:64-i1:8-i8:8-i16:16-i32:32-i64:32-f16:16-f32:32-f64:64-f128:128-v64:64-v128:128-a:0";

/// What we assume of a module that names no target: x86-64 Linux, as of LLVM 18.
const X86_64: &str = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128";

/// The largest alignment in bits that a layout may name.
const MAX_ALIGN_BITS: u32 = 1 << 16;

impl Default for DataLayout {
    fn default() -> DataLayout {
        DataLayout::parse(X86_64).unwrap_or_else(|_| DataLayout::empty())
    }
}

impl DataLayout {
    fn empty() -> DataLayout {
        DataLayout {
            little_endian: true,
            pointer_bits: 64,
            pointer_align: 8,
            aggregate_align: 1,
            integers: Vec::new(),
            floats: Vec::new(),
            vectors: Vec::new(),
            other_spaces: Vec::new(),
        }
    }

    /// Reads the string of a data layout.
    ///
    /// # Errors
    /// The part that is malformed.
    pub fn parse(text: &str) -> Result<DataLayout, String> {
        let mut res = DataLayout::empty();
        for part in LLVM_DEFAULTS.split('-').chain(text.split('-')).filter(|it| !it.is_empty()) {
            res.part(part).ok_or_else(|| format!("`{part}` is no specification of a data layout"))?;
        }
        res.other_spaces.sort_unstable();
        Ok(res)
    }

    fn part(&mut self, part: &str) -> Option<()> {
        let mut fields = part.split(':');
        let head = fields.next()?;
        let kind = head.chars().next()?;
        let rest = head.get(kind.len_utf8()..)?;
        match kind {
            'e' if rest.is_empty() => self.little_endian = true,
            'E' if rest.is_empty() => self.little_endian = false,
            'p' => {
                // Letters after `p` say how pointers behave (LLVM 21).
                let space = rest.trim_start_matches(|it: char| it.is_ascii_alphabetic());
                let space = if space.is_empty() { 0 } else { space.parse().ok()? };
                let bits: u32 = fields.next()?.parse().ok()?;
                let align = alignment(fields.next()?)?;
                if space == 0 {
                    (self.pointer_bits, self.pointer_align) = (bits, align);
                } else if bits != 64 {
                    self.other_spaces.push(space);
                }
            }
            'i' => set(&mut self.integers, rest, fields.next()?)?,
            'f' => set(&mut self.floats, rest, fields.next()?)?,
            'v' => set(&mut self.vectors, rest, fields.next()?)?,
            'a' => self.aggregate_align = alignment(fields.next()?)?,
            // Mangling, native widths, stack alignment, function pointers, address spaces of globals.
            _ => {}
        }
        Some(())
    }

    /// The alignment of an integer: that of the next larger one which the target names, or of the largest.
    pub fn integer_align(&self, bits: u32) -> u64 {
        let at = self.integers.partition_point(|it| it.0 < bits);
        self.integers.get(at).or(self.integers.last()).map_or(1, |it| it.1)
    }

    /// The alignment of a float.
    pub fn float_align(&self, bits: u32) -> u64 {
        let known = self.floats.iter().find(|it| it.0 == bits).map(|it| it.1);
        known.unwrap_or_else(|| u64::from(bits).div_ceil(8).next_power_of_two())
    }

    /// The alignment of a vector of so many bits; `None` if it is too large.
    pub fn vector_align(&self, bits: u64) -> Option<u64> {
        let known = self.vectors.iter().find(|it| u64::from(it.0) == bits).map(|it| it.1);
        known.or_else(|| bits.div_ceil(8).checked_next_power_of_two())
    }

    /// Whether pointers of this address space are like those of the others.
    pub fn has_space(&self, space: u32) -> bool {
        self.other_spaces.binary_search(&space).is_err()
    }
}

/// An alignment in bytes, from bits.
fn alignment(text: &str) -> Option<u64> {
    let bits: u32 = text.parse().ok()?;
    let valid = bits == 0 || (bits <= MAX_ALIGN_BITS && bits.is_multiple_of(8) && bits.is_power_of_two());
    valid.then(|| u64::from(bits / 8).max(1))
}

fn set(table: &mut Vec<(u32, u64)>, bits: &str, align: &str) -> Option<()> {
    let (bits, align) = (bits.parse().ok()?, alignment(align)?);
    match table.binary_search_by_key(&bits, |it| it.0) {
        Ok(at) => table.get_mut(at)?.1 = align,
        Err(at) => table.insert(at, (bits, align)),
    }
    Some(())
}
