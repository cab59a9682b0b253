//! The syntax tree as text, one line per clause, expressions in prefix form.

use wirelint::lang::ast::*;

/// A whole file.
pub fn file(file: &File) -> String {
    let mut lines = Vec::new();
    if let Some(pack) = &file.pack {
        lines.push(format!("pack {} {:?}", pack.node, file.docs));
    }
    lines.extend(file.uses.iter().map(|name| format!("use {}", name.node)));
    for item in &file.items {
        if !item.docs.is_empty() {
            lines.push(format!("/// {:?}", item.docs));
        }
        lines.extend(self::item(&item.kind));
    }
    lines.push(String::new());
    lines.join("\n")
}

fn item(item: &ItemKind) -> Vec<String> {
    match item {
        ItemKind::Param(p) => vec![format!(
            "param {}: {} = {}",
            p.name.node,
            ty(&p.ty),
            expr(&p.default)
        )],
        ItemKind::Const(c) => {
            let typed = c.ty.as_ref().map_or(String::new(), |t| format!(": {}", ty(t)));
            vec![format!("const {}{typed} = {}", c.name.node, expr(&c.value))]
        }
        ItemKind::Function(f) => {
            let parameters: Vec<String> = f
                .parameters
                .iter()
                .map(|(name, t)| format!("{}: {}", name.node, ty(t)))
                .collect();
            let head = format!(
                "fn {}({}) -> {}",
                f.name.node,
                parameters.join(", "),
                ty(&f.result)
            );
            std::iter::once(head).chain(body(&f.body)).collect()
        }
        ItemKind::Attribute(a) => {
            let head = format!("attribute {}.{}: {}", a.subject.node, a.name.node, ty(&a.ty));
            std::iter::once(head).chain(body(&a.body)).collect()
        }
        ItemKind::Shape(s) => {
            let closed = if s.closed { "closed " } else { "" };
            let extends = s
                .extends
                .as_ref()
                .map_or(String::new(), |e| format!(" extends {}", e.node));
            let mut lines = vec![format!(
                "{closed}shape {}{extends}{}",
                s.name.node,
                bounds(&s.revision)
            )];
            match &s.body {
                ShapeBody::Alias(t) => lines.push(format!("  = {}", ty(t))),
                ShapeBody::Fields(fields) => lines.extend(fields.iter().map(|f| {
                    let optional = if f.optional { "?" } else { "" };
                    format!("  {:?}{optional}: {} {:?}", f.name.node, ty(&f.ty), f.docs)
                })),
            }
            lines
        }
        ItemKind::Profile(p) => {
            let mut lines = vec![format!("profile {}", p.name.node)];
            lines.extend(p.settings.iter().map(|s| format!("  {}", setting(s))));
            lines.extend(
                p.levels
                    .iter()
                    .map(|(rule, level)| format!("  level {} = {:?}", rule.node, level.node)),
            );
            lines
        }
        ItemKind::Rule(r) => rule(r),
    }
}

fn body(body: &Body) -> Vec<String> {
    let mut lines: Vec<String> = body
        .lets
        .iter()
        .map(|l| format!("  let {} = {}", l.name.node, expr(&l.value)))
        .collect();
    lines.push(format!("  return {}", expr(&body.result)));
    lines
}

fn bounds(bounds: &[Bound]) -> String {
    bounds
        .iter()
        .map(|b| format!(" {:?} {}", b.op, b.revision.node))
        .collect()
}

fn setting(setting: &Setting) -> String {
    format!("{} = {}", setting.name.node, expr(&setting.value))
}

fn rule(rule: &Rule) -> Vec<String> {
    let mut lines = vec![format!("rule {}", rule.name.node)];
    let mut say = |line: String| lines.push(format!("  {line}"));
    if let Some(level) = &rule.severity {
        say(format!("severity {:?}", level.node));
    }
    if let Some(party) = &rule.fault {
        say(format!("fault {:?}", party.node));
    }
    rule.sources
        .iter()
        .for_each(|s| say(format!("source {:?}", s.node)));
    if !rule.revision.is_empty() {
        say(format!("revision{}", bounds(&rule.revision)));
    }
    rule.tags.iter().for_each(|t| say(format!("tag {:?}", t.node)));
    rule.scope.iter().for_each(|k| say(format!("scope {}", k.node)));
    let on = &rule.on;
    let word = |word: &str, name: &Option<Name>| {
        name.as_ref()
            .map_or(String::new(), |n| format!(" {word} {}", n.node))
    };
    let methods: String = on.methods.iter().map(|m| format!(" of {:?}", m.node)).collect();
    let guard = on
        .guard
        .as_ref()
        .map_or(String::new(), |g| format!(" where {}", expr(g)));
    let (alias, from, over) = (
        word("as", &on.alias),
        word("from", &on.from),
        word("over", &on.over),
    );
    say(format!(
        "on {}{alias}{methods}{from}{over}{guard}",
        on.subject.node
    ));
    for clause in &rule.clauses {
        say(match clause {
            Clause::For { name, list, guard } => {
                let guard = guard
                    .as_ref()
                    .map_or(String::new(), |g| format!(" where {}", expr(g)));
                format!("for {} in {}{guard}", name.node, expr(list))
            }
            Clause::Let(l) => format!("let {} = {}", l.name.node, expr(&l.value)),
            Clause::When(e) => format!("when {}", expr(e)),
            Clause::Undecided { condition, reason } => {
                format!("undecided when {} {}", expr(condition), template(reason))
            }
        });
    }
    for verdict in &rule.verdicts {
        if let Some((kind, condition)) = &verdict.condition {
            say(format!("{kind:?} {}", expr(condition)));
        }
        let level = verdict
            .level
            .as_ref()
            .map_or(String::new(), |l| format!(" {:?}", l.node));
        let against = verdict
            .against
            .as_ref()
            .map_or(String::new(), |p| format!(" against {:?}", p.node));
        say(format!("  report{level}{against} {}", template(&verdict.text)));
        for (place, text) in &verdict.labels {
            let text = text
                .as_ref()
                .map_or(String::new(), |t| format!(" {}", template(t)));
            say(format!("  at {}{text}", expr(place)));
        }
        if let Some(help) = &verdict.help {
            say(format!("  help {}", template(help)));
        }
    }
    if let Some(once) = &rule.once {
        say(format!("once per {}", expr(once)));
    }
    for example in &rule.examples {
        let title = example.title.as_ref().map_or("", |t| t.node.as_str());
        say(format!("{:?} {title:?}", example.outcome));
        example
            .with
            .iter()
            .for_each(|s| say(format!("  with {}", setting(s))));
        for step in &example.steps {
            step_lines(step)
                .into_iter()
                .for_each(|line| say(format!("  {line}")));
        }
    }
    lines
}

fn step_lines(step: &Step) -> Vec<String> {
    let message = match step {
        Step::Entry { kind, json } => return vec![format!("{} {:?}", kind.node, json.node)],
        Step::Gap(_) => return vec!["gap".to_owned()],
        Step::Wait(nanoseconds) => return vec![format!("wait {nanoseconds}")],
        Step::Session(name) => return vec![format!("session {:?}", name.node)],
        Step::Message(message) => message,
    };
    let side = if message.from_client { ">" } else { "<" };
    let raw = if message.raw { " raw" } else { "" };
    let mut lines = vec![format!("{side}{raw}")];
    if let Some(http) = &message.http {
        lines.push(format!("  {:?} {:?}", http.start, http.status));
        lines.extend(
            http.headers
                .iter()
                .map(|(name, value)| format!("  {name:?}: {value:?}")),
        );
    }
    lines.extend(message.body.iter().map(|b| format!("  body {:?}", b.node)));
    lines.extend(message.events.iter().map(|e| format!("  {e:?}")));
    lines
}

fn template(template: &Template) -> String {
    let pieces: Vec<String> = template
        .pieces
        .iter()
        .map(|piece| match piece {
            Piece::Text(text) => format!("{text:?}"),
            Piece::Hole(hole) => format!("{{{}}}", expr(hole)),
        })
        .collect();
    format!("<{}>", pieces.join(" "))
}

fn ty(ty: &TypeExpr) -> String {
    match &ty.kind {
        TypeKind::Name(name) => name.clone(),
        TypeKind::List(inner) => format!("[{}]", self::ty(inner)),
        TypeKind::Of(name, inner) => format!("({} of {})", name.node, self::ty(inner)),
        TypeKind::Text(text) => format!("{text:?}"),
        TypeKind::Range(low, high) => {
            format!(
                "{}..{}",
                low.as_deref().unwrap_or(""),
                high.as_deref().unwrap_or("")
            )
        }
        TypeKind::Or(types) => {
            let types: Vec<String> = types.iter().map(self::ty).collect();
            format!("({})", types.join(" or "))
        }
    }
}

/// An expression.
pub fn expr(e: &Expr) -> String {
    let all = |list: &[Expr]| list.iter().map(|e| format!(" {}", expr(e))).collect::<String>();
    match &e.kind {
        ExprKind::Null => "null".to_owned(),
        ExprKind::Missing => "missing".to_owned(),
        ExprKind::Boolean(b) => b.to_string(),
        ExprKind::Number(n) => n.clone(),
        ExprKind::Text(t) => format!("{t:?}"),
        ExprKind::Duration(n) => format!("{n}ns"),
        ExprKind::Regex(r) => format!("/{r}/"),
        ExprKind::Path(p) => format!("{} = {}", p.text, steps(&p.steps)),
        ExprKind::List(list) => format!("[{}]", all(list).trim_start()),
        ExprKind::Object(members) => {
            let members: Vec<String> = members
                .iter()
                .map(|(name, value)| format!("{:?}: {}", name.node, expr(value)))
                .collect();
            format!("{{{}}}", members.join(", "))
        }
        ExprKind::Name(name) => name.clone(),
        ExprKind::Member(value, name) => format!("{}.{}", expr(value), name.node),
        ExprKind::Index(value, index) => format!("{}[{}]", expr(value), expr(index)),
        ExprKind::Call {
            function,
            arguments,
            method,
        } => {
            let dot = if *method { "." } else { "" };
            format!("({dot}{}{})", function.node, all(arguments))
        }
        ExprKind::Not(value) => format!("(not {})", expr(value)),
        ExprKind::Negate(value) => format!("(- {})", expr(value)),
        ExprKind::Binary(op, left, right) => format!("({op:?} {} {})", expr(left), expr(right)),
        ExprKind::Exists(value) => format!("(exists {})", expr(value)),
        ExprKind::IsMissing(value) => format!("(missing {})", expr(value)),
        ExprKind::Is { value, negated, ty } => {
            let not = if *negated { "-not" } else { "" };
            format!("(is{not} {} {})", expr(value), self::ty(ty))
        }
        ExprKind::Fails(value, Premise::Tag(tag)) => format!("(fails {} tag {:?})", expr(value), tag.node),
        ExprKind::Fails(value, Premise::Rules(rules)) => {
            let rules: String = rules.iter().map(|r| format!(" {}", r.node)).collect();
            format!("(fails {}{rules})", expr(value))
        }
        ExprKind::If(condition, then, otherwise) => {
            format!("(if {} {} {})", expr(condition), expr(then), expr(otherwise))
        }
        ExprKind::Quantified {
            quantifier,
            bindings,
            body,
        } => {
            let bindings: String = bindings
                .iter()
                .map(|(name, list)| format!(" ({} in {})", name.node, expr(list)))
                .collect();
            format!("({quantifier:?}{bindings} {})", expr(body))
        }
        ExprKind::Broken => "broken".to_owned(),
    }
}

fn steps(steps: &[PathStep]) -> String {
    let steps: Vec<String> = steps
        .iter()
        .map(|step| match step {
            PathStep::Member(name) => format!("{name:?}"),
            PathStep::AnyMember => "any-member".to_owned(),
            PathStep::Index(index) => format!("{index}"),
            PathStep::AnyIndex => "any-index".to_owned(),
            PathStep::Depth => "depth".to_owned(),
            PathStep::Group(choices, repeat) => {
                let choices: Vec<String> = choices.iter().map(|choice| self::steps(choice)).collect();
                format!("({}){repeat:?}", choices.join(" | "))
            }
        })
        .collect();
    steps.join(" ")
}
