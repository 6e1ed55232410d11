//! `cargo effigy test` says by the environment that the program under test is compiled to tell what it compares.

fn main() {
    println!("cargo::rustc-check-cfg=cfg(watched)");
    println!("cargo::rerun-if-env-changed=EFFIGY_WATCH");
    if std::env::var_os("EFFIGY_WATCH").is_some() {
        println!("cargo::rustc-cfg=watched");
    }
}
