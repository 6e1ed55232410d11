//! The simplification rules by name: counted, and switched off one by one, so that a wrong one can be found.
//!
//! Knows: names, how often each rule was used in an arena. Never: what a rule says; the canonical forms of constants, sums,
//! conjunctions and comparisons of integers are no rules, and stay.
//! Source: Niemetz and Preiner, "Bitwuzla", CAV 2023, whose rewrites are named and counted.

use std::cell::Cell;

/// Declares the rules, each with its name in flags, statistics and `core/term/tests/laws.txt`.
macro_rules! rules {
    ($($rule:ident = $name:literal,)*) => {
        /// A simplification rule that can be counted and switched off.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[expect(missing_docs, reason = "each rule is stated where it is applied, and by a law of its name")]
        pub enum Rule {
            $($rule,)*
        }

        impl Rule {
            /// All rules, in the order in which they are declared.
            pub const ALL: &'static [Rule] = &[$(Rule::$rule,)*];

            /// The name of the rule in flags and statistics.
            pub fn name(self) -> &'static str {
                match self {
                    $(Rule::$rule => $name,)*
                }
            }
        }
    };
}

rules! {
    EqComplement = "eq-complement",
    IteThenIte = "ite-then-ite",
    IteElseIte = "ite-else-ite",
    IteTrueElse = "ite-true-else",
    IteFalseElse = "ite-false-else",
    IteThenTrue = "ite-then-true",
    IteThenFalse = "ite-then-false",
    IteThenCondition = "ite-then-condition",
    IteElseCondition = "ite-else-condition",
    SumOfComplement = "sum-of-complement",
    UltSelf = "ult-self",
    UltExtensions = "ult-extensions",
    UltZero = "ult-zero",
    UltOne = "ult-one",
    UltMax = "ult-max",
    UltIte = "ult-ite",
    UltExtension = "ult-extension",
    UltOfMax = "ult-of-max",
    UltOfZero = "ult-of-zero",
    UltConstant = "ult-constant",
    UltWrapped = "ult-wrapped",
    UltUnwrapped = "ult-unwrapped",
    SltSelf = "slt-self",
    SltBound = "slt-bound",
    SltIte = "slt-ite",
    SltZeroExtensions = "slt-zero-extensions",
    SltSignExtensions = "slt-sign-extensions",
    SltZero = "slt-zero",
    SltConstantZero = "slt-constant-zero",
    SltSign = "slt-sign",
    SltConstantSign = "slt-constant-sign",
    EqExtensions = "eq-extensions",
    EqComplements = "eq-complements",
    EqAddConstant = "eq-add-constant",
    EqConstMinus = "eq-const-minus",
    EqScaled = "eq-scaled",
    EqSums = "eq-sums",
    EqZeroExtension = "eq-zero-extension",
    EqSignExtension = "eq-sign-extension",
    EqConcat = "eq-concat",
    EqComplementConstant = "eq-complement-constant",
    EqXor = "eq-xor",
    EqAndNever = "eq-and-never",
    EqOrNever = "eq-or-never",
    EqIte = "eq-ite",
    ExtractExtract = "extract-extract",
    ExtractConcat = "extract-concat",
    ExtractZero = "extract-zero",
    ExtractSign = "extract-sign",
    ExtractSum = "extract-sum",
    ExtractProduct = "extract-product",
    ExtractBitwise = "extract-bitwise",
    ExtractNot = "extract-not",
    ExtractIte = "extract-ite",
    ExtractDisjoint = "extract-disjoint",
    ConcatZero = "concat-zero",
    ConcatExtracts = "concat-extracts",
    ConcatLeft = "concat-left",
    ConcatRight = "concat-right",
    ConcatZeroExtension = "concat-zero-extension",
    ConcatItes = "concat-ites",
    ZeroIte = "zero-ite",
    ZeroZero = "zero-zero",
    SignIte = "sign-ite",
    SignSign = "sign-sign",
    SignZero = "sign-zero",
    BvnotIte = "bvnot-ite",
    BitwiseSelf = "bitwise-self",
    BvxorSelf = "bvxor-self",
    BvandComplement = "bvand-complement",
    BvorComplement = "bvor-complement",
    BitwiseExtensions = "bitwise-extensions",
    BvandZero = "bvand-zero",
    BvandOnes = "bvand-ones",
    BitwiseZero = "bitwise-zero",
    BvorOnes = "bvor-ones",
    BvxorOnes = "bvxor-ones",
    BvandMask = "bvand-mask",
    BitwiseConstants = "bitwise-constants",
    BitwiseExtension = "bitwise-extension",
    BitwiseIte = "bitwise-ite",
    ShiftOfZero = "shift-of-zero",
    ShiftByZero = "shift-by-zero",
    ShlConstant = "shl-constant",
    LshrConstant = "lshr-constant",
    AshrConstant = "ashr-constant",
    UremExtensions = "urem-extensions",
    DivisionOne = "division-one",
    UdivPower = "udiv-power",
    UremPower = "urem-power",
    DivisionExtension = "division-extension",
    FloatLessSelf = "float-less-self",
    FloatLessOrEqualSelf = "float-less-or-equal-self",
    FloatNumber = "float-number",
    FloatConvertSame = "float-convert-same",
    IntEither = "int-either",
    IntQuot = "int-quot",
    IntRem = "int-rem",
    SelectStore = "select-store",
    SelectStoreOther = "select-store-other",
    SelectConst = "select-const",
    StoreStore = "store-store",
}

impl Rule {
    /// The rule of this name.
    pub fn of_name(name: &str) -> Option<Rule> {
        Rule::ALL.iter().copied().find(|it| it.name() == name)
    }
}

/// How often each rule was used in an arena; [`OFF`] marks one that is switched off.
#[derive(Debug)]
pub(crate) struct RuleCounters([Cell<u64>; Rule::ALL.len()]);

/// No rule is used so often.
const OFF: u64 = 1 << 63;

impl RuleCounters {
    pub(crate) fn without(rules: &[Rule]) -> RuleCounters {
        let res = RuleCounters([const { Cell::new(0) }; Rule::ALL.len()]);
        rules.iter().for_each(|it| res.0[*it as usize].set(OFF));
        res
    }

    /// Whether the rule is on; it is counted as used.
    #[inline]
    pub(crate) fn uses(&self, rule: Rule) -> bool {
        let counter = &self.0[rule as usize];
        let count = counter.get();
        if count >= OFF {
            return false;
        }
        counter.set(count + 1);
        true
    }

    pub(crate) fn count(&self, rule: Rule) -> u64 {
        self.0[rule as usize].get() & !OFF
    }
}
