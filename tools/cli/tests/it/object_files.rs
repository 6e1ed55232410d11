//! Bitcode, object files and archives as inputs of `effigy run`.

use crate::common::build_folder::BuildFolder;

const MAIN: &str = "#include <effigy.h>\nint half(int);\nint main(void) {\n  int n = effigy_int(\"n\");\n  \
                    if (n < 0 || n > 9) return 0;\n  return 100 / half(n);\n}\n";
const HALF: &str = "int half(int n) { return n - 7; }\n";
const SPARE: &str = "int main(void) { return 3; }\nint spare(int n) { return 4 / n; }\n";

/// A main, and what it calls in another file; the latter as LLVM makes it in three ways.
fn compiled(name: &str) -> BuildFolder {
    let folder = BuildFolder::new(name);
    folder.write("main.c", MAIN).write("half.c", HALF).write("spare.c", SPARE);
    let clang = std::env::var("EFFIGY_CLANG").unwrap_or_else(|_| "clang".to_owned());
    for words in [
        "-g -c -emit-llvm half.c -o half.bc",
        "-g -c -fembed-bitcode half.c -o embedded.o",
        "-g -c -fembed-bitcode spare.c -o spare.o",
        "-g -c -flto half.c -o lto.o",
        "-E half.c -o half.i",
        "-c half.c -o plain.o",
    ] {
        assert!(folder.output(&clang, words).status.success(), "clang {words}");
    }
    assert!(folder.output("ar", "rc libhalf.a spare.o embedded.o").status.success());
    folder
}

#[test]
fn a_division_is_found_in_each_form_of_the_other_file() {
    let folder = compiled("object-files");
    for other in ["half.bc", "embedded.o", "lto.o", "libhalf.a", "half.i"] {
        let (code, out, errors) = folder.effigy(&format!("run --jobs 1 --out out-{other} main.c {other}"));
        assert_eq!((code, &*errors), (Some(1), ""), "{other}: {out}");
        assert!(out.contains("division-by-zero") && out.contains("input n = 7"), "{other}: {out}");
        assert!(out.contains("every path was explored to its end"), "{other}: {out}");
        let (code, out, errors) = folder.effigy(&format!("replay out-{other}"));
        assert_eq!(code, Some(0), "{other}: {out}{errors}");
        assert!(out.contains(" 0 differ"), "{other}: {out}");
    }
}

#[test]
fn places_in_bitcode_are_those_of_its_sources() {
    let folder = compiled("object-places");
    let (code, out, errors) = folder.effigy("run --jobs 1 --entry spare spare.o");
    assert_eq!(code, Some(1), "{errors}");
    assert!(out.contains("--> spare.c:2:29 in spare") && out.contains("return 4 / n"), "{out}");
}

#[test]
fn a_file_without_bitcode_is_an_error() {
    let folder = compiled("object-plain");
    folder.write("text.o", "int f(void);\n").write("cut.bc", "BC\u{35}");
    for (file, said) in
        [("plain.o", "no LLVM bitcode"), ("text.o", "an object file was expected"), ("cut.bc", "expected")]
    {
        let (code, out, errors) = folder.effigy(&format!("run main.c {file}"));
        assert_eq!((code, &*out), (Some(2), ""), "{file}: {errors}");
        assert!(errors.contains(file) && errors.contains(said), "{file}: {errors}");
    }
}
