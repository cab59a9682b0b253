//! What is wrong with a text that a person wrote: data only, rendered by `report`.
//!
//! The style of the messages: lower case, no full stop, the user's words in backticks, one sentence; advice goes to
//! `help`; concepts of the language, never types of this program.

use crate::source::Span;

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// Probably a mistake; the work goes on.
    Warning,
    /// The work cannot be done.
    Error,
}

/// A place with what is to be said about it. The first label of a diagnostic is the primary one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What; none when the message says it all.
    pub text: Option<String>,
}

/// One problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// A stable kebab-case name of the kind of problem, such as `unknown-name`.
    pub code: &'static str,
    /// One sentence.
    pub message: String,
    /// Where; the first is primary.
    pub labels: Vec<Label>,
    /// What to do about it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error.
    pub fn error(code: &'static str, message: impl Into<String>) -> Self {
        Diagnostic {
            severity: Severity::Error,
            code,
            message: message.into(),
            labels: Vec::new(),
            help: None,
        }
    }

    /// A warning.
    pub fn warning(code: &'static str, message: impl Into<String>) -> Self {
        Diagnostic {
            severity: Severity::Warning,
            ..Diagnostic::error(code, message)
        }
    }

    /// Adds a place without words.
    #[must_use]
    pub fn at(mut self, span: Span) -> Self {
        self.labels.push(Label { span, text: None });
        self
    }

    /// Adds a place with words.
    #[must_use]
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label {
            span,
            text: Some(text.into()),
        });
        self
    }

    /// Adds advice.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }
}
