//! Sequences, sets, multisets and maps: their sorts, operations and axioms over terms.
