//! Expressions with their macros expanded.
//!
//! Knows: every form of expression. Never: statements.

use super::expand::{ExpandResult, Expander, Meaning};
use crate::ast::{
    BinaryOp, Binding, Exp, ExpKind, Macro, MacroBody, Name, NewFields, OldLabel, Quantified, Span, Trigger,
};

impl<'a> Expander<'a> {
    pub(super) fn exps(&mut self, exps: &[Exp]) -> ExpandResult<Vec<Exp>> {
        exps.iter().map(|it| self.exp(it)).collect()
    }

    fn boxed(&mut self, exp: &Exp) -> ExpandResult<Box<Exp>> {
        Ok(Box::new(self.exp(exp)?))
    }

    fn optional(&mut self, exp: &Option<Box<Exp>>) -> ExpandResult<Option<Box<Exp>>> {
        exp.as_ref().map(|it| self.boxed(it)).transpose()
    }

    #[inline(never)]
    pub(super) fn build(&self, kind: ExpKind, span: Span) -> ExpandResult<Exp> {
        match Exp::new(kind, self.span(span)) {
            Ok(res) => Ok(res),
            Err(_) => self.error(span, "this is nested too deeply once macros are expanded"),
        }
    }

    pub(super) fn exp(&mut self, exp: &Exp) -> ExpandResult<Exp> {
        self.enter(exp.span)?;
        let res = match &exp.kind {
            ExpKind::Var(name) => self.variable(name, exp.span)?,
            ExpKind::Call(name, args, None) => self.call(name, args, exp.span)?,
            kind => {
                let kind = self.kind(kind)?;
                self.build(kind, exp.span)?
            }
        };
        self.leave();
        Ok(res)
    }

    #[inline(never)]
    fn variable(&mut self, name: &Name, span: Span) -> ExpandResult<Exp> {
        match self.meaning(&name.text).cloned() {
            Some(Meaning::Argument(argument)) => {
                self.spend(argument.size(), span)?;
                Ok((*argument).clone())
            }
            Some(Meaning::Declared(text)) => self.build(ExpKind::Var(Name { text, span: self.span(name.span) }), span),
            None => match self.macros.get(&name.text) {
                Some(it) => self.exp_macro(it, None, span),
                None => self.build(ExpKind::Var(Name { text: name.text.clone(), span: self.span(name.span) }), span),
            },
        }
    }

    #[inline(never)]
    fn call(&mut self, name: &Name, args: &[Exp], span: Span) -> ExpandResult<Exp> {
        match self.macro_called(name) {
            Some(it) => self.exp_macro(it, Some(args), span),
            None => {
                let name = self.reference(name, "the name of a function or predicate")?;
                let args = self.exps(args)?;
                self.build(ExpKind::Call(name, args, None), span)
            }
        }
    }

    /// The macro with parameters that a call means.
    pub(super) fn macro_called(&self, name: &Name) -> Option<&'a Macro> {
        let text = match self.meaning(&name.text) {
            Some(Meaning::Argument(argument)) => match &argument.kind {
                ExpKind::Var(name) => &name.text,
                _ => return None,
            },
            _ => &name.text,
        };
        self.macros.get(text).filter(|it| it.parameters.is_some())
    }

    #[inline(never)]
    fn exp_macro(&mut self, it: &'a Macro, args: Option<&[Exp]>, span: Span) -> ExpandResult<Exp> {
        let MacroBody::Exp(body) = &it.body else {
            return self
                .error(span, format!("the macro `{}` stands for statements, not for an expression", it.name.text));
        };
        let outer = self.begin(it, args, span)?;
        let res = self.exp(body)?;
        self.end(outer);
        Ok(res)
    }

    /// Expands `body` within the scope of these variables.
    fn binding<T>(
        &mut self,
        variables: &[Binding],
        body: impl FnOnce(&mut Self) -> ExpandResult<T>,
    ) -> ExpandResult<(Vec<Binding>, T)> {
        let mark = self.open_scope();
        let variables = self.declare_all(variables)?;
        let res = body(self)?;
        self.close_scope(mark);
        Ok((variables, res))
    }

    pub(super) fn declare_all(&mut self, variables: &[Binding]) -> ExpandResult<Vec<Binding>> {
        let mut res = Vec::with_capacity(variables.len());
        for it in variables {
            let typ = self.typ(&it.typ)?;
            res.push(Binding { name: self.declare(&it.name), typ, span: self.span(it.span) });
        }
        Ok(res)
    }

    /// What `acc`, `perm` and `forperm` ask about.
    #[inline(never)]
    fn resource(&mut self, exp: &Exp) -> ExpandResult<Box<Exp>> {
        let res = self.exp(exp)?;
        match res.kind {
            ExpKind::Field(..) | ExpKind::Call(_, _, None) | ExpKind::Binary(BinaryOp::Wand, ..) => Ok(Box::new(res)),
            _ => self.error(exp.span, "this macro must stand for a field `e.f` or a predicate `P(e)` here"),
        }
    }

    /// What is folded and unfolded.
    pub(super) fn predicate(&mut self, exp: &Exp) -> ExpandResult<Exp> {
        let res = self.exp(exp)?;
        match res.kind {
            ExpKind::Acc(..) | ExpKind::Call(_, _, None) => Ok(res),
            _ => self.error(exp.span, "this macro must stand for a predicate here"),
        }
    }

    #[inline(never)]
    fn kind(&mut self, kind: &ExpKind) -> ExpandResult<ExpKind> {
        use ExpKind::*;
        Ok(match kind {
            Int(_) | Bool(_) | Null | Result | NoPerm | Write | Wildcard | Epsilon | Var(_) => kind.clone(),
            New(NewFields::All) => kind.clone(),
            New(NewFields::These(fields)) => {
                let fields = fields.iter().map(|it| self.reference(it, "the name of a field"));
                New(NewFields::These(fields.collect::<ExpandResult<_>>()?))
            }
            Call(name, args, typ) => {
                let name = self.reference(name, "the name of a function or predicate")?;
                Call(name, self.exps(args)?, typ.as_ref().map(|it| self.typ(it).map(Box::new)).transpose()?)
            }
            Field(of, name) => Field(self.boxed(of)?, self.reference(name, "the name of a field")?),
            Index(a, b) => Index(self.boxed(a)?, self.boxed(b)?),
            Update(a, b, c) => Update(self.boxed(a)?, self.boxed(b)?, self.boxed(c)?),
            Slice(a, from, to) => Slice(self.boxed(a)?, self.optional(from)?, self.optional(to)?),
            Unary(op, a) => Unary(*op, self.boxed(a)?),
            Binary(op, a, b) => Binary(*op, self.boxed(a)?, self.boxed(b)?),
            Cond(a, b, c) => Cond(self.boxed(a)?, self.boxed(b)?, self.boxed(c)?),
            Acc(location, amount) => Acc(self.resource(location)?, self.optional(amount)?),
            Perm(resource) => Perm(self.resource(resource)?),
            Old(label, a) => Old(self.old_label(label)?, self.boxed(a)?),
            Quantified(it) => self.quantified(it)?,
            ForPerm(variables, resource, body) => {
                let (variables, (resource, body)) =
                    self.binding(variables, |it| Ok((it.resource(resource)?, it.boxed(body)?)))?;
                ForPerm(variables, resource, body)
            }
            Let(name, value, body) => {
                let value = self.boxed(value)?;
                let mark = self.open_scope();
                let name = self.declare(name);
                let body = self.boxed(body)?;
                self.close_scope(mark);
                Let(name, value, body)
            }
            Unfolding(predicate, body) => Unfolding(Box::new(self.predicate(predicate)?), self.boxed(body)?),
            Applying(wand, body) => Applying(self.boxed(wand)?, self.boxed(body)?),
            Asserting(a, body) => Asserting(self.boxed(a)?, self.boxed(body)?),
            Collection(which, typ, elements) => {
                let typ = typ.as_ref().map(|it| self.typ(it).map(Box::new)).transpose()?;
                Collection(*which, typ, self.exps(elements)?)
            }
            Map(types, entries) => {
                let types = match types {
                    Some(it) => Some(Box::new((self.typ(&it.0)?, self.typ(&it.1)?))),
                    None => None,
                };
                let entries = entries.iter().map(|(key, value)| Ok((self.exp(key)?, self.exp(value)?)));
                Map(types, entries.collect::<ExpandResult<_>>()?)
            }
            Range(a, b) => Range(self.boxed(a)?, self.boxed(b)?),
            InhaleExhale(a, b) => InhaleExhale(self.boxed(a)?, self.boxed(b)?),
            Size(a) => Size(self.boxed(a)?),
            MapDomain(a) => MapDomain(self.boxed(a)?),
            MapRange(a) => MapRange(self.boxed(a)?),
            Annotated(annotation, a) => Annotated(annotation.clone(), self.boxed(a)?),
            PredicateInstance(name, args) => {
                PredicateInstance(self.reference(name, "the name of a predicate")?, self.exps(args)?)
            }
        })
    }

    #[inline(never)]
    fn old_label(&mut self, label: &Option<OldLabel>) -> ExpandResult<Option<OldLabel>> {
        Ok(match label {
            None => None,
            Some(OldLabel::Lhs(span)) => Some(OldLabel::Lhs(self.span(*span))),
            Some(OldLabel::Label(name)) => Some(OldLabel::Label(self.label(name)?)),
        })
    }

    #[inline(never)]
    fn quantified(&mut self, it: &Quantified) -> ExpandResult<ExpKind> {
        let (variables, (triggers, body)) = self.binding(&it.variables, |this| {
            let triggers = it.triggers.iter().map(|it| {
                let exps = this.exps(&it.exps)?;
                Ok(Trigger { exps, span: this.span(it.span) })
            });
            Ok((triggers.collect::<ExpandResult<_>>()?, this.exp(&it.body)?))
        })?;
        Ok(ExpKind::Quantified(Box::new(Quantified { universal: it.universal, variables, triggers, body })))
    }
}
