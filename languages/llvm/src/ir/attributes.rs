//! Words that qualify instructions, parameters, functions and globals: those that may matter to execution.
//!
//! Knows: their spelling. Never: where they may stand, what they promise.

use std::fmt;
use std::ops::BitOr;

macro_rules! flags {
    ($(#[$doc:meta])* $name:ident { $($(#[$flag_doc:meta])* $flag:ident = $bit:literal $word:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
        pub struct $name(u32);

        impl $name {
            /// None of them.
            pub const NONE: $name = $name(0);
            $($(#[$flag_doc])* pub const $flag: $name = $name(1 << $bit);)*

            /// The flag that a word spells.
            pub fn of_word(word: &[u8]) -> Option<$name> {
                $(if word == $word.as_bytes() {
                    return Some($name::$flag);
                })*
                None
            }

            /// Whether all of `other` are set.
            pub fn has(self, other: $name) -> bool {
                self.0 & other.0 == other.0
            }
        }

        impl BitOr for $name {
            type Output = $name;

            fn bitor(self, other: $name) -> $name {
                $name(self.0 | other.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                let set = [$(($word, $name::$flag)),*].into_iter().filter(|it| self.has(it.1)).map(|it| it.0);
                out.write_str(&set.collect::<Vec<_>>().join(" "))
            }
        }
    };
}

flags! {
    /// Promises and modes of an instruction.
    InstructionFlags {
        /// No unsigned wrap, else poison.
        NUW = 0 "nuw",
        /// No signed wrap, else poison.
        NSW = 1 "nsw",
        /// No remainder and no bits shifted out, else poison.
        EXACT = 2 "exact",
        /// No common bits, else poison.
        DISJOINT = 3 "disjoint",
        /// Not negative, else poison.
        NNEG = 4 "nneg",
        /// Operands of one sign, else poison.
        SAMESIGN = 5 "samesign",
        /// All addresses on the way stay in the object, else poison.
        INBOUNDS = 6 "inbounds",
        /// No unsigned-signed wrap of an address, else poison.
        NUSW = 7 "nusw",
        /// Accesses that are observed.
        VOLATILE = 8 "volatile",
        /// An atomic access.
        ATOMIC = 9 "atomic",
        /// A `cmpxchg` that may fail spuriously.
        WEAK = 10 "weak",
        /// Memory for arguments.
        INALLOCA = 11 "inalloca",
        /// No NaN, else poison.
        NNAN = 12 "nnan",
        /// No infinity, else poison.
        NINF = 13 "ninf",
        /// The sign of zero does not matter.
        NSZ = 14 "nsz",
        /// Division may become multiplication by the reciprocal.
        ARCP = 15 "arcp",
        /// Operations may be fused.
        CONTRACT = 16 "contract",
        /// Library functions may be approximated.
        AFN = 17 "afn",
        /// Operations may be reassociated.
        REASSOC = 18 "reassoc",
        /// All of the seven above.
        FAST = 19 "fast",
        /// A load of something that is defined, else undefined behaviour: metadata, `!noundef !3`.
        NOUNDEF = 20 "!noundef",
    }
}

flags! {
    /// Attributes of a parameter, argument or result.
    ParameterFlags {
        /// Extended with zeros by the caller.
        ZEROEXT = 0 "zeroext",
        /// Extended with the sign by the caller.
        SIGNEXT = 1 "signext",
        /// Where the callee writes its result.
        SRET = 2 "sret",
        /// A copy of what it points to is passed.
        BYVAL = 3 "byval",
        /// Not null, else poison.
        NONNULL = 4 "nonnull",
        /// Not undefined, else undefined behaviour.
        NOUNDEF = 5 "noundef",
        /// Not accessed through other pointers meanwhile.
        NOALIAS = 6 "noalias",
        /// It is what the function returns.
        RETURNED = 7 "returned",
        /// Not written through.
        READONLY = 8 "readonly",
        /// Not read through.
        WRITEONLY = 9 "writeonly",
        /// Neither read nor written through.
        READNONE = 10 "readnone",
        /// A constant.
        IMMARG = 11 "immarg",
        /// The frame of an enclosing function.
        NEST = 12 "nest",
        /// Passed in memory, not copied.
        BYREF = 13 "byref",
        /// Passed in memory that the caller made.
        INALLOCA = 14 "inalloca",
        /// In a register.
        INREG = 15 "inreg",
    }
}

flags! {
    /// Attributes of a function or call.
    FunctionFlags {
        /// Does not return.
        NORETURN = 0 "noreturn",
        /// Does not unwind.
        NOUNWIND = 1 "nounwind",
        /// Returns or ends in a defined way.
        WILLRETURN = 2 "willreturn",
        /// Not optimised.
        OPTNONE = 3 "optnone",
        /// Not inlined.
        NOINLINE = 4 "noinline",
        /// Always inlined.
        ALWAYSINLINE = 5 "alwaysinline",
        /// Rarely executed.
        COLD = 6 "cold",
        /// Without prologue.
        NAKED = 7 "naked",
        /// May return twice, as `setjmp`.
        RETURNS_TWICE = 8 "returns_twice",
        /// Not the library function of this name.
        NOBUILTIN = 9 "nobuiltin",
        /// The library function of this name although `nobuiltin`.
        BUILTIN = 10 "builtin",
        /// Reads and writes no memory (`memory(none)` since LLVM 16).
        READNONE = 11 "readnone",
        /// Writes no memory (`memory(read)` since LLVM 16).
        READONLY = 12 "readonly",
        /// Floating-point operations depend on the environment.
        STRICTFP = 13 "strictfp",
        /// Does not return to code of this module by other ways.
        NOCALLBACK = 14 "nocallback",
        /// Not called again while it is active.
        NORECURSE = 15 "norecurse",
        /// Control flow that it depends on must not be changed.
        CONVERGENT = 16 "convergent",
        /// Has no undefined behaviour.
        SPECULATABLE = 17 "speculatable",
    }
}

macro_rules! words {
    ($(#[$doc:meta])* $name:ident, default $default:ident { $($(#[$variant_doc:meta])* $variant:ident $word:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum $name {
            $($(#[$variant_doc])* $variant,)*
        }

        impl $name {
            /// What a word spells.
            pub fn of_word(word: &[u8]) -> Option<$name> {
                $(if word == $word.as_bytes() {
                    return Some($name::$variant);
                })*
                None
            }
        }

        impl Default for $name {
            fn default() -> $name {
                $name::$default
            }
        }
    };
}

words! {
    /// How other modules see a global.
    Linkage, default External {
        /// Seen by all (also the default, without a word).
        External "external",
        /// Not seen, not even by the linker.
        Private "private",
        /// Not seen by other modules.
        Internal "internal",
        /// A copy of a definition elsewhere, for inlining.
        AvailableExternally "available_externally",
        /// One of equal names is kept, if it is used.
        Linkonce "linkonce",
        /// The same, and all are equivalent.
        LinkonceOdr "linkonce_odr",
        /// One of equal names is kept; a definition that is not weak wins.
        Weak "weak",
        /// The same, and all are equivalent.
        WeakOdr "weak_odr",
        /// A tentative definition of C.
        Common "common",
        /// Arrays that are joined.
        Appending "appending",
        /// Null unless another module defines it.
        ExternWeak "extern_weak",
    }
}

impl Linkage {
    /// Not visible in other modules.
    pub fn is_local(self) -> bool {
        matches!(self, Linkage::Private | Linkage::Internal)
    }

    /// A definition of another module may take its place.
    pub fn is_weak(self) -> bool {
        matches!(
            self,
            Linkage::AvailableExternally
                | Linkage::Linkonce
                | Linkage::LinkonceOdr
                | Linkage::Weak
                | Linkage::WeakOdr
                | Linkage::Common
                | Linkage::ExternWeak
        )
    }
}

words! {
    /// The ordering of an atomic access.
    Ordering, default NotAtomic {
        /// An ordinary access.
        NotAtomic "",
        /// Not torn.
        Unordered "unordered",
        /// One order per address.
        Monotonic "monotonic",
        /// What follows stays after it.
        Acquire "acquire",
        /// What precedes stays before it.
        Release "release",
        /// Both.
        AcqRel "acq_rel",
        /// One order of all.
        SeqCst "seq_cst",
    }
}

words! {
    /// Whether a call is a tail call.
    Tail, default No {
        /// Nothing is said.
        No "",
        /// It may be one.
        May "tail",
        /// It is one.
        Must "musttail",
        /// It is none.
        Never "notail",
    }
}
