//! Concrete heaps.
//!
//! Knows: the fields that objects have, values of domain functions. Never: expressions.
//!
//! A copy shares everything with its original: `old` states cost nothing.

use super::value::{ConcreteValue, ObjectId};
use crate::program::{DomainFunctionId, FieldId};
use rpds::HashTrieMapSync;

/// A heap, and what domain functions mean.
#[derive(Clone, Debug, Default)]
pub struct World {
    objects: u32,
    fields: HashTrieMapSync<(ObjectId, FieldId), ConcreteValue>,
    functions: HashTrieMapSync<(DomainFunctionId, Vec<ConcreteValue>), ConcreteValue>,
}

impl World {
    /// A new object with these fields.
    pub fn allocate(&mut self, fields: impl IntoIterator<Item = (FieldId, ConcreteValue)>) -> ConcreteValue {
        let object = ObjectId(self.objects);
        self.objects += 1;
        for (field, value) in fields {
            self.fields.insert_mut((object, field), value);
        }
        ConcreteValue::Object(object)
    }

    /// How many objects there are.
    pub fn objects(&self) -> u32 {
        self.objects
    }

    /// The value of a field, if the object has it.
    pub fn field(&self, object: ObjectId, field: FieldId) -> Option<&ConcreteValue> {
        self.fields.get(&(object, field))
    }

    /// Sets a field; from now on the object has it.
    pub fn set(&mut self, object: ObjectId, field: FieldId, value: ConcreteValue) {
        self.fields.insert_mut((object, field), value);
    }

    /// The value of a domain function, if it has one.
    pub fn function(&self, function: DomainFunctionId, args: &[ConcreteValue]) -> Option<&ConcreteValue> {
        self.functions.get(&(function, args.to_vec()))
    }

    /// Gives a domain function a value. It must be one that the axioms allow.
    pub fn define(&mut self, function: DomainFunctionId, args: Vec<ConcreteValue>, value: ConcreteValue) {
        self.functions.insert_mut((function, args), value);
    }
}
