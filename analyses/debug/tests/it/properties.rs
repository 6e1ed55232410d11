//! What holds of every session: no line ends it in a panic, `undo` and `restore` bring back what was shown, and a saved
//! state is a handle.

use effigy_debug::{Config, Session};
use effigy_solver::{SolverConfig, chain};
use effigy_term::Terms;
use effigy_testing::counter::{Expr, Line, Program};
use effigy_testing::programs::{Behaviour, VALUES, program, run};
use proptest::prelude::*;

const COMMANDS: &[&str] = &[
    "go",
    "go true",
    "go false",
    "go 1",
    "go 2",
    "go = 3",
    "step",
    "step 3",
    "step true",
    "next 2",
    "next false",
    "finish",
    "assume (x0 < 3)",
    "assume (\"in0\" > 2)",
    "assume (x1 = x2)",
    "assume (\"new\" = x0)",
    "set x0 = \"new\"",
    "set x1 = x0 + 1",
    "set x2 = 0",
    "prove (x0 < 4)",
    "break 2",
    "break after 3",
    "break between 1 2",
    "break if (x0 > 5)",
    "break 3 if (x1 = 1)",
    "delete",
    "delete 1",
    "trace",
    "trace values 1-3",
    "trace off",
    "show",
    "show x0 + \"in0\"",
    "list",
    "save",
    "restore 1",
    "restore 2",
    "states",
    "undo",
    "witness",
    "test",
    "test (20)",
    "tree",
    "breaks",
    "help",
];

/// Commands that neither move nor change the position, so that `undo` is about another one.
fn looks(command: &str) -> bool {
    let word = command.split(' ').next().unwrap_or("");
    !matches!(word, "go" | "step" | "next" | "finish" | "assume" | "set" | "restore" | "undo")
}

fn config() -> Config {
    Config { transitions: Some(300), ..Config::default() }
}

/// All that is shown of a position.
fn display(session: &mut Session<'_, Program>) -> String {
    session.execute("where; show; show pc full; witness").text
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(effigy_testing::cases(150)))]

    #[test]
    fn undo_and_restore_bring_back_what_was_shown(
        bytes in prop::collection::vec(any::<u8>(), 10..80),
        choices in prop::collection::vec(0..COMMANDS.len(), 1..25),
    ) {
        let program = program(&bytes);
        let terms = Terms::new();
        let mut solver = chain(&SolverConfig::default());
        let mut session = Session::new(&program, &terms, &mut *solver, config());
        let mut saved: Vec<String> = Vec::new();
        for choice in choices {
            let command = COMMANDS[choice];
            let before = display(&mut session);
            let reply = session.execute(command);
            prop_assert!(!reply.ends);
            let after = display(&mut session);
            if command == "save" {
                saved.push(before.clone());
            }
            if looks(command) || reply.error {
                prop_assert_eq!(&after, &before, "`{}` changed something: {}", command, reply.text);
            } else if command.starts_with("restore") {
                let number: usize = command[8..].parse().unwrap_or(0);
                prop_assert_eq!(&after, &saved[number - 1]);
            }
            if !looks(command) && command != "undo" && after != before {
                prop_assert!(!session.execute("undo").error);
                prop_assert_eq!(&display(&mut session), &before, "after `{}` and `undo`", command);
                let again = session.execute(command);
                prop_assert_eq!(&again.text, &reply.text, "`{}` is done again", command);
                prop_assert_eq!(&display(&mut session), &after);
            }
        }
        // Everything can be undone, to the start.
        let start = Session::new(&program, &terms, &mut *chain(&SolverConfig::default()), config()).execute("show").text;
        for _ in 0..200 {
            if session.execute("undo").error {
                break;
            }
        }
        prop_assert_eq!(session.execute("show").text, start);
    }

    /// King 1976, section 5: the symbolic run, instantiated, is the run on numbers.
    #[test]
    fn assumed_inputs_leave_nothing_open_and_end_as_the_program_does(
        bytes in prop::collection::vec(any::<u8>(), 10..80),
        inputs in prop::collection::vec(0..VALUES as u8, 3),
    ) {
        let program = program(&bytes);
        let behaviour = run(&program, &inputs, 2_000);
        prop_assume!(behaviour != Behaviour::TooLong);
        let terms = Terms::new();
        let mut solver = chain(&SolverConfig::default());
        let mut session = Session::new(&program, &terms, &mut *solver, Config::default());
        for (at, input) in inputs.iter().enumerate() {
            let assumed = session.execute(&format!("assume (\"in{at}\" = {input})"));
            prop_assert!(!assumed.error);
        }
        let said = session.execute("go").text;
        let said = said.lines().next().unwrap_or("").to_owned();
        // What is shown at the end is a formula; the concrete run shows its value.
        let tested = session.execute("test").text;
        let tested = tested.lines().nth(1).unwrap_or("").to_owned();
        match behaviour {
            Behaviour::TooLong => {}
            Behaviour::Dropped => {
                prop_assert!(said.starts_with("dropped"), "{}", said);
                prop_assert_eq!(said, tested);
            }
            Behaviour::Violates(line) => {
                let place = format!(" at line {line}");
                prop_assert!(said.ends_with(&place), "{}", said);
                prop_assert!(tested.ends_with(&place), "{}", tested);
            }
            Behaviour::Ends(output) => {
                prop_assert!(said.starts_with("ended: "), "{}", said);
                // Bytes of three bits are shown as signed numbers.
                let signed = |it: &u8| if *it < 4 { it.to_string() } else { format!("−{}", 8 - it) };
                let shown: Vec<String> =
                    output.iter().enumerate().map(|(at, it)| format!("out{at} = {}", signed(it))).collect();
                let shown = if shown.is_empty() { "exit code 0".to_owned() } else { shown.join(", ") };
                prop_assert_eq!(tested, format!("ended: {shown}"));
            }
        }
    }

    #[test]
    fn no_line_is_a_panic(line in "[ -~αé;()\"'=<>]{0,60}", word in prop::sample::select(COMMANDS)) {
        let program = program(&[2, 9, 1, 8, 0, 0, 1, 4, 1, 3]);
        let terms = Terms::new();
        let mut solver = chain(&SolverConfig::default());
        let mut session = Session::new(&program, &terms, &mut *solver, config());
        session.execute(&line);
        let first = word.split(' ').next().unwrap_or("");
        session.execute(&format!("{first} {line}"));
        session.execute(&format!("{word} {line}"));
    }
}

#[test]
fn hostile_lines_are_errors() {
    let program = program(&[2, 9, 1, 8, 0, 0, 1, 4, 1, 3]);
    let terms = Terms::new();
    let mut solver = chain(&SolverConfig::default());
    let mut session = Session::new(&program, &terms, &mut *solver, config());
    let deep = "(".repeat(100_000);
    let lines = [
        format!("assume {deep}"),
        format!("prove {deep}x0 < 1{}", ")".repeat(100_000)),
        format!("show {}x0 < 1", "not ".repeat(100_000)),
        format!("set x0 = {}1", "(".repeat(5_000)),
        format!("go = {}", "9".repeat(100_000)),
        format!("go {}", "é".repeat(10_000)),
        "x".repeat(1_000_000),
        "break ééé:7".to_owned(),
        "break 99999999999999999999".to_owned(),
        "restore 18446744073709551616".to_owned(),
        "step 0".to_owned(),
        "list -1".to_owned(),
        "\u{0}\u{1}\u{7f}".to_owned(),
        "assume (\"".to_owned(),
        "testé (3)".to_owned(),
        "test (3) é".to_owned(),
    ];
    for line in lines {
        let reply = session.execute(&line);
        assert!(reply.error && !reply.ends, "{}", line.chars().take(40).collect::<String>());
        assert!(reply.text.len() < 3 * line.len() + 2_000);
    }
    assert!(!session.execute(&";".repeat(100_000)).error);
}

/// The resident memory of this process, in bytes.
fn resident() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    Some(text.split_whitespace().nth(1)?.parse::<u64>().ok()? * 4096)
}

#[test]
fn a_saved_state_is_a_handle() {
    let add = |at: usize| Line::Set(at, Expr::Add(Box::new(Expr::Var(at)), Box::new(Expr::Const(1))));
    let program = Program { bits: 8, variables: 1000, lines: vec![Line::Input(0), add(0), add(1), Line::Goto(1)] };
    let terms = Terms::new();
    let mut solver = chain(&SolverConfig::default());
    let mut session = Session::new(&program, &terms, &mut *solver, Config::default());
    session.execute("step 100");
    let Some(before) = resident() else { return };
    for _ in 0..10_000 {
        assert!(!session.execute("save").error);
    }
    let same = resident().unwrap_or(before).saturating_sub(before);
    assert!(same < 8 << 20, "the same state 10,000 times takes {same} bytes");
    // In different states what counts is the language's state: here 4 KB of variables that are copied.
    for _ in 0..10_000 {
        assert!(!session.execute("step; save").error);
    }
    let all = resident().unwrap_or(before).saturating_sub(before);
    assert!(all < 200 << 20, "10,000 states of 1,000 variables take {all} bytes");
    assert!(!session.execute("restore 5000; undo").error);
}

/// Lines with tokens deleted, doubled, swapped and replaced are commands, or errors that say what was expected.
#[test]
fn mutants_of_commands_are_read_or_refused() {
    let lines =
        ["break after 7 if (X > 10)", "trace number source values 3-7; go true", "test (200) F(A, 1, \"X\", J)"];
    let lines = lines.iter().chain(COMMANDS).map(|it| it.as_bytes().to_vec());
    let words = effigy_debug::COMMANDS.iter().map(|it| it.name).collect::<Vec<_>>();
    effigy_testing::reader_trial::try_reader("debugger-commands", lines, &words, |text| {
        if let Err(error) = effigy_debug::command::parse(&String::from_utf8_lossy(text)) {
            assert!(!error.to_string().is_empty());
        }
    });
}
