//! The output depends on neither the number of threads nor the size of blocks.

use std::path::PathBuf;

use super::wirelint;

/// What `check` says of some paths, in JSON.
fn said(paths: &[PathBuf], options: &[&str]) -> (Vec<u8>, Option<i32>) {
    let mut command = wirelint();
    command
        .args(["check", "--format", "json"])
        .args(options)
        .args(paths);
    let output = command.output().unwrap();
    let mut all = output.stdout;
    all.extend(output.stderr);
    (all, output.status.code())
}

fn same(paths: &[PathBuf]) {
    let expected = said(paths, &["--threads", "1"]);
    assert_ne!(expected.1, None, "ended by a signal");
    assert!(!expected.0.is_empty());
    for options in [
        ["--threads", "2", "--block", "1M"],
        ["--threads", "4", "--block", "1M"],
        ["--threads", "1", "--block", "64"],
        ["--threads", "2", "--block", "700"],
        ["--threads", "4", "--block", "4K"],
    ] {
        let got = said(paths, &options);
        assert_eq!(got.1, expected.1, "{options:?}");
        assert!(
            got.0 == expected.0,
            "{options:?} says something else: {}",
            String::from_utf8_lossy(&got.0)
        );
    }
}

#[test]
fn threads_and_blocks_change_nothing() {
    same(&[PathBuf::from("tests/recordings"), PathBuf::from("tests/cli/logs")]);
}

#[test]
fn threads_and_blocks_change_nothing_in_the_shared_recordings() {
    // Says so itself if they are not there.
    if let Some(place) = crate::input::shared::shared("recordings") {
        same(&[place]);
    }
}
