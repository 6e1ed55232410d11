//! Random operations on constant floats: z3 says that the value which we print is theirs.
//!
//! What the standard leaves open is no constant to us, and not asked.

use crate::against_z3::{Dice, z3};
use effigy_smtlib::{QueryForm, ReadLimits, Reader, Script, ScriptCommand, ScriptSession, Splitter};
use effigy_solver::{Backend, QueryBudget, SolverConfig, chain};
use effigy_term::{Node, Terms};
use effigy_testing::{cases, is_campaign};

/// Bits of exponent and of significand.
type Format = (u64, u64);

/// Small ones, whose corners are soon met, and those that programs use.
const FORMATS: &[Format] =
    &[(2, 3), (3, 3), (2, 6), (3, 5), (4, 4), (5, 3), (5, 11), (8, 8), (8, 24), (11, 53), (15, 64)];

fn bits(dice: &mut Dice, width: u64) -> String {
    // Long runs are what ends of ranges are made of.
    let runs = dice.roll(3) == 0;
    let mut bit = dice.roll(2);
    let digits: String = (0..width)
        .map(|_| {
            let turns = if runs { dice.roll(6) == 0 } else { dice.roll(2) == 0 };
            bit ^= u64::from(turns);
            char::from(b'0' + bit as u8)
        })
        .collect();
    format!("#b{digits}")
}

fn mode(dice: &mut Dice) -> &'static str {
    let modes: [&'static str; 7] = ["RNE", "RNA", "RTP", "RTN", "RTZ", "roundTowardPositive", "roundNearestTiesToAway"];
    modes[dice.roll(7) as usize]
}

fn constant(dice: &mut Dice, (e, s): Format) -> String {
    match dice.roll(7) {
        0 => format!("(_ {} {e} {s})", dice.of(&["NaN", "+oo", "-oo", "+zero", "-zero"])),
        1 => {
            let size = dice.roll(12);
            let amount = format!("{}.{}", dice.roll(1 << size), dice.roll(1000));
            let amount = if dice.roll(2) == 0 { format!("(- {amount})") } else { amount };
            format!("((_ to_fp {e} {s}) {} {amount})", mode(dice))
        }
        2 => {
            let fraction = format!("(/ {}.0 {}.0)", dice.roll(100_000), 1 + dice.roll(10_000));
            format!("((_ to_fp {e} {s}) {} {fraction})", mode(dice))
        }
        3 => format!("((_ to_fp {e} {s}) {})", bits(dice, e + s)),
        // Near one, where sums and products round.
        4 => {
            let exponent = (1 << (e - 1)) - 1 - u64::from(e > 2) + dice.roll(3);
            format!("(fp {} #b{exponent:0>e$b} {})", bits(dice, 1), bits(dice, s - 1), e = e as usize)
        }
        _ => format!("(fp {} {} {})", bits(dice, 1), bits(dice, e), bits(dice, s - 1)),
    }
}

fn float(dice: &mut Dice, format: Format, depth: u32) -> String {
    if depth == 0 {
        return constant(dice, format);
    }
    let ((e, s), d) = (format, depth - 1);
    match dice.roll(13) {
        0..=3 => {
            let op = dice.of(&["fp.add", "fp.sub", "fp.mul", "fp.div"]);
            format!("({op} {} {} {})", mode(dice), float(dice, format, d), float(dice, format, d))
        }
        // With three bits of significand z3 4.8 rounds it wrongly: it makes `-2^15 + 1.5 * 2^-17` another number than -2^15.
        4 if s > 3 => {
            let [a, b, c] = [0; 3].map(|_| float(dice, format, d));
            format!("(fp.fma {} {a} {b} {c})", mode(dice))
        }
        5 => format!("(fp.sqrt {} {})", mode(dice), float(dice, format, d)),
        // With two bits of exponent z3 4.8 rounds 13/32 to one.
        6 if e > 2 => format!("(fp.roundToIntegral {} {})", mode(dice), float(dice, format, d)),
        7 => format!("({} {} {})", dice.of(&["fp.min", "fp.max"]), float(dice, format, d), float(dice, format, d)),
        8 => format!("({} {})", dice.of(&["fp.abs", "fp.neg"]), float(dice, format, d)),
        9 => format!("(fp.rem {} {})", float(dice, format, d), float(dice, format, d)),
        10 => format!("(ite {} {} {})", truth(dice, format, d), float(dice, format, d), float(dice, format, d)),
        11 => {
            let from = FORMATS[dice.roll(FORMATS.len() as u64) as usize];
            format!("((_ to_fp {e} {s}) {} {})", mode(dice), float(dice, from, d))
        }
        _ => {
            let op = dice.of(&["to_fp", "to_fp_unsigned"]);
            let width = 1 + dice.roll(20);
            format!("((_ {op} {e} {s}) {} {})", mode(dice), bits(dice, width))
        }
    }
}

fn truth(dice: &mut Dice, format: Format, depth: u32) -> String {
    let [a, b, c] = [0; 3].map(|_| float(dice, format, depth));
    match dice.roll(3) {
        // The simplifier of z3 leaves `distinct` of three.
        0 => format!("({} {a} {b})", dice.of(&["fp.leq", "fp.lt", "fp.geq", "fp.gt", "fp.eq", "=", "distinct"])),
        1 => format!("({} {a} {b} {c})", dice.of(&["fp.leq", "fp.lt", "fp.geq", "fp.gt", "fp.eq", "="])),
        _ => {
            let classes = [
                "fp.isNormal",
                "fp.isSubnormal",
                "fp.isZero",
                "fp.isInfinite",
                "fp.isNaN",
                "fp.isNegative",
                "fp.isPositive",
            ];
            format!("({} {a})", dice.of(&classes))
        }
    }
}

fn any(dice: &mut Dice, format: Format) -> String {
    match dice.roll(10) {
        0 | 1 => truth(dice, format, 1),
        2 | 3 => {
            let (op, width) = (dice.of(&["fp.to_ubv", "fp.to_sbv"]).to_owned(), 1 + dice.roll(12));
            format!("((_ {op} {width}) {} {})", mode(dice), float(dice, format, 1))
        }
        4 => format!("(fp.to_real {})", float(dice, format, 1)),
        _ => {
            let depth = 1 + dice.roll(2) as u32;
            float(dice, format, depth)
        }
    }
}

/// Whether the value of a term is not left open; an error where the term is none.
fn is_known(term: &str) -> Result<bool, String> {
    let terms = Terms::new();
    let mut splitter = Splitter::new();
    splitter.push(format!("(get-value ({term}))").as_bytes());
    let written = splitter.next_command().expect("a command").expect("a command");
    let command = Reader::new(&terms, ReadLimits::default()).command(written).map_err(|error| error.to_string())?;
    let ScriptCommand::GetValue(values) = command else { return Ok(false) };
    Ok(matches!(terms.node(values[0].1), Node::Bool(_) | Node::BitVec(_) | Node::Real(_)))
}

/// The value that we print. A mode of the term is a symbol, so that the model's value is computed, not what is constant.
fn value(term: &str) -> String {
    let is_real = term.starts_with("(fp.to_real");
    let term = &if is_real { term.to_owned() } else { term.replace("RNE", "nearest").replace("RTP", "up") };
    let config = SolverConfig { backend: Backend::Bits, ..SolverConfig::default() };
    let terms = Terms::new();
    let mut solver = chain(&config);
    let session = ScriptSession::new(&terms, &mut *solver, QueryBudget::default(), QueryForm::Grown);
    let mut run = Script::new(Reader::new(&terms, ReadLimits::default()), session);
    let mut out = String::new();
    let script = format!(
        "(declare-const nearest RoundingMode)(declare-const up RoundingMode)
         (assert (and (= nearest RNE) (= up RTP)))(check-sat)(get-value ({term}))"
    );
    run.feed(script.as_bytes(), &mut |it| out.push_str(it)).unwrap_or_else(|error| panic!("{error}\n{script}"));
    let text = out.trim().strip_prefix("sat").expect("these have values").trim();
    let text = text.strip_prefix(&format!("(({term} ")).and_then(|it| it.strip_suffix("))"));
    text.unwrap_or_else(|| panic!("{out}")).to_owned()
}

#[test]
fn z3_computes_the_same_floats() {
    effigy_testing::require!("z3");
    let mut dice = Dice::new(if is_campaign() { u64::from(std::process::id()) << 16 } else { 0 });
    let (mut known, mut open) = (0, 0);
    // One process for many terms: its start takes longer than they do. It gets all before we listen, so not too many.
    for _ in 0..cases(3) {
        let (mut script, mut asked) = (String::new(), Vec::new());
        for _ in 0..1000 {
            let format = FORMATS[dice.roll(FORMATS.len() as u64) as usize];
            let term = any(&mut dice, format);
            match is_known(&term) {
                Ok(true) => {
                    let question = format!("(= {term} {})", value(&term));
                    script.push_str(&format!("(echo \";\")\n(simplify {question})\n"));
                    asked.push(question);
                }
                Ok(false) => open += 1,
                // Of an infinite one there is no fraction.
                Err(error) => assert!(error.contains("`fp.to_real` of what is no"), "{error}\n{term}"),
            }
        }
        // An answer that is no value has several lines.
        let answers = z3(&script).join("\n");
        let answers: Vec<&str> = answers.split(';').skip(1).map(str::trim).collect();
        assert_eq!(answers.len(), asked.len());
        // What is open to both may have a class that only we see: either zero is no NaN.
        let is_wrong =
            |it: &(&String, &str)| it.1 != "true" && !["fp.min", "fp.max"].iter().any(|op| it.1.contains(op));
        let wrong: Vec<(&String, &str)> = asked.iter().zip(answers).filter(is_wrong).collect();
        assert!(wrong.is_empty(), "{} of {}: {wrong:#?}", wrong.len(), asked.len());
        known += asked.len();
    }
    assert!(known > 2000 && open > 20, "{known} {open}");
}
