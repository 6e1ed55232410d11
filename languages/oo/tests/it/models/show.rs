//! Valuations for people: what a failing test prints.

use effigy_oo::run::concrete::{Valuation, Value};
use effigy_oo::run::program::*;

pub fn value(value: &Value) -> String {
    match value {
        Value::Int(it) => it.to_string(),
        Value::Bool(it) => it.to_string(),
        Value::Nil => "nil".to_owned(),
        Value::Object(it) => format!("#{}", it.0),
    }
}

pub fn valuation(program: &Program, valuation: &Valuation) -> String {
    let mut parts = Vec::new();
    for (var, it) in &valuation.globals {
        parts.push(format!("{} = {}", program.name_of(*var), value(it)));
    }
    for (var, map) in &valuation.maps {
        let entries: Vec<String> =
            map.exceptions.iter().map(|(at, it)| format!("{}: {}", value(at), value(it))).collect();
        let (name, default) = (program.name_of(*var), value(&map.default));
        parts.push(format!("{name} = [{}, ..: {default}; |{name}| = {}]", entries.join(", "), map.length));
    }
    for (id, object) in &valuation.heap.objects {
        let mut fields: Vec<String> =
            object.fields.iter().map(|(field, it)| format!("{}: {}", program.field(*field).name, value(it))).collect();
        fields.extend(object.items.iter().map(|(at, it)| format!("{at}: {}", value(it))));
        parts.push(format!("#{} = {}{{{}}}", id.0, program.class(object.class).name, fields.join(", ")));
    }
    parts.join("\n    ")
}
