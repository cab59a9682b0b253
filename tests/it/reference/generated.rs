//! Generated rules over generated recordings. `WIRELINT_CASES` sets how many, `WIRELINT_SEED` another beginning.

use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};
use wirelint::input::{Limits, Recording};

use super::choices::{Choices, numbers};
use super::compare::{ALL, Compared};
use super::{program, rules, traffic};

/// As many as a short run takes.
const CASES: u32 = 40;

fn setting<T: std::str::FromStr>(name: &str) -> Option<T> {
    std::env::var(name).ok()?.parse().ok()
}

/// As many of some generated rules as the checker takes, and why it refuses the others.
pub fn pack(c: &mut Choices, wanted: usize) -> (String, usize, Vec<String>) {
    let mut text = rules::COMMON.to_owned();
    let mut kept = vec![];
    let mut refused = vec![];
    for number in 0..wanted {
        let name = format!("r{number}");
        let (rule, subject) = rules::rule(c, &name, &kept);
        let longer = format!("{text}\n{rule}");
        match program(&[("generated.wire", &longer)]) {
            Ok(_) => {
                text = longer;
                kept.push((name, subject));
            }
            Err(said) => refused.push(format!("{rule}\n{said}")),
        }
    }
    (text, kept.len(), refused)
}

#[test]
fn generated_rules_mean_the_same_over_generated_recordings() {
    let cases = setting("WIRELINT_CASES").unwrap_or(CASES);
    let mut seed = [7; 32];
    if let Some(other) = setting::<u64>("WIRELINT_SEED") {
        seed[..8].copy_from_slice(&other.to_le_bytes());
    }
    let config = Config {
        cases,
        failure_persistence: None,
        max_shrink_iters: setting("WIRELINT_SHRINK").unwrap_or(300),
        ..Config::default()
    };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &seed));
    let counts = std::cell::Cell::new((0, 0, 0));
    let why = std::cell::RefCell::new(vec![]);
    let outcome = runner.run(&(numbers(300), numbers(900)), |(recording, rules)| {
        let recording = traffic::recording(&mut Choices::new(recording));
        let (rules, kept, refused) = pack(&mut Choices::new(rules), 5);
        why.borrow_mut().extend(refused);
        if kept == 0 {
            return Ok(());
        }
        let program = program(&[("generated.wire", &rules)]).map_err(TestCaseError::fail)?;
        let compared = Compared::new(program);
        let read = |block| {
            let limits = Limits {
                block,
                ..Limits::default()
            };
            Recording::from_reader("generated", recording.as_bytes(), 0, limits)
        };
        // A recording may begin with so much that is broken that nobody knows what it is.
        if read(1 << 20).is_err() {
            return Ok(());
        }
        let open = |block| read(block).unwrap();
        let judged = compared
            .hold(ALL, &open)
            .map_err(|wrong| TestCaseError::fail(format!("{wrong}\n{rules}\n{recording}")))?;
        let (rules, wanted, pairs) = counts.get();
        counts.set((rules + kept, wanted + 5, pairs + judged));
        Ok(())
    });
    let (kept, wanted, pairs) = counts.get();
    match outcome {
        Err(TestError::Fail(why, _)) => panic!("{why}"),
        Err(error) => panic!("{error}"),
        Ok(()) => {}
    }
    let why = why.into_inner().join("\n");
    assert!(
        kept * 3 > wanted * 2,
        "of {wanted} rules the checker took only {kept}:\n{why}"
    );
    assert!(pairs > 0, "no rule was applicable");
}
