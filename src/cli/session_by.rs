//! `--session-by EXPR`: what makes messages one session.

use super::load::{Loaded, is_error};
use crate::diagnostic::Diagnostic;
use crate::lang::ast::{self, ExprKind as Written};
use crate::lang::check::{Checker, Settings};
use crate::lang::parse::parse_expression;
use crate::lang::program::{Expr, ExprKind, Program, SessionBy};
use crate::model::subject::{Attribute, Key, Subject};
use crate::source::Spanned;

/// Checks the rules together with the expression, which becomes a part of the program. Words of scope keys stand for
/// those of the message: `origin, principal`.
pub(super) fn check(
    text: &str,
    loaded: &mut Loaded,
    settings: &Settings,
) -> Result<(Program, Vec<Diagnostic>), Vec<Diagnostic>> {
    let written = match keys(text) {
        Some(keys) => keys,
        None => text.to_owned(),
    };
    let source = loaded.sources.add("--session-by", written.as_str());
    let (expr, faults) = parse_expression(source, &written);
    let Some(expr) = expr.filter(|_| !faults.iter().any(is_error)) else {
        return Err(faults);
    };
    if let Some(word) = other_subject(&expr) {
        let message = format!("sessions are made of messages, and `{}` is read here", word.node);
        return Err(vec![
            Diagnostic::error("wrong-subject", message)
                .at(word.span)
                .help("the word for what is looked at is `message`"),
        ]);
    }
    let checker = Checker::new(&loaded.files, &loaded.sources);
    let (mut program, query, diagnostics) = checker.check_expression(settings, &expr, Some(Subject::Message));
    if diagnostics.iter().any(is_error) {
        return Err(diagnostics.into_iter().filter(is_error).collect());
    }
    if let Some(far) = beyond(&program, &query.expr, 0) {
        let message = "what makes a session has to stand in the message itself or its headers";
        return Err(vec![
            Diagnostic::error("session-by-reach", message).label(far.span, "this looks beyond the message"),
        ]);
    }
    if !reads_message(&query.expr) {
        let message = "what makes a session does not depend on the message";
        return Err(vec![
            Diagnostic::error("session-by-constant", message)
                .at(expr.span)
                .help("read something of it: `message.headers[\"x-session\"]`, or name scope keys: `origin`"),
        ]);
    }
    program.session_by = Some(SessionBy {
        expr: query.expr,
        slots: query.slots,
    });
    Ok((program, diagnostics))
}

/// Words of scope keys, as an expression.
fn keys(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split(',').map(str::trim).collect();
    let known = words.iter().all(|word| Key::from_word(word).is_some());
    let members: Vec<String> = words.iter().map(|word| format!("message.{word}")).collect();
    match members.as_slice() {
        [one] if known => Some(one.clone()),
        several if known => Some(format!("[{}]", several.join(", "))),
        _ => None,
    }
}

/// The word of another subject than `message` with which the expression begins.
fn other_subject(expr: &ast::Expr) -> Option<Spanned<String>> {
    match &expr.kind {
        Written::Name(word) => match Subject::from_word(word) {
            Some(Subject::Message) | None => None,
            Some(_) => Some(Spanned::new(word.clone(), expr.span)),
        },
        Written::Member(of, _) | Written::Not(of) | Written::Index(of, _) => other_subject(of),
        Written::Call { arguments, .. } | Written::List(arguments) => {
            arguments.iter().find_map(other_subject)
        }
        Written::Binary(_, a, b) => other_subject(a).or_else(|| other_subject(b)),
        _ => None,
    }
}

fn reads_message(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Local(0)) || expr.parts().into_iter().any(reads_message)
}

/// A part of an expression, or of what it uses, that looks at more than one message.
fn beyond<'e>(program: &'e Program, expr: &'e Expr, depth: usize) -> Option<&'e Expr> {
    // Functions use each other without a cycle, so this ends; the depth only bounds hostile chains.
    if depth > 200 {
        return Some(expr);
    }
    let far = match &expr.kind {
        ExprKind::History { .. } | ExprKind::Fails(..) | ExprKind::Query(_) => true,
        ExprKind::Attribute(_, attribute) => !is_own(*attribute),
        ExprKind::Derived(_, id) => program.attributes.get(*id).is_none_or(|attribute| {
            let lets = attribute.lets.iter().map(|(_, value)| value);
            lets.chain([&attribute.result])
                .any(|e| beyond(program, e, depth + 1).is_some())
        }),
        ExprKind::Apply(id, _) => program.functions.get(*id).is_none_or(|function| {
            let lets = function.lets.iter().map(|(_, value)| value);
            lets.chain([&function.result])
                .any(|e| beyond(program, e, depth + 1).is_some())
        }),
        _ => false,
    };
    if far {
        return Some(expr);
    }
    expr.parts()
        .into_iter()
        .find_map(|part| beyond(program, part, depth + 1))
}

/// Whether an attribute is known of a message before its session is.
fn is_own(attribute: Attribute) -> bool {
    use Attribute as A;
    match attribute {
        A::Kind
        | A::Time
        | A::Sender
        | A::Transport
        | A::Headers
        | A::Batch
        | A::Body
        | A::Id
        | A::Method => true,
        A::Params | A::Result | A::Error | A::Jsonrpc => true,
        A::Key(key) => !matches!(key, Key::Session | Key::Stream),
        _ => false,
    }
}
