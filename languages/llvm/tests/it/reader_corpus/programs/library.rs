//! A small Rust library: enums, traits, slices, wide integers, threads' atomics.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};

pub static COUNT: AtomicUsize = AtomicUsize::new(0);

pub enum Shape {
    Circle(f64),
    Square { side: u128 },
    Named(String),
}

pub fn area(shape: &Shape) -> f64 {
    COUNT.fetch_add(1, Ordering::SeqCst);
    match shape {
        Shape::Circle(radius) => radius * radius * std::f64::consts::PI,
        Shape::Square { side } => (side * side) as f64,
        Shape::Named(name) => name.len() as f64,
    }
}

pub fn words(text: &str) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    for word in text.split_whitespace() {
        *counts.entry(word.to_owned()).or_insert(0) += 1;
    }
    counts
}

pub fn dispatch(shapes: &[Box<dyn Fn(i32) -> Option<i32>>], x: i32) -> Result<i32, String> {
    shapes.iter().try_fold(x, |x, it| it(x)).ok_or_else(|| format!("nothing for {x:?}"))
}

#[no_mangle]
pub extern "C" fn checked(a: i32, b: i32) -> i32 {
    a.checked_div(b).unwrap_or(i32::MIN).wrapping_mul(3)
}
