//! What is declared, and how a word finds it.

use std::collections::HashMap;
use std::sync::Arc;

use crate::lang::ast;
use crate::model::shape::ShapeId;
use crate::model::subject::Subject;
use crate::model::types::Type;
use crate::source::Span;

/// Number of a pack.
pub type PackId = usize;
/// Number of a parameter or constant.
pub type ValueId = usize;
/// Number of a file.
pub type FileId = usize;

/// All declarations.
#[derive(Debug, Default)]
pub struct Names<'a> {
    pub packs: Vec<Pack<'a>>,
    pub pack_of: Vec<PackId>,
    /// By file: the packs that it uses, with the `use`.
    pub uses: Vec<Vec<PackId>>,
    pub values: Vec<ValueDeclaration<'a>>,
    pub functions: Vec<FunctionDeclaration<'a>>,
    pub attributes: Vec<AttributeDeclaration<'a>>,
    pub rules: Vec<RuleDeclaration<'a>>,
    pub profiles: Vec<ProfileDeclaration<'a>>,
    pub shapes: Vec<ShapeDeclaration<'a>>,
    pub rules_by_name: HashMap<&'a str, Vec<usize>>,
    pub rules_by_tag: HashMap<&'a str, Vec<usize>>,
    pub attributes_by_name: HashMap<&'a str, Vec<usize>>,
}

/// A pack and the names that it declares.
#[derive(Debug)]
pub struct Pack<'a> {
    pub name: Arc<str>,
    pub docs: String,
    pub files: Vec<FileId>,
    pub values: HashMap<&'a str, ValueId>,
    pub functions: HashMap<&'a str, usize>,
    pub shapes: HashMap<&'a str, ShapeId>,
    /// A pack without rules is a library: what it declares is for others.
    pub has_rules: bool,
}

/// A parameter or a constant.
#[derive(Debug)]
pub struct ValueDeclaration<'a> {
    pub file: FileId,
    pub pack: PackId,
    pub docs: &'a str,
    pub kind: ValueKind<'a>,
}

/// Which of the two.
#[derive(Debug, Clone, Copy)]
pub enum ValueKind<'a> {
    Parameter(&'a ast::Param),
    Constant(&'a ast::Const),
}

impl<'a> ValueDeclaration<'a> {
    pub fn name(&self) -> &'a ast::Name {
        match self.kind {
            ValueKind::Parameter(param) => &param.name,
            ValueKind::Constant(constant) => &constant.name,
        }
    }

    /// For messages.
    pub fn what(&self) -> &'static str {
        match self.kind {
            ValueKind::Parameter(_) => "parameter",
            ValueKind::Constant(_) => "constant",
        }
    }
}

/// A function with the types that it declares.
#[derive(Debug)]
pub struct FunctionDeclaration<'a> {
    pub file: FileId,
    pub pack: PackId,
    pub declaration: &'a ast::Function,
    pub parameters: Vec<Type>,
    pub result: Type,
}

/// A derived attribute.
#[derive(Debug)]
pub struct AttributeDeclaration<'a> {
    pub file: FileId,
    pub docs: &'a str,
    pub declaration: &'a ast::Attribute,
    pub subject: Subject,
    pub ty: Type,
}

/// A rule.
#[derive(Debug)]
pub struct RuleDeclaration<'a> {
    pub file: FileId,
    pub pack: PackId,
    pub docs: &'a str,
    pub declaration: &'a ast::Rule,
    pub span: Span,
    pub id: Arc<str>,
    /// `None` if its word is none; that was reported.
    pub subject: Option<Subject>,
}

/// A profile.
#[derive(Debug)]
pub struct ProfileDeclaration<'a> {
    pub file: FileId,
    pub pack: PackId,
    pub docs: &'a str,
    pub declaration: &'a ast::Profile,
}

/// A shape with all its forms.
#[derive(Debug)]
pub struct ShapeDeclaration<'a> {
    pub pack: PackId,
    pub name: &'a str,
    pub variants: Vec<(FileId, &'a ast::Shape)>,
}

/// What was found under a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found<T> {
    One(T),
    /// In two packs that are used, neither of them the own one.
    Several(Vec<T>),
    None,
}

impl<'a> Names<'a> {
    /// A parameter or constant as a file sees it: of its own pack, else of a pack that it uses.
    pub fn value(&self, file: FileId, name: &str) -> Found<ValueId> {
        self.seen(file, |pack| pack.values.get(name).copied())
    }

    /// A function as a file sees it.
    pub fn function(&self, file: FileId, name: &str) -> Found<usize> {
        self.seen(file, |pack| pack.functions.get(name).copied())
    }

    /// A shape as a file sees it.
    pub fn shape(&self, file: FileId, name: &str) -> Found<ShapeId> {
        self.seen(file, |pack| pack.shapes.get(name).copied())
    }

    fn seen<T>(&self, file: FileId, get: impl Fn(&Pack<'a>) -> Option<T>) -> Found<T> {
        if let Some(own) = get(&self.packs[self.pack_of[file]]) {
            return Found::One(own);
        }
        let mut all: Vec<T> = self.uses[file]
            .iter()
            .filter_map(|pack| get(&self.packs[*pack]))
            .collect();
        match all.len() {
            0 => Found::None,
            1 => all.pop().map_or(Found::None, Found::One),
            _ => Found::Several(all),
        }
    }

    /// The own pack of a file and those that it uses.
    pub fn packs_of(&self, file: FileId) -> impl Iterator<Item = &Pack<'a>> {
        std::iter::once(self.pack_of[file])
            .chain(self.uses[file].iter().copied())
            .map(|pack| &self.packs[pack])
    }

    /// A pack with a parameter or constant of this name.
    pub fn pack_with_value(&self, name: &str) -> Option<&Pack<'a>> {
        self.packs.iter().find(|pack| pack.values.contains_key(name))
    }

    /// A pack with a function of this name.
    pub fn pack_with_function(&self, name: &str) -> Option<&Pack<'a>> {
        self.packs.iter().find(|pack| pack.functions.contains_key(name))
    }

    /// A pack with a shape of this name.
    pub fn pack_with_shape(&self, name: &str) -> Option<&Pack<'a>> {
        self.packs.iter().find(|pack| pack.shapes.contains_key(name))
    }

    /// The names of the shapes that a file sees, in alphabetical order.
    pub fn shapes_of(&self, file: FileId) -> Vec<&'a str> {
        let mut names: Vec<&str> = self
            .packs_of(file)
            .flat_map(|pack| pack.shapes.keys().copied())
            .collect();
        names.sort_unstable();
        names
    }

    /// A pack by its name.
    pub fn pack(&self, name: &str) -> Option<PackId> {
        self.packs.iter().position(|pack| &*pack.name == name)
    }

    /// A rule by its id, or by its name: of the own pack, else of any.
    pub fn rule(&self, pack: Option<PackId>, name: &str) -> Found<usize> {
        let short = name.rsplit('/').next().unwrap_or(name);
        let all = self.rules_by_name.get(short).map_or(&[][..], Vec::as_slice);
        if short != name {
            let one = all.iter().find(|rule| &*self.rules[**rule].id == name);
            return one.map_or(Found::None, |rule| Found::One(*rule));
        }
        let own = all.iter().find(|rule| Some(self.rules[**rule].pack) == pack);
        match (own, all) {
            (Some(rule), _) => Found::One(*rule),
            (None, [rule]) => Found::One(*rule),
            (None, []) => Found::None,
            (None, several) => Found::Several(several.to_vec()),
        }
    }

    /// The derived attribute of a subject: declared for it, or for all messages.
    pub fn attribute(&self, subject: Subject, name: &str) -> Option<usize> {
        let all = self.attributes_by_name.get(name)?;
        all.iter()
            .copied()
            .find(|id| subject.is_a(self.attributes[*id].subject))
    }

    /// The subjects that have a derived attribute of this name which is more than a member.
    pub fn subjects_with(&self, name: &str) -> Vec<Subject> {
        let all = self.attributes_by_name.get(name).map_or(&[][..], Vec::as_slice);
        let all = all.iter().map(|id| &self.attributes[*id]);
        let more = all.filter(|attribute| !attribute.declaration.is_member());
        more.map(|attribute| attribute.subject).collect()
    }

    /// The names of the derived attributes of a subject.
    pub fn attributes_of(&self, subject: Subject) -> impl Iterator<Item = &'a str> {
        let of = move |a: &&AttributeDeclaration<'a>| subject.is_a(a.subject);
        self.attributes
            .iter()
            .filter(of)
            .map(|a| a.declaration.name.node.as_str())
    }
}
