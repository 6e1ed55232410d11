//! What comes from outside of the program: any value, never a wild pointer.
//!
//! Knows: globals that are defined elsewhere, what unknown functions return and may have written. Never: which functions
//! are known (`libc`).
//!
//! Nothing is made up before it is used. The content of an object of unknown content becomes symbols when it is first
//! touched; an unknown pointer is null, or points to an object of its own, from when it is first followed. Whatever is
//! reached this way rests on an assumption, and the report says on which.

use super::access::Access;
use crate::machine::{Flow, Machine};
use crate::memory::bytes::Bytes;
use crate::memory::{Life, Lookup, MADE_UP, Object, ObjectId, ObjectKind, Size};
use crate::options::Externals;
use crate::value::Val;
use effigy_engine::Step;
use effigy_term::{Node, Sort, SymbolKind, Term, Width};
use std::rc::Rc;
use std::sync::Arc;

/// More than so many bytes are not made up.
const MOST_BYTES: u64 = 1 << 16;

/// What an unknown function reaches is followed through so many objects.
const MOST_REACHED: usize = 1 << 12;

impl Machine<'_, '_> {
    /// Gives an object of unknown content symbols for it.
    pub(crate) fn make_up(&mut self, id: ObjectId) -> Flow<()> {
        let Lookup::Object(object) = self.state.memory.lookup(id) else { return Ok(()) };
        let Some(origin) = object.unknown.clone() else { return Ok(()) };
        let is_variable = origin == object.name;
        match self.program.options.externals {
            Externals::Refused => return Err(self.unsupported(&format!("the unknown {origin}"))),
            Externals::Pure if is_variable => return self.input_unknown(id),
            Externals::Pure | Externals::Any => {}
        }
        let (size, element) = (object.bytes.len(), object.element.max(1) as usize);
        if size as u64 > MOST_BYTES {
            return Err(self.unsupported(&format!("the unknown content of {}: more than 64 KiB", object.name)));
        }
        let name = Arc::clone(&object.name);
        // What an unknown function has returned or written was noted at its call.
        if is_variable {
            self.note("unknown-external", &origin, true);
        }
        self.state.called_unknown = true;
        let terms = self.ctx.terms;
        let mut bytes = Bytes::concrete(vec![0; size]);
        let mut at = 0;
        while at < size {
            let piece = if size - at >= element { element } else { 1 };
            let text = if piece == size { name.to_string() } else { format!("{name}[{}]", at / element) };
            let term = self.any(&text, piece as u32 * 8);
            bytes.store_term(terms, at, piece, term);
            at += piece;
        }
        if let Some(object) = self.state.memory.object_mut(id) {
            object.bytes = Rc::new(bytes);
            object.unknown = None;
        }
        Ok(())
    }

    /// The content of a variable that is only declared is an input.
    fn input_unknown(&mut self, id: ObjectId) -> Flow<()> {
        let Some(object) = self.state.memory.object_mut(id) else { return Ok(()) };
        object.unknown = None;
        // A constant is one for the program, not for us.
        let kind = std::mem::replace(&mut object.kind, ObjectKind::Global);
        let (size, name) = (object.bytes.len() as u64, Arc::clone(&object.name));
        let res = self.input_memory(&Val::Int(id.base()), size, &name);
        if let Some(object) = self.state.memory.object_mut(id) {
            object.kind = kind;
        }
        res
    }

    /// Any value of so many bits.
    pub(crate) fn any(&mut self, name: &str, bits: u32) -> Term {
        let res = self.next_any(name, bits);
        self.state.fresh += 1;
        res
    }

    /// What [`Machine::any`] would return: the same until a symbol is counted.
    pub(crate) fn next_any(&mut self, name: &str, bits: u32) -> Term {
        let symbol = format!("{name}#{}", self.state.fresh);
        self.ctx.input(&symbol, Sort::BitVec(Width::of(bits)), SymbolKind::Fresh)
    }

    /// The part of an address that is an unknown pointer, if there is one: all that it consists of came from outside.
    pub(crate) fn unknown_pointer(&self, address: Term) -> Option<Term> {
        let terms = self.ctx.terms;
        let came = |it: Term| {
            let symbols = terms.symbols(it);
            !symbols.is_empty() && symbols.iter().all(|it| terms.symbol_info(*it).kind == SymbolKind::Fresh)
        };
        match terms.node(address) {
            Node::BvSum(sum) => {
                let mut bases = sum.summands.iter().filter(|(factor, it)| factor.is_one() && came(*it));
                match (bases.next(), bases.next()) {
                    (Some(base), None) => Some(base.1),
                    _ => None,
                }
            }
            _ => came(address).then_some(address),
        }
    }

    /// Follows an address that rests on an unknown pointer: null, or into an object that nothing else points to.
    /// `None` where there is no such pointer in it.
    pub(super) fn follow_unknown(&mut self, address: Term) -> Flow<Option<(ObjectId, Term)>> {
        let Some(base) = self.unknown_pointer(address) else { return Ok(None) };
        let terms = self.ctx.terms;
        let origin = self.origin_of(base);
        // What an unknown function has returned was noted at its call; numbers that anybody may choose (`freeze`, `rand`)
        // were not.
        if !self.state.called_unknown {
            self.note("unknown-pointer", &origin, true);
            self.state.called_unknown = true;
        }
        let zero = terms.bv_u64(Width::W64, 0);
        if self.decide_term(terms.eq(base, zero))? {
            return Ok(Some((ObjectId(0), terms.bv_sub(address, base))));
        }
        // That it is one of the program's own objects is left out: the run is not complete anyway.
        let id = self.state.memory.next_id();
        let start = terms.bv_u64(Width::W64, id.base());
        self.assume(terms.eq(base, start))?;
        let name: Arc<str> = format!("*{origin}").into();
        let root: Arc<str> = origin.trim_start_matches('*').split('[').next().unwrap_or_default().into();
        let size = MADE_UP as usize;
        let object = Object {
            kind: ObjectKind::Heap,
            life: Life::Live,
            ended: None,
            size: Size::Known(MADE_UP),
            used: None,
            bytes: Rc::new(Bytes::uninitialised(size)),
            element: 1,
            rows: None,
            name,
            unknown: Some(root),
            open: true,
            align: 0,
            until: crate::memory::FOREVER,
        };
        self.state.memory.allocate(object);
        Rc::make_mut(&mut self.state.strays).bind(base, id);
        Ok(Some((id, terms.bv_add(start, terms.bv_sub(address, base)))))
    }

    /// Where an unknown value comes from: the name before the number of its symbol.
    fn origin_of(&self, term: Term) -> Arc<str> {
        let terms = self.ctx.terms;
        let symbol = terms.symbols(term).first().map(|it| terms.symbol_info(*it).name.clone());
        symbol.map_or_else(|| "an unknown pointer".into(), |it| it.split('#').next().unwrap_or_default().into())
    }

    /// An access beyond what was made up of an object whose size nobody knows.
    pub(super) fn beyond(&self, id: ObjectId, access: Access) -> Step {
        let name = self.state.memory.get(id).map_or_else(|| "an object".into(), |it| Arc::clone(&it.name));
        self.unsupported(&format!(
            "{} beyond the first {MADE_UP} bytes of {name}, whose size is unknown",
            access.verb()
        ))
    }

    /// After a call of an unknown function everything that it could reach through its arguments has any content.
    pub(super) fn may_write(&mut self, name: &Arc<str>, arguments: &[Val]) {
        let mut work: Vec<ObjectId> = Vec::new();
        let mut reached = std::collections::BTreeSet::new();
        let object_at = |address: u64| ObjectId::of_address(address).0;
        for argument in arguments {
            match argument {
                Val::Int(address) => work.push(object_at(*address)),
                Val::Term(address) if self.ctx.terms.sort(*address).width() == Some(Width::W64) => {
                    work.extend(self.object_of(*address));
                }
                _ => {}
            }
        }
        while let Some(id) = work.pop() {
            let Lookup::Object(object) = self.state.memory.lookup(id) else { continue };
            if matches!(object.kind, ObjectKind::Function | ObjectKind::Constant)
                || reached.len() > MOST_REACHED
                || !reached.insert(id)
            {
                continue;
            }
            let bytes = &object.bytes;
            for at in (0..bytes.len().saturating_sub(7)).step_by(8) {
                if let Some(address) = bytes.load_concrete(at, 8) {
                    work.push(object_at(address));
                }
            }
        }
        for id in reached {
            if let Some(object) = self.state.memory.object_mut(id) {
                let len = object.size.most().min(MOST_BYTES.max(object.bytes.len() as u64));
                object.bytes = Rc::new(Bytes::uninitialised(len as usize));
                object.unknown = Some(Arc::clone(name));
            }
        }
    }
}
