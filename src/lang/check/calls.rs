//! Calls: of builtins, of functions of packs, and the two that cut a history.

use super::access::{body_of, has_body};
use super::cycles::Node;
use super::expressions::Base;
use super::frame::{Frame, broken, expr};
use super::names::Found;
use super::types::{accepted, accepts};
use crate::lang::ast::{self, Name};
use crate::lang::builtins::{self, Accepts, Builtin};
use crate::lang::error::access as error;
use crate::lang::error::names as names_error;
use crate::lang::error::words::a;
use crate::lang::program::{Expr, ExprKind};
use crate::lang::suggest::suggest;
use crate::model::types::Type;
use crate::source::Span;

/// Forms for lists that are taken for functions, and what other languages call them.
const FORMS: [(&str, &str); 12] = [
    ("any", "any"),
    ("all", "all"),
    ("count", "count"),
    ("first", "first"),
    ("last", "last"),
    ("those", "those"),
    ("each", "each"),
    ("duplicates", "duplicates"),
    ("some", "any"),
    ("every", "all"),
    ("filter", "those"),
    ("map", "each"),
];

impl<'a> Frame<'_, 'a> {
    /// `f(a, b)`, `a.f(b)`
    pub fn call(&mut self, span: Span, function: &'a Name, arguments: &'a [ast::Expr], method: bool) -> Base {
        let mut given = Vec::new();
        for (i, argument) in arguments.iter().enumerate() {
            match self.base(argument) {
                Base::Value(value) => given.push(value),
                Base::History(parts) if i == 0 => {
                    return self.cut(span, parts, function, &arguments[1..]);
                }
                Base::History(parts) => {
                    self.report(crate::lang::error::types::bare_history(
                        argument.span,
                        parts.later,
                    ));
                    given.push(broken(argument.span));
                }
            }
        }
        Base::Value(self.apply(span, function, given, method))
    }

    /// `earlier.since(x)`, `later.until(x)`
    fn cut(
        &mut self,
        span: Span,
        mut parts: super::frame::HistoryParts,
        function: &'a Name,
        bounds: &'a [ast::Expr],
    ) -> Base {
        let word = if parts.later { "until" } else { "since" };
        if function.node != word {
            self.report(error::history_function(function, parts.later));
            return Base::Value(broken(span));
        }
        let [bound] = bounds else {
            self.report(error::wrong_number_of_arguments(
                function,
                bounds.len() + 1,
                2,
                2,
                None,
            ));
            return Base::Value(broken(span));
        };
        let bound = self.expr(bound);
        if !matches!(bound.ty, Type::Any | Type::Subject(_) | Type::Duration) {
            self.report(error::bad_bound(function, &bound));
            return Base::Value(broken(span));
        }
        parts.bounds.push(bound);
        Base::History(parts)
    }

    /// A call with its arguments.
    fn apply(&mut self, span: Span, function: &'a Name, given: Vec<Expr>, method: bool) -> Expr {
        let word = function.node.as_str();
        match self.run.names.function(self.file, word) {
            Found::One(id) => return self.apply_function(span, function, id, given),
            Found::Several(ids) => {
                let names = &self.run.names;
                let places = ids.iter().map(|id| &names.functions[*id]);
                let places = places.map(|f| (&*names.packs[f.pack].name, f.declaration.name.span));
                let diagnostic = names_error::ambiguous("function", word, function.span, places.collect());
                self.report(diagnostic);
                return broken(span);
            }
            Found::None => {}
        }
        match builtins::find(word) {
            Some(builtin) => self.apply_builtin(span, function, builtin, given),
            None => {
                self.unknown_function(function, &given, method);
                broken(span)
            }
        }
    }

    fn unknown_function(&mut self, function: &Name, given: &[Expr], method: bool) {
        let word = function.node.as_str();
        if let Some((_, form)) = FORMS.iter().find(|(theirs, _)| *theirs == word) {
            let list = given.first().map_or("", |list| self.text(list.span));
            self.report(error::form_as_function(function, form, list));
            return;
        }
        let receiver = given.first().filter(|_| method);
        let names = &self.run.names;
        if let Some(Expr {
            ty: Type::Subject(subject),
            ..
        }) = receiver
            && (self.run.builtin_attribute(*subject, word).is_some()
                || names.attribute(*subject, word).is_some())
        {
            self.report(error::attribute_called(function));
            return;
        }
        let mut known: Vec<&str> = names
            .packs_of(self.file)
            .flat_map(|pack| pack.functions.keys().copied())
            .chain(builtins::ALL.iter().map(|builtin| builtin.name))
            .collect();
        known.sort_unstable();
        let near = suggest(word, known);
        let pack = names.pack_with_function(word).map(|pack| &*pack.name);
        let diagnostic = error::unknown_function(function, near, pack);
        self.report(diagnostic);
    }

    fn apply_function(&mut self, span: Span, function: &Name, id: usize, given: Vec<Expr>) -> Expr {
        self.uses(Node::Function(id), function.span);
        let declared = &self.run.names.functions[id];
        let result = declared.result.clone();
        let types = declared.parameters.clone();
        let declaration = declared.declaration;
        if given.len() != types.len() {
            let defined = Some(declaration.name.span);
            self.report(error::wrong_number_of_arguments(
                function,
                given.len(),
                types.len(),
                types.len(),
                defined,
            ));
            return broken(span);
        }
        let mut arguments = Vec::new();
        for (i, (argument, ty)) in given.into_iter().zip(&types).enumerate() {
            let fitted = fit(argument, ty);
            if !fitted.ty.may_be(ty) {
                let parameter = &declaration.parameters[i].0;
                self.report(error::wrong_argument(function, &fitted, &a(ty), Some(parameter)));
            }
            arguments.push(fitted);
        }
        expr(span, result, ExprKind::Apply(id, arguments))
    }

    fn apply_builtin(
        &mut self,
        span: Span,
        function: &Name,
        builtin: &'static Builtin,
        given: Vec<Expr>,
    ) -> Expr {
        let written = || {
            builtin
                .parameters
                .iter()
                .filter(|p| p.accepts != Accepts::Revision)
        };
        let most = written().count();
        let least = written().filter(|p| !p.optional).count();
        if given.len() < least || given.len() > most {
            self.report(error::wrong_number_of_arguments(
                function,
                given.len(),
                least,
                most,
                None,
            ));
            return broken(span);
        }
        let mut arguments = Vec::new();
        let mut wrong = false;
        for (argument, parameter) in given.into_iter().zip(builtin.parameters) {
            let argument = match parameter.accepts {
                Accepts::Json | Accepts::Object => fit(argument, &Type::Json),
                _ => argument,
            };
            if !accepts(parameter.accepts, &argument.ty) {
                wrong = true;
                let takes = accepted(parameter.accepts);
                self.report(error::wrong_argument(function, &argument, takes, None));
            }
            arguments.push(argument);
        }
        if wrong {
            return broken(span);
        }
        if builtin
            .parameters
            .last()
            .is_some_and(|p| p.accepts == Accepts::Revision)
        {
            arguments.push(self.revision_of_shapes(span, &arguments));
        }
        let types: Vec<Type> = arguments.iter().map(|argument| argument.ty.clone()).collect();
        expr(span, (builtin.result)(&types), ExprKind::Call(builtin, arguments))
    }
}

/// A record where JSON is asked for stands for its JSON.
pub fn fit(value: Expr, ty: &Type) -> Expr {
    match (&value.ty, ty) {
        (Type::Subject(subject), Type::Json | Type::Object(_)) if has_body(*subject) => body_of(value),
        _ => value,
    }
}
