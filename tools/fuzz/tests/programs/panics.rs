//! Three panics, each behind something that is compared.

#[unsafe(no_mangle)]
pub extern "C" fn LLVMFuzzerTestOneInput(data: *const u8, size: usize) -> i32 {
    if size >= 8 {
        parse(unsafe { std::slice::from_raw_parts(data, size) });
    }
    0
}

fn parse(input: &[u8]) {
    let word = u32::from_le_bytes([input[4], input[5], input[6], input[7]]);
    let table = [3u8; 16];
    match &input[..4] {
        b"RUST" => assert!(word != 0xdead_beef, "{word}"),
        b"TABL" if word < 1000 => {
            std::hint::black_box(table[word as usize]);
        }
        b"SUMS" => {
            std::hint::black_box(word + 0x1234);
        }
        _ => {}
    }
}
