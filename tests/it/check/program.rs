//! What becomes of rules that are right.

use wirelint::lang::ast::Level;
use wirelint::lang::check::{Checker, Settings, audit, check};
use wirelint::lang::parse::parse;
use wirelint::lang::program::{Collection, Expr, ExprKind, Program, Reach};
use wirelint::model::subject::{Attribute, Subject};
use wirelint::model::types::Type;
use wirelint::model::value::Value;
use wirelint::source::SourceMap;

use super::{checked, parsed};
use crate::syntax::rendered;

/// The program of a text that is right.
fn program(text: &str) -> Program {
    with(text, &Settings::default())
}

/// The program of a text that is right, with settings.
fn with(text: &str, settings: &Settings) -> Program {
    let (program, sources, diagnostics) = checked("test.wire", text, settings);
    assert_eq!(rendered(&sources, &diagnostics), "");
    program
}

const DOWNGRADE: &str = r#"
pack negotiation

/// Codes on which a client may fall back.
param fallback_codes: [integer] = [-32601, -32602]
param fallback_statuses: [integer] = [400, 404, 405]

rule downgrade-without-signal {
  severity error
  scope origin
  on request of "initialize" from client
  let probe = last p in earlier.requests: p.method == "server/discover"
  let error = probe.response.error
  when probe.response exists
  require error.code in fallback_codes
       or error.code == -32022 and request.params.protocolVersion in error.data.supported
       or error missing and probe.response.status in fallback_statuses
    report "fell back to `initialize`, though `server/discover` was answered with {error.code}"
    at request.method "downgraded here"
    at error.code     "not a sign of a legacy server"

  fail with fallback_codes = [] {
    > {"jsonrpc":"2.0","id":1,"method":"initialize"}
  }
}

profile strict {
  fallback_codes = [-32601]
  level downgrade-without-signal = off
}
"#;

fn written(value: &Value) -> String {
    match value {
        Value::List(list) => list.items.iter().map(|item| written(&item.value) + ";").collect(),
        value => value.as_number().map_or_else(String::new, |n| n.written()),
    }
}

#[test]
fn rules_say_what_they_need() {
    let program = program(DOWNGRADE);
    let rule = &program.rules[0];
    assert_eq!(&*rule.id, "negotiation/downgrade-without-signal");
    assert_eq!((rule.level, rule.severity), (Level::Error, Level::Error));
    assert_eq!(
        rule.needs.evidence,
        ["direction", "origin", "pairing", "session", "status"]
    );
    assert_eq!(rule.needs.reach, Reach::Scope);
    // The subject, two `let`s, and the name of the form.
    assert_eq!(rule.slots, 4);
    assert_eq!(rule.examples[0].with[0].name.node, "negotiation/fallback_codes");
    assert_eq!(
        program.parameters[0].docs,
        "Codes on which a client may fall back."
    );
    assert_eq!(program.profiles[0].levels.len(), 1);
}

#[test]
fn settings_win_over_profiles_over_defaults() {
    let value = |program: &Program| written(&program.parameters[0].value);
    assert_eq!(value(&program(DOWNGRADE)), "-32601;-32602;");

    let mut settings = Settings {
        profiles: vec!["strict".to_owned()],
        ..Settings::default()
    };
    let strict = with(DOWNGRADE, &settings);
    assert_eq!(value(&strict), "-32601;");
    assert_eq!(written(&strict.parameters[0].default), "-32601;-32602;");
    assert_eq!(strict.rules[0].level, Level::Off);
    assert_eq!(strict.rules[0].severity, Level::Error);

    // A list without elements, and a level for all rules of the pack.
    let (sources, files) = parsed("test.wire", DOWNGRADE);
    let empty = &files[0].items[2];
    let wirelint::lang::ast::ItemKind::Rule(rule) = &empty.kind else {
        unreachable!("the third item is the rule")
    };
    let empty = rule.examples[0].with[0].value.clone();
    settings.parameters = vec![("negotiation/fallback_codes".to_owned(), empty)];
    settings.levels = vec![("negotiation/*".to_owned(), Level::Note)];
    let (own, diagnostics) = check(&files, &sources, &settings);
    assert!(diagnostics.is_empty());
    assert_eq!(value(&own), "");
    assert_eq!(own.rules[0].level, Level::Note);
}

#[test]
fn settings_of_nothing_are_errors() {
    let (sources, files) = parsed("test.wire", DOWNGRADE);
    let settings = Settings {
        profiles: vec!["strcit".to_owned()],
        levels: vec![
            ("headers/*".to_owned(), Level::Off),
            ("downgrade-with-signal".to_owned(), Level::Off),
        ],
        ..Settings::default()
    };
    let (_, diagnostics) = check(&files, &sources, &settings);
    assert_eq!(
        rendered(&sources, &diagnostics),
        "error[unknown-profile]: there is no profile `strcit`\n  help: did you mean `strict`?\n\n\
         error[unknown-rule]: no rule matches `headers/*`\n\n\
         error[unknown-rule]: there is no rule `downgrade-with-signal`\n  \
         help: did you mean `downgrade-without-signal`?\n\n"
    );
}

#[test]
fn attributes_stand_behind_those_that_they_read() {
    let program = program(
        "attribute request.a: json = request.b.x\n\
         attribute request.b: json = f(request)\n\
         attribute request.c: json = request.params\n\
         fn f(r: request) -> json = r.c\n\
         rule uses-all {\n  on request where request.a exists\n  require request.c exists\n    report \"no\"\n}\n",
    );
    let names: Vec<&str> = program.attributes.iter().map(|a| &*a.name).collect();
    assert_eq!(names, ["c", "b", "a"]);
    let read = |e: &Expr| match &e.kind {
        ExprKind::Exists(of) => match of.kind {
            ExprKind::Derived(_, id) => id,
            _ => usize::MAX,
        },
        _ => usize::MAX,
    };
    let rule = &program.rules[0];
    assert_eq!(rule.guard.as_ref().map(read), Some(2));
    assert_eq!(rule.verdicts[0].condition.as_ref().map(|(_, e)| read(e)), Some(0));
}

#[test]
fn a_name_may_stand_for_a_history() {
    let program = program(
        "rule a {\n  on request\n  let previous = last r in earlier.requests: r.method == request.method\n  \
         let since = earlier.since(previous).since(1m)\n  \
         require any r in since.requests: r.id == request.id\n    report \"no\"\n}\n",
    );
    let rule = &program.rules[0];
    assert_eq!(rule.clauses.len(), 1, "a history is no value");
    let Some((_, condition)) = &rule.verdicts[0].condition else {
        unreachable!("it has a condition")
    };
    let ExprKind::Quantified { bindings, .. } = &condition.kind else {
        unreachable!("it is a form")
    };
    let ExprKind::History {
        bounds, collection, ..
    } = &bindings[0].1.kind
    else {
        unreachable!("over a history")
    };
    assert_eq!((bounds.len(), *collection), (2, Collection::Of(Subject::Request)));
    assert!(rule.needs.evidence.contains(&"clock"));
}

#[test]
fn records_stand_for_their_json_where_json_is_asked_for() {
    let program = program(
        "fn is_small(x: json) -> boolean = x.size == 1\n\
         rule a {\n  on tool where tool has \"name\" and tool.is_small()\n  \
         require tool is object and tool[tool.name] exists\n    report \"no\"\n}\n",
    );
    let mut bodies = 0;
    fn count(e: &Expr, bodies: &mut usize) {
        *bodies += usize::from(matches!(e.kind, ExprKind::Attribute(_, Attribute::Body)));
        e.parts().into_iter().for_each(|part| count(part, bodies));
    }
    let rule = &program.rules[0];
    rule.guard.iter().for_each(|e| count(e, &mut bodies));
    rule.verdicts[0]
        .condition
        .iter()
        .for_each(|(_, e)| count(e, &mut bodies));
    // Members are asked of the record, which knows whether all of it was recorded.
    assert_eq!(bodies, 2);
}

#[test]
fn packs_are_called_by_their_files() {
    let rule = "rule a {\n  on request\n  require request.id exists\n    report \"no\"\n}\n";
    let id = |name: &str| {
        let (program, ..) = checked(name, rule, &Settings::default());
        program.rules[0].id.to_string()
    };
    assert_eq!(id("rules/My Own_Rules.wire"), "my-own-rules/a");
    assert_eq!(id("-"), "rules/a");
}

#[test]
fn a_query_sees_every_pack() {
    let text = "pack own\n\nattribute request.client: json = request.params.client\nconst codes = [1]\n";
    let (_, files) = parsed("own.wire", text);
    let query = "rule q {\n  on request\n  require request.client.code in codes and request.elapsed > 3s\n    report \"\"\n}\n";
    let (sources, other) = parsed("query.wire", query);
    let wirelint::lang::ast::ItemKind::Rule(rule) = &other[0].items[0].kind else {
        unreachable!("it is a rule")
    };
    let Some((_, expression)) = &rule.verdicts[0].condition else {
        unreachable!("it has a condition")
    };
    let checker = Checker::new(&files, &sources);
    let (program, query, diagnostics) = checker.check_expression(&Settings::default(), expression, None);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    assert_eq!(query.subject, Some(Subject::Request));
    assert_eq!(query.expr.ty, Type::Boolean);
    assert_eq!(query.needs.evidence, ["clock", "pairing"]);
    assert_eq!(program.packs.len(), 1);
    let (_, _, diagnostics) = checker.check_expression(&Settings::default(), expression, Some(Subject::Tool));
    assert_eq!(diagnostics.len(), 1, "there is no request: {diagnostics:?}");
}

#[test]
fn bundled_rules_say_more() {
    let (sources, files) = parsed(
        "bundled.wire",
        "pack bundled\n\nrule a {\n  on request\n  require request.id exists\n    report \"no\"\n\n  \
         pass {\n    > {\"id\":1}\n  }\n}\n",
    );
    let lacks: Vec<String> = audit(&files).into_iter().map(|d| d.message).collect();
    assert_eq!(
        lacks,
        [
            "the bundled pack `bundled` is not documented",
            "the bundled rule `a` lacks `severity`",
            "the bundled rule `a` lacks `fault`",
            "the bundled rule `a` lacks `source`",
            "the bundled rule `a` lacks an example that fails",
            "this example of a bundled rule does not say what it shows",
            "the bundled rule `a` is not documented",
        ]
    );
    drop(sources);
}

#[test]
fn deep_expressions_are_checked_within_a_thread() {
    let deep = format!("{}request.id{}", "not (".repeat(100), ")".repeat(100));
    let wide = vec!["request.id == 1"; 200].join(" and ");
    let rule = |name: &str, e: &str| {
        format!("rule {name} {{\n  on request\n  require {e}\n    report \"no\"\n}}\n\n")
    };
    let lists = format!("{}request.id{} exists", "[".repeat(100), "]".repeat(100));
    let forms: String = (0..80)
        .map(|n| format!("any x{n} in request.params: x{n} exists and "))
        .collect();
    let choices = format!(
        "{}request.id exists",
        "if request.id exists then request.id exists else ".repeat(80)
    );
    let texts = [
        rule("deep", &deep),
        rule("wide", &wide),
        rule("forms", &format!("{forms} request.id exists")),
        rule("choices", &choices),
    ];
    program(&texts.concat());
    let (_, _, diagnostics) = checked("lists.wire", &rule("lists", &lists), &Settings::default());
    assert!(diagnostics.is_empty());
}

/// The rules by which the language is explained.
#[test]
fn the_rules_of_the_families_check_without_a_word() {
    let text = |name: &str| {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lang/good");
        std::fs::read_to_string(path.join(name)).unwrap()
    };
    assert_eq!(program(&text("families.wire")).rules.len(), 5);
    let headers = format!(
        "{}\n//---- encoding.wire\n{}",
        text("headers.wire"),
        text("encoding.wire")
    );
    assert_eq!(program(&headers).rules.len(), 2);
}

/// What the program brings along has no fault, not even a small one.
#[test]
fn bundled_rules_are_clean() {
    let mut sources = SourceMap::default();
    let mut files = Vec::new();
    for (name, text) in wirelint::bundled::FILES {
        let id = sources.add(*name, *text);
        let (file, diagnostics) = parse(id, text);
        assert_eq!(rendered(&sources, &diagnostics), "");
        files.push(file);
    }
    let (_, diagnostics) = check(&files, &sources, &Settings::default());
    assert_eq!(rendered(&sources, &diagnostics), "");
    assert_eq!(rendered(&sources, &audit(&files)), "");
}
