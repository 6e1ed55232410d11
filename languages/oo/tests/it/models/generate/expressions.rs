//! Random expressions of a type.

use super::{Generator, make};
use effigy_oo::run::program::*;

impl Generator {
    /// An expression of this type.
    pub fn expr(&mut self, typ: &Type, depth: u32) -> Expr {
        let choice = self.numbers.below(12);
        if depth == 0 || choice < 3 {
            return self.leaf(typ);
        }
        match (typ, choice) {
            (_, 3) => {
                let cond = self.expr(&Type::Bool, depth - 1);
                let (then, other) = (self.expr(typ, depth - 1), self.expr(typ, depth - 1));
                make(ExprKind::Cond(cond, then, other))
            }
            (_, 4..=6) => self.read(typ, depth - 1).unwrap_or_else(|| self.leaf(typ)),
            (Type::Int, _) => self.number(depth - 1),
            (Type::Bool, _) => self.truth(depth - 1),
            _ => self.read(typ, depth - 1).unwrap_or_else(|| self.leaf(typ)),
        }
    }

    /// The types of which there is something to read.
    pub fn types(&self) -> Vec<Type> {
        let mut res = vec![Type::Int, Type::Bool];
        res.extend((0..self.program.classes.len() as u32).map(|it| Type::Object(ClassId(it))));
        res
    }

    fn number(&mut self, depth: u32) -> Expr {
        let op = [Op::Add, Op::Sub, Op::Add, Op::Sub, Op::Mul, Op::Div, Op::Mod, Op::Neg][self.numbers.below(8)];
        let left = self.expr(&Type::Int, depth);
        if op == Op::Neg {
            return make(ExprKind::Op(op, vec![left]));
        }
        // Solvers are not tried with products of variables often.
        let constant = op == Op::Mul && !self.numbers.once_in(8);
        let right = if constant { self.constant() } else { self.expr(&Type::Int, depth) };
        make(ExprKind::Op(op, vec![left, right]))
    }

    fn constant(&mut self) -> Expr {
        make(ExprKind::Int(self.numbers.small().into()))
    }

    fn truth(&mut self, depth: u32) -> Expr {
        match self.numbers.below(10) {
            0 => {
                let operand = self.expr(&Type::Bool, depth);
                make(ExprKind::Op(Op::Not, vec![operand]))
            }
            1..=3 => {
                let op = [Op::And, Op::Or, Op::Implies][self.numbers.below(3)];
                let count = if op == Op::Implies { 2 } else { 2 + self.numbers.below(2) };
                let operands = (0..count).map(|_| self.expr(&Type::Bool, depth)).collect();
                make(ExprKind::Op(op, operands))
            }
            4..=6 => {
                let op = [Op::Lt, Op::Le, Op::Eq, Op::Ne][self.numbers.below(4)];
                let (left, right) = (self.expr(&Type::Int, depth), self.expr(&Type::Int, depth));
                make(ExprKind::Op(op, vec![left, right]))
            }
            _ => {
                let op = [Op::Eq, Op::Ne][self.numbers.below(2)];
                let types = self.types();
                // Booleans are compared least often.
                let typ = match self.numbers.below(2 * types.len()) {
                    1 => Type::Bool,
                    at => types.get(at % types.len()).cloned().unwrap_or(Type::Int),
                };
                let (left, right) = match typ {
                    Type::Object(class) => {
                        let left = self.receiver(class, depth);
                        (left, if self.numbers.once_in(3) { make(ExprKind::Nil) } else { self.receiver(class, depth) })
                    }
                    _ => (self.expr(&typ, depth), self.expr(&typ, depth)),
                };
                make(ExprKind::Op(op, vec![left, right]))
            }
        }
    }

    /// A variable or a constant.
    fn leaf(&mut self, typ: &Type) -> Expr {
        let variables: Vec<VarId> =
            self.visible.iter().copied().filter(|it| self.program.variable(*it).typ == *typ).collect();
        let constant = self.numbers.once_in(if matches!(typ, Type::Object(_)) { 8 } else { 3 });
        match (self.numbers.one_of(&variables), typ) {
            (Some(var), _) if !constant => make(ExprKind::Var(*var)),
            (_, Type::Int) => self.constant(),
            (_, Type::Bool) => make(ExprKind::Bool(self.numbers.once_in(2))),
            _ => make(ExprKind::Nil),
        }
    }

    /// An object expression that is not the constant nil: readers want to know its class.
    pub fn receiver(&mut self, class: ClassId, depth: u32) -> Expr {
        let typ = Type::Object(class);
        if depth > 0 && self.numbers.once_in(8) {
            let cond = self.expr(&Type::Bool, depth - 1);
            let (then, other) = (self.receiver(class, depth - 1), self.receiver(class, depth - 1));
            return make(ExprKind::Cond(cond, then, other));
        }
        if depth > 0
            && self.numbers.once_in(3)
            && let Some(read) = self.read(&typ, depth - 1)
        {
            return read;
        }
        let variables: Vec<VarId> =
            self.visible.iter().copied().filter(|it| self.program.variable(*it).typ == typ).collect();
        match self.numbers.one_of(&variables) {
            Some(var) => make(ExprKind::Var(*var)),
            None => self.read(&typ, 1).unwrap_or_else(|| make(ExprKind::Nil)),
        }
    }

    /// A field, an element, an item or a length of this type.
    fn read(&mut self, typ: &Type, depth: u32) -> Option<Expr> {
        let mut places = self.places(typ, true);
        if *typ == Type::Int {
            let bounded = |it: &&VarId| matches!(&self.program.variable(**it).typ, Type::Map(map) if map.bounded);
            places.extend(self.visible.iter().filter(bounded).map(|it| Place::Length(*it)));
        }
        let place = self.numbers.one_of(&places)?.clone();
        Some(make(match place {
            Place::Field(field) => ExprKind::Field(self.receiver(self.program.field(field).class, depth), field),
            Place::Element(map, index) => ExprKind::Element(map, self.index(&index, depth)),
            Place::Item(class) => ExprKind::Item(self.receiver(class, depth), self.index(&Type::Int, depth)),
            Place::Length(map) => ExprKind::Length(map),
        }))
    }

    /// What is assigned, of this type.
    pub fn target(&mut self, typ: &Type, depth: u32) -> Target {
        let assigned = |it: &VarId| self.program.variable(*it).typ == *typ && !self.kept.contains(it);
        let variables: Vec<VarId> = self.visible.iter().copied().filter(assigned).collect();
        let places = self.places(typ, false);
        let place = self.numbers.one_of(&places).cloned();
        match (self.numbers.one_of(&variables), place) {
            (Some(var), None) => Target::Var(*var),
            (Some(var), _) if self.numbers.once_in(2) => Target::Var(*var),
            (_, Some(Place::Field(field))) => {
                Target::Field(self.receiver(self.program.field(field).class, depth), field)
            }
            (_, Some(Place::Element(map, index))) => Target::Element(map, self.index(&index, depth)),
            (_, Some(Place::Item(class))) => Target::Item(self.receiver(class, depth), self.index(&Type::Int, depth)),
            (Some(var), Some(Place::Length(_))) => Target::Var(*var),
            // There is a variable of each type.
            (None, _) => Target::Var(VarId(0)),
        }
    }

    fn index(&mut self, typ: &Type, depth: u32) -> Expr {
        match typ {
            Type::Int if !self.numbers.once_in(4) => {
                let value = [0, 0, 1, 1, 2][self.numbers.below(5)];
                make(ExprKind::Int(i64::into(value)))
            }
            Type::Object(class) => self.receiver(*class, depth),
            _ => self.expr(typ, depth),
        }
    }

    fn places(&self, typ: &Type, reading: bool) -> Vec<Place> {
        let program = &self.program;
        let mut res = Vec::new();
        for (id, field) in (0..).map(FieldId).zip(&program.fields) {
            let length = program.class(field.class).element.is_some();
            if field.typ == *typ && (reading || !length) {
                res.push(Place::Field(id));
            }
        }
        for var in &self.visible {
            match &program.variable(*var).typ {
                Type::Map(map) if map.element == *typ => res.push(Place::Element(*var, map.index.clone())),
                _ => {}
            }
        }
        for (id, class) in (0..).map(ClassId).zip(&program.classes) {
            if class.element.as_ref() == Some(typ) {
                res.push(Place::Item(id));
            }
        }
        res
    }
}

#[derive(Clone)]
enum Place {
    Field(FieldId),
    Element(VarId, Type),
    Item(ClassId),
    Length(VarId),
}
