//! The theorems of the paper as properties of random programs on random inputs.
//!
//! Source: de Boer and Bonsangue 2021. Programs are random, well-typed, and read from their text ([`generate`],
//! [`text`]); inputs are random valuations with few objects, so that there are aliases, cycles and nil ([`inputs`]). The
//! oracle is the concrete semantics, `effigy_oo::run::concrete`, which knows no terms. Most properties need no solver: an
//! input answers the questions of a path ([`follow`]), and terms are evaluated. `EFFIGY_CASES_TIMES` makes more of all.
//!
//! | in the paper | test |
//! |---|---|
//! | lemmas 2.1, 3.3 | `lemmas`: in every open call, over σ ∪ τ; `agreement`: at the end of every path |
//! | theorems 2.3, 3.5 | `theorems`: other inputs with V(φ); `explored`: the models that the solver finds |
//! | theorems 2.4, 3.6 | `theorems`; prefixes of runs, too, and `lemmas` for the stack of closures |
//! | proposition 3.1, corollary 3.2 | `theorems` |
//! | lemma 4.3 | `lemmas` |
//! | lemma 4.4 | `lemmas` |
//! | theorem 4.5 | `trace_runs`: traces of runs, and traces with wrong decisions |
//! | 4.1: both models are the same | `same_paths` by evaluation, `explored` with the solver |
//! | section 5 | `interleavings`: all of them, and with reduction |
//!
//! Each of these has been seen to fail. What was broken by hand, and what failed then:
//!
//! | broken | failed |
//! |---|---|
//! | `h'[h.f := e]` without the aliasing conditional | 2.3, 2.4, 4.4, 4.5, same conditions, interleavings |
//! | fields in the forward model by the form of their keys | 2.3, 2.4, same conditions, interleavings |
//! | a `store` is lost | 2.1, 2.3, 2.4, same conditions, excluded errors |
//! | the arms of a merged update are exchanged | merged |
//! | in traces, `x.f` of `x := new C` is what `nil.f` is | same conditions |
//! | a new object may equal an old one | corollary 3.2 |
//! | δ of a right operand without its guard; of a receiver's receiver missing | 2.3, 2.4, 4.3 |
//! | 0 ≤ e ≤ \|a\| in the usual semantics; `mod` unguarded; `x mod 0 = 0` in the paper's | 2.3, 2.4, 4.3 |
//! | one τ for all calls; locals of traces keep their names | 2.4, 3.3 |
//! | the result of another call is returned; locals do not start as defaults | 2.3, 2.4, 3.3, same conditions |
//! | δ of a call's target is not asked for | 2.3, 2.4, excluded errors |
//! | `path(ρ)` without δ of assignments, or without tests | 4.5, same conditions |
//! | a failing condition is not deferred to the leaf | conditions at the leaf |
//! | reduction: reads do not matter, or who sleeps never wakes up | interleavings |
//! | a substitution of a trace is applied to its own result (it was so) | 2.4, 4.5, in the long run; one test of its own |
//! | `atomic` lets others move while its own threads do (it was so) | interleavings |

mod agreement;
mod concolic;
mod explored;
mod follow;
mod generate;
mod generator;
mod harness;
mod inputs;
mod interleavings;
mod lemmas;
mod merged;
mod numbers;
mod reader;
mod replayed;
mod same_paths;
mod show;
mod shrink;
mod text;
mod theorems;
mod trace_runs;
