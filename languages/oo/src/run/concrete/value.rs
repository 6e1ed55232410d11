//! Values, and the valuations (G, H) of section 4.
//!
//! Knows: totality: what was not given has the default of its type. Never: statements.

use super::super::program::{ClassId, FieldId, Program, Type, VarId};
use super::Fault;
use num_bigint::BigInt;
use num_traits::Zero;
use std::collections::BTreeMap;

/// The identity of an object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ObjectId(pub u32);

/// A value of a concrete run.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Value {
    /// A number, without a bound.
    Int(BigInt),
    /// A truth value of type Bool.
    Bool(bool),
    /// `nil`, the reference to no object.
    Nil,
    /// A reference to an object.
    Object(ObjectId),
}

impl Value {
    /// The number that fits into an `i64`.
    pub fn int(value: i64) -> Value {
        Value::Int(value.into())
    }

    /// What a variable of this type starts with. Maps are no values.
    pub fn default_of(typ: &Type) -> Result<Value, Fault> {
        match typ {
            Type::Int => Ok(Value::Int(BigInt::zero())),
            Type::Bool => Ok(Value::Bool(false)),
            Type::Object(_) => Ok(Value::Nil),
            Type::Map(_) => Err(Fault::Unfit),
        }
    }
}

/// The values of local variables.
pub type Locals = BTreeMap<VarId, Value>;

/// The value of an array of section 2.1: a total function and a length, which no assignment changes.
///
/// Where it is indexed by objects, a consistent valuation has `0`, `false` or `nil` for those that do not exist, so that
/// this is what a new object finds, as in its fields; then the default is the one of the type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MapValue {
    /// The value at every other index.
    pub default: Value,
    /// Values by index. Those equal to the default are not stored by assignments.
    pub exceptions: BTreeMap<Value, Value>,
    /// |a|, if it is bounded.
    pub length: BigInt,
}

impl MapValue {
    /// The element at `index`: an exception, or else the default.
    pub fn get(&self, index: &Value) -> &Value {
        self.exceptions.get(index).unwrap_or(&self.default)
    }

    /// The update `(a[index] := value)`, in place.
    pub fn set(&mut self, index: Value, value: Value) {
        if value == self.default {
            self.exceptions.remove(&index);
        } else {
            self.exceptions.insert(index, value);
        }
    }
}

/// The state of an object, H(o).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Object {
    /// The class of which it is an instance.
    pub class: ClassId,
    /// Its fields; a missing one has its default. Of an array by reference only `length`.
    pub fields: BTreeMap<FieldId, Value>,
    /// The items of an array by reference; a missing one has its default.
    pub items: BTreeMap<BigInt, Value>,
}

/// The objects that exist, with their fields.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Heap {
    /// H, the states of the objects by identity.
    pub objects: BTreeMap<ObjectId, Object>,
}

impl Heap {
    /// The state of an object; [`Fault::Unfit`] if there is none.
    pub fn object(&self, id: ObjectId) -> Result<&Object, Fault> {
        self.objects.get(&id).ok_or(Fault::Unfit)
    }

    fn object_mut(&mut self, id: ObjectId) -> Result<&mut Object, Fault> {
        self.objects.get_mut(&id).ok_or(Fault::Unfit)
    }

    /// A new object, unlike all others, whose fields have their defaults.
    pub fn create(&mut self, class: ClassId) -> ObjectId {
        let id = ObjectId(self.objects.last_key_value().map_or(0, |(last, _)| last.0 + 1));
        self.objects.insert(id, Object { class, fields: BTreeMap::new(), items: BTreeMap::new() });
        id
    }

    /// H(o.f), the value of a field.
    pub fn field(&self, program: &Program, id: ObjectId, field: FieldId) -> Result<Value, Fault> {
        let (object, known) = (self.object(id)?, program.field(field));
        if object.class != known.class {
            return Err(Fault::Unfit);
        }
        object.fields.get(&field).cloned().map_or_else(|| Value::default_of(&known.typ), Ok)
    }

    /// H[o.f := v], the update of a field.
    pub fn set_field(&mut self, program: &Program, id: ObjectId, field: FieldId, value: Value) -> Result<(), Fault> {
        let object = self.object_mut(id)?;
        if object.class != program.field(field).class {
            return Err(Fault::Unfit);
        }
        object.fields.insert(field, value);
        Ok(())
    }

    /// The item at an index, inside the bounds or not.
    pub fn item(&self, program: &Program, id: ObjectId, index: &BigInt) -> Result<Value, Fault> {
        let object = self.object(id)?;
        let element = program.class(object.class).element.as_ref().ok_or(Fault::Unfit)?;
        object.items.get(index).cloned().map_or_else(|| Value::default_of(element), Ok)
    }

    /// Sets the item at an index, inside the bounds or not.
    pub fn set_item(&mut self, program: &Program, id: ObjectId, index: BigInt, value: Value) -> Result<(), Fault> {
        let object = self.object_mut(id)?;
        program.class(object.class).element.as_ref().ok_or(Fault::Unfit)?;
        object.items.insert(index, value);
        Ok(())
    }

    /// The length of an array by reference.
    pub fn length(&self, program: &Program, id: ObjectId) -> Result<BigInt, Fault> {
        match self.field(program, id, length_field(program, self.object(id)?.class)?)? {
            Value::Int(length) => Ok(length),
            _ => Err(Fault::Unfit),
        }
    }
}

/// The field `length` of a class of arrays.
pub(super) fn length_field(program: &Program, class: ClassId) -> Result<FieldId, Fault> {
    let class = program.class(class);
    match class.fields[..] {
        [length] if class.element.is_some() => Ok(length),
        _ => Err(Fault::Unfit),
    }
}

/// A valuation V = (G, H).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Valuation {
    /// G of the variables that are no maps; a missing one has its default.
    pub globals: BTreeMap<VarId, Value>,
    /// G of the maps; a missing one has defaults everywhere, and length 0.
    pub maps: BTreeMap<VarId, MapValue>,
    /// H, the objects that exist at the start.
    pub heap: Heap,
}

impl Valuation {
    /// G(x) of a global that is no map.
    pub fn global(&self, program: &Program, var: VarId) -> Result<Value, Fault> {
        self.globals.get(&var).cloned().map_or_else(|| Value::default_of(&program.variable(var).typ), Ok)
    }

    /// G(a) of a map; a missing one has its default.
    pub fn map(&self, program: &Program, var: VarId) -> Result<MapValue, Fault> {
        match (&program.variable(var).typ, self.maps.get(&var)) {
            (Type::Map(_), Some(map)) => Ok(map.clone()),
            (Type::Map(typ), None) => Ok(MapValue {
                default: Value::default_of(&typ.element)?,
                exceptions: BTreeMap::new(),
                length: BigInt::zero(),
            }),
            _ => Err(Fault::Unfit),
        }
    }
}
