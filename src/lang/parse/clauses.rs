//! Rules: their clauses, and the order in which they stand.

use super::grammar::{Pair, Parts, Rule};
use super::lower::Lowering;
use crate::lang::ast::{self, Clause, Level, Name, On, Party, Verdict, VerdictKind};
use crate::lang::error::syntax as error;
use crate::lang::suggest::suggest;
use crate::source::{Span, Spanned};

/// The groups of clauses, in the order in which they stand in a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    Metadata,
    On,
    Conditions,
    Verdicts,
    Once,
    Examples,
}

/// A rule whose clauses are still coming in.
struct Draft {
    rule: ast::Rule,
    on: Option<On>,
    /// The latest stage so far, with its clause.
    latest: Option<(Stage, Span)>,
    /// Clauses that may stand once, where they stood.
    once: Vec<(Rule, Span)>,
    /// The last `for`.
    loops: bool,
}

impl<'t> Lowering<'t> {
    /// `rule`
    pub fn rule(&mut self, pair: Pair<'t>) -> Option<ast::Rule> {
        let mut parts = Parts::of(pair);
        let name = self.kebab(&parts.next()?, "rules", false);
        let clauses: Vec<Pair<'t>> = parts.collect();
        let frames = clauses.iter().any(is_on_frame);
        let mut draft = Draft {
            rule: empty(name),
            on: None,
            latest: None,
            once: Vec::new(),
            loops: false,
        };
        for clause in clauses {
            self.clause(&mut draft, clause, frames)?;
        }
        self.check_verdicts(&draft);
        let name = &draft.rule.name;
        if draft.on.is_none() {
            self.report(error::missing_on(name));
        }
        if draft.rule.verdicts.is_empty() {
            self.report(error::missing_verdict(name));
            return None;
        }
        Some(ast::Rule {
            on: draft.on?,
            ..draft.rule
        })
    }

    /// Any clause.
    fn clause(&mut self, draft: &mut Draft, pair: Pair<'t>, frames: bool) -> Option<()> {
        let span = self.span(&pair);
        match pair.as_rule() {
            Rule::separator => {
                self.separator(&pair);
                return Some(());
            }
            Rule::stray_doc => {
                self.report(error::stray_doc(span));
                return Some(());
            }
            _ => {}
        }
        self.check_order(draft, &pair, span);
        let rule = &mut draft.rule;
        match pair.as_rule() {
            Rule::severity => rule.severity = self.level(&Parts::of(pair).next()?, true),
            Rule::fault => rule.fault = self.party(&Parts::of(pair).next()?),
            Rule::source => {
                let source = self.string(Parts::of(pair).next()?);
                rule.sources.push(source);
            }
            Rule::revision => rule.revision = self.revision(pair)?,
            Rule::tags => rule.tags = Parts::of(pair).map(|tag| self.string(tag)).collect(),
            Rule::scope => rule.scope = self.scope(pair),
            Rule::on => draft.on = Some(self.on(pair)?),
            Rule::for_ => {
                draft.loops = true;
                rule.clauses.push(self.for_(pair)?);
            }
            Rule::let_ => rule.clauses.push(Clause::Let(self.let_(pair)?)),
            Rule::when => {
                let condition = self.expr(Parts::of(pair).next()?);
                rule.clauses.push(Clause::When(condition));
            }
            Rule::undecided => {
                let mut parts = Parts::of(pair);
                let condition = self.expr(parts.next()?);
                let reason = self.template(parts.next()?);
                rule.clauses.push(Clause::Undecided { condition, reason });
            }
            Rule::verdict => rule.verdicts.push(self.verdict(pair)?),
            Rule::once => rule.once = Some(self.expr(Parts::of(pair).next()?)),
            _ => {
                let example = self.example(pair, frames)?;
                rule.examples.push(example);
            }
        }
        Some(())
    }

    /// Whether a clause may stand where it stands.
    fn check_order(&mut self, draft: &mut Draft, pair: &Pair<'t>, span: Span) {
        let rule = pair.as_rule();
        let head = self.head(span, rule);
        if matches!(
            rule,
            Rule::severity | Rule::fault | Rule::revision | Rule::tags | Rule::scope | Rule::on | Rule::once
        ) {
            if let Some((_, first)) = draft.once.iter().find(|(other, _)| *other == rule) {
                let first = *first;
                self.report(error::clause_twice(head, self.slice(head), first));
                return;
            }
            draft.once.push((rule, head));
        }
        let stage = stage(rule);
        match draft.latest {
            Some((latest, later)) if stage < latest => {
                let advice = match stage {
                    Stage::Metadata => {
                        "metadata (`severity`, `fault`, `source`, `revision`, `tags`, `scope`) comes first"
                    }
                    Stage::On => "`on` comes right behind the metadata",
                    Stage::Conditions => {
                        "`for`, `let`, `when` and `undecided when` come between `on` and the verdicts"
                    }
                    Stage::Verdicts => "verdicts come before `once per` and the examples",
                    Stage::Once | Stage::Examples => {
                        "`once per` comes behind the last verdict, before the examples"
                    }
                };
                let (this, other) = (self.slice(head), self.slice(later));
                self.report(error::clause_too_late(head, this, later, other, advice));
            }
            _ => draft.latest = Some((stage, head)),
        }
    }

    /// The word that a clause begins with; of the two-word clauses both.
    fn head(&self, span: Span, rule: Rule) -> Span {
        let text = self.slice(span);
        let words = match rule {
            Rule::once | Rule::undecided => 2,
            _ => 1,
        };
        let mut length = 0;
        for _ in 0..words {
            let rest = &text[length..];
            let blanks = rest.len() - rest.trim_start().len();
            let word = rest.trim_start().find(|c: char| !c.is_ascii_alphanumeric());
            length += blanks + word.unwrap_or(rest.trim_start().len());
        }
        Span {
            end: span.start + u32::try_from(length).unwrap_or(0),
            ..span
        }
    }

    /// A bare `report` stands alone, behind a `for`.
    fn check_verdicts(&mut self, draft: &Draft) {
        let verdicts = &draft.rule.verdicts;
        let Some(bare) = verdicts.iter().find(|verdict| verdict.condition.is_none()) else {
            return;
        };
        let head = self.head(bare.span, Rule::report);
        if let Some(other) = verdicts.iter().find(|other| other.span != bare.span) {
            let other = self.head(other.span, Rule::report);
            self.report(error::bare_report_beside_others(head, other, self.slice(other)));
        } else if !draft.loops {
            self.report(error::bare_report_without_for(head));
        }
    }

    /// `on …`, its parts in any order, each once.
    fn on(&mut self, pair: Pair<'t>) -> Option<On> {
        let span = self.span(&pair);
        let mut parts = Parts::of(pair);
        let mut on = On {
            span,
            subject: self.name(&parts.next()?),
            alias: None,
            methods: Vec::new(),
            from: None,
            over: None,
            guard: None,
        };
        let mut seen: Vec<(Rule, Span)> = Vec::new();
        for part in parts {
            let rule = part.as_rule();
            let head = self.head(self.span(&part), rule);
            if let Some((_, first)) = seen.iter().find(|(other, _)| *other == rule) {
                self.report(error::clause_twice(head, self.slice(head), *first));
                continue;
            }
            seen.push((rule, head));
            let mut inner = Parts::of(part);
            match rule {
                Rule::as_name => on.alias = Some(self.snake(&inner.next()?, "names")),
                Rule::of_methods => on.methods = inner.map(|method| self.string(method)).collect(),
                Rule::from_side => on.from = self.one_of(&inner.next()?, "side", &["client", "server"]),
                Rule::over => on.over = self.one_of(&inner.next()?, "transport", &["http", "stdio"]),
                _ => on.guard = Some(self.expr(inner.next()?)),
            }
        }
        Some(on)
    }

    /// `for NAME in EXPR [where EXPR]`
    fn for_(&mut self, pair: Pair<'t>) -> Option<Clause> {
        let mut parts = Parts::of(pair);
        let name = self.snake(&parts.next()?, "names");
        let list = self.expr(parts.next()?);
        let guard = match parts.next() {
            Some(guard) => Some(self.expr(Parts::of(guard).next()?)),
            None => None,
        };
        Some(Clause::For { name, list, guard })
    }

    /// `scope KEY, …`
    fn scope(&mut self, pair: Pair<'t>) -> Vec<Name> {
        let keys: Vec<Name> = Parts::of(pair).map(|key| self.name(&key)).collect();
        self.once_each(keys.iter(), "key");
        if let Some(late) = keys.iter().skip(1).find(|key| key.node == "corpus") {
            self.report(error::corpus_not_first(late.span));
        }
        keys
    }

    /// `require …`, `forbid …` or a bare `report`, with its labels and help.
    fn verdict(&mut self, pair: Pair<'t>) -> Option<Verdict> {
        let span = self.span(&pair);
        let mut parts = Parts::of(pair);
        let condition = match parts.peek()? {
            Rule::require => Some((VerdictKind::Require, self.condition(parts.next()?)?)),
            Rule::forbid => Some((VerdictKind::Forbid, self.condition(parts.next()?)?)),
            _ => None,
        };
        let mut report = Parts::of(parts.next()?);
        let level = report
            .next_of(Rule::level)
            .and_then(|level| self.level(&level, false));
        let against = match report.next_of(Rule::against) {
            Some(against) => self.party(&Parts::of(against).next()?),
            None => None,
        };
        let mut verdict = Verdict {
            span,
            condition,
            level,
            against,
            text: self.template(report.next()?),
            labels: Vec::new(),
            help: None,
        };
        let mut help: Option<Span> = None;
        for part in parts {
            let head = self.head(self.span(&part), Rule::label);
            let rule = part.as_rule();
            let mut inner = Parts::of(part);
            if rule == Rule::help {
                if let Some(first) = help {
                    self.report(error::clause_twice(head, "help", first));
                }
                help = Some(head);
                verdict.help = Some(self.template(inner.next()?));
                continue;
            }
            if let Some(help) = help {
                let advice = "`help` comes behind the last `at`";
                self.report(error::clause_too_late(head, "at", help, "help", advice));
            }
            let place = self.expr(inner.next()?);
            let text = inner.next().map(|text| self.template(text));
            verdict.labels.push((place, text));
        }
        Some(verdict)
    }

    fn condition(&mut self, pair: Pair<'t>) -> Option<ast::Expr> {
        Some(self.expr(Parts::of(pair).next()?))
    }

    /// A level; `off` only where a rule may be switched off.
    pub fn level(&mut self, pair: &Pair<'t>, off: bool) -> Option<Spanned<Level>> {
        let words = ["error", "warning", "note", "off"];
        let words = if off { &words[..] } else { &words[..3] };
        let word = self.one_of(pair, "level", words)?;
        let level = match word.node.as_str() {
            "error" => Level::Error,
            "warning" => Level::Warning,
            "note" => Level::Note,
            _ => Level::Off,
        };
        Some(Spanned::new(level, word.span))
    }

    /// Who broke a rule.
    fn party(&mut self, pair: &Pair<'t>) -> Option<Spanned<Party>> {
        let words = [
            "client",
            "server",
            "intermediary",
            "recorder",
            "sender",
            "receiver",
        ];
        let word = self.one_of(pair, "party", &words)?;
        let party = match word.node.as_str() {
            "client" => Party::Client,
            "server" => Party::Server,
            "intermediary" => Party::Intermediary,
            "recorder" => Party::Recorder,
            "sender" => Party::Sender,
            _ => Party::Receiver,
        };
        Some(Spanned::new(party, word.span))
    }

    /// A word out of a few.
    fn one_of(&mut self, pair: &Pair<'t>, what: &str, words: &[&'static str]) -> Option<Name> {
        let word = self.name(pair);
        if words.contains(&word.node.as_str()) {
            return Some(word);
        }
        // What linters call these levels elsewhere.
        let near = match (what, word.node.as_str()) {
            ("level", "info" | "hint" | "notice" | "information") => Some("note"),
            ("level", "warn") => Some("warning"),
            ("level", "fatal" | "critical" | "deny") => Some("error"),
            ("level", "allow" | "none") if words.contains(&"off") => Some("off"),
            ("party", "gateway" | "proxy") => Some("intermediary"),
            _ => suggest(&word.node, words.iter().copied()),
        };
        self.report(error::not_one_of(what, &word, words, near));
        None
    }
}

/// Where a clause belongs.
fn stage(rule: Rule) -> Stage {
    match rule {
        Rule::severity | Rule::fault | Rule::source | Rule::revision | Rule::tags | Rule::scope => {
            Stage::Metadata
        }
        Rule::on => Stage::On,
        Rule::for_ | Rule::let_ | Rule::when | Rule::undecided => Stage::Conditions,
        Rule::verdict => Stage::Verdicts,
        Rule::once => Stage::Once,
        _ => Stage::Examples,
    }
}

/// Whether the lines of the rule's examples are texts rather than messages.
fn is_on_frame(clause: &Pair<'_>) -> bool {
    clause.as_rule() == Rule::on
        && Parts::of(clause.clone())
            .next()
            .is_some_and(|p| p.as_str() == "frame")
}

/// A rule with nothing but a name.
fn empty(name: Name) -> ast::Rule {
    let span = name.span;
    ast::Rule {
        name,
        severity: None,
        fault: None,
        sources: Vec::new(),
        revision: Vec::new(),
        tags: Vec::new(),
        scope: Vec::new(),
        on: On {
            span,
            subject: Spanned::new(String::new(), span),
            alias: None,
            methods: Vec::new(),
            from: None,
            over: None,
            guard: None,
        },
        clauses: Vec::new(),
        verdicts: Vec::new(),
        once: None,
        examples: Vec::new(),
    }
}
