//! The library that is compiled in does what the machine's does, and defines what its table says.

use effigy_llvm::driver::{Scratch, clang, modules};
use effigy_llvm::library::{SOURCES, is_part, needed};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};

fn compile(arguments: &[String]) {
    let output = Command::new(clang().expect("clang")).args(arguments).output().expect("clang starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn it_does_what_the_machines_library_does() {
    let scratch = Scratch::new().expect("a folder");
    let path = |name: &str| scratch.path().join(name).display().to_string();
    let globals = ["optarg", "optind", "opterr", "optopt"];
    let names = SOURCES.iter().filter(|it| !it.is_cpp()).flat_map(|it| it.names()).chain(globals);
    let renamed: Vec<String> = names.map(|it| format!("-D{it}=own_{it}")).collect();
    let compare = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/library/compare.c").display().to_string();
    let checked = ["-O1", "-g", "-w", "-fno-builtin", "-fsanitize=address,undefined"].map(str::to_owned);
    let mut linked = [&checked[..], &[compare, "-o".to_owned(), path("compare")]].concat();
    for (number, source) in SOURCES.iter().filter(|it| !it.is_cpp()).enumerate() {
        let (text, object) = (path(&format!("{number}.c")), path(&format!("{number}.o")));
        std::fs::write(&text, source.whole()).expect("the source can be written");
        compile(&[&checked[..], &renamed[..], &["-c".to_owned(), text, "-o".to_owned(), object.clone()]].concat());
        linked.push(object);
    }
    compile(&linked);
    let output = Command::new(path("compare")).env("ASAN_OPTIONS", "detect_leaks=0").output().expect("it starts");
    let told = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
    let count: u64 = told.split(' ').next().and_then(|it| it.parse().ok()).unwrap_or(0);
    assert!(count > 1_000_000, "{told}");
}

/// What `tests/library/PROGRAM` prints with the functions of libstdc++, and with those of our sources in their place.
fn with_theirs_and_ours(program: &str, sources: &[&str]) -> (String, String) {
    let scratch = Scratch::new().expect("a folder");
    let path = |name: &str| scratch.path().join(name).display().to_string();
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/library").join(program).display().to_string();
    let words = |all: &[&str]| all.iter().map(|it| (*it).to_owned()).collect::<Vec<String>>();
    let mut objects = Vec::new();
    for name in sources {
        let source = SOURCES.iter().find(|it| it.name.ends_with(&format!("/{name}"))).expect("it is one of them");
        let (text, object) = (path(name), path(&format!("{name}.o")));
        std::fs::write(&text, source.whole()).expect("the source can be written");
        let headers = if source.has_headers() { "-w" } else { "-nostdinc++" };
        compile(&words(&["-std=c++17", headers, "-O1", "-c", &text, "-o", &object]));
        objects.push(object);
    }
    let link = ["-x", "c++", "-std=c++17", "-O1", "-w", &program, "-x", "none", "-lstdc++", "-lm"];
    compile(&[words(&link), words(&["-o", &path("theirs")])].concat());
    compile(&[words(&link), objects, words(&["-o", &path("ours")])].concat());
    let run = |name: &str| {
        let output = Command::new(path(name)).stdin(Stdio::null()).output().expect("it starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
    };
    (run("theirs"), run("ours"))
}

#[test]
fn containers_are_as_the_machines_are() {
    let (theirs, ours) = with_theirs_and_ours("containers.cpp", &["containers.cpp"]);
    assert!(theirs.len() > 4);
    assert_eq!(theirs, ours);
}

#[test]
fn streams_are_as_the_machines_are() {
    let (theirs, ours) = with_theirs_and_ours(
        "streams.cpp",
        &["streams.cpp", "file_streams.cpp", "manipulators.cpp", "system_error.cpp", "charconv.cpp"],
    );
    assert!(theirs.lines().count() > 200_000);
    // One line is shown, not all of them.
    let differing = theirs.lines().zip(ours.lines()).find(|(theirs, ours)| theirs != ours);
    assert_eq!(differing, None);
    assert_eq!(theirs.len(), ours.len());
}

#[test]
fn each_source_defines_what_the_table_says() {
    let scratch = Scratch::new().expect("a folder");
    for source in SOURCES {
        let file = scratch.path().join("program.c");
        let first = source.names().next().expect("each defines something");
        std::fs::write(&file, format!("void {first}(void); int main(void) {{ {first}(); return 0; }}"))
            .expect("a file");
        let modules = modules(&[file], &["-w".to_owned()]).expect("clang compiles it");
        let text = modules.iter().find(|it| it.0 == source.name).map(|it| String::from_utf8_lossy(&it.1).into_owned());
        let text = text.unwrap_or_else(|| panic!("{} is compiled in for {first}", source.name));
        if source.is_cpp() {
            // Inline functions and what the compiler makes of classes are beside what the table says.
            let defines = |name: &str, line: &str| {
                (line.starts_with("define ") && line.contains(&format!("@{name}(")))
                    || line.strip_prefix(&format!("@{name} = ")).is_some_and(|it| !it.starts_with("external"))
            };
            for name in source.names() {
                assert!(text.lines().any(|line| defines(name, line)), "{} defines {name}", source.name);
            }
            continue;
        }
        let lines = text.lines().filter(|it| it.starts_with("define ") && !it.starts_with("define internal"));
        let name = |line: &str| Some(line.split_once('@')?.1.split_once('(')?.0.to_owned());
        let defined: BTreeSet<String> = lines.filter_map(name).collect();
        let told: BTreeSet<String> = source.names().map(str::to_owned).collect();
        assert_eq!(defined, told, "{}", source.name);
        assert!(is_part(&modules[0].0) && needed(&modules).is_none());
    }
}

#[test]
fn nothing_is_compiled_in_that_is_not_needed() {
    let scratch = Scratch::new().expect("a folder");
    let file = scratch.path().join("program.c");
    std::fs::write(&file, "void qsort(void) {} int main(void) { qsort(); return 0; }").expect("a file");
    let modules = modules(&[file], &["-w".to_owned()]).expect("clang compiles it");
    assert_eq!(modules.len(), 1);
}
