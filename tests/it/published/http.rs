//! The same of HTTP, with the handshake and without it.

use std::process::{Command, Stdio};

use super::{Running, answers, clean, free_port, listens, published};
use crate::cli::{root, wirelint};
use crate::record::{Place, signal};

#[test]
fn an_http_client_and_its_server_notice_nothing_and_their_recording_is_clean() {
    let Some(folder) = published() else { return };
    let python = folder.join("bin/python");
    let script = |name| {
        let mut command = Command::new(&python);
        command
            .arg(root().join("tests/published").join(name))
            .stderr(Stdio::null());
        command
    };
    let server = free_port();
    let _server = Running(script("http_server.py").arg(server.to_string()).spawn().unwrap());
    listens(server);
    for (mode, first) in [("legacy", "initialize"), ("auto", "server/discover")] {
        let place = Place::new();
        let (file, proxy) = (place.file(), free_port());
        let (listen, upstream) = (format!("127.0.0.1:{proxy}"), format!("http://127.0.0.1:{server}"));
        let mut command = wirelint();
        command.args([
            "record",
            "--quiet",
            "--listen",
            &listen,
            "--upstream",
            &upstream,
            "-o",
        ]);
        let mut recorder = Running(command.arg(&file).spawn().unwrap());
        listens(proxy);
        let talk = |port| {
            let url = format!("http://127.0.0.1:{port}/mcp");
            script("http_client.py").args([&url, mode]).output().unwrap()
        };
        let (alone, recorded) = (talk(server), talk(proxy));
        assert!(alone.status.success(), "{mode}");
        assert_eq!(alone.stdout, recorded.stdout, "{mode}");
        signal(&recorder.0, "-INT");
        assert!(recorder.0.wait().unwrap().success());
        place.records();
        clean(&file);
        let answers = answers(&file);
        assert_eq!(answers[0], serde_json::json!([first, true]));
        assert_eq!(answers.len(), 9, "{answers:?}");
        assert!(answers.iter().all(|answer| answer[1] == true), "{answers:?}");
    }
}
