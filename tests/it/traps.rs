//! What real traffic does that a naive linter takes for a fault: one recording for each trap, `tests/traps`, whose number is
//! that of the list below. Nothing is found in them but what is wrong for sure.
//!
//! 1. no `initialize`, and a probe in a process of its own; 2. a refused probe; 3. ids that are 0, texts, large, the same
//!    in both directions or in two exchanges; 4. requests without an answer; 5. answers on another stream; 6. priming
//!    events, and events without a name; 7. answers without a message; 8. spellings of headers; 9. unknown tools; 10. errors and
//!    their status; 11. order of members; 12. lists that differ; 13. schemas of other dialects; 14. bursts of notifications;
//! 15. counter-offers of versions; 16. stray output; 17. recorders that add or leave out; 18. aborts.

use std::collections::BTreeMap;

use crate::cli::{root, wirelint};

/// The findings that are true, by recording.
const TRUE: [(&str, &[&str]); 9] = [
    ("02-refused-probe-over-http", &["jsonrpc/error-code-legacy-range"]),
    (
        "05-a-request-of-the-server-on-the-get-stream",
        &["transport/sse-priming-event"],
    ),
    (
        "06-event-streams",
        &["transport/sse-event-id-modern", "transport/sse-accel-buffering"],
    ),
    (
        "09-unknown-tools",
        &[
            "tools/tool-call-unlisted",
            "tools/tool-call-unlisted",
            "tools/tool-unknown-code",
            "tools/tool-call-unlisted",
            "tools/tool-unknown-code",
            "resources/resource-not-found-uri",
        ],
    ),
    (
        "10-errors-and-their-status",
        &["headers/mcp-name-missing", "tools/tool-call-name"],
    ),
    ("12-a-list-that-changed", &["caching/cache-refetch-fresh"]),
    ("13-schemas", &["tools/tool-schema-dialect"]),
    ("16-stray-output", &["jsonrpc/stdio-stdout-not-message"]),
    ("18-aborts-at-the-end", &["transport/sse-accel-buffering"]),
];

#[test]
fn nothing_is_found_that_is_no_fault() {
    let mut traps: Vec<_> = std::fs::read_dir(root().join("tests/traps"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    traps.sort();
    let mut met: BTreeMap<u32, usize> = BTreeMap::new();
    for trap in &traps {
        let name = trap.file_stem().unwrap().to_str().unwrap();
        let output = wirelint()
            .args(["check", "--format", "json"])
            .arg(trap)
            .output()
            .unwrap();
        let said: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let found: Vec<&str> = said["findings"]
            .as_array()
            .unwrap()
            .iter()
            .map(|finding| finding["rule"].as_str().unwrap())
            .collect();
        let expected = TRUE
            .iter()
            .find(|(of, _)| *of == name)
            .map_or(&[][..], |(_, rules)| *rules);
        assert_eq!(found, expected, "{name}");
        // That nothing is wrong says something only if something was judged.
        let rules = said["summary"]["rules"].as_object().unwrap();
        let passed: u64 = rules
            .values()
            .map(|tally| tally["passed"].as_u64().unwrap())
            .sum();
        assert!(passed > 0, "{name}: nothing was judged");
        *met.entry(name[..2].parse().unwrap()).or_default() += 1;
    }
    assert!((1..=18).eq(met.keys().copied()), "{:?}", met.keys());
}
