//! How the surroundings of a program come into its memory: `argv`, `envp`, the environment, the files that are open.
//!
//! Knows: objects, the inputs of `surroundings`. Never: which function asks for them.

use crate::files::{Content, Files, Opened, Stream, Target};
use crate::machine::{Flow, Machine};
use crate::memory::bytes::Bytes;
use crate::memory::{ObjectId, ObjectKind, Size};
use crate::surroundings::{
    ASSUMED_STDIN, Argument, COUNT, STDIN, Surroundings, Value, argument_name, count_name, file_name, size_name,
    variable_name,
};
use crate::value::Val;
use effigy_term::{Node, Sort, SymbolKind, Term, Width};
use std::rc::Rc;
use std::sync::Arc;

impl Machine<'_, '_> {
    /// How many arguments there are in each group: a path for each number.
    pub(crate) fn numbers_of_arguments(&mut self, surroundings: &Surroundings) -> Flow<Vec<u64>> {
        let mut res = Vec::new();
        let groups = surroundings.arguments.iter().filter_map(|it| match it {
            Argument::Several { least, most, .. } => Some((*least, *most)),
            _ => None,
        });
        for (index, (least, most)) in groups.enumerate() {
            let count = self.ctx.input(&count_name(index), Sort::BitVec(Width::W32), SymbolKind::Input);
            let terms = self.ctx.terms;
            let number = |it: u64| terms.bv_u64(Width::W32, it);
            self.assume(terms.and(terms.bv_ule(number(least), count), terms.bv_ule(count, number(most))))?;
            res.push(self.choose_value(count)?);
        }
        Ok(res)
    }

    /// `argc`, `argv`, `envp`.
    pub(crate) fn main_arguments(&mut self, surroundings: &Surroundings, counts: &[u64]) -> Vec<Val> {
        let what: Arc<str> = "an argument of main".into();
        let mut addresses = vec![self.known_text("program", &what)];
        let mut counts = counts.iter();
        for argument in &surroundings.arguments {
            let (count, length) = match argument {
                Argument::Text(text) => {
                    addresses.push(self.known_text(text, &what));
                    continue;
                }
                Argument::Symbolic(length) => (1, *length),
                Argument::Several { length, .. } => {
                    let count = counts.next().copied().unwrap_or(0);
                    self.input_number(COUNT, Width::W32, false);
                    (count, *length)
                }
            };
            for _ in 0..count {
                addresses.push(self.input_text(&argument_name(addresses.len()), length));
            }
        }
        let argc = addresses.len() as u64;
        addresses.push(0);
        let argv = self.table(&addresses, "argv");
        let envp = self.table(&[0; 32], "the environment");
        if let Some(object) = self.state.memory.object_mut(ObjectId::of_address(envp).0) {
            object.bytes = Rc::new(Bytes::uninitialised(object.bytes.len()));
            object.unknown = Some("the environment".into());
            object.open = true;
        }
        [argc, argv, envp].into_iter().map(Val::Int).collect()
    }

    fn known_text(&mut self, text: &str, what: &Arc<str>) -> u64 {
        let mut bytes = text.as_bytes().to_vec();
        bytes.push(0);
        let size = Size::Known(bytes.len() as u64);
        self.allocate(ObjectKind::Global, size, Bytes::concrete(bytes), 1, what).base()
    }

    /// A text of at most so many bytes: its object is as long as the text is.
    fn input_text(&mut self, name: &str, length: u64) -> u64 {
        let name: Arc<str> = name.into();
        let mut pieces: Vec<Term> = Vec::with_capacity(length as usize);
        for at in 0..length {
            let piece = if length == 1 { name.to_string() } else { format!("{name}[{at}]") };
            pieces.push(self.ctx.input(&piece, Sort::BitVec(Width::W8), SymbolKind::Input));
        }
        self.reserve(&name);
        let address = self.text_of(&pieces, ObjectKind::Global, &name);
        let record = crate::state::InputRecord { name: Arc::clone(&name), element: 1, signed: true, ty: None, pieces };
        Rc::make_mut(&mut self.state.inputs).push(record);
        address
    }

    /// An object for the text of these bytes: as long as the text is, which ends at the first zero.
    pub(crate) fn text_of(&mut self, pieces: &[Term], kind: ObjectKind, name: &Arc<str>) -> u64 {
        let length = pieces.len() as u64;
        let mut bytes = Bytes::concrete(vec![0; pieces.len() + 1]);
        let terms = self.ctx.terms;
        let mut size = terms.bv_u64(Width::W64, length + 1);
        for (at, &piece) in pieces.iter().enumerate().rev() {
            let is_end = terms.eq(piece, terms.bv_u64(Width::W8, 0));
            size = terms.ite(is_end, terms.bv_u64(Width::W64, at as u64 + 1), size);
            bytes.store_term(terms, at, 1, piece);
        }
        let size = match terms.as_bv(size).and_then(|it| it.to_u64()) {
            Some(size) => Size::Known(size),
            None => Size::Symbolic { term: size, most: length + 1 },
        };
        self.allocate(kind, size, bytes, 1, name).base()
    }

    /// Whether a size is at least `least`. The size of a text is a choice between numbers, by where its end is: what is
    /// known of its characters answers that.
    pub(crate) fn at_least(&self, size: Term, least: u64) -> Term {
        let terms = self.ctx.terms;
        let (mut rest, mut choices) = (size, Vec::new());
        while let Node::Ite(cond, then, other) = *terms.node(rest) {
            let Some(known) = terms.as_bv(then).and_then(|it| it.to_u64()) else { break };
            choices.push((cond, known >= least));
            rest = other;
        }
        let last = terms.bv_ule(terms.bv_u64(Width::W64, least), rest);
        choices.into_iter().rev().fold(last, |other, (cond, enough)| match enough {
            true => terms.or(cond, other),
            false => terms.and(terms.not(cond), other),
        })
    }

    fn table(&mut self, addresses: &[u64], name: &str) -> u64 {
        let bytes: Vec<u8> = addresses.iter().flat_map(|it| it.to_le_bytes()).collect();
        let size = Size::Known(bytes.len() as u64);
        self.allocate(ObjectKind::Global, size, Bytes::concrete(bytes), 8, &name.into()).base()
    }

    /// No other input gets this name.
    fn reserve(&mut self, name: &str) {
        Rc::make_mut(&mut self.state.input_names).insert(name.into(), 1);
    }

    /// Standard streams, files, the environment. They become inputs when they are first looked at.
    pub(crate) fn surround(&mut self, surroundings: &Surroundings) {
        let mut files = Files { declared: !surroundings.files.is_empty(), ..Files::default() };
        let most = surroundings.stdin.unwrap_or(ASSUMED_STDIN);
        let (exact, assumed) = (surroundings.exact, surroundings.stdin.is_none());
        let stdin = files.add(Content::input(STDIN.into(), most, exact && !assumed, assumed));
        let targets = [Target::Content(stdin), Target::Output, Target::Errors];
        for (target, address) in targets.into_iter().zip(self.program.library.streams) {
            let reads = target == Target::Content(stdin);
            let opened = Opened { target, position: 0, reads, writes: !reads, appends: false, ahead: false };
            let descriptor = files.open(opened);
            files.streams.insert(address, Stream::new(descriptor));
        }
        self.reserve(STDIN);
        self.reserve(&size_name(STDIN));
        for file in &surroundings.files {
            let name = file_name(&file.name);
            let content = files.add(Content::input(name.as_str().into(), file.size, exact, false));
            files.names.insert(file.name.as_bytes().into(), content);
            self.reserve(&name);
            self.reserve(&size_name(&name));
        }
        for variable in &surroundings.variables {
            let address = match &variable.value {
                Value::Text(text) => self.known_text(text, &"a variable of the environment".into()),
                Value::Symbolic(length) => self.input_text(&variable_name(&variable.name), *length),
                Value::Unset => 0,
            };
            let environment = Rc::make_mut(&mut self.state.process.environment);
            environment.insert(variable.name.as_str().into(), Val::Int(address));
        }
        self.state.process.files = Rc::new(files);
    }
}
