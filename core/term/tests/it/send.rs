//! What travels between workers is data: a value that did not could not be a part of a job.

use effigy_term::Value;

const _: () = sendable::<Value>();

const fn sendable<T: Send + Sync + 'static>() {}

#[test]
fn values_cross_threads() {
    let value = Value::Bool(true);
    let returned = std::thread::spawn(move || value).join();
    assert_eq!(returned.ok(), Some(Value::Bool(true)));
}
