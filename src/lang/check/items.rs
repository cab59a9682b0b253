//! First pass: what every file declares.

use std::collections::HashMap;
use std::sync::Arc;

use super::Run;
use super::names::{
    AttributeDeclaration, Found, FunctionDeclaration, Pack, PackId, ProfileDeclaration, RuleDeclaration,
    ShapeDeclaration, ValueDeclaration, ValueKind,
};
use crate::lang::ast::{File, Item, ItemKind, Name};
use crate::lang::error::names as error;
use crate::lang::suggest::suggest;
use crate::lang::{builtins, program};
use crate::model::subject::Subject;
use crate::source::Span;

impl<'a> Run<'a> {
    /// Fills [`Names`](super::names::Names).
    pub fn declare(&mut self) {
        let files = self.files;
        for (id, file) in files.iter().enumerate() {
            let pack = self.pack_of(file);
            self.names.pack_of.push(pack);
            self.names.packs[pack].files.push(id);
        }
        for (id, file) in files.iter().enumerate() {
            let uses = self.uses(id, file);
            self.names.uses.push(uses);
        }
        let order: Vec<(PackId, usize)> = self
            .names
            .packs
            .iter()
            .enumerate()
            .flat_map(|(pack, p)| p.files.iter().map(move |file| (pack, *file)))
            .collect();
        for (pack, id) in order {
            for item in &files[id].items {
                self.item(pack, id, item);
            }
        }
        self.program.packs = self
            .names
            .packs
            .iter()
            .map(|pack| program::Pack {
                name: Arc::clone(&pack.name),
                docs: pack.docs.clone(),
            })
            .collect();
    }

    /// The pack of a file; a file without `pack` is one by itself.
    fn pack_of(&mut self, file: &File) -> PackId {
        let name = match &file.pack {
            Some(name) => name.node.clone(),
            None => pack_of_path(self.sources.get(file.source).map_or("", |source| &source.name)),
        };
        let id = self.names.pack(&name).unwrap_or_else(|| {
            self.names.packs.push(Pack {
                name: name.into(),
                docs: String::new(),
                files: Vec::new(),
                values: HashMap::new(),
                functions: HashMap::new(),
                shapes: HashMap::new(),
                has_rules: false,
            });
            self.names.packs.len() - 1
        });
        let docs = &mut self.names.packs[id].docs;
        if docs.is_empty() {
            docs.clone_from(&file.docs);
        }
        id
    }

    fn uses(&mut self, id: usize, file: &'a File) -> Vec<PackId> {
        let own = self.names.pack_of[id];
        let mut uses: Vec<PackId> = Vec::new();
        for name in &file.uses {
            match self.names.pack(&name.node) {
                Some(pack) if pack == own => self.report(error::use_of_own_pack(name)),
                Some(pack) if uses.contains(&pack) => self.report(error::used_twice(name)),
                Some(pack) => uses.push(pack),
                None => {
                    let names = self.names.packs.iter().map(|pack| &*pack.name);
                    let diagnostic = error::unknown_pack(name, suggest(&name.node, names));
                    self.report(diagnostic);
                }
            }
        }
        uses
    }

    fn item(&mut self, pack: PackId, file: usize, item: &'a Item) {
        let docs = item.docs.as_str();
        match &item.kind {
            ItemKind::Param(param) => self.value(pack, file, docs, ValueKind::Parameter(param)),
            ItemKind::Const(constant) => self.value(pack, file, docs, ValueKind::Constant(constant)),
            ItemKind::Function(function) => {
                let name = &function.name;
                let parameters = function
                    .parameters
                    .iter()
                    .map(|(_, ty)| self.type_of(ty))
                    .collect();
                let result = self.type_of(&function.result);
                if let Some(first) = self.names.packs[pack].functions.get(name.node.as_str()) {
                    let first = self.names.functions[*first].declaration.name.span;
                    self.report(error::declared_twice("function", name, first));
                    return;
                }
                if builtins::find(&name.node).is_some() {
                    self.report(error::hides_builtin(name));
                }
                let id = self.names.functions.len();
                self.names.packs[pack].functions.insert(&name.node, id);
                self.names.functions.push(FunctionDeclaration {
                    file,
                    pack,
                    declaration: function,
                    parameters,
                    result,
                });
            }
            ItemKind::Attribute(attribute) => {
                let ty = self.type_of(&attribute.ty);
                let Some(subject) = self.subject(&attribute.subject) else {
                    return;
                };
                let name = &attribute.name;
                if let Some(first) = self.clash(subject, &name.node) {
                    self.report(error::declared_twice("attribute", name, first));
                    return;
                }
                if self.builtin_attribute(subject, &name.node).is_some() {
                    self.report(error::hides_attribute(subject, name));
                    return;
                }
                let id = self.names.attributes.len();
                self.names
                    .attributes_by_name
                    .entry(&name.node)
                    .or_default()
                    .push(id);
                self.names.attributes.push(AttributeDeclaration {
                    file,
                    docs,
                    declaration: attribute,
                    subject,
                    ty,
                });
            }
            ItemKind::Shape(shape) => {
                let name = shape.name.node.as_str();
                let id = match self.names.packs[pack].shapes.get(name) {
                    Some(id) => *id,
                    None => {
                        let id = self.names.shapes.len();
                        self.names.packs[pack].shapes.insert(name, id);
                        self.names.shapes.push(ShapeDeclaration {
                            pack,
                            name,
                            variants: Vec::new(),
                        });
                        id
                    }
                };
                self.names.shapes[id].variants.push((file, shape));
            }
            ItemKind::Profile(profile) => {
                let twin = self
                    .names
                    .profiles
                    .iter()
                    .find(|p| p.pack == pack && p.declaration.name.node == profile.name.node);
                if let Some(twin) = twin {
                    let first = twin.declaration.name.span;
                    self.report(error::declared_twice("profile", &profile.name, first));
                    return;
                }
                self.names.profiles.push(ProfileDeclaration {
                    file,
                    pack,
                    docs,
                    declaration: profile,
                });
            }
            ItemKind::Rule(rule) => {
                let subject = self.subject(&rule.on.subject);
                self.names.packs[pack].has_rules = true;
                let name = &rule.name;
                let id: Arc<str> = format!("{}/{}", self.names.packs[pack].name, name.node).into();
                if let Found::One(first) = self.names.rule(Some(pack), &id) {
                    let first = self.names.rules[first].declaration.name.span;
                    self.report(error::declared_twice("rule", name, first));
                    return;
                }
                let number = self.names.rules.len();
                self.names
                    .rules_by_name
                    .entry(&name.node)
                    .or_default()
                    .push(number);
                for tag in &rule.tags {
                    let tagged = self.names.rules_by_tag.entry(&tag.node).or_default();
                    if !tagged.contains(&number) {
                        tagged.push(number);
                    }
                }
                self.names.rules.push(RuleDeclaration {
                    file,
                    pack,
                    docs,
                    declaration: rule,
                    span: item.span,
                    id,
                    subject,
                });
            }
        }
    }

    /// A parameter or constant: they share their names.
    fn value(&mut self, pack: PackId, file: usize, docs: &'a str, kind: ValueKind<'a>) {
        let declaration = ValueDeclaration {
            file,
            pack,
            docs,
            kind,
        };
        let name = declaration.name();
        if let Some(first) = self.names.packs[pack].values.get(name.node.as_str()) {
            let first = self.names.values[*first].name().span;
            self.report(error::declared_twice(declaration.what(), name, first));
            return;
        }
        if is_reserved(&name.node) {
            self.report(error::reserved_for_records(name));
            return;
        }
        let id = self.names.values.len();
        self.names.packs[pack].values.insert(&name.node, id);
        self.names.values.push(declaration);
    }

    /// Another attribute that some record would have under the same name.
    fn clash(&self, subject: Subject, name: &str) -> Option<Span> {
        let all = self.names.attributes_by_name.get(name)?;
        all.iter()
            .map(|id| &self.names.attributes[*id])
            .find(|other| subject.is_a(other.subject) || other.subject.is_a(subject))
            .map(|other| other.declaration.name.span)
    }

    /// The subject of a word.
    pub fn subject(&mut self, word: &Name) -> Option<Subject> {
        let subject = Subject::from_word(&word.node);
        if subject.is_none() {
            let words = Subject::ALL.map(Subject::word);
            self.report(error::unknown_word(
                "subject",
                word,
                &words,
                suggest(&word.node, words),
            ));
        }
        subject
    }
}

/// Words that stand for records wherever a rule is about them.
pub fn is_reserved(word: &str) -> bool {
    Subject::from_word(word).is_some() || matches!(word, "earlier" | "later")
}

/// The name of a pack that comes from a file's name: `rules/My Rules.wire` is `my-rules`.
pub fn pack_of_path(path: &str) -> String {
    let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let stem = file.strip_suffix(".wire").unwrap_or(file);
    let mut out = String::new();
    for c in stem.chars().flat_map(char::to_lowercase) {
        if c.is_ascii_lowercase() || c.is_ascii_digit() {
            out.push(c);
        } else if !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
    }
    let out = out.trim_end_matches('-');
    if out.is_empty() {
        "rules".to_owned()
    } else {
        out.to_owned()
    }
}
