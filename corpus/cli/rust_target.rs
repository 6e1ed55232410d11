/// A target of libFuzzer.
#[unsafe(no_mangle)]
pub extern "C" fn LLVMFuzzerTestOneInput(data: *const u8, size: usize) -> i32 {
    let data = unsafe { std::slice::from_raw_parts(data, size) };
    if let [b'n', digit @ b'0'..=b'9', ..] = data {
        assert!(String::from_utf8_lossy(&[*digit]) != "7", "found it");
    }
    0
}
