//! Any bytes are a test, a ktest or nothing.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Some(test) = effigy_report::ktest::read(bytes) {
        assert_eq!(effigy_report::ktest::read(&effigy_report::ktest::write(&test)), Some(test));
    }
    if let Ok(test) = serde_json::from_slice::<effigy_report::test_case::Test>(bytes) {
        for input in &test.inputs {
            let _ = input.to_bytes();
            let _ = input.display();
        }
    }
});
