//! What a recording does not show, and what shows where it begins.

use wirelint::lang::ast::Outcome::{Failed, Passed, Undecided};

use super::faults::outcomes;

#[test]
fn a_member_that_a_partial_dump_leaves_out_may_be_there() {
    // The form in which a model provider takes functions keeps three members of a tool.
    let dump =
        r#"[{"type":"function","function":{"name":"a","description":"x","parameters":{"type":"object"}}}]"#;
    let rule =
        |condition: &str| format!("rule r {{\n  on tool\n  require {condition}\n    report \"x\"\n}}\n");
    let dump = [dump.to_owned()];
    assert_eq!(outcomes(&rule("tool has \"name\""), &dump), [Passed]);
    assert_eq!(outcomes(&rule("tool has \"annotations\""), &dump), [Undecided]);
    assert_eq!(outcomes(&rule("tool.annotations exists"), &dump), [Undecided]);
    assert_eq!(outcomes(&rule("tool has missing"), &dump), [Failed]);
}
