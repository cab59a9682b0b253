//! Names: declared twice, not there, never used.

use super::words::or;
use crate::diagnostic::Diagnostic;
use crate::lang::ast::Name;
use crate::model::subject::Subject;
use crate::source::Span;

/// "did you mean `x`?"
pub fn did_you_mean(diagnostic: Diagnostic, near: Option<&str>) -> Diagnostic {
    match near {
        Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
        None => diagnostic,
    }
}

/// Something that the language keeps for later. `what` ends in its verb: "shapes are".
pub fn not_available(what: &str, span: Span) -> Diagnostic {
    Diagnostic::error("not-available", format!("{what} not available yet")).at(span)
}

// ---- declarations ---------------------------------------------------------------------------------------------------

/// Two items of one kind and name in a pack.
pub fn declared_twice(what: &str, name: &Name, first: Span) -> Diagnostic {
    let message = format!("the {what} `{}` is declared twice", name.node);
    Diagnostic::error("declared-twice", message)
        .label(name.span, "declared again here")
        .label(first, "first declared here")
}

/// A file of a pack that comes with the program.
pub fn pack_taken(name: &Name) -> Diagnostic {
    let pack = &name.node;
    let message = format!("the name `{pack}` is taken: that pack comes with wirelint");
    Diagnostic::error("pack-taken", message)
        .at(name.span)
        .help(format!(
            "choose another name; `use {pack}` still shows what it declares"
        ))
}

/// A file that is of such a pack because of its own name.
pub fn file_taken(path: &str, pack: &str) -> Diagnostic {
    let message = format!("`{path}` is read as a part of the pack `{pack}`, which comes with wirelint");
    Diagnostic::error("pack-taken", message).help("begin the file with `pack` and a name of its own")
}

/// A function with the name of a builtin.
pub fn hides_builtin(name: &Name) -> Diagnostic {
    let message = format!(
        "the function `{}` hides the builtin function of that name",
        name.node
    );
    Diagnostic::warning("hides-builtin", message)
        .at(name.span)
        .help("give it another name")
}

/// A derived attribute with the name of a built-in one.
pub fn hides_attribute(subject: Subject, name: &Name) -> Diagnostic {
    let (subject, name_) = (subject.word(), &name.node);
    let message = format!("`{subject}.{name_}` is there already");
    Diagnostic::error("hides-attribute", message)
        .at(name.span)
        .help(format!(
            "every {subject} has an attribute `{name_}`; give yours another name"
        ))
}

/// `use` of the pack in which it stands.
pub fn use_of_own_pack(name: &Name) -> Diagnostic {
    let message = format!("`{}` is the pack of this file", name.node);
    Diagnostic::error("use-of-own-pack", message)
        .at(name.span)
        .help("files of one pack see each other's names without `use`")
}

/// The same `use` again.
pub fn used_twice(name: &Name) -> Diagnostic {
    Diagnostic::warning("used-twice", format!("`{}` is used twice", name.node)).at(name.span)
}

/// `use` of a pack that is not there.
pub fn unknown_pack(name: &Name, near: Option<&str>) -> Diagnostic {
    let message = format!("there is no pack `{}`", name.node);
    did_you_mean(Diagnostic::error("unknown-pack", message).at(name.span), near)
}

/// A parameter, constant or function that nobody reads.
pub fn unused_item(what: &str, name: &Name) -> Diagnostic {
    Diagnostic::warning("unused-item", format!("the {what} `{}` is never used", name.node))
        .at(name.span)
        .help("remove it")
}

// ---- names within a rule --------------------------------------------------------------------------------------------

/// A name that stands for records wherever a rule is about them.
pub fn reserved_for_records(name: &Name) -> Diagnostic {
    let message = format!("`{}` cannot be a name of your own", name.node);
    Diagnostic::error("reserved-name", message)
        .at(name.span)
        .help("the words of the subjects, `earlier` and `later` stand for records of the recording")
}

/// A name that is in use around it.
pub fn name_taken(name: &Name, first: Span) -> Diagnostic {
    let message = format!("`{}` is the name of something else here", name.node);
    Diagnostic::error("name-taken", message)
        .label(name.span, "named again here")
        .label(first, "first named here")
        .help("give one of them another name")
}

/// A local name like that of a parameter or constant of the pack.
pub fn hides_value(name: &Name, what: &str, declared: Span) -> Diagnostic {
    let message = format!("`{}` hides the {what} of that name", name.node);
    Diagnostic::warning("hides-value", message)
        .label(name.span, "named here")
        .label(declared, format!("the {what}"))
        .help("give one of them another name")
}

/// A `let` or `for` whose name is never read.
pub fn unused_local(word: &str, name: &str, span: Span) -> Diagnostic {
    let help = match word {
        "let" => "remove the `let`".to_owned(),
        _ => format!("ask about it, or name it `_{name}`"),
    };
    Diagnostic::warning("unused-name", format!("`{name}` is never used"))
        .at(span)
        .help(help)
}

/// A name of a form for lists that its body never reads.
pub fn unused_binding(name: &str, span: Span) -> Diagnostic {
    let message = format!("what is asked of `{name}` does not depend on it");
    Diagnostic::warning("unused-name", message)
        .at(span)
        .help(format!("ask about it, or name it `_{name}`"))
}

/// A word that stands for nothing.
pub fn unknown_name(word: &str, span: Span, near: Option<&str>, pack: Option<&str>) -> Diagnostic {
    let diagnostic = Diagnostic::error(
        "unknown-name",
        format!("`{word}` is not the name of anything here"),
    );
    match pack {
        Some(pack) => diagnostic.at(span).help(format!(
            "`{word}` stands in the pack `{pack}`: write `use {pack}` below `pack`"
        )),
        None => did_you_mean(diagnostic.at(span), near),
    }
}

/// `x is string or integer`
pub fn type_as_value(word: &str, span: Span) -> Diagnostic {
    Diagnostic::error("type-as-value", format!("`{word}` is a type and no value"))
        .at(span)
        .help(format!("write out what is asked: `… is {word}`"))
}

/// An attribute without its record.
pub fn attribute_without_record(word: &str, span: Span, record: &str) -> Diagnostic {
    Diagnostic::error("attribute-without-record", format!("`{word}` of what?"))
        .at(span)
        .help(format!("write `{record}.{word}`"))
}

/// The word of another subject than the rule's.
pub fn other_subject(word: &str, span: Span, record: &str) -> Diagnostic {
    Diagnostic::error("other-subject", format!("there is no `{word}` here"))
        .at(span)
        .help(format!("the record here is called `{record}`"))
}

/// A function without its parentheses.
pub fn function_as_value(word: &str, span: Span) -> Diagnostic {
    Diagnostic::error("function-as-value", format!("`{word}` is a function"))
        .at(span)
        .help(format!("call it: `{word}(…)`"))
}

/// `earlier` where there is no record.
pub fn history_of_nothing(word: &str, span: Span) -> Diagnostic {
    Diagnostic::error("history-of-nothing", format!("`{word}` than what?"))
        .at(span)
        .help(format!(
            "here is no record by itself: write `x.{word}` for that of a record `x`"
        ))
}

/// A name that two packs in use declare.
pub fn ambiguous(what: &str, word: &str, span: Span, places: Vec<(&str, Span)>) -> Diagnostic {
    let message = format!("more than one pack in use has a {what} `{word}`");
    let mut diagnostic = Diagnostic::error("ambiguous-name", message).at(span);
    for (pack, place) in places {
        diagnostic = diagnostic.label(place, format!("in `{pack}`"));
    }
    diagnostic.help("leave one `use` out, or give your own one in this pack")
}

// ---- words ----------------------------------------------------------------------------------------------------------

/// A word that is none of those that can stand there.
pub fn unknown_word(what: &str, word: &Name, words: &[&str], near: Option<&str>) -> Diagnostic {
    let message = format!("there is no {what} `{}`", word.node);
    let help = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("it is one of {}", or(words)),
    };
    Diagnostic::error("unknown-word", message)
        .at(word.span)
        .help(help)
}

/// A rule that is not there.
pub fn unknown_rule(name: &str, span: Span, near: Option<&str>) -> Diagnostic {
    did_you_mean(
        Diagnostic::error("unknown-rule", format!("there is no rule `{name}`")).at(span),
        near,
    )
}

/// A name that rules of several packs have.
pub fn ambiguous_rule(name: &str, span: Span, ids: &[&str]) -> Diagnostic {
    Diagnostic::error(
        "ambiguous-rule",
        format!("more than one pack has a rule `{name}`"),
    )
    .at(span)
    .help(format!("write {}", or(ids)))
}

/// A tag that no rule has.
pub fn unknown_tag(tag: &str, span: Span, near: Option<&str>) -> Diagnostic {
    did_you_mean(
        Diagnostic::error("unknown-tag", format!("no rule has the tag `{tag}`")).at(span),
        near,
    )
}
