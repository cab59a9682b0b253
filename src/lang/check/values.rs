//! The values of parameters and constants, read when somebody asks for them first.

use std::sync::Arc;

use super::Run;
use super::fold;
use super::frame::Frame;
use super::names::{FileId, ValueId, ValueKind};
use super::types::is_of;
use crate::lang::ast;
use crate::lang::error::settings as error;
use crate::lang::program::Parameter;
use crate::model::types::Type;
use crate::model::value::Value;

/// How many constants may stand in each other's values.
const MAX_CHAIN: usize = 50;

/// How far a parameter or constant is known.
#[derive(Debug, Clone, Default)]
pub enum Known {
    /// Nobody has asked yet.
    #[default]
    No,
    /// Its value is being read: who asks now asks in a circle.
    Reading,
    /// Its type and value.
    Yes(Type, Value),
}

impl<'a> Run<'a> {
    /// Type and value of a parameter or constant.
    pub fn value_of(&mut self, id: ValueId) -> (Type, Value) {
        match &self.known[id] {
            Known::Yes(ty, value) => return (ty.clone(), value.clone()),
            Known::Reading => {
                let name = self.names.values[id].name();
                self.report(error::value_of_itself(name));
                return (Type::Any, Value::Missing);
            }
            Known::No => {}
        }
        let reading = self.known.iter().filter(|k| matches!(k, Known::Reading)).count();
        if reading >= MAX_CHAIN {
            let name = self.names.values[id].name();
            self.report(error::values_too_deep(name, MAX_CHAIN));
            return (Type::Any, Value::Missing);
        }
        self.known[id] = Known::Reading;
        let declaration = &self.names.values[id];
        let (file, docs, pack) = (declaration.file, declaration.docs, declaration.pack);
        let (ty, value) = match declaration.kind {
            ValueKind::Constant(constant) => {
                let ty = constant.ty.as_ref().map(|ty| self.type_of(ty));
                let (actual, value) = self.read(file, &constant.value);
                let ty = match ty {
                    Some(declared) => {
                        if actual != Type::Any && !is_of(&value, &declared) {
                            let place = constant.ty.as_ref().map_or(constant.name.span, |ty| ty.span);
                            self.report(error::wrong_constant(&constant.value, &actual, &declared, place));
                        }
                        declared
                    }
                    None => actual,
                };
                (ty, value)
            }
            ValueKind::Parameter(parameter) => {
                let ty = self.type_of(&parameter.ty);
                self.known[id] = Known::Yes(ty.clone(), Value::Missing);
                let default = self.set(id, file, &parameter.default).unwrap_or(Value::Missing);
                let chosen = self.changes.values.get(&id).copied();
                let value = chosen.and_then(|(file, e)| self.set(id, file, e));
                let value = value.unwrap_or_else(|| default.clone());
                self.program.parameters.push(Parameter {
                    pack: Arc::clone(&self.names.packs[pack].name),
                    name: parameter.name.node.as_str().into(),
                    docs: docs.to_owned(),
                    ty: ty.clone(),
                    default,
                    value: value.clone(),
                });
                (ty, value)
            }
        };
        self.known[id] = Known::Yes(ty.clone(), value.clone());
        (ty, value)
    }

    /// The value that a setting gives to a parameter, if it is one of its type.
    pub fn set(&mut self, id: ValueId, file: FileId, e: &'a ast::Expr) -> Option<Value> {
        let ValueKind::Parameter(parameter) = self.names.values[id].kind else {
            return None;
        };
        let declared = match &self.known[id] {
            Known::Yes(ty, _) => ty.clone(),
            _ => self.type_of(&parameter.ty),
        };
        let (actual, value) = self.read(file, e);
        if actual == Type::Any && matches!(value, Value::Missing) && !matches!(e.kind, ast::ExprKind::Missing)
        {
            return None;
        }
        if is_of(&value, &declared) {
            return Some(value);
        }
        self.report(error::wrong_setting(
            &parameter.name.node,
            e.span,
            &actual,
            &declared,
            parameter.ty.span,
        ));
        None
    }

    /// A value that is known before any recording is read.
    fn read(&mut self, file: FileId, e: &'a ast::Expr) -> (Type, Value) {
        let before = self.diagnostics.len();
        let lowered = Frame::new(self, file, None).expr(e);
        match fold::value(&lowered) {
            Some(value) => (lowered.ty, value),
            None => {
                if self.diagnostics.len() == before && lowered.ty != Type::Any {
                    self.report(error::not_constant(e.span));
                }
                (Type::Any, Value::Missing)
            }
        }
    }
}
