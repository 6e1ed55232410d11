//! Operations on sequences, sets, multisets and maps: what must hold for them to mean something.

use crate::failure::ReasonKind;
use crate::machine::{Machine, Res, Scene};
use effigy_contracts::program::{CollectionOp, Exp, Type};
use effigy_heap::collections::CollectionKind;
use effigy_heap::vocabulary::substituted;
use effigy_term::Term;

impl<'a, 't> Machine<'a, 't> {
    pub(super) fn collection(
        &mut self,
        scene: &Scene<'_, 'a>,
        op: CollectionOp,
        args: &'a [Exp],
        exp: &'a Exp,
    ) -> Res<Term> {
        let values = self.eval_all(scene, args)?;
        let Some(kind) = self.kind_of_operation(scene, op, args, exp) else {
            return self.unsupported("this operation on a collection", exp.span);
        };
        let elements = self.converted(op, values, kind);
        match op {
            CollectionOp::SeqIndex | CollectionOp::SeqUpdate => {
                let zero = self.terms.int(0);
                let not_negative = self.terms.int_le(zero, elements[1]);
                self.require(scene, not_negative, ReasonKind::SeqIndexNegative, args[1].span)?;
                let length =
                    self.vocabulary.collections.apply(self.terms, CollectionOp::SeqLength, kind, &elements[..1]);
                let within = self.terms.int_lt(elements[1], length);
                self.require(scene, within, ReasonKind::SeqIndexLength, args[1].span)?;
            }
            CollectionOp::MapLookup => {
                let contains = [elements[1], elements[0]];
                let contained =
                    self.vocabulary.collections.apply(self.terms, CollectionOp::MapContains, kind, &contains);
                self.require(scene, contained, ReasonKind::MapKeyContains, args[1].span)?;
            }
            _ => {}
        }
        Ok(self.vocabulary.collections.apply(self.terms, op, kind, &elements))
    }

    /// The kind of the collection that is operated on, or built.
    pub(super) fn kind_of_operation(
        &self,
        scene: &Scene<'_, 'a>,
        op: CollectionOp,
        args: &[Exp],
        exp: &Exp,
    ) -> Option<CollectionKind> {
        let typ = match op {
            CollectionOp::SeqLiteral
            | CollectionOp::SetLiteral
            | CollectionOp::MultisetLiteral
            | CollectionOp::MapLiteral => &exp.typ,
            CollectionOp::SeqRange => &Type::Seq(std::sync::Arc::new(Type::Int)),
            CollectionOp::SeqContains
            | CollectionOp::SetContains
            | CollectionOp::MultisetCount
            | CollectionOp::MapContains => &args[1].typ,
            _ => &args[0].typ,
        };
        self.vocabulary.kind(self.terms, &substituted(typ, &scene.env.types))
    }

    /// Integers where the elements are amounts are numbers of wholes.
    fn converted(&self, op: CollectionOp, values: Vec<Term>, kind: CollectionKind) -> Vec<Term> {
        use effigy_term::Sort;
        let element = match kind {
            CollectionKind::Seq(it) | CollectionKind::Set(it) | CollectionKind::Multiset(it) => it,
            CollectionKind::Map(..) => return values,
        };
        let literal = matches!(op, CollectionOp::SeqLiteral | CollectionOp::SetLiteral | CollectionOp::MultisetLiteral);
        let first = matches!(op, CollectionOp::SeqContains | CollectionOp::SetContains | CollectionOp::MultisetCount);
        let convert = |at: usize, it: Term| {
            let is_element = literal || (first && at == 0) || (op == CollectionOp::SeqUpdate && at == 2);
            if element == Sort::Real && is_element { self.as_permission(it) } else { it }
        };
        values.into_iter().enumerate().map(|(at, it)| convert(at, it)).collect()
    }
}
