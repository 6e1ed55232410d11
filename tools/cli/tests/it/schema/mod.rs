//! Whether a value is what a schema of the book says. The checker knows the words that the schemas use, and refuses one
//! that it does not know.
//!
//! Knows: JSON Schema, as much of it as is used. Never: who printed the value.

use serde_json::Value;
use std::path::{Path, PathBuf};

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the tree")
}

fn schema(name: &str) -> Value {
    let path = root().join(format!("book/src/json/{name}.schema.json"));
    let text = std::fs::read_to_string(path).expect("the schema");
    serde_json::from_str(&text).expect("JSON")
}

/// Checks values against a schema.
struct Checker<'a> {
    root: &'a Value,
    errors: Vec<String>,
}

impl Checker<'_> {
    fn check(&mut self, schema: &Value, value: &Value, at: &str) {
        let Some(schema) = schema.as_object() else { return self.errors.push(format!("{at}: no schema")) };
        for (word, argument) in schema {
            match (word.as_str(), argument) {
                ("$schema" | "$defs" | "title" | "description", _) => {}
                ("$ref", Value::String(name)) => {
                    let target = self.root.pointer(name.trim_start_matches('#')).expect("a definition");
                    self.check(target, value, at);
                }
                ("type", Value::String(name)) => self.require(is(value, name), at, word, value),
                ("type", Value::Array(names)) => {
                    let fits = names.iter().filter_map(Value::as_str).any(|name| is(value, name));
                    self.require(fits, at, word, value);
                }
                ("enum", Value::Array(words)) => self.require(words.contains(value), at, word, value),
                ("minimum", least) => {
                    let fits = value.as_f64().is_none_or(|it| Some(it) >= least.as_f64());
                    self.require(fits, at, word, value);
                }
                ("required", Value::Array(names)) => {
                    let Some(object) = value.as_object() else { continue };
                    for name in names.iter().filter_map(Value::as_str) {
                        self.require(object.contains_key(name), at, name, value);
                    }
                }
                ("items", items) => {
                    for (index, it) in value.as_array().into_iter().flatten().enumerate() {
                        self.check(items, it, &format!("{at}/{index}"));
                    }
                }
                ("properties" | "additionalProperties", _) => {}
                _ => self.errors.push(format!("the checker does not know {word}")),
            }
        }
        self.members(schema, value, at);
    }

    fn members(&mut self, schema: &serde_json::Map<String, Value>, value: &Value, at: &str) {
        for (name, it) in value.as_object().into_iter().flatten() {
            let at = format!("{at}/{name}");
            match (schema.get("properties").and_then(|known| known.get(name)), schema.get("additionalProperties")) {
                (Some(known), _) => self.check(known, it, &at),
                (None, Some(Value::Bool(false))) => self.errors.push(format!("{at}: nothing is said of it")),
                (None, Some(other)) => self.check(other, it, &at),
                (None, None) => {}
            }
        }
    }

    fn require(&mut self, fits: bool, at: &str, word: &str, value: &Value) {
        if !fits {
            let text = value.to_string();
            self.errors.push(format!("{at}: {word}: {}", text.chars().take(200).collect::<String>()));
        }
    }
}

fn is(value: &Value, name: &str) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        _ => false,
    }
}

pub(crate) fn errors(value: &Value) -> Vec<String> {
    errors_by("walk", value)
}

pub(crate) fn errors_by(name: &str, value: &Value) -> Vec<String> {
    let schema = schema(name);
    let mut checker = Checker { root: &schema, errors: Vec::new() };
    checker.check(&schema, value, "");
    checker.errors
}
