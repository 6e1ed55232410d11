//! A verification that is walked by hand, or in another order, says what the verification says: of every member of the
//! corpora.

use effigy_programs::hand_walks::{differences, order_differences};
use effigy_programs::verification;

#[test]
fn walks_say_what_verdicts_say() {
    let config = verification::config(20_000, 2_000_000, verification::VIPER);
    let read = |name: &str, text: &str| effigy_viper::read(name, text, &mut effigy_viper::NoImports).ok();
    for folder in ["corpus/viper/verify", "corpus/viper/walked"] {
        assert_eq!(differences(folder, &read, &config), Vec::<String>::new());
    }
}

#[test]
fn no_verdict_depends_on_the_order_of_paths() {
    let config = verification::config(20_000, 2_000_000, verification::VIPER);
    let read = |name: &str, text: &str| effigy_viper::read(name, text, &mut effigy_viper::NoImports).ok();
    for folder in ["corpus/viper/verify", "corpus/viper/features", "corpus/viper/sound"] {
        assert_eq!(order_differences(folder, &read, &config), Vec::<String>::new());
    }
}
