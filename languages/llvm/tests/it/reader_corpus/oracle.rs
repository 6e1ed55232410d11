//! Layouts and numbers as LLVM itself computes them, where a clang is installed: its assembly is compared with ours.

use super::{global, module};
use effigy_llvm::ir::{Constant, GlobalKind};
use std::collections::BTreeMap;
use std::io::Write;
use std::process::{Command, Stdio};

const OLD: &str = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128";
const NEW: &str = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128";

/// Compilers with the data layout of their x86-64.
const CLANGS: [(&str, &str); 3] = [("clang-14", OLD), ("clang-16", OLD), ("clang-19", NEW)];

/// Feeds IR to a compiler: its output or its errors; `None` if it is not installed.
fn clang(name: &str, flags: &[&str], text: &str) -> Option<Result<String, String>> {
    let mut command = Command::new(name);
    command.args(["-x", "ir", "-S", "-o", "-", "-", "-Wno-override-module"]).args(flags);
    let streams = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut process = streams.spawn().ok()?;
    // Dropped at the end of the statement, which closes it.
    process.stdin.take()?.write_all(text.as_bytes()).ok()?;
    let output = process.wait_with_output().ok()?;
    let lossy = |it: &[u8]| String::from_utf8_lossy(it).into_owned();
    Some(if output.status.success() { Ok(lossy(&output.stdout)) } else { Err(lossy(&output.stderr)) })
}

/// The assembly of a text that LLVM takes.
fn assembly(name: &str, text: &str) -> Option<String> {
    clang(name, &["-O0"], text).map(|it| it.unwrap_or_else(|errors| panic!("{name}: {errors}")))
}

/// The contents of the variables of an assembly file, low byte first.
fn variables(assembly: &str) -> BTreeMap<String, u128> {
    let mut res: BTreeMap<String, (u128, u32)> = BTreeMap::new();
    let mut current = None;
    for line in assembly.lines() {
        let line = line.split('#').next().unwrap_or("");
        if let Some(label) = line.strip_suffix(':').or(line.trim_end().strip_suffix(':')) {
            current = Some(label.trim().to_owned());
            continue;
        }
        let mut words = line.split_whitespace();
        let bits = match words.next() {
            Some(".byte") => 8,
            Some(".short") => 16,
            Some(".long") => 32,
            Some(".quad") => 64,
            _ => continue,
        };
        let (Some(name), Some(number)) = (&current, words.next()) else { continue };
        // Offsets from null are written as sums: `0+24`.
        let terms = number.split('+').map(|it| match it.strip_prefix("0x") {
            Some(digits) => i128::from_str_radix(digits, 16),
            None => it.parse(),
        });
        let number: i128 = terms.map(|it| it.expect("a number")).sum();
        let number = number as u128 & (u128::MAX >> (128 - bits));
        let (value, filled) = res.entry(name.clone()).or_default();
        *value |= number << *filled;
        *filled += bits;
    }
    res.into_iter().map(|(name, (value, _))| (name, value)).collect()
}

/// `PTR` is a pointer as the compiler writes it.
const TYPES: &[&str] = &[
    "i1",
    "i7",
    "i8",
    "i16",
    "i17",
    "i24",
    "i32",
    "i33",
    "i48",
    "i64",
    "i65",
    "i96",
    "i128",
    "i129",
    "i200",
    "i256",
    "half",
    "float",
    "double",
    "x86_fp80",
    "fp128",
    "PTR",
    "[3 x i16]",
    "[0 x i64]",
    "[7 x { i8, i16 }]",
    "<2 x i8>",
    "<3 x i8>",
    "<4 x i32>",
    "<3 x i32>",
    "<8 x i1>",
    "<9 x i1>",
    "<3 x i64>",
    "<3 x PTR>",
    "<5 x double>",
    "<2 x x86_fp80>",
    "{ i8, i32, i8 }",
    "<{ i8, i32, i8 }>",
    "{}",
    "{ {}, i8, {} }",
    "{ i8, { i8, i64 } }",
    "{ i8, i128 }",
    "{ i128, i8 }",
    "{ i8, x86_fp80, i8 }",
    "{ i8, <3 x float>, i8 }",
    "[2 x { i8, <{ i32, i64 }> }]",
    "<{ { i8, i64 }, i8 }>",
    "{ i8, [3 x { i16, float }], i64 }",
];

#[test]
fn layouts_are_those_of_llvm() {
    for (compiler, target) in CLANGS {
        let mut text = format!("target datalayout = \"{target}\"\ntarget triple = \"x86_64-unknown-linux-gnu\"\n");
        for (index, ty) in TYPES.iter().enumerate() {
            // Since LLVM 15, a pointer does not say what it points to.
            let typed = compiler == "clang-14";
            let ty = ty.replace("PTR", if typed { "i8*" } else { "ptr" });
            let to = |it: &str| if typed { format!("{it}*") } else { "ptr".to_owned() };
            let (pointer, after_bit) = (to(&ty), format!("{{ i1, {ty} }}"));
            let next = format!("getelementptr ({ty}, {pointer} null, i32 1)");
            let second = format!("getelementptr ({after_bit}, {} null, i32 0, i32 1)", to(&after_bit));
            text.push_str(&format!(
                "@t{index} = external global {ty}\n\
                 @size{index} = constant i64 ptrtoint ({pointer} {next} to i64)\n\
                 @align{index} = constant i64 ptrtoint ({pointer} {second} to i64)\n"
            ));
        }
        let Some(assembly) = assembly(compiler, &text) else { continue };
        let (module, variables) = (module(&text), variables(&assembly));
        for (index, ty) in TYPES.iter().enumerate() {
            let GlobalKind::Variable { ty: id, .. } = global(&module, &format!("t{index}")).kind else {
                panic!("{ty}")
            };
            let ours = module.layout(id).map(|it| (u128::from(it.size), u128::from(it.align)));
            let theirs = |what: &str| variables.get(&format!("{what}{index}")).copied().unwrap_or(0);
            assert_eq!(ours, Some((theirs("size"), theirs("align"))), "{compiler}: {ty}");
        }
    }
}

/// Type, type of the same bits, and a number.
const FLOATS: &[(&str, &str, &str)] = &[
    ("double", "i64", "1.500000e+00"),
    ("double", "i64", "-0.0"),
    ("double", "i64", "4.9406564584124654e-324"),
    ("double", "i64", "1.7976931348623157e+308"),
    ("double", "i64", "0x7FF8000000000001"),
    ("double", "i64", "0xFFF0000000000000"),
    ("float", "i32", "2.500000e-01"),
    ("float", "i32", "0x3FB99999A0000000"),
    ("float", "i32", "0x7FF8000020000000"),
    ("float", "i32", "0x7FF0000020000000"),
    ("float", "i32", "0xFFF0000000000000"),
    ("float", "i32", "0x36A0000000000000"),
    ("float", "i32", "0x380FFFFFC0000000"),
    ("float", "i32", "0x47EFFFFFE0000000"),
    ("half", "i16", "0xH3C00"),
    ("half", "i16", "0xHFE01"),
    ("half", "i16", "1.000000e+00"),
    ("half", "i16", "-2.500000e+00"),
    ("half", "i16", "6.103515625e-05"),
    ("half", "i16", "5.9604644775390625e-08"),
    ("half", "i16", "65504.0"),
    ("bfloat", "i16", "0xR3FC0"),
    ("bfloat", "i16", "1.500000e+00"),
    ("fp128", "i128", "0xL00000000000000013FFF000000000000"),
    ("fp128", "i128", "0xL0123456789ABCDEF7FFE0000FFFF0000"),
];

#[test]
fn floats_have_the_bits_of_llvm() {
    for (compiler, target) in CLANGS {
        let mut casts = format!("target datalayout = \"{target}\"\ntarget triple = \"x86_64-unknown-linux-gnu\"\n");
        let mut plain = casts.clone();
        for (index, (ty, bits, number)) in FLOATS.iter().enumerate() {
            casts.push_str(&format!("@x{index} = constant {bits} bitcast ({ty} {number} to {bits})\n"));
            plain.push_str(&format!("@x{index} = constant {ty} {number}\n"));
        }
        let Some(assembly) = assembly(compiler, &casts) else { continue };
        let (module, variables) = (module(&plain), variables(&assembly));
        for (index, (ty, _, number)) in FLOATS.iter().enumerate() {
            let name = format!("x{index}");
            let GlobalKind::Variable { init: Some(init), .. } = global(&module, &name).kind else { panic!("{name}") };
            let Constant::Bits(ours) = module.constant(init) else { panic!("{ty} {number}") };
            assert_eq!(ours.to_u128(), Some(variables[&name]), "{compiler}: {ty} {number}");
        }
    }
}

#[test]
fn the_hand_written_modules_are_of_their_versions() {
    let modules = [
        ("clang-14", include_str!("modules/llvm-14.ll")),
        ("clang-16", include_str!("modules/llvm-16.ll")),
        ("clang-19", include_str!("modules/llvm-19.ll")),
    ];
    for (compiler, text) in modules {
        let read = clang(compiler, &["-emit-llvm", "-Xclang", "-disable-llvm-passes"], text);
        assert!(!matches!(read, Some(Err(_))), "{compiler}: {read:?}");
    }
}

#[test]
fn what_we_refuse_llvm_refuses_too() {
    // One of each check that might be too strict.
    let bodies = [
        "%r = add ptr %p, %p",
        "%r = fneg i32 %a",
        "%r = zext i32 %a to i8",
        "%r = sext i32 %a to <2 x i64>",
        "%r = bitcast i32 %a to i64",
        "%r = bitcast ptr %p to i64",
        "%r = select i1 true, i32 1, i64 2",
        "%r = select <3 x i1> undef, <2 x i8> %v, <2 x i8> %v",
        "%r = extractvalue [2 x i32] undef, 2",
        "%r = insertvalue { i32 } undef, i64 1, 0",
        "%r = insertelement <2 x i8> %v, i16 1, i32 0",
        "%r = shufflevector <2 x i8> %v, <2 x i8> %v, <2 x i8> zeroinitializer",
        "%r = cmpxchg ptr %p, i32 1, i64 2 seq_cst seq_cst",
        "%r = alloca i32, float %x",
        "br i32 %a, label %l, label %l\nl:",
        "switch i32 %a, label %l [ i32 undef, label %l ]\nl:",
        "ret i32 0",
        "%r = call void @g()",
        "%r = load i64, i32 %a",
        "store void undef, ptr %p",
    ];
    for body in bodies {
        let text = format!(
            "declare void @g()\ndefine void @f(i32 %a, float %x, ptr %p, <2 x i8> %v) {{\n{body}\nret void\n}}\n"
        );
        assert!(effigy_llvm::reader::read(text.as_bytes()).is_err(), "{body}");
        let read = clang("clang-19", &["-emit-llvm"], &text);
        assert!(!matches!(read, Some(Ok(_))), "clang-19 accepts: {body}");
    }
}
