//! A verification that is walked by hand, or in another order, says what the verification says: of every member of the
//! corpora.

use effigy_programs::hand_walks::{differences, order_differences};
use effigy_programs::verification;

#[test]
fn walks_say_what_verdicts_say() {
    let config = verification::config(20_000, 2_000_000, verification::ALL);
    let read = |name: &str, text: &str| effigy_oo::read(name, text).ok().map(|it| it.program);
    for folder in ["corpus/oo/fig9", "corpus/oo/failing"] {
        assert_eq!(differences(folder, &read, &config), Vec::<String>::new());
    }
}

#[test]
fn no_verdict_depends_on_the_order_of_paths() {
    let config = verification::config(20_000, 2_000_000, verification::ALL);
    let read = |name: &str, text: &str| effigy_oo::read(name, text).ok().map(|it| it.program);
    for folder in ["corpus/oo/fig9", "corpus/oo/failing", "corpus/oo/verified"] {
        assert_eq!(order_differences(folder, &read, &config), Vec::<String>::new());
    }
}
