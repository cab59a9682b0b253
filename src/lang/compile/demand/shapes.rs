//! What questions about shapes read of a value.

use std::collections::HashMap;

use super::Survey;
use super::positions::Positions;
use crate::json::Demand;
use crate::lang::program::{Expr, ExprKind, Program, Slot};
use crate::model::shape::{Form, Kind, Shape, ShapeId, Shapes};
use crate::model::value::Value;

impl Survey<'_> {
    /// `fits`, `misfits`, `parts`: what the shapes name; of the parts that are looked for everything.
    pub(super) fn shaped(&mut self, arguments: &[Expr], env: &mut HashMap<Slot, Positions>) {
        let positions = arguments
            .first()
            .map(|value| self.visit(value, env))
            .unwrap_or_default();
        let mut shapes = Vec::new();
        for argument in arguments.iter().skip(1) {
            self.read(argument, env);
            shapes.push(possible(self.program, argument));
        }
        let part = arguments.len() > 3;
        let wanted = match (part, shapes.get(1)) {
            (false, _) => Some(vec![]),
            (true, Some(Some(wanted))) => Some(wanted.clone()),
            (true, _) => None,
        };
        let (Some(Some(shapes)), Some(wanted)) = (shapes.first(), wanted) else {
            self.demand(&positions, true);
            return;
        };
        for position in &positions {
            for shape in shapes {
                let ids = wanted.iter().map(|shape| shape.id).collect();
                if self.shaped.insert((position.clone(), shape.id, ids)) {
                    demand(shape, &wanted, self.texts.at(position));
                }
            }
        }
    }
}

/// The shapes that an expression may give; `None` if that is not clear.
fn possible(program: &Program, e: &Expr) -> Option<Vec<Shape>> {
    fn below(value: &Value, to: &mut Vec<Shape>) {
        match value {
            Value::Shape(shape) => to.push(shape.clone()),
            Value::Object(members) => members.iter().for_each(|(_, value)| below(value, to)),
            Value::List(list) => list.items.iter().for_each(|item| below(&item.value, to)),
            _ => {}
        }
    }
    let mut all = Vec::new();
    match &e.kind {
        ExprKind::Constant(value) => below(value, &mut all),
        ExprKind::Index(of, _) | ExprKind::Member(of, _) => return possible(program, of),
        ExprKind::If(_, a, b) => {
            all = possible(program, a)?;
            all.extend(possible(program, b)?);
        }
        ExprKind::Call(builtin, arguments) if builtin.name == "otherwise" => {
            for argument in arguments {
                all.extend(possible(program, argument)?);
            }
        }
        ExprKind::Derived(_, id) => return possible(program, &program.attributes.get(*id)?.result),
        _ => return None,
    }
    Some(all)
}

/// Adds what a shape names in any era; of the shapes that are wanted, and those that extend them, everything.
fn demand(shape: &Shape, wanted: &[Shape], to: &mut Demand) {
    let survey = Shaped {
        shapes: &shape.shapes,
        wanted: wanted.iter().map(|shape| shape.id).collect(),
    };
    survey.shape(shape.id, &mut vec![], to);
}

struct Shaped<'s> {
    shapes: &'s Shapes,
    wanted: Vec<ShapeId>,
}

impl Shaped<'_> {
    fn kind(&self, kind: &Kind, above: &mut Vec<ShapeId>, to: &mut Demand) {
        match kind {
            Kind::List(of) | Kind::Object(of) if !matches!(**of, Kind::Json) => {
                self.kind(of, above, to.element());
            }
            Kind::Or(kinds) => kinds.iter().for_each(|kind| self.kind(kind, above, to)),
            Kind::Shape(id) => self.shape(*id, above, to),
            _ => {}
        }
    }

    fn shape(&self, id: ShapeId, above: &mut Vec<ShapeId>, to: &mut Demand) {
        let Some(declared) = self.shapes.all.get(id) else {
            return;
        };
        // What holds itself has no end that could be foreseen.
        if above.contains(&id) || self.wanted.contains(&id) {
            to.demand_whole();
            return;
        }
        above.push(id);
        let mut last: *const Form = std::ptr::null();
        for form in declared.forms.iter().flatten() {
            if std::ptr::eq(last, &**form) {
                continue;
            }
            last = &**form;
            match &**form {
                Form::Alias(kind) => self.kind(kind, above, to),
                Form::Members {
                    closed,
                    fields,
                    extends,
                } => {
                    if extends.iter().any(|base| self.wanted.contains(base)) {
                        to.demand_whole();
                    }
                    if *closed {
                        to.element();
                    }
                    for field in fields {
                        self.kind(&field.kind, above, to.member(&field.name));
                    }
                }
            }
        }
        above.pop();
    }
}
