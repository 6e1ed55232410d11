//! Calls and returns.
//!
//! Knows: frames, callees. Never: what a builtin does (`libc`).

use crate::call_frame::{Around, Frame, Variadic};
use crate::checks::{BAD_CALL, NULL_DEREFERENCE, STACK_OVERFLOW, UNINITIALISED_VALUE};
use crate::code::{Call, Callable, Func, Inst, NO_SITE, Shape, Target};
use crate::leaks::LeaksAtEnd;
use crate::machine::{Executable, Flow, Machine};
use crate::memory::bytes::Bytes;
use crate::memory::{ObjectId, ObjectKind, Size};
use crate::names::{is_input_width, is_uninterpreted, is_unsigned, nondet};
use crate::options::Externals;
use crate::value::Val;
use effigy_engine::{Note, Outcome, Rounds, Site, Step};
use effigy_term::{Term, Width};
use std::rc::Rc;
use std::sync::Arc;

/// Calls nest at most this deep: on a stack they are over by then, unless they were optimised away.
const MOST_FRAMES: usize = 600_000;

/// Bytes of a stack: what Linux gives the first thread unless told otherwise (`ulimit -s`).
const STACK: u64 = 8 << 20;

/// A new frame's registers.
pub(crate) fn frame(program: &Executable, function: u32, arguments: &[Val]) -> Frame {
    let func = &program.code.functions[function as usize];
    let mut registers = vec![Val::Undef; func.registers as usize];
    let named = func.parameters.len();
    for (register, value) in registers.iter_mut().zip(arguments.iter().take(named)) {
        *register = value.clone();
    }
    let variadic = arguments.get(named..).unwrap_or_default().iter().cloned().map(Variadic::Word).collect();
    Frame {
        function,
        pc: 0,
        registers,
        allocas: Vec::new(),
        dynamic: Vec::new(),
        variadic,
        ignore_result: false,
        rounds: Rounds::default(),
        around: Around::default(),
    }
}

impl Machine<'_, '_> {
    pub(super) fn call(&mut self, call: &Call) -> Flow<()> {
        let arguments: Vec<Val> = call.arguments.iter().map(|it| self.value(it.value)).collect();
        match &call.target {
            Target::Function(function) => self.enter(*function, call, arguments),
            Target::Builtin(builtin) => self.builtin(*builtin, call, &arguments),
            Target::External(name) => self.external(name, call, &arguments),
            Target::Address(address) => {
                let address = self.value(*address);
                let callable = self.callee(&address)?;
                match callable {
                    Callable::Function(function) => self.enter(function, call, arguments),
                    Callable::Builtin(builtin) => self.builtin(builtin, call, &arguments),
                    Callable::External(name) => self.external(&name, call, &arguments),
                }
            }
        }
    }

    /// What the function pointer `address` points to.
    pub(crate) fn callee(&mut self, address: &Val) -> Flow<Callable> {
        let concrete = match &self.pointer_of(address) {
            Val::Int(address) => *address,
            Val::Term(term) => {
                self.require_defined(*term, "a function pointer")?;
                if self.unknown_pointer(*term) == Some(*term) {
                    return self.unknown_callee(*term);
                }
                self.choose_value(*term)?
            }
            _ => {
                return Err(self.violation(UNINITIALISED_VALUE, "a function pointer is uninitialised".to_owned()));
            }
        };
        let (id, offset) = ObjectId::of_address(concrete);
        match self.program.code.callables.get(&id.0) {
            Some(callable) if offset == 0 => Ok(callable.clone()),
            _ if concrete == 0 => Err(self.violation(NULL_DEREFERENCE, "calling the null pointer".to_owned())),
            _ => Err(self.violation(BAD_CALL, "calling a pointer that points to no function".to_owned())),
        }
    }

    /// A function pointer from outside is null, or a function that nobody knows.
    fn unknown_callee(&mut self, pointer: Term) -> Flow<Callable> {
        let terms = self.ctx.terms;
        if self.decide_term(terms.eq(pointer, terms.bv_u64(Width::W64, 0)))? {
            return Err(self.violation(NULL_DEREFERENCE, "calling the null pointer".to_owned()));
        }
        Ok(Callable::External("a function from outside of the program".into()))
    }

    fn enter(&mut self, function: u32, call: &Call, mut arguments: Vec<Val>) -> Flow<()> {
        let func = &self.program.code.functions[function as usize];
        self.before_atomic_function(&func.name)?;
        let around = self.around(function, call);
        if around.stack > STACK && self.on(STACK_OVERFLOW) {
            let calls = self.state.frames.len();
            let message = format!(
                "{} is called with {calls} calls open, for which 8 MiB of stack are not enough",
                func.source_name
            );
            return Err(self.violation(STACK_OVERFLOW, message));
        }
        if self.state.frames.len() >= MOST_FRAMES {
            return Err(self.unsupported("calls nested more than 600000 deep"));
        }
        if arguments.len() < func.parameters.len() || (arguments.len() > func.parameters.len() && !func.varargs) {
            let message = format!(
                "{} takes {} arguments and is called with {}",
                func.source_name,
                func.parameters.len(),
                arguments.len()
            );
            return Err(self.violation(BAD_CALL, message));
        }
        self.types_fit(func, call)?;
        // Copies of structures that are passed by value: all checked before the first is made.
        let mut copies = Vec::new();
        for (index, argument) in call.arguments.iter().enumerate() {
            if let Some(size) = argument.byval {
                copies.push((index, self.copy_of(&arguments[index], size)?, size));
            }
        }
        let mut allocas = Vec::new();
        let mut unnamed = Vec::new();
        for (index, bytes, size) in copies {
            let name = func.parameters.get(index).map_or_else(|| "an argument".into(), |it| Arc::clone(&it.name));
            let id = self.allocate(ObjectKind::Stack, Size::Known(size), bytes, 1, &name);
            // System V ABI: what is passed in memory is in words.
            self.align(id, 3);
            allocas.push(id);
            arguments[index] = Val::Int(id.base());
            if index >= func.parameters.len() {
                unnamed.push((index - func.parameters.len(), Variadic::Copy(id, size)));
            }
        }
        let mut frame = frame(self.program, function, &arguments);
        if !unnamed.is_empty() {
            let mut variadic = frame.variadic.to_vec();
            unnamed.into_iter().for_each(|(index, copy)| variadic[index] = copy);
            frame.variadic = variadic.into();
        }
        frame.allocas = allocas;
        frame.around = around;
        // A recursive call is a round.
        self.meets = around.recursive;
        self.ctx.coverage.reach(Site(func.site));
        self.state.frames.push(Rc::new(frame));
        self.begin_atomic_function(&func.name);
        Ok(())
    }

    /// What there is around a call that is being made.
    fn around(&self, function: u32, call: &Call) -> Around {
        let Some(caller) = self.state.frames.last() else { return Around::default() };
        let own = match call.leaves {
            true => 0,
            false => {
                let size = |id: &ObjectId| match self.state.memory.get(*id)?.size {
                    Size::Known(size) => Some(size),
                    Size::Symbolic { .. } => None,
                };
                let fixed = self.program.code.functions[caller.function as usize].stack;
                // What is passed by value is copied there.
                let copied = call.arguments.iter().filter_map(|it| it.byval);
                caller.dynamic.iter().filter_map(size).chain(copied).fold(fixed, u64::saturating_add)
            }
        };
        let bit = |function: u32| 1_u128 << (function % u128::BITS);
        let functions = caller.around.functions | bit(caller.function);
        // A deep stack is looked through for what is on it alone.
        let may_be_open = functions & bit(function) != 0;
        let same = self.state.frames.iter().rev().take_while(|_| may_be_open).find(|it| it.function == function);
        Around {
            functions,
            stack: caller.around.stack.saturating_add(own),
            recursive: same.is_some(),
            open: same.map_or(0, |it| it.around.open + u32::from(it.rounds.asked)),
        }
    }

    /// A call through a type that is not the function's: C17 6.5.2.2.
    fn types_fit(&mut self, func: &Func, call: &Call) -> Flow<()> {
        let bits = |shape: &Shape| match shape {
            Shape::Scalar { width, .. } => format!("{width} bits"),
            Shape::Aggregate(_) => "a structure".to_owned(),
        };
        for (at, (parameter, argument)) in func.parameters.iter().zip(&call.arguments).enumerate() {
            if parameter.shape != argument.shape {
                let (takes, given) = (bits(&parameter.shape), bits(&argument.shape));
                let message = format!("parameter {} of {} has {takes} and is given {given}", at + 1, func.source_name);
                return Err(self.violation(BAD_CALL, message));
            }
        }
        match (&call.result, &func.result) {
            (Some(expected), Some(returns)) if expected != returns && call.dst.is_some() => {
                let (returns, expected) = (bits(returns), bits(expected));
                let message = format!("{} returns {returns} and is called for {expected}", func.source_name);
                Err(self.violation(BAD_CALL, message))
            }
            _ => Ok(()),
        }
    }

    fn copy_of(&mut self, ptr: &Val, size: u64) -> Flow<Bytes> {
        let mut bytes = Bytes::uninitialised(size as usize);
        if size > 0 {
            let spot = self.resolve(ptr, size, super::access::Access::Read)?;
            self.read_into(spot, &mut bytes, size as usize);
        }
        Ok(bytes)
    }

    /// The caller goes on after its call, with this result.
    fn returned(&mut self, call: &Call, value: Option<Val>) {
        if call.site != NO_SITE {
            self.ctx.coverage.reach(Site(call.site));
        }
        if let Some(dst) = call.dst {
            self.frame_mut().registers[dst as usize] = value.unwrap_or(Val::Undef);
        }
        match call.normal {
            Some(edge) => self.take(edge),
            None => self.frame_mut().pc += 1,
        }
    }

    pub(super) fn ret(&mut self, value: Option<Val>) -> Flow<()> {
        let ends_program = self.state.frames.len() == 1 && self.state.threads.current == 0;
        if ends_program {
            self.visible_end()?;
        }
        if self.state.threads.are_several() && !ends_program {
            let ending = self.frame();
            let variables: Vec<ObjectId> = ending.allocas.iter().chain(&ending.dynamic).copied().collect();
            for id in variables {
                self.ends_life(id)?;
            }
        }
        let Some(done) = self.state.frames.pop() else { return Ok(()) };
        self.end_atomic_function();
        for &id in done.allocas.iter().chain(&done.dynamic) {
            self.state.memory.forget(id);
        }
        if self.state.frames.is_empty() {
            // The frame stays for the report of where the program ended.
            self.state.frames.push(done);
            if self.state.threads.current != 0 {
                return self.end_thread(value.unwrap_or(Val::Int(0)));
            }
            return self.end(&value.unwrap_or(Val::Int(0)), |process| &mut process.at_exit, LeaksAtEnd::AfterMain);
        }
        self.meets = true;
        if done.ignore_result {
            return Ok(());
        }
        let code = &self.program.code;
        let caller = self.frame();
        match code.functions[caller.function as usize].code[caller.pc as usize] {
            Inst::Call { call } => self.returned(&code.calls[call as usize], value),
            _ => unreachable!("a caller stands at its call"),
        }
        Ok(())
    }

    /// The end of the program with this exit code.
    pub(crate) fn exit(&mut self, code: Val) -> Step {
        let code = self.settled_argument(&code, Width::W32, "the exit code");
        let known = match &code {
            Val::Int(bits) => Some(crate::process::status(*bits)),
            _ => None,
        };
        self.state.exit = Some(code);
        Step::Exit(Outcome::Exit { code: known })
    }

    fn builtin(&mut self, builtin: u32, call: &Call, arguments: &[Val]) -> Flow<()> {
        let settled = self.settled_arguments(builtin, call, arguments);
        let arguments = settled.as_deref().unwrap_or(arguments);
        let result = self.program.builtins[builtin as usize](self, call, arguments)?;
        self.returned(call, result);
        Ok(())
    }

    /// A function of which only the name is known: it returns any value, and writes any value where its arguments lead.
    fn external(&mut self, name: &Arc<str>, call: &Call, arguments: &[Val]) -> Flow<()> {
        if name.starts_with("llvm.") {
            return Err(self.unsupported(&format!("the intrinsic {name}")));
        }
        if let (Some(input), Some(Shape::Scalar { width, .. })) = (nondet(name), &call.result)
            && is_input_width(*width)
        {
            let value = self.nondet_input(input, *width, !is_unsigned(input));
            self.returned(call, Some(value));
            return Ok(());
        }
        if is_uninterpreted(name)
            && let Some(Shape::Scalar { width, .. }) = &call.result
            && is_input_width(*width)
        {
            let value = super::uninterpreted::apply(self, name, call, Width::of(*width), arguments)?;
            self.returned(call, Some(value));
            return Ok(());
        }
        // What is not known of the Rust library grows vectors and drops values: that it changes nothing would be wrong.
        let externals = self.program.options.externals;
        if externals == Externals::Refused || name.contains("::") {
            return Err(self.unsupported(&format!("the unknown function {name}")));
        }
        if call.never_returns {
            return Err(self.unsupported(&format!("the unknown function {name}, which does not return")));
        }
        if externals == Externals::Pure
            && let Some(result) = self.pure_result(name, call)
        {
            self.assumed_pure(name);
            self.returned(call, result);
            return Ok(());
        }
        self.note("unknown-external", name, true);
        self.state.called_unknown = true;
        self.may_write(name, arguments);
        let result = call.result.as_ref().map(|it| self.arbitrary(name, it));
        self.returned(call, result);
        Ok(())
    }

    /// The user says so.
    pub(super) fn assumed_pure(&mut self, name: &str) {
        self.note(Note::ASSUMED, &format!("{name}, which is not known, changes nothing"), false);
    }

    /// What a function returns that changes nothing: an input. `None` where that is no number, and where the name is the
    /// compiler's or another tool's (C17 7.1.3), to which it means something.
    fn pure_result(&mut self, name: &Arc<str>, call: &Call) -> Option<Option<Val>> {
        match &call.result {
            _ if name.starts_with("__") => None,
            None => Some(None),
            Some(Shape::Scalar { width, .. }) if is_input_width(*width) => {
                Some(Some(self.nondet_input(name, *width, !call.zero_extended && !is_unsigned(name))))
            }
            Some(_) => None,
        }
    }

    /// Any value of a shape.
    fn arbitrary(&mut self, name: &str, shape: &Shape) -> Val {
        match shape {
            Shape::Aggregate(elements) => Val::Agg(elements.iter().map(|(_, it)| self.arbitrary(name, it)).collect()),
            Shape::Scalar { width, .. } => {
                let term = self.any(name, *width);
                let terms = self.ctx.terms;
                let term = if *width == 1 { terms.eq(term, terms.bv_u64(Width::W1, 1)) } else { term };
                Val::of_term(terms, term)
            }
        }
    }
}
