//! Reads a `.ll` file and says how long that took: `cargo run --release --example read -- file.ll`.
#![expect(clippy::print_stdout, reason = "an example for the terminal")]

fn main() {
    for path in std::env::args().skip(1) {
        let text = std::fs::read(&path).expect("the file can be read");
        let start = std::time::Instant::now();
        match effigy_llvm::reader::read(&text) {
            Ok(module) => {
                println!("{path}: {} globals, {} bytes, {:?}", module.globals.len(), text.len(), start.elapsed())
            }
            Err(error) => println!("{path}:{error}\n  {}", error.excerpt),
        }
    }
}
