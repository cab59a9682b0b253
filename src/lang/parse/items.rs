//! Items other than rules, and types.

use super::grammar::{Pair, Parts, Rule};
use super::lower::Lowering;
use crate::lang::ast::{
    Attribute, BinaryOp, Body, Bound, Const, Field, Function, Item, ItemKind, Let, Name, Param, Profile,
    Setting, Shape, ShapeBody, TypeExpr, TypeKind,
};
use crate::lang::error::syntax as error;

/// What an item of the grammar becomes.
pub enum Lowered {
    /// `pack NAME` with its documentation.
    Pack(Name, String),
    /// `use NAME`
    Use(Name),
    /// Anything else.
    Item(Box<Item>),
}

impl<'t> Lowering<'t> {
    /// `item`
    pub fn item(&mut self, pair: Pair<'t>) -> Option<Lowered> {
        let mut parts = Parts::of(pair);
        let docs = docs(parts.all_of(Rule::doc));
        let content = parts.next()?;
        let span = self.span(&content);
        let line = self.text.get(..span.start as usize)?;
        if !line.is_empty() && !line.ends_with(['\n', '\r', '\u{FEFF}']) {
            self.report(error::not_in_column_1(span, first_word(content.as_str())));
        }
        for semicolon in parts.all_of(Rule::semicolon) {
            self.separator(&semicolon);
        }
        let rule = content.as_rule();
        let kind = match rule {
            Rule::pack => {
                let name = Parts::of(content).next()?;
                return Some(Lowered::Pack(self.kebab(&name, "packs", true), docs));
            }
            Rule::use_pack => {
                let name = Parts::of(content).next()?;
                return Some(Lowered::Use(self.kebab(&name, "packs", true)));
            }
            Rule::param => ItemKind::Param(self.param(content)?),
            Rule::constant => ItemKind::Const(self.constant(content)?),
            Rule::function => ItemKind::Function(self.function(content)?),
            Rule::attribute => ItemKind::Attribute(self.attribute(content)?),
            Rule::shape => ItemKind::Shape(self.shape(content)?),
            Rule::profile => ItemKind::Profile(self.profile(content)?),
            _ => ItemKind::Rule(Box::new(self.rule(content)?)),
        };
        Some(Lowered::Item(Box::new(Item { docs, span, kind })))
    }

    fn param(&mut self, pair: Pair<'t>) -> Option<Param> {
        let mut parts = Parts::of(pair);
        Some(Param {
            name: self.snake(&parts.next()?, "parameters"),
            ty: self.type_(parts.next()?)?,
            default: self.expr(parts.next()?),
        })
    }

    fn constant(&mut self, pair: Pair<'t>) -> Option<Const> {
        let mut parts = Parts::of(pair);
        let name = self.snake(&parts.next()?, "constants");
        let ty = match parts.next_of(Rule::type_) {
            Some(ty) => Some(self.type_(ty)?),
            None => None,
        };
        let value = self.expr(parts.next()?);
        Some(Const { name, ty, value })
    }

    fn function(&mut self, pair: Pair<'t>) -> Option<Function> {
        let mut parts = Parts::of(pair);
        let name = self.snake(&parts.next()?, "functions");
        let mut parameters: Vec<(Name, TypeExpr)> = Vec::new();
        for parameter in parts.all_of(Rule::parameter) {
            let mut parts = Parts::of(parameter);
            let name = self.snake(&parts.next()?, "parameters");
            parameters.push((name, self.type_(parts.next()?)?));
        }
        self.once_each(parameters.iter().map(|(name, _)| name), "parameter");
        Some(Function {
            name,
            parameters,
            result: self.type_(parts.next()?)?,
            body: self.body(parts.next()?)?,
        })
    }

    fn attribute(&mut self, pair: Pair<'t>) -> Option<Attribute> {
        let mut parts = Parts::of(pair);
        let subject = self.name(&parts.next()?);
        let word = parts.next()?;
        let attribute = Attribute {
            subject,
            name: self.name(&word),
            ty: self.type_(parts.next()?)?,
            body: self.body(parts.next()?)?,
        };
        // The member of that very name is spelt as the protocol spells it.
        if !attribute.is_member() {
            self.snake(&word, "attributes");
        }
        Some(attribute)
    }

    /// `= EXPR`, or a block of `let` that ends in `return`.
    fn body(&mut self, pair: Pair<'t>) -> Option<Body> {
        let mut lets = Vec::new();
        let mut result = None;
        for part in Parts::of(pair) {
            match part.as_rule() {
                Rule::let_ => lets.push(self.let_(part)?),
                Rule::semicolon => self.separator(&part),
                _ => result = Some(self.expr(part)),
            }
        }
        Some(Body {
            lets,
            result: result?,
        })
    }

    /// `let NAME = EXPR`
    pub fn let_(&mut self, pair: Pair<'t>) -> Option<Let> {
        let mut parts = Parts::of(pair);
        Some(Let {
            name: self.snake(&parts.next()?, "names"),
            value: self.expr(parts.next()?),
        })
    }

    fn shape(&mut self, pair: Pair<'t>) -> Option<Shape> {
        let mut parts = Parts::of(pair);
        let closed = parts.next_of(Rule::closed).is_some();
        let name = self.camel(&parts.next()?);
        let extends = match parts.next_of(Rule::extends) {
            Some(extends) => Some(self.camel(&Parts::of(extends).next()?)),
            None => None,
        };
        let revision = match parts.next_of(Rule::revision) {
            Some(revision) => self.revision(revision)?,
            None => Vec::new(),
        };
        let body = if let Some(ty) = parts.next_of(Rule::type_) {
            ShapeBody::Alias(self.type_(ty)?)
        } else {
            let mut fields: Vec<Field> = Vec::new();
            for part in parts {
                if part.as_rule() == Rule::separator {
                    self.separator(&part);
                    continue;
                }
                fields.push(self.field(part)?);
            }
            self.once_each(fields.iter().map(|field| &field.name), "member");
            ShapeBody::Fields(fields)
        };
        Some(Shape {
            name,
            closed,
            extends,
            revision,
            body,
        })
    }

    fn field(&mut self, pair: Pair<'t>) -> Option<Field> {
        let mut parts = Parts::of(pair);
        Some(Field {
            docs: docs(parts.all_of(Rule::doc)),
            name: self.key(parts.next()?),
            optional: parts.next_of(Rule::optional).is_some(),
            ty: self.type_(parts.next()?)?,
        })
    }

    /// `>= "2025-06-18" and < "2026-07-28"`
    pub fn revision(&mut self, pair: Pair<'t>) -> Option<Vec<Bound>> {
        let mut bounds = Vec::new();
        for bound in Parts::of(pair) {
            let mut parts = Parts::of(bound);
            let op = match parts.next()?.as_rule() {
                Rule::op_le => BinaryOp::LessEqual,
                Rule::op_ge => BinaryOp::GreaterEqual,
                Rule::op_lt => BinaryOp::Less,
                Rule::op_gt => BinaryOp::Greater,
                _ => BinaryOp::Equal,
            };
            let revision = self.string(parts.next()?);
            bounds.push(Bound { op, revision });
        }
        Some(bounds)
    }

    fn profile(&mut self, pair: Pair<'t>) -> Option<Profile> {
        let mut parts = Parts::of(pair);
        let name = self.kebab(&parts.next()?, "profiles", false);
        let mut settings = Vec::new();
        let mut levels = Vec::new();
        for part in parts {
            match part.as_rule() {
                Rule::separator => self.separator(&part),
                Rule::setting => settings.push(self.setting(part)?),
                _ => {
                    let mut parts = Parts::of(part);
                    let rule = self.kebab(&parts.next()?, "rules", true);
                    let level = parts.next()?;
                    if let Some(level) = self.level(&level, true) {
                        levels.push((rule, level));
                    }
                }
            }
        }
        self.once_each(settings.iter().map(|setting| &setting.name), "parameter");
        self.once_each(levels.iter().map(|(rule, _)| rule), "level of");
        Some(Profile {
            name,
            settings,
            levels,
        })
    }

    /// `NAME = EXPR`
    pub fn setting(&mut self, pair: Pair<'t>) -> Option<Setting> {
        let mut parts = Parts::of(pair);
        Some(Setting {
            name: self.snake(&parts.next()?, "parameters"),
            value: self.expr(parts.next()?),
        })
    }

    /// A `;` or `,` where nothing separates.
    pub fn separator(&mut self, pair: &Pair<'t>) {
        self.report(error::separator(self.span(pair), pair.as_str()));
    }

    /// `type_`: types joined by `or`.
    pub fn type_(&mut self, pair: Pair<'t>) -> Option<TypeExpr> {
        let span = self.span(&pair);
        let mut types = Vec::new();
        for part in Parts::of(pair) {
            types.push(self.type_atom(part)?);
        }
        if types.len() == 1 {
            return types.pop();
        }
        Some(TypeExpr {
            span,
            kind: TypeKind::Or(types),
        })
    }

    /// `type_atom`
    pub fn type_atom(&mut self, pair: Pair<'t>) -> Option<TypeExpr> {
        let span = self.span(&pair);
        let mut parts = Parts::of(pair);
        let part = parts.next()?;
        let kind = self.deeper(span, |l| {
            Some(match part.as_rule() {
                Rule::list_of => TypeKind::List(Box::new(l.type_(Parts::of(part).next()?)?)),
                Rule::string => TypeKind::Text(l.string(part).node),
                Rule::range => range(part),
                _ => match parts.next() {
                    Some(of) => TypeKind::Of(l.name(&part), Box::new(l.type_atom(of)?)),
                    None => TypeKind::Name(part.as_str().to_owned()),
                },
            })
        })?;
        Some(TypeExpr { span, kind })
    }
}

/// `200`, `400..499`, `1..`, `..9`
fn range(pair: Pair<'_>) -> TypeKind {
    let mut low = None;
    let mut high = None;
    let mut dots = false;
    for part in Parts::of(pair) {
        match part.as_rule() {
            Rule::dots => dots = true,
            _ if dots => high = Some(part.as_str().to_owned()),
            _ => low = Some(part.as_str().to_owned()),
        }
    }
    if !dots {
        high.clone_from(&low);
    }
    TypeKind::Range(low, high)
}

/// The text of `///` lines, without the marks and the blank behind them.
fn docs(lines: Vec<Pair<'_>>) -> String {
    let lines: Vec<&str> = lines
        .iter()
        .map(|line| {
            let text = line.as_str().strip_prefix("///").unwrap_or_default();
            text.strip_prefix(' ').unwrap_or(text).trim_end()
        })
        .collect();
    lines.join("\n")
}

/// The word that a text begins with.
fn first_word(text: &str) -> &str {
    text.split(|c: char| c.is_whitespace()).next().unwrap_or_default()
}
