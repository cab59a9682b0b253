//! Shapes: names looked up, forms worked out for each era.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::Run;
use super::names::{FileId, Found};
use super::types::{FOREIGN, WORDS};
use crate::json::Number;
use crate::lang::ast::{self, BinaryOp, ShapeBody, TypeExpr, TypeKind};
use crate::lang::error::{names as names_error, shapes as error, types as types_error};
use crate::lang::suggest::suggest;
use crate::model::shape::{Declared, Era, Field, Form, Kind, ShapeId, Shapes};

/// One declaration of a shape, its names looked up.
struct Variant<'a> {
    declaration: &'a ast::Shape,
    gate: Vec<(BinaryOp, Arc<str>)>,
    extends: Option<ShapeId>,
    /// `= TYPE`
    alias: Option<Kind>,
    fields: Vec<Field>,
}

/// The words for types that a shape may use.
const KINDS: [(&str, Kind); 8] = [
    ("json", Kind::Json),
    ("null", Kind::Null),
    ("boolean", Kind::Boolean),
    ("integer", Kind::Integer),
    ("number", Kind::Number),
    ("string", Kind::String),
    ("true", Kind::Truth(true)),
    ("false", Kind::Truth(false)),
];

impl<'a> Run<'a> {
    /// Works out all shapes.
    pub fn shapes(&mut self) {
        let declared: Vec<Vec<(FileId, &'a ast::Shape)>> = self
            .names
            .shapes
            .iter()
            .map(|shape| shape.variants.clone())
            .collect();
        let mut all: Vec<Vec<Variant<'a>>> = Vec::new();
        for variants in &declared {
            all.push(variants.iter().map(|(file, s)| self.variant(*file, s)).collect());
        }
        self.break_cycles(&mut all);
        let revisions: BTreeSet<Arc<str>> = all
            .iter()
            .flatten()
            .flat_map(|variant| variant.gate.iter().map(|(_, revision)| Arc::clone(revision)))
            .collect();
        let mut shapes = Shapes {
            revisions: revisions.into_iter().collect(),
            all: Vec::new(),
        };
        let changes = changing(&all);
        let eras = shapes.eras();
        let mut forms = Forms {
            all: &all,
            revisions: &shapes.revisions,
            known: HashMap::new(),
        };
        let by_shape: Vec<Vec<Option<Arc<Form>>>> = (0..all.len())
            .map(|id| (0..eras).map(|era| forms.form(id, era)).collect())
            .collect();
        for (id, forms) in by_shape.into_iter().enumerate() {
            shapes.all.push(Declared {
                name: self.names.shapes[id].name.into(),
                forms,
                changes: changes[id],
            });
        }
        for (id, variants) in all.iter().enumerate() {
            self.overlaps(variants, &shapes, id);
        }
        self.shapes = Arc::new(shapes);
    }

    /// Reports two forms of one name for one revision.
    fn overlaps(&mut self, variants: &[Variant<'a>], shapes: &Shapes, _id: ShapeId) {
        for (at, second) in variants.iter().enumerate() {
            let first = variants[..at].iter().find(|first| {
                (0..shapes.eras()).any(|era| {
                    holds(&first.gate, &shapes.revisions, era) && holds(&second.gate, &shapes.revisions, era)
                })
            });
            if let Some(first) = first {
                self.report(error::two_forms(
                    &second.declaration.name,
                    first.declaration.name.span,
                ));
            }
        }
    }

    fn variant(&mut self, file: FileId, shape: &'a ast::Shape) -> Variant<'a> {
        let gate = self.revision(&shape.revision);
        let extends = shape.extends.as_ref().and_then(|name| {
            let place = TypeExpr {
                span: name.span,
                kind: TypeKind::Name(name.node.clone()),
            };
            self.shape_named(file, &name.node, &place)
        });
        let mut alias = None;
        let mut fields = Vec::new();
        match &shape.body {
            ShapeBody::Alias(ty) => alias = Some(self.kind(file, ty)),
            ShapeBody::Fields(declared) => {
                for field in declared {
                    fields.push(Field {
                        name: field.name.node.as_str().into(),
                        optional: field.optional,
                        kind: self.kind(file, &field.ty),
                    });
                }
            }
        }
        if alias.is_some() && (shape.closed || shape.extends.is_some()) {
            self.report(error::alias_with_members(&shape.name));
        }
        Variant {
            declaration: shape,
            gate,
            extends,
            alias,
            fields,
        }
    }

    /// A type within a shape.
    fn kind(&mut self, file: FileId, ty: &TypeExpr) -> Kind {
        match &ty.kind {
            TypeKind::Name(word) => self.kind_named(file, word, ty),
            TypeKind::List(of) => Kind::List(Box::new(self.kind(file, of))),
            TypeKind::Of(head, of) => {
                let kind = self.kind(file, of);
                if head.node != "object" {
                    self.report(error::of_no_object(head, ty.span));
                    return Kind::Json;
                }
                Kind::Object(Box::new(kind))
            }
            TypeKind::Text(text) => Kind::Text(text.as_str().into()),
            TypeKind::Range(low, high) => {
                let whole = |end: &Option<String>| {
                    end.as_ref().is_none_or(|digits| {
                        digits.trim_start_matches('-').bytes().all(|b| b.is_ascii_digit())
                    })
                };
                let number = |end: &Option<String>| end.as_deref().and_then(Number::parse);
                let (from, to) = (number(low), number(high));
                if let (Some(from), Some(to)) = (&from, &to)
                    && from > to
                {
                    self.report(error::empty_range(ty.span));
                }
                Kind::Range {
                    integer: whole(low) && whole(high),
                    low: from,
                    high: to,
                }
            }
            TypeKind::Or(kinds) => Kind::Or(kinds.iter().map(|ty| self.kind(file, ty)).collect()),
        }
    }

    fn kind_named(&mut self, file: FileId, word: &str, ty: &TypeExpr) -> Kind {
        if let Some((_, kind)) = KINDS.iter().find(|(w, _)| *w == word) {
            return kind.clone();
        }
        if word == "object" {
            return Kind::Object(Box::new(Kind::Json));
        }
        if word.starts_with(|c: char| c.is_ascii_uppercase()) {
            return self.shape_named(file, word, ty).map_or(Kind::Json, Kind::Shape);
        }
        if WORDS.iter().any(|(w, _)| *w == word) || crate::model::subject::Subject::from_word(word).is_some()
        {
            self.report(error::not_in_json(ty.span, word));
            return Kind::Json;
        }
        let foreign = FOREIGN.iter().find(|(w, _)| *w == word).map(|(_, ours)| *ours);
        let words = KINDS.iter().map(|(w, _)| *w).chain(["object"]);
        let near = foreign.or_else(|| suggest(word, words));
        self.report(types_error::unknown_type(ty.span, word, near));
        Kind::Json
    }

    /// The shape of a name, as a file sees it.
    pub fn shape_named(&mut self, file: FileId, word: &str, ty: &TypeExpr) -> Option<ShapeId> {
        match self.names.shape(file, word) {
            Found::One(id) => Some(id),
            Found::Several(ids) => {
                let shapes = ids.iter().map(|id| &self.names.shapes[*id]);
                let places = shapes.filter_map(|shape| {
                    let (_, first) = shape.variants.first()?;
                    Some((&*self.names.packs[shape.pack].name, first.name.span))
                });
                let diagnostic = names_error::ambiguous("shape", word, ty.span, places.collect());
                self.report(diagnostic);
                None
            }
            Found::None => {
                let near = suggest(word, self.names.shapes_of(file));
                let pack = self
                    .names
                    .pack_with_shape(word)
                    .map(|pack| Arc::clone(&pack.name));
                self.report(error::unknown_shape(ty.span, word, near, pack.as_deref()));
                None
            }
        }
    }

    /// Reports shapes that are made of themselves before anything stands between, and cuts them.
    fn break_cycles(&mut self, all: &mut [Vec<Variant<'a>>]) {
        let direct: Vec<Vec<ShapeId>> = all
            .iter()
            .map(|variants| {
                let mut to = Vec::new();
                for variant in variants {
                    to.extend(variant.extends);
                    if let Some(alias) = &variant.alias {
                        alternatives(alias, &mut to);
                    }
                }
                to
            })
            .collect();
        for (id, variants) in all.iter_mut().enumerate() {
            if !reaches(&direct, id) {
                continue;
            }
            if let Some(first) = variants.first() {
                self.report(error::made_of_itself(&first.declaration.name));
            }
            for variant in variants {
                variant.extends = None;
                if variant.alias.is_some() {
                    variant.alias = Some(Kind::Json);
                }
            }
        }
    }
}

/// The shapes that a kind is, without anything between.
fn alternatives(kind: &Kind, to: &mut Vec<ShapeId>) {
    match kind {
        Kind::Shape(id) => to.push(*id),
        Kind::Or(kinds) => kinds.iter().for_each(|kind| alternatives(kind, to)),
        _ => {}
    }
}

/// Whether a shape leads back to itself.
fn reaches(edges: &[Vec<ShapeId>], start: ShapeId) -> bool {
    let mut seen = vec![false; edges.len()];
    let mut next = edges[start].clone();
    while let Some(id) = next.pop() {
        if id == start {
            return true;
        }
        if !std::mem::replace(&mut seen[id], true) {
            next.extend(&edges[id]);
        }
    }
    false
}

/// Which shapes differ between eras, or lead to one that does.
fn changing(all: &[Vec<Variant>]) -> Vec<bool> {
    fn every(kind: &Kind, to: &mut Vec<ShapeId>) {
        match kind {
            Kind::List(of) | Kind::Object(of) => every(of, to),
            Kind::Shape(id) => to.push(*id),
            Kind::Or(kinds) => kinds.iter().for_each(|kind| every(kind, to)),
            _ => {}
        }
    }
    let mut changes: Vec<bool> = all
        .iter()
        .map(|variants| variants.iter().any(|variant| !variant.gate.is_empty()))
        .collect();
    let edges: Vec<Vec<ShapeId>> = all
        .iter()
        .map(|variants| {
            let mut to = Vec::new();
            for variant in variants {
                to.extend(variant.extends);
                let fields = variant.fields.iter().map(|field| &field.kind);
                fields.chain(&variant.alias).for_each(|kind| every(kind, &mut to));
            }
            to
        })
        .collect();
    loop {
        let mut more = false;
        for id in 0..all.len() {
            if !changes[id] && edges[id].iter().any(|to| changes[*to]) {
                changes[id] = true;
                more = true;
            }
        }
        if !more {
            return changes;
        }
    }
}

/// Whether a gate lets an era in. Eras and revisions order alike: the revision number `n` is the era `2n + 1`.
fn holds(gate: &[(BinaryOp, Arc<str>)], revisions: &[Arc<str>], era: Era) -> bool {
    gate.iter().all(|(op, revision)| {
        let at = 2 * revisions.partition_point(|cut| cut < revision) + 1;
        match op {
            BinaryOp::Less => era < at,
            BinaryOp::LessEqual => era <= at,
            BinaryOp::Greater => era > at,
            BinaryOp::GreaterEqual => era >= at,
            _ => era == at,
        }
    })
}

/// The forms of all shapes, made when they are asked for.
struct Forms<'v, 'a> {
    all: &'v [Vec<Variant<'a>>],
    revisions: &'v [Arc<str>],
    /// By shape, variant, and the form that it extends.
    known: HashMap<(ShapeId, usize, usize), Arc<Form>>,
}

impl Forms<'_, '_> {
    fn form(&mut self, id: ShapeId, era: Era) -> Option<Arc<Form>> {
        let all = self.all;
        let at = all[id]
            .iter()
            .position(|variant| holds(&variant.gate, self.revisions, era))?;
        let variant = &all[id][at];
        let base = variant.extends.and_then(|base| self.form(base, era));
        let key = (id, at, base.as_ref().map_or(0, |base| Arc::as_ptr(base) as usize));
        if let Some(form) = self.known.get(&key) {
            return Some(Arc::clone(form));
        }
        let form = Arc::new(match &variant.alias {
            Some(alias) => Form::Alias(alias.clone()),
            None => extended(variant, base.as_deref()),
        });
        self.known.insert(key, Arc::clone(&form));
        Some(form)
    }
}

/// The members of a shape with those of the one that it extends: its own win.
fn extended(variant: &Variant, base: Option<&Form>) -> Form {
    let mut fields = Vec::new();
    let mut extends = Vec::new();
    extends.extend(variant.extends);
    if let Some(Form::Members {
        fields: theirs,
        extends: further,
        ..
    }) = base
    {
        let own = |name: &str| variant.fields.iter().any(|field| *field.name == *name);
        fields.extend(theirs.iter().filter(|field| !own(&field.name)).cloned());
        extends.extend(further);
    }
    fields.extend(variant.fields.iter().cloned());
    Form::Members {
        closed: variant.declaration.closed,
        fields,
        extends,
    }
}
